"""Commands that keep `.codecortex` up to date: check, hooks, aliases, watch."""
