"""What every module of a short command is made with: named tuples and patterns that cost little to load."""
