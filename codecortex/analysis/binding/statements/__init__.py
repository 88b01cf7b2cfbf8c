"""How statements are bound, one function for each kind of syntax."""
