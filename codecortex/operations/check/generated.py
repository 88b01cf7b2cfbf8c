"""Compares the generated files with what a refresh would write for the tree."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from codecortex.model.code.types import cut_simple_name
from codecortex.model.errors import StoreFormatError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.check.files import split_place, tell_format, tell_unread
from codecortex.operations.check.findings import REFRESH, Code, Finding, Level
from codecortex.operations.gaps import refuse_gaps
from codecortex.operations.reading.facts import digest_symbols, extract
from codecortex.operations.reading.last_read import hold_unreadable
from codecortex.operations.reading.snapshot import Run, load_snapshots, name_snapshot, save_snapshot
from codecortex.operations.reading.tree import read_projects
from codecortex.operations.refresh.plan import GeneratedFiles, choose_nearest, plan_refresh, refuse_older
from codecortex.store.committed.index_json import decode_index
from codecortex.store.committed.text import find_conflict
from codecortex.store.paths import INDEX, TYPES, outlined_type

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from codecortex.model.code.indexed import IndexedType
    from codecortex.operations.reading.committed_files import DiskFiles, GitFiles
    from codecortex.operations.reading.tree import Tree
    from codecortex.operations.refresh.plan import Plan
    from codecortex.operations.request import Request
    from codecortex.store.cache.cache import Cache


class Generated(NamedTuple):
    """The generated files, as they are and as they should be.

    Attributes:
        findings: The differences.
        plan: What a refresh would do; None if the files have another format version.
        held: The generated files as they are.
        blobs: Blob id of every file in `.codecortex`, by path; empty for what is no regular file.
    """

    findings: tuple[Finding, ...]
    plan: Plan | None
    held: GeneratedFiles
    blobs: Mapping[str, str]


def mend_command(request: Request) -> str:
    """The command that updates the generated files of the requested tree."""
    return f"{REFRESH} && git add .codecortex" if request.staged else REFRESH


def judge_generated(tree: Tree, files: DiskFiles | GitFiles, cache: Cache) -> Generated:
    """Compare the outlines and the index with the sources.

    Args:
        tree: The tree with the sources.
        files: The files of `.codecortex` in the same tree.
        cache: Facts, and the snapshots of the last refresh and the last check.
    """
    refreshed = next(load_snapshots(cache, tree.repository, Run.REFRESH), None)
    blobs = files.list_blobs(refreshed)
    data = files.read([INDEX]).get(INDEX)
    finding = _judge_index(tree.request, data)
    usable = {INDEX: data} if data is not None and finding is None else {}
    ours = {path: blob for path, blob in blobs.items() if path == INDEX or path.startswith(f"{TYPES}/")}
    held = GeneratedFiles(ours, usable.get)
    if finding is not None and finding.code in (Code.FORMAT_NEWER, Code.FORMAT_OLDER):
        return Generated((finding,), None, held, blobs)
    checked = load_snapshots(cache, tree.repository, Run.CHECK)
    nearest = choose_nearest(tree, [*([refreshed] if refreshed else []), *checked], cache)
    before = nearest.in_git if nearest is not None else None
    plan = plan_refresh(hold_unreadable(tree, cache), before, held, cache)
    refuse_gaps(plan.unread)
    if before is None or plan.memory != before._replace(stamps={}):
        save_snapshot(cache, name_snapshot(Run.CHECK, tree.repository), plan.memory)
    findings = list(_compare(tree, plan, blobs, cache))
    if finding is not None:
        findings = [finding, *(each for each in findings if each.path != INDEX)]
    told = (*_tell_markers(findings, files), *(tell_unread(*each) for each in plan.unread))
    return Generated(told, plan, held, blobs)


def _judge_index(request: Request, data: bytes | None) -> Finding | None:
    """The finding if the index cannot be compared."""
    if data is None:
        return None
    try:
        index = decode_index(data, INDEX)
    except StoreFormatError as error:
        return tell_format(error, INDEX, Code.INDEX_UNREADABLE, mend_command(request))
    try:
        refuse_older(index)
    except StoreFormatError as error:
        command = f"{REFRESH} --upgrade"
        return Finding(Code.FORMAT_OLDER, Level.ERROR, *split_place(error.message, INDEX), command)
    return None


def _compare(tree: Tree, plan: Plan, blobs: Mapping[str, str], cache: Cache) -> Iterator[Finding]:
    """A finding per generated file that is missing, out of date or superfluous; placed at the source of its type."""
    have = {path: blob for path, blob in blobs.items() if path == INDEX or path.startswith(f"{TYPES}/")}
    obstacles = [path for path in (TYPES, INDEX) if blobs.get(path) == ""]  # a link, say: a refresh refuses to write
    command = "".join(f"rm -f {path} && " for path in obstacles) + mend_command(tree.request)
    want = plan.snapshot.blobs
    rows = {row.id: row for row in plan.snapshot.rows}
    wrong = {
        path: rows[outlined_type(path) or ""] for path, blob in want.items() if path != INDEX and have.get(path) != blob
    }
    if INDEX not in have:
        told = "nothing was generated yet" if len(have) == 0 and wrong else "the index is missing"
        yield Finding(Code.INDEX_MISSING, Level.ERROR, INDEX, 1, told, command)
        if not have:
            return
    elif have[INDEX] != want[INDEX]:
        told = "the index is behind the sources" if have[INDEX] else "the index is a link, or cannot be read"
        yield Finding(Code.INDEX_BEHIND, Level.ERROR, INDEX, 1, told, command)
    places = _find_places(tree, wrong.values(), cache)
    for path, row in wrong.items():
        code, state = (Code.OUTLINE_BEHIND, "behind") if path in have else (Code.OUTLINE_MISSING, "missing")
        said = f"the outline of {row.fqn} is {state}"
        mend = f"rm -f {path} && {command}" if have.get(path) == "" else command
        yield Finding(code, Level.ERROR, *places[row.id], said, mend, path)
    for path in plan.removals:
        yield Finding(Code.OUTLINE_LEFT_OVER, Level.ERROR, path, 1, "no type has this outline", command)


def _find_places(tree: Tree, rows: Iterable[IndexedType], cache: Cache) -> dict[str, tuple[str, int]]:
    """A file that declares the type, and the line, by TypeId."""
    chosen = {row: _choose_file(row) for row in rows}
    symbols = {project.path: project.symbols for project in read_projects(tree, cache)}
    sets: dict[str, set[frozenset[str]]] = defaultdict(set)
    for row, path in chosen.items():
        sets[path].add(symbols[row.project])
    wanted = {path: (tree.sources.sources[path], list(each)) for path, each in sets.items()}
    store = extract(tree.request, tree.repository, wanted, cache)
    places = {}
    for row, path in chosen.items():
        facts = store.get(path, digest_symbols(symbols[row.project]))
        found = [declared.line for declared in facts.types if declared.fqn == row.fqn] if facts is not None else []
        places[row.id] = path, min(found, default=1)
    return places


def _choose_file(row: IndexedType) -> str:
    """Of the files that declare a type, the one named after it; else the first."""
    name = f"{cut_simple_name(row.fqn)}.cs".lower()
    return next((path for path in row.files if path.rpartition("/")[2].lower() == name), row.files[0])


def _tell_markers(findings: Iterable[Finding], files: DiskFiles | GitFiles) -> list[Finding]:
    """The findings; files that differ because of merge markers get a finding about these instead."""
    told = list(findings)
    contents = files.read([each.artefact for each in told if each.code is Code.OUTLINE_BEHIND])
    for at, each in enumerate(told):
        line = find_conflict(contents.get(each.artefact, b""))
        if line:
            said = f"merge marker in {each.message.partition(' is ')[0]}"
            told[at] = Finding(Code.MERGE_MARKER, Level.ERROR, each.artefact, line, said, each.command)
    return told
