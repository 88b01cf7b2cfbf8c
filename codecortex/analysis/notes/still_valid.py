"""Decides whether the change of a dependency may concern a note, by the words of the note and of its types' sources.

A change that affects a type without naming the member (inheritance, construction, implicit calls by the language,
lookup at run time) may always concern it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from unicodedata import category, normalize

from codecortex.analysis.types.fingerprints import attribute_name
from codecortex.model.code.changes import Reason
from codecortex.model.code.syntax import resolve_escapes
from codecortex.model.code.types import WORD
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from codecortex.analysis.changes.member_diffs import Differences, MemberPair
    from codecortex.model.code.types import CSharpType

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

_UNNAMED = compile_later(
    r"Add|AppendFormatted|AppendLiteral|Cast|CompareTo|Count|Current|Deconstruct|Dispose(Async)?|EnterScope|"
    r"EqualityContract|Equals|GetAwaiter|Get(Async)?Enumerator|GetHashCode|GetPinnableReference|GetResult|(Group)?Join|"
    r"GroupBy|IsCompleted|Length|MoveNext(Async)?|(Unsafe)?OnCompleted|(OrderBy|ThenBy)(Descending)?|PrintMembers|"
    r"Select(Many)?|Slice|ToString|Where"
)
"""Members that the language, collections or formatting call without naming them in the source."""

_AT_RUN_TIME = compile_later(
    r"Activator|DbContext|DbSet|dynamic|GetType|IOptions\w*|\w*([Mm]apper|[Rr]eflection|[Ss]eriali[sz])\w*"
)
"""Words of sources that may access members without naming them."""


class NoteWords(NamedTuple):
    """The words of a note and of the sources of its types.

    Attributes:
        told: The text of the note.
        source: The sources, normalized so that equal identifiers are equal strings.
        known: All words of both.
    """

    told: str
    source: str
    known: frozenset[str]


class TypeDifference(NamedTuple):
    """A dependency before and after, and how the two differ."""

    before: CSharpType
    after: CSharpType
    found: Differences


def collect_words(sources: Iterable[str], told: str) -> NoteWords:
    """The words of a note's text and of the sources of its types."""
    source = _spell("\n".join(sources))
    return NoteWords(told, source, frozenset(WORD.findall(f"{source}\n{told}")))


def may_concern(change: TypeDifference, names: Sequence[str], words: NoteWords) -> bool:
    """Whether the change of a dependency may concern a note about the types of these FQNs."""
    found, merged = change.found, change.after
    if _is_told(merged.simple_name, words.told) or not found.reasons or not _BY_NAME.issuperset(found.reasons):
        return True
    if merged.kind == "enum" or any(name.startswith(f"{merged.fqn}+") for name in names):
        return True
    before, after = _list_attributes(change.before), _list_attributes(merged)
    if not _OF_TOOLS.issuperset(map(attribute_name, before ^ after)):
        return True
    pairs = [each for each in found.members if not each.docs_only]
    if any(each.nested for each in pairs) or (pairs and _is_looked_at(merged.simple_name, words)):
        return True
    named = words._replace(known=words.known.union(WORD.findall(" ".join(before | after))))
    return any(_is_used(merged, pair, named) for pair in pairs)


def _spell(text: str) -> str:
    """A source in which equal identifiers are equal strings: escapes resolved, NFC, without format characters."""
    text = resolve_escapes(text)
    if text.isascii():
        return text
    return "".join(sign for sign in normalize("NFC", text) if sign.isascii() or category(sign) != "Cf")


def _is_looked_at(name: str, words: NoteWords) -> bool:
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


def _is_used(merged: CSharpType, pair: MemberPair, words: NoteWords) -> bool:
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
