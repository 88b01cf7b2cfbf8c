"""Notes written: jobs -> prompts -> provider or extract -> answers -> notes."""
