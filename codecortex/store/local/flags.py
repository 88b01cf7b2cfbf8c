"""Flags for opening files whose names other programs may have given to something else: a pipe, a link, a device."""

from __future__ import annotations

import os

UNWAITING = getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)
"""Opening a pipe does not block."""

SAFE = UNWAITING | getattr(os, "O_NOFOLLOW", 0)
"""Links are not followed either."""
