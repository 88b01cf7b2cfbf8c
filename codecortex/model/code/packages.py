"""Values for packages: what one needs, and what a restore chose for a project."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class DependencyGroup(NamedTuple):
    """What a package needs on a framework.

    Attributes:
        framework: Its short moniker; empty for all.
        packages: Names of packages and the versions that are asked for.
        frameworks: Shared frameworks, such as `Microsoft.AspNetCore.App`.
    """

    framework: str
    packages: tuple[tuple[str, str], ...] = ()
    frameworks: tuple[str, ...] = ()


class RestoredPackage(NamedTuple):
    """A package that a restore chose.

    Attributes:
        name: Its name.
        version: Its version.
        path: Where it lies in a folder of packages.
        files: The files in it that are compiled against.
        frameworks: The shared frameworks that it needs.
    """

    name: str
    version: str
    path: str
    files: tuple[str, ...]
    frameworks: tuple[str, ...]


class Restored(NamedTuple):
    """What a restore left for a project.

    Attributes:
        project: The name of the project's file.
        folders: The folders of packages that were used.
        targets: The packages for each framework, by short moniker.
        missing: Names of the packages that the restore did not find.
    """

    project: str
    folders: tuple[str, ...]
    targets: Mapping[str, tuple[RestoredPackage, ...]]
    missing: tuple[str, ...]
