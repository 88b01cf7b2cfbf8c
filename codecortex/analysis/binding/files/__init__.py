"""Binds whole files: heads, signatures, attributes and bodies."""
