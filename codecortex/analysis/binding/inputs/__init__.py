"""What the bindings of a file depend on besides its own text."""
