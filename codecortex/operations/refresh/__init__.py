"""Refreshes `.codecortex`: plan (what would change) -> apply (write files); and the commands around it."""
