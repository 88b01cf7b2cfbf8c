"""The prompt window: marks by people -> queues -> texts within a budget."""
