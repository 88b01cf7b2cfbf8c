"""A member's facts in; its canonical signature, its order and its text as a reader writes it out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codecortex.model.facts import MemberFacts, Parameter

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
_IMPLEMENTATION = frozenset({"async", "partial", "unsafe", "extern"})
"""Modifiers that say how a member is written, not what it is."""


def parameter_types(facts: MemberFacts) -> str:
    """The parameter types with their modifiers, joined by a comma."""
    return ",".join(f"{p.modifier} {p.type}" if p.modifier else p.type for p in facts.parameters)


def structural_modifiers(modifiers: tuple[str, ...]) -> tuple[str, ...]:
    """Modifiers that callers can tell, sorted."""
    return tuple(sorted(word for word in modifiers if word not in _IMPLEMENTATION))


def canonical_signature(facts: MemberFacts) -> str:
    """Accessibility, modifiers, type, name, arity and parameter types: no parameter names, no defaults."""
    words = [facts.accessibility, *structural_modifiers(facts.modifiers)]
    if facts.type:
        words.append(facts.type)
    name = f"{facts.explicit_interface}.{facts.name}" if facts.explicit_interface else facts.name
    if facts.arity:
        name += f"`{facts.arity}"
    if facts.kind == "indexer":
        name += f"[{parameter_types(facts)}]"
    elif facts.kind not in ("field", "constant", "property", "event", "enumMember"):
        name += f"({parameter_types(facts)})"
    words.append(name)
    if facts.receiver:
        words.append(f"for {facts.receiver}")
    return " ".join(words)


def member_key(facts: MemberFacts) -> tuple[str, str, int, str, str, str]:
    """What makes a member itself among its type's members, whatever its accessibility or modifiers."""
    return (
        facts.explicit_interface,
        facts.name,
        facts.arity,
        parameter_types(facts),
        facts.receiver,
        (facts.type if facts.kind == "conversion" else ""),
    )


def member_order(facts: MemberFacts) -> tuple[int, str, int, str, str]:
    """Canonical order: kind, then name, then overload; ordinal."""
    return _RANKS[facts.kind], facts.name, facts.arity, parameter_types(facts), facts.explicit_interface


def write_parameter(parameter: Parameter) -> str:
    """One parameter as a reader writes it."""
    text = f"{parameter.modifier} {parameter.type}" if parameter.modifier else parameter.type
    if parameter.name:
        text += f" {parameter.name}"
    return text if parameter.default is None else f"{text} = {_shorten(parameter.default)}"


def _shorten(value: str) -> str:
    return value if len(value) <= _LONGEST_VALUE else value[: _LONGEST_VALUE - 3] + "..."


def write_member(facts: MemberFacts, owner: str) -> str:
    """One line of C# as a reader writes it; `owner` is the simple name that constructors bear."""
    if facts.kind == "enumMember":
        return f"{facts.name} = {_shorten(facts.value)}" if facts.value else facts.name
    words = [facts.accessibility, *(word for word in facts.modifiers if word not in ("async", "partial"))]
    if facts.kind == "invoke":
        words.append("delegate")
    elif facts.kind == "event":
        words.append("event")
    words.extend(_write_name(facts, owner))
    line = " ".join(word for word in words if word)
    if facts.kind in ("property", "indexer"):
        line += f" {{ {write_accessors(facts)} }}"
    elif facts.value:
        line += f" = {_shorten(facts.value)}"
    for clause in facts.constraints:
        line += f" where {clause}"
    return f"{line} (extension of {facts.receiver})" if facts.receiver else line


def write_accessors(facts: MemberFacts) -> str:
    """Accessors that are as visible as the property; a narrower one is left out."""
    shown = [word for access, word in facts.accessors if not access or access == facts.accessibility]
    order = ("get", "set", "init", "add", "remove")
    return " ".join(f"{word};" for word in sorted(shown, key=order.index))


def _write_name(facts: MemberFacts, owner: str) -> list[str]:
    parameters = ", ".join(map(write_parameter, facts.parameters))
    generic = f"<{', '.join(facts.type_parameters)}>" if facts.type_parameters else ""
    name = f"{facts.explicit_interface}.{facts.name}" if facts.explicit_interface else facts.name
    match facts.kind:
        case "constructor":
            return [f"{owner}({parameters})"]
        case "destructor":
            return [f"~{owner}()"]
        case "operator":
            return [facts.type, f"operator {facts.name}({parameters})"]
        case "conversion":
            checked, _, way = facts.name.rpartition(" ")
            return [way, "operator", checked, f"{facts.type}({parameters})"]
        case "indexer":
            return [facts.type, f"{name}[{parameters}]"]
        case "method" | "invoke":
            return [facts.type, f"{owner if facts.kind == 'invoke' else name}{generic}({parameters})"]
        case _:
            return [facts.type, name]
