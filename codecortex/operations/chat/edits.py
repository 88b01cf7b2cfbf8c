"""Takes changes that an answer proposes into the session of a chat; files follow only when they are told to.

What comes of each is kept with the round, so that the model is told of it with the next message.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from codecortex.editing.patches.choosing import choose_place
from codecortex.editing.patches.finding import find_patches
from codecortex.editing.values import Mode, State, Status
from codecortex.editing.visibility import Verb
from codecortex.git.repository import open_repository
from codecortex.model.conversations import Action, Conversation
from codecortex.model.errors import UsageError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.chat.values import PendingChange
from codecortex.operations.context.rounds.files import find_conversation, update_conversation
from codecortex.operations.editing import verbs
from codecortex.operations.editing.apply import APPLY, apply_parts, read_parts
from codecortex.operations.editing.results import EditRequest
from codecortex.operations.editing.status import edit_status
from codecortex.operations.sessions.versions import list_sessions, list_versions
from codecortex.operations.wording import count_noun, name_some

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from codecortex.editing.patches.values import Stage
    from codecortex.operations.chat.values import Chat
    from codecortex.operations.editing.results import EditResult

_NAMED = 3
_LISTED_LINES = 4
_APPLY = "edit apply"


class Edited(NamedTuple):
    """The chat afterwards, what is told, and the exit code of a process that does nothing else."""

    chat: Chat
    text: str
    exit_code: int = 0


def take_change(chat: Chat, number: int | None) -> Edited:
    """Take the change that the last answer proposes; of several the one of that number, or list them.

    Raises:
        UsageError: There is no answer, no change in it, or none of that number; it cannot be read.
        NotAllowedError: The configuration does not allow it.
        BusyError: Another process is at work in the session.
        GitStateError: Git or the disk refuses; nothing is changed.
    """
    patches = find_patches(_read_answer(chat))
    if not patches:
        told = "Ask for a change: answers show it as a unified diff, an `apply_patch` block or a JSON list."
        raise UsageError("The last answer proposes no change.", told)
    if number is None and len(patches) > 1:
        return Edited(chat, _list(patches))
    if number is not None and not 1 <= number <= len(patches):
        raise UsageError(f"The last answer proposes {count_noun(len(patches), 'change')}.", "`/edit` lists them.")
    return _apply(chat, read_parts(patches[(number or 1) - 1].encode("utf-8", "surrogateescape")))


def choose_candidate(chat: Chat, number: int) -> Edited:
    """Say which of the places is meant that a part of the change stands in.

    Raises:
        UsageError: Nothing waits for a choice, or there is no such place; and as `take_change`.
    """
    if chat.pending is None:
        raise UsageError("Nothing waits for a choice.", "`/edit` takes the change that the last answer proposes.")
    parts, failure = chat.pending
    if not 1 <= number <= len(failure.places):
        raise UsageError(f"There are {len(failure.places)} places to choose from.", "`/edit select N` chooses one.")
    return _apply(chat, choose_place(parts, failure, number - 1))


def write_changes(chat: Chat) -> Edited:
    """Write every text of the session that is ahead of its file."""
    files = _list_ahead(chat)
    if not files:
        raise UsageError(f"Nothing in session {chat.session} waits to be written.", "`/edit` takes a change.")
    return _each(chat, "edit commit", files, verbs.commit)


def undo_change(chat: Chat) -> Edited:
    """Take the last change back, file by file."""
    changed = chat.changed or _find_taken(chat)
    if not changed:
        hint = f"`codecortex edit undo FILE --session {chat.session}` takes back others."
        raise UsageError(f"No change was taken last in session {chat.session}.", hint)
    return _each(replace(chat, changed=()), "edit undo", changed, verbs.undo)


def _find_taken(chat: Chat) -> Sequence[str]:
    """The files of a change that an earlier start of the chat took, where nothing else was edited since."""
    repository = open_repository(chat.request.folder)
    session = list_sessions(repository).get(chat.session)
    versions = list_versions(repository, session) if session is not None else ()
    facts = next((each.facts for each in versions if each.facts.get("op") != Verb.COMMIT), {})
    if (facts.get("op"), facts.get("plan"), facts.get("status")) != (APPLY, _name_plan(chat), Status.SUCCESS):
        return ()
    return [str(each["file"]) for each in facts.get("files", ())]


def compare_changes(chat: Chat) -> Edited:
    """What the session would change on disk, as a patch."""
    patches = [verbs.compare(_edit(chat, file)).patch or "" for file in _list_ahead(chat)]
    return Edited(chat, "\n".join(patches).rstrip() or f"Nothing in session {chat.session} waits to be written.")


def _list_ahead(chat: Chat) -> list[str]:
    """The files whose texts in the session wait to be written, whether or not they were changed outside meanwhile."""
    ahead = (State.PERSIST_PENDING, State.OUT_OF_SYNC)
    buffers = edit_status(chat.request, chat.session).buffers
    return [each.file for each in buffers if each.mode == Mode.MANUAL and each.state in ahead]


def _edit(chat: Chat, file: str) -> EditRequest:
    """Files are named from the top."""
    root = open_repository(chat.request.folder).require_root()
    return EditRequest(chat.request._replace(folder=root), file, chat.session, _name_plan(chat))


def _name_plan(chat: Chat) -> str:
    return f"chat {chat.conversation}"


def _read_answer(chat: Chat) -> str:
    found = find_conversation(open_repository(chat.request.folder), chat.conversation).conversation or Conversation()
    for each in reversed(found.rounds):
        if each.answer is not None:
            return each.answer.text
    raise UsageError("There is no answer yet.", "Ask something first.")


def _list(patches: Sequence[str]) -> str:
    lines = [f"The last answer proposes {len(patches)} changes; `/edit N` takes one:"]
    for number, patch in enumerate(patches, 1):
        first, *others = patch.strip("\n").split("\n")[:_LISTED_LINES]
        lines += [f"{number}. {first}", *(f"   {line}" for line in others)]
    return "\n".join(lines)


def _apply(chat: Chat, parts: tuple[Stage, ...]) -> Edited:
    result = apply_parts(_edit(chat, ""), parts, Mode.MANUAL)
    files = tuple(each.file for each in result.files)
    several = next((each for each in result.failures if each.places), None)
    text = result.as_text()
    if several is not None:
        text += f"\n`/edit select N` says which of the {len(several.places)} places in {several.file} is meant."
    elif result.status is Status.SUCCESS:
        text += "\nNothing is on disk yet: `/edit diff` shows it, `/edit write` writes it, `/edit undo` takes it back."
    outcome = {Status.SUCCESS: "done", Status.NO_OP: "skipped"}.get(result.status, "failed")
    named = files or tuple(dict.fromkeys(each.file for each in result.failures))
    _remember(chat, Action(_APPLY, name_some(named, _NAMED), outcome, result.as_text()))
    pending = PendingChange(parts, several) if several is not None else None
    return Edited(replace(chat, pending=pending, changed=files or chat.changed), text, result.exit_code)


def _each(chat: Chat, what: str, files: Sequence[str], verb: Callable[[EditRequest], EditResult]) -> Edited:
    """One verb for each of some files."""
    lines, code = [], 0
    for file in files:
        result = verb(_edit(chat, file))
        told = " ".join(filter(None, (result.response.summary, result.response.guidance)))
        done = {Status.SUCCESS: "done", Status.NO_OP: "skipped"}.get(result.response.status, "failed")
        _remember(chat, Action(what, file, done, told))
        lines.append(f"{file}: {told}")
        code = max(code, result.exit_code)
    lines += [f"`codecortex edit VERB FILE --session {chat.session}` has the verbs that a chat lacks."] if code else []
    return Edited(chat, "\n".join(lines), code)


def _remember(chat: Chat, action: Action) -> None:
    """Keep what was done with the last round."""

    def add(found: Conversation | None) -> Conversation:
        held = found or Conversation()
        if not held.rounds:
            return held
        last = held.rounds[-1]
        return held._replace(rounds=(*held.rounds[:-1], last._replace(actions=(*last.actions, action))))

    update_conversation(open_repository(chat.request.folder), chat.conversation, add)
