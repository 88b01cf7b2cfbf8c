"""Three versions of a semantic note in; the merged one, which reads as stale, written over ours.

Git asks for it where both sides changed a note. While it does, no tree holds the merged sources yet. So what they will
hash to is put together as git puts together the sources: where one side alone moved a hash away from the base, that
side's; where both did, that of the sources as they lie there now. The side whose hashes fit more of these wins, ours
where both fit alike. A section that one side alone changed is that side's, one that both changed is the winner's.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from codecortex.git.repository import open_repository
from codecortex.model.errors import CodecortexError, NewerFormatError, StoreFormatError
from codecortex.model.hashing import Digest
from codecortex.model.notes import Section
from codecortex.operations.notes.files import fingerprint_some
from codecortex.operations.queries.index import read_whole
from codecortex.store.cache.cache import open_cache
from codecortex.store.committed.semantic_md import decode_note, encode_note

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from codecortex.model.notes import Note
    from codecortex.operations.request import Request

UNKNOWN = Digest("00000000")
"""The structureHash of one type in a trillion: a note that says it was made from it is stale."""


class Outcome(NamedTuple):
    """What became of two versions.

    Attributes:
        kept: The side whose hashes, and whose text where both changed a section, are in the result.
        dropped: Sections whose text on the other side is not in the result.
        problem: Why there is no result, and ours is as it was; empty where there is one.
    """

    kept: str
    dropped: tuple[Section, ...] = ()
    problem: str = ""


def merge_note(request: Request, versions: tuple[Path, Path, Path], path: str) -> Outcome:
    """Merge a note.

    Args:
        request: Where the sources lie, and whom to warn.
        versions: Files that hold the base (empty where there is none), ours and theirs; ours is written.
        path: Where the note stands in the repository.

    Raises:
        NewerFormatError: A newer codecortex wrote one of them.
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
    """A note; None where there is none, or a damaged one, which is no text to keep."""
    try:
        return decode_note(data, path)
    except NewerFormatError:
        raise
    except StoreFormatError:
        return None


def _merge(request: Request, notes: tuple[Note | None, Note | None, Note | None], path: str) -> tuple[Outcome, bytes]:
    base, ours, theirs = notes
    dropped: tuple[Section, ...] = ()
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
    stale = replace(note, types=tuple(each._replace(structure=UNKNOWN) for each in note.types))
    return Outcome(kept, dropped), encode_note(stale)


def _join(base: Note | None, winner: Note, loser: Note) -> tuple[Note, tuple[Section, ...]]:
    """The winner with the sections that the loser alone changed; those of the loser's that are lost."""
    texts, dropped = [], []
    digests, others = (winner.body_hash or "").split(), (loser.body_hash or "").split()
    alike = winner.generator == loser.generator and len(digests) == len(others) == len(Section)
    for number, section in enumerate(Section):
        text, other = winner.texts[number], loser.texts[number]
        if base is not None and text == base.texts[number]:
            text = other
            if alike:  # else it reads as edited: its writer was another
                digests[number] = others[number]
        elif other.strip() and other != text and (base is None or other != base.texts[number]):
            dropped.append(section)
        texts.append(text)
    return replace(winner, texts=tuple(texts), body_hash=" ".join(digests) or None), tuple(dropped)


def _choose(request: Request, base: Note | None, ours: Note, theirs: Note) -> str:
    """The side whose hashes fit more of what the merged sources will hash to."""
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
    """Every hash in a note's header, by the type's id and what it is of."""
    found: dict[tuple[str, str], str] = {(each.type_id, "needed"): each.structure for each in note.dependencies}
    for base in note.types:
        found[base.type_id, "structure"] = base.structure
        found[base.type_id, "public"] = base.public_impl
        found[base.type_id, "internal"] = base.internal_impl
        if base.xml_doc is not None:
            found[base.type_id, "doc"] = base.xml_doc
    return found


def _hash_today(request: Request, ids: set[str]) -> Mapping[tuple[str, str], str]:
    """What types hash to in the work tree, under the keys of `_list_hashes`; nothing where it cannot be read."""
    try:
        repository = open_repository(request.folder)
        with open_cache(repository.shared_dir, warn=request.warn) as cache:
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
