"""What a model should see of one file right now, as Markdown and as JSON; nothing is stored."""

from __future__ import annotations

from functools import partial
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any

from codecortex.context.live.fitting import MOST_PLANS, MOST_STEPS, fit_live
from codecortex.context.live.values import NO_FILE, Anchor, Materials, PlanHint, Step
from codecortex.context.live.writing import describe_live
from codecortex.git.repository import open_repository
from codecortex.git.sessions.chains import find_changes
from codecortex.model.budgets import LIVE_BUDGET
from codecortex.model.errors import UsageError
from codecortex.model.sessions import DEFAULT_SESSION
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.live.chains import WORKTREE, choose_session, open_chain
from codecortex.operations.live.files import find_path, list_changed, read_disk, read_versions
from codecortex.operations.queries.read import may_lie_inside
from codecortex.operations.reading.tree import read_config_alone
from codecortex.operations.request import Count
from codecortex.operations.sessions.remembered import read_remembered
from codecortex.operations.tokens import make_counter
from codecortex.operations.wording import write_time

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from codecortex.context.live.values import FileText, MemberLine, Shown
    from codecortex.git.repository import Repository
    from codecortex.model.editor import EditorState
    from codecortex.model.sessions import Version
    from codecortex.operations.live.chains import Chain
    from codecortex.operations.request import Request

_ANCHOR_SECONDS = 30 * 60
_FINE = frozenset({"", "Success", "NoOp", "MultiMatch"})
_RECENT = 32
"""Versions among which plans are looked for: an older one tells nothing of what comes next."""
_SHORT = 12


class LiveQuestion(NamedTuple):
    """What somebody wants to see.

    Attributes:
        session: Whose versions; None for the default session, that of `watch`, or HEAD and the work tree.
        file: The file, from where the user stands or from the top; None for the active one, or the last changed.
        at: The id of an older version, or its beginning; None for the newest.
        budget: How many tokens the text may have.
    """

    session: str | None = None
    file: str | None = None
    at: str | None = None
    budget: int = LIVE_BUDGET


class LiveContext(NamedTuple):
    """What a model should see right now."""

    shown: Shown

    def as_json(self) -> dict[str, Any]:
        """JSON values, with the exact texts."""
        return describe_live(self.shown)

    def as_text(self) -> str:
        """Markdown within the budget."""
        return self.shown.text


def show_live(request: Request, question: LiveQuestion, now: int) -> LiveContext:
    """What a model should see right now.

    Args:
        request: The folder.
        question: What is wanted.
        now: The time in seconds since 1970, which chooses the older version to compare with.

    Raises:
        UsageError: There is no such session, version or file, or none was ever named.
        StoreFormatError: The session's ref or its local file is damaged.
        ConfigError: The tokens cannot be counted.
        GitStateError: There is no work tree, or git fails.
    """
    repository = open_repository(request.folder, lasting=request.lasting)
    repository.require_root("What is edited lies in a work tree: run this in one.")
    count = make_counter(read_config_alone(request, repository))
    chain = open_chain(repository, choose_session(repository, question.session), question.at)
    editor = read_remembered(repository, chain.session or DEFAULT_SESSION).editor
    changed = list_changed(repository, chain)
    path = _choose_path(request, repository, chain, question.file) or _guess_path(chain, editor, changed)
    shown = fit_live(_Gathering(repository, chain, path).gather(editor, changed, now), question.budget, count)
    request.tally(Count.TOKENS, shown.tokens)
    request.tally(Count.TOKEN_BUDGET, question.budget)
    return LiveContext(shown)


def _choose_path(request: Request, repository: Repository, chain: Chain, asked: str | None) -> str:
    return find_path(request, repository, chain, asked) if asked is not None else ""


def _guess_path(chain: Chain, editor: EditorState, changed: Sequence[str]) -> str:
    """The file that somebody works on: the active one, that of the newest version, or the first that changed."""
    last = next((file for each in chain.versions if isinstance(file := each.facts.get("file"), str)), None)
    path = next(filter(None, (editor.active, last, *changed)), None)
    if path is None or not may_lie_inside(path):
        raise UsageError(
            "No file is active, and none was changed.",
            "Name one: `codecortex live --file FILE`, or `codecortex live state --active FILE`.",
        )
    return path


class _Gathering:
    """All that there is to tell of one file."""

    def __init__(self, repository: Repository, chain: Chain, path: str) -> None:
        self._repository, self._chain, self._path = repository, chain, path
        self._told = self._choose_versions()
        names = [each.id for pair in self._told for each in pair]
        self._texts = self._read([*chain.ends, *names])

    def gather(self, editor: EditorState, changed: Sequence[str], now: int) -> Materials:
        """The materials of a live context."""
        chain = self._chain
        disk = read_disk(self._repository, self._path) if chain.latest else NO_FILE
        file = disk if chain.version == WORKTREE else self._texts[chain.version]
        made = "" if chain.version == WORKTREE or chain.newest is None else write_time(chain.newest.time)
        return Materials(
            session=chain.session,
            version=chain.version,
            time=made,
            path=self._path,
            file=file,
            disk=_compare_disk(file, disk) if chain.latest else "An older version; there are newer ones.",
            also=tuple(path for path in changed if path != self._path),
            steps=tuple(self._list_steps(file))[:MOST_STEPS],
            anchor=self._find_anchor(file, now),
            editor=editor,
            plans=tuple(islice(_list_plans(islice(chain.versions, _RECENT)), MOST_PLANS)),
            members=partial(_list_members, self._path, file),
            more=self._name_tree(),
        )

    def _choose_versions(self) -> list[tuple[Version, Version]]:
        """The newest versions that changed the file, or that failed to, each with the one before it.

        What the chain began with is no change.
        """
        versions = self._chain.versions
        changed = set(find_changes(self._repository, (each.id for each in versions), self._path, MOST_STEPS))
        about = {None, self._path}
        told = ((each, before) for each, before in pairwise(versions)
                if each.id in changed or (is_failed(each) and each.facts.get("file") in about))  # fmt: skip
        return list(islice(told, MOST_STEPS))

    def _read(self, names: Sequence[str]) -> Mapping[str, FileText]:
        return read_versions(self._repository, self._path, list(dict.fromkeys(names)))

    def _list_steps(self, file: FileText) -> Iterator[Step]:
        newest = self._texts[self._chain.newest.id] if self._chain.newest is not None else NO_FILE
        if self._chain.version == WORKTREE and file != newest:
            yield Step(WORKTREE, "", "On disk", "", "", "", failed=False, before=newest, after=file)
        for each, earlier in self._told:
            before, after = self._texts[earlier.id], self._texts[each.id]
            op, status, error = (str(each.facts.get(name) or "") for name in ("op", "status", "error"))
            yield Step(each.id, write_time(each.time), each.title, op, status, error, is_failed(each), before, after)

    def _find_anchor(self, file: FileText, now: int) -> Anchor | None:
        """The version nearest to half an hour ago, older than what is shown; of equally near ones the oldest.

        Where nothing happened since then, it is the oldest of all: what happened at all.
        """
        chain = self._chain
        on_disk = chain.version == WORKTREE
        newest, oldest = chain.newest, chain.oldest
        if newest is None or oldest is None or (newest == oldest and not on_disk):
            return None
        then = (now if chain.latest else newest.time) - _ANCHOR_SECONDS
        changed_since = newest.time > then or (on_disk and file != self._texts[newest.id])
        found = oldest
        if changed_since and oldest.time < then:
            found = _find_nearest(islice(chain.versions, 0 if on_disk else 1, None), then) or oldest
        text = self._texts[found.id] if found.id in self._texts else self._read([found.id])[found.id]
        return Anchor(found.id, write_time(found.time), text)

    def _name_tree(self) -> str:
        """The options that name the tree which is told of."""
        chain = self._chain
        if chain.version == WORKTREE:
            return ""
        if chain.latest and chain.session:
            return f" --session {chain.session}"
        return f" --rev {chain.version[:_SHORT]}"


def is_failed(version: Version) -> bool:
    """Whether a version says that something was tried and did not come about."""
    return bool(version.facts.get("error")) or str(version.facts.get("status") or "") not in _FINE


def _find_nearest(versions: Iterable[Version], then: int) -> Version | None:
    """The version made nearest to a time, of equally near ones the oldest: no version is older than the one before."""
    found = None
    for each in versions:
        if found is not None and abs(each.time - then) > abs(found.time - then):
            break
        found = each
    return found


def _list_plans(versions: Iterable[Version]) -> Iterator[PlanHint]:
    for each in versions:
        plan = each.facts.get("plan")
        if isinstance(plan, str) and plan:
            op, file, error = (str(each.facts.get(name) or "") for name in ("op", "file", "error"))
            yield PlanHint(each.id, write_time(each.time), plan, op, file, is_failed(each), error)


def _compare_disk(file: FileText, disk: FileText) -> str:
    if file.text == disk.text:
        return ""
    if disk.reason:
        return f"On disk {disk.reason}."
    return "On disk there is no such file." if disk.text is None else "On disk the file says something else."


def _list_members(path: str, file: FileText) -> tuple[MemberLine, ...]:
    from codecortex.operations.live.members import list_members

    return list_members(path, file.text or "")
