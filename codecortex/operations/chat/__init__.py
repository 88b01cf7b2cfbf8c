"""A conversation with a model about the work tree: messages asked, changes taken, what was typed kept."""
