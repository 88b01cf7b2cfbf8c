"""Reads `project.assets.json`: what a restore chose for a project."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from codecortex.model.code.packages import Restored, RestoredPackage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_NOTHING = "_._"


class BadAssetsError(ValueError):
    """A file that no restore wrote; the message says why."""


def read_assets(data: bytes, shorten: Callable[[str], str]) -> Restored:
    """What a restore chose.

    Args:
        data: The bytes of the file.
        shorten: Gives the short moniker of a framework.

    Raises:
        BadAssetsError: The file is damaged, or something else.
    """
    try:
        said = json.loads(data)
    except (ValueError, RecursionError) as problem:
        raise BadAssetsError(f"it is no JSON: {problem}") from problem
    restore = _mapping(_mapping(_mapping(said).get("project")).get("restore"))
    path = _text(restore.get("projectPath"))
    if not path:
        raise BadAssetsError("it names no project")
    libraries = _mapping(said.get("libraries"))
    names: dict[str, str] = {}
    for key, framework in _mapping(_mapping(said.get("project")).get("frameworks")).items():
        names[key] = _text(_mapping(framework).get("targetAlias")) or key
    targets = {}
    for key, packages in _mapping(said.get("targets")).items():
        if "/" not in key:  # those of a runtime say what is run, not what is compiled against
            moniker = shorten(names.get(key, key))
            targets[moniker] = tuple(_read_packages(_mapping(packages), libraries))
    logs = said.get("logs")
    errors = [_mapping(each) for each in logs] if isinstance(logs, list) else []
    missing = {_text(each.get("libraryId")) for each in errors if each.get("level") == "Error"}
    folders = tuple(_mapping(said.get("packageFolders")))
    return Restored(path.replace("\\", "/").rpartition("/")[2], folders, targets, tuple(sorted(missing - {""})))


def _read_packages(packages: dict[str, Any], libraries: dict[str, Any]) -> Iterator[RestoredPackage]:
    for key, each in packages.items():
        package, library = _mapping(each), _mapping(libraries.get(key))
        name, _, version = key.partition("/")
        if package.get("type") == "package":
            path = _text(library.get("path")) or key.lower()
            files = [item for item in _mapping(package.get("compile")) if item.rpartition("/")[2] != _NOTHING]
            wanted = package.get("frameworkReferences")
            frameworks = [_text(each) for each in wanted] if isinstance(wanted, list) else []
            yield RestoredPackage(name, version, path, tuple(files), tuple(filter(None, frameworks)))


def _mapping(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
