"""The only door to the network: prompts in, texts out, over HTTP or from a program."""
