"""The lowest layer: frozen values, hashing, errors. Imports the standard library only."""
