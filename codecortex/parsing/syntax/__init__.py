"""Reads sources as syntax trees: the bytes of a file in, a tree of nodes out, with what the grammar misreads mended."""
