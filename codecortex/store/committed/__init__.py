"""Codecs of the committed files: bytes to values, and back to the same bytes."""
