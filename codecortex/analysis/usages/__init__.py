"""Whether a name at a place means a given type or member."""
