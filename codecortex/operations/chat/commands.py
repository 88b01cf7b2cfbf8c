"""What is typed behind `/` in a chat: its words in; the chat afterwards and what is told out."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from codecortex.context.rounds.compaction import KEPT
from codecortex.model.conversations import Conversation
from codecortex.model.errors import UsageError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.chat import edits
from codecortex.operations.chat.compacting import compact_rounds
from codecortex.operations.chat.mentions import split_known
from codecortex.operations.context.ask import Asking
from codecortex.operations.context.ask import ask as ask_context
from codecortex.operations.context.rounds.files import MOST_BYTES, find_conversation
from codecortex.operations.context.rounds.manage import (
    load_conversation,
    save_conversation,
    show_conversation,
)
from codecortex.operations.generation.providers.settings import read_settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from codecortex.operations.chat.edits import Edited
    from codecortex.operations.chat.values import Chat

_LEAST_BUDGET, _MOST_BUDGET = 100, 10_000_000


class Told(NamedTuple):
    """What came of a command.

    Attributes:
        chat: The chat afterwards.
        text: What is told; empty for nothing.
        copied: What is to go to the clipboard; empty for nothing.
        leaves: Whether the chat is over.
        exit_code: That of a process that does nothing else.
    """

    chat: Chat
    text: str = ""
    copied: str = ""
    leaves: bool = False
    exit_code: int = 0


class Command(NamedTuple):
    """A command: what it takes, what it does, and the function that does it."""

    usage: str
    summary: str
    run: Callable[[Chat, list[str]], Told]


def run_command(chat: Chat, line: str) -> Told:
    """Carry out a line that begins with `/`.

    Raises:
        UsageError: There is no such command, or it does not take these words.
        CodecortexError: As the operation that it stands for.
    """
    name, *words = line.split()
    command = COMMANDS.get(name)
    if command is None:
        raise UsageError(f"There is no command {name}.", f"There are {' '.join(COMMANDS)}.")
    return command.run(chat, words)


def _show_help(chat: Chat, _: list[str]) -> Told:
    width = max(len(each.usage) for each in COMMANDS.values())
    return Told(chat, "\n".join(f"{each.usage:<{width}}  {each.summary}" for each in COMMANDS.values()))


def _show_context(chat: Chat, words: list[str]) -> Told:
    with Workspace(chat.request) as workspace:
        budget = chat.budget or workspace.tree.config.context.budget
        if words:
            exclude = read_settings(workspace, chat.provider).exclude
            asking = Asking(budget, mentions=chat.mentions, exclude=exclude)
            return Told(chat, ask_context(workspace, " ".join(words), asking).as_text())
        found = find_conversation(workspace.repository, chat.conversation).conversation or Conversation()
        lines = [f"conversation {chat.conversation}, session {chat.session}, at most {budget:,} tokens a message"]
        lines += [f"first: {name}" for name in chat.mentions]
        if found.rounds:
            last = found.rounds[-1]
            lines.append(f"round {last.number} was shown {last.tokens:,} tokens:")
            lines += [f"  {file.path}" for file in last.shown]
        return Told(chat, "\n".join(lines))


def _add(chat: Chat, words: list[str]) -> Told:
    names = [word.lstrip("@#") for word in words]
    if not all(names) or not names:
        raise UsageError("/add takes paths or symbols.", "For example: /add src/Store.cs Store.Find")
    with Workspace(chat.request) as workspace:
        known, unknown = split_known(workspace, names)
    if unknown:
        raise UsageError(f"Nothing that is ranked is called {unknown[0]}.", "`codecortex search` finds names.")
    mentions = tuple(dict.fromkeys((*chat.mentions, *known)))
    return Told(replace(chat, mentions=mentions), f"first from now on: {', '.join(mentions)}")


def _drop(chat: Chat, words: list[str]) -> Told:
    names = [word.lstrip("@#") for word in words]
    unknown = [name for name in names if name not in chat.mentions]
    if unknown:
        raise UsageError(f"{unknown[0]} was not added.", "`/context` lists what was.")
    left = tuple(name for name in chat.mentions if name not in names) if names else ()
    return Told(replace(chat, mentions=left), f"first from now on: {', '.join(left) or 'nothing'}")


def _show_rounds(chat: Chat, words: list[str]) -> Told:
    _take_none("/rounds", words)
    with Workspace(chat.request) as workspace:
        if find_conversation(workspace.repository, chat.conversation).conversation is None:
            return Told(chat, f"{chat.conversation} has no round.")
        return Told(chat, show_conversation(workspace, chat.conversation).as_text())


def _set_budget(chat: Chat, words: list[str]) -> Told:
    if not words:
        return Told(chat, f"{chat.budget:,} tokens a message" if chat.budget else "as `context.budget` says")
    budget = _read_number("/budget", words)
    if not _LEAST_BUDGET <= budget <= _MOST_BUDGET:
        raise UsageError(f"{budget:,} tokens are no budget.", f"From {_LEAST_BUDGET} to {_MOST_BUDGET:,}.")
    return Told(replace(chat, budget=budget), f"{budget:,} tokens a message from now on")


def _compact(chat: Chat, words: list[str]) -> Told:
    return Told(*compact_rounds(chat, _read_number("/compact", words) if words else KEPT))


def _save(chat: Chat, words: list[str]) -> Told:
    file = _take_file("/save", chat, words)
    with Workspace(chat.request) as workspace:
        return Told(chat, save_conversation(workspace, chat.conversation, file).as_text())


def _load(chat: Chat, words: list[str]) -> Told:
    file, name = _take_file("/load", chat, words[:1]), words[1] if words[1:] else None
    if words[2:]:
        raise UsageError("/load takes a file, and a name for the conversation.", "For example: /load talk.json again")
    try:
        with file.open("rb") as opened:
            data = opened.read(MOST_BYTES + 1)
    except OSError as problem:
        raise UsageError(f"{file} cannot be read: {problem.strerror}.") from problem
    if len(data) > MOST_BYTES:
        raise UsageError(f"{file} is too large: more than {MOST_BYTES:,} bytes.")
    with Workspace(chat.request) as workspace:
        loaded = load_conversation(workspace, data, str(file), name)
    return Told(replace(chat, conversation=loaded.name, pending=None), loaded.as_text())


def _copy(chat: Chat, words: list[str]) -> Told:
    with Workspace(chat.request) as workspace:
        found = find_conversation(workspace.repository, chat.conversation).conversation or Conversation()
    answer = next((each.answer.text for each in reversed(found.rounds) if each.answer is not None), None)
    if answer is None:
        raise UsageError("There is no answer to copy yet.", "Ask something first.")
    if not words:
        return Told(chat, "", copied=answer)
    file = _take_file("/copy", chat, words)
    if os.path.lexists(file):
        raise UsageError(f"{file} is there already.", "Name a new file.")
    try:
        file.write_text(f"{answer}\n", "utf-8")
    except OSError as problem:
        raise UsageError(f"{file} cannot be written: {problem.strerror}.") from problem
    return Told(chat, f"copied to {file}")


_EDITS: dict[str, Callable[[Chat], Edited]] = {
    "diff": edits.compare_changes,
    "write": edits.write_changes,
    "undo": edits.undo_change,
}


def _edit(chat: Chat, words: list[str]) -> Told:
    match words:
        case []:
            return _tell(edits.take_change(chat, None))
        case ["select", number] if number.isdecimal():
            return _tell(edits.choose_candidate(chat, int(number)))
        case [word] if word.isdecimal():
            return _tell(edits.take_change(chat, int(word)))
        case [word] if word in _EDITS:
            return _tell(_EDITS[word](chat))
    raise UsageError("/edit does not take that.", f"{COMMANDS['/edit'].usage}: {COMMANDS['/edit'].summary}.")


def _tell(edited: Edited) -> Told:
    return Told(edited.chat, edited.text, exit_code=edited.exit_code)


def _leave(chat: Chat, words: list[str]) -> Told:
    _take_none("/quit", words)
    return Told(chat, leaves=True)


def _take_none(name: str, words: list[str]) -> None:
    if words:
        raise UsageError(f"{name} takes no words.")


def _read_number(name: str, words: list[str]) -> int:
    if len(words) != 1 or not words[0].isdecimal() or len(words[0]) > len(str(_MOST_BUDGET)):
        raise UsageError(f"{name} takes a number.", f"For example: {name} 5")
    return int(words[0])


def _take_file(name: str, chat: Chat, words: list[str]) -> Path:
    if len(words) != 1:
        raise UsageError(f"{name} takes a file.", f"For example: {name} talk.json")
    return chat.request.folder / Path(words[0]).expanduser()


COMMANDS = {
    "/context": Command("/context [QUESTION]", "what comes with a message, or would come with that one", _show_context),
    "/add": Command("/add NAME...", "show paths or symbols first, with every message", _add),
    "/drop": Command("/drop [NAME...]", "no longer show them first; without names, none", _drop),
    "/rounds": Command("/rounds", "all rounds, with what each took", _show_rounds),
    "/budget": Command("/budget [N]", "the most tokens of what is shown for a message", _set_budget),
    "/compact": Command("/compact [N]", "cut all but the last N rounds down to a line each", _compact),
    "/save": Command("/save FILE", "copy the conversation to a new file", _save),
    "/load": Command("/load FILE [NAME]", "go on with a conversation that was saved", _load),
    "/copy": Command("/copy [FILE]", "the last answer to the clipboard, or a new file", _copy),
    "/edit": Command(
        "/edit [N | select N | diff | write | undo]", "take the proposed change into the session; show, write it", _edit
    ),
    "/help": Command("/help", "these commands", _show_help),
    "/quit": Command("/quit", "leave", _leave),
}
