"""What one source file declares, as values: read once per blob and symbol set, knowing nothing of other files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

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

VISIBLE: frozenset[str] = frozenset({"public", "protected", "protected internal"})
"""What another assembly can see."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter.

    Attributes:
        type: As written, without modifiers, blanks folded.
        modifier: Of `ref out in readonly params this scoped`, joined by a space, or empty.
        name: Without `@`; empty where unnamed.
        default: The default value's text, or None.
        attributes: Attribute texts, as written.
    """

    type: str
    modifier: str
    name: str
    default: str | None
    attributes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MemberFacts:
    """One member.

    Attributes:
        kind: See `MemberKind`.
        name: Simple name; the sign for operators, `implicit` or `explicit` for conversions.
        type: Return, field, property or target type as written; empty where there is none.
        arity: Number of type parameters.
        accessibility: Its own, with the language's default filled in.
        modifiers: As written, without accessibility.
        type_parameters: As written, with variance.
        constraints: `T : class, new()`, one per type parameter constrained.
        parameters: In order.
        accessors: Pairs of accessibility (empty where the member's own) and `get set init add remove`.
        explicit_interface: The interface of an explicit implementation, or empty.
        receiver: The receiver of an extension block, or empty.
        value: Of a constant or an enum value, as written, or empty.
        attributes: Attribute texts without brackets, as written.
        implicit: Whether the compiler adds it.
        primary: Whether it stems from a primary constructor's parameter list.
        body: Digest of bodies, initialisers and default values; empty where there are none.
        doc: Documentation as Markdown.
        doc_hash: Digest of the documentation's text; empty where there is none.
        line: First line of the declaration after its attributes, from 1.
        end_line: Last line.
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


@dataclass(frozen=True, slots=True)
class TypeFacts:
    """One declaration of a type: the whole of it, or one part of a partial type.

    Attributes:
        fqn: Metadata name: `Ns.Outer`1+Inner`.
        scope: Index into the file's scopes.
        kind: See `TypeKind`.
        accessibility: As written; empty where unsaid.
        modifiers: As written, without accessibility.
        type_parameters: As written, with variance, of this level only.
        constraints: As of members.
        bases: Base class and interfaces as written, constructor arguments left out.
        attributes: Attribute texts without brackets.
        members: In source order; nested types are types of their own.
        surface: Names in base list, constraints, attributes and visible members' signatures, with how often.
        inner: Names in bodies and in the signatures of other members.
        implicit: Whether the compiler adds it (the class around a top-level program).
        body: Digest of base constructor arguments and of inactive text among the members.
        doc: Documentation as Markdown.
        doc_hash: Digest of the documentation's text.
        cosmetic: Digest of comments and layout.
        line: First line of the declaration after its attributes, from 1.
        end_line: Last line.
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
    inner: tuple[str, ...]
    implicit: bool
    body: str
    doc: str
    doc_hash: str
    cosmetic: str
    line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class Using:
    """One using directive.

    Attributes:
        target: Namespace or type named.
        alias: The alias given, or empty.
        static: Whether the target's members are imported.
        everywhere: Whether it is a global using.
    """

    target: str
    alias: str = ""
    static: bool = False
    everywhere: bool = False


@dataclass(frozen=True, slots=True)
class Scope:
    """A compilation unit (the first scope) or a namespace block.

    Attributes:
        namespace: Full name; empty for the compilation unit.
        parent: Index of the enclosing scope; -1 for the compilation unit.
        usings: Directives that stand directly in it.
    """

    namespace: str
    parent: int
    usings: tuple[Using, ...]


@dataclass(frozen=True, slots=True)
class FileFacts:
    """One source file, under one set of symbols.

    Attributes:
        scopes: The compilation unit and its namespace blocks, parents first.
        types: Every type declaration, outer before inner.
        conditional: Whether another symbol set could give other facts.
        generated: Whether the head comment says so; then nothing else is read.
        degraded: Why the facts may be incomplete; empty where they are whole.
    """

    scopes: tuple[Scope, ...]
    types: tuple[TypeFacts, ...]
    conditional: bool = False
    generated: bool = False
    degraded: str = ""
