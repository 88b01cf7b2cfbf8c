"""The text of a prompt: template, parts that fit a budget, secrets masked."""
