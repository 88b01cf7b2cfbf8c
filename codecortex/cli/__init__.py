"""The command line: parses argv, calls operations and prints their results; makes no decisions."""
