"""What a build would know: a flavour asked for in, projects with their files, symbols, usings and references out.

The `...Fact` values are what one project-like file says, as written and in document order; nothing in them is
evaluated, so that equal bytes give equal facts wherever the file lies.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class PropertyFact(NamedTuple):
    """`<Name Condition="...">value</Name>`; texts unexpanded."""

    name: str
    value: str
    condition: str = ""


class ItemFact(NamedTuple):
    """An element such as `Compile`, `Using` or `PackageReference`; texts unexpanded, lists separated by `;`.

    Attributes:
        metadata: Names with values, from attributes and child elements alike, in document order.
    """

    kind: str
    include: str = ""
    exclude: str = ""
    remove: str = ""
    update: str = ""
    metadata: tuple[tuple[str, str], ...] = ()
    condition: str = ""


class ImportFact(NamedTuple):
    """`<Import Project="..." Sdk="..." Condition="..."/>`."""

    project: str
    sdk: str = ""
    condition: str = ""


class GroupFact(NamedTuple):
    """A property, item or import group; its condition is asked once, before its members."""

    condition: str
    members: tuple[PropertyFact | ItemFact | ImportFact, ...]


class BranchFact(NamedTuple):
    """`<When Condition="...">`, or `<Otherwise>` with an empty condition."""

    condition: str
    nodes: tuple[Node, ...]


class ChooseFact(NamedTuple):
    """`<Choose>`: the first branch whose condition holds counts, the others do not."""

    branches: tuple[BranchFact, ...]


Node = GroupFact | ImportFact | ChooseFact


class ProjectFacts(NamedTuple):
    """What one project, props, targets or projitems file says.

    Attributes:
        sdk: The `Sdk` of the project element, such as `Microsoft.NET.Sdk.Web` or `Name/Version`; empty without one.
        nodes: Groups, imports and choices in document order; targets and what they hold are left out.
        reports: Why the file could not be read, one sentence each without the path.
    """

    sdk: str = ""
    nodes: tuple[Node, ...] = ()
    reports: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Flavour:
    """Which build of the sources is meant.

    Attributes:
        tfm: Target framework moniker wanted, such as `net8.0`, or None for each project's newest.
        configuration: MSBuild configuration, `Release` or `Debug` or a project's own.
        defines: Extra conditional-compilation symbols for every project.
    """

    tfm: str | None = None
    configuration: str = "Release"
    defines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Project:
    """One project, evaluated for one flavour.

    Attributes:
        path: Of the project file, from the repository root; empty for the implicit project.
        name: The project file's name without its ending.
        assembly: Assembly name.
        root_namespace: `RootNamespace`, by default the name.
        tfm: The target framework evaluated; empty where the project names none.
        tfms: Every target framework the project names, as written, oldest spelling kept.
        symbols: Conditional-compilation symbols in force.
        files: Source paths that the project compiles, sorted.
        references: Paths of the projects it references directly, sorted, inside the repository.
        usings: Global usings the project file gives: `System`, `static System.Math`, `Alias = Ns.Type`; sorted.
        reports: What could not be evaluated, one sentence each, naming file and property.
        test: Whether it holds tests.
    """

    path: str
    name: str
    assembly: str
    root_namespace: str
    tfm: str
    tfms: tuple[str, ...]
    symbols: frozenset[str]
    files: tuple[str, ...]
    references: tuple[str, ...]
    usings: tuple[str, ...]
    reports: tuple[str, ...]
    test: bool = False
