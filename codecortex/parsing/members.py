"""A member's node in a skeleton's tree in, `MemberFacts` and the code of its bodies out."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from codecortex.model.facts import MemberFacts, MemberKind
from codecortex.parsing import grammar as g
from codecortex.parsing.cursor import short_digest
from codecortex.parsing.headers import (
    NO_PARAMETERS,
    read_constraints,
    read_parameters,
    read_type_parameters,
    read_words,
    take_attributes,
    tidy,
)
from codecortex.parsing.tokens import scan_tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tree_sitter import Node

    from codecortex.parsing.cursor import Cursor, Leading
    from codecortex.parsing.open_type import OpenType
    from codecortex.parsing.skeleton import Body

_ACCESS = frozenset({"public", "protected", "internal", "private", "file"})
_ACCESSOR = re.compile(rb"((?:\w+\s+)*)\b(get|set|init|add|remove)\s*(;|\{|=>)")
_OPERATOR_NAME = re.compile(rb"operator\s*(checked\b\s*)?([^\s(]+)")
_NO_RESULT = frozenset({"void", "Task", "ValueTask", ""})
_LONGEST_VALUE = 1000
_GETTERS = frozenset({"", "get"})


class Header:
    """What the header of one member says; fields as in `MemberFacts`, accessors with their form."""

    __slots__ = (
        "access", "accessors", "attributes", "constraints", "explicit", "kind", "modifiers", "name", "parameters",
        "type", "type_parameters",
    )  # fmt: skip

    def __init__(self, kind: MemberKind, head: bytes) -> None:
        attributes, words = split_head(head)
        self.kind = kind
        self.access, self.modifiers = read_accessibility(words)
        self.attributes = attributes
        self.name = ""
        self.type = ""
        self.explicit = ""
        self.type_parameters: tuple[str, ...] = ()
        self.constraints: tuple[str, ...] = ()
        self.parameters = NO_PARAMETERS
        self.accessors: list[tuple[str, str, str]] = []


@lru_cache(maxsize=4096)
def read_accessibility(words: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """The accessibility that a run of modifiers states, or empty, and the other modifiers."""
    stated = [word for word in words if word in _ACCESS]
    if not stated:
        return "", words
    others = tuple(word for word in words if word not in _ACCESS)
    if len(stated) > 1:
        return ("protected internal" if "internal" in stated else "private protected"), others
    return stated[0], others


def split_head(text: bytes) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Attributes and modifiers at the head of a declaration."""
    if b"[" in text:
        attributes, rest = take_attributes(text)
        return attributes, read_words(rest)
    return (), read_words(text)


def _read_accessors(text: bytes) -> list[tuple[str, str, str]]:
    return [
        (read_accessibility(read_words(match[1]))[0], match[2].decode(), match[3].decode())
        for match in _ACCESSOR.finditer(text)
    ]


def _read_explicit(text: bytes) -> str:
    return tidy(text.rstrip().removesuffix(b".")) if b"." in text else ""


class MemberReader:
    """Reads the members of one file."""

    def __init__(self, cursor: Cursor) -> None:
        self._cursor = cursor
        self._text = cursor.text

    def read(self, node: Node, kind: str, owner: OpenType, receiver: str) -> None:
        """Add what a declaration declares to its type: one member, or one per declarator."""
        leading = self._cursor.take_leading(node.start_byte)
        if kind in ("field", "event field"):
            for header, end in self._read_fields(node, kind):
                self._add(header, node, end, owner, leading, receiver)
            return
        header = self._read_header(node, kind)
        if header is not None:
            self._add(header, node, node.end_byte, owner, leading, receiver)

    # -- headers

    def _slice(self, node: Node) -> bytes:
        return self._text[node.start_byte : node.end_byte]

    def _read_fields(self, node: Node, kind: str) -> Iterator[tuple[Header, int]]:
        """Each declarator's header and its end in the text."""
        children = node.named_children
        declaration = next((c for c in reversed(children) if c.type == "variable_declaration"), None)
        type_node = declaration.child_by_field_id(g.TYPE_FIELD) if declaration is not None else None
        if declaration is None or type_node is None:
            return
        head = self._text[node.start_byte : declaration.start_byte]
        if kind == "event field":
            head = re.sub(rb"\bevent\b", b" ", head)
        for declarator in declaration.named_children:
            if declarator.kind_id != g.VARIABLE_DECLARATOR:
                continue
            header = Header("event" if kind == "event field" else "field", head)
            if "const" in header.modifiers:
                header.kind = "constant"
            header.type = tidy(self._slice(type_node))
            name_node = declarator.child_by_field_id(g.NAME_FIELD)
            header.name = self._name(name_node) if name_node is not None else ""
            if header.name:
                yield header, declarator.end_byte

    def _name(self, node: Node) -> str:
        return self._slice(node).decode("utf-8", "replace").lstrip("@")

    def _read_header(self, node: Node, kind: str) -> Header | None:
        type_node = node.child_by_field_id(g.RETURNS_FIELD) or node.child_by_field_id(g.TYPE_FIELD)
        name_node = node.child_by_field_id(g.NAME_FIELD)
        parameters = node.child_by_field_id(g.PARAMETERS_FIELD)
        first = type_node or name_node or parameters
        if first is None:
            return None
        head = self._text[node.start_byte : first.start_byte]
        middle = self._text[
            (type_node or first).end_byte if type_node else first.start_byte : (
                parameters or name_node or node
            ).start_byte
        ]
        header = self._start_header(kind, head, middle)
        if header is None:
            return None
        if type_node is not None:
            header.type = tidy(self._slice(type_node))
        if not header.name:
            if name_node is None:
                return None
            header.name = self._name(name_node)
            if type_node is not None:
                header.explicit = _read_explicit(self._text[type_node.end_byte : name_node.start_byte])
        self._read_tail(header, node, parameters)
        return header

    def _start_header(self, kind: str, head: bytes, middle: bytes) -> Header | None:
        """A header with its modifiers and, for members named by words of the language, its name."""
        if kind == "conversion":
            return _start_conversion(head)
        if kind == "operator":
            match = _OPERATOR_NAME.search(middle)
            if match is None:
                return None
            header = Header("operator", head)
            header.name = ("checked " if match[1] else "") + match[2].decode("utf-8", "replace")
            header.explicit = _read_explicit(middle[: match.start()])
            return header
        if kind == "event":
            return Header("event", re.sub(rb"\bevent\b", b" ", head))
        if kind == "indexer":
            header = Header("indexer", head)
            header.name = "this"
            header.explicit = _read_explicit(middle[: middle.rfind(b"this")])
            return header
        if kind == "destructor":
            return Header("destructor", head.replace(b"~", b" "))
        return Header(_as_kind(kind), head)

    def _read_tail(self, header: Header, node: Node, parameters: Node | None) -> None:
        """Type parameters, parameters, constraints and accessors."""
        text = self._text
        type_parameters = node.child_by_field_id(g.TYPE_PARAMETERS_FIELD)
        if type_parameters is not None:
            header.type_parameters = read_type_parameters(self._slice(type_parameters))
        if parameters is not None:
            header.parameters = read_parameters(text[parameters.start_byte + 1 : parameters.end_byte - 1])
            if type_parameters is not None:
                body = node.child_by_field_id(g.BODY_FIELD)
                tail = text[parameters.end_byte : body.start_byte if body is not None else node.end_byte]
                header.constraints = read_constraints(tail.rstrip().removesuffix(b";"))
        accessors = node.child_by_field_id(g.ACCESSORS_FIELD)
        if accessors is not None:
            header.accessors = _read_accessors(self._slice(accessors))

    # -- facts

    def _add(  # noqa: PLR0913 - one declaration, its extent and its surroundings
        self, header: Header, node: Node, end: int, owner: OpenType, leading: Leading, receiver: str
    ) -> None:
        cursor = self._cursor
        source_start, source_end = cursor.skeleton.to_source(node.start_byte), cursor.skeleton.to_source(end - 1) + 1
        bodies = cursor.take_bodies(source_end)
        parts, code = self._read_bodies(header, bodies, owner)
        parts += cursor.take_inactive(leading.start, source_end)
        value = self._read_value(header, node, bodies)
        if header.kind == "property" and not header.accessors:
            header.accessors = [("", "get", "=>")]
        member = MemberFacts(
            kind=header.kind,
            name=header.name,
            type=header.type,
            arity=len(header.type_parameters),
            accessibility=header.access or default_accessibility(owner.kind, header.explicit),
            modifiers=header.modifiers,
            type_parameters=header.type_parameters,
            constraints=header.constraints,
            parameters=header.parameters.items,
            accessors=tuple((access, word) for access, word, _ in header.accessors),
            explicit_interface=header.explicit,
            receiver=receiver,
            value=value,
            attributes=header.attributes + leading.attributes,
            implicit=False,
            primary=False,
            body=short_digest(parts) if parts else "",
            doc=leading.doc,
            doc_hash=leading.doc_hash,
            line=cursor.line_of(source_start),
            end_line=cursor.line_of(source_end),
        )
        owner.add_member(member, code, header.parameters)

    def _read_value(self, header: Header, node: Node, bodies: Sequence[Body]) -> str:
        """A constant's or enum value's text."""
        if header.kind == "constant" and bodies:
            value = self._cursor.source[bodies[0].start : bodies[0].end]
        elif header.kind == "enumMember":
            value_node = node.child_by_field_id(g.VALUE_FIELD)
            value = self._slice(value_node) if value_node is not None else b""
        else:
            return ""
        return " ".join(value[:_LONGEST_VALUE].decode("utf-8", "replace").split())

    def _read_bodies(self, header: Header, bodies: Sequence[Body], owner: OpenType) -> tuple[list[bytes], bytes]:
        """Tokens of each body, accessors in order of name, and the code of all of them."""
        if not bodies:
            return [], b""
        words = _body_words(header, bodies)
        parts, codes = [], []
        for word, body in sorted(zip(words, bodies, strict=False), key=lambda pair: pair[0]):
            text = self._cursor.source[body.start : body.end]
            if body.form == "expr":
                tokens, code = self._scan_expression(header, word, text, owner)
            else:
                tokens, code = scan_tokens(text, owner.comments)
            parts.append(b"%s %s\0%s" % (word.encode(), b"" if body.form == "expr" else _MARK[body.form], tokens))
            codes.append(code)
        return parts, codes[0] if len(codes) == 1 else b"\n".join(codes)

    def _scan_expression(self, header: Header, word: str, text: bytes, owner: OpenType) -> tuple[bytes, bytes]:
        """`=> e;` as the statement it stands for."""
        statement = word not in _GETTERS or (word == "" and header.type in _NO_RESULT and _is_statement_like(header))
        if statement or text.lstrip().startswith(b"throw"):
            return scan_tokens(text + b";", owner.comments)
        return scan_tokens(b"return " + text + b";", owner.comments)


_MARK = {"block": b"", "init": b"=", "args": b":"}


def _is_statement_like(header: Header) -> bool:
    return header.type in ("void", "") or "async" in header.modifiers


def _as_kind(kind: str) -> MemberKind:
    return kind  # type: ignore[return-value] - the grammar table's kinds that reach here are member kinds


def _start_conversion(head: bytes) -> Header:
    words = head.replace(b"operator", b" ").split()
    header = Header("conversion", b" ".join(w for w in words if w not in (b"implicit", b"explicit", b"checked")))
    header.name = "implicit" if b"implicit" in words else "explicit"
    if b"checked" in words:
        header.name = "checked " + header.name
    return header


def _body_words(header: Header, bodies: Sequence[Body]) -> list[str]:
    """Which accessor each body belongs to; empty for the member's own."""
    words = [word for _, word, form in header.accessors if form != ";"]
    if not header.accessors and header.kind in ("property", "indexer"):
        words = ["get" for body in bodies if body.form == "expr"]
    return words + [""] * (len(bodies) - len(words))


def default_accessibility(owner_kind: str, explicit_interface: str) -> str:
    """The accessibility of a member that states none."""
    return "public" if owner_kind in ("interface", "enum") and not explicit_interface else "private"
