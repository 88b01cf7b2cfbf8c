"""Where a name stands in code, and what the syntax around it says."""
