"""Finds members in a catalog: by name, by declaring type, by parameter types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.code.types import WITHOUT_PARAMETERS, cut_simple_name, number_parameters, write_name
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.symbols.hits import Flag, Match
from codecortex.symbols.parameters import BadTypeError, Shape, agree, count_differences, parse_parameters
from codecortex.symbols.paths import PARTIAL, Fit, match_names
from codecortex.symbols.query import MEMBER_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from codecortex.model.code.catalog import Catalog, MemberEntry, TypeEntry
    from codecortex.symbols.query import Query

_OPERATORS = {
    "op_Addition": "+", "op_BitwiseAnd": "&", "op_BitwiseOr": "|", "op_Decrement": "--", "op_Division": "/",
    "op_Equality": "==", "op_ExclusiveOr": "^", "op_Explicit": "explicit", "op_False": "false",
    "op_GreaterThan": ">", "op_GreaterThanOrEqual": ">=", "op_Implicit": "implicit", "op_Increment": "++",
    "op_Inequality": "!=", "op_LeftShift": "<<", "op_LessThan": "<", "op_LessThanOrEqual": "<=",
    "op_LogicalNot": "!", "op_Modulus": "%", "op_Multiply": "*", "op_OnesComplement": "~", "op_RightShift": ">>",
    "op_Subtraction": "-", "op_True": "true", "op_UnaryNegation": "-", "op_UnaryPlus": "+",
    "op_UnsignedRightShift": ">>>",
    "op_AdditionAssignment": "+=", "op_BitwiseAndAssignment": "&=", "op_BitwiseOrAssignment": "|=",
    "op_DecrementAssignment": "--", "op_DivisionAssignment": "/=", "op_ExclusiveOrAssignment": "^=",
    "op_IncrementAssignment": "++", "op_LeftShiftAssignment": "<<=", "op_ModulusAssignment": "%=",
    "op_MultiplicationAssignment": "*=", "op_RightShiftAssignment": ">>=", "op_SubtractionAssignment": "-=",
    "op_UnsignedRightShiftAssignment": ">>>=",
    "op_CheckedAddition": "checked +", "op_CheckedDecrement": "checked --", "op_CheckedDivision": "checked /",
    "op_CheckedExplicit": "checked explicit", "op_CheckedIncrement": "checked ++",
    "op_CheckedMultiply": "checked *", "op_CheckedSubtraction": "checked -",
    "op_CheckedUnaryNegation": "checked -",
}  # fmt: skip
_INDEXER, _INDEXED = "this", frozenset({"property", "indexer"})
_BRACKET = compile_later(r"[<(\[]")
_UNARY = frozenset({"op_UnaryNegation", "op_UnaryPlus", "op_CheckedUnaryNegation"})


class _Wanted(NamedTuple):
    """The name that a member must have.

    Attributes:
        name: As written; for operators the symbol.
        lower: The name in lower case.
        interface: Simple name of the interface that it implements explicitly, or empty.
        operands: The number of operands of an operator, or None.
        qualified: The whole name of that interface, as ids write it but with dots.
    """

    name: str
    lower: str
    interface: str
    operands: int | None = None
    qualified: str = ""


def match_members(query: Query, catalog: Catalog) -> list[tuple[TypeEntry, MemberEntry, Fit]]:
    """The members that a path means: its last segment is the member's name, the others are the declaring type."""
    wanted = _read_wanted(query)
    found = []
    for entry, fit, members in _list_candidates(query, catalog, wanted):
        named = [each for each in members if _bears(each, entry, wanted) and query.allows("member", each.kind)]
        found += [(entry, member, _fit_member(query, entry, member, fit)) for member in _choose(query, named, wanted)]
    if any(Flag.IGNORE_CASE not in fit.flags for _, _, fit in found):
        found = [each for each in found if Flag.IGNORE_CASE not in each[2].flags]
    return found or _match_explicit(query, catalog) or _match_indexers(query, catalog)


def _read_wanted(query: Query) -> _Wanted:
    name = query.segments[-1].name
    if "#" in name and name not in ("#ctor", "#cctor"):
        interface, _, name = name.rpartition("#")
        simple = interface.partition("{")[0].rpartition("#")[2].partition("`")[0]
        return _Wanted(name, name.lower(), simple, qualified=interface.replace("#", "."))
    count = None
    if name in _OPERATORS:
        count = 1 if name in _UNARY else 2 if _OPERATORS[name] in ("+", "-", "checked -") else None
        name = _OPERATORS[name]
    name = name.replace("#", ".")
    return _Wanted(name, name.lower(), "", count)


def _list_candidates(
    query: Query, catalog: Catalog, wanted: _Wanted
) -> Iterator[tuple[TypeEntry, Fit, Iterable[MemberEntry]]]:
    if len(query.segments) > 1:
        head = query._replace(segments=query.segments[:-1])
        for entry, fit in match_names(head, catalog.list_named(head.segments[-1].lower)):
            yield entry, fit, catalog.members_of(entry.id)
    elif not query.anchored and wanted.lower:
        bare = Fit(PARTIAL, (Flag.PARTIAL,), Match.SUFFIX)
        for member in catalog.find_members(wanted.name, ignore_case=True):
            yield catalog.by_id[member.type_id], bare, (member,)


def _bears(member: MemberEntry, entry: TypeEntry, wanted: _Wanted) -> bool:
    """Whether a member can be called by the wanted name."""
    if wanted.interface and _simple(member.explicit_interface) != wanted.interface:
        return False
    return wanted.lower in [name.lower() for name in _list_names(entry, member)]


def _list_names(entry: TypeEntry, member: MemberEntry) -> tuple[str, ...]:
    """The names that a member can be called by, in sources or in documentation ids."""
    match member.kind:
        case "constructor" if member.name == ".ctor":
            return (member.name, cut_simple_name(entry.fqn))
        case "destructor":
            return (member.name, "Finalize", f"~{cut_simple_name(entry.fqn)}")
        case "indexer":
            return ("this", "Item")
        case _:
            return (member.name,)


def _measure_interface(written: str, wanted: str) -> int:
    """How much of the name of a wanted interface is written; 0 if another one is."""
    name, generic = "".join(written.split()).partition("<")[:2]
    whole, bracket = wanted.partition("{")[:2]
    agrees = bool(generic) == bool(bracket) and f".{whole}".endswith(f".{name}")
    return len(name) if agrees else 0


def _simple(interface: str) -> str:
    return interface.partition("<")[0].rpartition(".")[2]


def _choose(query: Query, named: list[MemberEntry], wanted: _Wanted) -> list[MemberEntry]:
    """The overloads whose parameters agree best; explicit implementations only if asked for or alone."""
    if query.returns is not None:
        named = [member for member in named if agree((query.returns,), _read(member.type))]
    if not wanted.interface:
        named = [member for member in named if not member.explicit_interface] or named
    elif len(named) > 1:
        fits = {id(each): _measure_interface(each.explicit_interface, wanted.qualified) for each in named}
        named = [each for each in named if fits[id(each)] == max(fits.values())]
    if wanted.operands is not None:
        named = [member for member in named if len(read_shapes(member)) == wanted.operands]
    asked = query.parameters
    if asked is None:
        if query.documentation:  # such an id has no brackets if there are no parameters
            named = [member for member in named if not member.parameters and not member.arity] or named
        return named
    with_parameters = [member for member in named if member.kind not in WITHOUT_PARAMETERS]
    levels = [(_judge(query, asked, member), member) for member in with_parameters]
    best = max((level for level, _ in levels), default=(0, 0))
    chosen = [member for level, member in levels if level == best and level[0]]
    if not query.documentation:
        return chosen
    # Such an id means one overload, and never says that a reference type is nullable, as sources may.
    differing = [count_differences(asked, read_shapes(member)) for member in chosen]
    return [member for member, count in zip(chosen, differing, strict=True) if count == min(differing)]


def _judge(query: Query, asked: tuple[Shape, ...], member: MemberEntry) -> tuple[int, int]:
    """How well parameter and return types agree, and whether the arity is equal; `(0, 0)` if they do not agree."""
    level = agree(asked, read_shapes(member))
    if query.returns is not None:
        level = min(level, agree((query.returns,), _read(member.type)))
    stated = query.segments[-1].arity
    if not level or (stated and stated != member.arity):
        return 0, 0
    return level, int(stated == member.arity)


def read_shapes(member: MemberEntry) -> tuple[Shape, ...]:
    """The parameter types of a member; if they cannot be read, one shape that agrees with nothing."""
    return _read(member.parameters)


def _read(text: str) -> tuple[Shape, ...]:
    try:
        return parse_parameters(text)
    except BadTypeError:
        return (Shape((text,)),)


def _fit_member(query: Query, entry: TypeEntry, member: MemberEntry, fit: Fit) -> Fit:
    flags = set(fit.flags)
    if _read_wanted(query).name not in _list_names(entry, member):
        flags.add(Flag.IGNORE_CASE)
    if query.parameters is not None and member.arity != query.segments[-1].arity:
        flags.add(Flag.ARITY_INSENSITIVE)
    partial = Flag.PARTIAL in flags
    relaxed = 10 * (Flag.ARITY_INSENSITIVE in flags) + 20 * (Flag.IGNORE_CASE in flags)
    match = Match.SUFFIX if partial else Match.EXACT_IGNORE_CASE if Flag.IGNORE_CASE in flags else Match.EXACT
    return Fit(PARTIAL + relaxed // 3 if partial else relaxed, tuple(sorted(flags)), match)


def _match_explicit(query: Query, catalog: Catalog) -> list[tuple[TypeEntry, MemberEntry, Fit]]:
    """The members of `Type.IInterface.Member`, where the middle segment is an explicitly implemented interface."""
    if len(query.segments) < 3 or "#" in query.segments[-1].name:  # noqa: PLR2004 - type, interface, member
        return []
    *outer, interface, last = query.segments
    name = f"{interface.name}#{last.name}"
    kinds = query.kinds or MEMBER_KINDS
    joined = last._replace(name=name, folded=name.lower())
    return match_members(query._replace(segments=(*outer, joined), kinds=kinds), catalog)


def _match_indexers(query: Query, catalog: Catalog) -> list[tuple[TypeEntry, MemberEntry, Fit]]:
    """The indexers of a type whose id has the name that `[IndexerName]` gives: nothing else has parameters there."""
    *outer, last = query.segments
    wanted = query.documentation and query.parameters is not None and query.kinds == _INDEXED
    if not outer or not wanted or last.name == _INDEXER:
        return []
    indexer = last._replace(name=_INDEXER, folded=None)
    return match_members(query._replace(segments=(*outer, indexer), kinds=frozenset({"indexer"})), catalog)


def name_member(entry: TypeEntry, member: MemberEntry) -> str:
    """A member's name in C# syntax: `Ns.Store.Find(string)`."""
    owner, name = cut_simple_name(entry.fqn), member.name + number_parameters(member.arity)
    name = write_name(member.kind, name, member.type, owner, member.explicit_interface)
    if member.kind not in WITHOUT_PARAMETERS:
        name += f"({', '.join(_split_top(member.parameters))})"
    return f"{entry.display}.{name}"


def _split_top(parameters: str) -> list[str]:
    """The parameter types in a member's line, separately."""
    if not parameters or _BRACKET.search(parameters) is None:
        return parameters.split(",") if parameters else []
    parts, depth, start = [], 0, 0
    for at, character in enumerate(parameters):
        if character in "<([":
            depth += 1
        elif character in ">)]":
            depth -= 1
        elif character == "," and not depth:
            parts.append(parameters[start:at].strip())
            start = at + 1
    return [*parts, parameters[start:].strip()]
