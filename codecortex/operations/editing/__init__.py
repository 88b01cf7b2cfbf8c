"""Texts edited in sessions: one call, one event; the buffer is a version of the session, its file follows the mode."""
