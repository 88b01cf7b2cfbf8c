"""Commands that keep `.codecortex` true: check, hooks, aliases, watch."""
