"""Values for syntax trees: what the binder walks over."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Protocol

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

PREDEFINED = frozenset((
    "bool", "byte", "char", "decimal", "double", "float", "int", "long", "object", "sbyte", "short", "string", "uint",
    "ulong", "ushort", "void",
))  # fmt: skip
"""Keywords that are types."""
KEYWORDS = PREDEFINED.union((
    "abstract", "as", "base", "break", "case", "catch", "checked", "class", "const", "continue", "default", "delegate",
    "do", "else", "enum", "event", "explicit", "extern", "false", "finally", "fixed", "for", "foreach", "goto", "if",
    "implicit", "in", "interface", "internal", "is", "lock", "namespace", "new", "null", "operator", "out", "override",
    "params", "private", "protected", "public", "readonly", "ref", "return", "sealed", "sizeof", "stackalloc", "static",
    "struct", "switch", "this", "throw", "true", "try", "typeof", "unchecked", "unsafe", "using", "virtual", "volatile",
    "while",
))  # fmt: skip
"""Words that are names only after `@`."""
CONDITIONAL = b"\x0c"
"""What stands in a tree's text for the question mark of a conditional access to which something is assigned."""
SLICE = CONDITIONAL * 2
"""What stands there for the dots of a slice in a list pattern, before a pattern of its own."""
UNPARSED = "syntax that the grammar cannot parse"
"""Why a tree is damaged of which only a part could be parsed."""
_ESCAPE = compile_later(r"\\(?:u((?![dD][89a-fA-F])[0-9a-fA-F]{4})|U(000[0-9a-fA-F]{5}|0010[0-9a-fA-F]{4}))")


NO_FIELDS: Mapping[str, Node] = {}


def resolve_escapes(text: str) -> str:
    r"""A text of code, its escapes of characters such as `\u0041` resolved."""
    return _ESCAPE.sub(lambda match: chr(int(match[1] or match[2], 16)), text) if "\\" in text else text


_DECLARING = frozenset(
    (
        *("variable_declarator", "declaration_expression", "declaration_pattern", "recursive_pattern", "list_pattern"),
        "var_pattern",
    )
)
_DESIGNATIONS = frozenset(("tuple_pattern", "parenthesized_variable_designation", "var_pattern"))
"""What declares a variable by its field `name`, and what declares several; later statements may use them."""


class Node:
    """A node of a syntax tree.

    Attributes:
        kind: As the grammar names it, such as `invocation_expression`; of the keywords `this` and `base` themselves.
        start: Offset of its first byte.
        end: Offset after its last byte.
        parent: The node around it.
        source: The text that the offsets count in.
        children: Nodes, and as texts the tokens between them; comments and directives are left out.
        fields: The first child of each field of the grammar.
        deferred: Makes the children when the node is opened, of those that can be opened.
    """

    __slots__ = ("_name", "_text", "children", "deferred", "end", "fields", "kind", "parent", "source", "start")

    def __init__(self, kind: str, start: int, end: int, parent: Node | None, source: bytes) -> None:
        self.kind = kind
        self.start = start
        self.end = end
        self.parent = parent
        self.source = source
        self.children: Sequence[Node | str] = ()
        self.fields: Mapping[str, Node] = NO_FIELDS
        self.deferred: Deferred | None = None
        self._text: str | None = None
        self._name: str | None = None

    def __repr__(self) -> str:
        return f"<{self.kind} {self.text[:40]!r}>"

    def field(self, name: str) -> Node | None:
        """The first child of a field."""
        return self.fields.get(name)

    @property
    def text(self) -> str:
        """The text of the node."""
        if self._text is not None:
            return self._text
        text = self.source[self.start : self.end].decode("utf-8", "replace")
        if not self.children:
            self._text = text
        return text

    @property
    def name(self) -> str:
        """The identifier that the text means: without `@`, escapes resolved."""
        if self._name is None:
            self._name = resolve_escapes(self.text.removeprefix("@"))
        return self._name

    @property
    def nodes(self) -> list[Node]:
        """The children that are nodes."""
        return [child for child in self.children if child.__class__ is not str]  # type: ignore[misc]

    def of_kind(self, *kinds: str) -> list[Node]:
        """The children of some kinds."""
        return [child for child in self.children if child.__class__ is not str and child.kind in kinds]  # type: ignore[misc,union-attr]

    def first(self, *kinds: str) -> Node | None:
        """The first child of some kinds."""
        for child in self.children:
            if child.__class__ is not str and child.kind in kinds:  # type: ignore[union-attr]
                return child  # type: ignore[return-value]
        return None

    def has(self, token: str) -> bool:
        """Whether a token stands among the children."""
        return token in self.children

    @property
    def sign(self) -> str:
        """The operator of an operation."""
        operator = self.field("operator")
        return operator.text if operator is not None else next((e for e in self.children if isinstance(e, str)), "")

    def pick(self, wanted: Callable[[int, int], bool]) -> list[Node]:  # noqa: ARG002 - here none waits
        """The children that are nodes; of those that wait to be made, the ones whose extent is wanted."""
        return self.nodes

    def take(self, extents: Sequence[tuple[int, int]]) -> Sequence[Node]:  # noqa: ARG002 - here none waits
        """The children that are made now, of those that wait in some extents."""
        return ()

    @property
    def waiting(self) -> Collection[tuple[int, int]]:
        """The extents of the children that wait to be made, in order."""
        return ()

    def modifiers(self) -> set[str]:
        """The texts of the modifiers."""
        return {child.text for child in self.of_kind("modifier")}

    def without(self, *others: Node | None) -> list[Node]:
        """The children that are nodes, without some."""
        return [child for child in self.children if child.__class__ is not str and child not in others]  # type: ignore[misc]

    def open(self) -> None:
        """Make the children, if they wait for it."""
        if self.deferred is not None and not self.children:
            self.deferred.make(self)

    def close(self) -> None:
        """Let all below go; what could be opened can be opened again.

        Nodes and their parents know each other: without a cut they would wait to be collected.
        """
        if self.deferred is not None:
            self.deferred.rest()
        todo = [self]
        for node in todo:
            todo += [child for child in node.children if child.__class__ is not str and child.children]  # type: ignore[misc,union-attr]
            node.children = ()
            node.fields = NO_FIELDS

    def walk(self) -> Iterator[Node]:
        """The node and all below it."""
        todo = [self]
        while todo:
            node = todo.pop()
            yield node
            todo += reversed(node.nodes)


def list_locals(node: Node) -> Sequence[Node]:
    """The names of the variables that a node declares by itself, those below it left out."""
    name = node.field("name") if node.kind in _DECLARING else None
    if name is not None:
        return (name,)
    return node.of_kind("identifier") if node.kind in _DESIGNATIONS else ()


class Descent:
    """Finds the innermost nodes around extents, bodies opened on the way.

    It stays where it was: of extents that are asked for in order, each costs little however wide or deep the tree is.
    """

    def __init__(self, root: Node) -> None:
        self._path = [_Level(root, root.nodes, 0, len(root.source))]

    def find(self, start: int, end: int) -> Node:
        """The innermost node around an extent that is not empty; the root if none below it is."""
        path = self._path
        while len(path) > 1 and not path[-1].first <= start < end <= path[-1].last:
            path.pop()
        while True:
            node, nodes, first, last = path[-1]
            at = bisect_right(nodes, start, key=_GET_END)
            if at == len(nodes) or not nodes[at].start <= start < end <= nodes[at].end:
                return node
            inner = nodes[at]
            inner.open()
            path.append(_Level(inner, inner.nodes, max(first, inner.start), min(last, inner.end)))


class _Level(NamedTuple):
    """A node with those below it; and the part of its extent that all around it have too, as mended ones need not."""

    node: Node
    nodes: Sequence[Node]
    first: int
    last: int


_GET_END = attrgetter("end")


class TypeBody(Node):
    """The body of a type whose members are made when they are picked; all of them for who looks at its children."""

    __slots__ = ()
    deferred: Any  # `DeferredMembers`, until none waits

    @property
    def children(self) -> Sequence[Node | str]:  # type: ignore[override]
        """All that stands in it."""
        self.pick(lambda _start, _end: True)
        return self.children  # of a plain node, now that none waits

    def pick(self, wanted: Callable[[int, int], bool]) -> list[Node]:
        """The nodes in it, as of every node."""
        self.take([each for each in self.waiting if wanted(*each)])
        return _sort_made(self)

    def take(self, extents: Sequence[tuple[int, int]]) -> Sequence[Node]:
        """The nodes of some members that wait, made now."""
        made: Sequence[Node] = self.deferred.take(self, extents)
        _CHILDREN.__set__(self, [*_CHILDREN.__get__(self), *made])
        if not self.deferred.waiting:
            _CHILDREN.__set__(self, ["{", *_sort_made(self), "}"])
            self.__class__ = Node  # type: ignore[assignment]
            self.deferred = None
        return made

    @property
    def waiting(self) -> Collection[tuple[int, int]]:
        """The extents of the members that wait to be made."""
        extents: Collection[tuple[int, int]] = self.deferred.waiting
        return extents


_CHILDREN = Node.__dict__["children"]
"""Where a node has its children, whatever a kind of nodes does before it tells them."""


def _sort_made(body: Node) -> list[Node]:
    return sorted((each for each in _CHILDREN.__get__(body) if each.__class__ is not str), key=attrgetter("start"))


class Deferred(Protocol):
    """Makes the children of nodes when they are opened."""

    def make(self, node: Node) -> None:
        """Make the children of a node."""

    def rest(self) -> None:
        """Let go what is kept only to make them faster."""


class DeferredBodies(Deferred, Protocol):
    """Makes the children of bodies; some of them may not parse."""

    damaged: bool


class DeferredMembers(Protocol):
    """Makes the members of the body of a type.

    Attributes:
        waiting: The extents of those that wait, in order.
    """

    waiting: Collection[tuple[int, int]]

    def take(self, body: Node, extents: Sequence[tuple[int, int]]) -> Sequence[Node]:
        """Make those of some extents that wait, which are in order."""


class CrefSegment(NamedTuple):
    """A name of a documentation reference.

    Attributes:
        name: The name; `this[]` of an indexer, `operator +` or `explicit operator` of an operator, a checked one with
            `checked` behind that word.
        start: Its offset.
        arguments: Its type arguments; a plain name declares a type parameter.
        returns: The type that a conversion makes.
    """

    name: str
    start: int
    arguments: tuple[Node, ...] = ()
    returns: Node | None = None


class Cref(NamedTuple):
    """A reference in a documentation comment.

    Attributes:
        start: Its offset.
        segments: The names.
        parameters: The types of the parameters; None where there is no list.
        rooted: Whether `global::` stands in front.
    """

    start: int
    segments: tuple[CrefSegment, ...]
    parameters: tuple[Node | None, ...] | None
    rooted: bool = False


class DocumentedName(NamedTuple):
    """The name of a parameter or a type parameter in a documentation comment.

    Attributes:
        name: The name.
        start: Its offset.
        of_type: Whether a type parameter is named.
        is_reference: Whether it is one that the text refers to, not the one that is described.
        end: Where the comment ends.
    """

    name: str
    start: int
    of_type: bool
    is_reference: bool
    end: int


class Documentation(NamedTuple):
    """What documentation comments name.

    Attributes:
        crefs: The references, in order.
        names: The parameters and type parameters, in order.
    """

    crefs: tuple[Cref, ...] = ()
    names: tuple[DocumentedName, ...] = ()


class SyntaxTree:
    """The syntax of one file under one set of symbols.

    Attributes:
        root: The compilation unit.
        source: The text that all offsets count in.
        generated: Whether a comment at its head marks it as generated; where such files are not read, it has no nodes.
    """

    def __init__(  # noqa: PLR0913 - it is a row of values
        self,
        root: Node,
        source: bytes,
        *,
        read_documentation: Callable[[], Documentation] = Documentation,
        generated: bool = False,
        damaged: str = "",
        bodies: DeferredBodies | None = None,
    ) -> None:
        """Make it.

        Args:
            root: The compilation unit.
            source: The text that all offsets count in.
            read_documentation: Reads its documentation comments.
            generated: As the attribute.
            damaged: Why it is not whole, whatever its bodies are; empty if it is.
            bodies: What makes its bodies.
        """
        self.root = root
        self.source = source
        self.generated = generated
        self._read_documentation = read_documentation
        self._damaged = damaged
        self._bodies = bodies

    @cached_property
    def documentation(self) -> Documentation:
        """What its documentation comments name."""
        return self._read_documentation()

    @property
    def damaged(self) -> str:
        """Why it was not read whole, as far as its bodies were opened; empty if it was."""
        return self._damaged or (UNPARSED if self._bodies is not None and self._bodies.damaged else "")
