"""Finds the occurrences of a name in code, and reads the syntax around them."""
