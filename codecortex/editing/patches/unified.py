"""Unified diffs, as git and `diff -u` write them: with renames, copies, new and removed files, and permissions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.editing.patches.values import GONE, KEPT, NEW, FilePatch, Hunk, PatchError, Row
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Callable

    from codecortex.editing.patches.values import Stage

_HUNK = compile_later(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_MAIL = compile_later(r"From [0-9a-f]{40,64} ")
_PREFIXED = compile_later(r"[abciow]/")
_ESCAPE = compile_later(r"\\([0-7]{3}|.)")
_ESCAPES = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_GIT, _OLD, _NEW, _NOTHING = "diff --git ", "--- ", "+++ ", "/dev/null"
_RUNS, _LINK, _SUBMODULE = "100755", "120000", "160000"
_KINDS = {_LINK: "is a symbolic link", _SUBMODULE: "is a submodule"}
_BINARY = ("Binary files ", "GIT binary patch")


def read_unified(text: str) -> tuple[Stage, ...]:
    """A stage for each commit of a series, and another where a file comes again.

    Raises:
        PatchError: It is no unified diff.
    """
    reader = _Reader(text.removesuffix("\n").split("\n"))
    stages: list[list[FilePatch]] = [[]]
    seen: set[str] = set()
    for part, is_other_commit in reader.read():
        if is_other_commit or part.new in seen:
            stages.append([])
            seen.clear()
        stages[-1].append(part)
        seen |= {part.new} if part.new is not None else set()
    found = tuple(tuple(stage) for stage in stages if stage)
    if not found:
        raise PatchError("This is no unified diff, no `*** Begin Patch` block and no JSON list of replacements.")
    return found


class _Reader:
    """Reads the files of a diff, one after the other; what stands between them is passed over, as git does."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._place = 0

    def _peek(self, ahead: int = 0) -> str:
        place = self._place + ahead
        return self._lines[place] if place < len(self._lines) else ""

    def _begins_file(self) -> bool:
        return self._peek().startswith(_OLD) and self._peek(1).startswith(_NEW)

    def read(self) -> list[tuple[FilePatch, bool]]:
        """The files, each with whether another commit of a series begins with it."""
        found: list[tuple[FilePatch, bool]] = []
        is_other = False
        while self._place < len(self._lines):
            line = self._peek()
            if line.startswith(_GIT):
                found.append((self._read_git(), is_other))
            elif self._begins_file():
                found.append((self._read_plain(), is_other))
            elif line.startswith(("diff --cc ", "diff --combined ")):
                raise PatchError(f"Line {self._place + 1} begins the diff of a merge: make it against one parent.")
            elif _HUNK.match(line):
                raise PatchError(f"Line {self._place + 1}: no file is named before this hunk.")
            else:
                is_other = bool(_MAIL.match(line)) or is_other
                self._place += 1
                continue
            is_other = False
        return found

    def _read_plain(self) -> FilePatch:
        number = self._place + 1
        old, new = self._read_names()
        if old is None and new is None:
            raise PatchError(f"Line {number} names no file.")
        return FilePatch(number, old, new, self._read_hunks())

    def _read_git(self) -> FilePatch:
        number = self._place + 1
        old, new = _split_header(self._peek().removeprefix(_GIT).rstrip("\r"))
        part = FilePatch(number, old, new)
        self._place += 1
        while self._place < len(self._lines):
            line = self._peek().rstrip("\r")
            if self._begins_file():
                old, new = self._read_names()
                if not part.copied and part.new == part.old:  # else the lines about renaming say it better
                    part = part._replace(old=old, new=new)
            elif line.startswith(_BINARY):
                part = part._replace(problem="is binary: `git apply` takes it")
                self._place += 1
            else:
                changed = _read_header(part, line)
                if changed is None:
                    break
                part = changed
                self._place += 1
        if part.old is None and part.new is None and not part.problem:
            raise PatchError(f"Line {number} names no file that git would write so.")
        return part._replace(hunks=self._read_hunks())

    def _read_names(self) -> tuple[str | None, str | None]:
        """The paths of the two lines before the first hunk."""
        old, new = (_read_name(self._peek(ahead).rstrip("\r")[4:]) for ahead in (0, 1))
        self._place += 2
        names = [each for each in (old, new) if each != _NOTHING]
        if names and all(map(_PREFIXED.match, names)) and len({each[:2] for each in names}) == len(names):
            old, new = (each if each == _NOTHING else each[2:] for each in (old, new))
        return (None if old == _NOTHING else old), (None if new == _NOTHING else new)

    def _read_hunks(self) -> tuple[Hunk, ...]:
        found: list[Hunk] = []
        while self._peek().startswith("@@"):
            if self._peek().startswith("@@@"):
                raise PatchError(f"Line {self._place + 1} is of a merge: make the diff against one parent.")
            found.append(self._read_hunk())
        return tuple(found)

    def _read_hunk(self) -> Hunk:
        number = self._place + 1
        match = _HUNK.match(self._peek())
        self._place += 1
        start = self._place
        if match is not None:
            at, olds, _, news = (1 if each is None else int(each) for each in match.groups())
            rows = self._read_rows(olds, news)
            if rows is not None:
                return Hunk(number, rows, at if olds else at + 1)
            self._place = start
            return Hunk(number, self._read_loose(number), at if olds else at + 1)
        return Hunk(number, self._read_loose(number))

    def _read_rows(self, olds: int, news: int) -> tuple[Row, ...] | None:
        """As many rows as the head of a hunk says; None where there are others, or more."""
        rows: list[Row] = []
        while olds or news:
            line = self._peek()
            if self._place >= len(self._lines) or (line and line[0] not in (KEPT, GONE, NEW, "\\")):
                return None
            if line.startswith("\\"):
                _cut_end(rows)
            else:
                rows.append(Row(line[:1] or KEPT, f"{line[1:]}\n"))
                olds -= rows[-1].sign != NEW
                news -= rows[-1].sign != GONE
            if olds < 0 or news < 0:
                return None
            self._place += 1
        if self._peek().startswith("\\"):
            _cut_end(rows)
            self._place += 1
        line = self._peek()
        goes_on = line.startswith((KEPT, GONE, NEW)) and not line.startswith(("-- ", _OLD)) and line.strip() != "--"
        return None if goes_on else tuple(rows)

    def _read_loose(self, number: int) -> tuple[Row, ...]:
        """The rows of a hunk whose head says nothing or something wrong: up to what can be no row."""
        rows: list[Row] = []
        while self._place < len(self._lines):
            line = self._peek()
            if line.startswith("\\"):
                _cut_end(rows)
            elif line and (self._begins_file() or line[0] not in (KEPT, GONE, NEW) or line.rstrip("\r") == "-- "):
                break
            else:
                rows.append(Row(line[:1] or KEPT, f"{line[1:]}\n"))
            self._place += 1
        while rows and rows[-1] == Row(KEPT, "\n"):
            rows.pop()
        if not rows:
            raise PatchError(f"Line {number}: the hunk has no lines.")
        return tuple(rows)


def _cut_end(rows: list[Row]) -> None:
    if rows:
        rows[-1] = rows[-1]._replace(text=rows[-1].text.removesuffix("\n"))


def _read_header(part: FilePatch, line: str) -> FilePatch | None:
    """What a line of git's header adds; None for one that is none."""
    for start, change in _HEADERS.items():
        if line.startswith(start):
            return change(part, line.removeprefix(start))
    return None


def _take_mode(part: FilePatch, mode: str) -> FilePatch:
    kind = _KINDS.get(mode)
    if kind is not None:
        return part._replace(problem=f"{kind}, which no text is")
    return part._replace(executable=mode == _RUNS)


def _take_index(part: FilePatch, rest: str) -> FilePatch:
    mode = rest.partition(" ")[2]
    return _take_mode(part, mode) if mode in _KINDS else part


_HEADERS: dict[str, Callable[[FilePatch, str], FilePatch]] = {
    "old mode ": lambda part, mode: _take_mode(part, mode) if mode in _KINDS else part,
    "new mode ": _take_mode,
    "new file mode ": lambda part, mode: _take_mode(part._replace(old=None), mode),
    "deleted file mode ": lambda part, mode: (_take_mode(part, mode) if mode in _KINDS else part)._replace(new=None),
    "rename from ": lambda part, name: part._replace(old=_read_name(name)),
    "rename to ": lambda part, name: part._replace(new=_read_name(name)),
    "copy from ": lambda part, name: part._replace(old=_read_name(name), copied=True),
    "copy to ": lambda part, name: part._replace(new=_read_name(name), copied=True),
    "index ": _take_index,
    "similarity index ": lambda part, _: part,
    "dissimilarity index ": lambda part, _: part,
}


def _read_name(text: str) -> str:
    """A path as git writes it: quoted where it has odd characters, else up to a tab."""
    if not text.startswith('"'):
        return text.partition("\t")[0]
    end = re.match(r'"((?:[^"\\]|\\.)*)"', text)
    return _unquote(end[1]) if end else text


def _unquote(text: str) -> str:
    found = _ESCAPE.sub(lambda match: _ESCAPES.get(match[1]) or _read_octal(match[1]), text)
    return found.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")


def _read_octal(text: str) -> str:
    if len(text) == 1:
        return text
    return bytes([int(text, 8) & 0xFF]).decode("utf-8", "surrogateescape")


def _split_header(text: str) -> tuple[str | None, str | None]:
    """The two paths behind `diff --git`, which are the same where no other line names them; None for none."""
    if text.startswith('"'):
        first = re.match(r'"((?:[^"\\]|\\.)*)" ', text)
        names = (_unquote(first[1]), _read_name(text[first.end() :])) if first else ("", "")
    else:
        halves = (text[: len(text) // 2], text[len(text) // 2 + 1 :])
        names = (halves[0], halves[1]) if text[len(text) // 2 : len(text) // 2 + 1] == " " else ("", "")
    if all(map(_PREFIXED.match, names)) and names[0][:2] != names[1][:2] and names[0][2:] == names[1][2:]:
        return names[0][2:], names[1][2:]
    return (names[0], names[1]) if names[0] and names[0] == names[1] else (None, None)
