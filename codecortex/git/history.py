"""Reads history: commits with the files they changed, renames, and who last changed which line."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from codecortex.git.objects.opening import open_objects
from codecortex.git.objects.plumbing import FIND_RENAMES, SAME_BYTES, write_pathspecs
from codecortex.git.objects.values import Scope
from codecortex.git.paths import decode_path, encode_path
from codecortex.git.process import Call, start_git
from codecortex.model.errors import GitStateError
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from codecortex.git.repository import Repository

_COMMIT = ("%H", "%P", "%ct", "%at", "%an", "%ae", "%s")
_MESSAGE = ("%H", "%ct", "%B")
_CHUNK = 1 << 16
_TWO_PATHS = ("R", "C")


class FileChange(NamedTuple):
    """A file that a commit changed, compared with its first parent.

    Attributes:
        status: `A`, `D`, `M`, `R`, `C` or `T`, as in git.
        old_path: Its path before; differs from `path` only for a rename or a copy.
        path: Its path after.
        old_blob: Its blob before; empty if there was none.
        new_blob: Its blob after; empty if there is none.
        others: For a merge, path and blob in each further parent; the merge differs from all of them.
        mode: Its mode after; 0 if it was removed.
    """

    status: str
    old_path: str
    path: str
    old_blob: str
    new_blob: str
    others: tuple[tuple[str, str], ...] = ()
    mode: int = 0


class Commit(NamedTuple):
    """One commit.

    Attributes:
        id: Its full id.
        parents: Full ids.
        time: Commit time, in seconds since 1970; a clock may have been wrong.
        authored: Author time, likewise.
        author: The author's name; invalid bytes are shown as U+FFFD.
        email: The author's address.
        subject: The first line of the message.
        changes: For a merge, only files that differ from every parent, unless only first parents are followed.
    """

    id: str
    parents: tuple[str, ...]
    time: int
    authored: int
    author: str
    email: str
    subject: str
    changes: tuple[FileChange, ...]


class Message(NamedTuple):
    """One commit with all that was said of it.

    Attributes:
        id: Its full id.
        time: Commit time, in seconds since 1970.
        text: Its whole message; invalid bytes are shown as U+FFFD.
        paths: The files that it changed.
    """

    id: str
    time: int
    text: str
    paths: tuple[str, ...]


class Blame(NamedTuple):
    """The commit that last changed a line.

    Attributes:
        commit: Its full id; empty for a line that is not committed.
        time: Commit time, in seconds since 1970.
        authored: Author time, likewise.
        author: The author's name.
        email: The author's address.
        subject: The first line of the message.
    """

    commit: str
    time: int
    authored: int
    author: str
    email: str
    subject: str


NOT_COMMITTED = Blame("", 0, 0, "", "", "")


def list_commits(
    repository: Repository, *, tip: str, since: str | None = None, paths: Iterable[str] = (), first_parent: bool = False
) -> Iterator[Commit]:
    """Yield commits newest first, children before parents, each with the files it changed.

    Only renames without a change of content are reported as renames; `list_changes` finds the others, but reads blobs.

    Args:
        repository: The repository.
        tip: The newest commit.
        since: Leave out the commits that this one reaches.
        paths: Only commits that changed one of these (as `encode_path` writes them; a folder means all files in it),
            and only these of their files; side branches that changed none are left out. If empty, all commits.
        first_parent: Follow only first parents, and compare merges with them.

    Raises:
        GitStateError: Git cannot read the history.
    """
    merges = ("--first-parent", "--diff-merges=first-parent") if first_parent else ("-c", "--combined-all-paths")
    options = ("-M100%", "--date-order", *merges)
    for fields, changes in _read_log(repository, _COMMIT, (*options, *_span(tip, since)), map(_write_pathspec, paths)):
        name, parents, time, authored, author, email, subject = fields
        times = _number(time), _number(authored)
        yield Commit(name, tuple(parents.split()), *times, author, email, subject, changes)


def list_messages(repository: Repository, tip: str, since: str | None, pathspec: str) -> Iterator[Message]:
    """Yield the commits that a tip reaches and another one does not, with their messages; merges are left out.

    Args:
        repository: The repository.
        tip: The newest commit.
        since: Leave out the commits that this one reaches.
        pathspec: Only commits that changed such a file, and only these of their files.

    Raises:
        GitStateError: Git cannot read the history.
    """
    options = ("--no-renames", "--no-merges", "--full-history", *_span(tip, since))
    for (name, time, text), changes in _read_log(repository, _MESSAGE, options, (pathspec,)):
        yield Message(name, _number(time), text, tuple(change.path for change in changes))


def _span(tip: str, since: str | None) -> tuple[str, ...]:
    return (tip, f"^{since}") if since else (tip,)


def _write_pathspec(path: str) -> str:
    """A pathspec that matches exactly this path; bytes that are not UTF-8 are passed as surrogate escapes."""
    return ":(top,literal)" + decode_path(path).decode(errors="surrogateescape")


def list_changes(repository: Repository, before: str | None, after: str) -> tuple[FileChange, ...]:
    """The files that differ between two tree-ishes, with renames; None means the empty tree before a root commit.

    Raises:
        GitStateError: Git cannot read one of them.
    """
    return tuple(
        FileChange(
            each.status, encode_path(each.old_path), encode_path(each.path), each.old_id, each.new_id, mode=each.mode
        )
        for each in open_objects(repository).diff_trees(before, after)
    )


def list_renamed(
    repository: Repository, before: str, after: str | None, *, staged: bool = False, paths: Iterable[str] = ()
) -> list[tuple[str, str]]:
    """C# files that git detects as renamed, as pairs of old path and new path.

    Args:
        repository: The repository.
        before: The earlier tree-ish.
        after: The later one; None for the work tree.
        staged: Whether None means the index instead.
        paths: Only these files; if empty, all.

    Raises:
        GitStateError: Git cannot compare them.
    """
    scope = Scope(tuple(map(decode_path, paths)), submodules=False)
    if not scope.paths:
        scope = scope._replace(suffix=b".cs")
    if after is not None:
        found = open_objects(repository).diff_trees(before, after, scope)
        return [(encode_path(each.old_path), encode_path(each.path)) for each in found if each.status == "R"]
    head = ("diff-index", *(("--cached",) if staged else ()), "--name-status", "--diff-filter=R")
    options = (*head, "--ignore-submodules=all", "-z", "--no-ext-diff")
    ends = (before, "--", *write_pathspecs(scope))
    try:
        output = repository.ask("compare two trees", *options, *FIND_RENAMES, *ends)
    except GitStateError:  # a partial clone lacks the blobs needed to compare contents
        output = repository.ask("compare two trees", *options, *SAME_BYTES, *ends)
    fields = list(map(encode_path, output.split(b"\0")[:-1]))
    return list(zip(fields[1::3], fields[2::3], strict=True))


def list_changing(repository: Repository, tip: str, path: str) -> Iterator[str]:
    """Yield the first-parent commits up to `tip` that changed a path, newest first.

    Raises:
        GitStateError: Git cannot read the history.
    """
    arguments = ("rev-list", "--first-parent", tip, "--", _write_pathspec(path))
    yield from repository.ask("read the history", *arguments).decode().split()


def find_blobs(repository: Repository, wanted: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """The blob id at each (tree-ish, path); pairs without a blob are left out."""
    return open_objects(repository).find_blobs(wanted)


def find_files(repository: Repository, tree: str | None, word: str, beside: Iterable[str], exact: str = "") -> set[str]:
    """Paths of C# files with a line that contains a word and matches one of some patterns.

    Args:
        repository: The repository.
        tree: A tree-ish; None for the work tree, `--untracked` to add its untracked files; `--cached` for the index.
        word: Letters, digits and underscores; matched as a whole word in any case.
        beside: Extended regular expressions; one of them has to match whole words of the same line.
        exact: Another pattern, matched case-sensitively in lines that contain the word as spelled; empty for none.

    Raises:
        GitStateError: Git cannot read the tree.
    """
    treeish = tree if tree is not None and not tree.startswith("--") else None
    head: tuple[str, ...] = ("grep", "-l", "-z", "-I", "-w", "-E", "--no-color", "--full-name")
    head += (tree,) if tree is not None and treeish is None else ()
    tail = (*((treeish,) if treeish is not None else ()), "--", ":(top,icase)*.cs")
    either = [argument for pattern in beside for argument in ("--or", "-e", pattern)][1:]
    calls = [Call("search a tree", (*head, "-i", "-e", word, "--and", "(", *either, ")", *tail), accept=(0, 1))]
    if exact:
        calls.append(calls[0]._replace(arguments=(*head, "-e", word, "--and", "-e", exact, *tail)))
    outputs = repository.ask_all(*calls)
    start = len(treeish.encode()) + 1 if treeish is not None else 0
    return {encode_path(record[start:]) for output in outputs for record in output.split(b"\0") if record}


def list_vanished(repository: Repository, tip: str, globs: Iterable[str]) -> Iterator[tuple[str, FileChange]]:
    """Yield the files that commits up to `tip` removed or renamed away, newest first, each with the commit's id.

    Args:
        repository: The repository.
        tip: The newest commit, or a range `A..B`.
        globs: Patterns of paths from the root; `*` does not match a slash, `**/` matches any folders.

    Raises:
        GitStateError: Git cannot read the history.
    """
    wanted = [f":(top,glob){glob}" for glob in globs]
    for (name,), changes in _read_log(repository, ("%H",), ("--no-renames", "--diff-filter=D", tip), wanted):
        yield from ((name, change) for change in changes)


def escape_glob(path: str) -> str:
    """A glob that matches only this path, which is written as by `encode_path`."""
    text = decode_path(path).decode(errors="surrogateescape")
    return "".join(f"\\{sign}" if sign in "*?[]\\" else sign for sign in text)


def blame_lines(
    repository: Repository, path: str, spans: Iterable[tuple[int, int]], *, rev: str | None
) -> dict[int, Blame]:
    """The commit that last changed each line of some spans, by line number; white space changes are ignored.

    Args:
        repository: The repository.
        path: The file.
        spans: First and last lines, from 1.
        rev: The commit in which the file is read; None for the work tree.

    Raises:
        GitStateError: The file does not exist there, or is shorter than a span.
    """
    ranges = [f"-L{first},{last}" for first, last in spans]
    name = decode_path(path).decode(errors="surrogateescape")
    options = ("-w", "--no-textconv", "--encoding=UTF-8")
    arguments = ("blame", "--porcelain", *options, *ranges, *([rev] if rev else []), "--", name)
    return _parse_blame(repository.ask(f"blame {path}", *arguments))


def _parse_blame(output: bytes) -> dict[int, Blame]:
    """Parses `git blame --porcelain`, which describes each commit only before its first line."""
    known: dict[str, Blame] = {}
    told: dict[bytes, str] = {}
    commit, line = "", 0
    lines: dict[int, Blame] = {}
    for record in output.split(b"\n"):
        key, _, value = record.partition(b" ")
        if record.startswith(b"\t"):
            if commit not in known:
                known[commit] = _describe_blame(commit, told)
            lines[line] = known[commit]
        elif len(key) in (40, 64) and value[:1].isdigit():
            commit, line, told = key.decode(), int(value.split()[1]), {}
        else:
            told[key] = value.decode(errors="replace")
    return lines


def _describe_blame(commit: str, told: Mapping[bytes, str]) -> Blame:
    if not commit.strip("0"):
        return NOT_COMMITTED
    times = _number(told.get(b"committer-time", "")), _number(told.get(b"author-time", ""))
    email = told.get(b"author-mail", "").removeprefix("<").removesuffix(">")
    return Blame(commit, *times, told.get(b"author", ""), email, told.get(b"summary", ""))


class _Tokens:
    """Splits a stream of chunks at NUL bytes."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._ready: list[bytes] = []
        self._rest = b""

    def take(self) -> bytes | None:
        """The next token; None at the end."""
        while not self._ready:
            chunk = next(self._chunks, None)
            if chunk is None:
                return None
            *whole, self._rest = (self._rest + chunk).split(b"\0")
            self._ready = whole[::-1]
        return self._ready.pop()

    def take_text(self) -> str:
        """The next token as text; empty at the end."""
        return (self.take() or b"").decode(errors="replace")


def _read_log(
    repository: Repository, fields: Sequence[str], options: Iterable[str], pathspecs: Iterable[str]
) -> Iterator[tuple[list[str], tuple[FileChange, ...]]]:
    """Yield some fields of each commit, by git's placeholders, and the files that it changed."""
    arguments = (
        *("log", f"--format={'%x00'.join(fields)}", "-z", "--raw", "--no-abbrev", "--encoding=UTF-8"),
        *("--root", "--no-color", "--no-ext-diff", "--no-show-signature", *options, "--", *pathspecs),
    )
    tokens = _Tokens(_stream(repository, arguments))
    token = tokens.take()
    while token is not None:
        told = [token.decode(), *(tokens.take_text() for _ in fields[1:])]
        changes = []
        # A line feed separates the message from the files; in a merge, an empty token.
        while (token := tokens.take()) is not None and (record := token.lstrip(b"\n"))[:1] in (b"", b":"):
            if record:
                changes.append(_parse_change(record, tokens))
        yield told, tuple(changes)


def _number(text: str) -> int:
    """A time as a number; 0 where a damaged commit has none."""
    return int(text) if text.lstrip("-").isdecimal() else 0


def _parse_change(facts: bytes, tokens: _Tokens) -> FileChange:
    """Parses one record of `--raw -z`: `:modes blobs status`, then its paths; one colon for each parent."""
    parents = len(facts) - len(facts.lstrip(b":"))
    *_, status = fields = facts.decode().split(" ")
    blobs = ["" if not blob.strip("0") else blob for blob in fields[parents + 1 : 2 * parents + 2]]
    first = encode_path(tokens.take() or b"")
    if parents == 1:
        path = encode_path(tokens.take() or b"") if status.startswith(_TWO_PATHS) else first
        return FileChange(status[:1], first, path, blobs[0], blobs[1], mode=int(fields[1], 8))
    further = [encode_path(tokens.take() or b"") for _ in range(parents)]
    others = tuple(zip(further[:-1], blobs[1:-1], strict=True))
    return FileChange(status[:1], first, further[-1], blobs[0], blobs[-1], others, int(fields[parents], 8))


def _stream(repository: Repository, arguments: tuple[str, ...]) -> Iterator[bytes]:
    """Yield git's output as it arrives; git is killed if the consumer stops early."""
    process = start_git(repository.folder, arguments, dict(repository.variables), stderr=subprocess.DEVNULL)
    if process.stdin is None or process.stdout is None:
        raise AssertionError
    try:
        process.stdin.close()
        while chunk := process.stdout.read(_CHUNK):
            yield chunk
        if process.wait() != 0:
            repository.ask("read the history", *arguments)  # fails again, and raises git's message
    finally:
        process.kill()
        process.stdout.close()
        process.wait()
