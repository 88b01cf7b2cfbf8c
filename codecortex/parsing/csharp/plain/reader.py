"""Reads the declarations that patterns found in a skeleton."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.parsing.csharp.declarations import DeclarationReader
from codecortex.parsing.csharp.headers import (
    NO_PARAMETERS,
    attributes_of_type_parameters,
    read_constraints,
    read_name,
    read_parameters,
    read_type_parameters,
    tidy,
)
from codecortex.parsing.csharp.members import (
    GETTER,
    NO_DETAILS,
    Details,
    Header,
    name_by_words,
    read_accessors,
    read_explicit,
    read_head,
    shorten,
)
from codecortex.parsing.csharp.plain.patterns import DECLARATOR, ENUM_MEMBER

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator, Sequence

    from codecortex.model.code.facts import FileFacts, MemberKind
    from codecortex.parsing.csharp.open_type import OpenType
    from codecortex.parsing.csharp.plain.find import Found

_NO_SLOT = -1


class PlainReader(DeclarationReader):
    """Reads the declarations of one file whose skeleton holds common ones alone."""

    def read_found(self, found: Sequence[Found]) -> FileFacts:
        """The same as `read` gives for the text's tree."""
        owner: OpenType | None = None
        scope, slot = 0, _NO_SLOT
        around: list[tuple[OpenType | None, int, int]] = []
        for kind, match, head, end in found:
            if kind == "close":
                if owner is not None:
                    self._close_type(owner, slot)
                owner, scope, slot = around.pop()
            elif kind == "using":
                self._read_using(match["text"], scope)
            elif kind == "namespace":
                if match["opens"] == b"{":
                    around.append((owner, scope, slot))
                scope = self._add_namespace(match["name"], scope)
            elif head is not None:
                opened = self._open_plain(match, head, end, owner, scope)
                if opened is None:
                    continue
                self._types.append(None)
                if head["kind"] == b"enum":
                    self._read_enum(opened, head.end(), end - 1)
                if head["opens"] == b"{" and head["kind"] != b"enum":
                    around.append((owner, scope, slot))
                    owner, slot = opened, len(self._types) - 1
                else:
                    self._close_type(opened, len(self._types) - 1)
            elif owner is not None:
                self._read_member(kind, match, owner)
        return self._list_facts()

    def _open_plain(
        self, match: re.Match[bytes], head: re.Match[bytes], end: int, owner: OpenType | None, scope: int
    ) -> OpenType | None:
        """A type with what its head says; None for a delegate, which has nothing else."""
        kind, generic, listed, bases, clauses = head.group("kind", "generic", "parameters", "bases", "clauses")
        word = "delegate" if kind is None else kind.partition(b" ")[0].decode().split()[0]
        opened = self._start_type((match.start("modifiers"), end), head.span("name"), word, scope)
        if generic:
            self._read_type_parameters(opened, generic)
        parameters = read_parameters(listed) if listed is not None else None
        bases = bases.strip()
        if bases:
            self._read_bases(opened, bases[1:])
        opened.constraints = read_constraints(clauses)
        self._enclose(opened, owner)
        if kind is None:
            self._add_delegate(opened, listed, head["result"], end)
            return None
        self._add_header_bodies(opened, head.end() - 1 if head["opens"] == b"{" else end)
        if parameters is not None:
            self._add_primary(opened, parameters, head.end("parameters") + 1)
        return opened

    def _read_member(self, kind: str, match: re.Match[bytes], owner: OpenType) -> None:
        if kind == "fields":
            headers: Iterable[tuple[Header, int]] = self._list_fields(match)
        elif kind == "method":
            headers = ((_read_method(match), match.end()),)
        else:
            headers = ((self._read_property(match), match.end()),)
        self._members.add(match.start("modifiers"), headers, owner)

    def _read_property(self, match: re.Match[bytes]) -> Header:
        """Of a property, an indexer, or an event with accessors."""
        words, before, of, name, keys, listed = match.group("modifiers", "before", "type", "name", "keys", "accessors")
        kind: MemberKind = "event" if before else "property" if keys is None else "indexer"
        parameters = NO_PARAMETERS if keys is None else read_parameters(keys)
        head, explicit = read_head(words + before), read_explicit(match["explicit"])
        if listed is None:
            return Header(kind, read_name(name), tidy(of), head, explicit, parameters, accessors=GETTER)
        accessors = read_accessors(listed)
        details = self._members.describe_accessors(accessors, match.span("accessors"))
        return Header(kind, read_name(name), tidy(of), head, explicit, parameters, (), (), accessors, "", details)

    def _list_fields(self, match: re.Match[bytes]) -> Iterator[tuple[Header, int]]:
        words, before, of = match.group("modifiers", "before", "type")
        head, result = read_head(words + before), tidy(of)
        kind: MemberKind = "event" if before else "constant" if "const" in head.modifiers else "field"
        for each in DECLARATOR.finditer(self._text, match.start("name"), match.end("declarators")):
            yield Header(kind, read_name(each["name"]), result, head), each.end("value" if each["value"] else "name")

    def _read_enum(self, opened: OpenType, start: int, end: int) -> None:
        for each in ENUM_MEMBER.finditer(self._text, start, end):
            attributes, name, value = each.group("attributes", "name", "value")
            header = Header(
                "enumMember", read_name(name), "", read_head(attributes), value=shorten(value) if value else ""
            )
            last = each.end("name") if value is None else each.start("value") + len(value.rstrip())
            self._members.add(each.start("attributes"), ((header, last),), opened)


def _read_method(match: re.Match[bytes]) -> Header:
    """Of a method, a constructor, an operator or a conversion."""
    words, before, of, name, sign, listed = match.group("modifiers", "before", "type", "name", "sign", "parameters")
    parameters = read_parameters(listed)
    if name is not None:
        generic, clauses = match.group("generic", "clauses")
        explicit = read_explicit(match["explicit"])
        if not generic:
            return Header("method", read_name(name), tidy(of), read_head(words), explicit, parameters)
        attributes = attributes_of_type_parameters(generic)
        return Header(
            "method", read_name(name), tidy(of), read_head(words), explicit, parameters, read_type_parameters(generic),
            read_constraints(clauses), details=Details("", attributes) if attributes else NO_DETAILS,
        )  # fmt: skip
    if not before and sign is None:
        return Header("constructor", read_name(of), "", read_head(words), "", parameters)
    kind: MemberKind = "conversion" if sign is None else "operator"
    named = name_by_words(kind, words + before, match.string[match.end("type") : match.start("parameters") - 1])
    if named is None:
        raise AssertionError(match[0])
    own, explicit, head = named
    return Header(kind, own, tidy(of), read_head(head), explicit, parameters)
