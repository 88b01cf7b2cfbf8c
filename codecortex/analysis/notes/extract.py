"""Writes the five sections of a note without a model, from a type's declaration, documentation and bodies.

Everything in them is taken from the sources of the type itself: nothing is inferred, and changes elsewhere have no
effect. What the outline shows (signatures, summaries) is not repeated, except one sentence about what the type is.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from codecortex.analysis.notes.extract_docs import (
    Topic,
    find_topic,
    is_pointer,
    list_entries,
    list_sentences,
    split_doc,
)
from codecortex.analysis.notes.extract_edges import list_edges, list_unsupported, name_short
from codecortex.analysis.notes.sanitize import sanitize
from codecortex.model.code.facts import VISIBLE
from codecortex.model.notes import Section

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from codecortex.model.code.bodies import BodyFacts
    from codecortex.model.code.facts import MemberFacts
    from codecortex.model.code.types import CSharpType, Member

EXTRACT = "extract"
VERSION = "1"
"""To be raised when the text for the same sources changes."""

GENERATOR = f"{EXTRACT} {VERSION}"
"""The generator in the header of such a note."""

NOTHING, UNDOCUMENTED = "None stated.", "Not documented."
"""The text of a section for which the sources give nothing, and the beginning of such a role."""

FILLERS = (NOTHING, UNDOCUMENTED)

_MOST_LINES = 10
_MOST_OF_MEMBERS = 6
_LONGEST_LINE = 320
_PURPOSE_SENTENCES = 3
_INTERFACES = 4
_ALIKE = 40
"""Sentences on members of the same name count as equal if they begin with this many equal characters."""

_ATTRIBUTE = re.compile(r"(?:\w+\.)*(\w+?)(?:Attribute)?\s*(?:\((.*)\))?", re.DOTALL)
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
_LIMITING = {
    "RequiresUnreferencedCode": "is not safe for trimming",
    "RequiresDynamicCode": "needs code to be generated at run time",
    "RequiresAssemblyFiles": "needs its assembly to be a file",
    "UnsupportedOSPlatform": "is not for the platform",
    "SupportedOSPlatform": "is only for the platform",
    "Experimental": "is experimental",
}
_CONCURRENT = re.compile(
    r"\b(Concurrent\w+|SemaphoreSlim|ReaderWriterLockSlim|ReaderWriterLock|Mutex|AsyncLocal|ThreadLocal|Lock)\b"
)


class Material(NamedTuple):
    """The sources of an extract.

    Attributes:
        type: The type.
        bodies: What the bodies of its members do, by the member's number; uninteresting ones may be missing.
    """

    type: CSharpType
    bodies: Mapping[int, BodyFacts]


def extract_sections(materials: Sequence[Material]) -> dict[Section, str]:
    """The sections of the note of a type, or of types that share one; deterministic."""
    if len(materials) == 1:
        found = _extract(materials[0])
        return {section: sanitize(found.get(section, NOTHING)) for section in Section}
    parts = [(each.type.display_name, _extract(each)) for each in materials]
    joined = {}
    for section in Section:
        told = [f"`{name}`:\n{texts[section]}" for name, texts in parts if texts.get(section, NOTHING) != NOTHING]
        joined[section] = sanitize("\n\n".join(told) or NOTHING)
    return joined


def _extract(material: Material) -> dict[Section, str]:
    merged = material.type
    told = _read_docs(merged)
    edges = list(list_edges(merged, material.bodies))
    limits = [*told[Topic.LIMIT], *_list_attributes(merged), *list_unsupported(merged, material.bodies)]
    return {
        Section.ROLE: _write_role(merged, told[Topic.PURPOSE]),
        Section.LIFECYCLE: _write_lines([*_list_life(merged), *told[Topic.LIFE]]),
        Section.EDGE_CASES: _write_lines(edges),
        Section.LIMITATIONS: _write_lines([*limits, *_list_synchronisation(material)]),
        Section.RECOMMENDATIONS: _write_lines([*_list_obsolete(merged), *told[Topic.ADVICE], *_list_see_also(merged)]),
    }


def _write_lines(lines: Iterable[str]) -> str:
    """Distinct lines as a list, up to a maximum; a last line says how many are left out."""
    kept = list(dict.fromkeys(map(_shorten, lines)))
    if not kept:
        return NOTHING
    if len(kept) > _MOST_LINES:
        kept[_MOST_LINES:] = [f"And {len(kept) - _MOST_LINES} more in the sources."]
    return "\n".join(f"- {line}" for line in kept)


def _shorten(text: str) -> str:
    """A text, truncated if it is too long for a line, but not inside a name."""
    if len(text) <= _LONGEST_LINE:
        return text
    kept = text[: _LONGEST_LINE - 3]
    return (kept.rpartition("`")[0] if kept.count("`") % 2 else kept).rstrip(" (,") + "..."


# -- role


def _write_role(merged: CSharpType, purposes: Sequence[str]) -> str:
    told = " ".join(map(_shorten, purposes[:_PURPOSE_SENTENCES]))
    return f"{told or UNDOCUMENTED}\n{_write_shape(merged)}"


def _write_shape(merged: CSharpType) -> str:
    words = " ".join([*(word for word in merged.modifiers if word in ("abstract", "sealed", "static")), merged.kind])
    names = [f"`{base}`" for base in dict.fromkeys(base for part in merged.parts for base in part.facts.bases)]
    shown = ", ".join(names[:_INTERFACES]) + (
        f" and {len(names) - _INTERFACES} more" if len(names) > _INTERFACES else ""
    )
    flags = (
        "; its values combine as flags" if any(_name_attribute(each) == "Flags" for each in _attributes(merged)) else ""
    )
    extends = sorted({facts.receiver or facts.parameters[0].type for facts in _list_extensions(merged)})
    offers = f"; extends {', '.join(f'`{each}`' for each in extends[:_INTERFACES])}" if extends else ""
    return f"{words.capitalize()}{f' with the bases {shown}' if names else ''}{offers}{flags}."


def _list_extensions(merged: CSharpType) -> Iterator[MemberFacts]:
    for member in _list_visible(merged):
        first = member.facts.parameters[:1]
        if member.facts.receiver or any("this" in each.modifier.split() for each in first):
            yield member.facts


# -- lifecycle


def _list_life(merged: CSharpType) -> Iterator[str]:
    if "static" in merged.modifiers:
        yield "Static: there are no instances."
    elif merged.kind in ("class", "record"):
        yield from _list_making(merged)
    names = {member.facts.name for member in merged.members if not member.facts.parameters}
    bases = {base.rpartition(".")[2] for part in merged.parts for base in part.facts.bases}
    ends = [name for base, name in (("IDisposable", "Dispose"), ("IAsyncDisposable", "DisposeAsync")) if base in bases]
    if ends:
        yield f"Dispose of it when done: {', '.join(f'`{name}`' for name in ends)}."
    elif "Dispose" in names and merged.kind != "interface":
        yield "Declares `Dispose`."
    if any(member.facts.kind == "destructor" for member in merged.members):
        yield "Has a finalizer."


def _list_making(merged: CSharpType) -> Iterator[str]:
    made = [member.facts for member in merged.members if member.facts.kind == "constructor"]
    instance = [facts for facts in made if "static" not in facts.modifiers]
    own = {merged.own_name, f"{merged.own_name}?"}
    makers = [
        facts
        for facts in (member.facts for member in _list_visible(merged))
        if "static" in facts.modifiers and facts.type in own and facts.kind in ("method", "property", "field")
    ]
    names = ", ".join(dict.fromkeys(f"`{facts.name}`" for facts in makers[:_MOST_OF_MEMBERS]))
    if "abstract" in merged.modifiers:
        needed = sorted({member.facts.name for member in _list_visible(merged) if "abstract" in member.facts.modifiers})
        if needed:
            yield f"Derived types implement {', '.join(f'`{name}`' for name in needed[:_MOST_OF_MEMBERS])}."
    elif instance and not any(facts.accessibility in VISIBLE for facts in instance):
        yield f"No constructor is public; instances come from {names or 'inside its assembly'}."
        return
    if names:
        yield f"Instances also come from {names}."
    if _is_fixed(merged):
        yield "No field or property is assigned after construction; what they refer to may change."


def _is_fixed(merged: CSharpType) -> bool:
    """Whether a type without a base class declares state, and none of it can be assigned after construction."""
    bases = [base.rpartition(".")[2] for part in merged.parts for base in part.facts.bases]
    if any(len(base) < 2 or not (base[0] == "I" and base[1].isupper()) for base in bases):  # noqa: PLR2004
        return False
    own = [member.facts for member in merged.members if "static" not in member.facts.modifiers]
    if merged.degraded or any(facts.primary and facts.kind == "constructor" for facts in own):
        return False  # parameters of a primary constructor may be stored, and assigned
    state = [facts for facts in own if facts.kind in ("field", "property", "indexer", "event")]
    return bool(state) and not any(
        facts.kind == "event"
        or (facts.kind == "field" and "readonly" not in facts.modifiers)
        or any(word == "set" for _, word in facts.accessors)
        for facts in state
    )


# -- documentation


def _read_docs(merged: CSharpType) -> dict[Topic, list[str]]:
    """The sentences that outlines leave out, by topic; those on members begin with the members' names."""
    told: dict[Topic, list[str]] = {topic: [] for topic in Topic}
    for part in merged.parts:
        doc = split_doc(part.facts.doc)
        summary = list(list_sentences(doc[""]))
        told[Topic.PURPOSE] += summary[:1]
        for sentence in [*summary[1:], *list_sentences(doc.get("Remarks", ""))]:
            told[find_topic(sentence)].append(sentence)
    of_type = {sentence for sentences in told.values() for sentence in sentences}
    said: dict[tuple[Topic, str], dict[str, None]] = {}
    known: dict[tuple[str, str], str] = {}  # overloads often repeat each other with a word more
    for member in _list_visible(merged):
        doc = split_doc(member.facts.doc)
        sentences = [*list(list_sentences(doc[""]))[1:], *list_sentences(doc.get("Remarks", ""))]
        for sentence in sentences:
            topic = find_topic(sentence)
            if topic is not Topic.PURPOSE and sentence not in of_type and not is_pointer(sentence):
                alike = (member.facts.name, sentence[:_ALIKE])
                said.setdefault((topic, known.setdefault(alike, sentence)), {})[f"`{name_short(merged, member)}`"] = (
                    None
                )
    for topic in Topic:
        lines = [f"{_join(list(names))}: {sentence}" for (kind, sentence), names in said.items() if kind is topic]
        told[topic] += lines[:_MOST_OF_MEMBERS]
    return told


def _join(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_OF_MEMBERS} more" if len(names) > _MOST_OF_MEMBERS else ""
    return ", ".join(names[:_MOST_OF_MEMBERS]) + more


def _list_see_also(merged: CSharpType) -> Iterator[str]:
    for part in merged.parts:
        for entry in list_entries(split_doc(part.facts.doc).get("See also", "")):
            yield f"See {entry.name.replace('[', '`').replace(']', '`') if '](' not in entry.name else entry.name}."


# -- attributes and fields


def _attributes(merged: CSharpType) -> Iterator[str]:
    return (each for part in merged.parts for each in part.facts.attributes)


def _name_attribute(text: str) -> str:
    match = _ATTRIBUTE.fullmatch(text.strip())
    return match[1] if match is not None else ""


def _read_attribute(text: str) -> tuple[str, str]:
    """An attribute's simple name, and its first string argument."""
    match = _ATTRIBUTE.fullmatch(text.strip())
    said = _STRING.search(match[2] or "") if match is not None else None
    return (match[1] if match is not None else ""), (said[1].replace('\\"', '"') if said is not None else "")


def _each_attribute(merged: CSharpType) -> Iterator[tuple[str, str, str]]:
    """Yield the owner, name and text of each attribute: of the type first, then of its visible members."""
    for text in _attributes(merged):
        yield (f"`{merged.simple_name}`", *_read_attribute(text))
    for member in _list_visible(merged):
        for text in member.facts.attributes:
            yield (f"`{name_short(merged, member)}`", *_read_attribute(text))


def _list_attributes(merged: CSharpType) -> Iterator[str]:
    for bearer, name, said in _each_attribute(merged):
        if name in _LIMITING:
            yield f"{bearer} {_LIMITING[name]}{f': {said}' if said else ''}".rstrip(".") + "."


def _list_obsolete(merged: CSharpType) -> Iterator[str]:
    for bearer, name, said in _each_attribute(merged):
        if name == "Obsolete":
            yield f"{bearer} is obsolete{f': {said}' if said else ''}".rstrip(".") + "."


def _list_synchronisation(material: Material) -> Iterator[str]:
    merged = material.type
    locking = [
        name_short(merged, merged.members[number]) for number, body in sorted(material.bodies.items()) if body.locks
    ]
    if locking:
        yield f"Takes a `lock` in {_join([f'`{name}`' for name in dict.fromkeys(locking)])}."
    for member in merged.members:
        facts = member.facts
        if facts.kind != "field":
            continue
        found = _CONCURRENT.search(facts.type)
        if found is not None:
            yield f"Holds a `{found[1]}` in `{facts.name}`."
        elif any(_name_attribute(each) == "ThreadStatic" for each in facts.attributes):
            yield f"`{facts.name}` differs from thread to thread."
        elif "volatile" in facts.modifiers:
            yield f"`{facts.name}` is volatile."


def _list_visible(merged: CSharpType) -> Iterator[Member]:
    return (each for each in merged.members if each.facts.accessibility in VISIBLE and not each.facts.implicit)
