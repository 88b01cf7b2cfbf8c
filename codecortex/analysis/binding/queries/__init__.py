"""How query expressions are bound."""
