"""Prompts: the template, parts fitted to a budget, masked secrets."""
