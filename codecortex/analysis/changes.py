"""The fingerprints of a type before and after in, the class of its change out."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codecortex.analysis.fingerprints import Fingerprints


class ChangeClass(StrEnum):
    """What changed about a type itself, the gravest first."""

    STRUCTURE = "Structure"
    PUBLIC_BEHAVIOR = "PublicBehavior"
    INTERNAL = "Internal"
    DOCS = "Docs"
    COSMETIC = "Cosmetic"


def classify(before: Fingerprints | None, after: Fingerprints) -> ChangeClass | None:
    """The gravest change, or None where nothing differs; a type that was not there is a change of structure."""
    if before is None or before.structure != after.structure:
        return ChangeClass.STRUCTURE
    if before.public_impl != after.public_impl:
        return ChangeClass.PUBLIC_BEHAVIOR
    if before.internal_impl != after.internal_impl:
        return ChangeClass.INTERNAL
    if before.xml_doc != after.xml_doc:
        return ChangeClass.DOCS
    return None if before.cosmetic == after.cosmetic else ChangeClass.COSMETIC
