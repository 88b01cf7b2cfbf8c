"""Reads and writes aliases.json; follows chains of aliases to their end, and finds loops and contradictions.

One row per line, sorted by old id, with a sentinel row at the end, as in index.json: a union merge of the lines is
still JSON. Such a merge may produce an old id twice, or chains and loops that neither side had; reading handles all
three.
"""

from __future__ import annotations

import json
from collections import defaultdict
from json.encoder import encode_basestring as _quote
from typing import TYPE_CHECKING, Any

from codecortex.model.code.aliases import Alias, AliasReason
from codecortex.model.errors import NewerFormatError, StoreFormatError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.text.visible import show_json
from codecortex.store.committed.text import decode_text, drop_base, find_conflict_marker, line_at, refuse_conflict

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

SCHEMA_VERSION = "1.0"

_SENTINEL = "~"
_HEADS = ('{"schemaVersion":', '"aliases":{', f'"{_SENTINEL}":0}}')
_LONGEST_NUMBER = 9
_HINT = "Take either side of the file, or the broken line out of it, then run `codecortex refresh`."


class Table(NamedTuple):
    """Aliases, each leading to a current type in one step.

    Attributes:
        aliases: By old id.
        twins: For each old id that leads to several types, its aliases; the one in `aliases` first.
        loops: Aliases in a cycle or leading into one, sorted by old id; they are in neither of the others.
    """

    aliases: dict[str, Alias]
    twins: tuple[tuple[Alias, ...], ...]
    loops: tuple[Alias, ...]


def encode_aliases(rows: Iterable[Alias]) -> bytes:
    """The bytes of aliases.json; they do not depend on the order of the rows."""
    lines = [f'{{"schemaVersion":"{SCHEMA_VERSION}",', '"aliases":{', *map(_write_row, sorted(set(rows)))]
    return show_json("\n".join([*lines, f'"{_SENTINEL}":0}}}}\n'])).encode()


def _write_row(row: Alias) -> str:
    mark = ',"collapsed":true' if row.collapsed else ""
    return (
        f'{_quote(row.old_id)}:{{"oldFqn":{_quote(row.old_fqn)},"newTypeId":{_quote(row.new_id)},'
        f'"newFqn":{_quote(row.new_fqn)},"reason":{_quote(row.reason)},"score":{json.dumps(row.score)}{mark}}},'
    )


def decode_aliases(data: bytes, path: str) -> dict[str, Alias]:
    """The alias of every old id, leading to its type in one step.

    Raises:
        StoreFormatError: As `decode_rows`.
    """
    return collapse(decode_rows(data, path)).aliases


def decode_rows(data: bytes, path: str) -> tuple[Alias, ...]:
    """Every distinct row of the file, sorted by old id.

    Args:
        data: The file's bytes.
        path: The file's path, for messages.

    Raises:
        StoreFormatError: The file is broken, has conflict markers, or was written by a newer codecortex.
    """
    text = decode_text(data, path, StoreFormatError)
    try:
        root = json.loads(text, object_pairs_hook=_Pairs)
        json.dumps(root, ensure_ascii=False).encode()  # an escape can be a lone surrogate, which has no UTF-8 bytes
    except (ValueError, RecursionError) as problem:
        refuse_conflict(text, path, "Run `codecortex refresh`: it keeps both sides.")
        raise _explain(path, problem) from problem
    if not isinstance(root, _Pairs):
        raise StoreFormatError(f"{path}:1: expected an object", _HINT)
    _check_version(root, path)
    rows: list[Alias] = []
    for table in [value for key, value in root if key == "aliases"]:
        for key, value in table if isinstance(table, _Pairs) else ():
            if key != _SENTINEL:
                rows.append(_read_row(key, value, text, path))
    return tuple(sorted(set(rows)))


def mend_rows(data: bytes, path: str) -> tuple[Alias, ...]:
    """The rows of both sides of a file with git's conflict markers.

    Raises:
        StoreFormatError: A line is neither a row nor one of the file's frame lines: nothing is dropped on a guess.
    """
    text = decode_text(data, path, StoreFormatError)
    rows: list[Alias] = []
    for number, line in enumerate(drop_base(text).split("\n"), 1):
        if not line.strip() or line.startswith(_HEADS) or find_conflict_marker(line):
            continue
        try:
            rows += decode_rows(
                f'{{"schemaVersion":"{SCHEMA_VERSION}","aliases":{{{line.rstrip(", ")}}}}}'.encode(), path
            )
        except StoreFormatError as problem:
            raise StoreFormatError(f"{path}:{number}: neither a row nor a conflict marker", _HINT) from problem
    return tuple(sorted(set(rows)))


def collapse(rows: Iterable[Alias]) -> Table:
    """Replace the target of every row by the end of its chain."""
    by_id: dict[str, list[Alias]] = defaultdict(list)
    for row in set(rows):
        by_id[row.old_id].append(row)
    chosen = {old: min(several, key=_rank) for old, several in by_id.items()}
    known = _find_ends(chosen)
    table = Table({}, (), ())
    twins: list[tuple[Alias, ...]] = []
    loops: list[Alias] = []
    for old, several in sorted(by_id.items()):
        ends = {row: _follow(row, chosen, known) for row in sorted(several, key=_rank)}
        loops += [row for row, end in ends.items() if end is None]
        different: dict[str, Alias] = {}
        for end in ends.values():
            if end is not None:
                different.setdefault(end.new_id, end)
        if different:
            table.aliases[old] = next(iter(different.values()))
        if len(different) > 1:
            twins.append(tuple(different.values()))
    return table._replace(twins=tuple(twins), loops=tuple(loops))


def prune(rows: Iterable[Alias], living: Collection[str]) -> tuple[Alias, ...]:
    """The rows without those that are settled: of several rows of one type, where exactly one leads to a living type.

    Both sides of a merge may have renamed a type; then only one of the new names is left, and the others lead to it.
    """
    rows = tuple(rows)
    dead: set[Alias] = set()
    added: dict[str, Alias] = {}
    for twins in collapse(rows).twins:
        alive = {end.new_id for end in twins if end.new_id in living}
        if len(alive) == 1:
            same = [row for row in rows if row.old_id == twins[0].old_id]
            kept = [row for row in same if _ends_at(row, rows) in alive]
            dead.update(row for row in same if row not in kept)
            [end] = [each for each in twins if each.new_id in alive]
            gone = [each for each in twins if each.new_id not in living]
            added |= {each.new_id: _lead(each, end) for each in gone}
    known = {row.old_id for row in rows}
    return (*(row for row in rows if row not in dead), *(row for old, row in added.items() if old not in known))


def _lead(gone: Alias, end: Alias) -> Alias:
    """The row that leads from a name that one side of a merge gave to the one that is left."""
    return Alias(gone.new_id, gone.new_fqn, end.new_id, end.new_fqn, end.reason, min(gone.score, end.score))


def _ends_at(row: Alias, rows: Sequence[Alias]) -> str:
    """The id that a row's chain ends at, following only rows of other types."""
    others = [other for other in rows if other.old_id != row.old_id]
    end = collapse([row, *others]).aliases.get(row.old_id)
    return end.new_id if end is not None else ""


def _rank(row: Alias) -> tuple[float, str, str, Alias]:
    return -row.score, row.new_fqn, row.new_id, row


def _find_ends(chosen: Mapping[str, Alias]) -> dict[str, Alias | None]:
    """The last row of each old id's chain; None if it leads into a cycle. Each row is visited once."""
    ends: dict[str, Alias | None] = {}
    for start in chosen:
        path: dict[str, Alias] = {}
        place = start
        while place in chosen and place not in ends and place not in path:
            path[place] = chosen[place]
            place = chosen[place].new_id
        end = ends[place] if place in ends else None if place in path else path[next(reversed(path))]
        ends.update(dict.fromkeys(path, end))
    return ends


def _follow(row: Alias, chosen: Mapping[str, Alias], ends: Mapping[str, Alias | None]) -> Alias | None:
    """The row with the end of its chain as its target; None if it leads into a cycle."""
    end: Alias | None = row
    if chosen[row.old_id] is row:
        end = ends[row.old_id]
    elif row.new_id in chosen:  # not the chosen row of its old id: its chain must not pass that id
        place = row.new_id
        while place != row.old_id and place in chosen and ends[place] is not None:
            place = chosen[place].new_id
        end = None if place == row.old_id else ends[row.new_id]
    if end is None or end is row:
        return end
    return row._replace(new_id=end.new_id, new_fqn=end.new_fqn, collapsed=True)


# -- reading


class _Pairs(list[Any]):
    """An object's keys and values in order, duplicate keys included."""


def _explain(path: str, problem: Exception) -> StoreFormatError:
    line = problem.lineno if isinstance(problem, json.JSONDecodeError) else 1
    reason = problem.msg if isinstance(problem, json.JSONDecodeError) else str(problem)
    return StoreFormatError(f"{path}:{line}: not JSON: {reason}", _HINT)


def _check_version(root: _Pairs, path: str) -> None:
    values = [value for key, value in root if key == "schemaVersion"]
    for value in values or [None]:
        major = value.partition(".")[0] if isinstance(value, str) else ""
        if not (major.isascii() and major.isdecimal() and len(major) <= _LONGEST_NUMBER):
            raise StoreFormatError(f"{path}: schemaVersion is missing or no version", _HINT)
        if int(major) > int(SCHEMA_VERSION.partition(".")[0]):
            message = f"{path}: schemaVersion {value} is newer than this codecortex knows ({SCHEMA_VERSION})"
            raise NewerFormatError(message, "Install a newer codecortex.")


def _read_row(key: str, value: Any, text: str, path: str) -> Alias:
    match dict(value) if isinstance(value, _Pairs) else None:
        case {"oldFqn": str(old), "newTypeId": str(new_id), "newFqn": str(new), "reason": str(reason), **others}:
            score = others.get("score")
            known = reason in set(AliasReason)
            if known and isinstance(score, int | float) and not isinstance(score, bool) and 0 <= score <= 1:
                return Alias(key, old, new_id, new, AliasReason(reason), score, others.get("collapsed") is True)
    found = text.find(f"{_quote(key)}:")
    place = f"{path}:{line_at(text, found)}" if found >= 0 else path
    raise StoreFormatError(f"{place}: the row {key} is damaged", _HINT)
