"""Judges whether a name at an occurrence means a given type, member or namespace."""
