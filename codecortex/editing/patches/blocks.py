"""The form that agents write: `*** Begin Patch`, files under `*** Add|Update|Delete File: PATH`, `*** End Patch`.

A file that is updated has chunks of lines that stay, go and come. A chunk has no numbers: its lines say where it is,
and lines behind `@@` say what stands above it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.editing.patches.values import GONE, KEPT, NEW, FilePatch, Hunk, PatchError, Row

if TYPE_CHECKING:
    from codecortex.editing.patches.values import Stage

BEGIN, _END = "*** Begin Patch", "*** End Patch"
_ADD, _UPDATE, _DELETE = "*** Add File: ", "*** Update File: ", "*** Delete File: "
_MOVE, _AT_END, _HEAD = "*** Move to: ", "*** End of File", "@@"


def read_block(text: str) -> tuple[Stage, ...]:
    """A stage for each file.

    Raises:
        PatchError: It is no such block.
    """
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    place = next(place for place, line in enumerate(lines) if line.strip() == BEGIN) + 1
    stages: list[Stage] = []
    while place < len(lines) and lines[place].strip() != _END:
        if not lines[place].strip():
            place += 1
            continue
        end = next((other for other in range(place + 1, len(lines)) if _ends_file(lines[other])), len(lines))
        stages.append((_read_file(lines[place:end], place + 1),))
        place = end
    if place == len(lines):
        raise PatchError(f"The patch has no line {_END!r}.")
    if not stages:
        raise PatchError(f"The patch names no file: expected {_UPDATE.strip()!r} or the like.")
    return tuple(stages)


def _ends_file(line: str) -> bool:
    return line.startswith((_ADD, _UPDATE, _DELETE)) or line.strip() == _END


def _read_file(lines: list[str], number: int) -> FilePatch:
    head = lines[0]
    if not head.startswith((_ADD, _UPDATE, _DELETE)):
        raise PatchError(f"Line {number}: expected {_ADD.strip()!r}, {_UPDATE.strip()!r} or {_DELETE.strip()!r}.")
    path = head.partition(": ")[2].strip()
    if not path:
        raise PatchError(f"Line {number} names no file.")
    if head.startswith(_ADD):
        return FilePatch(number, None, path, _read_new(lines[1:], number + 1))
    if head.startswith(_DELETE):
        if any(line.strip() for line in lines[1:]):
            raise PatchError(f"Line {number + 1}: a file that is deleted has no lines.")
        return FilePatch(number, path, None, unseen=True)
    target, first = path, 1
    if len(lines) > 1 and lines[1].startswith(_MOVE):
        target, first = lines[1].removeprefix(_MOVE).strip(), 2
    hunks = _read_chunks(lines[first:], number + first)
    if not hunks and target == path:
        raise PatchError(f"Line {number}: {path} has no lines to change.")
    return FilePatch(number, path, target, hunks)


def _read_new(lines: list[str], number: int) -> tuple[Hunk, ...]:
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    for place, line in enumerate(lines):
        if not line.startswith(NEW):
            raise PatchError(f"Line {number + place}: each line of a file that is added begins with '+'.")
    rows = tuple(Row(NEW, f"{line[1:]}\n") for line in lines)
    return (Hunk(number, rows),) if rows else ()


def _read_chunks(lines: list[str], number: int) -> tuple[Hunk, ...]:
    while lines and not lines[-1]:
        lines = lines[:-1]
    hunks: list[Hunk] = []
    rows: list[Row] = []
    below: list[str] = []
    begun = number

    def close(*, at_end: bool = False) -> None:
        if rows:
            hunks.append(Hunk(begun, tuple(rows), None, tuple(below), at_end))
            rows.clear()
            below.clear()

    for place, line in enumerate(lines, start=number):
        if line.startswith(_HEAD):
            close()
            header = line.removeprefix(_HEAD).removesuffix(_HEAD).strip()
            below += [header] if header else []
        elif line.strip() == _AT_END:
            close(at_end=True)
        elif not line or line[0] in (KEPT, GONE, NEW):
            begun = begun if rows else place
            rows.append(Row(line[:1] or KEPT, f"{line[1:]}\n"))
        else:
            raise PatchError(f"Line {place}: expected a line that begins with ' ', '+', '-' or '@@'.")
    close()
    return tuple(hunks)
