"""Reads member nodes of a skeleton's tree into `MemberFacts`, with the code of their bodies."""

from __future__ import annotations

import re
from functools import lru_cache, partial
from operator import itemgetter
from typing import TYPE_CHECKING

from codecortex.model.code.facts import MemberFacts
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.parsing.csharp import grammar as g
from codecortex.parsing.csharp.cursor import short_digest
from codecortex.parsing.csharp.headers import (
    NO_PARAMETERS,
    ParameterList,
    attributes_of_type_parameters,
    read_constraints,
    read_name,
    read_parameters,
    read_type_parameters,
    read_words,
    take_attributes,
    tidy,
)
from codecortex.parsing.csharp.tokens import NOTHING_AROUND, scan_masked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tree_sitter import Node

    from codecortex.model.code.facts import MemberKind
    from codecortex.parsing.csharp.cursor import Cursor, LeadingTrivia
    from codecortex.parsing.csharp.open_type import OpenType
    from codecortex.parsing.csharp.skeleton import Body, Extent

_ACCESS = frozenset({"public", "protected", "internal", "private", "file"})
_NOT_MODIFIERS = frozenset({"event", "~", "operator", "checked", "implicit", "explicit"})
_ACCESSOR = compile_later(rb"((?:\w+\s+)*)\b(get|set|init|add|remove)\s*(;|\{|=>)")
_OPERATOR_NAME = compile_later(rb"operator\s*(checked\b\s*)?([^\s(]+)")
_CONVERSION = compile_later(rb"\b(implicit|explicit)\b(.*?)\boperator\s*(checked\b)?", re.DOTALL)
_NO_RESULT = frozenset({"void", "Task", "ValueTask", ""})
_DECLARED = frozenset({"field", "constant", "event"})
_LONGEST_VALUE = 1000
_STATEMENT, _RETURN = (b"", b";"), (b"return ", b";")
_THROW = compile_later(rb"\s*+throw")
_GETTERS = frozenset({"", "get"})
_MARK = {"block": b"", "expr": b"", "init": b"=", "args": b":"}


class Accessor(NamedTuple):
    """One accessor: accessibility, its word, its form (`;`, `{` or `=>`), other modifiers, where its word begins."""

    access: str
    word: str
    form: str
    modifiers: tuple[str, ...] = ()
    offset: int = 0


Accessors = tuple[Accessor, ...]


class Head(NamedTuple):
    """The part of a declaration before its type or name."""

    attributes: tuple[str, ...]
    access: str
    modifiers: tuple[str, ...]


class Details(NamedTuple):
    """What few members have; fields as in `MemberFacts`."""

    size: str = ""
    type_parameter_attributes: tuple[tuple[int, str], ...] = ()
    accessor_modifiers: tuple[tuple[str, str], ...] = ()
    accessor_attributes: tuple[tuple[str, str], ...] = ()


NO_DETAILS = Details()


class Header(NamedTuple):
    """The header of one member; fields as in `MemberFacts`, accessors with their form."""

    kind: MemberKind
    name: str
    type: str
    head: Head
    explicit: str = ""
    parameters: ParameterList = NO_PARAMETERS
    type_parameters: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()
    accessors: Accessors = ()
    value: str = ""
    details: Details = NO_DETAILS


_Extent = tuple[int, int, int]  # first line and column in the source, end in the text
_Tail = tuple[ParameterList, tuple[str, ...], tuple[str, ...], Accessors]  # the fields of a header from `parameters`
GETTER: Accessors = (Accessor("", "get", "=>"),)
_NO_TAIL: _Tail = (NO_PARAMETERS, (), (), ())
_GETTER_TAIL: _Tail = (NO_PARAMETERS, (), (), GETTER)


@lru_cache(maxsize=4096)
def read_head(text: bytes) -> Head:
    """Attributes, accessibility as written, and other modifiers at the beginning of a declaration."""
    attributes, rest = take_attributes(text) if b"[" in text else ((), text)
    access, modifiers = read_accessibility(read_words(rest))
    return Head(attributes, access, tuple(word for word in modifiers if word not in _NOT_MODIFIERS))


@lru_cache(maxsize=4096)
def read_accessibility(words: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """The accessibility in a run of modifiers, or empty, and the other modifiers."""
    stated = [word for word in words if word in _ACCESS]
    if not stated:
        return "", words
    others = tuple(word for word in words if word not in _ACCESS)
    if len(stated) > 1:
        return ("protected internal" if "internal" in stated else "private protected"), others
    return stated[0], others


@lru_cache(maxsize=4096)
def read_accessors(text: bytes) -> Accessors:
    """The accessors in a list of them, with its braces."""
    found = []
    for match in _ACCESSOR.finditer(text):
        access, modifiers = read_accessibility(read_words(match[1]))
        found.append(Accessor(access, match[2].decode(), match[3].decode(), modifiers, match.start(2)))
    return tuple(found)


def list_modifiers(accessors: Accessors) -> tuple[tuple[str, str], ...]:
    """Each modifier of an accessor with the accessor's word."""
    return tuple([(each.word, word) for each in accessors for word in each.modifiers]) if accessors else ()


def read_explicit(text: bytes) -> str:
    """The interface before a member's name, with the dot after it; empty if there is none."""
    return tidy(text.rstrip().removesuffix(b".")) if b"." in text else ""


class MemberReader:
    """Reads the members of one file."""

    def __init__(self, cursor: Cursor) -> None:
        self._cursor = cursor
        self._text = cursor.text

    def read(self, node: Node, kind: MemberKind, owner: OpenType) -> None:
        """Add the members of a declaration to its type: one member, or one per declarator."""
        if node.kind_id in g.FIELDS:
            self.add(node.start_byte, self._read_fields(node, kind), owner)
            return
        single = self._read_header(node, kind)
        if single is not None:
            if kind == "enumMember":
                single = single._replace(value=self._read_enum_value(node))
            if (details := self._read_details(node, single.accessors)) is not NO_DETAILS:
                single = single._replace(details=details)
        self.add(node.start_byte, () if single is None else ((single, node.end_byte),), owner)

    def add(self, start: int, headers: Iterable[tuple[Header, int]], owner: OpenType) -> None:
        """Add what is declared from a position of the text on: each header with its end."""
        cursor = self._cursor
        own = cursor.to_source(start)
        leading = cursor.take_leading(start, own)
        line, column = cursor.place_of(own)
        for header, end in headers:
            self._add(header, (line, column, end), owner, leading)

    # -- headers

    def _slice(self, node: Node) -> bytes:
        return self._text[node.start_byte : node.end_byte]

    def _read_fields(self, node: Node, kind: MemberKind) -> Iterator[tuple[Header, int]]:
        """Each declarator's header and its end in the text."""
        children = node.named_children
        declaration = next((c for c in reversed(children) if c.kind_id == g.VARIABLE_DECLARATION), None)
        type_node = declaration.child_by_field_id(g.TYPE_FIELD) if declaration is not None else None
        if declaration is None or type_node is None:
            return
        head = read_head(self._text[node.start_byte : declaration.start_byte])
        if "const" in head.modifiers:
            kind = "constant"
        type_text = tidy(self._slice(type_node))
        for declarator in declaration.named_children:
            name_node = declarator.child_by_field_id(g.NAME_FIELD)
            if (
                declarator.kind_id == g.VARIABLE_DECLARATOR
                and name_node is not None
                and (name := read_name(self._slice(name_node)))
            ):
                size = self._read_size(declarator) if "fixed" in head.modifiers else ""
                yield Header(kind, name, type_text, head, details=Details(size)), declarator.end_byte

    def _read_size(self, declarator: Node) -> str:
        brackets = next((each for each in declarator.named_children if each.kind_id == g.BRACKETED_ARGUMENTS), None)
        return shorten(self._slice(brackets)[1:-1]) if brackets is not None else ""

    def _read_details(self, node: Node, accessors: Accessors) -> Details:
        """The details of a member that is no field."""
        attributes: tuple[tuple[int, str], ...] = ()
        if self._text.find(b"<", node.start_byte, node.end_byte) >= 0:
            listed = node.child_by_field_id(g.TYPE_PARAMETERS_FIELD)
            attributes = attributes_of_type_parameters(self._slice(listed)) if listed is not None else ()
        listed = node.child_by_field_id(g.ACCESSORS_FIELD) if accessors else None
        extent = (listed.start_byte, listed.end_byte) if listed is not None else None
        return self.describe_accessors(accessors, extent, attributes)

    def describe_accessors(
        self, accessors: Accessors, extent: Extent | None, attributes: tuple[tuple[int, str], ...] = ()
    ) -> Details:
        """What modifiers and attributes accessors have; `extent` is that of their list in the text, if there is one."""
        modifiers = list_modifiers(accessors)
        marked: tuple[tuple[str, str], ...] = ()
        if extent is not None and self._cursor.skeleton.accessor_attributes:
            marked = self._mark_accessors(accessors, extent)
        return Details("", attributes, modifiers, marked) if attributes or modifiers or marked else NO_DETAILS

    def _mark_accessors(self, accessors: Accessors, extent: Extent) -> tuple[tuple[str, str], ...]:
        """Each attribute of an accessor with the accessor's word: that of the first one after it."""
        start, end = extent
        found = []
        for place, attribute in self._cursor.list_accessor_attributes(start, end):
            word = next((each.word for each in accessors if start + each.offset >= place), "")
            found.append((word, attribute))
        return tuple(found)

    def _read_header(self, node: Node, kind: MemberKind) -> Header | None:
        text, field = self._text, node.child_by_field_id
        type_node = field(g.RETURNS_FIELD if kind == "method" else g.TYPE_FIELD)
        name_node, parameters = field(g.NAME_FIELD), field(g.PARAMETERS_FIELD)
        first = type_node or name_node or parameters
        if first is None:
            return None
        head = text[node.start_byte : first.start_byte]
        result, after = "", first.start_byte
        if type_node is not None:
            after = type_node.end_byte
            result = tidy(text[type_node.start_byte : after])
        if name_node is not None:
            begin = name_node.start_byte
            name = read_name(text[begin : name_node.end_byte])
            explicit = read_explicit(text[after:begin]) if begin > after + 1 else ""
        else:
            named = name_by_words(kind, head, text[after : (parameters or node).start_byte])
            if named is None:
                return None
            name, explicit, head = named
        return Header(kind, name, result, read_head(head), explicit, *self._read_tail(node, kind, parameters))

    def _read_tail(self, node: Node, kind: MemberKind, parameters: Node | None) -> _Tail:
        text = self._text
        if parameters is None:
            accessors = node.child_by_field_id(g.ACCESSORS_FIELD)
            if accessors is not None:
                return NO_PARAMETERS, (), (), read_accessors(self._slice(accessors))
            return _GETTER_TAIL if kind == "property" else _NO_TAIL
        begin, end = parameters.start_byte + 1, parameters.end_byte - 1
        read = read_parameters(text[begin:end]) if begin < end else NO_PARAMETERS
        if kind == "method":
            type_parameters = node.child_by_field_id(g.TYPE_PARAMETERS_FIELD)
            if type_parameters is not None:
                body = node.child_by_field_id(g.BODY_FIELD)
                tail = text[end + 1 : body.start_byte if body is not None else node.end_byte]
                constraints = read_constraints(tail.rstrip().removesuffix(b";"))
                return read, read_type_parameters(self._slice(type_parameters)), constraints, ()
        elif kind == "indexer":
            accessors = node.child_by_field_id(g.ACCESSORS_FIELD)
            return read, (), (), read_accessors(self._slice(accessors)) if accessors is not None else GETTER
        return read, (), (), ()

    def _read_enum_value(self, node: Node) -> str:
        value = node.child_by_field_id(g.VALUE_FIELD)
        return shorten(self._slice(value)) if value is not None else ""

    # -- facts

    def _add(self, header: Header, extent: _Extent, owner: OpenType, leading: LeadingTrivia) -> None:
        cursor = self._cursor
        kind, name, result, head, explicit, parameters, type_parameters, constraints, accessors, value, details = header
        line, column, end = extent
        source_end = cursor.to_source(end - 1) + 1
        bodies = cursor.take_bodies(source_end)
        if bodies and bodies[-1].form == "init" and kind in _DECLARED:
            source_end = bodies[-1].end  # the text has a stand-in there
        parts, code = self._read_bodies(header, bodies, owner) if bodies else (_NOTHING, b"")
        if cursor.conditional:
            parts = [*parts, *cursor.take_inactive(leading.start, source_end)]
        if kind == "constant" and bodies:
            value = shorten(cursor.source[bodies[0].start : bodies[0].end])
        end_line, end_column = cursor.place_of(source_end)
        owner.add_member(
            _make_facts(
                (
                    kind,
                    name,
                    result,
                    len(type_parameters),
                    head.access or _default_access(header, owner),
                    head.modifiers,
                    type_parameters,
                    constraints,
                    parameters.items,
                    tuple([each[:2] for each in accessors]) if accessors else (),
                    explicit,
                    owner.receiver,
                    value,
                    head.attributes + leading.attributes,
                    False,
                    False,
                    short_digest(parts) if parts else "",
                    leading.doc,
                    leading.doc_hash,
                    line,
                    end_line,
                    column,
                    end_column,
                    *details,
                    owner.extension,
                )
            ),
            code,
            parameters,
        )

    def _read_bodies(self, header: Header, bodies: Sequence[Body], owner: OpenType) -> tuple[list[bytes], bytes]:
        """The tokens of each body, accessors ordered by name, and the code of all of them."""
        masked = self._cursor.skeleton.masked
        parts, codes = [], []
        for word, (start, end, form) in _assign_bodies(header, bodies):
            around = _as_statement(header, word, masked.source, start) if form == "expr" else NOTHING_AROUND
            tokens, code = scan_masked(masked, start, end, owner.comments, around)
            parts.append(b"%b %b\0%b" % (word.encode(), _MARK[form], tokens))
            codes.append(code)
        return parts, codes[0] if len(codes) == 1 else b"\n".join(codes)


_NOTHING: list[bytes] = []
_make_facts = partial(tuple.__new__, MemberFacts)  # at half of what the class costs, for every member


def _default_access(header: Header, owner: OpenType) -> str:
    hidden = header.explicit or (header.kind == "constructor" and "static" in header.head.modifiers)
    return "private" if hidden else owner.default_access


def shorten(value: bytes) -> str:
    """A constant's value on one line, cut where it is very long."""
    return b" ".join(value[:_LONGEST_VALUE].split()).decode("utf-8", "replace")


def name_by_words(kind: MemberKind, head: bytes, middle: bytes) -> tuple[str, str, bytes] | None:
    """Name, explicit interface and head of a conversion, operator or indexer, whose names are keywords."""
    if kind == "conversion":
        match = _CONVERSION.search(head)
        if match is None:
            return None
        name = ("checked " if match[3] else "") + match[1].decode()
        return name, read_explicit(match[2]), head[: match.start()]
    if kind == "operator":
        match = _OPERATOR_NAME.search(middle)
        if match is None:
            return None
        name = ("checked " if match[1] else "") + match[2].decode("utf-8", "replace")
        return name, read_explicit(middle[: match.start()]), head
    if kind == "indexer":
        return "this", read_explicit(middle[: middle.rfind(b"this")]), head
    return None


def _as_statement(header: Header, word: str, source: bytes, start: int) -> tuple[bytes, bytes]:
    """What stands around the `e` of a body `=> e;`, which starts somewhere, in the equivalent statement."""
    statement = word not in _GETTERS or (
        word == "" and header.type in _NO_RESULT and (header.type in ("void", "") or "async" in header.head.modifiers)
    )
    return _STATEMENT if statement or _THROW.match(source, start) else _RETURN


def _assign_bodies(header: Header, bodies: Sequence[Body]) -> list[tuple[str, Body]]:
    """The bodies with the accessor each belongs to, ordered by its name; an empty name for the member's own body."""
    if header.accessors:
        words = [each.word for each in header.accessors if each.form != ";"]
        if header.accessors is GETTER:
            words = ["get" for body in bodies if body.form == "expr"]
    else:
        return [("", body) for body in bodies]
    words += [""] * (len(bodies) - len(words))
    return sorted(zip(words, bodies, strict=False), key=itemgetter(0))
