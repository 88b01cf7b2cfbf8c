"""Finds the commit that last changed each member of a type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.git.history import NOT_COMMITTED, Blame, blame_lines, find_blobs
from codecortex.git.repository import open_repository
from codecortex.git.revisions import read_shallow, resolve_commit
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.history.locate import locate, read_symbol, read_type, tell_asked
from codecortex.operations.reading.facts_library import FactsLibrary
from codecortex.operations.reading.tree import open_tree, read_projects
from codecortex.store.cache.cache import open_cache

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from codecortex.git.repository import Repository
    from codecortex.model.code.types import CSharpType
    from codecortex.operations.request import Request


class BlameRow(NamedTuple):
    """A member, or one declaration of the type itself, and the commit that last changed it.

    Attributes:
        kind: Its `MemberKind`; `type` for a declaration of the type.
        signature: The canonical signature; for the type, its kind and name.
        file: The file that declares it.
        line: Its first line, from 1.
        end_line: Its last line; for the type, the same as `line`.
        blame: The newest commit of its lines.
        column: Where it begins in its first line, from 1; git blames whole lines.
    """

    kind: str
    signature: str
    file: str
    line: int
    end_line: int
    blame: Blame
    column: int = 1


class BlameResult(NamedTuple):
    """The rows of a type: its declarations, then its members in canonical order.

    Attributes:
        id: Its TypeId.
        fqn: Its FQN.
        redirected_from: The old name from which an alias led here, or empty.
        rows: The rows, without members that the compiler adds.
        shallow: Whether a row's commit is only the oldest one of a shallow clone.
    """

    id: str
    fqn: str
    redirected_from: str
    rows: tuple[BlameRow, ...]
    shallow: bool


def blame(request: Request, symbol: str) -> BlameResult:
    """The commit that last changed each member of the type that a symbol means; white space changes are ignored.

    Raises:
        GitStateError: There is no commit.
        SymbolNotFoundError: The symbol means no type of the tree.
        AmbiguousSymbolError: It means several types.
    """
    repository = open_repository(request.folder, lasting=request.lasting)
    head = resolve_commit(repository, request.rev or "HEAD")
    with open_cache(repository.shared_dir, warn=request.warn, keeps=request.caches) as cache:
        tree = open_tree(request, repository, cache=cache)
        projects = read_projects(tree, cache)
        library = FactsLibrary(request, repository, cache)
        place = locate(tree, projects, read_symbol(symbol), library)
        tell_asked(request, place)
        found = read_type(tree, projects, place, library)
    rows = _list_rows(found.type) if found is not None else []
    blamed = _blame_files(repository, rows, head, worktree=request.rev is None)
    rows = [row._replace(blame=_newest(blamed[row.file], row)) for row in rows]
    boundary = read_shallow(repository)
    return BlameResult(
        place.id, place.fqn, place.redirected_from, tuple(rows), any(row.blame.commit in boundary for row in rows)
    )


def _list_rows(merged: CSharpType) -> list[BlameRow]:
    name = f"{merged.kind} {merged.display_name}"
    heads = [
        BlameRow("type", name, part.path, part.facts.line, part.facts.line, NOT_COMMITTED, part.facts.column)
        for part in merged.parts
        for line in (part.facts.line,)
    ]
    members = [
        BlameRow(facts.kind, member.signature, member.path, facts.line, facts.end_line, NOT_COMMITTED, facts.column)
        for member in merged.members
        if not (facts := member.facts).implicit
    ]
    return heads + members


def _blame_files(
    repository: Repository, rows: Sequence[BlameRow], head: str, *, worktree: bool
) -> dict[str, Mapping[int, Blame]]:
    """The blame of the lines of each file; empty for a file that is not committed."""
    spans: dict[str, tuple[int, int]] = {}
    for row in rows:
        first, last = spans.get(row.file, (row.line, row.end_line))
        spans[row.file] = min(first, row.line), max(last, row.end_line)
    held = find_blobs(repository, [(head, path) for path in spans])
    return {
        path: blame_lines(repository, path, [span], rev=None if worktree else head) if (head, path) in held else {}
        for path, span in spans.items()
    }


def _newest(lines: Mapping[int, Blame], row: BlameRow) -> Blame:
    found: Iterable[Blame] = (lines.get(line, NOT_COMMITTED) for line in range(row.line, row.end_line + 1))
    return max(found, key=lambda each: (not each.commit, each.time, each.commit), default=NOT_COMMITTED)
