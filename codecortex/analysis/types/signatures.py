"""Identity, order and C# text of members."""

from __future__ import annotations

from functools import lru_cache
from operator import add
from typing import TYPE_CHECKING

from codecortex.model.code.facts import VISIBLE
from codecortex.model.code.types import add_parameters, parameter_types, write_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codecortex.model.code.facts import MemberFacts, Parameter
    from codecortex.model.code.types import Member

_RANKS = {
    "enumMember": 0,
    "constant": 1,
    "field": 1,
    "property": 2,
    "indexer": 2,
    "event": 3,
    "invoke": 4,
    "method": 4,
    "operator": 4,
    "conversion": 4,
    "destructor": 4,
    "constructor": 5,
}
_LONGEST_VALUE = 80


def member_key(facts: MemberFacts) -> tuple[str, str, int, str, str, str, bool]:
    """The identity of a member among those of its kind, without its accessibility."""
    return (
        facts.explicit_interface,
        facts.name,
        facts.arity,
        parameter_types(facts),
        facts.receiver,
        (facts.type if facts.kind == "conversion" else ""),
        facts.kind == "constructor" and "static" in facts.modifiers,
    )


def order_members(found: list[Member]) -> list[Member]:
    """Sort members in canonical order: kind, then name, then overload; ordinal."""
    by_name = {(_RANKS[(facts := member.facts).kind], facts.name): member for member in found}
    if len(by_name) == len(found):
        return [by_name[key] for key in sorted(by_name)]
    return sorted(found, key=lambda member: _full_order(member.facts))


def _full_order(facts: MemberFacts) -> tuple[object, ...]:
    explicit, name, arity, parameters, *rest = member_key(facts)
    return _RANKS[facts.kind], name, arity, parameters, explicit, *rest, facts.kind


def write_parameter(parameter: Parameter, *, whole: bool = False) -> str:
    """A parameter in C# syntax; `whole` as for `write_member`."""
    text = f"{parameter.modifier} {parameter.type}" if parameter.modifier else parameter.type
    if parameter.name:
        text += f" {parameter.name}"
    if whole and parameter.attributes:
        text = f"[{', '.join(parameter.attributes)}] {text}"
    return text if parameter.default is None else f"{text} = {_shorten(parameter.default, whole=whole)}"


def _shorten(value: str, *, whole: bool) -> str:
    return value if whole or len(value) <= _LONGEST_VALUE else value[: _LONGEST_VALUE - 3] + "..."


def write_member(facts: MemberFacts, owner: str, *, whole: bool = False) -> str:
    """A member as one line of C#.

    Args:
        facts: The member.
        owner: The simple name of the type, used for constructors.
        whole: Whether to omit nothing: implementation modifiers (`async`), invisible accessors, attributes of
            parameters, long values.
    """
    kind, value = facts.kind, facts.value
    if kind == "enumMember":
        return f"{facts.name} = {_shorten(value, whole=whole)}" if value else facts.name
    result = "" if kind == "conversion" else facts.type
    words = _write_words(facts.accessibility, facts.modifiers, kind, whole=whole)
    called = _write_called(facts, owner, whole=whole)
    line = " ".join([each for each in (words, result, called) if each])
    if kind in ("property", "indexer"):
        line += f" {{ {write_accessors(facts, whole=whole)} }}"
    elif value:
        line += f" = {_shorten(value, whole=whole)}"
    for clause in facts.constraints:
        line += f" where {clause}"
    return f"{line} (extension of {_write_receiver(facts)})" if facts.receiver else line


@lru_cache(maxsize=1024)
def _write_words(accessibility: str, modifiers: tuple[str, ...], kind: str, *, whole: bool) -> str:
    """What stands before a member's type."""
    word = "delegate" if kind == "invoke" else kind if kind == "event" else ""
    shown = [each for each in modifiers if whole or each not in ("async", "partial")]
    return " ".join([each for each in (accessibility, *shown, word) if each])


def _write_receiver(facts: MemberFacts) -> str:
    """The receiver of an extension block, between its type parameters and their constraints."""
    if facts.extension is None or not facts.extension.type_parameters:
        return facts.receiver
    parameters, constraints, attributes = facts.extension
    clauses = "".join([f" where {clause}" for clause in constraints])
    return f"{write_type_parameters(parameters, attributes)} {facts.receiver}{clauses}"


def write_type_parameters(parameters: Sequence[str], attributes: Sequence[tuple[int, str]] = ()) -> str:
    """A list of type parameters with variance and attributes: `<[A] in T, U>`; empty where there are none."""
    marks = ["".join([f"[{text}] " for place, text in attributes if place == at]) for at in range(len(parameters))]
    return f"<{', '.join(map(add, marks, parameters))}>" if parameters else ""


def write_accessors(facts: MemberFacts, *, whole: bool = False) -> str:
    """The accessors that another assembly sees, or all, with their accessibility if it differs from the property's.

    With their modifiers, and if `whole` with their attributes.
    """
    shown = [(access, word) for access, word in facts.accessors if whole or not access or access in VISIBLE]
    if len(shown) > 1:
        shown.sort(key=lambda accessor: accessor[1] != "get")
    if facts.accessor_modifiers or facts.accessor_attributes:
        shown = [(f"{_write_marks(facts, word, whole=whole)}{access}".strip(), word) for access, word in shown]
    return " ".join([f"{before} {word};" if before else f"{word};" for before, word in shown])


def _write_marks(facts: MemberFacts, word: str, *, whole: bool) -> str:
    """The attributes and modifiers of one accessor, each with a space after it."""
    attributes = [f"[{text}] " for each, text in facts.accessor_attributes if each == word] if whole else []
    return "".join([*attributes, *[f"{text} " for each, text in facts.accessor_modifiers if each == word]])


def _write_called(facts: MemberFacts, owner: str, *, whole: bool) -> str:
    """A member's name with its type parameters and parameters."""
    name = owner if facts.kind == "invoke" else facts.name
    if facts.type_parameters:
        name += write_type_parameters(facts.type_parameters, facts.type_parameter_attributes if whole else ())
    if facts.size:
        name += f"[{facts.size}]"
    called = write_name(facts.kind, name, facts.type, owner, facts.explicit_interface)
    return add_parameters(facts.kind, called, ", ".join([write_parameter(p, whole=whole) for p in facts.parameters]))
