"""The values of an enum's members, as numbers where they can be computed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_TERM = compile_later(
    r"\s*(?:((?i:0x[0-9a-f_]+|0b[01_]+|[0-9][0-9_]*)[uUlL]*)(?![\w.])|([^\W\d]\w*(?:\.[^\W\d]\w*)*)|(<<|>>|[-+*|&^~()]))"
)
_LEVELS: tuple[Mapping[str, Callable[[int, int], int]], ...] = (
    {"|": lambda a, b: a | b},
    {"^": lambda a, b: a ^ b},
    {"&": lambda a, b: a & b},
    {"<<": lambda a, b: a << (b & 63), ">>": lambda a, b: a >> (b & 63)},
    {"+": lambda a, b: a + b, "-": lambda a, b: a - b},
    {"*": lambda a, b: a * b},
)


def count_enum(members: Sequence[tuple[str, str]]) -> list[str]:
    """The value of each member of an enum, as a number where it can be computed.

    Args:
        members: Name and value as written; an empty value counts on from the member before.
    """
    known: dict[str, int] = {}
    out: list[str] = []
    base, offset = "", 0
    for name, text in members:
        if text:
            value = _compute(text, known)
            base, offset = (text, 0) if value is None else ("", value)
        out.append(f"{base}+{offset}" if base else str(offset))
        if not base:
            known[name] = offset
        offset += 1
    return out


def _compute(text: str, known: Mapping[str, int]) -> int | None:
    """The value of an expression of integers, earlier members and operators; None if it is anything else."""
    terms: list[int | str] = []
    at, text = 0, text.rstrip()
    while at < len(text):
        match = _TERM.match(text, at)
        if match is None:
            return None
        at = match.end()
        if match[1]:
            digits = match[1].rstrip("uUlL").replace("_", "")
            terms.append(int(digits, 0) if digits[:2].lower() in ("0x", "0b") else int(digits))
        elif match[2]:
            value = known.get(match[2].rpartition(".")[2])
            if value is None:
                return None
            terms.append(value)
        else:
            terms.append(match[3])
    return _Sum(terms).read()


class _Sum:
    """Computes an expression of integers by precedence."""

    def __init__(self, terms: Sequence[int | str]) -> None:
        self._terms = list(terms)
        self._at = 0

    def read(self) -> int | None:
        """The value of the whole; None if it does not read as an expression."""
        value = self._level(0)
        return value if self._at == len(self._terms) else None

    def _level(self, number: int) -> int | None:
        if number == len(_LEVELS):
            return self._unary()
        value = self._level(number + 1)
        while value is not None and self._at < len(self._terms):
            operation = _LEVELS[number].get(str(self._terms[self._at]))
            if operation is None:
                break
            self._at += 1
            other = self._level(number + 1)
            value = operation(value, other) if other is not None else None
        return value

    def _unary(self) -> int | None:
        if self._at >= len(self._terms):
            return None
        term = self._terms[self._at]
        self._at += 1
        if isinstance(term, int):
            return term
        if term == "(":
            value = self._level(0)
            closed = self._at < len(self._terms) and self._terms[self._at] == ")"
            self._at += closed
            return value if closed else None
        value = self._unary() if term in ("-", "~", "+") else None
        return value if value is None or term == "+" else -value if term == "-" else ~value
