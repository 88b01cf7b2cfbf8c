"""Commands that fit texts into a budget of tokens: packs and the prompt window."""
