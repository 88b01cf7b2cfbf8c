"""Compares two trees or the commits of a range: types that differ, change classes, renames, propagation."""
