"""Notes judged and made: staleness, jobs and groups, answers of models read, extracts without a model."""
