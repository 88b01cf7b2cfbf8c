"""Semantic notes of a tree: reading, staleness and drift, moves after renames, writing, backups."""
