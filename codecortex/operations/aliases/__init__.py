"""Aliases."""
