"""Computes the six fingerprints of a type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.types.enum_values import count_enum
from codecortex.analysis.types.signatures import member_key
from codecortex.model.code.facts import VISIBLE
from codecortex.model.code.types import structural_modifiers
from codecortex.model.hashing import Digest, digest
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from codecortex.model.code.facts import MemberFacts, TypeFacts
    from codecortex.model.code.types import CSharpType


_WITHIN = frozenset({"internal", "private protected"})
_IN_SEALED = {"protected": "private", "protected internal": "internal"}
_HOW = frozenset({"async", "unsafe", "extern"})


class HashRules(NamedTuple):
    """The settings that determine what fingerprints include.

    Attributes:
        cosmetic_attributes: Simple names, without `Attribute`, of attributes that only concern tools.
        include_internal: Whether internal members are structure.
        include_docs: Whether documentation is structure.
    """

    cosmetic_attributes: frozenset[str]
    include_internal: bool = False
    include_docs: bool = False


class Fingerprints(NamedTuple):
    """The fingerprints of a type, eight characters each.

    Attributes:
        structure: Over the header of the type and its visible members; also internal ones and documentation if the
            rules include them.
        public_impl: Over the implementation of visible members and of the type itself.
        internal_impl: Over the other members and nested types, cosmetic attributes, and invisible accessors.
        cosmetic: Over comments and layout.
        impl: Over `public_impl` and `internal_impl`.
        xml_doc: Over documentation.
    """

    structure: Digest
    public_impl: Digest
    internal_impl: Digest
    cosmetic: Digest
    impl: Digest
    xml_doc: Digest


class Header(NamedTuple):
    """The input of structureHash apart from members, each part as one text."""

    kind: str
    accessibility: str
    modifiers: str
    type_parameters: str
    constraints: str
    bases: str
    attributes: str
    nested: str


def fingerprint(merged: CSharpType, nested: Sequence[CSharpType], rules: HashRules) -> Fingerprints:
    """Compute the fingerprints of a type.

    Args:
        merged: The type with canonical texts, from `canonicalize`.
        nested: The types directly nested in it.
        rules: What fingerprints include.
    """
    structure = [*describe_header(merged, nested, rules), *sorted(_member_structures(merged, rules))]
    hidden = [
        _join(["type", _signature_of(inner)]) for inner in nested if not is_seen(inner.accessibility, merged, rules)
    ]
    public = digest("publicImpl", _public_parts(merged, rules))
    internal = digest("internalImpl", sorted([*hidden, *_internal_parts(merged, rules)]))
    docs = digest("xmlDoc", _doc_parts(merged))
    return Fingerprints(
        structure=digest("structure", [*structure, docs] if rules.include_docs else structure),
        public_impl=public,
        internal_impl=internal,
        cosmetic=digest("cosmetic", sorted(part.facts.cosmetic for part in merged.parts)),
        impl=digest("impl", [f"v1|{public}|{internal}"]),
        xml_doc=docs,
    )


def attribute_name(attribute: str) -> str:
    """The simple name of an attribute, without `Attribute`."""
    head = attribute.partition("(")[0].partition("<")[0].rpartition(": ")[2].partition("`")[0]
    return head.rpartition(".")[2].rpartition("+")[2].removesuffix("Attribute")


def _split_attributes(attributes: Iterable[str], rules: HashRules) -> tuple[list[str], list[str]]:
    """The attributes that are structure and those that only concern tools, sorted."""
    structural: list[str] = []
    cosmetic: list[str] = []
    for attribute in sorted(attributes):
        (cosmetic if attribute_name(attribute) in rules.cosmetic_attributes else structural).append(attribute)
    return structural, cosmetic


def reaches(accessibility: str, rules: HashRules) -> bool:
    """Whether members and types with this accessibility are structure."""
    return accessibility in VISIBLE or (rules.include_internal and accessibility in _WITHIN)


def is_seen(accessibility: str, merged: CSharpType, rules: HashRules) -> bool:
    """Whether a type's members with this accessibility are structure: nobody derives from a sealed type."""
    if "sealed" in merged.modifiers:
        accessibility = _IN_SEALED.get(accessibility, accessibility)
    return reaches(accessibility, rules)


def _join(values: Iterable[str]) -> str:
    """Several texts joined unambiguously, each with its length."""
    return "".join([f"{len(value)}:{value}" for value in values]) if values else ""


def _signature_of(inner: CSharpType) -> str:
    return _join([inner.kind, inner.accessibility, inner.simple_name, str(inner.arity)])


def describe_header(merged: CSharpType, nested: Sequence[CSharpType], rules: HashRules) -> Header:
    """The structure of a type apart from its members; `nested` are the types directly nested in it."""
    parts = [part.facts for part in merged.parts]
    attributes = {attribute for part in parts for attribute in part.attributes}
    return Header(
        merged.kind,
        merged.accessibility,
        _join(structural_modifiers(merged.modifiers)),
        _join(parts[0].type_parameters),
        _join(sorted({clause for part in parts for clause in part.constraints})),
        _join(sorted({base for part in parts for base in part.bases})),
        _join([*_split_attributes(attributes, rules)[0], *_mark(_of_parameters(parts), rules)[0]]),
        _join(sorted(_signature_of(inner) for inner in nested if is_seen(inner.accessibility, merged, rules))),
    )


def _member_structures(merged: CSharpType, rules: HashRules) -> list[str]:
    members = [m.facts for m in merged.members if is_seen(m.facts.accessibility, merged, rules) and is_told(m.facts)]
    return enum_values(members, rules) if merged.kind == "enum" else [structure_of(m, rules) for m in members]


def is_told(facts: MemberFacts) -> bool:
    """Whether a member is structure: every written one, and the implicit default constructor, which others can call."""
    return not facts.implicit or (facts.kind == "constructor" and not facts.parameters)


def _of_parameters(parts: Sequence[TypeFacts]) -> set[tuple[str, str]]:
    """The attributes of a type's own type parameters, each with its position."""
    return {(f"type parameter {number}", text) for part in parts for number, text in part.type_parameter_attributes}


def _list_attributes(facts: MemberFacts, rules: HashRules) -> Iterator[tuple[str, str]]:
    """What a member's attributes stand at, and their texts; without those of accessors that are not structure."""
    for text in facts.attributes:
        yield "", text
    for number, parameter in enumerate(facts.parameters):
        for text in parameter.attributes:
            yield f"parameter {number}", text
    for number, text in facts.type_parameter_attributes:
        yield f"type parameter {number}", text
    shown = {word for _, word in _shown_accessors(facts, rules)}
    for word, text in facts.accessor_attributes:
        if word in shown:
            yield word, text
    if facts.extension is not None:
        for number, text in facts.extension.type_parameter_attributes:
            yield f"extension type parameter {number}", text


def _mark(attributes: Iterable[tuple[str, str]], rules: HashRules) -> tuple[list[str], list[str]]:
    """The attributes that are structure and those that only concern tools, each with what it stands at, sorted."""
    structural: list[str] = []
    cosmetic: list[str] = []
    for where, text in sorted(attributes):
        kept = cosmetic if attribute_name(text) in rules.cosmetic_attributes else structural
        kept.append(f"{where}: {text}" if where else text)
    return structural, cosmetic


def structure_of(facts: MemberFacts, rules: HashRules) -> str:
    """The structure of a member, as one text."""
    return _join([
        _identity_of(facts),
        facts.accessibility,
        _join(structural_modifiers(facts.modifiers)),
        facts.type,
        _join(facts.type_parameters),
        _join(sorted(facts.constraints)),
        _join(_list_accessors(facts, rules)),
        _join(_mark(_list_attributes(facts, rules), rules)[0]),
        facts.size,
        _join([*facts.extension.type_parameters, *facts.extension.constraints]) if facts.extension is not None else "",
    ])  # fmt: skip


def _identity_of(facts: MemberFacts) -> str:
    return _join([facts.kind, *map(str, member_key(facts))])


def _shown_accessors(facts: MemberFacts, rules: HashRules) -> list[tuple[str, str]]:
    """The accessors that are structure: of a visible member only visible ones."""
    return [
        (access, word)
        for access, word in sorted(facts.accessors)
        if not access or reaches(access, rules) or not reaches(facts.accessibility, rules)
    ]


def _list_accessors(facts: MemberFacts, rules: HashRules) -> list[str]:
    """A property's accessors that are structure, with their modifiers.

    None for events, which always have the same two.
    """
    if facts.kind == "event" or not facts.accessors:
        return []
    return [
        " ".join([access, *(m for w, m in sorted(facts.accessor_modifiers) if w == word), word])
        for access, word in _shown_accessors(facts, rules)
    ]


def enum_values(members: Sequence[MemberFacts], rules: HashRules) -> list[str]:
    """Names and values of enum members, computed where they can be; otherwise counted on from one as written."""
    values = count_enum([(facts.name, facts.value) for facts in members])
    return [
        _join([facts.name, value, _join(_split_attributes(facts.attributes, rules)[0])])
        for facts, value in zip(members, values, strict=True)
    ]


def implementation_of(facts: MemberFacts) -> list[str]:
    """The implementation of a member, as texts; empty if it has none."""
    names = [_join([p.name, p.default or ""]) for p in facts.parameters]
    words = sorted(set(facts.modifiers) & _HOW) if facts.modifiers else []
    if not (facts.body or names or words):
        return []
    return [facts.body, _join(names), _join(words)]


def _public_parts(merged: CSharpType, rules: HashRules) -> list[str]:
    out = [part.facts.body for part in merged.parts if part.facts.body]
    for member in merged.members:
        facts = member.facts
        if facts.accessibility in VISIBLE and not facts.implicit:
            implementation = implementation_of(facts)
            if not is_seen(facts.accessibility, merged, rules):
                # An override in a sealed type: what the base's callers get, though nobody else sees it.
                out.append(_join([structure_of(facts, rules), *implementation]))
            elif implementation:
                out.append(_join([_identity_of(facts), *implementation]))
    return sorted(out)


def _internal_parts(merged: CSharpType, rules: HashRules) -> Iterator[str]:
    for part in merged.parts:
        yield from _split_attributes(part.facts.attributes, rules)[1]
    yield from _mark(_of_parameters([part.facts for part in merged.parts]), rules)[1]
    for member in merged.members:
        facts = member.facts
        if facts.accessibility not in VISIBLE:
            if not facts.implicit or facts.body:
                cosmetic = _mark(_list_attributes(facts, rules), rules)[1]
                yield _join([structure_of(facts, rules), *implementation_of(facts), *cosmetic])
            continue
        cosmetic = _mark(_list_attributes(facts, rules), rules)[1]
        narrow = [_describe_narrow(facts, *each) for each in sorted(facts.accessors) if each[0] not in ("", *VISIBLE)]
        if cosmetic or narrow:
            yield _join([_identity_of(facts), *cosmetic, *narrow])


def _describe_narrow(facts: MemberFacts, access: str, word: str) -> str:
    """An accessor that others do not see, with its modifiers and attributes."""
    told = [text for own, text in sorted((*facts.accessor_modifiers, *facts.accessor_attributes)) if own == word]
    return " ".join([access, word, *told])


def _doc_parts(merged: CSharpType) -> list[str]:
    out = [part.facts.doc_hash for part in merged.parts if part.facts.doc_hash]
    out.extend(_join([_identity_of(m.facts), m.facts.doc_hash]) for m in merged.members if m.facts.doc_hash)
    return sorted(out)
