"""Values of the cognition graph: records of nodes, the state of a line, digests."""
