"""Git merge driver for semantic notes: merges three versions into ours; the result is always stale.

Git calls it when both sides changed a note. At that time no tree with the merged sources exists, so the fingerprints of
the merged sources are estimated: a hash that one side alone changed from the base is taken from that side; one that
both changed, from the work tree as it is. The side whose hashes match more of these wins, ours in a tie. A section that
one side alone changed is taken from that side, one that both changed from the winner; and so are lines on members.
Where one side renamed the type, git gives all three versions the new path: each is read as the note it says it is, and
what comes out is the note of that path.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.git.repository import open_repository
from codecortex.model.errors import CodecortexError, NewerFormatError, StoreFormatError
from codecortex.model.notes import UNKNOWN, Section
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.queries.index import read_whole
from codecortex.operations.reading.hashes import fingerprint_some
from codecortex.store.cache.cache import open_cache
from codecortex.store.committed.semantic_md import decode_note, encode_note
from codecortex.store.paths import semantic_owner, semantic_path

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from codecortex.model.notes import MemberLine, Note
    from codecortex.operations.request import Request


class Outcome(NamedTuple):
    """Result of a merge.

    Attributes:
        kept: The side that won: its hashes, and its text where both sides changed a section.
        dropped: Sections whose text on the other side is lost, and members whose line there is.
        damaged: Whether the other side is no whole note, so that nothing of it is taken.
        problem: Why there is no result and ours is unchanged; empty if there is one.
    """

    kept: str
    dropped: tuple[str, ...] = ()
    problem: str = ""
    damaged: bool = False


def merge_note(request: Request, versions: tuple[Path, Path, Path], path: str) -> Outcome:
    """Merge a note.

    Args:
        request: The repository with the sources, and where to send warnings.
        versions: Files with the base (empty if there is none), ours and theirs; the result is written to ours.
        path: Path of the note in the repository.

    Raises:
        NewerFormatError: A newer codecortex wrote one of the versions.
    """
    try:
        base, ours, theirs = (file.read_bytes() for file in versions)
    except OSError as error:
        return Outcome("ours", problem=f"{error.filename} cannot be read: {error.strerror}")
    if theirs in (base, ours):
        return Outcome("ours")
    outcome, data = Outcome("theirs"), theirs
    if ours != base:
        outcome, data = _merge(request, (_read(base, path), _read(ours, path), _read(theirs, path)), path)
    if not outcome.problem:
        try:
            versions[1].write_bytes(data)
        except OSError as error:
            return Outcome("ours", problem=f"{error.filename} cannot be written: {error.strerror}")
    return outcome


def _read(data: bytes, path: str) -> Note | None:
    """The parsed note, whosever it is; None if there is none or it is damaged."""
    title = data.partition(b"\n")[0].decode(errors="replace")
    try:
        return decode_note(data, semantic_path(title.rpartition(" ")[2]) if title.startswith("# ") else path)
    except NewerFormatError:
        raise
    except StoreFormatError:
        return None


def _merge(request: Request, notes: tuple[Note | None, Note | None, Note | None], path: str) -> tuple[Outcome, bytes]:
    base, ours, theirs = (_rename(note, notes, path) for note in notes)
    dropped: tuple[str, ...] = ()
    if ours is not None and theirs is not None:
        kept = _choose(request, base, ours, theirs)
        winner, loser = (ours, theirs) if kept == "ours" else (theirs, ours)
        note, dropped = _join(base, winner, loser)
    elif ours is not None:
        kept, note = "ours", ours
    elif theirs is not None:
        kept, note = "theirs", theirs
    else:
        return Outcome("ours", problem=f"neither side of {path} is a whole note"), b""
    stale = note._replace(types=tuple(each._replace(structure=UNKNOWN) for each in note.types))
    return Outcome(kept, dropped, damaged=ours is None or theirs is None), encode_note(stale)


def _rename(note: Note | None, notes: tuple[Note | None, ...], path: str) -> Note | None:
    """A note as that of the path, where another of these is that and it is not: its type has another name there."""
    target = next((each for each in notes[:0:-1] if each is not None and each.owner == semantic_owner(path)), None)
    if note is None or target is None or note.owner == target.owner:
        return note
    types = target.types
    if len(note.types) == len(types) == 1:
        types = (note.types[0]._replace(type_id=types[0].type_id, fqn=types[0].fqn),)
    return note._replace(owner=target.owner, types=types)


def _join(base: Note | None, winner: Note, loser: Note) -> tuple[Note, tuple[str, ...]]:
    """The winner with sections and lines that the loser alone changed; and those of the loser that are lost."""
    texts: list[str] = []
    dropped: list[str] = []
    digests, others = (winner.body_hash or "").split(), (loser.body_hash or "").split()
    alike = winner.generator == loser.generator and len(digests) == len(others) == len(Section)
    for number, section in enumerate(Section):
        text, other = winner.texts[number], loser.texts[number]
        if base is not None and text == base.texts[number]:
            text = other
            if alike:  # otherwise it counts as edited, since another generator wrote it
                digests[number] = others[number]
        elif other.strip() and other != text and (base is None or other != base.texts[number]):
            dropped.append(section)
        texts.append(text)
    members, lost = _join_lines(base, winner, loser)
    told = " ".join(digests) or None
    note = winner._replace(texts=tuple(texts), body_hash=told, members=members, rest=winner.rest or loser.rest)
    return note, (*dropped, *lost)


def _join_lines(base: Note | None, winner: Note, loser: Note) -> tuple[tuple[MemberLine, ...], list[str]]:
    """The lines of both on members, and the members whose line in the loser is lost.

    Of each member that line is taken which one side alone changed, of the winner if both did. A member that one side
    took away stays away, unless the other changed its line.
    """
    before, other = ({each.name: each for each in note.members} if note else {} for note in (base, loser))
    out, lost = {}, []
    for line in winner.members:
        old, theirs = before.get(line.name), other.get(line.name)
        if line != old or not other:
            out[line.name] = line
            if theirs not in (None, old) and theirs.text not in ("", line.text):
                lost.append(line.name)
        elif theirs is not None:
            out[line.name] = theirs
    added = (line for line in loser.members if line.name not in out and line != before.get(line.name))
    return (*out.values(), *added), lost


def _choose(request: Request, base: Note | None, ours: Note, theirs: Note) -> str:
    """The side whose hashes match more of the expected fingerprints of the merged sources."""
    if ours.hash_version != theirs.hash_version:  # hashes of two versions cannot be compared
        return "ours" if ours.hash_version > theirs.hash_version else "theirs"
    before = _list_hashes(base) if base is not None else {}
    first, second = _list_hashes(ours), _list_hashes(theirs)
    lead, open_keys = 0, []
    for key in first.keys() | second.keys():
        mine, other, old = first.get(key), second.get(key), before.get(key)
        if mine == other:
            continue
        if old not in (mine, other):
            open_keys.append(key)
        else:
            lead += 1 if other == old else -1
    if open_keys:
        today = _hash_today(request, {type_id for type_id, _ in open_keys})
        fits = [(first.get(key) == today[key], second.get(key) == today[key]) for key in open_keys if key in today]
        lead += sum(mine - other for mine, other in fits)
    return "ours" if lead >= 0 else "theirs"


def _list_hashes(note: Note) -> dict[tuple[str, str], str]:
    """Every hash in a note's header, by TypeId and kind of hash."""
    found: dict[tuple[str, str], str] = {(each.type_id, "needed"): each.structure for each in note.dependencies}
    for base in note.types:
        found[base.type_id, "structure"] = base.structure
        found[base.type_id, "public"] = base.public_impl
        found[base.type_id, "internal"] = base.internal_impl
        if base.xml_doc is not None:
            found[base.type_id, "doc"] = base.xml_doc
    return found


def _hash_today(request: Request, ids: set[str]) -> Mapping[tuple[str, str], str]:
    """Hashes of types in the work tree, under the keys of `_list_hashes`; empty if it cannot be read."""
    try:
        repository = open_repository(request.folder)
        with open_cache(repository.shared_dir, warn=request.warn, keeps=request.caches) as cache:
            prints = fingerprint_some(read_whole(request, repository, cache), ids)
    except CodecortexError as error:
        request.warn(f"{error.message} Our side of the note is kept.")
        return {}
    found: dict[tuple[str, str], str] = {}
    for type_id, each in prints.items():
        found[type_id, "needed"] = found[type_id, "structure"] = each.structure
        found[type_id, "public"], found[type_id, "internal"] = each.public_impl, each.internal_impl
        found[type_id, "doc"] = each.xml_doc
    return found
