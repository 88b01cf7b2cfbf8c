"""Where a symbol is used, and what calls it."""
