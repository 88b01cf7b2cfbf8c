"""Writes the outline of a type or of one member."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from codecortex.analysis.types.signatures import write_member
from codecortex.model.code.facts import VISIBLE
from codecortex.model.code.types import ACCESSIBILITIES, add_parameters, parameter_types, write_name, write_parameters
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.model.text.visible import show_line, show_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from codecortex.model.code.facts import MemberFacts
    from codecortex.model.code.types import CSharpType, Member

_SECTION = compile_later(
    r"^(?:Type parameters|Parameters|Returns|Value|Exceptions|Responses|Remarks|Example|See also):", re.MULTILINE
)
_SENTENCE = compile_later(r"[^\n]*?[.!?](?= +[A-Z\[`]|\n|\Z)")

_Line = tuple[str, int]  # path and number


class OutlineStyle(NamedTuple):
    """What an outline shows besides what is committed.

    Attributes:
        members: Every member, grouped by accessibility, and not those alone that others see; lines too.
        lines: The lines that each member takes.
    """

    members: bool = False
    lines: bool = False


_PLAIN = OutlineStyle()


def write_outline(
    merged: CSharpType,
    assembly: str,
    nested: Sequence[CSharpType],
    links: tuple[Sequence[str], Sequence[str]],
    style: OutlineStyle = _PLAIN,
) -> str:
    """The outline of a type.

    Args:
        merged: The type.
        assembly: Name of the assembly that its project builds.
        nested: The types directly nested in it, sorted by name.
        links: Its base types and its dependencies, in C# syntax.
        style: What to show besides the committed text.
    """
    modifiers = " ".join((merged.accessibility, *merged.modifiers))
    place = f"Kind: {merged.kind} | Files: {', '.join(_write_files(merged))} | Assembly: {assembly}"
    lines = [f"# {merged.display_name} {merged.id}", place if modifiers == "public" else f"{place} | {modifiers}"]
    lines.extend(f"Where: {clause}" for clause in _list_constraints(merged))
    doc = "\n\n".join(part.facts.doc for part in merged.parts if part.facts.doc)
    if doc:
        lines += ["", summarise_doc(doc)]
    overrides: list[str] = []
    if style.members:
        lines += _write_all(merged, nested)
    else:
        crowded = _find_crowded(merged) if style.lines else None
        outlined, overrides = _list_outlined(merged)
        api = [*_write_nested(nested), *_write_members(merged, outlined, crowded)]
        lines += ["", "Public API:", *api] if api else []
    bases, dependencies = links
    if bases or dependencies or overrides:
        lines.append("")
    if overrides:
        lines.append(f"Overrides: {', '.join(overrides)}")
    if bases:
        lines.append(f"Implements: {', '.join(bases)}")
    if dependencies:
        lines.append(f"DependsOn: {', '.join(dependencies)}")
    return show_text("\n".join(lines) + "\n")


def write_member_outline(merged: CSharpType, member: Member, member_id: str) -> str:
    """The complete declaration of one member: place, attributes, signature and documentation."""
    facts = member.facts
    where = f"{show_line(member.path)}:{facts.line}" + (f"-{facts.end_line}" if facts.end_line > facts.line else "")
    place = f"Kind: {facts.kind} | {'Added by the compiler' if facts.implicit else f'File: {where}'}"
    declared = [*(f"[{each}]" for each in facts.attributes), write_member(facts, owner_of(merged), whole=True)]
    lines = [f"# {merged.display_name}.{name_member(merged, facts)} {member_id}", place, "", *declared]
    return show_text("\n".join([*lines, "", facts.doc] if facts.doc else lines))


def name_member(merged: CSharpType, facts: MemberFacts) -> str:
    """A member's name in C# syntax, with its parameter types: `Find<T>(string, int)`, `this[int]`."""
    name = facts.name + write_parameters(facts.type_parameters)
    called = write_name(facts.kind, name, facts.type, merged.simple_name, facts.explicit_interface)
    return add_parameters(facts.kind, called, parameter_types(facts, ", "))


def owner_of(merged: CSharpType) -> str:
    """The name that constructors of a type have, and that a delegate has in its signature."""
    return merged.own_name if merged.kind == "delegate" else merged.simple_name


def _write_files(merged: CSharpType) -> Iterator[str]:
    generated = {part.path for part in merged.parts if part.generated}
    return (f"{show_line(path)} (generated)" if path in generated else show_line(path) for path in merged.files)


def _list_constraints(merged: CSharpType) -> tuple[str, ...]:
    return next((part.facts.constraints for part in merged.parts if part.facts.constraints), ())


def summarise_doc(doc: str) -> str:
    """Documentation up to its first labelled section; `...` shows that there is more."""
    match = _SECTION.search(doc) if ":" in doc else None
    if match is None:
        return doc
    kept = doc[: match.start()].rstrip()
    return f"{kept} ..." if kept else doc


def summarise_member(doc: str) -> str:
    """The first sentence of a member's documentation on one line; `...` shows that there is more."""
    match = _SENTENCE.match(doc)
    first = match[0].rstrip() if match is not None else doc.partition("\n")[0]
    return first if len(first) == len(doc) else f"{first} ..."


def _write_nested(nested: Sequence[CSharpType]) -> Iterator[str]:
    for inner in nested:
        if inner.accessibility in VISIBLE:
            yield f"  + {inner.accessibility} {inner.kind} {inner.own_name} {inner.id}"


def _write_members(merged: CSharpType, members: Iterable[Member], crowded: frozenset[_Line] | None) -> list[str]:
    """Members and the first sentence on each; with its lines unless `crowded`, the lines of several, is None."""
    owner, lines = owner_of(merged), []
    for member in members:
        place = f"  // {_write_place(merged, member, crowded)}" if crowded is not None else ""
        lines.append(f"  + {write_member(member.facts, owner)}{place}")
        if member.facts.doc:
            lines.append(f"      {summarise_member(member.facts.doc)}")
    return lines


def _list_outlined(merged: CSharpType) -> tuple[list[Member], list[str]]:
    """The members that others see, without those that the compiler adds, or that only override others.

    These override without documentation of their own; their names come second, sorted.
    """
    members: list[Member] = []
    overrides: set[str] = set()
    for member in merged.members:
        facts = member.facts
        if facts.accessibility not in VISIBLE:
            continue
        if "override" in facts.modifiers and not facts.doc:
            overrides.add(facts.name)
        elif not facts.implicit:
            members.append(member)
    return members, sorted(overrides)


def _write_place(merged: CSharpType, member: Member, crowded: frozenset[_Line]) -> str:
    """The lines of a member: with its column where it shares its line, with its file where the type has several."""
    facts = member.facts
    place = f"{facts.line}:{facts.column}" if (member.path, facts.line) in crowded else str(facts.line)
    lines = place + (f"-{facts.end_line}" if facts.end_line > facts.line else "")
    return f"{show_line(member.path)}:{lines}" if len(merged.files) > 1 else lines


def _find_crowded(merged: CSharpType) -> frozenset[_Line]:
    """The lines on which several members begin or end."""
    written = [member for member in merged.members if not member.facts.implicit]
    lines = Counter((each.path, line) for each in written for line in {each.facts.line, each.facts.end_line})
    return frozenset(line for line, count in lines.items() if count > 1)


def _write_all(merged: CSharpType, nested: Sequence[CSharpType]) -> list[str]:
    """Every type and member directly in a type but what the compiler adds, by accessibility."""
    lines = []
    crowded = _find_crowded(merged)
    for accessibility in ACCESSIBILITIES:
        inside = [
            f"  + {each.kind} {each.own_name} {each.id}" for each in nested if each.accessibility == accessibility
        ]
        own = [each for each in merged.members if each.facts.accessibility == accessibility and not each.facts.implicit]
        inside += _write_members(merged, own, crowded)
        lines += ["", f"{accessibility.capitalize()}:", *inside] if inside else []
    return lines
