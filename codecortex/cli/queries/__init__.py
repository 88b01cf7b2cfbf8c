"""Commands that answer questions about types and members: what they are, who uses them, how they changed."""
