"""A type as the whole repository declares it: its parts merged, with its TypeId; and helpers for names of types."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, NewType

from codecortex.model.hashing import base32
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from codecortex.model.code.facts import MemberFacts, Scope, TypeFacts, TypeKind

TypeId = NewType("TypeId", str)
"""`T_` and 8 characters of Crockford Base32, or 12 where two types would share the first 8."""

MemberId = NewType("MemberId", str)
"""A TypeId, `_`, and 6 characters of a digest of the member's canonical signature."""


WORD = compile_later(r"[^\W\d]\w*")
"""An identifier or a keyword."""

ACCESSIBILITIES = ("public", "protected", "protected internal", "internal", "private protected", "private", "file")
"""The values of `Accessibility`, the most visible first."""

_RANKS = {word: rank for rank, word in enumerate(ACCESSIBILITIES)}
_ARITY = compile_later(r"`\d+")
_IMPLEMENTATION = frozenset({"async", "partial", "unsafe", "extern"})
"""Modifiers that say how a member is implemented; callers cannot tell them."""

WITHOUT_PARAMETERS = frozenset({"field", "constant", "property", "event", "enumMember"})
"""Kinds of members that have no parameters."""


def encode_sha256(text: str, length: int) -> str:
    """The first `length` characters of the Crockford Base32 of a text's SHA-256."""
    return base32(sha256(text.encode("utf-8", "replace")).digest(), length)


@cache
def project_id(path: str) -> str:
    """`P_` and 8 characters of a digest of a project's path; the implicit project's path is empty."""
    return "P_" + encode_sha256(path, 8)


def parameter_types(facts: MemberFacts, separator: str = ",") -> str:
    """The parameter types with their modifiers, joined by `separator`."""
    if not facts.parameters:
        return ""
    return separator.join([f"{p.modifier} {p.type}" if p.modifier else p.type for p in facts.parameters])


def structural_modifiers(modifiers: tuple[str, ...]) -> tuple[str, ...]:
    """The modifiers that callers can tell, sorted."""
    return tuple(sorted(word for word in modifiers if word not in _IMPLEMENTATION)) if modifiers else ()


def canonical_signature(facts: MemberFacts) -> str:
    """The text that identifies an overload: accessibility, modifiers, type, name, arity and parameter types.

    Parameter names and default values are not part of it.
    """
    words = [facts.accessibility, *structural_modifiers(facts.modifiers)]
    if facts.type:
        words.append(facts.type)
    name = f"{facts.explicit_interface}.{facts.name}" if facts.explicit_interface else facts.name
    if facts.arity:
        name += f"`{facts.arity}"
    words.append(add_parameters(facts.kind, name, parameter_types(facts)))
    if facts.receiver:
        words.append(f"for {facts.receiver}")
    return " ".join(words)


def add_parameters(kind: str, name: str, parameters: str) -> str:
    """A member's name with its parameters, if its kind has any: `Find(string)`, `this[int]`."""
    if kind == "indexer":
        return f"{name}[{parameters}]"
    return name if kind in WITHOUT_PARAMETERS else f"{name}({parameters})"


def write_name(kind: str, name: str, target: str, owner: str, interface: str = "") -> str:
    """A member's name in C# syntax, without parameters: `~Store`, `IStore.Find`, `explicit operator checked int`.

    Args:
        kind: Its kind.
        name: Its name, with its type parameters.
        target: The type it converts to; only for conversions.
        owner: The simple name of its type, used for constructors and destructors.
        interface: The interface that it implements explicitly, or empty.
    """
    outer = f"{interface}." if interface else ""
    match kind:
        case "constructor":
            return owner
        case "destructor":
            return f"~{owner}"
        case "operator":
            return f"{outer}operator {name}"
        case "conversion":
            checked, _, way = name.rpartition(" ")
            return " ".join(filter(None, (way, f"{outer}operator", checked, target)))
        case _:
            return outer + name


class Part(NamedTuple):
    """One declaration of a type.

    Attributes:
        path: The path of its file.
        facts: What it declares.
        scopes: That file's scopes.
        generated: Whether it is generated code.
        outer: The names of the type parameters of the types around it, the outermost first.
    """

    path: str
    facts: TypeFacts
    scopes: tuple[Scope, ...]
    generated: bool = False
    outer: tuple[str, ...] = ()


class Member(NamedTuple):
    """A member and the path of the file that declares it."""

    facts: MemberFacts
    path: str

    @property
    def signature(self) -> str:
        """Its canonical signature."""
        return canonical_signature(self.facts)


class CSharpType(NamedTuple):
    """One type of one project.

    Attributes:
        id: See `TypeId`.
        fqn: Its FQN (metadata name): `Ns.Outer`1+Inner`.
        kind: See `TypeKind`.
        arity: Number of its own type parameters.
        accessibility: Its own; the language's default where none is written.
        effective_accessibility: The narrowest of its own and its containers'.
        modifiers: Those of all parts, sorted, without `partial`.
        project: Path of the project; empty for the implicit one.
        owner: For a file-local type and types nested in it, the path of its file; otherwise `project`.
        parts: Sorted by path, then line.
        members: In canonical order, compiler-added ones marked `implicit`; without nested types.
        degraded: Why its facts may be incomplete, or empty.
    """

    id: TypeId
    fqn: str
    kind: TypeKind
    arity: int
    accessibility: str
    effective_accessibility: str
    modifiers: tuple[str, ...]
    project: str
    owner: str
    parts: tuple[Part, ...]
    members: tuple[Member, ...]
    degraded: str

    @property
    def files(self) -> tuple[str, ...]:
        """The files of its parts, each once, sorted case-insensitively."""
        if len(self.parts) == 1:
            return (self.parts[0].path,)
        return tuple(sorted({part.path for part in self.parts}, key=lambda path: (path.lower(), path)))

    @property
    def generated(self) -> bool:
        """Whether generated code alone declares it."""
        return all(part.generated for part in self.parts)

    @property
    def namespace(self) -> str:
        """Its namespace; empty for the global one."""
        return cut_namespace(self.fqn)

    @property
    def container(self) -> str:
        """The FQN of the type it is nested in, or empty."""
        return self.fqn.rpartition("+")[0]

    @property
    def simple_name(self) -> str:
        """Its name without namespace, containers and arity."""
        return cut_simple_name(self.fqn)

    @property
    def own_name(self) -> str:
        """Its simple name with its type parameters: `Inner<T>`."""
        return self.simple_name + write_parameters(self.parts[0].facts.type_parameters)

    @property
    def display_name(self) -> str:
        """Its name in C# syntax: `Ns.Outer<T>.Inner`; its own type parameters by name, its containers' by number."""
        prefix = display_fqn(self.container) if "+" in self.fqn else self.namespace
        return f"{prefix}.{self.own_name}" if prefix else self.own_name


def cut_own_name(fqn: str) -> str:
    """The last part of an FQN, with its arity."""
    return fqn.rpartition("+")[2].rpartition(".")[2]


def cut_simple_name(fqn: str) -> str:
    """The last part of an FQN, without its arity."""
    return cut_own_name(fqn).partition("`")[0]


def cut_namespace(fqn: str) -> str:
    """The namespace of an FQN; empty for the global one."""
    return fqn.partition("+")[0].rpartition(".")[0]


def list_levels(fqn: str) -> Iterator[str]:
    """Yield an FQN and those of its enclosing types, the innermost first."""
    while fqn:
        yield fqn
        fqn = fqn.rpartition("+")[0]


def list_namespaces(fqns: Iterable[str]) -> set[str]:
    """Every namespace that contains one of the types or another such namespace, without the global one."""
    direct = {fqn.partition("+")[0].rpartition(".")[0] for fqn in fqns}  # as `cut_namespace` does
    return {each for namespace in direct for each in list_enclosing(namespace)}


def list_enclosing(namespace: str) -> Iterator[str]:
    """Yield a namespace and those around it, without the global one."""
    while namespace:
        yield namespace
        namespace = namespace.rpartition(".")[0]


def rank_accessibility(word: str) -> int:
    """The rank of an accessibility, 0 for public; 0 for an unknown word too."""
    return _RANKS.get(word, 0)


def write_path(fqn: str) -> str:
    """An FQN without arities, with dots between all levels."""
    if "`" in fqn:
        fqn = _ARITY.sub("", fqn)
    return fqn.replace("+", ".")


def write_parameters(parameters: Sequence[str]) -> str:
    """A list of type parameters without their variance: `<TKey, TValue>`."""
    return f"<{', '.join([each.rpartition(' ')[2] for each in parameters])}>" if parameters else ""


def number_parameters(count: int) -> str:
    """A list of type parameters whose names are not known: `<T>`, `<T1, T2>`."""
    names = ["T"] if count == 1 else [f"T{number}" for number in range(1, count + 1)]
    return f"<{', '.join(names)}>" if count else ""


def display_fqn(fqn: str) -> str:
    """An FQN in C# syntax; type parameters are numbered, since an FQN does not contain their names."""
    if "`" not in fqn:
        return fqn.replace("+", ".")
    out = []
    for level in fqn.split("+"):
        name, _, arity = level.partition("`")
        out.append(name + number_parameters(int(arity) if arity.isdecimal() else 0))
    return ".".join(out)
