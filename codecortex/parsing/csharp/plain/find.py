"""Finds the declarations of a skeleton that holds common ones alone.

A text is taken as a whole or not at all: where something else stands in it, it is left to the grammar, so that nothing
is guessed. A law in the tests compares the facts that both give, of damaged texts too.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.work import DONE, Work
from codecortex.parsing.csharp.plain.checks import (
    are_bases,
    are_clauses,
    are_parameters,
    are_type_parameters,
    is_enum_member,
    is_name,
    is_type,
    is_using,
)
from codecortex.parsing.csharp.plain.headers import MEMBERS
from codecortex.parsing.csharp.plain.patterns import ENUM_END, ENUM_MEMBER, HEAD, INSIDE, OUTSIDE

if TYPE_CHECKING:
    import re
    from collections.abc import Sequence

    from codecortex.parsing.csharp.plain.headers import Headers


class Found(NamedTuple):
    """One declaration, or the end of a type or namespace.

    Attributes:
        kind: The name of the pattern's last group.
        match: Where its parts stand.
        head: Of a type, where the parts of the rest of its head stand.
        end: Of a type or namespace, the end of its body.
        members: Of members, each with its end in the text.
        listed: The members of an enum.
    """

    kind: str
    match: re.Match[bytes]
    head: re.Match[bytes] | None
    end: int
    members: Headers
    listed: Sequence[re.Match[bytes]]


_WITHOUT_PARAMETERS = (b"enum", b"interface")
_make_found = partial(tuple.__new__, Found)  # at half of what the class costs, for every declaration


def find_declarations(text: bytes) -> list[Found] | None:
    """The declarations of a skeleton's text, in order; None if it holds others than common ones."""
    return _Finder(text).run()


class _Finder:
    """One pass over a text."""

    def __init__(self, text: bytes) -> None:
        self._text = text
        self._found: list[Found] = []
        self._at = 0
        self._inside = False  # a type
        self._waiting: list[tuple[int, bool]] = []  # the types and namespaces around, and what each was inside of
        self._spaced = False  # a namespace holds the rest of the file

    def run(self) -> list[Found] | None:
        text, found = self._text, self._found
        while True:
            match = (INSIDE if self._inside else OUTSIDE).match(text, self._at)
            if match is None:
                return None
            kind, self._at = match.lastgroup or "", match.end()
            if kind in MEMBERS:
                headers = MEMBERS[kind](match)
                taken = headers is not None
                found.append(_make_found((kind, match, None, 0, headers, ())))
            elif kind == "head":
                taken = self._open_type(match)
            elif kind == "close":
                taken = self._close(match)
            elif kind == "using":
                taken = is_using(match["text"])
                found.append(_make_found((kind, match, None, 0, (), ())))
            elif kind == "namespace":
                taken = self._open_namespace(match)
            else:
                DONE[Work.PARSED] += not self._waiting
                return None if self._waiting else found
            if not taken:
                return None

    def _open_type(self, match: re.Match[bytes]) -> bool:
        head = HEAD.match(self._text, self._at)
        if head is None or not _is_head(head):
            return False
        self._at = head.end()
        listed: list[re.Match[bytes]] | None = []
        if head["kind"] == b"enum":
            listed = self._list_members()
        elif head["opens"] == b"{":
            self._waiting.append((len(self._found), self._inside))
            self._inside = True
        self._found.append(_make_found(("head", match, head, self._at, (), listed)))
        return listed is not None

    def _list_members(self) -> list[re.Match[bytes]] | None:
        """The members of an enum, one after the other: a search would look at blanks again and again."""
        text, listed = self._text, []
        while (end := ENUM_END.match(text, self._at)) is None:
            member = ENUM_MEMBER.match(text, self._at)
            if member is None or not is_enum_member(member):
                return None
            listed.append(member)
            self._at = member.end()
            if text[self._at : self._at + 1] == b",":
                self._at += 1
            elif text[self._at : self._at + 1] != b"}":
                return None
        self._at = end.end()
        return listed

    def _open_namespace(self, match: re.Match[bytes]) -> bool:
        if not all(map(is_name, match["name"].split(b"."))):
            return False
        if match["opens"] == b"{":
            self._waiting.append((len(self._found), False))
        elif self._waiting or self._spaced:
            return False
        else:
            self._spaced = True
        self._found.append(_make_found(("namespace", match, None, self._at, (), ())))
        return True

    def _close(self, match: re.Match[bytes]) -> bool:
        if not self._waiting:
            return False
        number, self._inside = self._waiting.pop()
        self._found[number] = self._found[number]._replace(end=self._at)
        self._found.append(_make_found(("close", match, None, 0, (), ())))
        return True


def _is_head(head: re.Match[bytes]) -> bool:
    kind, name, result, generic, parameters, bases, clauses, opens = head.group(
        "kind", "name", "result", "generic", "parameters", "bases", "clauses", "opens"
    )
    if not is_name(name) or (parameters and not are_parameters(parameters)) or (clauses and not are_clauses(clauses)):
        return False
    if generic and not are_type_parameters(generic):
        return False
    if kind == b"enum" and (generic or clauses or opens == b";"):
        return False
    if kind in _WITHOUT_PARAMETERS and parameters is not None:
        return False
    bases = bases.strip()
    if kind is None:
        return opens == b";" and parameters is not None and not bases and is_type(result)
    return not bases or are_bases(bases[1:], enum=kind == b"enum")
