"""Texts within a budget: pack filters, packs, the prompt window, prompts, token counts."""
