"""Reads the declarations that patterns found in a skeleton, with their trivia, bodies and lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.parsing.csharp.declarations import DeclarationReader
from codecortex.parsing.csharp.headers import read_constraints, read_name, read_parameters
from codecortex.parsing.csharp.members import Header, read_head, shorten

if TYPE_CHECKING:
    import re
    from collections.abc import Sequence

    from codecortex.model.code.facts import FileFacts
    from codecortex.parsing.csharp.open_type import OpenType
    from codecortex.parsing.csharp.plain.find import Found
    from codecortex.parsing.csharp.skeleton import Extent, Skeleton

_NO_SLOT = -1


class PlainReader(DeclarationReader):
    """Reads the declarations of one file whose skeleton holds common ones alone."""

    def __init__(self, skeleton: Skeleton, original: bytes, inactive: tuple[Extent, ...]) -> None:
        super().__init__(skeleton, original, inactive)
        self._owner: OpenType | None = None
        self._scope = 0
        self._slot = _NO_SLOT  # of the owner, among the types
        self._around: list[tuple[OpenType | None, int, int]] = []

    def read_found(self, found: Sequence[Found]) -> FileFacts:
        """The same as `read` gives for the text's tree."""
        add, marked = self._members.add, bool(self._cursor.skeleton.accessor_attributes)
        for kind, match, head, end, members, listed in found:
            if members:
                if self._owner is not None:
                    own = self._mark(match, members) if marked and kind == "property" else members
                    add(match.start("modifiers"), own, self._owner)
            elif head is not None:
                self._read_type(match, head, end, listed)
            elif kind == "close":
                if self._owner is not None:
                    self._close_type(self._owner, self._slot)
                self._owner, self._scope, self._slot = self._around.pop()
            elif kind == "using":
                self._read_using(match["text"], self._scope)
            else:
                if match["opens"] == b"{":
                    self._around.append((None, self._scope, _NO_SLOT))
                self._scope = self._add_namespace(match["name"], self._scope)
        return self._list_facts()

    def _mark(self, match: re.Match[bytes], members: Sequence[tuple[Header, int]]) -> Sequence[tuple[Header, int]]:
        """A property with the attributes of its accessors."""
        if match["accessors"] is None:
            return members
        ((header, end),) = members
        details = self._members.describe_accessors(header.accessors, match.span("accessors"))
        return ((header._replace(details=details), end),)

    def _read_type(
        self, match: re.Match[bytes], head: re.Match[bytes], end: int, members: Sequence[re.Match[bytes]]
    ) -> None:
        kind, generic, listed, bases, clauses, opens = head.group(
            "kind", "generic", "parameters", "bases", "clauses", "opens"
        )
        word = b"delegate" if kind is None else kind.split()[0]
        extent = match.start("modifiers"), end
        opened = self._start_type(extent, head.span("name"), word.decode(), self._scope)
        if generic:
            self._read_type_parameters(opened, generic)
        parameters = read_parameters(listed) if listed is not None else None
        bases = bases.strip()
        if bases:
            self._read_bases(opened, bases[1:], head.span("bases"))
        opened.constraints = read_constraints(clauses)
        self._enclose(opened, self._owner)
        if kind is None:
            self._add_delegate(opened, listed, head["result"], end)
            return
        self._add_header_bodies(opened, head.end() - 1 if opens == b"{" else end)
        if parameters is not None:
            self._add_primary(opened, parameters, head.end("parameters") + 1)
        self._types.append(None)
        slot = len(self._types) - 1
        if opens == b"{" and kind != b"enum":
            self._around.append((self._owner, self._scope, self._slot))
            self._owner, self._slot = opened, slot
            return
        for each in members:
            attributes, name, value = each.group("attributes", "name", "value")
            told = shorten(value) if value else ""
            header = Header("enumMember", read_name(name), "", read_head(attributes), value=told)
            last = each.end("name") if value is None else each.start("value") + len(value.rstrip())
            self._members.add(each.start("attributes"), ((header, last),), opened)
        self._close_type(opened, slot)
