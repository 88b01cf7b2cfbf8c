"""Searches symbols by words: in names, parts of names and documentation."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from codecortex.model.errors import SymbolNotFoundError, UsageError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.catalog.among import EVERYTHING, Among, cut_files, narrow
from codecortex.operations.catalog.storage import pack_numbers, unpack_numbers
from codecortex.operations.notes.investigations import find_answered
from codecortex.operations.queries.access_log import read_access
from codecortex.operations.queries.hits import describe_hits
from codecortex.operations.queries.resolve import (
    Resolution,
    describe_page,
    list_hits,
    read_query,
    refuse_kinds,
)
from codecortex.store.cache.rows import load_row, pack_row
from codecortex.symbols.near import suggest_names
from codecortex.symbols.query import parse_query
from codecortex.symbols.rarity import list_terms
from codecortex.symbols.searching import (
    MemberIndex,
    SearchTerms,
    index_members,
    read_hit,
    search_symbols,
    split_words,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from codecortex.operations.catalog.among import FilePage
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.symbols.hits import Hit

_VERSION = 1
_LONGEST = 20_000
_MOST_SUGGESTED = 5
_MOST_READ, _STEP = 20_000, 100
"""Hits whose files are listed at most, and how many at once."""


class SearchQuery(NamedTuple):
    """What is searched for.

    Attributes:
        text: Words with blanks between them, or a whole sentence.
        kinds: As for `resolve`.
        among: What the answer is narrowed to; a namespace passes nothing.
    """

    text: str
    kinds: frozenset[str] = frozenset()
    among: Among = EVERYTHING


def search(workspace: Workspace, query: SearchQuery, *, limit: int = 20, offset: int = 0) -> Resolution:
    """Find the symbols that match words: by name, prefix or part of a name, or documentation.

    Symbols that match all words come first, then those that match some, where rare words weigh most. A single word
    without matches is tried as a misspelt name; one with `*` or `?` is a pattern.

    Args:
        workspace: The tree.
        query: The words, and what to leave out.
        limit: Maximum number of hits on the page.
        offset: Number of hits to skip.

    Raises:
        SymbolNotFoundError: Nothing matches; similar names are suggested.
        UsageError: There are no words, or the text is too long; or no project has the given name.
    """
    answered = find_answered(workspace.tree, query.text) if query.among == EVERYTHING and not query.kinds else ()
    try:
        hits, total = _find(workspace, query, offset + limit)
    except SymbolNotFoundError:
        if not answered:
            raise
        hits, total = (), 0
    return describe_page(workspace, query.text, hits[offset:], (offset, total))._replace(answered=answered)


def search_files(workspace: Workspace, query: SearchQuery, *, limit: int = 20, offset: int = 0) -> FilePage:
    """The files that declare what a search finds, each where its best symbol stands; as `search` otherwise."""
    hits, _ = _find(workspace, query, _MOST_READ)
    return cut_files(_list_files(workspace, hits), offset, limit)


def _list_files(workspace: Workspace, hits: Sequence[Hit]) -> Iterator[str]:
    for start in range(0, len(hits), _STEP):
        shown = hits[start : start + _STEP]
        if all(hit.member is None or (hit.entry is not None and len(hit.entry.files) == 1) for hit in shown):
            yield from (path for hit in shown if hit.entry is not None for path in hit.entry.files)
        else:  # only facts tell in which of its type's files a member is declared
            yield from (path for record in describe_hits(workspace, shown) for path in record["files"])


def _find(workspace: Workspace, query: SearchQuery, most: int) -> tuple[Sequence[Hit], int]:
    """The best hits, and how many there are in all."""
    refuse_kinds(query.kinds)
    words = _read_words(query.text)
    narrowing = narrow(workspace, query.among)
    single = words[0] if len(words) == 1 else ""
    if "*" not in single and "?" not in single:
        types = workspace.catalog.types
        among = {n for n, each in enumerate(types) if narrowing.takes_type(each)} if narrowing is not None else None
        terms = SearchTerms(words, query.kinds, read_access(workspace).ranks, _open_index(workspace), among)
        rows, total = search_symbols(terms, workspace.catalog, most)
        if total:
            return [read_hit(row, workspace.catalog) for row in rows], total
    hits = list_hits(workspace, read_query(single, query.kinds)) if single else []
    if narrowing is not None:
        hits = [hit for hit in hits if hit.entry is not None and narrowing.takes_type(hit.entry)]
    if not hits:
        raise _explain_nothing(workspace, query, words)
    return hits[:most], len(hits)


def _read_words(text: str) -> list[str]:
    if len(text) > _LONGEST:
        raise UsageError(f"{len(text):,} characters are too many; {_LONGEST:,} are allowed.")
    words = split_words(text)
    if not words:
        raise UsageError("There is no word to look for.", "`codecortex search open connection` looks for two.")
    return words


def _explain_nothing(workspace: Workspace, query: SearchQuery, words: Sequence[str]) -> SymbolNotFoundError:
    """The error for words that no symbol holds; names that are near to one of them are suggested."""
    near = (name for word in list_terms(words) for name in suggest_names(parse_query(word), workspace.catalog.types))
    names = tuple(dict.fromkeys(islice(near, _MOST_SUGGESTED)))
    further = (
        "`codecortex context` looks inside members, for local functions and texts; `codecortex index` lists types."
    )
    hint = f"Did you mean {', '.join(names)}?" if names else further
    if query.among != EVERYTHING:
        hint = f"Nothing of what --tests, --no-tests, --path and --project let through is. {hint}"
    return SymbolNotFoundError(f"Nothing is about {query.text[:200]!r}.", hint, suggestions=names)


def _open_index(workspace: Workspace) -> MemberIndex:
    """The search index of members, from the cache or newly built."""
    name, mark = f"{workspace.inputs.name}/search", f"{_VERSION}/{workspace.catalog.digest}"
    held, index = load_row(workspace.cache.get(name), _read_index) or ("", None)
    if index is None or held != mark:
        index = index_members(workspace.catalog)
        workspace.cache.put(name, pack_row((mark, pack_numbers(index.numbers), pack_numbers(index.firsts))))
    return index


def _read_index(row: Any) -> tuple[str, MemberIndex]:
    mark, numbers, firsts = row
    return mark, MemberIndex(unpack_numbers(numbers), unpack_numbers(firsts))
