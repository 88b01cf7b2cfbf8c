"""Packs: definition -> text within a budget -> file compared or written."""
