"""Compares two states of types: change classes, differing members, renames."""
