"""A repository, files and ranges in; their numbered lines within one budget, and why the others cannot be read, out."""

from __future__ import annotations

import os
from bisect import bisect_right
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codecortex.context.ranges import Lines, Piece, number_lines, share_budget, split_asked, split_odd
from codecortex.git.contents import read_contents
from codecortex.git.listing import list_index, list_revision, list_worktree
from codecortex.git.paths import decode_path
from codecortex.git.worktree.disk import UNREADABLE
from codecortex.model.budgets import READ_BUDGET
from codecortex.model.errors import UsageError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.reading.places import list_places
from codecortex.operations.reading.tree import read_config_alone
from codecortex.operations.request import Count
from codecortex.operations.tokens import make_counter
from codecortex.operations.wording import count_noun
from codecortex.parsing.decode import decode_text
from codecortex.symbols.near import suggest_paths

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from codecortex.git.listing import Entry, Listing
    from codecortex.git.repository import Repository
    from codecortex.operations.request import Request
    from codecortex.parsing.decode import Text

_EVERY = ("",)
_MOST_ROUNDS = 8
_LONGEST = 4000


class Row(NamedTuple):
    """One range of one file that was asked for.

    Attributes:
        file: Its path from the top of the repository, or as it was asked for where there is none.
        asked: The range as it was asked for, or empty for the whole file.
        reason: Why it cannot be read, or empty.
        suggestions: Paths near to one that there is not.
        piece: The lines that were asked for and are there.
        total: How many lines the file has.
        encoding: Of the file.
        shown: How many lines of the piece fit.
    """

    file: str
    asked: str = ""
    reason: str = ""
    suggestions: tuple[str, ...] = ()
    piece: Piece = Piece(1, ())
    total: int = 0
    encoding: str = "utf-8"
    shown: int = 0

    @property
    def last(self) -> int:
        """The last line that is shown."""
        return self.piece.first + self.shown - 1

    @property
    def left_out(self) -> str:
        """What to ask for next, where not all lines fit; else empty."""
        if self.shown == len(self.piece.lines):
            return ""
        return f"{self.file}:{self.last + 1}-{self.piece.first + len(self.piece.lines) - 1}"

    @property
    def cut_back(self) -> bool:
        """Whether the range that was asked for goes beyond the end of the file."""
        last = self.asked.partition("-")[2]
        return bool(last) and int(last) > self.total

    def as_json(self) -> dict[str, Any]:
        """The row as JSON values."""
        if self.reason:
            told = {"file": self.file, "range": self.asked or None, "reason": self.reason}
            return told | {"suggestions": list(self.suggestions)}
        return {
            "file": self.file,
            "range": self.asked or None,
            "line": self.piece.first,
            "endLine": self.last,
            "totalLines": self.total,
            "encoding": self.encoding,
            "cutBack": self.cut_back,
            "leftOut": self.left_out or None,
            "text": "\n".join(self.piece.lines[: self.shown]),
        }

    def as_text(self) -> str:
        """A line that says what this is, and the numbered lines."""
        if self.reason:
            place = f"{self.file}:{self.asked}" if self.asked else self.file
            near = f" Did you mean {', '.join(self.suggestions)}?" if self.suggestions else ""
            return f"{place}: not read: {self.reason}.{near}"
        span = f"{self.piece.first}-{self.last}" if self.shown else "none"
        told = [f"{self.file}: lines {span} of {self.total:,}" if self.total else f"{self.file}: empty"]
        told += [self.encoding] if self.encoding != "utf-8" else []
        told += [f"the file ends before line {self.asked.partition('-')[2]}"] if self.cut_back else []
        told += [f"no room for {self.left_out}"] if self.left_out else []
        return "; ".join(told) + ("\n" + number_lines(self.piece, self.shown) if self.shown else "")


class ReadResult(NamedTuple):
    """What was asked for, in that order.

    Attributes:
        rows: A row for each range.
        budget: Tokens that the text may take.
        tokens: Tokens that it takes.
        omitted: What has not even room to be named, as it was asked for.
    """

    rows: tuple[Row, ...]
    budget: int
    tokens: int
    omitted: tuple[str, ...] = ()

    @property
    def is_any_read(self) -> bool:
        """Whether anything could be read."""
        return any(not row.reason for row in self.rows)

    def as_json(self) -> dict[str, Any]:
        """JSON values."""
        return {
            "files": [row.as_json() for row in self.rows],
            "budget": self.budget,
            "tokens": self.tokens,
            "omitted": list(self.omitted),
        }

    def as_text(self) -> str:
        """Plain text."""
        left = [f"{count_noun(len(self.omitted), 'range')} more: no room; ask for fewer"] if self.omitted else []
        return "\n\n".join([*(row.as_text() for row in self.rows), *left])


def read_files(
    request: Request, repository: Repository, asked: Sequence[str], *, budget: int = READ_BUDGET
) -> ReadResult:
    """The lines of files and ranges; what cannot be read has a row that says why.

    Files are those that git lists in the tree, or would list in the work tree; nothing is read through a link.

    Only what is asked for is looked at, unless something of it is not there.

    Args:
        request: Which tree.
        repository: It.
        asked: `FILE`, `FILE:A`, `FILE:A-B`, `FILE:A-` or several ranges with commas between them; `FILE:A:COLUMN` as
            `FILE:A`.
        budget: Tokens that the text may take, by the counter of the configuration.

    Raises:
        ConfigError: The tokens cannot be counted.
        GitStateError: The tree cannot be listed.
    """
    files = _Files(request, repository, asked)
    rows = [row for text in asked for row in files.open(text)]
    count = make_counter(read_config_alone(request, repository))
    room = budget
    for _ in range(_MOST_ROUNDS):
        shares = iter(share_budget([row.piece for row in rows], max(0, room), count))
        fitted = tuple(row._replace(shown=next(shares)) for row in rows)
        result = ReadResult(fitted, budget, 0)
        tokens = count(result.as_text())
        if tokens <= budget:
            break
        room -= tokens - budget  # heads take their part too
    if tokens > budget:
        result = _drop_last(result, count)
        tokens = count(result.as_text())
    request.tally(Count.TOKENS, tokens)
    request.tally(Count.TOKEN_BUDGET, budget)
    return result._replace(tokens=tokens)


def _drop_last(result: ReadResult, count: Callable[[str], int]) -> ReadResult:
    """As many of the first ranges as there is room for, one at least, where heads alone take more than the budget."""

    def keep(amount: int) -> ReadResult:
        left = tuple(f"{row.file}:{row.asked}" if row.asked else row.file for row in result.rows[amount:])
        return result._replace(rows=result.rows[:amount], omitted=left)

    amounts = range(1, len(result.rows) + 1)
    fitting = bisect_right(amounts, result.budget, key=lambda amount: count(keep(amount).as_text()))
    return keep(max(fitting, 1))


class _Files:
    """The files of a tree that are asked for; all of them where one is not there."""

    def __init__(self, request: Request, repository: Repository, asked: Sequence[str]) -> None:
        self._request, self._repository = request, repository
        self._known: dict[str, Text | str] = {}
        paths = [path for text in asked for part in _list_parts(text) for path in self._place(part)]
        named = [decode_path(path) for path in dict.fromkeys(paths) if may_lie_inside(path)]
        self._take(_list_files(request, repository, named) if named else None)
        if not all(any(map(self._find, _list_parts(text))) for text in asked):
            self._take(_list_files(request, repository))

    def _take(self, listing: Listing | None) -> None:
        entries, skipped, _ = listing if listing is not None else ((), (), None)
        self._entries: Mapping[str, Entry] = {entry.path: entry for entry in entries}
        self._skipped: Mapping[str, str] = {each.path: str(each.problem) for each in skipped}

    def open(self, text: str) -> Iterator[Row]:
        """The rows of what was asked for in one word."""
        whole = self._find(text)
        path, ranges = (text, [("", Lines())]) if whole is not None else split_asked(text)
        file = whole or self._find(path)
        odd, rest = split_odd(text)
        if file is None and (near := self._find(odd)) is not None:
            yield Row(near, rest, "that is no range of lines; ask for FILE:A, FILE:A-B or FILE:A-")
            return
        for asked, lines in ranges:
            if file is None:
                yield self._explain(path, asked)
            else:
                yield self._cut(file, lines, asked)

    def _find(self, text: str) -> str | None:
        """The file that a path means: from where the user stands, else from the top."""
        for path in self._place(text):
            if path in self._entries:
                return path
        return None

    def _place(self, text: str) -> list[str]:
        try:
            return list_places(self._request, self._repository, text)
        except UsageError:
            return []

    def _cut(self, file: str, lines: Lines, asked: str) -> Row:
        if lines.problem:
            return Row(file, asked, lines.problem)
        found = self._read(file)
        if isinstance(found, str):
            return Row(file, asked, found)
        every = found.text.removesuffix("\n").split("\n") if found.text else []
        if asked and lines.first > len(every):
            return Row(file, asked, f"it has {len(every):,} lines")
        piece = Piece(lines.first, every[lines.first - 1 : lines.last])
        return Row(file, asked, piece=piece, total=len(every), encoding=found.encoding)

    def _read(self, file: str) -> Text | str:
        """The text of a file, or why there is none."""
        if self._skipped.get(file) in UNREADABLE:
            return f"it is {self._skipped[file]}"
        if file not in self._known:
            (content,) = read_contents(self._repository, [self._entries[file]])
            if content.data is None:
                self._known[file] = str(content.problem)
            else:
                self._known[file] = decode_text(content.data) or "it is binary, or in an encoding that cannot be told"
        return self._known[file]

    def _explain(self, text: str, asked: str) -> Row:
        """Why there is no such file."""
        for path in self._place(text):
            if path in self._skipped:
                problem = self._skipped[path]
                return Row(text, asked, f"it is {problem}" if problem in UNREADABLE else f"it is a {problem}")
            above = next((each for each in self._skipped if path.startswith(f"{each}/")), None)
            if above is not None:
                return Row(text, asked, f"it lies behind {above}, a {self._skipped[above]}")
        paths = list(self._entries)
        for folder in self._place(text.rstrip("/") or text):
            inside = [path for path in paths if path.startswith(f"{folder}/")]
            if inside:
                return Row(text, asked, "it is a folder", tuple(inside[:5]))
        if os.path.normpath(text) in {".", os.sep}:
            return Row(text, asked, "it is a folder")
        return Row(text, asked, "git lists no such file", suggest_paths(text, paths))


def _list_parts(text: str) -> tuple[str, ...]:
    """What of a word may be the path: all of it, or what stands before a range, or before what may be meant as one."""
    return text, split_asked(text)[0], split_odd(text)[0]


def may_lie_inside(path: str) -> bool:
    """Whether git can be asked about a path without refusing it."""
    odd = Path(path).is_absolute() or "\0" in path or len(path) > _LONGEST
    return not odd and {"", ".", ".."}.isdisjoint(path.split("/"))


def _list_files(request: Request, repository: Repository, paths: Sequence[bytes] = ()) -> Listing:
    if request.rev is not None:
        return list_revision(repository, request.rev, _EVERY, paths=paths)
    if request.staged:
        return list_index(repository, _EVERY, paths=paths)
    return list_worktree(repository, _EVERY, untracked=True, paths=paths)
