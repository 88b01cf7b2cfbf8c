"""Notes of a tree: read -> judged, with drift -> moved, written, kept aside."""
