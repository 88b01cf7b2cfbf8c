"""Writes the sections of a note without a model, from a type's declaration, documentation and bodies.

Everything in them is taken from the sources of the type itself: nothing is inferred, and changes elsewhere have no
effect. What the outline shows (kind, bases, signatures, the type's summary, the first sentences on members) is not
repeated. A section for which nothing is left is left out.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

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
from codecortex.analysis.types.outline import name_member
from codecortex.model.code.facts import VISIBLE
from codecortex.model.config_choices import ProviderName
from codecortex.model.notes import Section
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.model.versions import EXTRACT_VERSION

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from codecortex.model.code.bodies import BodyFacts
    from codecortex.model.code.facts import MemberFacts
    from codecortex.model.code.types import CSharpType, Member

GENERATOR = f"{ProviderName.EXTRACT} {EXTRACT_VERSION}"
"""The generator in the header of such a note."""

FILLERS = ("None stated.", "Not documented.")
"""What extracts of version 1 say, or begin with, where the sources give nothing."""

_MOST_LINES = 10
_MOST_OF_MEMBERS = 6
_LONGEST_LINE = 320
_PURPOSE_SENTENCES = 3
_ALIKE = 40
"""Sentences on members of the same name count as equal if they begin with this many equal characters."""

_ATTRIBUTE = compile_later(r"(?:\w+\.)*(\w+?)(?:Attribute)?\s*(?:\((.*)\))?", re.DOTALL)
_STRING = compile_later(r'"((?:[^"\\]|\\.)*)"')
_LIMITING = {
    "RequiresUnreferencedCode": "is not safe for trimming",
    "RequiresDynamicCode": "needs code to be generated at run time",
    "RequiresAssemblyFiles": "needs its assembly to be a file",
    "UnsupportedOSPlatform": "is not for the platform",
    "SupportedOSPlatform": "is only for the platform",
    "Experimental": "is experimental",
}
_CONCURRENT = compile_later(
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
    """The sections of the note of a type, or of types that share one; deterministic.

    A section without text is missing; there is none at all where the sources state nothing besides the outline.
    """
    parts = [(each.type.display_name, _extract(each)) for each in materials]
    found = {}
    for section in Section:
        told = [(name, texts[section]) for name, texts in parts if section in texts]
        if told:
            alone = len(materials) == 1
            found[section] = sanitize("\n\n".join(text if alone else f"`{name}`:\n{text}" for name, text in told))
    return found


def _extract(material: Material) -> dict[Section, str]:
    """The sections of one type that have a text."""
    merged = material.type
    told = _read_docs(merged)
    limits = [*told[Topic.LIMIT], *_list_attributes(merged), *list_unsupported(merged, material.bodies)]
    texts = {
        Section.ROLE: _write_role(merged, told[Topic.PURPOSE]),
        Section.LIFECYCLE: _write_lines([*_list_life(merged), *told[Topic.LIFE]]),
        Section.EDGE_CASES: _write_lines(list_edges(merged, material.bodies)),
        Section.LIMITATIONS: _write_lines([*limits, *_list_synchronisation(material)]),
        Section.RECOMMENDATIONS: _write_lines([*_list_obsolete(merged), *told[Topic.ADVICE], *_list_see_also(merged)]),
    }
    return {section: text for section, text in texts.items() if text}


def _write_lines(lines: Iterable[str]) -> str:
    """Distinct lines as a list, up to a maximum; a last line says how many are left out. Empty without lines."""
    kept = list(dict.fromkeys(map(shorten, lines)))
    if len(kept) > _MOST_LINES:
        kept[_MOST_LINES:] = [f"And {len(kept) - _MOST_LINES} more in the sources."]
    return "\n".join(f"- {line}" for line in kept)


def shorten(text: str) -> str:
    """A text, truncated if it is too long for a line, but not inside a name."""
    if len(text) <= _LONGEST_LINE:
        return text
    kept = text[: _LONGEST_LINE - 3]
    return (kept.rpartition("`")[0] if kept.count("`") % 2 else kept).rstrip(" (,") + "..."


# -- role


def _write_role(merged: CSharpType, purposes: Sequence[str]) -> str:
    told = [*map(shorten, purposes[:_PURPOSE_SENTENCES])]
    if any(_name_attribute(each) == "Flags" for each in _attributes(merged)):
        told.append("Its values combine as flags.")
    return " ".join(told)


# -- lifecycle


def _list_life(merged: CSharpType) -> Iterator[str]:
    if "static" not in merged.modifiers and merged.kind in ("class", "record"):
        yield from _list_making(merged)
    bases = {base.rpartition(".")[2] for part in merged.parts for base in part.facts.bases}
    ends = [name for base, name in (("IDisposable", "Dispose"), ("IAsyncDisposable", "DisposeAsync")) if base in bases]
    if ends:
        yield f"Dispose of it when done: {', '.join(f'`{name}`' for name in ends)}."
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
    hidden = instance and not any(facts.accessibility in VISIBLE for facts in instance)
    if hidden and "abstract" not in merged.modifiers:
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
    of_type: set[str] = set()
    for part in merged.parts:
        doc = split_doc(part.facts.doc)
        of_type.update(list_sentences(doc[""]))
        for sentence in list_sentences(doc.get("Remarks", "")):
            if sentence not in of_type:
                told[find_topic(sentence)].append(sentence)
                of_type.add(sentence)
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


def _read_attribute(text: str) -> str:
    """The first string argument of an attribute; empty without one."""
    match = _ATTRIBUTE.fullmatch(text.strip())
    said = _STRING.search(match[2] or "") if match is not None else None
    return said[1].replace('\\"', '"') if said is not None else ""


def _list_attributes(merged: CSharpType) -> Iterator[str]:
    for name, words in _LIMITING.items():
        yield from _tell_attribute(merged, name, words)


def _list_obsolete(merged: CSharpType) -> Iterator[str]:
    yield from _tell_attribute(merged, "Obsolete", "is obsolete")


def _tell_attribute(merged: CSharpType, name: str, words: str) -> Iterator[str]:
    """Lines about an attribute: of the type itself first, then of its visible members, of one text together."""
    for text in _attributes(merged):
        if _name_attribute(text) == name:
            yield _end(f"`{merged.simple_name}` {words}", _read_attribute(text))
    members: dict[str, dict[str, None]] = {}
    for member in _list_visible(merged):
        for text in member.facts.attributes:
            if _name_attribute(text) == name:
                members.setdefault(_read_attribute(text), {})[_call_member(merged, member.facts)] = None
    for said, names in members.items():
        yield _end(f"{'Each of ' if len(names) > 1 else ''}{_join(list(names))} {words}", said)


def _call_member(merged: CSharpType, facts: MemberFacts) -> str:
    """A member with its parameters, so that no overload is meant with another, and no type with its constructor."""
    return f"`{'new ' if facts.kind == 'constructor' else ''}{name_member(merged, facts)}`"


def _end(text: str, said: str) -> str:
    return f"{text}{f': {said}' if said else ''}".rstrip(".") + "."


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
