"""A type in, its six hashes out; see decisions.md for what each holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from codecortex.analysis.signatures import member_key, parameter_types, structural_modifiers
from codecortex.model.facts import VISIBLE
from codecortex.model.hashing import Digest, digest

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from codecortex.model.facts import MemberFacts
    from codecortex.model.types import CSharpType, Member

HASH_VERSION = 1
"""Raised whenever the same type may hash otherwise."""


@dataclass(frozen=True, slots=True)
class HashRules:
    """What the configuration lets hashes take in.

    Attributes:
        cosmetic_attributes: Simple names, without `Attribute`, of those that only speak to tools.
        include_internal: Whether internal members are structure.
        include_docs: Whether documentation is structure.
    """

    cosmetic_attributes: frozenset[str]
    include_internal: bool = False
    include_docs: bool = False


@dataclass(frozen=True, slots=True)
class Fingerprints:
    """The hashes of a type, eight characters each."""

    structure: Digest
    public_impl: Digest
    internal_impl: Digest
    cosmetic: Digest
    impl: Digest
    xml_doc: Digest


def fingerprint(merged: CSharpType, nested: Sequence[CSharpType], rules: HashRules) -> Fingerprints:
    """The hashes of a type; `nested` are the types directly in it."""
    public = digest("publicImpl", _public_parts(merged))
    internal = digest("internalImpl", _internal_parts(merged, rules))
    docs = digest("xmlDoc", _doc_parts(merged))
    return Fingerprints(
        structure=digest(
            "structure", [*_structure_parts(merged, nested, rules), *([docs] if rules.include_docs else [])]
        ),
        public_impl=public,
        internal_impl=internal,
        cosmetic=digest("cosmetic", sorted(part.facts.cosmetic for part in merged.parts)),
        impl=digest("impl", [f"v1|{public}|{internal}"]),
        xml_doc=docs,
    )


def attribute_name(attribute: str) -> str:
    """The simple name of an attribute's text, without `Attribute`."""
    head = attribute.partition("(")[0].partition("<")[0]
    return head.rpartition(": ")[2].rpartition(".")[2].removesuffix("Attribute")


def _split_attributes(attributes: Iterable[str], rules: HashRules) -> tuple[list[str], list[str]]:
    """Those that are structure and those that only speak to tools, sorted."""
    structural: list[str] = []
    cosmetic: list[str] = []
    for attribute in sorted(attributes):
        (cosmetic if attribute_name(attribute) in rules.cosmetic_attributes else structural).append(attribute)
    return structural, cosmetic


def _is_structural(facts: MemberFacts, rules: HashRules) -> bool:
    return facts.accessibility in VISIBLE or (
        rules.include_internal and facts.accessibility in ("internal", "private protected")
    )


def _join(values: Iterable[str]) -> str:
    """One text of several, none of which can run into the next."""
    return "".join(f"{len(value)}:{value}" for value in values)


def _structure_parts(merged: CSharpType, nested: Sequence[CSharpType], rules: HashRules) -> list[str]:
    parts = [part.facts for part in merged.parts]
    attributes = {attribute for part in parts for attribute in part.attributes}
    constraints = sorted({clause for part in parts for clause in part.constraints})
    bases = sorted({base for part in parts for base in part.bases})
    header = [
        merged.kind,
        merged.accessibility,
        _join(structural_modifiers(merged.modifiers)),
        _join(parts[0].type_parameters),
        _join(constraints),
        _join(bases),
        _join(_split_attributes(attributes, rules)[0]),
    ]
    inside = sorted(
        _join(["type", t.kind, t.accessibility, t.simple_name, str(t.arity)])
        for t in nested
        if t.accessibility in VISIBLE
    )
    members = [m.facts for m in merged.members if _is_structural(m.facts, rules) and not m.facts.implicit]
    texts = _enum_values(members) if merged.kind == "enum" else [_structure_of(facts, rules) for facts in members]
    return [*header, *inside, *sorted(texts)]


def _structure_of(facts: MemberFacts, rules: HashRules) -> str:
    return _join([
        facts.kind,
        facts.accessibility,
        _join(structural_modifiers(facts.modifiers)),
        facts.type,
        _join(map(str, member_key(facts))),
        _join(facts.type_parameters),
        _join(facts.constraints),
        _join(f"{access} {word}" for access, word in sorted(facts.accessors)),
        _join(_split_attributes(facts.attributes, rules)[0]),
    ])  # fmt: skip


def _enum_values(members: Sequence[MemberFacts]) -> list[str]:
    """Names with values; one that states none counts on from the last that does."""
    texts, base, offset = [], "0", 0
    for facts in members:
        if facts.value:
            base, offset = facts.value, 0
        texts.append(_join(["enumMember", facts.name, base, str(offset), _join(sorted(facts.attributes))]))
        offset += 1
    return texts


def _implementation_of(facts: MemberFacts) -> list[str]:
    """What a member does, as texts; empty where it does nothing of its own."""
    names = [
        _join([p.name, p.default or "", _join(p.attributes)])
        for p in facts.parameters
        if p.name or p.default or p.attributes
    ]
    words = sorted(set(facts.modifiers) & {"async", "unsafe", "extern"})
    if not (facts.body or names or words):
        return []
    return [facts.body, _join(names), _join(words)]


def _public_parts(merged: CSharpType) -> list[str]:
    out = [part.facts.body for part in merged.parts if part.facts.body]
    out.sort()
    for member in merged.members:
        facts = member.facts
        if facts.accessibility in VISIBLE and not facts.implicit:
            implementation = _implementation_of(facts)
            if implementation:
                out.append(_join([facts.kind, *map(str, member_key(facts)), *implementation]))
    return out


def _internal_parts(merged: CSharpType, rules: HashRules) -> list[str]:
    out = sorted(
        attribute
        for part in merged.parts
        for attribute in _split_attributes(part.facts.attributes, rules)[1]
    )  # fmt: skip
    for member in merged.members:
        facts = member.facts
        if facts.implicit and not facts.body:
            continue
        if facts.accessibility in VISIBLE:
            cosmetic = _split_attributes(facts.attributes, rules)[1]
            if cosmetic:
                out.append(_join([facts.kind, *map(str, member_key(facts)), *cosmetic]))
        else:
            out.append(_join([_structure_of(facts, rules), *_implementation_of(facts), *sorted(facts.attributes)]))
    return out


def _doc_parts(merged: CSharpType) -> list[str]:
    out = sorted(part.facts.doc_hash for part in merged.parts if part.facts.doc_hash)
    out.extend(
        _join([member.facts.kind, *map(str, member_key(member.facts)), member.facts.doc_hash])
        for member in merged.members
        if member.facts.doc_hash
    )
    return out
