"""The cognition graph of a tree: what nodes there are, why one holds or not, what it was before, and its upkeep."""
