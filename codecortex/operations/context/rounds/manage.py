"""Conversations listed, shown, renamed, saved, loaded, compacted and dropped."""

from __future__ import annotations

import os
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from codecortex.context.rounds.compaction import KEPT, compact, shorten
from codecortex.git.paths import encode_path
from codecortex.git.worktree.disk import read_file
from codecortex.git.worktree.writing import apply_writes
from codecortex.model.conversations import NOTHING
from codecortex.model.errors import CodecortexError, UsageError
from codecortex.model.runs import write_money
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.text.visible import show_line
from codecortex.operations.context.rounds.files import (
    check_name,
    list_names,
    lock_conversations,
    read_conversation,
    require_free,
    write_files,
)
from codecortex.operations.folder import require_folder
from codecortex.operations.wording import count_noun, write_time
from codecortex.store.local.conversation_json import decode_conversation, encode_conversation
from codecortex.store.paths import conversation_path, conversation_save_path

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from codecortex.git.repository import Repository
    from codecortex.model.conversations import Conversation, ConversationAnswer, Round, RoundSummary, Spent
    from codecortex.operations.catalog.workspace import Workspace

_LISTED = 5


class ListedConversation(NamedTuple):
    """A conversation in a list; `problem` tells why its file cannot be read, else it is empty."""

    name: str
    rounds: int
    compacted: int
    time: int
    question: str
    problem: str = ""


class ConversationList(NamedTuple):
    """All conversations, sorted by name."""

    conversations: tuple[ListedConversation, ...]

    def as_json(self) -> dict[str, Any]:
        """The conversations as JSON values."""
        rows = [
            {**each._asdict(), "time": write_time(each.time) if each.time else None, "problem": each.problem or None}
            for each in self.conversations
        ]
        return {"conversations": rows}

    def as_text(self) -> str:
        """One line for each."""
        return "\n".join(map(_write_listed, self.conversations)) or "There is no conversation."


def _write_listed(each: ListedConversation) -> str:
    if each.problem:
        return f"{each.name}  cannot be read: {each.problem}"
    older = f" and {each.compacted} compacted" if each.compacted else ""
    last = f"  {write_time(each.time)}  {show_line(each.question)}" if each.time else ""
    return f"{each.name}  {count_noun(each.rounds, 'round')}{older}{last}"


def list_conversations(workspace: Workspace) -> ConversationList:
    """All conversations of the work tree.

    Raises:
        UsageError: There is no `.codecortex`.
    """
    return ConversationList(tuple(_list_one(workspace.repository, name) for name in list_names(workspace.repository)))


def _list_one(repository: Repository, name: str) -> ListedConversation:
    try:
        found = read_conversation(repository, name)
    except CodecortexError as problem:
        return ListedConversation(name, 0, 0, 0, "", problem.message)
    last = found.rounds[-1] if found.rounds else None
    told = (last.time, shorten(last.question)) if last is not None else (0, "")
    return ListedConversation(name, len(found.rounds), len(found.compacted), *told)


class ShownConversation(NamedTuple):
    """A conversation with its name."""

    name: str
    conversation: Conversation

    def as_json(self) -> dict[str, Any]:
        """The conversation as JSON values."""
        return {
            "name": self.name,
            "spent": self.conversation.spent.as_json(),
            "compacted": [each._asdict() for each in self.conversation.compacted],
            "rounds": [_describe(each) for each in self.conversation.rounds],
        }

    def as_text(self) -> str:
        """Compacted rounds as a line each, others with what was shown and answered."""
        lines = [*map(_write_summary, self.conversation.compacted)]
        for each in self.conversation.rounds:
            lines += _write_round(each)
        if self.conversation.spent != NOTHING:
            lines.append(f"all: {tell_spent(self.conversation.spent)}")
        return "\n".join(lines) or f"{self.name} has no round."


def _describe(each: Round) -> dict[str, Any]:
    answer = each.answer
    return {
        **each._asdict(),
        "time": write_time(each.time),
        "head": each.head or None,
        "inherited": [file._asdict() for file in each.inherited],
        "shown": [
            {"path": file.path, "blob": file.blob, "members": sorted(file.members.values())} for file in each.shown
        ],
        "answer": _describe_answer(answer) if answer is not None else None,
        "actions": [action._asdict() for action in each.actions],
        "ended": write_time(each.ended) if each.ended else None,
    }


def _describe_answer(answer: ConversationAnswer) -> dict[str, Any]:
    return {**answer._asdict(), "time": write_time(answer.time), "spent": answer.spent.as_json()}


def _write_summary(each: RoundSummary) -> str:
    parts = [f"{each.number}. {show_line(each.question)}", show_line(each.decision), show_line(", ".join(each.files))]
    return " | ".join(part for part in parts if part)


def _write_round(each: Round) -> list[str]:
    lines = [f"{each.number}. {write_time(each.time)}  {each.tokens:,} of {each.budget:,} tokens"]
    lines += _indent(each.question)
    listed = {
        "mentioned": each.mentioned,
        "edited since": each.edited,
        "inherited": [file.path for file in each.inherited],
        "shown": [file.path for file in each.shown],
    }
    for word, names in listed.items():
        if names:
            more = f" and {len(names) - _LISTED:,} more" if len(names) > _LISTED else ""
            lines.append(f"{word}: {show_line(', '.join(names[:_LISTED]))}{more}")
    if each.answer is not None:
        lines += ["answer:", *_indent(each.answer.text)]
        lines += [f"  ({tell_spent(each.answer.spent)})"] if each.answer.spent != NOTHING else []
    lines += [show_line(action.line) for action in each.actions]
    return lines


def tell_spent(spent: Spent) -> str:
    """Tokens and money in words."""
    cost = f", cost {write_money(spent.cost)}" if spent.cost is not None else ""
    return f"{spent.tokens_in:,} tokens in, {spent.tokens_out:,} out{cost}"


def _indent(text: str) -> list[str]:
    return [f"  {show_line(line)}" for line in text.splitlines()]


def show_conversation(workspace: Workspace, name: str) -> ShownConversation:
    """A conversation, whole.

    Raises:
        UsageError: There is none of that name.
        StoreFormatError: Its file is damaged.
    """
    return ShownConversation(name, read_conversation(workspace.repository, name))


class ConversationChange(NamedTuple):
    """What was done to a conversation: the word for it, its name, other names or files, and how many rounds it has."""

    action: str
    name: str
    rounds: int
    to: str = ""
    kept: str = ""

    def as_json(self) -> dict[str, Any]:
        """The change as JSON values."""
        return {**self._asdict(), "to": self.to or None, "kept": self.kept or None}

    def as_text(self) -> str:
        """One line."""
        to = f" to {show_line(self.to)}" if self.to else ""
        kept = f"; as it was it is kept in {self.kept}" if self.kept else ""
        return f"{self.action}  {self.name}{to}, {count_noun(self.rounds, 'round')}{kept}"


def rename_conversation(workspace: Workspace, name: str, new: str) -> ConversationChange:
    """Give a conversation another name.

    Raises:
        UsageError: There is none of that name, or the new one cannot be used.
    """
    repository = workspace.repository
    with lock_conversations(repository):
        found = read_conversation(repository, name)
        if new.lower() == name.lower():
            check_name(new)
            raise UsageError(f"{new} and {name} may be the same file.", "Choose a name that differs in more than case.")
        require_free(repository, new)
        write_files(repository, {conversation_path(new): encode_conversation(new, found)}, (conversation_path(name),))
    return ConversationChange("renamed", name, len(found.rounds), new)


def save_conversation(workspace: Workspace, name: str, file: Path) -> ConversationChange:
    """Copy a conversation to a new file.

    Raises:
        UsageError: There is no such conversation, the file is there already, or its folder is not.
    """
    found = read_conversation(workspace.repository, name)
    if os.path.lexists(file):
        raise UsageError(f"{file} is there already.", "Name a new file.")
    if not file.parent.is_dir():
        raise UsageError(f"There is no folder {file.parent}.", "Make it, or name another file.")
    apply_writes(file.parent, {encode_path(os.fsencode(file.name)): encode_conversation(name, found)})
    return ConversationChange("saved", name, len(found.rounds), str(file))


def load_conversation(workspace: Workspace, data: bytes, called: str, name: str | None) -> ConversationChange:
    """Add a conversation that was saved.

    Args:
        workspace: The work tree.
        data: The bytes of the file.
        called: What it is called in messages.
        name: The conversation's name; None for the one it had.

    Raises:
        UsageError: The name cannot be used, or another conversation has it.
        StoreFormatError: The file is no conversation, or not all of one.
    """
    own, found = decode_conversation(data, called)
    chosen = name or own
    with lock_conversations(workspace.repository):
        require_free(workspace.repository, chosen)
        write_files(workspace.repository, {conversation_path(chosen): encode_conversation(chosen, found)})
    return ConversationChange("loaded", chosen, len(found.rounds))


def compact_conversation(
    workspace: Workspace,
    name: str,
    kept: int = KEPT,
    decisions: Mapping[int, str] | None = None,
    spent: Spent = NOTHING,
) -> ConversationChange:
    """Cut all but the last rounds of a conversation down to a line each; the file as it was is copied first.

    Args:
        workspace: The work tree.
        name: The conversation.
        kept: How many rounds stay whole.
        decisions: By number of a round what came of it, where somebody tells; else the answer's own sentence.
        spent: What a model was paid for telling it.

    Raises:
        UsageError: There is no such conversation.
    """
    repository = workspace.repository
    with lock_conversations(repository):
        before = read_conversation(repository, name)
        after = compact(before, kept, decisions or {})
        if after == before:
            return ConversationChange("unchanged", name, len(before.rounds))
        data = encode_conversation(name, before)
        place = conversation_save_path(name, sha256(data).hexdigest()[:16])
        write_files(repository, {place: data})
        after = after._replace(spent=after.spent.add(spent))
        write_files(repository, {conversation_path(name): encode_conversation(name, after)})
    return ConversationChange("compacted", name, len(after.rounds), kept=place)


def drop_conversation(workspace: Workspace, name: str, *, sure: bool) -> ConversationChange:
    """Remove a conversation, even one that cannot be read.

    Raises:
        UsageError: There is none of that name, or nobody said that it may go.
    """
    repository = workspace.repository
    check_name(name)
    with lock_conversations(repository):
        if read_file(require_folder(repository), conversation_path(name), "Remove it by hand.") is None:
            read_conversation(repository, name)  # which raises the right error
        if not sure:
            hint = f"`codecortex conversation save {name} FILE` keeps it, `conversation drop {name} --yes` drops it."
            raise UsageError(f"{name} would be lost.", hint)
        rounds = _list_one(repository, name).rounds
        write_files(repository, {}, (conversation_path(name),))
    return ConversationChange("dropped", name, rounds)
