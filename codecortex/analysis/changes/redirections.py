"""Names in bodies that mean another type than before though their text is the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.types.references import name_of_base, place_of
from codecortex.model.code.changes import ChangeClass
from codecortex.model.code.facts import VISIBLE

if TYPE_CHECKING:
    from codecortex.analysis.types.meanings import Meanings
    from codecortex.model.code.types import CSharpType


def judge_bodies(before: CSharpType, after: CSharpType, olds: Meanings, news: Meanings) -> ChangeClass | None:
    """The class of a change of what names in a type's bodies mean; None if directives are the same, or meanings."""
    usings = olds.list_usings(before.project), news.list_usings(after.project)
    if usings[0] == usings[1] and [part.scopes for part in before.parts] == [part.scopes for part in after.parts]:
        return None
    meant, means = _list_body_meanings(before, olds), _list_body_meanings(after, news)
    if all(means.get(name, fqn) == fqn for name, fqn in meant.items()):
        return None
    # Which of its bodies has a name is not known.
    shown = any(member.facts.body and member.facts.accessibility in VISIBLE for member in after.members)
    return ChangeClass.PUBLIC_BEHAVIOR if shown else ChangeClass.INTERNAL


def _list_body_meanings(merged: CSharpType, meanings: Meanings) -> dict[tuple[str, str], str]:
    """Path and name to the FQN of the type it means, of the names in the bodies of a type that certainly mean one.

    Names of the type's own members are left out: in bodies they mean these.
    """
    members = {member.facts.name for member in merged.members}
    found: dict[tuple[str, str], str] = {}
    for part in merged.parts:
        place = place_of(merged, part)
        for name in part.facts.inner.split():
            head = name.removeprefix("@").partition(".")[0]
            if head in members:
                continue
            alias = meanings.find_alias(head, place)
            if alias is not None:
                target = name_of_base(alias[0])
                meaning = meanings.find(target + name.removeprefix("@")[len(head) :], alias[1])
            else:
                meaning = meanings.find(name, place)
            if meaning is not None:
                found[part.path, name] = meaning.fqn
    return found
