"""Scopes, and what names of namespaces and types mean in them."""
