"""Entries and a budget in, filtered, ordered and fitted texts out: packs, the prompt window, counts of tokens."""
