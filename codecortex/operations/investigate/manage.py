"""Lists, shows and removes investigations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.git.lock import lock_repository
from codecortex.git.worktree.writing import apply_writes
from codecortex.model.errors import UsageError
from codecortex.model.investigations.values import make_slug
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.folder import require_folder
from codecortex.operations.investigate.rounds import drop_rounds, list_rounds
from codecortex.operations.investigations.states import judge_investigations
from codecortex.operations.notes.investigations import read_investigations

if TYPE_CHECKING:
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.investigations.states import InvestigationState
    from codecortex.operations.notes.investigations import InvestigationFile
    from codecortex.store.local.rounds_json import Rounds


class InvestigationList(NamedTuple):
    """The investigations of a tree, and those under way."""

    states: tuple[InvestigationState, ...]
    open: tuple[Rounds, ...]

    def as_json(self) -> dict[str, Any]:
        """JSON values."""
        return {
            "investigations": [each.as_json() for each in self.states],
            "open": [
                {"name": make_slug(each.question), "question": each.question, "rounds": len(each.asked)}
                for each in self.open
            ],
        }

    def as_text(self) -> str:
        """A line for each, and why one does not hold."""
        lines = []
        for each in self.states:
            lines.append(f"{each.state:<6}  {each.file.slug}  {each.file.question}")
            lines += [f"        {reason}" for reason in each.reasons]
        lines += [f"open    {make_slug(each.question)}  {each.question}" for each in self.open]
        return "\n".join(lines) or "No question was investigated: `codecortex investigate QUESTION` does it."


class InvestigationShown(NamedTuple):
    """One investigation."""

    state: InvestigationState

    def as_json(self) -> dict[str, Any]:
        """JSON values."""
        found = self.state.file.found
        told = self.state.as_json() | {"scope": [], "conclusion": None, "evidence": [], "openPoints": []}
        if found is None:
            return told
        return told | {
            "scope": list(found.scope),
            "conclusion": found.findings.conclusion,
            "evidence": [
                each.evidence.as_json() | {"holds": not each.problem} for each in self.state.checked
            ],
            "openPoints": list(found.findings.open_points),
        }  # fmt: skip

    def as_text(self) -> str:
        """The state, and the file."""
        told = f"{self.state.file.path}: {self.state.state}"
        told += f": {'; '.join(self.state.reasons)}" if self.state.reasons else ""
        next_ = f"\n\nNext: `codecortex investigate --update {self.state.file.slug}`." if self.state.reasons else ""
        return f"{told}\n\n{self.state.file.data.decode('utf-8', 'replace').rstrip()}{next_}"


class InvestigationRemoved(NamedTuple):
    """What was removed: the path of the file, or empty; and whether rounds under way were dropped."""

    path: str
    dropped: bool

    def as_json(self) -> dict[str, Any]:
        """JSON values."""
        return {"path": self.path or None, "dropped": self.dropped}

    def as_text(self) -> str:
        """One line."""
        return f"removed {self.path}" if self.path else "dropped what was asked so far"


def list_investigations(workspace: Workspace) -> InvestigationList:
    """The investigations of a tree with their states, and those under way in the work tree."""
    root = workspace.repository.root
    under_way = list_rounds(root, workspace.request.warn) if root is not None else []
    return InvestigationList(judge_investigations(workspace), tuple(under_way))


def show_investigation(workspace: Workspace, name: str) -> InvestigationShown:
    """One investigation, by its name, the beginning of that, or its question.

    Raises:
        UsageError: There is none, or there are several.
    """
    return InvestigationShown(judge_investigations(workspace, [_find(workspace, name)])[0])


def remove_investigation(workspace: Workspace, name: str) -> InvestigationRemoved:
    """Remove an investigation from the work tree, and what was asked of one under way; git keeps what was committed.

    Raises:
        UsageError: There is none, or there are several.
        GitStateError: The file cannot be removed.
    """
    root = require_folder(workspace.repository)
    waiting = {make_slug(each.question): each for each in list_rounds(root, workspace.request.warn)}
    slug = name if name in waiting else make_slug(name)
    known = {each.slug for each in read_investigations(workspace.tree)}
    if slug in waiting and slug not in known:
        drop_rounds(root, slug)
        return InvestigationRemoved("", dropped=True)
    file = _find(workspace, name)
    with lock_repository(workspace.repository):
        apply_writes(root, {}, [file.path])
    if file.slug in waiting:
        drop_rounds(root, file.slug)
    return InvestigationRemoved(file.path, dropped=file.slug in waiting)


def _find(workspace: Workspace, name: str) -> InvestigationFile:
    files = read_investigations(workspace.tree)
    asked = make_slug(name)
    exact = [each for each in files if each.slug in (name, asked)]
    found = exact or [each for each in files if name and each.slug.startswith(name)]
    hint = "`codecortex investigate list` names each."
    if len(found) > 1:
        raise UsageError(f"{len(found)} investigations begin with {name}.", hint)
    if not found:
        raise UsageError(f"There is no investigation {name}.", hint)
    return found[0]
