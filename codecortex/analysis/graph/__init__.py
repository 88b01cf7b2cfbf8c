"""Graphs of references between types: components, depth, the part that a question asks for, drawings."""
