"""A type as the whole repository declares it: its parts merged, its identity settled."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple, NewType

from codecortex.model.hashing import base32

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from codecortex.model.code.facts import MemberFacts, Scope, TypeFacts, TypeKind

TypeId = NewType("TypeId", str)
"""`T_` and 8 characters of Crockford Base32, or 12 where two types would share 8."""

MemberId = NewType("MemberId", str)
"""A TypeId, `_`, and 6 characters over the member's canonical signature."""


WORD = re.compile(r"[^\W\d]\w*")
"""An identifier or a keyword, as a text holds it."""

ACCESSIBILITIES = ("public", "protected", "protected internal", "internal", "private protected", "private", "file")
"""See `Accessibility`; what most may see comes first."""

_RANKS = {word: rank for rank, word in enumerate(ACCESSIBILITIES)}
_ARITY = re.compile(r"`\d+")
_IMPLEMENTATION = frozenset({"async", "partial", "unsafe", "extern"})
"""Modifiers that say how a member is written, not what it is."""

WITHOUT_PARAMETERS = frozenset({"field", "constant", "property", "event", "enumMember"})
"""Kinds of members that have none."""


def encode_sha256(text: str, length: int) -> str:
    """The first characters of the Crockford Base32 of a text's SHA-256."""
    return base32(sha256(text.encode("utf-8", "replace")).digest(), length)


def project_id(path: str) -> str:
    """`P_` and 8 characters over a project's path; the implicit project's path is empty."""
    return "P_" + encode_sha256(path, 8)


def parameter_types(facts: MemberFacts, separator: str = ",") -> str:
    """The parameter types with their modifiers."""
    return separator.join([f"{p.modifier} {p.type}" if p.modifier else p.type for p in facts.parameters])


def structural_modifiers(modifiers: tuple[str, ...]) -> tuple[str, ...]:
    """Modifiers that callers can tell, sorted."""
    return tuple(sorted(word for word in modifiers if word not in _IMPLEMENTATION)) if modifiers else ()


def canonical_signature(facts: MemberFacts) -> str:
    """Accessibility, modifiers, type, name, arity and parameter types: no parameter names, no defaults."""
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
    """A member's name and its parameters, where members of that kind have some: `Find(string)`, `this[int]`."""
    if kind == "indexer":
        return f"{name}[{parameters}]"
    return name if kind in WITHOUT_PARAMETERS else f"{name}({parameters})"


def write_name(kind: str, name: str, target: str, owner: str, interface: str = "") -> str:
    """A member as C# calls it, before its parameters: `~Store`, `IStore.Find`, `explicit operator checked int`.

    Args:
        kind: Its kind.
        name: Its name, with its type parameters.
        target: What it converts to; only of conversions.
        owner: The simple name of its type, which constructors bear.
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
    """One declaration of a type, the path of the file it stands in, and that file's scopes."""

    path: str
    facts: TypeFacts
    scopes: tuple[Scope, ...]


class Member(NamedTuple):
    """A member and the path of the file that declares it."""

    facts: MemberFacts
    path: str

    @property
    def signature(self) -> str:
        """Its canonical signature."""
        return canonical_signature(self.facts)


@dataclass(frozen=True, slots=True)
class CSharpType:
    """One type of one project.

    Attributes:
        id: See `TypeId`.
        fqn: Metadata name: `Ns.Outer`1+Inner`.
        kind: See `TypeKind`.
        arity: Type parameters of its own level.
        accessibility: Its own, with the language's default filled in.
        effective_accessibility: The narrowest of its own and its containers'.
        modifiers: Of all parts, sorted, `partial` left out.
        project: Path of the project; empty for the implicit one.
        owner: Path of the file that alone may name it, for a file-local type and what is nested in it; else `project`.
        parts: By path, then line.
        members: In canonical order, the compiler's own marked `implicit`; nested types are left out.
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
        """The files of its parts, sorted without regard to case, each once."""
        return tuple(sorted({part.path for part in self.parts}, key=lambda path: (path.lower(), path)))

    @property
    def namespace(self) -> str:
        """Its namespace; empty for the global one."""
        return cut_namespace(self.fqn)

    @property
    def container(self) -> str:
        """The metadata name of the type it is nested in, or empty."""
        return self.fqn.rpartition("+")[0]

    @property
    def simple_name(self) -> str:
        """Its own name without namespace, containers and arity."""
        return cut_simple_name(self.fqn)

    @property
    def own_name(self) -> str:
        """Its own name with its type parameters: `Inner<T>`."""
        return self.simple_name + write_parameters(self.parts[0].facts.type_parameters)

    @property
    def display_name(self) -> str:
        """As a reader writes it: `Ns.Outer<T>.Inner`, its own type parameters by name, its containers' by number."""
        prefix = display_fqn(self.container) if "+" in self.fqn else self.namespace
        return f"{prefix}.{self.own_name}" if prefix else self.own_name


def cut_simple_name(fqn: str) -> str:
    """The last part of a metadata name, without its arity."""
    return fqn.rpartition("+")[2].rpartition(".")[2].partition("`")[0]


def cut_namespace(fqn: str) -> str:
    """The namespace of a metadata name; empty for the global one."""
    return fqn.partition("+")[0].rpartition(".")[0]


def list_levels(fqn: str) -> Iterator[str]:
    """A metadata name and those of the types around it, the innermost first."""
    while fqn:
        yield fqn
        fqn = fqn.rpartition("+")[0]


def list_namespaces(fqns: Iterable[str]) -> set[str]:
    """Every namespace that holds one of some types or another such namespace, the global one left out."""
    found: set[str] = set()
    for name in set(map(cut_namespace, fqns)):
        rest = name
        while rest and rest not in found:
            found.add(rest)
            rest = rest.rpartition(".")[0]
    return found


def rank_accessibility(word: str) -> int:
    """How far from public an accessibility is: 0 for public."""
    return _RANKS.get(word, 0)


def write_path(fqn: str) -> str:
    """A metadata name without arities, dots alone between its levels."""
    if "`" in fqn:
        fqn = _ARITY.sub("", fqn)
    return fqn.replace("+", ".")


def write_parameters(parameters: Sequence[str]) -> str:
    """Type parameters by name, without their variance: `<TKey, TValue>`."""
    return f"<{', '.join([each.rpartition(' ')[2] for each in parameters])}>" if parameters else ""


def number_parameters(count: int) -> str:
    """Type parameters by number, where their names are not known: `<T>`, `<T1, T2>`."""
    names = ["T"] if count == 1 else [f"T{number}" for number in range(1, count + 1)]
    return f"<{', '.join(names)}>" if count else ""


def display_fqn(fqn: str) -> str:
    """A metadata name as a reader writes it; type parameters are numbered, for their names are not part of it."""
    if "`" not in fqn:
        return fqn.replace("+", ".")
    out = []
    for level in fqn.split("+"):
        name, _, arity = level.partition("`")
        out.append(name + number_parameters(int(arity) if arity.isdecimal() else 0))
    return ".".join(out)
