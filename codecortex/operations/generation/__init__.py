"""Generates notes: jobs -> prompts -> provider or extract -> answers -> notes."""
