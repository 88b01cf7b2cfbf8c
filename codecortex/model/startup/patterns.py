"""Regular expressions that are compiled when they are first used.

A short command loads a hundred patterns and uses few of them; compiling all takes as long as a tenth of the command.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


def compile_later(pattern: AnyStr, flags: int | re.RegexFlag = 0) -> re.Pattern[AnyStr]:
    """What `re.compile` gives; an error of the pattern comes to light at its first use, too."""
    return cast("re.Pattern[AnyStr]", _Later(pattern, flags))


class _Compiled:
    """The attributes of a pattern, as its own: reading them costs no more than reading those of a pattern."""

    pattern: str | bytes

    def __repr__(self) -> str:
        return f"compile_later({self.pattern!r})"


class _Later(_Compiled):
    """A pattern that was not used yet."""

    def __init__(self, pattern: str | bytes, flags: int | re.RegexFlag) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self._flags)
        self.__dict__.update({each: getattr(compiled, each) for each in dir(compiled) if not each.startswith("_")})
        self.__class__ = _Compiled  # type: ignore[assignment]  # which has no `__getattr__` to go through
        return getattr(compiled, name)
