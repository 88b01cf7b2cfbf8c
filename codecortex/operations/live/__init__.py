"""What a model should see of the work right now: read from a session or the work tree, stored nowhere."""
