"""A pack's filter: text to tree and back, and the types that it selects."""
