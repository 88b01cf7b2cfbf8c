"""The index of questions, the history beside it, and the answer to a question."""
