"""Answered questions that are committed: whether they still hold, and which of them a question is about."""
