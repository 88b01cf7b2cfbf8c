"""Catalogs of names, as values."""

from collections.abc import Callable, Collection
from typing import Any

import pytest

from codecortex.model.code.catalog import Catalog, CatalogTexts, Lines, MemberEntry, TypeEntry, write_member_line
from codecortex.model.code.types import display_fqn, encode_sha256
from codecortex.symbols.hits import Hit
from codecortex.symbols.query import parse_query
from codecortex.symbols.resolving import find_named, find_near, order_hits


def make_type(fqn: str, project: str = "App", **fields: str) -> TypeEntry:
    kind = fields.get("kind", "class")
    return TypeEntry(
        id="T_" + encode_sha256(f"{fqn}|{kind}|{project}", 8),
        fqn=fqn,
        display=display_fqn(fqn),
        kind=kind,
        accessibility=fields.get("accessibility", "public"),
        project=f"src/{project}/{project}.csproj",
        assembly=project,
        owner=f"src/{project}/{project}.csproj",
        files=(f"src/{project}/{fqn}.cs",),
        tags="",
    )


def make_member(text: str) -> MemberEntry:
    """`Find(int,string)`, `Find<2>(T)`, `Count`, `IStore:Find()`, `.ctor(int)`, `explicit=Order(int)`."""
    head, bracket, parameters = text.rstrip(")").partition("(")
    interface, _, name = head.rpartition(":")
    name, _, arity = name.partition("<")
    name, _, returned = name.partition("=")
    kind = {".ctor": "constructor", "this": "indexer", "explicit": "conversion", "implicit": "conversion"}.get(
        name, "method" if bracket else "property"
    )
    kind = "operator" if not name[0].isalpha() and name[0] not in "._" else kind
    return MemberEntry(
        "", 0, name, kind, "public", int(arity.rstrip(">") or 0), returned or "void", parameters, "", interface
    )


def make_catalog(
    *types: str | TypeEntry,
    members: dict[str, tuple[str, ...]] | None = None,
    docs: dict[str, tuple[str, ...]] | None = None,
) -> Catalog:
    """A catalog of types by metadata name, their members by the same, and the documentation lines of both."""
    entries = tuple(sorted(each if isinstance(each, TypeEntry) else make_type(each) for each in types))
    written = [
        [write_member_line([*map(str, make_member(text)[2:])]) for text in (members or {}).get(entry.fqn, ())]
        for entry in entries
    ]
    told = [[f"{line}\n" for line in (docs or {}).get(entry.fqn, ())] for entry in entries]
    names = sorted({line.partition("\t")[0] for lines in written for line in lines})
    return Catalog("", entries, CatalogTexts(lambda: _join(written), lambda: [_join(told)], lambda: names))


def _join(blocks: list[list[str]]) -> Lines:
    starts = [0]
    for block in blocks:
        starts.append(starts[-1] + sum(map(len, block)))
    return Lines("".join("".join(block) for block in blocks), starts)


@pytest.fixture
def catalog() -> Callable[..., Catalog]:
    return make_catalog


@pytest.fixture
def find(catalog: Callable[..., Catalog]) -> Callable[..., list[Hit]]:
    """`find(query, *types)`: what a query means among types by metadata name, else what is near."""

    def run(query: str, *types: str | TypeEntry, kinds: Collection[str] = (), **more: Any) -> list[Hit]:
        found, parsed = catalog(*types, **more), parse_query(query, frozenset(kinds))
        return order_hits(find_named(parsed, found), {}) or find_near(parsed, found, lambda _: 0)

    return run


@pytest.fixture
def type_entry() -> Callable[..., TypeEntry]:
    return make_type
