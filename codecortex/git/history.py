"""A repository and where to begin in; its commits with the files they changed, and who wrote which line, out."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from codecortex.git.objects.opening import open_objects
from codecortex.git.objects.plumbing import FIND_RENAMES, SAME_BYTES, write_pathspecs
from codecortex.git.objects.values import Scope
from codecortex.git.paths import decode_path, encode_path
from codecortex.git.process import Call, start_git
from codecortex.model.errors import GitStateError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from codecortex.git.repository import Repository

_FORMAT = "%H%x00%P%x00%ct%x00%at%x00%an%x00%ae%x00%s"
_FIELDS = _FORMAT.count("%x00") + 1
_CHUNK = 1 << 16
_TWO_PATHS = ("R", "C")


class FileChange(NamedTuple):
    """A file that a commit changed, against its first parent.

    Attributes:
        status: `A`, `D`, `M`, `R`, `C` or `T`, as git has it.
        old_path: Where it stood before; the same as `path` but for a rename or a copy.
        path: Where it stands now.
        old_blob: Its blob before; empty where there was none.
        new_blob: Its blob now; empty where there is none.
        others: Of a merge, path and blob in each further parent; the merge differs from all of them.
        mode: Its mode now; 0 where it is gone.
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
        time: When it was committed, in seconds since 1970; a clock may have been wrong.
        authored: When its change was made, likewise.
        author: The author's name; bytes that are not text are shown as U+FFFD.
        email: The author's address.
        subject: The first line of the message.
        changes: Of a merge, only files that differ from every parent, unless first parents alone are followed.
    """

    id: str
    parents: tuple[str, ...]
    time: int
    authored: int
    author: str
    email: str
    subject: str
    changes: tuple[FileChange, ...]


class Blame(NamedTuple):
    """The commit that last changed some line.

    Attributes:
        commit: Its full id; empty for what is not committed.
        time: When it was committed, in seconds since 1970.
        authored: When its change was made, likewise.
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

    Only renames that change no byte are told as such: `list_changes` finds the others, and reads blobs for it.

    Args:
        repository: Where.
        tip: The newest commit.
        since: Leave out what this commit reaches.
        paths: Only commits that changed one of these (as `encode_path` writes them; a folder stands for all in it), and
            only these of their files; side branches that brought nothing are left out. All where there are none.
        first_parent: Follow first parents only, and compare merges with them.

    Raises:
        GitStateError: Git cannot read the history.
    """
    merges = ("--first-parent", "--diff-merges=first-parent") if first_parent else ("-c", "--combined-all-paths")
    arguments = (
        *("log", f"--format={_FORMAT}", "-z", "--raw", "--no-abbrev", "-M100%", "--date-order", "--encoding=UTF-8"),
        *("--root", "--no-color", "--no-ext-diff", "--no-show-signature"),
        *(*merges, tip, *(["^" + since] if since else []), "--"),
        *map(_write_pathspec, paths),
    )
    yield from _parse_commits(_stream(repository, arguments))


def _write_pathspec(path: str) -> str:
    """A path as git takes it, whatever signs it holds; bytes that are not UTF-8 pass as Python passes them."""
    return ":(top,literal)" + decode_path(path).decode(errors="surrogateescape")


def list_changes(repository: Repository, before: str | None, after: str) -> tuple[FileChange, ...]:
    """The files that differ between two tree-ishes, renames found; None stands for no parent of a first commit.

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
    """C# files that git takes for renamed: the path that each had, and the path that it has.

    Args:
        repository: Where.
        before: The earlier tree-ish.
        after: The later one; None for the work tree.
        staged: Whether None stands for the index instead.
        paths: Only among these files; among all where there are none.

    Raises:
        GitStateError: Git cannot compare them.
    """
    scope = Scope(tuple(map(decode_path, paths)), submodules=False)
    if not scope.paths:
        scope = replace(scope, suffix=b".cs")
    if after is not None:
        found = open_objects(repository).diff_trees(before, after, scope)
        return [(encode_path(each.old_path), encode_path(each.path)) for each in found if each.status == "R"]
    head = ("diff-index", *(("--cached",) if staged else ()), "--name-status", "--diff-filter=R")
    options = (*head, "--ignore-submodules=all", "-z", "--no-ext-diff")
    ends = (before, "--", *write_pathspecs(scope))
    try:
        output = repository.ask("compare two trees", *options, *FIND_RENAMES, *ends)
    except GitStateError:  # a partial clone lacks the bytes that tell what resembles what
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
    """The blob that stands at each (tree-ish, path); those where none does are left out."""
    return open_objects(repository).find_blobs(wanted)


def find_files(repository: Repository, tree: str | None, word: str, beside: Iterable[str], exact: str = "") -> set[str]:
    """Paths of C# files that hold a word in a telling line.

    Args:
        repository: Where.
        tree: A tree-ish; None for the work tree, `--untracked` with what git does not know; `--cached` for the index.
        word: Letters, digits and underscores, whatever their case.
        beside: Extended regular expressions, one of which takes whole words of that line.
        exact: Another that may take all of a line that holds the word as it is spelt; empty for none.

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
    """Yield files that commits before `tip` removed or renamed away, the newest first, each with that commit.

    Args:
        repository: Where.
        tip: The newest commit, or a range `A..B`.
        globs: What the files are called, from the top, where `*` takes no slash and `**/` any folders.

    Raises:
        GitStateError: Git cannot read the history.
    """
    arguments: tuple[str, ...] = (
        *("log", f"--format={_FORMAT}", "-z", "--raw", "--no-abbrev", "--no-renames", "--diff-filter=D"),
    )
    arguments += ("--no-color", "--no-ext-diff", "--no-show-signature", tip, "--")
    for commit in _parse_commits(_stream(repository, (*arguments, *(f":(top,glob){glob}" for glob in globs)))):
        yield from ((commit.id, change) for change in commit.changes)


def escape_glob(path: str) -> str:
    """A path, as `encode_path` writes it, as a glob that takes nothing else."""
    text = decode_path(path).decode(errors="surrogateescape")
    return "".join(f"\\{sign}" if sign in "*?[]\\" else sign for sign in text)


def blame_lines(
    repository: Repository, path: str, spans: Iterable[tuple[int, int]], *, rev: str | None
) -> dict[int, Blame]:
    """Who last changed the lines of a file, by number, white space left out of account.

    Args:
        repository: Where.
        path: The file.
        spans: First and last lines, from 1.
        rev: As this commit has the file; None for the work tree.

    Raises:
        GitStateError: Git does not know the file there, or it ends before a span does.
    """
    ranges = [f"-L{first},{last}" for first, last in spans]
    name = decode_path(path).decode(errors="surrogateescape")
    options = ("-w", "--no-textconv", "--encoding=UTF-8")
    arguments = ("blame", "--porcelain", *options, *ranges, *([rev] if rev else []), "--", name)
    return _parse_blame(repository.ask(f"blame {path}", *arguments))


def _parse_blame(output: bytes) -> dict[int, Blame]:
    """A commit is described before its first line only."""
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
    """What stands between NULs in a stream of chunks."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._ready: list[bytes] = []
        self._rest = b""

    def take(self) -> bytes | None:
        """The next one; None at the end."""
        while not self._ready:
            chunk = next(self._chunks, None)
            if chunk is None:
                return None
            *whole, self._rest = (self._rest + chunk).split(b"\0")
            self._ready = whole[::-1]
        return self._ready.pop()

    def take_text(self) -> str:
        """The next one as text; empty at the end."""
        return (self.take() or b"").decode(errors="replace")


def _parse_commits(chunks: Iterator[bytes]) -> Iterator[Commit]:
    tokens = _Tokens(chunks)
    token = tokens.take()
    while token is not None:
        fields = [token.decode(), *(tokens.take_text() for _ in range(_FIELDS - 1))]
        changes = []
        # A line feed parts the message from the files; in a merge, an empty token.
        while (token := tokens.take()) is not None and (record := token.lstrip(b"\n"))[:1] in (b"", b":"):
            if record:
                changes.append(_parse_change(record, tokens))
        name, parents, time, authored, author, email, subject = fields
        times = _number(time), _number(authored)
        yield Commit(name, tuple(parents.split()), *times, author, email, subject, tuple(changes))


def _number(text: str) -> int:
    """A time; 0 where a damaged commit has none."""
    return int(text) if text.lstrip("-").isdecimal() else 0


def _parse_change(facts: bytes, tokens: _Tokens) -> FileChange:
    """One record of `--raw -z`: `:modes blobs status`, then its paths; one colon for each parent."""
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
    """What git prints, as it comes; git is stopped where nobody takes more."""
    process = start_git(repository.folder, arguments, dict(repository.variables), stderr=subprocess.DEVNULL)
    if process.stdin is None or process.stdout is None:
        raise AssertionError
    try:
        process.stdin.close()
        while chunk := process.stdout.read(_CHUNK):
            yield chunk
        if process.wait() != 0:
            repository.ask("read the history", *arguments)  # fails again, and says why
    finally:
        process.kill()
        process.stdout.close()
        process.wait()
