"""Committed."""
