"""`alias`: list -> add or remove -> conflicts that people decide."""
