"""Conversations of this work tree: rounds asked, ended, compacted; files saved and loaded."""
