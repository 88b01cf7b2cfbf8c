"""Several edits as one: each made on the one before in a session, judged together, written at once."""
