"""A session that nobody else edits in meanwhile: its latest version, what it remembers, and how both go on."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from codecortex.git.paths import decode_path, encode_path
from codecortex.git.sessions.applying import finish_applying
from codecortex.model.editor import EditorState
from codecortex.model.errors import BusyError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.sessions.manage import open_session
from codecortex.operations.sessions.remembered import lock_session, read_remembered, write_remembered
from codecortex.operations.sessions.versions import add_version, check_whole, find_session, list_sessions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from codecortex.editing.values import Language
    from codecortex.git.repository import Repository
    from codecortex.model.editor import Buffer
    from codecortex.operations.editing.results import EditRequest
    from codecortex.operations.sessions.versions import Session

_TRIES = 3
_AT_ONCE = 500


class Entry(NamedTuple):
    """What a session has at a path: mode and blob; 0 and None where it has no file there."""

    mode: int
    blob: str | None


_NO_FILE = Entry(0, None)


@contextmanager
def hold_session(edit: EditRequest, repository: Repository, language: Language) -> Iterator[HeldSession]:
    """Hold a session; one that there is not is opened.

    Raises:
        BusyError: Another process is at work in it.
    """
    with lock_session(repository, edit.session):
        finish_applying(repository, edit.request.warn)
        known = list_sessions(repository).get(edit.session)
        session = check_whole(known) if known is not None else open_session(edit.request.folder, edit.session).session
        yield HeldSession(repository, session, language, edit)


class HeldSession:
    """A session.

    Attributes:
        repository: The repository.
        session: The session, with its latest version.
        language: The language of answers.
        plan: What the caller means to reach.
        warn: Called with what the caller has to know.
    """

    def __init__(self, repository: Repository, session: Session, language: Language, edit: EditRequest) -> None:
        self.repository, self.session, self.language = repository, session, language
        self.plan, self.warn = edit.plan, edit.request.warn
        self._remembered = read_remembered(repository, session.name)

    def find_buffer(self, path: str) -> Buffer | None:
        """What is remembered of the buffer of a file."""
        return self._remembered.buffers.get(path)

    def read_entries(self, paths: Sequence[str]) -> dict[str, Entry]:
        """What the latest version has at some paths."""
        return read_entries(self.repository, self.session.tree, paths)

    def add_version(
        self, known: Mapping[str, Entry], changes: Mapping[str, Entry], title: str, facts: Mapping[str, Any]
    ) -> None:
        """Add a version; one that another process added meanwhile stays, unless it changed one of the files too.

        Args:
            known: What the caller saw at each path.
            changes: What is to be there, for those of them that change.
            title: What happened, for people.
            facts: The same for programs.

        Raises:
            BusyError: Another process changed one of the files.
        """
        entries = {
            decode_path(path): (each.mode, each.blob) if each.blob is not None else None
            for path, each in changes.items()
        }
        facts = {**facts, **({"plan": self.plan} if self.plan else {})}
        for left in reversed(range(_TRIES)):
            try:
                self.session = add_version(self.repository, self.session, entries, title, facts)
            except BusyError:
                session = find_session(self.repository, self.session.name)
                if not left or read_entries(self.repository, session.tree, list(known)) != known:
                    raise
                self.session = session
            else:
                return

    def remember(self, buffers: Mapping[str, Buffer], *, shown: str | None) -> None:
        """Write what is remembered of some buffers; one that is shown is the active one."""
        editor = self._remembered.editor
        if shown is not None:
            opened = editor.open if shown in editor.open else (*editor.open, shown)
            cursor = editor.cursor if editor.active == shown else None
            editor = EditorState(shown, cursor, editor.selections, opened)
        state = self._remembered._replace(buffers={**self._remembered.buffers, **buffers}, editor=editor)
        write_remembered(self.repository, self.session.name, state)


def read_entry(repository: Repository, tree: str, path: str) -> Entry:
    """What a tree has at a path."""
    return read_entries(repository, tree, [path])[path]


def read_entries(repository: Repository, tree: str, paths: Sequence[str]) -> dict[str, Entry]:
    """What a tree has at some paths."""
    found = dict.fromkeys(paths, _NO_FILE)
    for first in range(0, len(paths), _AT_ONCE):
        names = [os.fsdecode(decode_path(path)) for path in paths[first : first + _AT_ONCE]]
        output = repository.ask("look up files", "ls-tree", "-z", "--full-tree", tree, "--", *names)
        for record in output.split(b"\0")[:-1]:
            facts, _, name = record.partition(b"\t")
            mode, kind, blob = facts.decode().split(" ")
            path = encode_path(name)
            if path in found and kind == "blob" and mode in ("100644", "100755"):
                found[path] = Entry(int(mode, 8), blob)
    return found
