"""What the names in the sources of a tree mean."""
