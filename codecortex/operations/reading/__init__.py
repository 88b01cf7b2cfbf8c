"""Reads a tree: listing -> sources -> facts from the cache or parsed -> types and links."""
