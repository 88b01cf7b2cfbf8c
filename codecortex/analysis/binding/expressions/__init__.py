"""How expressions are bound, one function for each kind of syntax."""
