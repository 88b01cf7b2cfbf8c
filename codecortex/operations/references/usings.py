"""Reads the global usings that packages add to projects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.msbuild.frameworks import choose_assets
from codecortex.analysis.msbuild.package_usings import list_package_usings
from codecortex.parsing.project_xml import read_project
from codecortex.store.packages.folders import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from codecortex.model.code.projects import Project, ProjectFacts
    from codecortex.operations.references.packages import FoundPackage
    from codecortex.store.packages.folders import Machine

_USING = b"<Using"
_FOLDERS = ("buildtransitive", "build")
_ENDINGS = (".props", ".targets")


class UsingsReader:
    """Reads the build files of packages, each once."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._files: dict[str, dict[str, bytes]] = {}

    def read(self, project: Project, packages: Iterable[FoundPackage]) -> set[str]:
        """The global usings that packages add to a project."""
        said: dict[str, ProjectFacts] = {}
        imported: list[str] = []
        for package in packages:
            files = self._load(package)
            if any(_USING in data for data in files.values()):
                said.update({path: read_project(data, path) for path, data in files.items()})
                imported += _list_imported(package, list(files), project.tfm)
        imported.sort(key=lambda path: _ENDINGS.index(path[path.rindex(".") :].lower()))
        return list_package_usings(project, said, imported) if imported else set()

    def _load(self, package: FoundPackage) -> dict[str, bytes]:
        front = f"{package.name.lower()}/{package.version}"
        if front not in self._files:
            loaded = {}
            for path, place in self._machine.list_build_files(package.folder):
                try:
                    loaded[f"{front}/{path}"] = read_bytes(place)
                except OSError:
                    continue  # it cannot be listed as a build file of anything: as if the package had none
            self._files[front] = loaded
        return self._files[front]


def _list_imported(package: FoundPackage, paths: Sequence[str], tfm: str) -> list[str]:
    """Which files a build imports: those that bear the package's name, of the nearest framework."""
    for folder in _FOLDERS:
        by_framework: dict[str, list[str]] = {}
        for path in paths:
            kind, _, rest = path.split("/", 2)[2].partition("/")
            framework, _, name = rest.rpartition("/")
            named = name.lower() in (package.name.lower() + ending for ending in _ENDINGS)
            if kind.lower() == folder and named:
                by_framework.setdefault(framework, []).append(path)
        chosen = choose_assets(by_framework, tfm)
        if chosen is not None:
            return by_framework[chosen]
    return []
