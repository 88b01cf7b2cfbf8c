"""argv and terminal to operations and back; no decisions."""
