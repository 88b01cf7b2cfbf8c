"""Two states of types: how each changed, and which was renamed to which."""
