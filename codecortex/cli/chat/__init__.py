"""The terminal of a chat: what is typed, and answers as they arrive. The only room that uses prompt_toolkit."""
