"""The answers to questions about types that may be unknown."""

from __future__ import annotations

NO, PERHAPS, YES = 0, 1, 2
"""The lesser of several answers is the answer to all of them together."""

Answer = int
