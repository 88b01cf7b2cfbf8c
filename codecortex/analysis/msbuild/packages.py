"""Reads what a project refers to beside other projects: packages, shared frameworks, assemblies that are friends."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, Protocol

from codecortex.model.code.projects import ItemFact, PackageUse
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from codecortex.model.code.projects import GroupFact

ASPNETCORE, WINDOWS_DESKTOP = "Microsoft.AspNetCore.App", "Microsoft.WindowsDesktop.App"

_REFERENCE, _CENTRAL = "PackageReference", "PackageVersion"
_FRAMEWORK = "FrameworkReference"
_ASSEMBLY = "Reference"
_KINDS = frozenset((_REFERENCE, _CENTRAL, _FRAMEWORK, _ASSEMBLY))
_FRIEND, _SUFFIX = "internalsvisibleto", "suffix"
"""How the kinds of items begin that name friends, and how those end that name what is added to the own name.

Beside the SDK's `InternalsVisibleTo`, targets of many repositories make such of items of their own.
"""
_ATTRIBUTE, _FRIENDS = "assemblyattribute", ("internalsvisibleto", "internalsvisibletoattribute")
_GIVEN = "_parameter1"
_FILE = ".dll"
_WEB = "microsoft.net.sdk.web"
_COMPILED = frozenset(("compile", "all"))


class Evaluation(Protocol):
    """The part of the first pass that references need: the final property values; nothing is reported."""

    sdk: str
    groups: list[tuple[GroupFact, str]]

    def read(self, name: str) -> str:
        """A property's value; empty if it is not set."""

    def enter(self, file: str) -> str:
        """Make `file` the one being read."""

    def may_hold(self, condition: str) -> bool:
        """Whether a condition holds."""

    def may_expand(self, text: str) -> str:
        """Expand a text."""


class ProjectReferences(NamedTuple):
    """What a project refers to.

    Attributes:
        names: The names of all packages, those included of which nothing is compiled against.
        packages: The others, sorted by name.
        frameworks: The shared frameworks beside .NET's own, sorted.
        friends: The assemblies that see the project's internals, sorted.
        assemblies: The files of assemblies that are named one by one, from the project's folder, sorted.
    """

    names: frozenset[str]
    packages: tuple[PackageUse, ...]
    frameworks: tuple[str, ...]
    friends: tuple[str, ...]
    assemblies: tuple[str, ...]


def read_references(evaluation: Evaluation, assembly: str) -> ProjectReferences:
    """What a project refers to, given the name of its own assembly."""
    named: dict[str, dict[str, _Item]] = {kind: {} for kind in _KINDS}
    friends: set[str] = set()
    for item in _list_items(evaluation):
        if item.kind in _KINDS:
            _take(evaluation, item, named[item.kind])
        else:
            friends |= _list_friends(evaluation, item, assembly)
            friends.difference_update(map(_cut_key, _split(evaluation, item.remove)))
    frameworks = {each.name for each in named[_FRAMEWORK].values()}
    if evaluation.sdk.partition("/")[0].lower() == _WEB:
        frameworks.add(ASPNETCORE)
    if "true" in (evaluation.read("UseWPF").lower(), evaluation.read("UseWindowsForms").lower()):
        frameworks.add(WINDOWS_DESKTOP)
    uses = [_make_use(each, named[_CENTRAL].get(key)) for key, each in sorted(named[_REFERENCE].items())]
    return ProjectReferences(
        frozenset(each.name for each in named[_REFERENCE].values()),
        tuple(use for use in uses if use is not None),
        tuple(sorted(frameworks)),
        tuple(sorted(friends)),
        tuple(sorted({file for each in named[_ASSEMBLY].values() if (file := _find_file(each))})),
    )


class _Item(NamedTuple):
    """An item, its name and its metadata evaluated."""

    name: str
    metadata: dict[str, str]


def _list_items(evaluation: Evaluation) -> Iterator[ItemFact]:
    """The items that say it, of those whose conditions hold."""
    for group, file in evaluation.groups:
        items = [each for each in group.members if isinstance(each, ItemFact) and _counts(each)]
        if items:
            evaluation.enter(file)
            if evaluation.may_hold(group.condition):
                yield from (each for each in items if not each.condition or evaluation.may_hold(each.condition))


def _counts(item: ItemFact) -> bool:
    kind = item.kind.lower()
    return item.kind in _KINDS or kind.startswith(_FRIEND) or kind == _ATTRIBUTE


def _list_friends(evaluation: Evaluation, item: ItemFact, assembly: str) -> set[str]:
    """The assemblies that an item lets see the project's internals."""
    names = _split(evaluation, item.include)
    if item.kind.lower() == _ATTRIBUTE:
        tells = any(name.rpartition(".")[2].lower() in _FRIENDS for name in names)
        given = [evaluation.may_expand(value) for name, value in item.metadata if name == _GIVEN]
        names = given if tells else []
    elif item.kind.lower().endswith(_SUFFIX):
        names = [assembly + name for name in names]
    return set(map(_cut_key, names))


def _cut_key(name: str) -> str:
    """The name of a friend without its public key."""
    return name.partition(",")[0].strip()


def _take(evaluation: Evaluation, item: ItemFact, known: dict[str, _Item]) -> None:
    metadata = {name: evaluation.may_expand(value).strip() for name, value in item.metadata}
    for name in _split(evaluation, item.include):
        known[name.lower()] = _Item(name, metadata)
    for name in _split(evaluation, item.update):
        if (each := known.get(name.lower())) is not None:
            known[name.lower()] = _Item(each.name, each.metadata | metadata)
    for name in _split(evaluation, item.remove):
        known.pop(name.lower(), None)


def _split(evaluation: Evaluation, text: str) -> list[str]:
    return [name for each in evaluation.may_expand(text).split(";") if (name := each.strip())] if text else []


def _find_file(item: _Item) -> str:
    """The file that an assembly is read from; empty where only its name is told."""
    told = item.metadata.get("hintpath") or item.name
    return told.replace("\\", "/") if told.lower().endswith(_FILE) else ""


def place_assemblies(project: str, files: Iterable[str]) -> tuple[str, ...]:
    """Paths from a project's folder as paths from the root of the repository; what lies outside of it is left out."""
    placed = (posixpath.normpath(posixpath.join(posixpath.dirname(project), each)) for each in files)
    return tuple(sorted({each for each in placed if not each.startswith(("/", "../")) and ":" not in each}))


def _make_use(item: _Item, central: _Item | None) -> PackageUse | None:
    """A package that is compiled against; None for one that brings only tools."""
    said = item.metadata
    included, excluded = _list_assets(said.get("includeassets", "all")), _list_assets(said.get("excludeassets", ""))
    if not included & _COMPILED or excluded & _COMPILED:
        return None
    own = said.get("versionoverride") or said.get("version", "")
    version = own or (central.metadata.get("version", "") if central is not None else "")
    return PackageUse(item.name, version, not _list_assets(said.get("privateassets", "")) & _COMPILED)


def _list_assets(text: str) -> frozenset[str]:
    return frozenset(each.strip().lower() for each in text.replace(",", ";").split(";"))
