"""Decides whether the text of a stale note is certain to be still valid, so that no prompt is needed.

A note becomes stale when the structure of a dependency changes. If members were added, removed or changed there that
neither the sources of the note's types nor its text mention, nothing in the note can have become wrong, and a prompt
would only confirm that. Where a change may affect a type without naming the member (inheritance, construction, implicit
calls by the language, lookup at run time), a prompt is needed.
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
"""Changes of a type that affect only code naming the changed members. Enum values are not among them: they may be used
as numbers."""

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
"""Attributes that do not affect code using the type."""

_NAMED = {"method", "property", "event", "field", "constant"}
_DATA = {"property", "event", "field"}
_UNNAMED = re.compile(
    r"Add|AppendFormatted|AppendLiteral|Cast|CompareTo|Count|Current|Deconstruct|Dispose(Async)?|EnterScope|"
    r"EqualityContract|Equals|GetAwaiter|Get(Async)?Enumerator|GetHashCode|GetPinnableReference|GetResult|(Group)?Join|"
    r"GroupBy|IsCompleted|Length|MoveNext(Async)?|(Unsafe)?OnCompleted|(OrderBy|ThenBy)(Descending)?|PrintMembers|"
    r"Select(Many)?|Slice|ToString|Where"
)
"""Members that the language, collections or formatting call without naming them in the source."""

_AT_RUN_TIME = re.compile(
    r"Activator|DbContext|DbSet|dynamic|GetType|IOptions\w*|\w*([Mm]apper|[Rr]eflection|[Ss]eriali[sz])\w*"
)
"""Words of sources that may access members without naming them."""

_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U(00(?:0[0-9a-fA-F]|10)[0-9a-fA-F]{4}))")


class _Words(NamedTuple):
    """The words of a note and of the sources of its types.

    Attributes:
        told: The text of the note.
        source: The sources, normalized by `_spell`.
        known: All words of both.
    """

    told: str
    source: str
    known: frozenset[str]


def is_still_valid(context: PromptContext) -> bool:
    """Whether no change concerns anything that the job's note mentions or its types use."""
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
    """Whether all fingerprints of a note's types, internal ones included, equal those in its header."""
    found, bases = context.types, context.past.bases
    return all(each in found and fits_base(bases[each][0])(found[each].prints) for each in context.job.types)


def _list_bases(workspace: Workspace, types: Iterable[TypeId]) -> set[str]:
    """The types in the repository that some types inherit from or implement, transitively."""
    found: set[str] = set()
    waiting = list(types)
    while waiting:
        bases = {edge.target for edge in workspace.graph.dependencies_of(waiting.pop()) if edge.base} - found
        waiting += bases
        found |= bases
    return found


def _read_words(context: PromptContext) -> _Words | None:
    """The words of a note and its sources; None if a source cannot be read."""
    workspace, types = context.workspace, context.job.types
    known = workspace.catalog.by_id
    texts = read_texts(workspace, types)
    if not texts.keys() >= {path for each in types for path in known[each].files}:
        return None
    source = _spell("\n".join(texts.values()))
    told = "\n".join(text for each in context.past.texts for _, text in each.texts)
    return _Words(told, source, frozenset(WORD.findall(f"{source}\n{told}")))


def _spell(text: str) -> str:
    """A source in which equal identifiers are equal strings: escapes resolved, NFC, without format characters."""
    text = _ESCAPE.sub(lambda match: chr(int(match[1] or match[2], 16)), text)
    if text.isascii():
        return text
    return "".join(sign for sign in normalize("NFC", text) if sign.isascii() or category(sign) != "Cf")


def _reaches(compared: Compared, job: Job, words: _Words) -> bool:
    """Whether the change of a dependency may concern the note."""
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
    """Whether the sources may access all members of the named type without naming them."""
    if any(map(_AT_RUN_TIME.fullmatch, words.known)):
        return True
    whole = rf"\b{re.escape(name)}\b"
    places = [rf"\btypeof\s*\([^)]*{whole}"]
    if "typeof" in words.known:
        places.append(rf"\busing\s[^;(){{}}]*=[^;]*{whole}")  # it may be an alias of the type
    return any(re.search(place, words.source) for place in places)


def _list_attributes(merged: CSharpType) -> set[str]:
    return {each for part in merged.parts for each in part.facts.attributes}


def _is_told(name: str, text: str) -> bool:
    """Whether a text mentions a name, in any case, number or split: `OrderLine` as `order lines`."""
    stem = re.sub(r"Async$|(?<=..)[ey]$|_", "", re.sub(r"^I(?=[A-Z][a-z])", "", name))
    return re.search(r"(?<![^\W_])" + r"[\W_]*".join(map(re.escape, stem)), text, re.IGNORECASE) is not None


def _is_used(merged: CSharpType, pair: MemberPair, words: _Words) -> bool:
    for member in filter(None, (pair.before, pair.after)):
        kind, name = member.facts.kind, _spell(member.facts.name)
        if kind in _DATA and merged.kind not in {"class", "interface"}:
            return True  # data of a struct or a record is compared, copied and printed as a whole
        if member.facts.accessibility == "private":
            continue
        if kind not in _NAMED or "required" in member.facts.modifiers:
            return True
        if name in words.known or not WORD.fullmatch(name) or _UNNAMED.fullmatch(name):
            return True
        if _is_told(name, words.told):
            return True
    return False
