"""Commands that fit texts into a budget: packs and the prompt window."""
