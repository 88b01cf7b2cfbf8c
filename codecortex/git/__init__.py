"""The only door to git and to the work tree: moves bytes it does not understand."""
