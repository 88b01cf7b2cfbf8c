"""Texts, whatever they say: the terms in them, what would do harm where they are shown, wildcards."""
