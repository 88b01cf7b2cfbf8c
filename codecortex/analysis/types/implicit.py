"""Lists the members that the compiler adds to a type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.code.facts import MemberFacts, Parameter
from codecortex.model.code.types import cut_simple_name, write_parameters

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from codecortex.model.code.facts import MemberKind, TypeFacts


def add_members(parts: Sequence[TypeFacts]) -> Iterator[MemberFacts]:
    """Yield members that no part declares: positional properties, then those marked `implicit`.

    Positional properties are written in the source, as parameters, and therefore not marked.
    """
    first = parts[0]
    modifiers = {word for part in parts for word in part.modifiers}
    members = [member for part in parts for member in part.members]
    if first.kind in ("record", "record struct"):
        yield from _add_record_members(parts, members, modifiers)
    if first.kind in ("class", "record") and "static" not in modifiers and not all(part.implicit for part in parts):
        if not any(_replaces_default(member, first) for member in members):
            access = "protected" if "abstract" in modifiers else "public"
            yield _make("constructor", cut_simple_name(first.fqn), line=first.line, access=access)
    elif first.kind in ("struct", "record struct"):
        declared = any(m.kind == "constructor" and not m.parameters and "static" not in m.modifiers for m in members)
        if not declared:
            yield _make("constructor", cut_simple_name(first.fqn), line=first.line)


def _replaces_default(member: MemberFacts, first: TypeFacts) -> bool:
    """Whether a member is a constructor that replaces the default one; a record's copy constructor does not."""
    if member.kind != "constructor" or "static" in member.modifiers:
        return False
    return first.kind != "record" or [p.type for p in member.parameters] != [_self_type(first)]


def _add_record_members(
    parts: Sequence[TypeFacts], members: Sequence[MemberFacts], modifiers: set[str]
) -> Iterator[MemberFacts]:
    first = parts[0]
    own = _self_type(first)
    taken = {(m.name, len(m.parameters)) for m in members if m.kind in ("method", "property", "field")}
    primary = next((m for m in members if m.primary), None)
    positional = primary.parameters if primary is not None else ()
    setter = "set" if first.kind == "record struct" and "readonly" not in modifiers else "init"
    for parameter in positional:
        if parameter.name and (parameter.name, 0) not in taken:
            accessors = (("", "get"), ("", setter))
            line = primary.line if primary is not None else first.line
            yield _make("property", parameter.name, result=parameter.type, line=line, accessors=accessors, primary=True)
    sealed = "sealed" in modifiers
    obj, other = Parameter("object?", "", "obj", None), Parameter(own, "", "other", None)
    builder = Parameter("StringBuilder", "", "builder", None)
    wanted: list[tuple[str, str, str, tuple[Parameter, ...]]] = [
        ("public", "ToString", "string", ()),
        ("public", "GetHashCode", "int", ()),
        ("public", "Equals", "bool", (obj,)),
        ("public", "Equals", "bool", (other,)),
    ]
    if positional:
        outs = tuple(Parameter(p.type, "out", p.name, None) for p in positional)
        wanted.append(("public", "Deconstruct", "void", outs))
    if first.kind == "record":
        yield _make("property", "EqualityContract", result="Type", line=first.line, accessors=(("", "get"),),
                    access="private" if sealed else "protected")  # fmt: skip
        copied = (Parameter(own, "", "original", None),)
        if not any(m.kind == "constructor" and [p.type for p in m.parameters] == [own] for m in members):
            yield _make(
                "constructor",
                cut_simple_name(first.fqn),
                copied,
                line=first.line,
                access="private" if sealed else "protected",
            )
    visible = first.kind == "record" and not sealed
    wanted.append(("protected" if visible else "private", "PrintMembers", "bool", (builder,)))
    seen = {(m.name, tuple(p.type.rstrip("?") for p in m.parameters)) for m in members if m.kind == "method"}
    for access, name, result, parameters in wanted:
        if (name, tuple(p.type.rstrip("?") for p in parameters)) not in seen:
            yield _make("method", name, parameters, result=result, line=first.line, access=access)
    sides = (Parameter(own, "", "left", None), Parameter(own, "", "right", None))
    for sign in ("==", "!="):
        yield _make("operator", sign, sides, result="bool", line=first.line)


def _self_type(facts: TypeFacts) -> str:
    return cut_simple_name(facts.fqn) + write_parameters(facts.type_parameters)


def _make(  # noqa: PLR0913 - what differs between the members a compiler adds
    kind: MemberKind, name: str, parameters: tuple[Parameter, ...] = (), *, line: int, result: str = "",
    accessors: tuple[tuple[str, str], ...] = (), access: str = "public", primary: bool = False,
) -> MemberFacts:  # fmt: skip
    return MemberFacts(
        kind=kind,
        name=name,
        type=result,
        arity=0,
        accessibility=access,
        modifiers=("static",) if kind == "operator" else (),
        type_parameters=(),
        constraints=(),
        parameters=parameters,
        accessors=accessors,
        explicit_interface="",
        receiver="",
        value="",
        attributes=(),
        implicit=not primary,
        primary=primary,
        body="",
        doc="",
        doc_hash="",
        line=line,
        end_line=line,
    )
