"""`refactor signature`: parameters come, go and change places, in all declarations of a family and all calls."""
