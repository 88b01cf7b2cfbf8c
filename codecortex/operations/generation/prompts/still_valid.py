"""What a prompt is made at in; whether the old text is certain to hold, so that nobody needs to be asked, out.

A note goes stale with the shape of what its types depend on. Where members came, went or changed there that the
sources of its types do not name and its text does not speak of, nothing that it says can have become wrong: it would
cost a prompt to be told so. Wherever a change may reach a type without its name (inheritance, construction, what the
language calls by itself, what is looked up at run time), somebody is asked.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import category, normalize

from codecortex.analysis.notes.jobs import STRUCTURE_DEPENDENCY
from codecortex.analysis.types.fingerprints import attribute_name
from codecortex.model.code.changes import Reason
from codecortex.model.code.types import WORD
from codecortex.operations.generation.prompts.answers import read_texts
from codecortex.operations.generation.prompts.dependencies import list_changed
from codecortex.operations.generation.prompts.past import fits_base

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codecortex.analysis.changes.member_diffs import MemberPair
    from codecortex.analysis.notes.jobs import Job
    from codecortex.model.code.types import CSharpType, TypeId
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.generation.prompts.dependencies import Compared
    from codecortex.operations.generation.prompts.notes import PromptContext

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
_DATA = {"property", "event", "field"}
_UNNAMED = re.compile(
    r"Add|AppendFormatted|AppendLiteral|Cast|CompareTo|Count|Current|Deconstruct|Dispose(Async)?|EnterScope|"
    r"EqualityContract|Equals|GetAwaiter|Get(Async)?Enumerator|GetHashCode|GetPinnableReference|GetResult|(Group)?Join|"
    r"GroupBy|IsCompleted|Length|MoveNext(Async)?|(Unsafe)?OnCompleted|(OrderBy|ThenBy)(Descending)?|PrintMembers|"
    r"Select(Many)?|Slice|ToString|Where"
)
"""Members that the language, collections or formatting call without their names in the source."""

_AT_RUN_TIME = re.compile(
    r"Activator|DbContext|DbSet|dynamic|GetType|IOptions\w*|\w*([Mm]apper|[Rr]eflection|[Ss]eriali[sz])\w*"
)
"""Words of sources that may get at members which they do not name."""

_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U(00(?:0[0-9a-fA-F]|10)[0-9a-fA-F]{4}))")


class _Words(NamedTuple):
    """What a note and the sources of its types hold.

    Attributes:
        told: The text of the note.
        source: The sources, spelt plainly.
        known: The words of both.
    """

    told: str
    source: str
    known: frozenset[str]


def is_still_valid(context: PromptContext) -> bool:
    """Whether nothing changed that the note of a job speaks of, or that its types name."""
    workspace, job, changed = context.workspace, context.job, list_changed(context.job)
    if job.change_class != STRUCTURE_DEPENDENCY or context.past.whole or len(changed) < len(job.causes):
        return False
    if not context.compared.keys() >= set(changed):
        return False
    inner = tuple(f"{name}+" for name in job.names)
    own = [*job.types, *(entry.id for entry in workspace.catalog.types if entry.fqn.startswith(inner))]
    if not _list_bases(workspace, own).isdisjoint(changed) or not _are_as_noted(context):
        return False
    words = _read_words(context)
    return words is not None and not any(_reaches(each, job, words) for each in context.compared.values())


def _are_as_noted(context: PromptContext) -> bool:
    """Whether the types of a note are in all that they were when it was written, what others cannot see included."""
    found, bases = context.types, context.past.bases
    return all(each in found and fits_base(bases[each][0])(found[each].prints) for each in context.job.types)


def _list_bases(workspace: Workspace, types: Iterable[TypeId]) -> set[str]:
    """The types of the repository that some types inherit from or implement."""
    found: set[str] = set()
    waiting = list(types)
    while waiting:
        bases = {edge.target for edge in workspace.graph.dependencies_of(waiting.pop()) if edge.base} - found
        waiting += bases
        found |= bases
    return found


def _read_words(context: PromptContext) -> _Words | None:
    """What a note and its sources hold; None where one of these cannot be read."""
    workspace, types = context.workspace, context.job.types
    known = workspace.catalog.by_id
    texts = read_texts(workspace, types)
    if not texts.keys() >= {path for each in types for path in known[each].files}:
        return None
    source = _spell("\n".join(texts.values()))
    told = "\n".join(text for each in context.past.texts for _, text in each.texts)
    return _Words(told, source, frozenset(WORD.findall(f"{source}\n{told}")))


def _spell(text: str) -> str:
    """A source in which equal identifiers are equal texts: without escapes and signs that do not count."""
    text = _ESCAPE.sub(lambda match: chr(int(match[1] or match[2], 16)), text)
    if text.isascii():
        return text
    return "".join(sign for sign in normalize("NFC", text) if sign.isascii() or category(sign) != "Cf")


def _reaches(compared: Compared, job: Job, words: _Words) -> bool:
    """Whether the change of a dependency may concern a note."""
    found, merged = compared.found, compared.after.type
    if _is_told(merged.simple_name, words.told) or not found.reasons or not _BY_NAME.issuperset(found.reasons):
        return True
    if merged.kind == "enum" or any(name.startswith(f"{merged.fqn}+") for name in job.names):
        return True
    before, after = _list_attributes(compared.before.type), _list_attributes(merged)
    if not _OF_TOOLS.issuperset(map(attribute_name, before ^ after)):
        return True
    pairs = [each for each in found.members if not each.docs_only]
    if any(each.nested for each in pairs) or (pairs and _is_looked_at(merged.simple_name, words)):
        return True
    named = words._replace(known=words.known.union(WORD.findall(" ".join(before | after))))
    return any(_is_used(merged, pair, named) for pair in pairs)


def _is_looked_at(name: str, words: _Words) -> bool:
    """Whether sources may get at all members of a type of a name, whatever these are called."""
    if any(map(_AT_RUN_TIME.fullmatch, words.known)):
        return True
    whole = rf"\b{re.escape(name)}\b"
    places = [rf"\btypeof\s*\([^)]*{whole}"]
    if "typeof" in words.known:
        places.append(rf"\busing\s[^;(){{}}]*=[^;]*{whole}")  # it may be of an alias
    return any(re.search(place, words.source) for place in places)


def _list_attributes(merged: CSharpType) -> set[str]:
    return {each for part in merged.parts for each in part.facts.attributes}


def _is_told(name: str, text: str) -> bool:
    """Whether a text speaks of a name, in whatever case, number or pieces: `OrderLine` as `order lines`."""
    stem = re.sub(r"Async$|(?<=..)[ey]$|_", "", re.sub(r"^I(?=[A-Z][a-z])", "", name))
    return re.search(r"(?<![^\W_])" + r"[\W_]*".join(map(re.escape, stem)), text, re.IGNORECASE) is not None


def _is_used(merged: CSharpType, pair: MemberPair, words: _Words) -> bool:
    for member in filter(None, (pair.before, pair.after)):
        kind, name = member.facts.kind, _spell(member.facts.name)
        if kind in _DATA and merged.kind not in {"class", "interface"}:
            return True  # the data of a struct or a record is compared, copied and printed as a whole
        if member.facts.accessibility == "private":
            continue
        if kind not in _NAMED or "required" in member.facts.modifiers:
            return True
        if name in words.known or not WORD.fullmatch(name) or _UNNAMED.fullmatch(name):
            return True
        if _is_told(name, words.told):
            return True
    return False
