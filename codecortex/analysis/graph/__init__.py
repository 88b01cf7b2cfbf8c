"""What types name, as a graph: components, depth, the part that a question asks for, drawings of it."""
