"""Rounds of a conversation in; what the next one inherits, and what older ones are cut down to, out."""
