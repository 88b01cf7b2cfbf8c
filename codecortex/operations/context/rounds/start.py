"""A workspace, a question and the name of a conversation in; the answer, kept as the conversation's next round, out."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from codecortex.context.rounds.inheritance import inherit_classic, inherit_edited, list_seen
from codecortex.model.config_choices import Inheritance
from codecortex.model.conversations import Conversation, InheritedFile, Round, ShownFile
from codecortex.model.errors import UsageError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.text.visible import show_line
from codecortex.operations.context.ask import Earlier, ask
from codecortex.operations.context.rounds.edits import find_edited, read_state
from codecortex.operations.context.rounds.files import find_conversation, require_free, update_conversation
from codecortex.operations.wording import mend_halves

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.context.ask import Asking, ContextAnswer


class RoundAnswer(NamedTuple):
    """The answer to a question, the conversation it was asked in, and the round that it became."""

    answer: ContextAnswer
    name: str
    round: Round

    def as_json(self) -> dict[str, Any]:
        """The answer and its round as JSON values."""
        own = {
            "conversation": self.name,
            "round": self.round.number,
            "named": list(self.round.named),
            "edited": list(self.round.edited),
            "inherited": [each._asdict() for each in self.round.inherited],
        }
        return self.answer.as_json() | own

    def as_text(self) -> str:
        """The answer; with reasons where they are wanted."""
        text = self.answer.as_text()
        if not self.answer.explain:
            return text
        lines = [f"round {self.round.number} of {self.name}"]
        lines += [f"inherited: {show_line(each.path)}: {each.added:.2f}" for each in self.round.inherited]
        return "\n".join([text, *lines])


def ask_round(workspace: Workspace, name: str, text: str, asking: Asking) -> RoundAnswer:
    """Ask the next question of a conversation, which is made if there is none.

    Raises:
        UsageError: The question or the name cannot be used, the tree asked is not the work tree, or there is no
            `.codecortex`.
        StoreFormatError: The file of the conversation is damaged.
    """
    if not workspace.request.reads_worktree:
        raise UsageError("A conversation is about the work tree.", "Leave out --rev and --staged, or --conversation.")
    held = find_conversation(workspace.repository, name)
    if held.conversation is None:
        require_free(workspace.repository, name)
    before = held.conversation or Conversation()
    state, committed = read_state(workspace)
    edited = find_edited(workspace, before.state, committed) if before.last_number else ()

    def inherit(named: Collection[str]) -> Mapping[str, float]:
        if workspace.tree.config.context.inheritance is Inheritance.CLASSIC:
            return inherit_classic(text, named, before.rounds)
        return inherit_edited(edited)

    answer = ask(workspace, text, asking._replace(earlier=Earlier(inherit, edited, list_seen(before.rounds))))
    row = Round(
        number=0,
        question=mend_halves(text),
        time=int(time.time()),
        head=state.head,
        mentioned=tuple(map(mend_halves, asking.mentions)),
        named=answer.named,
        edited=edited,
        inherited=_list_inherited(answer),
        shown=_list_shown(workspace, answer),
        budget=asking.budget,
        tokens=answer.rendered.tokens,
        quality={key: figure for key, figure in answer.quality._asdict().items() if figure is not None},
    )

    def add(known: Conversation | None) -> Conversation:
        now = known or Conversation()  # another process may have added rounds meanwhile
        return now._replace(rounds=(*now.rounds, row._replace(number=now.last_number + 1)), state=state)

    return RoundAnswer(answer, name, update_conversation(workspace.repository, name, add, held).rounds[-1])


def _list_inherited(answer: ContextAnswer) -> tuple[InheritedFile, ...]:
    rows = (each.file for each in answer.candidates)
    return tuple(InheritedFile(file.path, file.parts["inherited"]) for file in rows if "inherited" in file.parts)


def _list_shown(workspace: Workspace, answer: ContextAnswer) -> tuple[ShownFile, ...]:
    files = []
    for shown in answer.rendered.shown:
        path = answer.candidates[shown.place].file.path
        members = {digest: each.unit.name for each, digest in zip(shown.bodies, shown.digests, strict=True)}
        files.append(ShownFile(path, workspace.tree.sources.sources[path].blob, members))
    return tuple(files)
