"""Looks up members: of types, from inside of types, and extension methods."""
