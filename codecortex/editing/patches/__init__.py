"""Patches in three forms read, and applied to texts: a unified diff, an `apply_patch` block, a list of replacements."""
