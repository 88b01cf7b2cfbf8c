"""Documentation comments: XML to Markdown, and the text that is hashed."""
