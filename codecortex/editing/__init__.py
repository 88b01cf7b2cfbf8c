"""One text being edited: events change its state, and each is answered by what happened and what may be done next."""
