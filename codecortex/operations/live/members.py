"""Lists the types and members of one source with their lines, whatever symbols a build defines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.context.live.values import MemberLine
from codecortex.model.code.types import add_parameters, parameter_types, write_name, write_parameters
from codecortex.operations.reading.sources import SOURCE_SUFFIXES
from codecortex.parsing.csharp.conditional import list_symbols
from codecortex.parsing.csharp.read import read_csharp

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codecortex.model.code.facts import MemberFacts, TypeFacts


_LONGEST = 500_000
"""Characters of a source whose members are listed: reading more takes seconds."""


def list_members(path: str, text: str) -> tuple[MemberLine, ...]:
    """The types and members of a C# source in the order of their lines; none of any other file.

    A very long source has no list, because reading it would take seconds. Code between `#if` and `#endif` is read with
    every symbol defined that the file tests, and with none.
    """
    if not path.lower().endswith(SOURCE_SUFFIXES) or len(text) > _LONGEST:
        return ()
    source = text.encode("utf-8", "replace")
    facts = read_csharp(source, frozenset(), patterns=False)
    found = set(_list(facts.types))
    if facts.conditional:
        found |= set(_list(read_csharp(source, list_symbols(source), patterns=False).types))
    return tuple(sorted(found, key=lambda each: (each.first, -each.last, each.depth, each.name)))


def _list(types: tuple[TypeFacts, ...]) -> Iterator[MemberLine]:
    for declared in types:
        name = declared.fqn.rpartition(".")[2]
        depth = name.count("+")
        own = name.rpartition("+")[2].partition("`")[0]
        if not declared.implicit:
            shown = f"{declared.kind} {own}{write_parameters(declared.type_parameters)}"
            yield MemberLine(declared.line, declared.end_line, depth, shown)
        for member in declared.members:
            if not member.implicit and not member.primary:
                yield MemberLine(member.line, member.end_line, depth + 1, _name(member, own))


def _name(member: MemberFacts, owner: str) -> str:
    name = member.name + write_parameters(member.type_parameters)
    called = write_name(member.kind, name, member.type, owner, member.explicit_interface)
    return f"{member.kind} {add_parameters(member.kind, called, parameter_types(member, ', '))}"
