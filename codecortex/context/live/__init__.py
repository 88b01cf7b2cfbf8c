"""What a model should see of a file right now: its text, how it came about, and what was planned, within a budget."""
