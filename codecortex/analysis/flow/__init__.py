"""How the values of variables flow through the statements of a member; names and syntax in, what a part needs out."""
