"""Parses the filter of a pack, writes it back, and selects the types that match it."""
