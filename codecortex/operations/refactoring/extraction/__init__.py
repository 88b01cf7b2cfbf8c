"""`refactor extract-method`: a range is located, what goes through it is followed, the method is written and judged."""
