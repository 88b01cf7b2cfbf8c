"""Composes the prompt window and writes it to its file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.context.window import Reason, Window, WindowSection, compose_window
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.packs.packs import find_definition
from codecortex.operations.packs.text import make_text
from codecortex.operations.request import Count
from codecortex.operations.tokens import make_counter
from codecortex.operations.window.queues import plan_queues
from codecortex.operations.window.state import make_follower, read_state, write_window
from codecortex.operations.window.texts import Texts
from codecortex.operations.wording import name_some
from codecortex.store.paths import WINDOW

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from decimal import Decimal

    from codecortex.context.window import LeftOut, WindowEntry
    from codecortex.model.code.catalog import TypeEntry
    from codecortex.model.code.types import TypeId
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.window.queues import Queues


_REASONS = {Reason.NO_ROOM: "no room for", Reason.UNREADABLE: "cannot be read"}
_MOST_NAMED = 5


class WindowResult(NamedTuple):
    """The prompt window.

    Attributes:
        window: Its text, and the types in it and left out.
        budget: Maximum number of characters.
        tokens: Number of tokens of the text.
        encoding: The tokenizer's vocabulary; None if tokens are estimated.
        queues: The candidates.
        entries: The types by TypeId.
        remarks: Why the note of a type is stale, by TypeId.
        pinned_chars: Number of characters of the pinned types.
        pinned_share: The part of the budget that they may take.
    """

    window: Window
    budget: int
    tokens: int
    encoding: str | None
    queues: Queues
    entries: Mapping[TypeId, TypeEntry]
    remarks: Mapping[TypeId, str]
    pinned_chars: int
    pinned_share: Decimal | int

    def as_json(self) -> dict[str, Any]:
        """The window as JSON values."""
        return {
            "path": WINDOW,
            "budget": self.budget,
            "chars": len(self.window.text),
            "tokens": self.tokens,
            "encoding": self.encoding,
            "types": [self._describe(each) for each in self.window.kept],
            "leftOut": [self._name(each) | {"reason": each.reason} for each in self.window.left_out],
            "gone": [{"id": mark.id, "fqn": mark.fqn} for mark in self.queues.gone],
            "text": self.window.text,
        }

    def as_text(self) -> str:
        """The text, without its last line feed; for an empty window, the summary."""
        return self.window.text.removesuffix("\n") or self.summarise()

    def summarise(self) -> str:
        """How full the window is and what is not in it, one line each."""
        kept, left = self.window.kept, self.window.left_out
        counts = [f"{sum(each.place is place for each in kept)} {place.lower()}" for place in WindowSection]
        about = "" if self.encoding else "about "
        lines = [
            f"{WINDOW}: {len(self.window.text):,} of {self.budget:,} characters, {about}{self.tokens:,} tokens; "
            + ", ".join(counts)
        ]
        if not (kept or left or self.queues.gone):
            lines.append(
                "Nothing was pinned, added or asked for: `codecortex pin SYMBOL`, `codecortex outline SYMBOL`."
            )
        for reason in dict.fromkeys(each.reason for each in left):
            names = [self.entries[each.type_id].display for each in left if each.reason is reason]
            lines.append(f"{_REASONS[reason]}: {name_some(names, _MOST_NAMED)}")
        if self.pinned_chars > self.budget * self.pinned_share:
            lines.append(f"what is pinned takes more than {self.pinned_share * 100:.0f} % of the budget")
        if self.queues.gone:
            lines.append(f"not in this tree: {name_some([mark.fqn for mark in self.queues.gone], _MOST_NAMED)}")
        return "\n".join(lines)

    def _name(self, each: WindowEntry | LeftOut) -> dict[str, Any]:
        entry = self.entries[each.type_id]
        return {"id": entry.id, "fqn": entry.fqn, "section": each.place.lower()}

    def _describe(self, each: WindowEntry) -> dict[str, Any]:
        why = {"because": self.queues.because[each.type_id]} if each.place is WindowSection.FOCUS else {}
        remark = self.remarks.get(each.type_id, "") if each.sections else ""
        told = {"chars": len(each.text), "sections": list(each.sections), "stale": bool(remark)}
        return self._name(each) | told | why | ({"remark": remark} if remark else {})


def show_window(workspace: Workspace, *, budget: int | None = None, pack: str = "") -> WindowResult:
    """Compose the window and write it to its file.

    Args:
        workspace: The tree.
        budget: Maximum number of characters; None for the configured one.
        pack: Name of the pack to activate; empty for none.

    Raises:
        UsageError: There is no `.codecortex`, or no such pack.
    """
    count = make_counter(workspace.tree.config)  # before anything is written: the tokenizer may be missing
    state = read_state(workspace)
    queues = plan_queues(workspace, state, make_follower(workspace), _list_packed(workspace, pack))
    texts = Texts(workspace)
    limits = workspace.tree.config.prompt_window
    limit = limits.max_chars if budget is None else budget
    window = compose_window(queues.places, texts.load, limit)
    pinned = texts.measure(queues.places[WindowSection.PINNED])
    write_window(workspace, window.text)
    workspace.request.tally(Count.CHARS, len(window.text))
    workspace.request.tally(Count.CHAR_BUDGET, limit)
    tokens, encoding = count(window.text), workspace.tree.config.tokens.encoding
    known = workspace.catalog.by_id
    return WindowResult(window, limit, tokens, encoding, queues, known, texts.remarks, pinned, limits.pinned_share)


def _list_packed(workspace: Workspace, pack: str) -> Sequence[TypeId]:
    """The types of a pack."""
    if not pack:
        return ()
    return make_text(workspace, find_definition(workspace.tree.config.packs, pack)).text.types
