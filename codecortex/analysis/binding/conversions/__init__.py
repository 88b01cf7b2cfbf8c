"""Implicit conversions: between types, and of expressions that have none before their target is known."""
