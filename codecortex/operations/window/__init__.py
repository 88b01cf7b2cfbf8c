"""The prompt window: marks of people -> queues -> texts within a budget."""
