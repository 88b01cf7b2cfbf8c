"""Reads scopes and types from a skeleton and its syntax tree, in one walk in source order."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from codecortex.model.code.facts import Extension, FileFacts, MemberFacts, Scope, TypeFacts, Using
from codecortex.model.startup.patterns import compile_later
from codecortex.parsing.csharp import grammar as g
from codecortex.parsing.csharp.cursor import Cursor, short_digest
from codecortex.parsing.csharp.headers import (
    NO_PARAMETERS,
    attributes_of_type_parameters,
    name_of_type_parameter,
    read_constraints,
    read_name,
    read_parameters,
    read_type_parameters,
    split_base,
    split_commas,
    tidy,
)
from codecortex.parsing.csharp.lexer import mask_opaque
from codecortex.parsing.csharp.members import MemberReader, read_head
from codecortex.parsing.csharp.open_type import OpenType
from codecortex.parsing.csharp.tokens import scan_masked, scan_tokens

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from codecortex.model.code.facts import MemberKind, Position, TypeKind
    from codecortex.parsing.csharp.headers import ParameterList
    from codecortex.parsing.csharp.skeleton import Body, Extent, Skeleton

_NO_SLOT = -1
_TYPE_WORD = compile_later(rb"\b(?:(?:ref\s+)?struct|class|interface|enum|record|delegate|union)\b")
_CASES = compile_later(rb"[^(:{;]*+\(([^()]*+(?>(?:\([^()]*\)[^()]*+)*))\)")
_USING = compile_later(
    rb"\A(global\s+)?using\b\s*(?:(static)\s+(?:unsafe\s+)?|unsafe\s+(?:(static)\s+)?)?(?:(@?\w+)\s*=)?"
)


class _Frame:
    """A declaration list being walked; `slot` is the index of the type to finish after it, or `_NO_SLOT`."""

    __slots__ = ("extension", "nodes", "owner", "scope", "slot")

    def __init__(self, nodes: list[Node], scope: int, owner: OpenType | None, slot: int = _NO_SLOT) -> None:
        self.nodes: Iterator[Node] = iter(nodes)
        self.scope = scope
        self.owner = owner
        self.slot = slot
        self.extension = False


class DeclarationReader:
    """Reads the declarations of one file."""

    def __init__(self, skeleton: Skeleton, original: bytes, inactive: tuple[Extent, ...]) -> None:
        self._cursor = Cursor(skeleton, original, inactive)
        self._members = MemberReader(self._cursor)
        self._text = skeleton.text
        self._scopes: list[tuple[str, int, list[Using]]] = [("", -1, [])]
        self._types: list[TypeFacts | None] = []
        self._statements: list[Node] = []
        self._arguments: Body | None = None  # of the last base type that had some

    def read(self, root: Node) -> FileFacts:
        """Walk the tree; outer types come before inner ones."""
        frames = [_Frame(root.named_children, 0, None)]
        while frames:
            frame = frames[-1]
            opened = self._read_until_opening(frame)
            if opened is not None:
                frames.append(opened)
                continue
            frames.pop()
            if frame.owner is not None:
                if frame.slot != _NO_SLOT:
                    self._close_type(frame.owner, frame.slot)
                elif frame.extension:
                    frame.owner.receiver, frame.owner.extension = "", None
        if self._statements:
            self._types.append(self._read_program())
        return self._list_facts()

    def _list_facts(self) -> FileFacts:
        scopes = tuple(Scope(name, parent, tuple(usings)) for name, parent, usings in self._scopes)
        return FileFacts(scopes, tuple(read for read in self._types if read is not None))

    def _read_until_opening(self, frame: _Frame) -> _Frame | None:
        """Read declarations up to one that has a declaration list of its own."""
        owner, members, read_member = frame.owner, g.MEMBERS, self._members.read
        for node in frame.nodes:
            kind = node.kind_id
            member = members.get(kind)
            if member is None:
                opened = self._read_node(node, kind, frame)
                if opened is not None:
                    return opened
            elif owner is not None:
                read_member(node, member, owner)
        return None

    def _read_node(self, node: Node, kind: int, frame: _Frame) -> _Frame | None:
        if kind in g.TYPES:
            return self._open_type(node, g.TYPES[kind], frame)
        if kind in (g.NAMESPACE, g.FILE_NAMESPACE):
            return self._open_namespace(node, frame)
        if kind == g.DELEGATE:
            self._read_delegate(node, frame)
        elif kind == g.USING:
            self._read_using(self._slice(node), frame.scope)
        elif kind == g.GLOBAL_STATEMENT:
            if frame.owner is None:
                self._statements.append(node)
        elif kind in (g.ERROR, g.DECLARATION_LIST):
            return _Frame(node.named_children, frame.scope, frame.owner)
        return None

    def _slice(self, node: Node) -> bytes:
        return self._text[node.start_byte : node.end_byte]

    # -- namespaces and usings

    def _open_namespace(self, node: Node, frame: _Frame) -> _Frame | None:
        name_node = node.child_by_field_id(g.NAME_FIELD)
        if name_node is None:
            return None
        scope = self._add_namespace(self._slice(name_node), frame.scope)
        body = node.child_by_field_id(g.BODY_FIELD)
        if body is not None:
            return _Frame(body.named_children, scope, None)
        frame.scope = scope  # a file-scoped namespace: the rest of the file is in it
        return _Frame([child for child in node.named_children if child.start_byte > name_node.start_byte], scope, None)

    def _add_namespace(self, text: bytes, scope: int) -> int:
        """The number of the scope of a namespace with this name."""
        name = tidy(text).replace("@", "")
        outer = self._scopes[scope][0]
        self._scopes.append((f"{outer}.{name}" if outer else name, scope, []))
        return len(self._scopes) - 1

    def _read_using(self, text: bytes, scope: int) -> None:
        text = text.rstrip(b"; \n\t")
        match = _USING.match(text)
        if match is None:
            return
        alias = match[4].decode("utf-8", "replace").lstrip("@") if match[4] else ""
        target = tidy(text[match.end() :]).replace("@", "")
        static = match[2] is not None or match[3] is not None
        self._scopes[scope][2].append(Using(target, alias, static, match[1] is not None))

    # -- types

    def _open_type(self, node: Node, kind: str, frame: _Frame) -> _Frame | None:
        name_node = node.child_by_field_id(g.NAME_FIELD)
        if name_node is None:
            return None
        body = node.child_by_field_id(g.BODY_FIELD)
        children = body.named_children if body is not None else []
        head = self._text[node.start_byte : name_node.start_byte]
        receiver = self._cursor.skeleton.extensions.get(node.start_byte + head.rfind(b"class"))
        if receiver is not None and frame.owner is not None:
            return self._open_extension(node, body, receiver, frame)
        opened = self._start_type(_extent(node), _extent(name_node), kind, frame.scope)
        parameters, end = self._read_type_header(opened, node, body)
        self._enclose(opened, frame.owner)
        self._add_header_bodies(opened, body.start_byte if body is not None else node.end_byte)
        if parameters is not None:
            self._add_primary(opened, parameters, end)
        if "union" in opened.modifiers:
            self._add_cases(opened, self._text[name_node.end_byte : node.end_byte], name_node.end_byte)
        self._types.append(None)
        return _Frame(children, frame.scope, opened, len(self._types) - 1)

    def _open_extension(self, node: Node, body: Node | None, receiver: Extent, frame: _Frame) -> _Frame:
        owner = cast("OpenType", frame.owner)
        inner = _Frame(body.named_children if body is not None else [], frame.scope, owner)
        inner.extension = True
        owner.receiver = tidy(self._cursor.source[slice(*receiver)])
        owner.extension = self._read_extension(node, body)
        owner.shadowed = owner.shadowed.union(map(name_of_type_parameter, owner.extension.type_parameters))
        return inner

    def _read_extension(self, node: Node, body: Node | None) -> Extension:
        listed = next((child for child in node.named_children if child.kind_id == g.TYPE_PARAMETER_LIST), None)
        if listed is None:
            return Extension()
        text = self._slice(listed)
        tail = self._text[listed.end_byte : body.start_byte if body is not None else node.end_byte]
        return Extension(read_type_parameters(text), read_constraints(tail), attributes_of_type_parameters(text))

    def _start_type(self, extent: Extent, name: Extent, kind: str, scope: int) -> OpenType:
        """An open type with name, kind, modifiers, documentation and extent."""
        start, end = extent
        head = self._text[start : name[0]]
        word = _TYPE_WORD.search(head)
        attributes, access, modifiers = read_head(head[: word.start()] if word else head)
        if word is not None and word[0].startswith(b"ref"):
            modifiers = (*modifiers, "ref")
        if word is not None and word[0] == b"union":
            modifiers, kind = (*modifiers, "union"), "struct"
        if kind == "record" and re.search(rb"\bstruct\b", head):
            kind = "record struct"
        opened = OpenType(read_name(self._text[slice(*name)]), scope, cast("TypeKind", kind))
        opened.accessibility, opened.modifiers = access, modifiers
        own = self._cursor.to_source(start)
        leading = self._cursor.take_leading(start, own)
        opened.attributes = attributes + leading.attributes
        opened.doc, opened.doc_hash = leading.doc, leading.doc_hash
        opened.start = leading.start
        opened.nullable = self._cursor.nullable_at(own)
        opened.end = self._cursor.to_source(end - 1) + 1
        opened.line, opened.column = self._cursor.place_of(own)
        return opened

    def _read_type_header(self, opened: OpenType, node: Node, body: Node | None) -> tuple[ParameterList | None, int]:
        """Read type parameters, bases and constraints; return the primary constructor's parameters and their end."""
        parameters = None
        last = end = node.start_byte
        for child in node.named_children:
            kind = child.kind_id
            if kind == g.TYPE_PARAMETER_LIST:
                self._read_type_parameters(opened, self._slice(child))
            elif kind == g.PARAMETER_LIST:
                parameters, end = read_parameters(self._text[child.start_byte + 1 : child.end_byte - 1]), child.end_byte
            elif kind == g.BASE_LIST:
                self._read_bases(opened, self._text[child.start_byte + 1 : child.end_byte], _extent(child))
            else:
                continue
            last = child.end_byte
        tail = self._text[last : body.start_byte if body is not None else node.end_byte]
        opened.constraints = read_constraints(tail.rstrip().removesuffix(b";"))
        return parameters, end

    def _read_type_parameters(self, opened: OpenType, text: bytes) -> None:
        opened.type_parameters = read_type_parameters(text)
        opened.type_parameter_attributes = attributes_of_type_parameters(text)

    def _read_bases(self, opened: OpenType, text: bytes, extent: Extent) -> None:
        """Read a list of base types, given its extent in the text."""
        start, end = map(self._cursor.to_source, extent)
        bases = []
        for piece in split_commas(text):
            base, arguments = split_base(piece)
            bases.append(base)
            if arguments:
                cut = self._cursor.find_arguments(start, end) if arguments.strip() == b"()" else None
                self._arguments = cut or self._arguments
                if cut is None:
                    tokens, code = scan_tokens(arguments)
                else:
                    tokens, code = scan_masked(self._cursor.skeleton.masked, cut.start - 1, cut.end + 1, [])
                opened.body_parts.append(b":" + tokens)
                opened.add_code(code)
        opened.bases = tuple(bases)

    def _enclose(self, opened: OpenType, owner: OpenType | None) -> None:
        if owner is not None:
            opened.name_within(owner.fqn + "+", owner.shadowed)
            owner.nested.append((opened.start, opened.end))
        else:
            namespace = self._scopes[opened.scope][0]
            opened.name_within(namespace + "." if namespace else "", frozenset())

    def _add_header_bodies(self, opened: OpenType, stop: int) -> None:
        """Add base constructor arguments and other bodies cut out of a type's header."""
        for body in self._cursor.take_bodies(self._cursor.to_source(stop)):
            if body is self._arguments:
                continue
            tokens, code = scan_tokens(self._cursor.source[body.start : body.end])
            opened.body_parts.append(tokens)
            opened.add_code(code)

    def _add_primary(self, opened: OpenType, parameters: ParameterList, end: int) -> None:
        extent = (opened.line, opened.column), self._place(end)
        opened.add_member(make_member("constructor", opened.name, parameters, extent, primary=True), b"", parameters)

    def _place(self, end: int) -> Position:
        """The line and column after the character before a position of the text."""
        return self._cursor.place_of(self._cursor.to_source(end - 1) + 1)

    def _add_cases(self, opened: OpenType, text: bytes, end: int) -> None:
        """Add the constructors of a union: one for each case type."""
        match = _CASES.match(text)
        for case in split_commas(match[1]) if match is not None else ():
            self._add_primary(opened, read_parameters(case + b" value"), end)

    def _close_type(self, opened: OpenType, slot: int) -> None:
        cursor = self._cursor
        opened.body_parts += cursor.take_inactive(opened.start, opened.end)
        opened.end_line, opened.end_column = cursor.place_of(opened.end)
        self._types[slot] = opened.finish(cursor.layout(opened.start, opened.end, opened.nested))

    def _read_delegate(self, node: Node, frame: _Frame) -> None:
        name_node, type_node = node.child_by_field_id(g.NAME_FIELD), node.child_by_field_id(g.TYPE_FIELD)
        list_node = node.child_by_field_id(g.PARAMETERS_FIELD)
        if name_node is None or type_node is None or list_node is None:
            return
        opened = self._start_type(_extent(node), _extent(name_node), "delegate", frame.scope)
        type_parameters = node.child_by_field_id(g.TYPE_PARAMETERS_FIELD)
        if type_parameters is not None:
            self._read_type_parameters(opened, self._slice(type_parameters))
        tail = self._text[list_node.end_byte : node.end_byte]
        opened.constraints = read_constraints(tail.rstrip().removesuffix(b";"))
        self._enclose(opened, frame.owner)
        parameters = self._text[list_node.start_byte + 1 : list_node.end_byte - 1]
        self._add_delegate(opened, parameters, self._slice(type_node), node.end_byte)

    def _add_delegate(self, opened: OpenType, listed: bytes, returned: bytes, end: int) -> None:
        """Give a delegate its `Invoke`, and finish it."""
        parameters, result = read_parameters(listed), tidy(returned)
        extent = (opened.line, opened.column), self._place(end)
        opened.add_member(make_member("invoke", "Invoke", parameters, extent, result=result), b"", parameters)
        self._types.append(None)
        self._close_type(opened, len(self._types) - 1)

    def _read_program(self) -> TypeFacts:
        """The class that the compiler creates around top-level statements."""
        cursor = self._cursor
        start = cursor.to_source(self._statements[0].start_byte)
        end = cursor.to_source(self._statements[-1].end_byte - 1) + 1
        program = OpenType("Program", 0, "class")
        program.name_within("", frozenset())
        program.modifiers, program.implicit = ("partial",), True
        program.start, program.end = start, end
        program.line, program.column = cursor.place_of(start)
        program.end_line, program.end_column = cursor.place_of(end)
        text = cursor.source[start:end]  # damaged code may begin within a literal
        tokens, code = scan_masked(mask_opaque(text), 0, len(text), program.comments)
        body = short_digest([tokens])
        extent = (program.line, program.column), (program.end_line, program.end_column)
        main = make_member("method", "<Main>$", NO_PARAMETERS, extent, result="void", body=body)
        program.add_member(main, code, NO_PARAMETERS)
        return program.finish(cursor.layout(start, end, []))


def _extent(node: Node) -> Extent:
    return node.start_byte, node.end_byte


def make_member(  # noqa: PLR0913 - what differs between the members that have no declaration of their own
    kind: MemberKind, name: str, parameters: ParameterList, extent: tuple[Position, Position], *, primary: bool = False,
    result: str = "", body: str = "",
) -> MemberFacts:  # fmt: skip
    """A member without a declaration of its own; implicit unless it is a constructor or a delegate's `Invoke`.

    `extent` is where it begins and where it ends.
    """
    (line, column), (end_line, end_column) = extent
    implicit = kind == "method"
    return MemberFacts(
        kind=kind,
        name=name,
        type=result,
        arity=0,
        accessibility="private" if implicit else "public",
        modifiers=("static",) if implicit else (),
        type_parameters=(),
        constraints=(),
        parameters=parameters.items,
        accessors=(),
        explicit_interface="",
        receiver="",
        value="",
        attributes=(),
        implicit=implicit,
        primary=primary,
        body=body,
        doc="",
        doc_hash="",
        line=line,
        end_line=end_line,
        column=column,
        end_column=end_column,
    )
