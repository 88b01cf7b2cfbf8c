"""The only access to models: sends prompts over HTTP or to a program, and returns their answers."""
