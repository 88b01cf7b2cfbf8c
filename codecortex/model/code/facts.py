"""What one source file declares, as values: read once per blob and symbol set, without regard to other files."""

from __future__ import annotations

from typing import Literal

from codecortex.model.startup.named_tuple import NamedTuple

TypeKind = Literal["class", "struct", "interface", "enum", "delegate", "record", "record struct"]
MemberKind = Literal[
    "method",
    "constructor",
    "destructor",
    "property",
    "indexer",
    "event",
    "field",
    "constant",
    "enumMember",
    "operator",
    "conversion",
    "invoke",
]
Accessibility = Literal["public", "protected", "protected internal", "internal", "private protected", "private", "file"]

Position = tuple[int, int]
"""A line and a column, both from 1."""

VISIBLE: frozenset[str] = frozenset({"public", "protected", "protected internal"})
"""Accessibilities that another assembly can see."""


class Parameter(NamedTuple):
    """One parameter.

    Attributes:
        type: As written, without modifiers, white space collapsed.
        modifier: Those of `ref out in readonly params this scoped`, separated by spaces, or empty.
        name: Without `@`; empty where unnamed.
        default: The text of the default value, or None.
        attributes: Attribute texts, as written.
    """

    type: str
    modifier: str
    name: str
    default: str | None
    attributes: tuple[str, ...] = ()


class Extension(NamedTuple):
    """What the head of an extension block says besides its receiver.

    Attributes:
        type_parameters: As written, without attributes.
        constraints: One clause per constrained type parameter.
        type_parameter_attributes: As in `MemberFacts`.
    """

    type_parameters: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()
    type_parameter_attributes: tuple[tuple[int, str], ...] = ()


class MemberFacts(NamedTuple):
    """One member.

    Attributes:
        kind: See `MemberKind`.
        name: Simple name; the symbol for operators, `implicit` or `explicit` for conversions.
        type: Return, field, property or target type as written; empty where there is none.
        arity: Number of type parameters.
        accessibility: Its own; the language's default where none is written.
        modifiers: As written, without accessibility.
        type_parameters: As written, with variance.
        constraints: One clause per constrained type parameter: `T : class, new()`.
        parameters: In order.
        accessors: Pairs of accessibility (empty if the same as the member's) and one of `get set init add remove`.
        explicit_interface: The interface of an explicit implementation, or empty.
        receiver: The receiver of an extension block, or empty.
        value: The value of a constant or enum member as written, or empty.
        attributes: Attribute texts without brackets, as written.
        implicit: Whether the compiler adds it.
        primary: Whether it comes from a primary constructor's parameter list.
        body: Digest of bodies, initialisers and default values; empty where there are none.
        doc: Documentation as Markdown.
        doc_hash: Digest of the documentation's text; empty where there is none.
        line: First line of the declaration after its attributes, from 1.
        end_line: Last line.
        column: Where it begins in its first line: in UTF-16 units, from 1.
        end_column: The column after its last character, of a field that of its declarator.
        size: The number of elements of a fixed buffer as written, or empty.
        type_parameter_attributes: Pairs of a type parameter's position, from 0, and an attribute's text.
        accessor_modifiers: Pairs of an accessor, as in `accessors`, and a modifier such as `readonly`.
        accessor_attributes: Pairs of an accessor and an attribute's text.
        extension: The head of the extension block around it, or None.
    """

    kind: MemberKind
    name: str
    type: str
    arity: int
    accessibility: str
    modifiers: tuple[str, ...]
    type_parameters: tuple[str, ...]
    constraints: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    accessors: tuple[tuple[str, str], ...]
    explicit_interface: str
    receiver: str
    value: str
    attributes: tuple[str, ...]
    implicit: bool
    primary: bool
    body: str
    doc: str
    doc_hash: str
    line: int
    end_line: int
    column: int = 1
    end_column: int = 1
    size: str = ""
    type_parameter_attributes: tuple[tuple[int, str], ...] = ()
    accessor_modifiers: tuple[tuple[str, str], ...] = ()
    accessor_attributes: tuple[tuple[str, str], ...] = ()
    extension: Extension | None = None


class TypeFacts(NamedTuple):
    """One declaration of a type: the whole of it, or one part of a partial type.

    Attributes:
        fqn: Its FQN (metadata name): `Ns.Outer`1+Inner`.
        scope: Index into the file's scopes.
        kind: See `TypeKind`.
        accessibility: As written; empty where none is.
        modifiers: As written, without accessibility.
        type_parameters: As written, with variance; without those of enclosing types.
        constraints: One clause per constrained type parameter.
        bases: Base class and interfaces as written, without constructor arguments.
        attributes: Attribute texts without brackets.
        members: In source order, without nested types, which are `TypeFacts` of their own.
        surface: Names in the base list, constraints, attributes and signatures of visible members, each with its count;
            `@` stands before an attribute's name, `~` before a type in an attribute's `typeof`.
        inner: Names in bodies and in the signatures of the other members, sorted, with a space between two: they are
            many, and few of them are ever looked at.
        implicit: Whether the compiler adds it (the class around a top-level program).
        body: Digest of base constructor arguments and of inactive preprocessor text among the members.
        doc: Documentation as Markdown.
        doc_hash: Digest of the documentation's text.
        cosmetic: Digest of comments and layout.
        line: First line of the declaration after its attributes, from 1.
        end_line: Last line.
        column: Where it begins in its first line: in UTF-16 units, from 1.
        end_column: The column after its last character.
        type_parameter_attributes: Pairs of a type parameter's position, from 0, and an attribute's text.
        nullable: What `#nullable` says where it begins: `enable`, `disable`, or empty for the project's setting.
    """

    fqn: str
    scope: int
    kind: TypeKind
    accessibility: str
    modifiers: tuple[str, ...]
    type_parameters: tuple[str, ...]
    constraints: tuple[str, ...]
    bases: tuple[str, ...]
    attributes: tuple[str, ...]
    members: tuple[MemberFacts, ...]
    surface: tuple[tuple[str, int], ...]
    inner: str
    implicit: bool
    body: str
    doc: str
    doc_hash: str
    cosmetic: str
    line: int
    end_line: int
    column: int = 1
    end_column: int = 1
    type_parameter_attributes: tuple[tuple[int, str], ...] = ()
    nullable: str = ""


def covers(declared: TypeFacts | MemberFacts, position: Position) -> bool:
    """Whether a position is within a declaration; its attributes and documentation stand before it."""
    return (declared.line, declared.column) <= position < (declared.end_line, declared.end_column)


class Using(NamedTuple):
    """One using directive.

    Attributes:
        target: The namespace or type named.
        alias: The alias it defines, or empty.
        static: Whether it is a `using static`.
        everywhere: Whether it is a `global using`.
    """

    target: str
    alias: str = ""
    static: bool = False
    everywhere: bool = False


class Scope(NamedTuple):
    """A compilation unit (the first scope) or a namespace block.

    Attributes:
        namespace: Full name; empty for the compilation unit.
        parent: Index of the enclosing scope; -1 for the compilation unit.
        usings: The directives directly in it.
    """

    namespace: str
    parent: int
    usings: tuple[Using, ...]


class FileFacts(NamedTuple):
    """The facts of one source file under one set of preprocessor symbols.

    Attributes:
        scopes: The compilation unit and its namespace blocks, parents first.
        types: Every type declaration, outer before inner.
        conditional: Whether another symbol set could give other facts.
        generated: Whether the head comment marks it as generated.
        left_out: Why nothing else is read: `generated head`, or `listing` (the surface of a library); or empty.
        degraded: Why the facts may be incomplete; empty if they are complete.
        friends: The assemblies that it lets see the internals of its project.
    """

    scopes: tuple[Scope, ...]
    types: tuple[TypeFacts, ...]
    conditional: bool = False
    generated: bool = False
    degraded: str = ""
    left_out: str = ""
    friends: tuple[str, ...] = ()


BINARY = "binary content"
"""Why a file with NUL bytes has no facts: it is told as unread, and not read in part."""

_GENERATED = (".g.cs", ".g.i.cs", ".designer.cs", ".generated.cs")


def is_generated_name(path: str) -> bool:
    """Whether a file's name is one that generated code has."""
    return path.lower().endswith(_GENERATED)
