"""A workspace and words in; the symbols they are about, best first, and why each was found, out."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from codecortex.model.errors import SymbolNotFoundError, UsageError
from codecortex.operations.catalog.storage import pack_numbers, unpack_numbers
from codecortex.operations.queries.access_log import read_access
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
    from collections.abc import Sequence

    from codecortex.operations.catalog.workspace import Workspace

_NO_KINDS: frozenset[str] = frozenset()
_VERSION = 1
_LONGEST = 20_000
_MOST_SUGGESTED = 5


def search(
    workspace: Workspace, text: str, *, limit: int = 20, offset: int = 0, kinds: frozenset[str] = _NO_KINDS
) -> Resolution:
    """The symbols that some words are about: by name, by the beginning or a part of a name, by documentation.

    Those that hold all of the words go before those that hold some, and of these the rarest words weigh most. A single
    word that is found nowhere is looked for as a misspelt name; one with `*` or `?` is a pattern.

    Args:
        workspace: The tree.
        text: Words with blanks between them, or a whole sentence.
        limit: Hits to a page.
        offset: Hits to leave out before it.
        kinds: As for `resolve`.

    Raises:
        SymbolNotFoundError: Nothing is about them; near names are suggested.
        UsageError: There is no word, or the text is too long.
    """
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
        raise _explain_nothing(workspace, text, words)
    return describe_page(workspace, text, hits[offset : offset + limit], (offset, len(hits)))


def _read_words(text: str) -> list[str]:
    if len(text) > _LONGEST:
        raise UsageError(f"{len(text):,} characters are too many; {_LONGEST:,} are allowed.")
    words = split_words(text)
    if not words:
        raise UsageError("There is no word to look for.", "`codecortex search open connection` looks for two.")
    return words


def _explain_nothing(workspace: Workspace, text: str, words: Sequence[str]) -> SymbolNotFoundError:
    """The error for words that no symbol holds; names that are near to one of them are suggested."""
    near = (name for word in list_terms(words) for name in suggest_names(parse_query(word), workspace.catalog.types))
    names = tuple(dict.fromkeys(islice(near, _MOST_SUGGESTED)))
    hint = f"Did you mean {', '.join(names)}?" if names else "`codecortex index` lists every type."
    return SymbolNotFoundError(f"Nothing is about {text[:200]!r}.", hint, suggestions=names)


def _open_index(workspace: Workspace) -> MemberIndex:
    """The members' index, from the local cache or made anew."""
    name, mark = f"{workspace.inputs.name}/search", f"{_VERSION}/{workspace.catalog.digest}"
    held, index = load_row(workspace.cache.get(name), _read_index) or ("", None)
    if index is None or held != mark:
        index = index_members(workspace.catalog)
        workspace.cache.put(name, pack_row((mark, pack_numbers(index.numbers), pack_numbers(index.firsts))))
    return index


def _read_index(row: Any) -> tuple[str, MemberIndex]:
    mark, numbers, firsts = row
    return mark, MemberIndex(unpack_numbers(numbers), unpack_numbers(firsts))
