"""Ground floor: frozen values, hashing, errors. Standard library only."""
