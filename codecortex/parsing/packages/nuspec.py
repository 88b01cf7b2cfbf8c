"""Reads the `.nuspec` of a package: what it needs on which framework."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.code.packages import DependencyGroup
from codecortex.parsing.elements import parse_xml

if TYPE_CHECKING:
    from collections.abc import Callable

    from codecortex.parsing.elements import Element

_COMPILED = ("compile", "all")


def read_nuspec(data: bytes, shorten: Callable[[str], str]) -> tuple[DependencyGroup, ...]:
    """What a package needs.

    Args:
        data: The bytes of the file.
        shorten: Gives the short moniker of a framework.

    Raises:
        RefusedError: It is no plain, well-formed XML.
    """
    found: dict[str, DependencyGroup] = {}
    metadata = parse_xml(data).find_all("metadata")
    for listing in (each for element in metadata for each in element.find_all("dependencies")):
        for group in listing.find_all("group") or [listing]:
            moniker = shorten(group.attributes.get("targetframework", ""))
            found[moniker] = DependencyGroup(moniker, _read_packages(group))
    for listing in (each for element in metadata for each in element.find_all("frameworkreferences")):
        for group in listing.find_all("group"):
            moniker = shorten(group.attributes.get("targetframework", ""))
            names = tuple(each.attributes.get("name", "") for each in group.find_all("frameworkreference"))
            found[moniker] = found.get(moniker, DependencyGroup(moniker))._replace(frameworks=names)
    return tuple(found.values())


def _read_packages(listing: Element) -> tuple[tuple[str, str], ...]:
    """The packages that are compiled against."""
    return tuple(
        (name, each.attributes.get("version", "").strip())
        for each in listing.find_all("dependency")
        if (name := each.attributes.get("id", "").strip())
        and not any(asset in each.attributes.get("exclude", "").lower().split(",") for asset in _COMPILED)
    )
