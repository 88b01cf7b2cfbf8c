"""Texts as git keeps them, and back: exact bytes, with LF alone where git checks files out with CRLF."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from codecortex.editing.drafts import decode_as, decode_draft, read_form
from codecortex.editing.events import Unreadable
from codecortex.git.objects.opening import open_objects
from codecortex.git.worktree.disk import fold_line_ends, hash_blob
from codecortex.model.editor import StoredText
from codecortex.model.errors import StoreFormatError
from codecortex.operations.editing.files import name_state

if TYPE_CHECKING:
    from codecortex.editing.drafts import Draft, Form
    from codecortex.editing.events import OnDisk
    from codecortex.git.repository import Repository
    from codecortex.operations.editing.files import FileBytes

_BYTEWISE = frozenset({"utf-8", "cp1252"})
"""Encodings whose line ends are those of ASCII."""


class Texts:
    """The texts of one file, each read once."""

    def __init__(self, repository: Repository, found: FileBytes) -> None:
        self._repository = repository
        self._found = found
        self._known: dict[StoredText, Draft] = {}

    def load(self, stored: StoredText | None) -> Draft | None:
        """A text that git keeps; None for none.

        Raises:
            StoreFormatError: Git has no such text any longer.
        """
        if stored is None or stored in self._known:
            return None if stored is None else self._known[stored]
        data = self._read(stored.blob)
        decoded = decode_as(_widen(data) if stored.widened else data, _read_form(stored))
        if decoded is None:
            raise StoreFormatError(
                f"Git's blob {stored.blob} is no text in {stored.encoding}.", "Look at `session log`."
            )
        draft = self._known[stored] = replace(decoded, executable=stored.executable)
        return draft

    def _read(self, blob: str) -> bytes:
        if self._found.data is not None and blob == self._found.blob:
            return self._found.data
        ((_, data),) = open_objects(self._repository).read_blobs([blob])
        if not isinstance(data, bytes):
            raise StoreFormatError(f"Git's blob {blob} cannot be read: {data}.", "`git fsck` tells what is missing.")
        return data

    def recognize(self, blob: str | None, *, executable: bool) -> StoredText | None:
        """A text that somebody else had git keep; None for none, and for bytes that are no text."""
        if blob is None:
            return None
        draft = decode_draft(self._read(blob))
        if isinstance(draft, str):
            return None
        stored = StoredText(blob, draft.form.name, executable=executable)
        self._known[stored] = replace(draft, executable=executable)
        return stored

    def store(self, draft: Draft, kept: str | None, like: StoredText | None) -> StoredText:
        """Have git keep a text.

        Args:
            draft: The text.
            kept: What the session has at its path.
            like: What the buffer was before; None for nothing.
        """
        if like is not None and self._known.get(like) is draft:
            return like
        data, form = draft.encode(), draft.form.name
        folded = fold_line_ends(data)
        may_widen = draft.form.encoding in _BYTEWISE and folded != data and _widen(folded) == data
        if may_widen and (like.widened if like else self.hash(folded) == kept):
            stored = StoredText(self._write(folded, kept), form, True, draft.executable)  # noqa: FBT003 - widened
        else:
            stored = StoredText(self._write(data, kept), form, executable=draft.executable)
        self._known[stored] = draft
        return stored

    def _write(self, data: bytes, kept: str | None) -> str:
        blob = self.hash(data)
        return blob if blob == kept else open_objects(self._repository).write_blob(data)

    def decode_disk(self, *known: StoredText | None) -> OnDisk:
        """What the file says: one of the known texts where it has their bytes, whatever else these could mean."""
        found = self._found
        if found.problem:
            return Unreadable(found.problem)
        if found.data is None:
            return None
        for stored in known:
            draft = self.load(stored) if stored is not None and self._hash_written(stored) == found.blob else None
            if draft is not None:
                return replace(draft, executable=found.executable) if draft.executable != found.executable else draft
        decoded = decode_draft(found.data)
        return Unreadable(decoded) if isinstance(decoded, str) else replace(decoded, executable=found.executable)

    def fingerprint(self, stored: StoredText | None) -> str:
        """The fingerprint of a file that says a text; empty for none."""
        return "" if stored is None else name_state(self._hash_written(stored), executable=stored.executable)

    def _hash_written(self, stored: StoredText) -> str:
        """The id that git gives the bytes of a file that says a text."""
        if not stored.widened:
            return stored.blob
        draft = self.load(stored)
        return self.hash(draft.encode() if draft else b"")

    def hash(self, data: bytes) -> str:
        """The id that git gives bytes."""
        return hash_blob(data, self._repository.object_format)


def _read_form(stored: StoredText) -> Form:
    try:
        return read_form(stored.encoding)
    except ValueError as problem:
        raise StoreFormatError(f"{stored.encoding} is no encoding of a text.", "Look at `session log`.") from problem


def _widen(data: bytes) -> bytes:
    return data.replace(b"\n", b"\r\n")
