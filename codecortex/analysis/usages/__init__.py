"""Usages."""
