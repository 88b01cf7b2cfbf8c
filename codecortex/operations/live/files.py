"""Finds the file that a live context is about, and reads its texts: at versions, and as it lies on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.context.live.values import NO_FILE, FileText
from codecortex.editing.drafts import decode_draft
from codecortex.git.listing import hash_stored
from codecortex.git.objects.opening import open_objects
from codecortex.git.paths import decode_path, encode_path
from codecortex.git.worktree.disk import Disk, Problem, fold_line_ends, hash_blob
from codecortex.model.errors import UsageError
from codecortex.operations.queries.read import may_lie_inside
from codecortex.operations.reading.places import list_places
from codecortex.store.paths import FOLDER
from codecortex.symbols.near import suggest_paths

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codecortex.editing.drafts import Draft
    from codecortex.git.repository import Repository
    from codecortex.operations.live.chains import Chain
    from codecortex.operations.request import Request

_ENDS = {"\n": "LF", "\r\n": "CRLF", "\r": "CR"}


def list_changed(repository: Repository, chain: Chain) -> tuple[str, ...]:
    """The files that differ between the oldest version and what is told of, codecortex's own left out; sorted."""
    paths: set[str] = set()
    if chain.newest is not None and chain.oldest is not None and chain.newest != chain.oldest:
        found = open_objects(repository).diff_trees(chain.oldest.id, chain.newest.id)
        paths = {encode_path(each.path) for each in found}
    if chain.on_disk:
        paths |= _list_uncommitted(repository)
    return tuple(sorted(path for path in paths if not path.startswith(f"{FOLDER}/")))


def _list_uncommitted(repository: Repository) -> set[str]:
    """Tracked files that are not as HEAD has them."""
    fixed = ("--porcelain", "-z", "--no-renames", "--untracked-files=no", "--ignore-submodules=dirty")
    output = repository.ask("look at the work tree", "status", *fixed)
    return {encode_path(record[3:]) for record in output.split(b"\0") if record}


def find_path(request: Request, repository: Repository, chain: Chain, asked: str) -> str:
    """The path of a file as a user writes it, from where they stand or from the top.

    Raises:
        UsageError: There is no such file, neither now nor in the oldest version.
    """
    candidates = [each for each in list_places(request, repository, asked) if may_lie_inside(each)]
    names = chain.ends
    blobs = open_objects(repository).find_blobs([(name, path) for name in names for path in candidates])
    for path in candidates:
        if any((name, path) in blobs for name in names) or (chain.latest and read_disk(repository, path) != NO_FILE):
            return path
    known = open_objects(repository).list_tree(names[0]).entries if names else ()
    near = suggest_paths(asked, [encode_path(each.path) for each in known])
    hint = f"Did you mean {', '.join(near)}?" if near else "A path is meant, from where you stand or from the top."
    raise UsageError(f"There is no file {asked[:200]!r} here.", hint, suggestions=near)


def read_versions(repository: Repository, path: str, versions: Sequence[str]) -> dict[str, FileText]:
    """What a file says at each of some versions."""
    objects = open_objects(repository)
    found = objects.find_blobs([(version, path) for version in versions])
    wanted = sorted(set(found.values()))
    texts = {wanted[place]: _decode(data) for place, data in objects.read_blobs(wanted)}
    return {version: texts[found[version, path]] if (version, path) in found else NO_FILE for version in versions}


def read_disk(repository: Repository, path: str) -> FileText:
    """What a file on disk says, as git would store it where it converts line ends."""
    name = decode_path(path)
    data = Disk(repository.require_root()).read(name)
    if data is Problem.MISSING:
        return NO_FILE
    if isinstance(data, bytes) and b"\r\n" in data:
        stored = hash_stored(repository, [name])[name]
        folded = fold_line_ends(data)
        if stored == hash_blob(folded, repository.object_format) != hash_blob(data, repository.object_format):
            data = folded
    return _decode(data)


def _decode(data: bytes | Problem) -> FileText:
    if isinstance(data, Problem):
        return FileText(reason=f"it is {data}" if data is Problem.UNREADABLE else f"it is a {data}")
    draft = decode_draft(data)
    return FileText(reason=f"it {draft}") if isinstance(draft, str) else FileText(draft.shown, form=_name_form(draft))


def _name_form(draft: Draft) -> str:
    """Encoding and line ends, as `utf-8, LF`."""
    pairs, raw = draft.raw.count("\r\n"), draft.raw
    kinds = [("\r\n", pairs), ("\n", raw.count("\n") - pairs), ("\r", raw.count("\r") - pairs)]
    ends = [_ENDS[end] for end, number in kinds if number]
    mark = " with byte order mark" if draft.form.mark else ""
    return f"{draft.form.encoding}{mark}, {' and '.join(ends) or 'no line end'}"
