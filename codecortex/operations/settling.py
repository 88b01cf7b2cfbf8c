"""What a prompt is made at in; whether the old text is certain to hold, so that nobody needs to be asked, out.

A note goes stale with the shape of what its types depend on. Where members came, went or changed there that the
sources of its types do not name and its text does not speak of, nothing that it says can have become wrong: it would
cost a prompt to be told so. Wherever a change may reach a type without its name (inheritance, construction, what the
language calls by itself), somebody is asked.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.analysis.fingerprints import attribute_name
from codecortex.analysis.jobs import STRUCTURE_DEPENDENCY
from codecortex.model.changes import Reason
from codecortex.operations.answering import read_texts
from codecortex.operations.prompting_dependencies import list_changed

if TYPE_CHECKING:
    from codecortex.analysis.jobs import Job
    from codecortex.analysis.member_diffs import MemberPair
    from codecortex.model.types import CSharpType
    from codecortex.operations.desk import Desk
    from codecortex.operations.prompting_dependencies import Compared
    from codecortex.operations.prompting_notes import Scene

_BY_NAME = {
    Reason.MEMBER_ADDED,
    Reason.MEMBER_REMOVED,
    Reason.MEMBER_CHANGED,
    Reason.ATTRIBUTES_CHANGED,
}
"""What may change about a type without touching those that do not name the changed members. Not the values of an enum:
they may be used as numbers."""

_OF_TOOLS = {
    "CLSCompliant",
    "CompilerGenerated",
    "ComVisible",
    "DebuggerBrowsable",
    "DebuggerHidden",
    "DebuggerNonUserCode",
    "DebuggerTypeProxy",
    "PublicAPI",
    "StackTraceHidden",
    "UsedImplicitly",
}
"""Attributes that change nothing for those who use a type."""

_NAMED = {"method", "property", "event", "field", "constant"}
_UNNAMED = re.compile(
    r"Add|AppendFormatted|AppendLiteral|Cast|CompareTo|Count|Current|Deconstruct|Dispose(Async)?|Equals|GetAwaiter|"
    r"Get(Async)?Enumerator|GetHashCode|GetPinnableReference|GetResult|(Group)?Join|GroupBy|IsCompleted|Length|"
    r"MoveNext(Async)?|OnCompleted|(OrderBy|ThenBy)(Descending)?|Select(Many)?|Slice|ToString|Where"
)
"""Members that the language, collections or formatting call without their names in the source."""

_WORD = re.compile(r"[^\W\d]\w*")


def is_settled(scene: Scene) -> bool:
    """Whether nothing changed that the note of a job speaks of, or that its types name."""
    job, changed = scene.job, list_changed(scene.job)
    if job.change_class != STRUCTURE_DEPENDENCY or scene.past.whole or len(changed) < len(job.causes):
        return False
    if not _list_bases(scene.desk, job).isdisjoint(changed) or not scene.compared.keys() >= set(changed):
        return False
    told = {word for each in scene.past.texts for _, text in each.texts for word in _WORD.findall(text)}
    source = "\n".join(read_texts(scene.desk, job.types).values())
    words = told | set(_WORD.findall(source))
    return not any(_reaches(each, told, words, source) for each in scene.compared.values())


def _list_bases(desk: Desk, job: Job) -> set[str]:
    """The types of the repository that those of a job inherit from or implement."""
    found: set[str] = set()
    waiting = list(job.types)
    while waiting:
        bases = {edge.target for edge in desk.graph.dependencies_of(waiting.pop()) if edge.base} - found
        waiting += bases
        found |= bases
    return found


def _reaches(compared: Compared, told: set[str], words: set[str], source: str) -> bool:
    """Whether the change of a dependency may concern a note: words of its text, those and words of sources, sources."""
    found, merged = compared.found, compared.after.type
    if merged.simple_name in told or not found.reasons or not _BY_NAME.issuperset(found.reasons):
        return True
    marked = _list_attributes(compared.before.type) ^ _list_attributes(merged)
    if merged.kind == "enum" or not _OF_TOOLS.issuperset(map(attribute_name, marked)):
        return True
    pairs = [each for each in found.members if each.visible and not each.docs_only]
    if any(each.nested for each in pairs):
        return True
    return any(_is_used(compared, pair, words, source) for pair in pairs)


def _list_attributes(merged: CSharpType) -> set[str]:
    return {each for part in merged.parts for each in part.facts.attributes}


def _is_used(compared: Compared, pair: MemberPair, words: set[str], source: str) -> bool:
    for member in (pair.before, pair.after):
        if member is None:
            continue
        kind, name = member.facts.kind, member.facts.name
        if kind in _NAMED:
            if name in words or _UNNAMED.fullmatch(name):
                return True
        elif kind != "constructor" or _may_construct(compared, source):
            return True
    return False


def _may_construct(compared: Compared, source: str) -> bool:
    merged = compared.after.type
    if merged.kind.startswith("record") or merged.simple_name.endswith("Attribute"):
        return True  # patterns and attributes name no `new`
    return re.search(rf"\bnew\s*(?:\(|[\w.:@]*\b{re.escape(merged.simple_name)}\b)", source) is not None
