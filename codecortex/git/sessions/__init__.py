"""Versions of a whole work tree: stored without touching the index, chained on refs, and merged text by text."""
