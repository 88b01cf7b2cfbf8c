"""`refactor extract-interface`: members are chosen, written as an interface, and every copied name is bound again."""
