"""Writes the lines on members of an extract, from documentation and what bodies throw."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.notes.extract import shorten
from codecortex.analysis.notes.extract_docs import list_entries, list_sentences, split_doc
from codecortex.analysis.notes.sanitize import sanitize
from codecortex.model.code.bodies import BodyFacts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from codecortex.analysis.notes.members import MemberPlace, MemberStates
    from codecortex.model.code.types import TypeId

_MOST_THROWN = 4


def extract_lines(states: MemberStates, bodies: Mapping[TypeId, Mapping[int, BodyFacts]]) -> dict[str, str]:
    """What is said of each member: the beginning of its documentation, and what it throws; nothing where neither is.

    Args:
        states: The members.
        bodies: What bodies do, by TypeId and the member's number.
    """
    found = {}
    for name, place in states.members.items():
        merged = place.found.type
        body = bodies.get(merged.id, {}).get(merged.members.index(place.member), BodyFacts())
        text = " ".join(_list_sentences(place, body))
        if text:
            found[name] = shorten(" ".join(sanitize(text).split()))
    return found


def _list_sentences(place: MemberPlace, body: BodyFacts) -> Iterator[str]:
    doc = split_doc(place.member.facts.doc)
    first = next(list_sentences(doc[""]), "")
    if first:
        yield first
    thrown = dict.fromkeys(
        entry.name.strip("[]`").rpartition(".")[2] for entry in list_entries(doc.get("Exceptions", ""))
    )
    thrown |= dict.fromkeys(throw.exception for throw in body.throws)
    names = [f"`{name}`" for name in thrown if name]
    if names:
        more = f" and {len(names) - _MOST_THROWN} more" if len(names) > _MOST_THROWN else ""
        yield f"Throws {', '.join(names[:_MOST_THROWN])}{more}."
