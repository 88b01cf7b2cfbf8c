"""Decides which notes have to be written: selection -> units -> jobs by priority."""
