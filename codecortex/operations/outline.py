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
from codecortex.symbols.match import Name, match_aliases, match_types, suggest_names

if TYPE_CHECKING:
    from codecortex.model.aliases import Alias
    from codecortex.model.types import CSharpType
    from codecortex.operations.reading import Reading
    from codecortex.operations.request import Request


class OutlineResult(NamedTuple):
    """One type's outline with its hashes, its record as JSON values, and the old name it was found by, or empty."""

    text: str
    record: dict[str, Any]
    redirected_from: str = ""


def outline(request: Request, symbol: str) -> OutlineResult:
    """The outline of the one type that a symbol means, by today's name or an old one that the alias table knows.

    Raises:
        SymbolNotFoundError: It means none; near names are suggested.
        AmbiguousSymbolError: It means several; they are named.
    """
    repository = open_repository(request.folder)
    with open_cache(repository.shared_dir, warn=request.warn) as cache:
        reading = read_whole(request, repository, cache)
    warn_of_unread(reading)
    merged, alias = resolve_type(reading, symbol)
    nested = Nested(reading.types).of(merged)
    prints = fingerprint(merged, nested, rules_of(reading.tree.config))
    fqns = {t.id: t.fqn for t in reading.types}
    links = link_outline(merged, make_resolver(reading), fqns, reading.tree.config.outline.max_dependencies)
    assembly = next(p.assembly for p in reading.projects if p.path == merged.project)
    text = write_outline(merged, assembly, nested, links)
    record = describe_type(merged, prints) | {"outline": text}
    if alias is None:
        return OutlineResult(add_hashes(text, prints), record)
    return OutlineResult(add_hashes(text, prints), record | {"redirectedFrom": alias.old_fqn}, alias.old_fqn)


def find_type(reading: Reading, symbol: str) -> CSharpType:
    """The one type that a symbol means, by today's name or an old one."""
    return resolve_type(reading, symbol)[0]


def resolve_type(reading: Reading, symbol: str) -> tuple[CSharpType, Alias | None]:
    """The one type that a symbol means, and the alias that led to it, if its name is an old one."""
    names = [Name(merged.id, merged.fqn) for merged in reading.types]
    found = match_types(symbol, names)
    alias = None
    if not found:
        from codecortex.operations.alias_table import read_aliases  # noqa: PLC0415 - only for what has no such name

        known = {name.id: name for name in names}
        old = [each for each in match_aliases(symbol, read_aliases(reading.tree).values()) if each.new_id in known]
        found = tuple({each.new_id: known[each.new_id] for each in old}.values())
        alias = old[0] if old else None
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
    return next(merged for merged in reading.types if merged.id == found[0].id), alias
