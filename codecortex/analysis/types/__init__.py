"""Computes types from facts: assembled, named, resolved, hashed and written as outlines."""
