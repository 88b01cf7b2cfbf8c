"""How files are opened whose names anybody may have given to something else: a pipe, a link, a device."""

from __future__ import annotations

import os

UNWAITING = getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)
"""A pipe is not waited for."""

SAFE = UNWAITING | getattr(os, "O_NOFOLLOW", 0)
"""A link is not followed either."""
