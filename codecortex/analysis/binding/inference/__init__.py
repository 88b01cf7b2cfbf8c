"""Type inference: the type arguments of a call, and the types that expressions have by nature."""
