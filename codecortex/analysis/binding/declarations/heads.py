"""What a file declares, as far as other files have to know before its syntax is read: heads of types, directives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.types.symbols import TypeKind
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from codecortex.model.code.facts import FileFacts, MemberFacts, TypeFacts
    from codecortex.model.code.syntax import Node

TYPES = {
    "class_declaration": TypeKind.CLASS,
    "record_declaration": TypeKind.CLASS,
    "struct_declaration": TypeKind.STRUCT,
    "interface_declaration": TypeKind.INTERFACE,
    "enum_declaration": TypeKind.ENUM,
    "delegate_declaration": TypeKind.DELEGATE,
    "extension_declaration": TypeKind.EXTENSION,
}
NAMESPACES = frozenset(("namespace_declaration", "file_scoped_namespace_declaration"))
OPERATORS = "op_"
"""Among the names of members: that there are operators or conversions."""
_KINDS = {
    **{kind: TypeKind(kind) for kind in ("class", "struct", "interface", "enum", "delegate")},
    "record": TypeKind.CLASS,
    "record struct": TypeKind.STRUCT,
}
_HANDLER, _BUILDER = "InterpolatedStringHandler", "CollectionBuilder"
INLINE = "InlineArray"
"""Among the attributes of a type: that it is an inline array."""
_ACCESSES = ("public", "protected", "internal", "private")
_NAMES = {"destructor": "~", "indexer": "this[]", "operator": OPERATORS, "conversion": OPERATORS}
_UNION = "union"
_PROMISE = frozenset(("static", "abstract"))
BY_REFERENCE = compile_later(rb"\bref\s+(?:partial\s+)?struct\s+\Z")
"""What stands before the name of a struct that may only live on the stack."""
INTERFACE_NAME = compile_later(r"(?:.*\.)?I[A-Z]")
"""What a type is called that is an interface, as far as its name tells."""


class UsingHead(NamedTuple):
    """A using directive.

    Attributes:
        text: What it names, as written but for white space and `@`.
        alias: The alias that it gives, or empty.
        static: Whether it imports static members.
        everywhere: Whether it holds in the whole project.
    """

    text: str
    alias: str
    static: bool
    everywhere: bool


class ScopeHead(NamedTuple):
    """The compilation unit, or a part of a namespace.

    Attributes:
        namespace: What the declaration names; of the compilation unit nothing.
        parent: The number of the scope around it; -1 of the compilation unit.
        usings: Its directives.
    """

    namespace: str
    parent: int
    usings: Sequence[UsingHead]


class TypeHead(NamedTuple):
    """One declaration of a type.

    Attributes:
        name: Its simple name; empty of a block of extension members.
        arity: The number of its own type parameters.
        kind: Its kind.
        is_record: Whether it is a record.
        scope: The number of the scope around it.
        outer: The number of the declaration around it; -1 of one that lies in none.
        access: As written; empty where nothing is.
        modifiers: Those of `static`, `abstract`, `sealed`, `ref` and `file` that it has.
        is_handler: Whether an attribute makes it a handler of interpolated strings.
        is_builder: Whether an attribute names what builds it from a collection expression.
        is_inline: Whether an attribute makes it an inline array.
        has_promises: Whether it is an interface with static members that its types have to implement.
        written: Its type parameters, base list and constraints in a declaration that stands for it; None where only
            its syntax tells.
        members: The names of its members, those that implement explicitly by their simple names; None where only its
            syntax tells.
        extensions: The names of its extension methods; None where only its syntax tells.
        bases: Its base list as written, perhaps with arguments.
    """

    name: str
    arity: int
    kind: TypeKind
    is_record: bool
    scope: int
    outer: int
    access: str
    modifiers: frozenset[str]
    is_handler: bool
    is_builder: bool
    is_inline: bool
    has_promises: bool
    written: str | None = None
    members: frozenset[str] | None = None
    extensions: frozenset[str] | None = None
    bases: str = ""


class FileHead(NamedTuple):
    """What a file declares.

    Attributes:
        scopes: The compilation unit and its namespaces, the outer ones first, in order.
        types: The declarations of its types, the outer ones first, in order.
        is_program: Whether statements stand outside of types.
    """

    scopes: Sequence[ScopeHead]
    types: Sequence[TypeHead]
    is_program: bool = False


# -- from facts


def read_facts(facts: FileFacts) -> FileHead | None:
    """The head of a file by its facts; None where they do not tell all of it."""
    if facts.degraded or facts.left_out or any(map(_is_odd, facts.types)):
        return None
    spaces = [each.namespace for each in facts.scopes]
    scopes = tuple(
        ScopeHead(
            each.namespace.removeprefix(f"{spaces[each.parent]}.") if each.parent > 0 else each.namespace,
            each.parent,
            tuple(UsingHead(_tidy(one.target), one.alias, one.static, one.everywhere) for one in each.usings),
        )
        for each in facts.scopes
    )
    types: list[TypeHead] = []
    places: dict[str, int] = {}
    for each in facts.types:
        if not each.implicit:
            around, _, _ = each.fqn.rpartition("+")
            types.append(_read_type(each, places.get(around, -1) if around else -1))
            places[each.fqn] = len(types) - 1
    return FileHead(scopes, tuple(types), any(each.implicit for each in facts.types))


def _is_odd(facts: TypeFacts) -> bool:
    """Whether a type has what its facts do not tell: blocks of extension members, cases of a union, escaped names."""
    if _UNION in facts.modifiers or "\\" in facts.fqn:
        return True
    return any(each.extension is not None or each.receiver or "\\" in each.name for each in facts.members)


def _read_type(facts: TypeFacts, outer: int) -> TypeHead:
    attributes = " ".join(facts.attributes)
    is_record = facts.kind in ("record", "record struct")
    extensions = (each.name for each in facts.members if each.parameters and "this" in each.parameters[0].modifier)
    name = facts.fqn.rpartition("+")[2] if outer >= 0 else facts.fqn.rpartition(".")[2]
    return TypeHead(
        *(name.partition("`")[0], len(facts.type_parameters), _KINDS[facts.kind], is_record, facts.scope, outer),
        "" if facts.accessibility == "file" else facts.accessibility,
        frozenset(_keep_modifiers((*facts.modifiers, facts.accessibility))),
        _HANDLER in attributes,
        _BUILDER in attributes,
        INLINE in attributes,
        facts.kind == "interface" and any(_PROMISE.issubset(each.modifiers) for each in facts.members),
        None if _may_call_base(facts) else _write_head(facts),
        frozenset(map(name_member, facts.members)),
        frozenset(extensions),
        ", ".join(facts.bases),
    )


def _may_call_base(facts: TypeFacts) -> bool:
    """Whether it counts if the first base takes arguments: only a class does, and its name says interface."""
    primary = any(each.primary for each in facts.members)
    return primary and any(INTERFACE_NAME.match(each) for each in facts.bases[:1])


def _write_head(facts: TypeFacts) -> str:
    """A declaration with the same type parameters, bases and constraints; empty where there are none."""
    if not (facts.type_parameters or facts.bases):
        return ""
    parameters = f"<{', '.join(facts.type_parameters)}>" if facts.type_parameters else ""
    bases = f" : {', '.join(facts.bases)}" if facts.bases else ""
    constraints = "".join(f" where {each}" for each in facts.constraints)
    return f"interface I{parameters}{bases}{constraints} {{ }}"


def name_member(facts: MemberFacts) -> str:
    """What the binder calls a member."""
    if facts.kind == "constructor":
        return ".cctor" if "static" in facts.modifiers else ".ctor"
    return _NAMES.get(facts.kind, facts.name)


# -- from syntax


class Declared(NamedTuple):
    """What a file declares, and where.

    Attributes:
        head: Its head.
        types: The declarations of its types.
        namespaces: Those of its namespaces.
        usings: What the directives of each scope name.
    """

    head: FileHead
    types: Sequence[Node]
    namespaces: Sequence[Node]
    usings: Sequence[Sequence[Node]]


def read_declared(root: Node) -> Declared:
    """What the syntax of a file declares."""
    reader = _Reader()
    reader.read(root)
    return reader.finish(any(node.kind == "global_statement" for node in root.nodes))


class _Reader:
    """Walks over declarations in order."""

    def __init__(self) -> None:
        self._scopes: list[tuple[str, int]] = []
        self._usings: list[list[tuple[UsingHead, Node]]] = []
        self._heads: list[TypeHead] = []
        self._types: list[Node] = []
        self._namespaces: list[Node] = []

    def read(self, root: Node) -> None:
        """Read a compilation unit."""
        inner = unit = self._open("", -1)
        self._read_usings(root.nodes, unit)
        for node in root.nodes:
            if node.kind == "file_scoped_namespace_declaration":
                inner = self._open_namespace(node, unit)
                self._read_usings(node.nodes, inner)
                self._read_all(node.nodes, inner, -1)
            elif node.kind == "using_directive" and inner != unit:
                self._add_using(node, inner)
        self._read_all(root.nodes, inner, -1)

    def finish(self, is_program: bool) -> Declared:  # noqa: FBT001 - what is left to tell
        """All that was read."""
        scopes = [ScopeHead(name, parent, tuple(using for using, _ in self._usings[at]))
                  for at, (name, parent) in enumerate(self._scopes)]  # fmt: skip
        head = FileHead(tuple(scopes), tuple(self._heads), is_program)
        return Declared(head, self._types, self._namespaces, [[node for _, node in each] for each in self._usings])

    def _open(self, name: str, parent: int) -> int:
        self._scopes.append((name, parent))
        self._usings.append([])
        return len(self._scopes) - 1

    def _open_namespace(self, node: Node, parent: int) -> int:
        name = node.field("name")
        self._namespaces.append(node)
        return self._open("".join(name.text.split()).replace("@", "") if name is not None else "", parent)

    def _read_usings(self, nodes: Iterable[Node], scope: int) -> None:
        for node in nodes:
            if node.kind == "using_directive":
                self._add_using(node, scope)
            elif node.kind in NAMESPACES:
                return

    def _add_using(self, node: Node, scope: int) -> None:
        read = read_using(node)
        if read is not None:
            self._usings[scope].append(read)

    def _read_all(self, nodes: Iterable[Node], scope: int, outer: int) -> None:
        for node in nodes:
            if node.kind in TYPES:
                self._read_type(node, scope, outer)
            elif node.kind == "namespace_declaration" and outer < 0:
                inner, body = self._open_namespace(node, scope), node.field("body")
                if body is not None:
                    self._read_usings(body.nodes, inner)
                    self._read_all(body.nodes, inner, -1)
            elif node.kind in ("ERROR", "declaration_list"):
                self._read_all(node.nodes, scope, outer)

    def _read_type(self, node: Node, scope: int, outer: int) -> None:
        name, kind = node.field("name"), TYPES[node.kind]
        if name is None or (kind is TypeKind.EXTENSION and outer < 0):
            return
        is_record, words = node.kind == "record_declaration", node.modifiers() | ({"ref"} if node.has("ref") else set())
        attributes, listed = " ".join(each.text for each in node.of_kind("attribute_list")), node.first("base_list")
        self._heads.append(
            TypeHead(
                "" if kind is TypeKind.EXTENSION else name.name,
                len(type_parameter_list(node)),
                TypeKind.STRUCT if is_record and node.has("struct") else kind,
                *(is_record, scope, outer, read_access(words), frozenset(_keep_modifiers(words))),
                _HANDLER in attributes,
                _BUILDER in attributes,
                INLINE in attributes,
                kind is TypeKind.INTERFACE and _has_promises(node.field("body")),
                bases=listed.text if listed is not None else "",
            )
        )
        self._types.append(node)
        body = node.field("body")
        if body is not None and kind is not TypeKind.ENUM:
            self._read_all(body.pick(leave), scope, len(self._heads) - 1)


def _has_promises(body: Node | None) -> bool:
    if body is None or body.source.find(b"abstract", body.start, body.end) < 0:
        return False
    return any(each.modifiers() >= _PROMISE for each in body.nodes)


def leave(_start: int, _end: int) -> bool:
    """Picks nothing of what waits in the body of a type: these are members, and no types."""
    return False


def read_using(node: Node) -> tuple[UsingHead, Node] | None:
    """A using directive, and the node of what it names."""
    name = node.field("name")
    rest = node.without(name)
    target = rest[-1] if rest else name
    if target is None:
        return None
    alias = name.name if name is not None and rest else ""
    return UsingHead(_tidy(target.text), alias, node.has("static"), node.has("global")), target


def type_parameter_list(node: Node) -> list[Node]:
    """The type parameters that a declaration lists."""
    written = node.field("type_parameters") or node.first("type_parameter_list")
    return written.of_kind("type_parameter") if written is not None else []


def find_named(declared: Iterable[Node], name: str) -> Node | None:
    """The name of the first of some declarations, such as parameters, that is called so."""
    names = (each.field("name") for each in declared)
    return next((each for each in names if each is not None and each.name == name), None)


def read_access(modifiers: set[str]) -> str:
    """The access that modifiers say; empty if they say none."""
    if "protected" in modifiers and "internal" in modifiers:
        return "protected internal"
    if "protected" in modifiers and "private" in modifiers:
        return "private protected"
    return next((word for word in _ACCESSES if word in modifiers), "")


def _keep_modifiers(words: Iterable[str]) -> Iterator[str]:
    return (each for each in words if each in ("static", "abstract", "sealed", "ref", "file"))


def _tidy(text: str) -> str:
    return " ".join(text.replace("@", "").split())
