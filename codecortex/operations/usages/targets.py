"""Finds what a symbol of the catalog is for the binder, with its family."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.declarations.members import ASSIGNING, BINARY, UNARY
from codecortex.analysis.binding.types.ids import id_of_symbol
from codecortex.analysis.binding.types.symbols import MemberKind
from codecortex.analysis.families.families import Family, find_family
from codecortex.analysis.usages.words import words_of_member, words_of_type
from codecortex.model.code.bindings import BindingRole
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from codecortex.analysis.binding.bind import Program
    from codecortex.analysis.binding.declarations.definitions import SourceDefinition
    from codecortex.analysis.binding.types.symbols import Member
    from codecortex.analysis.usages.words import Words
    from codecortex.model.code.bindings import Binding
    from codecortex.model.code.catalog import MemberEntry, TypeEntry
    from codecortex.symbols.hits import Hit

_IGNORED = compile_later(r"\b(?:this|params|scoped)\b|\s")
_KINDS = {
    "constructor": MemberKind.CONSTRUCTOR,
    "destructor": MemberKind.DESTRUCTOR,
    "indexer": MemberKind.INDEXER,
    "operator": MemberKind.OPERATOR,
    "conversion": MemberKind.OPERATOR,
    "property": MemberKind.PROPERTY,
    "event": MemberKind.EVENT,
    **dict.fromkeys(("method", "invoke"), MemberKind.METHOD),
    **dict.fromkeys(("field", "constant", "enumMember"), MemberKind.FIELD),
}
_SIGNS = UNARY.keys() | BINARY.keys()
_FIXED_NAMES = {"indexer": "this[]", "invoke": "Invoke", "destructor": "~"}
_CONVERSIONS = {"implicit": ("op_Implicit",), "explicit": ("op_Explicit", "op_CheckedExplicit")}
_NAMED_ALIKE = (".ctor", ".cctor", "~")
Symbol = tuple[str, str | None]
"""A documentation id, and the project that declares it: projects may declare types of one name."""


class Target(NamedTuple):
    """What is looked for.

    Attributes:
        own: The symbols that are asked for.
        family: All symbols of their families, themselves included.
        outside: What of their families assemblies declare.
        declaring: What bears a type's name where it is declared: constructors and the destructor.
        definitions: What declares a type that is asked for.
        members: What declares the family of a member.
    """

    own: frozenset[Symbol]
    family: frozenset[Symbol]
    outside: tuple[str, ...] = ()
    declaring: frozenset[Symbol] = frozenset()
    definitions: Sequence[SourceDefinition] = ()
    members: Sequence[Member] = ()

    def takes(self, binding: Binding) -> bool:
        """Whether a binding means it."""
        symbol = (binding.symbol, binding.project)
        return symbol in self.family or (symbol in self.declaring and binding.role is BindingRole.DECLARATION)

    def through(self, binding: Binding) -> str:
        """Which other one of the family a binding means; empty if it means what is asked for."""
        symbol = (binding.symbol, binding.project)
        return binding.symbol if symbol in self.family and symbol not in self.own else ""

    def list_family(self) -> list[str]:
        """The documentation ids of the family."""
        return sorted({symbol for symbol, _ in self.family})


def list_words(hit: Hit) -> Words:
    """What stands in the files that use a type or a member."""
    entry, member = hit.entry, hit.member
    own = entry.simple_name if entry is not None else ""
    return words_of_type(own) if member is None else words_of_member(_list_names(member)[0], own)


def find_target(program: Program, hits: Sequence[Hit], *, family: bool) -> Target:
    """What hits are for the binder: one type or overloads of one member, each as several projects may have it."""
    entries = dict.fromkeys(hit.entry for hit in hits if hit.entry is not None)
    definitions = [each for entry in entries for each in find_definitions(program, entry)]
    if hits[0].member is None:
        types: frozenset[Symbol] = frozenset((id_of_symbol(each), each.project) for each in definitions)
        named = (each for definition in definitions for name in _NAMED_ALIKE for each in definition.members(name))
        return Target(types, types, declaring=frozenset(map(_identify, named)), definitions=definitions)
    chosen = [member for hit in hits for member in find_members(program, hit)]
    families = [find_family(program, each) if family else Family((each,)) for each in chosen]
    outside = dict.fromkeys(written for each in families for written in each.outside)
    return Target(
        frozenset(map(_identify, chosen)),
        frozenset(_identify(each) for found in families for each in found.members),
        tuple(outside),
        members=tuple(dict.fromkeys(each for found in families for each in found.members)),
    )


def _identify(member: Member) -> Symbol:
    owner = member.container or member.owner
    return id_of_symbol(member), owner.project if owner is not None else None


def find_definitions(program: Program, entry: TypeEntry) -> Iterator[SourceDefinition]:
    """What the sources declare as a type of the catalog."""
    for each in program.find_types(entry.fqn.replace("+", ".")):
        if each.project == entry.project and any(part.scope.file in entry.files for part in each.parts):
            yield each


# -- members


def find_members(program: Program, hit: Hit) -> list[Member]:
    """What the sources declare as a member of the catalog."""
    if hit.entry is None:
        return []
    return [member for each in find_definitions(program, hit.entry) for member in _find_members(each, hit)]


def _list_names(entry: MemberEntry) -> tuple[str, ...]:
    """The names that the binder may have for a member."""
    if entry.kind == "conversion":
        return _CONVERSIONS.get(entry.name, (entry.name,))
    if entry.kind == "operator":
        sign = entry.name.removeprefix("checked ").strip()
        checked = "Checked" if entry.name.startswith("checked ") else ""
        single = "," not in entry.parameters
        names = (UNARY if single and sign in UNARY else BINARY) if entry.parameters and sign in _SIGNS else ASSIGNING
        return (f"op_{checked}{names.get(sign if sign in _SIGNS else sign.removesuffix('='), sign)}",)
    return (_FIXED_NAMES.get(entry.kind, entry.name),)


def _find_members(definition: SourceDefinition, hit: Hit) -> Sequence[Member]:
    entry = hit.member
    if entry is None:
        return ()
    found = [each for each in _list_candidates(definition, entry) if each.kind is _KINDS[entry.kind]]
    found = [each for each in found if len(each.type_parameters) == entry.arity or entry.receiver]
    if len(found) > 1 and entry.explicit_interface:
        written = _IGNORED.sub("", entry.explicit_interface)
        found = [each for each in found if _IGNORED.sub("", each.name).startswith(f"{written}.")] or found
    if len(found) > 1:
        written = _IGNORED.sub("", entry.parameters)
        alike = [each for each in found if _write_parameters(each) == written]
        found = alike or [each for each in found if each.node is not None]
    return [*found, *_list_classic(definition, found)] if entry.receiver else found


def _list_candidates(definition: SourceDefinition, entry: MemberEntry) -> Iterator[Member]:
    every: Sequence[Mapping[str, Sequence[Member]]] = [definition.all_members()]
    if entry.receiver:
        every = [block.all_members() for block in definition.extension_blocks]
    names = _list_names(entry)
    for members in every:
        for name, named in members.items():
            explicit = bool(entry.explicit_interface) and name.endswith(f".{entry.name}")
            if explicit or (name in names and not entry.explicit_interface):
                yield from (each for each in named if not (entry.receiver == "" and _is_classic(definition, each)))


def _is_classic(definition: SourceDefinition, member: Member) -> bool:
    """Whether a method is what a method of an extension block is called as on its class."""
    return bool(definition.extension_blocks) and member.node is None and member.kind is MemberKind.METHOD


def _list_classic(definition: SourceDefinition, found: Sequence[Member]) -> Iterator[Member]:
    """The methods that methods of extension blocks are called as on their class."""
    wanted = {(each.name, tuple(map(repr, each.parameters))) for each in found}
    for name in {each.name for each in found}:
        for member in definition.members(name):
            if _is_classic(definition, member):
                taken = tuple(map(repr, member.parameters))
                if (name, taken) in wanted or (name, taken[1:]) in wanted:
                    yield member


def _write_parameters(member: Member) -> str:
    """The types of a member's parameters, as the catalog has them."""
    node = member.node
    holder = node if node is None or node.field("parameters") is not None else node.parent
    listed = (holder.field("parameters") or holder.first("parameter_list")) if holder is not None else None
    written = []
    for each in listed.of_kind("parameter") if listed is not None else ():
        typed = each.field("type")
        modes = " ".join(child.text for child in each.of_kind("modifier"))
        written.append(f"{modes} {typed.text if typed is not None else ''}")
    return _IGNORED.sub("", ",".join(written))
