"""Two trees or a range of commits -> types that differ -> classes, renames, propagation."""
