"""A type and names of members in; what an interface is to declare, and what its names need, out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.editing.refactoring.edits import Edit
from codecortex.editing.refactoring.interfaces.members import EXPLICIT, InterfaceMember, list_members
from codecortex.editing.refactoring.qualifiers import read_before
from codecortex.model.code.bindings import BindingRole
from codecortex.model.errors import UsageError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.operations.bindings.memory import bind_deep
from codecortex.operations.refactoring.results import EditRefusedError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from codecortex.model.code.bindings import PlacedBinding
    from codecortex.model.code.syntax import Node
    from codecortex.operations.bindings.kept import KeptBindings
    from codecortex.operations.refactoring.places import DeclaredAt

_QUALIFIED = compile_later(rb"(?:\.|::|->)\s*\Z")
_TYPE_PARAMETER = "type parameter"


class Chosen(NamedTuple):
    """What one declaration of a type gives to an interface.

    Attributes:
        part: The declaration.
        members: The members.
        edits: What changes in what is copied: names that only the type sees are qualified by it.
        parameters: The names of the type parameters that are needed.
    """

    part: DeclaredAt
    members: tuple[InterfaceMember, ...]
    edits: tuple[Edit, ...] = ()
    parameters: frozenset[str] = frozenset()


def choose_members(part: DeclaredAt, wanted: Collection[str]) -> Chosen:
    """The members that were asked for; without names, all that an interface can declare.

    Raises:
        EditRefusedError: One that was asked for cannot be in an interface, or there is none.
        UsageError: There is no such member.
    """
    found = list(list_members(part.extent.node, part.source))
    known = {name for name, _ in found}
    possible = {name for name, each in found if isinstance(each, InterfaceMember)}
    missing = [each for each in wanted if each not in known]
    if missing:
        names = ", ".join(sorted(possible))
        hint = f"It has {names}." if names else "It declares none that an interface can have."
        raise UsageError(f"{part.name} declares no member {missing[0]} at {part.where}.", hint)
    for name, each in found:
        if name in wanted and isinstance(each, str) and not (each == EXPLICIT and name in possible):
            raise EditRefusedError(f"{part.name}.{name} {each}.", "Leave it out.")
    members = tuple(
        each for name, each in found if isinstance(each, InterfaceMember) and (not wanted or name in wanted)
    )
    if not members:
        raise EditRefusedError(f"{part.name} has no member for an interface.", "Public instance members can be in one.")
    return Chosen(part, members)


def list_ranges(chosen: Chosen) -> Iterator[tuple[int, int]]:
    """The ranges that are copied."""
    for member in chosen.members:
        yield from ((each.start, each.end) for each in member.pieces if each.start >= 0)
        if member.documentation is not None:
            yield member.documentation


def find_copied(kept: KeptBindings, chosen: Chosen, symbol: str) -> Chosen:
    """The same with what its names need where they are copied to.

    Args:
        kept: What names mean.
        chosen: The members.
        symbol: The documentation id of the type.
    """
    part, node = chosen.part, chosen.part.extent.node
    ranges = list(list_ranges(chosen))
    own = list_parameters(node)
    front = re.compile(rf"[A-Z]:{re.escape(symbol[2:])}\.")
    edits: set[Edit] = set()
    needed: set[str] = set()
    for start, binding in _bind(kept, part.path):
        if binding.role is BindingRole.DECLARATION or not any(one <= start < end for one, end in ranges):
            continue
        if binding.local == _TYPE_PARAMETER and own.get(binding.name) == binding.declared:
            needed.add(binding.name)
        qualified = _QUALIFIED.search(read_before(part.source, start)) is not None
        if binding.name and front.match(binding.symbol) and not qualified:
            edits.add(Edit(start, start, _name_type(node, is_text=binding.role is BindingRole.CREF)))
    _close(node, needed)
    if any(edit.text for edit in edits if "<" in edit.text):
        needed |= own.keys()
    return chosen._replace(edits=tuple(sorted(edits)), parameters=frozenset(needed))


def _bind(kept: KeptBindings, path: str) -> Sequence[PlacedBinding]:
    with bind_deep():
        keys = [(path, project) for project in kept.plan.files.get(path, ())]
        return [each for _, file in kept.bind(keys) if file is not None for each in file.bindings]


def list_parameters(node: Node) -> Mapping[str, int]:
    """The type parameters of a declaration, each with its place."""
    listed = node.first("type_parameter_list")
    names = [each.field("name") for each in listed.of_kind("type_parameter")] if listed is not None else []
    return {each.name: each.start for each in names if each is not None}


def list_constraints(node: Node, names: Collection[str]) -> Iterator[Node]:
    """The constraints of some type parameters."""
    for each in node.of_kind("type_parameter_constraints_clause"):
        each.open()
        name = each.first("identifier")
        if name is not None and name.name in names:
            yield each


def _close(node: Node, needed: set[str]) -> None:
    """Add the type parameters that constraints of needed ones name."""
    own = list_parameters(node)
    before = 0
    while len(needed) != before:
        before = len(needed)
        for each in list_constraints(node, needed.copy()):
            needed |= {name for name in own if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", each.text)}


def _name_type(node: Node, *, is_text: bool) -> str:
    """A type as something in front of a name that only it sees."""
    name = node.field("name")
    parameters = ", ".join(list_parameters(node))
    arguments = ("{" + parameters + "}" if is_text else f"<{parameters}>") if parameters else ""
    return f"{name.text if name is not None else ''}{arguments}."
