"""Definitions of the types that referenced assemblies declare."""
