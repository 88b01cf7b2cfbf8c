"""A documentation id and what is renamed in; the id that the same symbol has afterwards out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_SEGMENT = compile_later(r"([^.`{]+)(?:`([0-9]+))?(?:\.|\Z)")


class _Segment(NamedTuple):
    """A name of a path such as `N.Outer.Inner`, and how many type parameters it declares."""

    name: str
    arity: int


class TypeRenaming:
    """Gives ids their new names after types got one, wherever the types stand in them."""

    def __init__(self, types: Iterable[str], new: str) -> None:
        """Make it.

        Args:
            types: The documentation ids of the types, without `T:`.
            new: Their new name.
        """
        self._paths = [_read_path(each) for each in sorted(types)]
        self._new = new

    def follow(self, symbol: str) -> str:
        """The id that a symbol has afterwards."""
        spans = sorted({span for path in self._paths for span in _find_path(symbol, path)}, reverse=True)
        for start, end in spans:
            symbol = symbol[:start] + self._new + symbol[end:]
        return symbol


class TypeMove:
    """Gives ids their new names after a type and all in it went to another namespace."""

    def __init__(self, type_: str, namespace: str) -> None:
        """Make it.

        Args:
            type_: The documentation id of the type, without `T:`.
            namespace: The namespace that it goes to.
        """
        self._path = _read_path(type_)
        self._old = type_.rpartition(".")[0]
        self._new = namespace

    def follow(self, symbol: str) -> str:
        """The id that a symbol has afterwards."""
        for start, _ in sorted(set(_find_path(symbol, self._path)), reverse=True):
            first = start - len(self._old) - 1 if self._old else start
            sign = "#" if self._old and symbol[start - 1] == "#" else "."
            new = f"{self._new}.".replace(".", sign) if self._new else ""
            symbol = symbol[:first] + new + symbol[start:]
        return symbol


def follow_namespace(symbol: str, old: str, new: str) -> str:
    """The id that a symbol has after a namespace got another name."""
    plain = re.compile(rf"(?<![\w.#`}}]){re.escape(old)}(?=\.|\Z)")
    hashed = re.compile(rf"(?<![\w#]){re.escape(old.replace('.', '#'))}(?=#)")
    return hashed.sub(new.replace(".", "#"), plain.sub(new, symbol))


def follow_member(symbol: str, old: str, new: str) -> str:
    """The id that a member has after it got another name."""
    head, bracket, parameters = symbol.partition("(")
    at = max(head.rfind("."), head.rfind("#")) + 1
    return head[:at] + new + head[at + len(old) :] + bracket + parameters


def _read_path(written: str) -> list[_Segment]:
    return [_Segment(name, int(arity or 0)) for name, arity in _SEGMENT.findall(written)]


def _find_path(symbol: str, path: Sequence[_Segment]) -> Iterator[tuple[int, int]]:
    """Where the last name of a type's path stands in an id; names of explicit interfaces are joined by `#`."""
    first = len("T:") if symbol[1:2] == ":" else 0
    for sign, before in ((".", r"(?<![\w.#`}])"), ("#", r"(?<![\w#])")):
        for match in re.compile(before + re.escape(path[0].name)).finditer(symbol, first):
            found = _follow_path(symbol, match.start(), path, sign)
            if found is not None and (sign == "." or symbol[found[1] :].startswith(("#", "{", ",", "}"))):
                yield found


def _follow_path(symbol: str, at: int, path: Sequence[_Segment], sign: str) -> tuple[int, int] | None:
    start = end = at
    for number, each in enumerate(path):
        if number:
            if symbol[at : at + 1] != sign:
                return None
            at += 1
        start, end = at, at + len(each.name)
        behind = _skip_arguments(symbol, end, each.arity) if symbol[start:end] == each.name else None
        if behind is None:
            return None
        at = behind
    return start, end


def _skip_arguments(symbol: str, at: int, arity: int) -> int | None:
    """Where a name with its type parameters or arguments ends; None where it has another number of them."""
    if not arity:
        ends = at == len(symbol) or not (symbol[at].isalnum() or symbol[at] in "_`{")
        return at if ends or symbol.startswith("``", at) else None
    written = re.compile(rf"`{arity}(?![0-9])").match(symbol, at)
    if written is not None:
        return written.end()
    if symbol[at : at + 1] != "{":
        return None
    depth, given = 0, 1
    for place in range(at, len(symbol)):
        depth += {"{": 1, "}": -1}.get(symbol[place], 0)
        given += symbol[place] == "," and depth == 1
        if not depth:
            return place + 1 if given == arity else None
    return None
