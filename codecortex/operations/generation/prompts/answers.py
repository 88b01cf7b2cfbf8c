"""Reads a model's answer to a job, checking that the names it mentions exist."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.notes.answers import Allowed, list_names, read_answer
from codecortex.analysis.notes.claims import OF_OBJECT
from codecortex.analysis.notes.jobs import MILD
from codecortex.git.contents import read_contents
from codecortex.model.code.types import WORD
from codecortex.operations.generation.prompts.lines import find_lines
from codecortex.operations.generation.prompts.notes import read_past
from codecortex.operations.generation.providers.settings import read_settings
from codecortex.parsing.decode import decode_source

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from codecortex.analysis.notes.answers import Outcome
    from codecortex.analysis.notes.jobs import Job
    from codecortex.model.code.catalog import TypeEntry
    from codecortex.model.code.types import TypeId
    from codecortex.operations.catalog.workspace import Workspace

MOST_BYTES = 16 * 1024
"""Maximum size of the sections of one answer: some 4,000 tokens, several times what five short sections take."""


def judge_answer(workspace: Workspace, job: Job, text: str) -> Outcome:
    """The outcome of an answer to a job."""
    past = read_past(workspace, job)
    lines = find_lines(workspace, job, past.notes, read_settings(workspace).exclude)
    names = KnownNames(workspace, job.types)
    told = list_names(text, with_lines=bool(lines.names))
    allowed = Allowed(
        no_change=lines.alone or (not past.whole and job.change_class in MILD),
        members=frozenset(name for name in told if names.hold(name)),
        most_bytes=MOST_BYTES,
        whole=past.whole,
        lines=frozenset(lines.names),
        only_lines=lines.alone,
    )
    return read_answer(text, allowed)


class KnownNames:
    """Which names may occur in a text about types.

    `Type.Member` must exist if the repository has types of that name. `Member` must be a member of these types or
    of types that they inherit or reference, the name of a type, or at least a word in their sources.
    """

    def __init__(self, workspace: Workspace, types: Sequence[TypeId]) -> None:
        self._workspace = workspace
        self._types = types
        self._words: frozenset[str] | None = None
        self._near: frozenset[str] | None = None

    def hold(self, name: str) -> bool:
        """Whether a name, `Member` or `Type.Member`, may occur."""
        owner, _, member = name.rpartition(".")
        if not owner:
            return self._is_type(member) or member in self._list_near() or member in self._list_words()
        owners = [
            entry
            for entry in self._workspace.catalog.by_simple_name.get(owner.lower(), ())
            if entry.simple_name == owner
        ]
        if not owners or member in OF_OBJECT or self._is_type(member):
            return True  # a type outside the repository, or a namespace
        return any(self._has_member(entry, member) for entry in owners) or self._extends(member)

    def _is_type(self, name: str) -> bool:
        found = self._workspace.catalog.by_simple_name.get(name.lower(), ())
        return any(entry.simple_name == name for entry in found)

    def _has_member(self, entry: TypeEntry, member: str) -> bool:
        """Whether a type has or inherits a member; with an unknown base, a word of the sources suffices."""
        members, whole = self._list_inherited(entry.id)
        return member in members or (not whole and member in self._list_words())

    def _extends(self, member: str) -> bool:
        found = self._workspace.catalog.find_members(member)
        return any(each.receiver or each.parameters.startswith("this ") for each in found)

    def _list_inherited(self, type_id: TypeId) -> tuple[set[str], bool]:
        """Names of the members that a type has or inherits, and whether all of its bases are in the repository."""
        names, whole, waiting, seen = set[str](), True, [type_id], {type_id}
        while waiting:
            current = waiting.pop()
            names.update(self._list_own((current,)))
            bases = [edge.target for edge in self._workspace.graph.dependencies_of(current) if edge.base]
            whole = whole and len(bases) >= len(self._workspace.graph.links_of(current)[0])
            waiting += [each for each in bases if each not in seen]
            seen.update(bases)
        return names, whole

    def _list_own(self, type_ids: Iterable[TypeId]) -> set[str]:
        return {each.name for type_id in type_ids for each in self._workspace.catalog.members_of(type_id)}

    def _list_near(self) -> frozenset[str]:
        if self._near is None:
            near: set[str] = set()
            for type_id in self._types:
                near |= self._list_inherited(type_id)[0]
                near |= self._list_own(edge.target for edge in self._workspace.graph.dependencies_of(type_id))
            self._near = frozenset(near)
        return self._near

    def _list_words(self) -> frozenset[str]:
        """All words in the files that declare the job's types."""
        if self._words is None:
            self._words = frozenset(WORD.findall("\n".join(read_texts(self._workspace, self._types).values())))
        return self._words


def read_texts(workspace: Workspace, type_ids: Iterable[TypeId]) -> Mapping[str, str]:
    """Text of each readable file that declares one of these types, by path."""
    paths = dict.fromkeys(path for type_id in type_ids for path in workspace.catalog.by_id[type_id].files)
    entries = [workspace.tree.sources.sources[path] for path in paths]
    found = {content.entry.path: content.data for content in read_contents(workspace.repository, entries)}
    return {path: decode_source(data).decode("utf-8", "replace") for path, data in found.items() if data is not None}
