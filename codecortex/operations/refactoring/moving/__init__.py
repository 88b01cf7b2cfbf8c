"""`refactor move`: a type is located, put elsewhere with what it needs, and every name is bound again."""
