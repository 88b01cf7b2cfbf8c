"""Digests what sources declare under a name: if it is the same as before, so is what a file asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.types.ancestors import ancestors_of
from codecortex.analysis.binding.types.asked import EXTENSIONS, TYPES
from codecortex.analysis.binding.types.ids import id_of_symbol, write_type
from codecortex.analysis.binding.types.symbols import Array, Member, Named, Pointer, TypeKind, TypeParameter
from codecortex.model.code.types import encode_sha256

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from codecortex.analysis.binding.declarations.declare import Declarations
    from codecortex.analysis.binding.declarations.definitions import SourceDefinition
    from codecortex.analysis.binding.lookup.extensions import Extensions
    from codecortex.analysis.binding.scopes.universe import Universe
    from codecortex.analysis.binding.types.asked import AskedName
    from codecortex.analysis.binding.types.symbols import Parameter, Type, TypeDefinition

    _Owners = tuple[Sequence[SourceDefinition], Sequence[TypeDefinition]]

_LENGTH = 16
_HEADS = ("Invoke", "op_Implicit", "op_Explicit", "op_CheckedExplicit")
"""Members that count for whoever has a value of a type: what a delegate takes, what converts by itself."""


class Digests:
    """Digests names of one program as projects see them."""

    def __init__(self, declarations: Declarations, universe: Universe, extensions: Extensions) -> None:
        self._declarations = declarations
        self._namespaces: dict[str, list[tuple[str, frozenset[str]]]] = {}
        for namespace, declaring in universe.namespaces:
            self._namespaces.setdefault(namespace.rpartition(".")[2], []).append((namespace, declaring))
        self._universe = universe
        self._extensions = extensions
        self._heads: dict[TypeDefinition, str] = {}
        self._mentioned: dict[TypeDefinition, Sequence[TypeDefinition]] = {}
        self._known: dict[tuple[frozenset[str], AskedName], str] = {}
        self._owners: dict[tuple[frozenset[str], str], _Owners] = {}

    def digest(self, project: str, asked: AskedName) -> str:
        """What a project sees declared under a name; of a name that nothing declares, always the same."""
        visible = self._universe.visible[project]
        known = self._known.get((visible, asked))
        if known is None:
            known = self._known[visible, asked] = self._make(visible, asked)
        return known

    def _make(self, visible: frozenset[str], asked: AskedName) -> str:
        if asked.space == TYPES:
            spaces = self._namespaces.get(asked.name, ())
            lines = [namespace for namespace, declaring in spaces if not declaring.isdisjoint(visible)]
            types = dict.fromkeys(
                (*self._declarations.find_named(asked.name), *self._universe.declared_in("", asked.name))
            )
            mentioned: Sequence[TypeDefinition] = [each for each in types if each.project in visible]
            lines += [f"{each.id} {file}" for each in mentioned if (file := self._universe.file_of(each))]
        elif asked.space == EXTENSIONS:
            members = self._extensions.declared(asked.name)
            lines, mentioned = self._write_members(each for each in members if _project_of(each) in visible)
        else:
            found, declaring = self._find_owners(visible, asked.space)
            named = (member for each in declaring if asked.name for member in each.members(asked.name))
            lines, mentioned = self._write_members(named)
            mentioned = [*found, *mentioned]
        heads = sorted(self._write_head(each) for each in self._close(mentioned))
        return encode_sha256("\n".join((*sorted(lines), "", *heads)), _LENGTH)

    def _find_owners(self, visible: frozenset[str], space: str) -> _Owners:
        """The types of a documentation id, and all of the sources that they have their members from."""
        known = self._owners.get((visible, space))
        if known is None:
            found = [each for each in self._declarations.find_identified(space[2:]) if each.project in visible]
            known = self._owners[visible, space] = found, _list_declaring(found)
        return known

    def _write_members(self, members: Iterable[Member]) -> tuple[list[str], list[TypeDefinition]]:
        lines, mentioned = [], []
        for member in members:
            lines.append(_write_member(member))
            mentioned += list(_mentioned_by(member))
        return lines, mentioned

    # -- heads of types

    def _close(self, definitions: Iterable[TypeDefinition]) -> Iterable[TypeDefinition]:
        """Types of the sources, and all that their heads mention."""
        seen: dict[TypeDefinition, None] = {}
        todo = list(definitions)
        while todo:
            each = todo.pop()
            if each.project is not None and each not in seen:
                seen[each] = None
                todo += self._list_mentioned(each)
        return seen

    def _list_mentioned(self, definition: TypeDefinition) -> Sequence[TypeDefinition]:
        """The types of the sources that a type's head mentions."""
        known = self._mentioned.get(definition)
        if known is None:
            found = dict.fromkeys(_mentioned_by_head(definition))
            known = self._mentioned[definition] = [each for each in found if each.project is not None]
        return known

    def _write_head(self, definition: TypeDefinition) -> str:
        known = self._heads.get(definition)
        if known is None:
            known = self._heads[definition] = _write_head(definition)
        return known


def _list_declaring(definitions: Iterable[SourceDefinition]) -> Sequence[TypeDefinition]:
    """Types, what they inherit from and what constrains them, as far as sources declare that."""
    seen: dict[TypeDefinition, None] = {}
    for definition in definitions:
        seen[definition] = None
        seen |= dict.fromkeys(each.definition for each in ancestors_of(definition).types)
    return [each for each in seen if each.project is not None]


def _project_of(member: Member) -> str | None:
    owner = member.container or member.owner
    return owner.project if owner is not None else None


def _access_of_owner(member: Member) -> str:
    owner = member.container or member.owner
    return owner.access if owner is not None else ""


def _write_member(member: Member) -> str:
    """All that a call of a member can depend on."""
    words = (
        id_of_symbol(member), str(_project_of(member) or ""),
        member.access, _access_of_owner(member), member.kind.value,
        " ".join(sorted(member.modifiers)), str(member.priority), member.value, write_type(member.type, whole=True),
        "; ".join(_write_parameter(each) for each in member.parameters),
        *map(_write_type_parameter, member.type_parameters),
        _write_parameter(member.receiver()) if member.receiver is not None else "",
        *(map(_write_type_parameter, member.owner.parameters) if member.receiver and member.owner is not None else ()),
    )  # fmt: skip
    return "|".join(words)


def _write_parameter(parameter: Parameter) -> str:
    names = parameter.type.names if isinstance(parameter.type, Named) else None
    flags = f"{parameter.optional:d}{parameter.is_params:d}{parameter.is_this:d}"
    return f"{parameter.mode} {write_type(parameter.type, whole=True)} {names or ''} {parameter.name} {flags}"


def _write_type_parameter(parameter: TypeParameter) -> str:
    constraints = ",".join(write_type(each, whole=True) for each in parameter.constraints)
    return f"{parameter.name} {parameter.variance} {' '.join(sorted(parameter.flags))} {constraints}"


def _write_head(definition: TypeDefinition) -> str:
    """All that a type's name, and conversions from and to it, can depend on."""
    bases = definition.bases
    written = [write_type(each, whole=True) for each in (bases.base, *bases.interfaces) if each is not None]
    flags = (
        definition.is_static, definition.is_abstract, definition.is_sealed, definition.is_record,
        definition.is_handler, definition.builder, definition.is_ref, definition.has_promises,
    )  # fmt: skip
    words = (
        definition.id, str(definition.project), definition.kind.value, definition.access,
        "".join(f"{flag:d}" for flag in flags), ",".join(written),
        *map(_write_type_parameter, definition.parameters), *map(_write_member, _head_members(definition)),
        f"{write_type(maker[0])}.{maker[1]}" if (maker := definition.find_builder()) is not None else "",
        write_type(element, whole=True) if (element := definition.find_inline_element()) is not None else "",
        write_type(underlying, whole=True) if (underlying := definition.find_underlying()) is not None else "",
    )  # fmt: skip
    return "|".join(words)


def _head_members(definition: TypeDefinition) -> Iterator[Member]:
    names = _HEADS[:1] if definition.kind is TypeKind.DELEGATE else _HEADS[1:]
    return (member for name in names for member in definition.members(name))


def _mentioned_by_head(definition: TypeDefinition) -> list[TypeDefinition]:
    bases = definition.bases
    types = [each for each in (bases.base, *bases.interfaces) if each is not None]
    types += [each for parameter in definition.parameters for each in parameter.constraints]
    found = list(_definitions_in(types))
    for member in _head_members(definition):
        found += _mentioned_by(member)
    return found


def _mentioned_by(member: Member) -> Iterator[TypeDefinition]:
    types = [member.type, *(each.type for each in member.parameters)]
    types += [each for parameter in member.type_parameters for each in parameter.constraints]
    if member.receiver is not None:
        types.append(member.receiver().type)
    owner = member.container or member.owner
    if owner is not None:
        yield owner
    yield from _definitions_in(types)


def _definitions_in(types: Iterable[Type]) -> Iterator[TypeDefinition]:
    """The definitions that types name."""
    todo = list(types)
    while todo:
        each = todo.pop()
        if isinstance(each, Named):
            yield each.definition
            todo += each.arguments
        elif isinstance(each, (Array, Pointer)):
            todo.append(each.element)
