"""Chooses the packages that a project compiles against: as a restore did, else by what packages say they need."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from codecortex.analysis.msbuild.frameworks import choose_assets, find_moniker
from codecortex.analysis.msbuild.versions import choose_version, order_version, parse_range
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.parsing.elements import RefusedError
from codecortex.parsing.packages.assets import BadAssetsError, read_assets
from codecortex.parsing.packages.nuspec import read_nuspec
from codecortex.store.packages.folders import read_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from codecortex.model.code.packages import DependencyGroup, Restored
    from codecortex.model.code.projects import PackageUse, Project
    from codecortex.store.packages.folders import Machine

_ASSETS = "project.assets.json"
_NUSPEC = ".nuspec"


class FoundPackage(NamedTuple):
    """A package on this machine.

    Attributes:
        name: Its name.
        version: Its version.
        folder: Where it lies.
        assemblies: The files that are compiled against.
        frameworks: The shared frameworks that it needs.
    """

    name: str
    version: str
    folder: Path
    assemblies: tuple[Path, ...]
    frameworks: tuple[str, ...] = ()


class MissingPackage(NamedTuple):
    """A package that is asked for and not there.

    Attributes:
        name: Its name.
        version: What is asked for; empty if nothing says it.
    """

    name: str
    version: str


class Choice(NamedTuple):
    """The packages of a project.

    Attributes:
        packages: Those on this machine.
        missing: Those that are not, or of which only another version is.
    """

    packages: tuple[FoundPackage, ...]
    missing: tuple[MissingPackage, ...]


class PackageFinder:
    """Finds the packages of projects; what is read is remembered."""

    def __init__(self, machine: Machine, root: Path | None, warn: Callable[[str], None]) -> None:
        """Make it.

        Args:
            machine: What this machine has.
            root: The work tree in which restores left their files; None to ask none of them.
            warn: Called with what could not be read.
        """
        self._machine = machine
        self._root = root
        self._warn = warn
        self._found: dict[tuple[str, str, str], FoundPackage | None] = {}
        self._needs: dict[tuple[str, str, str], DependencyGroup | None] = {}

    def choose(self, project: Project, uses: Sequence[PackageUse]) -> Choice:
        """The packages of a project.

        Args:
            project: The project.
            uses: The packages that it and the projects that it references name.
        """
        restored = self._find_restored(project)
        if restored is not None:
            chosen = self._take_restored(restored, project, uses)
            if chosen is not None:
                return chosen
        return self._resolve(uses, project.tfm)

    # -- restored

    def _find_restored(self, project: Project) -> Restored | None:
        """What a restore left, in `obj` or in the folder `artifacts` of a parent."""
        if self._root is None or not project.path:
            return None
        folder = posixpath.dirname(project.path)
        places = [f"{folder}/obj/{_ASSETS}".lstrip("/")]
        above: str | None = folder
        while above is not None:
            places.append(f"{above}/artifacts/obj/{project.name}/{_ASSETS}".lstrip("/"))
            above = posixpath.dirname(above) if above else None
        for place in places:
            restored = self._read_restored(place)
            if restored is not None and restored.project == posixpath.basename(project.path):
                return restored
        return None

    def _read_restored(self, place: str) -> Restored | None:
        if self._root is None:
            return None
        try:
            return read_assets(read_bytes(self._root / place), find_moniker)
        except FileNotFoundError:
            return None
        except (OSError, BadAssetsError) as problem:
            self._warn(f"{place} is not read: {problem}; packages are looked for without it.")
            return None

    def _take_restored(self, restored: Restored, project: Project, uses: Sequence[PackageUse]) -> Choice | None:
        """The packages that a restore chose; None if it does not know what the project asks for today."""
        target = restored.targets.get(find_moniker(project.tfm))
        known = {each.name.lower() for each in target or ()} | {name.lower() for name in restored.missing}
        if target is None or not {each.name.lower() for each in uses} <= known:
            return None
        machine = self._machine.with_packages(restored.folders)
        found: list[FoundPackage] = []
        missing = [MissingPackage(name, "") for name in restored.missing]
        for each in target:
            folder = machine.find_package(each.path)
            if folder is None:
                missing.append(MissingPackage(each.name, each.version))
            else:
                files = tuple(folder / file for file in each.files if ".." not in file.split("/"))
                found.append(FoundPackage(each.name, each.version, folder, files, each.frameworks))
        return Choice(tuple(found), tuple(missing))

    # -- without a restore

    def _resolve(self, uses: Sequence[PackageUse], tfm: str) -> Choice:
        """The packages that are named, then what they need: what the project names wins, else the higher version."""
        direct = {each.name.lower() for each in uses}
        found: dict[str, FoundPackage] = {}
        missing: dict[str, MissingPackage] = {}
        waiting = [(each.name, each.version) for each in uses]
        for name, version in waiting:
            key = name.lower()
            known = found.get(key)
            if known is not None and (key in direct or not _is_newer(version, known.version)):
                continue
            package = self._find(name, version, tfm)
            if package is None or not _fits(version, package.version):
                missing[key] = MissingPackage(name, version)
            if package is not None:
                found[key] = package
                needs = self._read_needs(package, tfm)
                waiting += [each for each in needs.packages if each[0].lower() not in direct] if needs else []
        return Choice(tuple(found.values()), tuple(missing[key] for key in sorted(missing)))

    def _find(self, name: str, version: str, tfm: str) -> FoundPackage | None:
        chosen = choose_version(version, self._machine.list_versions(name))
        if chosen is None:
            return None
        key = (name.lower(), chosen, tfm)
        if key not in self._found:
            folder = self._machine.find_package(f"{name.lower()}/{chosen}")
            assemblies = tuple(self._list_compiled(folder, tfm)) if folder is not None else ()
            package = FoundPackage(name, chosen, folder, assemblies) if folder is not None else None
            needs = self._read_needs(package, tfm) if package is not None else None
            if package is not None and needs is not None:
                package = package._replace(frameworks=needs.frameworks)
            self._found[key] = package
        return self._found[key]

    def _list_compiled(self, folder: Path, tfm: str) -> Iterator[Path]:
        for kind in ("ref", "lib"):
            chosen = choose_assets(self._machine.list_folder(folder / kind), tfm)
            if chosen is not None:
                yield from self._machine.list_assemblies(folder / kind / chosen)
                return

    def _read_needs(self, package: FoundPackage, tfm: str) -> DependencyGroup | None:
        key = (package.name.lower(), package.version, tfm)
        if key not in self._needs:
            self._needs[key] = self._choose_needs(package.folder, tfm)
        return self._needs[key]

    def _choose_needs(self, folder: Path, tfm: str) -> DependencyGroup | None:
        name = next((each for each in self._machine.list_folder(folder) if each.lower().endswith(_NUSPEC)), None)
        if name is None:
            return None
        try:
            groups = {each.framework: each for each in read_nuspec(read_bytes(folder / name), find_moniker)}
        except (OSError, RefusedError) as problem:
            self._warn(f"{folder / name} is not read: {problem}; what the package needs is not known.")
            return None
        chosen = choose_assets(groups, tfm)
        return groups[chosen] if chosen is not None else None


def _is_newer(asked: str, version: str) -> bool:
    """Whether what is asked for begins above a version."""
    wanted = parse_range(asked)
    return wanted is not None and bool(wanted.low) and order_version(wanted.low) > order_version(version)


def _fits(asked: str, version: str) -> bool:
    wanted = parse_range(asked)
    return wanted is not None and wanted.holds(version)
