"""C# texts in; the types, hashes, outlines and references of a small repository out."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache

import pytest

from codecortex.analysis.types.assemble import assemble_types
from codecortex.analysis.types.canonical import canonicalize
from codecortex.analysis.types.fingerprints import Fingerprints, HashRules, fingerprint
from codecortex.analysis.types.meanings import Meanings
from codecortex.analysis.types.outline import write_outline
from codecortex.analysis.types.references import Edge, Resolver, collect_usings
from codecortex.analysis.types.symbol_table import Declared, SymbolTable
from codecortex.model.code.facts import FileFacts, Using
from codecortex.model.code.projects import Project
from codecortex.model.code.types import CSharpType
from codecortex.parsing.csharp.read import read_csharp

RULES = HashRules(frozenset({"SuppressMessage", "DebuggerDisplay"}))

Sources = Mapping[str, str | bytes]


@lru_cache(maxsize=2048)
def read(source: str | bytes) -> FileFacts:
    return read_csharp(source if isinstance(source, bytes) else source.encode(), frozenset())


def make_project(
    path: str, files: Sequence[str], references: Sequence[str] = (), usings: Sequence[str] = ()
) -> Project:
    name = path.rpartition("/")[2].removesuffix(".csproj")
    none = ((), frozenset(), tuple(files), tuple(references), tuple(usings), ())
    return Project(path, name, name, name, "net9.0", *none)


class Workspace:
    """A repository of sources; each project compiles what lies in its folder, and a path ending in `+` more."""

    def __init__(
        self, files: Sources, projects: Mapping[str, Sequence[str]] | None = None,
        usings: Mapping[str, Sequence[str]] | None = None,
    ) -> None:  # fmt: skip
        self.files = dict(files)
        self.projects = []
        left = list(files)
        for path, references in (projects or {}).items():
            folder = path.rpartition("/")[0] + "/"
            own = [file for file in files if file.startswith((folder, "shared/"))]
            left = [file for file in left if file not in own]
            self.projects.append(make_project(path, own, references, (usings or {}).get(path, ())))
        if left:
            self.projects.append(make_project("", left, (), (usings or {}).get("", ())))
        self.types = assemble_types(self.projects, lambda _, path: read(self.files[path]))
        self.by_id = {merged.id: merged for merged in self.types}

    def find(self, fqn: str, project: str | None = None) -> CSharpType:
        """Return the one type of that name."""
        found = [t for t in self.types if t.fqn == fqn and project in (None, t.project)]
        assert len(found) == 1, f"{fqn}: {len(found)} of {[t.fqn for t in self.types]}"
        return found[0]

    def nested_in(self, merged: CSharpType) -> list[CSharpType]:
        inside = [t for t in self.types if t.container == merged.fqn and t.project == merged.project]
        return sorted(inside, key=lambda t: t.fqn)

    def hash(self, fqn: str, rules: HashRules = RULES) -> Fingerprints:
        merged = self.find(fqn)
        return fingerprint(self.canonical(merged), self.nested_in(merged), rules)

    def canonical(self, merged: CSharpType) -> CSharpType:
        return canonicalize(merged, self.meanings)

    def outline(self, fqn: str) -> str:
        merged = self.find(fqn)
        return write_outline(merged, "Asm", self.nested_in(merged), ((), ()))

    @cached_property
    def symbols(self) -> SymbolTable:
        return SymbolTable((Declared(t.id, t.fqn, t.project, t.owner) for t in self.types), self.projects)

    @cached_property
    def usings(self) -> dict[str, tuple[Using, ...]]:
        scopes = {p.path: [read(self.files[path]).scopes for path in p.files] for p in self.projects}
        return collect_usings(self.projects, scopes)

    @cached_property
    def resolver(self) -> Resolver:
        return Resolver(self.symbols, self.by_id, self.usings)

    @cached_property
    def meanings(self) -> Meanings:
        return Meanings(self.symbols, self.usings)

    def edges(self, fqn: str, project: str | None = None) -> tuple[Edge, ...]:
        return self.resolver.edges_of(self.find(fqn, project))

    def names(self, fqn: str, project: str | None = None) -> dict[str, str]:
        """Return the types that one names, with how: `surface` or `body`, and `?` where it is not exact."""
        return {
            self.by_id[edge.target].fqn: ("surface" if edge.structural else "body") + ("" if edge.exact else "?")
            for edge in self.edges(fqn, project)
        }


@pytest.fixture(scope="session")
def workspace() -> Callable[..., Workspace]:
    """Make a workspace of files; one text stands for one file."""

    def make(files: Sources | str | bytes, *rest: object, **named: object) -> Workspace:
        return Workspace(files if isinstance(files, Mapping) else {"a.cs": files}, *rest, **named)

    return make
