"""Fingerprints of the types of a reading, and how they are written as text."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from codecortex.analysis.types.fingerprints import Fingerprints, HashRules, fingerprint

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from codecortex.model.code.types import CSharpType, TypeId
    from codecortex.model.config import Config
    from codecortex.operations.reading.tree import Reading


def rules_of(config: Config) -> HashRules:
    """The part of the configuration that determines what fingerprints include."""
    names = (name.rpartition(".")[2].removesuffix("Attribute") for name in config.hash.cosmetic_attributes)
    return HashRules(
        frozenset(names),
        include_internal=config.hash.include_internal_in_structure_hash,
        include_docs=config.hash.structure_hash_includes_xml_doc,
    )


class Nested:
    """The types directly nested in each type, sorted by name."""

    def __init__(self, types: Sequence[CSharpType]) -> None:
        self._inside: dict[tuple[str, str, str], list[CSharpType]] = defaultdict(list)
        for merged in sorted(types, key=lambda t: (t.fqn, t.id)):
            if merged.container:
                self._inside[merged.project, merged.owner, merged.container].append(merged)

    def of(self, merged: CSharpType) -> Sequence[CSharpType]:
        """The types directly nested in one type."""
        return self._inside.get((merged.project, merged.owner, merged.fqn), ())


def fingerprint_all(reading: Reading) -> dict[TypeId, Fingerprints]:
    """The fingerprints of every type."""
    return fingerprint_some(reading, {t.id for t in reading.types})


def fingerprint_some(reading: Reading, wanted: Collection[str]) -> dict[TypeId, Fingerprints]:
    """Fingerprints of the wanted types that exist, by TypeId."""
    from codecortex.analysis.types.canonical import canonicalize
    from codecortex.operations.reading.meanings import make_meanings

    nested, rules, meanings = Nested(reading.types), rules_of(reading.tree.config), make_meanings(reading)
    return {t.id: fingerprint(canonicalize(t, meanings), nested.of(t), rules) for t in reading.types if t.id in wanted}


def describe_hashes(prints: Fingerprints) -> dict[str, str]:
    """The fingerprints under their names in JSON."""
    return {
        "structureHash": prints.structure,
        "publicImplHash": prints.public_impl,
        "internalImplHash": prints.internal_impl,
        "cosmeticHash": prints.cosmetic,
        "implHash": prints.impl,
        "xmlDocHash": prints.xml_doc,
    }


def add_hashes(text: str, prints: Fingerprints) -> str:
    """An outline with the fingerprints after its second line."""
    title, place, rest = text.split("\n", 2)
    hashes = (
        f"StructureHash: {prints.structure} | PublicImplHash: {prints.public_impl} | "
        f"InternalImplHash: {prints.internal_impl} | ImplHash: {prints.impl}\n"
        f"XmlDocHash: {prints.xml_doc} | CosmeticHash: {prints.cosmetic}"
    )
    return f"{title}\n{place}\n{hashes}\n{rest}"
