"""Lists, adds and removes aliases; a note moves along with its type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.changes.renames import name_reason
from codecortex.analysis.types.assemble import Group, assign_ids
from codecortex.git.history import blame_lines, find_blobs
from codecortex.git.hooks.staging import read_held
from codecortex.git.lock import lock_repository
from codecortex.git.repository import open_repository
from codecortex.model.code.aliases import Alias
from codecortex.model.code.types import cut_simple_name
from codecortex.model.errors import StoreFormatError, SymbolNotFoundError, UsageError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.folder import require_folder
from codecortex.operations.notes.moves import apply_note_writes, carry_notes, read_note_files
from codecortex.operations.queries.resolve import find_type
from codecortex.operations.reading.alias_table import read_rows, read_table
from codecortex.operations.reading.tree import open_tree, read_tree
from codecortex.operations.refresh.renames import plan_moves
from codecortex.store.committed.aliases_json import collapse, decode_rows, encode_aliases
from codecortex.store.committed.index_json import IndexFile, decode_index
from codecortex.store.paths import ALIASES, INDEX, semantic_owner
from codecortex.symbols.match import match_aliases
from codecortex.symbols.query import parse_query

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from codecortex.git.repository import Repository
    from codecortex.model.code.types import CSharpType
    from codecortex.operations.reading.tree import Reading, Tree
    from codecortex.operations.request import Request


_NAME = r"[^\W\d]\w*(?:`\d{1,3})?"
_FULL_NAME = compile_later(rf"{_NAME}(?:[.+]{_NAME})*")


class AliasRow(NamedTuple):
    """An alias, and the commit that last changed its line, with the author's time in epoch seconds.

    `commit` is empty if no commit contains the line, and for the index.
    """

    alias: Alias
    commit: str
    time: int


class AliasEdit(NamedTuple):
    """Result of `add` or `remove`.

    Attributes:
        aliases: The rows added or removed.
        moved: New path of the note that moved, or empty.
        kept: Why a note did not move, or empty.
    """

    aliases: tuple[Alias, ...]
    moved: str
    kept: str


class OldName(NamedTuple):
    """A former type: TypeId and FQN."""

    id: str
    fqn: str


# -- list


def list_aliases(request: Request) -> tuple[AliasRow, ...]:
    """All aliases of a tree, sorted by old name, each with the commit that last changed it.

    Raises:
        StoreFormatError: The table is damaged, or a newer codecortex wrote it.
    """
    tree = open_tree(request, open_repository(request.folder, lasting=request.lasting))
    data = read_table(tree)
    if not data:
        return ()
    rows = decode_rows(data, ALIASES)
    commits = _blame_rows(tree, data)
    listed = [AliasRow(row, *commits.get(row.old_id, ("", 0))) for row in rows]
    return tuple(sorted(listed, key=lambda row: (row.alias.old_fqn, row.alias)))


def _blame_rows(tree: Tree, data: bytes) -> dict[str, tuple[str, int]]:
    """Old TypeId to commit and time of the last change of its line."""
    rev, repository = tree.request.rev or "HEAD", tree.repository
    if tree.request.staged or tree.listing.head is None or not find_blobs(repository, [(rev, ALIASES)]):
        return {}
    lines = data.decode().splitlines()
    blamed = blame_lines(repository, ALIASES, [(1, len(lines))], rev=tree.request.rev)
    found = {}
    for number, blame in blamed.items():
        key = lines[number - 1].split('"')[1:2]
        if key and blame.commit.strip("0"):
            found[key[0]] = (blame.commit, blame.authored)
    return found


# -- add and remove


def add_alias(request: Request, old: str, new: str) -> AliasEdit:
    """Record what became of a type; its note, if any, moves along.

    Args:
        request: A request for the work tree.
        old: TypeId or FQN of a type that no longer exists.
        new: Any symbol for an existing type.

    Raises:
        UsageError: There is no `.codecortex`, or `old` is still a type.
        SymbolNotFoundError: `new` matches nothing, or the TypeId `old` is unknown.
        AmbiguousSymbolError: `new` matches several types.
        StoreFormatError: The table is damaged.
    """
    repository = open_repository(request.folder, lasting=request.lasting)
    require_folder(repository)
    with lock_repository(repository), Workspace(request) as workspace:
        reading = read_tree(workspace.tree, workspace.projects, workspace.cache)
        entry, _ = find_type(workspace, new)
        merged = next(each for each in reading.types if each.id == entry.id)
        gone = _find_old(reading, old, merged)
        alias = Alias(gone.id, gone.fqn, merged.id, merged.fqn, name_reason(gone.fqn, merged.fqn), 1.0)
        return _apply(reading, alias)


def _apply(reading: Reading, alias: Alias) -> AliasEdit:
    tree, living = reading.tree, {merged.id for merged in reading.types}
    before = read_rows(tree)
    kept = (row for row in before if row.old_id != alias.old_id)
    rows = {
        row._replace(new_id=alias.new_id, new_fqn=alias.new_fqn, collapsed=True) if row.new_id == alias.old_id else row
        for row in kept
    }
    files = read_note_files(tree)
    moves, doubts = plan_moves(files, {alias.old_id: alias})
    writes = carry_notes(files, moves, {alias.old_id: alias})
    writes[ALIASES] = encode_aliases({*rows, alias} - {row for row in rows if row.old_id in living})
    apply_note_writes(tree.repository, writes, moves)
    return AliasEdit((alias,), moves[0].new_path if moves else "", doubts[0].why if doubts else "")


def _find_old(reading: Reading, old: str, new: CSharpType) -> OldName:
    """The former type with an id or FQN; for an unknown name, one with the kind of its successor."""
    text = old.strip().removeprefix("T:")
    here = next((merged for merged in reading.types if text in (merged.id, merged.fqn)), None)
    if here is not None:
        raise UsageError(f"{here.fqn} is a type today.", "Only a name that is no longer used can be an alias.")
    known = next(list_old_names(reading.tree, text), None) or _find_simple(reading, text)
    if known is not None:
        return known
    if text.startswith("T_") and "." not in text:
        raise SymbolNotFoundError(f"Nothing is known of a type {text}.", "Give its full name instead of its id.")
    if not _FULL_NAME.fullmatch(text):
        raise UsageError(f"{old!r} is no full name of a type.", "Give one such as Shop.Order or Shop.Store`1+Entry.")
    group = Group(text, new.kind, new.project, new.owner)
    found = assign_ids([group])[group]
    if any(merged.id == found for merged in reading.types):
        raise UsageError(f"{text} has the id of a type of today.", "Give the id that it had.")
    return OldName(found, text)


def _find_simple(reading: Reading, text: str) -> OldName | None:
    """The one former type with that simple name; refuses a name that only an existing type has."""
    living = {merged.id for merged in reading.types}
    named = {name for name in _list_kept(reading.tree) if name.id not in living and cut_simple_name(name.fqn) == text}
    here = next((merged for merged in reading.types if merged.simple_name == text), None)
    if len(named) > 1:
        several = tuple(sorted(name.fqn for name in named))
        raise SymbolNotFoundError(f"{text!r} means {len(named)} types.", f"There were {', '.join(several[:5])}.")
    if not named and here is not None:
        raise UsageError(
            f"{text} is the name of {here.fqn}, a type today.", "Give the full name of a type that is gone."
        )
    return next(iter(named), None)


def list_old_names(tree: Tree, text: str) -> Iterator[OldName]:
    """Former types with that TypeId or FQN, from the index, the alias table, the notes and the history of the index."""
    repository, head = tree.repository, tree.listing.head
    yield from (name for name in _list_kept(tree) if text in name)
    if head is not None:
        row = f'"{text}":' if text.startswith("T_") and "." not in text else f'"fqn":"{text}"'
        for commit in find_index_commits(repository, row):
            found = read_index_at(repository, commit)
            rows = found.types.items() if found is not None else ()
            yield from (OldName(key, each.fqn) for key, each in rows if text in (key, each.fqn))


def _list_kept(tree: Tree) -> Iterator[OldName]:
    """All names in the indexes of the work tree and of HEAD, in the alias table and in the notes."""
    for index in _read_indexes(tree):
        yield from (OldName(key, row.fqn) for key, row in index.types.items())
    yield from (OldName(row.old_id, row.old_fqn) for row in read_rows(tree))
    for path, data in read_note_files(tree).items():
        key = semantic_owner(path)
        if key and (title := read_title(key, data)):
            yield OldName(key, title)


def read_title(key: str, data: bytes) -> str:
    """The FQN in a note's title line; empty if the line does not have the given TypeId."""
    title = data.partition(b"\n")[0].decode("utf-8", "replace").split()
    return title[-2] if title[-1:] == [key] and len(title) > 1 else ""


def _read_indexes(tree: Tree) -> Iterator[IndexFile]:
    """The index of the work tree, then HEAD's."""
    file = tree.repository.require_root() / INDEX
    if file.is_file():
        try:
            yield decode_index(file.read_bytes(), INDEX)
        except StoreFormatError as problem:
            tree.request.warn(problem.message)
    found = read_index_at(tree.repository, tree.listing.head) if tree.listing.head is not None else None
    if found is not None:
        yield found


def find_index_commits(repository: Repository, row: str) -> list[str]:
    """The commits that last contained a row of the index: the parent of the one that removed it, or that one itself."""
    options = ("log", "-1", "--format=%H %P", "--no-color", "--no-show-signature", "--no-textconv", f"-S{row}")
    output = repository.ask("search the index's history", *options, "--", INDEX)
    return [commit for line in output.decode().splitlines() for commit in reversed(line.split()[:2])]


def read_index_at(repository: Repository, commit: str) -> IndexFile | None:
    """The index of a commit; None if there is none or it cannot be read."""
    data = read_held(repository, commit, INDEX)
    try:
        return decode_index(data, INDEX) if data is not None else None
    except StoreFormatError:
        return None


def remove_alias(request: Request, old: str) -> AliasEdit:
    """Remove an alias; no note moves.

    Raises:
        SymbolNotFoundError: There is no such alias; known old names are suggested.
        UsageError: There is no `.codecortex`.
        StoreFormatError: The table is damaged.
    """
    repository = open_repository(request.folder, lasting=request.lasting)
    require_folder(repository)
    with lock_repository(repository):
        tree = open_tree(request, repository)
        rows = read_rows(tree)
        wanted = {alias.old_id for alias in match_aliases(parse_query(old), _choose(rows))}
        gone = tuple(row for row in rows if row.old_id in wanted)
        if len(wanted) != 1:
            known = tuple(sorted({row.old_fqn for row in rows if not wanted or row.old_id in wanted}))[:5]
            message = f"{old!r} means {len(wanted)} aliases." if wanted else f"No alias is called {old!r}."
            hint = f"There are {', '.join(known)}." if known else "`codecortex alias list` lists every alias."
            raise SymbolNotFoundError(message, hint, suggestions=known)
        writes = {ALIASES: encode_aliases(row for row in rows if row.old_id not in wanted)}
        apply_note_writes(repository, writes, ())
    return AliasEdit(gone, "", "")


def _choose(rows: Sequence[Alias]) -> list[Alias]:
    """One row per old TypeId, including those in cycles."""
    table = collapse(rows)
    return list(({row.old_id: row for row in table.loops} | table.aliases).values())
