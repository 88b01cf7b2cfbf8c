"""A request and a symbol in; the outline of the type it means, computed from the tree, out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from codecortex.analysis.fingerprints import fingerprint
from codecortex.analysis.outline import write_outline
from codecortex.git.repository import open_repository
from codecortex.model.errors import AmbiguousSymbolError, SymbolNotFoundError
from codecortex.operations.hashes import Nested, add_hashes, rules_of
from codecortex.operations.index import describe_type, read_whole, warn_of_unread
from codecortex.operations.relations import link_outline, make_resolver
from codecortex.store.cache import open_cache
from codecortex.symbols.match import Name, match_types, suggest_names

if TYPE_CHECKING:
    from codecortex.model.types import CSharpType
    from codecortex.operations.reading import Reading
    from codecortex.operations.request import Request


class OutlineResult(NamedTuple):
    """One type's outline with its hashes, and its record as JSON values."""

    text: str
    record: dict[str, Any]


def outline(request: Request, symbol: str) -> OutlineResult:
    """The outline of the one type that a symbol means.

    Raises:
        SymbolNotFoundError: It means none; near names are suggested.
        AmbiguousSymbolError: It means several; they are named.
    """
    repository = open_repository(request.folder)
    with open_cache(repository.common_dir / "codecortex", warn=request.warn) as cache:
        reading = read_whole(request, repository, cache)
    warn_of_unread(reading)
    merged = find_type(reading, symbol)
    nested = Nested(reading.types).of(merged)
    prints = fingerprint(merged, nested, rules_of(reading.tree.config))
    fqns = {t.id: t.fqn for t in reading.types}
    links = link_outline(merged, make_resolver(reading), fqns, reading.tree.config.outline.max_dependencies)
    assembly = next(p.assembly for p in reading.projects if p.path == merged.project)
    text = write_outline(merged, assembly, nested, links)
    return OutlineResult(add_hashes(text, prints), describe_type(merged, prints) | {"outline": text})


def find_type(reading: Reading, symbol: str) -> CSharpType:
    """The one type that a symbol means."""
    names = [Name(merged.id, merged.fqn) for merged in reading.types]
    found = match_types(symbol, names)
    if not found:
        near = suggest_names(symbol, names)
        hint = f"Did you mean {', '.join(near)}?" if near else "`codecortex index` lists every type."
        raise SymbolNotFoundError(f"No type is called {symbol!r}.", hint, suggestions=near)
    if len(found) > 1:
        listed = "\n".join(f"  {name.id}  {name.fqn}" for name in found)
        raise AmbiguousSymbolError(
            f"{symbol!r} means {len(found)} types:\n{listed}",
            "Give more of the name, or the id.",
            candidates=[{"id": name.id, "fqn": name.fqn} for name in found],
        )
    return next(merged for merged in reading.types if merged.id == found[0].id)
