"""A type as the whole repository declares it: its parts merged, its identity settled."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple, NewType

from codecortex.model.hashing import base32

if TYPE_CHECKING:
    from codecortex.model.facts import MemberFacts, Scope, TypeFacts, TypeKind

TypeId = NewType("TypeId", str)
"""`T_` and 8 characters of Crockford Base32, or 12 where two types would share 8."""

MemberId = NewType("MemberId", str)
"""A TypeId, `_`, and 6 characters over the member's canonical signature."""


def encode_sha256(text: str, length: int) -> str:
    """The first characters of the Crockford Base32 of a text's SHA-256."""
    return base32(sha256(text.encode("utf-8", "replace")).digest(), length)


def project_id(path: str) -> str:
    """`P_` and 8 characters over a project's path; the implicit project's path is empty."""
    return "P_" + encode_sha256(path, 8)


class Part(NamedTuple):
    """One declaration of a type, the path of the file it stands in, and that file's scopes."""

    path: str
    facts: TypeFacts
    scopes: tuple[Scope, ...]


class Member(NamedTuple):
    """A member, the path of the file that declares it, and its canonical signature."""

    facts: MemberFacts
    path: str
    signature: str


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
        return self.fqn.partition("+")[0].rpartition(".")[0]

    @property
    def container(self) -> str:
        """The metadata name of the type it is nested in, or empty."""
        return self.fqn.rpartition("+")[0]

    @property
    def simple_name(self) -> str:
        """Its own name without namespace, containers and arity."""
        return self.fqn.rpartition("+")[2].rpartition(".")[2].partition("`")[0]

    @property
    def display_name(self) -> str:
        """As a reader writes it: `Ns.Outer<T>.Inner`, its own type parameters by name, its containers' by number."""
        container = self.container
        prefix = display_fqn(container) if container else self.namespace
        parameters = ", ".join(name.rpartition(" ")[2] for name in self.parts[0].facts.type_parameters)
        own = self.simple_name + (f"<{parameters}>" if parameters else "")
        return f"{prefix}.{own}" if prefix else own


def display_fqn(fqn: str) -> str:
    """A metadata name as a reader writes it; type parameters are numbered, for their names are not part of it."""
    out = []
    for level in fqn.split("+"):
        name, _, arity = level.partition("`")
        count = int(arity) if arity.isdigit() else 0
        names = ["T"] if count == 1 else [f"T{number}" for number in range(1, count + 1)]
        out.append(f"{name}<{', '.join(names)}>" if count else name)
    return ".".join(out)
