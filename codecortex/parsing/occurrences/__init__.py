"""Occurrences."""
