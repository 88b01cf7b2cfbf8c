"""The facts of one file and a name in; the declarations in it that the name may mean out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codecortex.model.code.facts import FileFacts, MemberFacts, TypeFacts

_ARITY = compile_later(r"`\d+")
_ARGUMENTS = compile_later(r"<[^<>]*>")
_SPACE = compile_later(r"\s+")


class Declaration(NamedTuple):
    """A type or a member of a file.

    Attributes:
        name: Its name with that of its namespace and of the types around it, arities left out.
        signature: The types of its parameters as written; None where it can have none.
        start: Where it begins, after its attributes: line and column, from 1.
        end: Where it ends: line, and the column after its last character.
    """

    name: str
    signature: tuple[str, ...] | None
    start: tuple[int, int]
    end: tuple[int, int]

    def __str__(self) -> str:
        """The name, with its parameters."""
        return self.name if self.signature is None else f"{self.name}({', '.join(self.signature)})"


def find_declared(facts: FileFacts, symbol: str) -> tuple[list[Declaration], list[Declaration]]:
    """What a name means in a file, and all that the file declares.

    A name is that of a type or a member, with as much of what stands around it as is needed; the types of parameters
    in parentheses choose among overloads.
    """
    declared = list(_list_declared(facts))
    head, opened, rest = symbol.strip().removesuffix(")").partition("(")
    wanted = "." + _ARGUMENTS.sub("", head.strip()).replace("+", ".")
    found = [each for each in declared if ("." + each.name).endswith(wanted)]
    if opened:
        types = tuple(_SPACE.sub("", each) for each in _split(rest))
        found = [each for each in found if each.signature is not None and _fold(each.signature) == types]
    return found, declared


def _list_declared(facts: FileFacts) -> Iterator[Declaration]:
    for each in facts.types:
        name = _ARITY.sub("", each.fqn).replace("+", ".")
        if not each.implicit:
            yield _declare(name, None, each)
        for member in each.members:
            if not member.implicit and not member.primary:
                has_parameters = member.parameters or member.kind in ("method", "constructor")
                types = tuple(parameter.type for parameter in member.parameters) if has_parameters else None
                yield _declare(f"{name}.{member.name}", types, member)


def _declare(name: str, signature: tuple[str, ...] | None, facts: TypeFacts | MemberFacts) -> Declaration:
    return Declaration(name, signature, (facts.line, facts.column), (facts.end_line, facts.end_column))


def _fold(types: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(_SPACE.sub("", each) for each in types)


def _split(text: str) -> Iterator[str]:
    """The parts between commas that stand in no brackets."""
    depth, begin = 0, 0
    for place, character in enumerate(text):
        depth += (character in "<([") - (character in ">)]")
        if character == "," and not depth:
            yield text[begin:place]
            begin = place + 1
    if text[begin:].strip():
        yield text[begin:]
