"""Searches symbols by words: in names, parts of names and documentation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.model.errors import UsageError
from codecortex.operations.catalog.storage import pack_numbers, unpack_numbers
from codecortex.operations.queries.access_log import read_access
from codecortex.operations.queries.resolve import (
    Resolution,
    describe_page,
    explain_nothing,
    list_hits,
    read_query,
    refuse_kinds,
    require_index,
)
from codecortex.store.cache.rows import load_row, pack_row
from codecortex.symbols.query import LONGEST_QUERY, parse_query
from codecortex.symbols.searching import (
    MOST_WORDS,
    MemberIndex,
    SearchTerms,
    index_members,
    read_hit,
    search_symbols,
    split_words,
)

if TYPE_CHECKING:
    from codecortex.operations.catalog.workspace import Workspace

_NO_KINDS: frozenset[str] = frozenset()
_VERSION = 1


def search(
    workspace: Workspace, text: str, *, limit: int = 20, offset: int = 0, kinds: frozenset[str] = _NO_KINDS
) -> Resolution:
    """Find the symbols that match all words: by name, prefix or part of a name, or documentation.

    A single word without matches is tried as a misspelt name; one with `*` or `?` is a pattern.

    Args:
        workspace: The tree.
        text: Words separated by spaces; all must match.
        limit: Maximum number of hits on the page.
        offset: Number of hits to skip.
        kinds: As for `resolve`.

    Raises:
        NoIndexError: The work tree was never indexed.
        SymbolNotFoundError: Nothing matches; similar names are suggested.
        UsageError: There are no words, or too many.
    """
    require_index(workspace)
    refuse_kinds(kinds)
    words = _read_words(text)
    single = words[0] if len(words) == 1 else ""
    if "*" not in single and "?" not in single:
        ranks = read_access(workspace).ranks
        sought = SearchTerms(words, kinds, ranks, _open_index(workspace))
        rows, total = search_symbols(sought, workspace.catalog, offset + limit)
        if total:
            shown = [read_hit(row, workspace.catalog) for row in rows[offset:]]
            return describe_page(workspace, text, shown, (offset, total))
    hits = list_hits(workspace, read_query(single, kinds)) if single else []
    if not hits:
        raise explain_nothing(workspace, parse_query(text))
    return describe_page(workspace, text, hits[offset : offset + limit], (offset, len(hits)))


def _read_words(text: str) -> list[str]:
    if len(text) > LONGEST_QUERY:
        raise UsageError(f"{len(text):,} characters are too many; {LONGEST_QUERY:,} are allowed.")
    words = split_words(text)
    if not words:
        raise UsageError("There is no word to look for.", "`codecortex search open connection` looks for two.")
    if len(words) > MOST_WORDS:
        raise UsageError(f"{len(words)} words are too many; {MOST_WORDS} are allowed.", "Take the rarest of them.")
    return words


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
