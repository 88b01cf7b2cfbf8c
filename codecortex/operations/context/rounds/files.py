"""Reads and writes the files of conversations in `.codecortex/local/conversations`, one process at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.git.lock import hold_lock
from codecortex.git.worktree.disk import read_file
from codecortex.git.worktree.writing import apply_writes, list_files
from codecortex.model.conversations import CONVERSATION_RULE, Conversation, is_conversation_name
from codecortex.model.errors import UsageError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.folder import require_folder
from codecortex.operations.local_files import write_local
from codecortex.operations.wording import name_some
from codecortex.store.local.conversation_json import decode_conversation, encode_conversation
from codecortex.store.paths import CONVERSATIONS, conversation_name, conversation_path

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from contextlib import AbstractContextManager
    from pathlib import Path

    from codecortex.git.repository import Repository

MOST_BYTES = 32 * 1024 * 1024
_LOCK = "conversations"
_PATIENCE = 10.0
_SHOWN, _NAMED = 60, 5
_HINT = "Move what stands there away."


def check_name(name: str) -> None:
    """Refuse what is no name of a conversation.

    Raises:
        UsageError: It is none.
    """
    if not is_conversation_name(name):
        raise UsageError(f"{name[:_SHOWN]!r} cannot be the name of a conversation.", f"Expected {CONVERSATION_RULE}.")


def list_names(repository: Repository) -> list[str]:
    """The names of all conversations, sorted.

    Raises:
        UsageError: There is no `.codecortex`.
    """
    found = list_files(require_folder(repository), CONVERSATIONS)
    return sorted(name for path in found if (name := conversation_name(path)) is not None)


class HeldConversation(NamedTuple):
    """The bytes of a conversation's file, and what they say; None twice where there is no file."""

    data: bytes | None
    conversation: Conversation | None


def find_conversation(repository: Repository, name: str, held: HeldConversation | None = None) -> HeldConversation:
    """A conversation.

    Args:
        repository: Where it is.
        name: What it is called.
        held: What was read of it before, which is not decoded again if its file is as it was.

    Raises:
        UsageError: It cannot be a name, or there is no `.codecortex`.
        StoreFormatError: Its file is damaged.
    """
    check_name(name)
    data = read_file(require_folder(repository), conversation_path(name), _HINT)
    if held is not None and held.data == data:
        return held
    return HeldConversation(data, decode_conversation(data, conversation_path(name))[1] if data is not None else None)


def read_conversation(repository: Repository, name: str) -> Conversation:
    """A conversation that there must be.

    Raises:
        UsageError: There is none of that name.
        StoreFormatError: Its file is damaged.
    """
    found = find_conversation(repository, name).conversation
    if found is not None:
        return found
    names = list_names(repository)
    begin = "`codecortex context QUESTION --conversation` begins one."
    raise UsageError(f"There is no conversation {name}.", f"There are {name_some(names, _NAMED)}." if names else begin)


def require_free(repository: Repository, name: str) -> None:
    """Refuse a name that a conversation has, in whatever case: some systems take both for one file.

    Raises:
        UsageError: One has it.
    """
    check_name(name)
    same = [each for each in list_names(repository) if each.lower() == name.lower()]
    if same:
        raise UsageError(f"There is a conversation {same[0]} already.", "Choose another name, or drop that one.")


def lock_conversations(repository: Repository) -> AbstractContextManager[None]:
    """Hold the lock that every writer of a conversation takes; see `hold_lock`."""
    return hold_lock(repository.local_dir / _LOCK, wait=_PATIENCE)


def update_conversation(
    repository: Repository,
    name: str,
    change: Callable[[Conversation | None], Conversation],
    held: HeldConversation | None = None,
) -> Conversation:
    """Change a conversation.

    Args:
        repository: Where it is.
        name: What it is called.
        change: What makes the new one of the old one, or of None where there is none yet.
        held: What was read of it before.

    Raises:
        UsageError: It cannot be a name, differs from another by case alone, or the conversation has become too large.
        StoreFormatError: Its file is damaged; it stays as it is.
    """
    with lock_conversations(repository):
        found = find_conversation(repository, name, held).conversation
        if found is None:
            require_free(repository, name)
        changed = change(found)
        data = encode_conversation(name, changed)
        if len(data) > MOST_BYTES:
            raise UsageError(
                f"The conversation {name} would take more than {MOST_BYTES:,} bytes.",
                f"`codecortex conversation compact {name}` cuts it down.",
            )
        write_files(repository, {conversation_path(name): data})
    return changed


def write_files(repository: Repository, files: Mapping[str, bytes], removed: tuple[str, ...] = ()) -> None:
    """Write files of conversations, then remove others; the caller has the lock."""
    root: Path = require_folder(repository)
    write_local(root, files)
    apply_writes(root, {}, removed)
