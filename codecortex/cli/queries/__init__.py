"""Commands that answer a question about types and members: what they are, who uses them, what became of them."""
