"""Judges and writes notes: staleness, jobs and groups, answers of models, extracts without a model."""
