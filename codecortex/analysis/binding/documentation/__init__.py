"""How references in documentation comments are bound."""
