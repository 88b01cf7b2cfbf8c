"""Interfaces made of types: which members can be in one, and how it is written."""
