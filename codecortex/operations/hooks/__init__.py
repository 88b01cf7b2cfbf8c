"""Git hooks: install -> run -> update the index, the notes and the work tree."""
