"""Facts to types: assembled, named, resolved, hashed and written as outlines."""
