"""Values for projects: what project files say, which flavour is asked for, and a project evaluated for it.

The `...Fact` values are the content of one project-like file, as written and in document order. Nothing in them is
evaluated, so that equal bytes give equal facts wherever the file lies.
"""

from __future__ import annotations

from codecortex.model.startup.named_tuple import NamedTuple

NO_GENERATED = "no generated code"
NO_LISTINGS = "no listings"
MARKS = frozenset({NO_GENERATED, NO_LISTINGS})
"""Marks among the symbols of a project: such files have no facts in it. No directive can test what holds blanks."""


class PropertyFact(NamedTuple):
    """`<Name Condition="...">value</Name>`; texts unexpanded."""

    name: str
    value: str
    condition: str = ""


class ItemFact(NamedTuple):
    """An element such as `Compile`, `Using` or `PackageReference`; texts unexpanded, lists separated by `;`.

    Attributes:
        metadata: Names and values, from attributes and child elements alike, in document order.
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
    """A property, item or import group; its condition is evaluated once, before its members."""

    condition: str
    members: tuple[PropertyFact | ItemFact | ImportFact, ...]


class BranchFact(NamedTuple):
    """`<When Condition="...">`, or `<Otherwise>` with an empty condition."""

    condition: str
    nodes: tuple[Node, ...]


class ChooseFact(NamedTuple):
    """`<Choose>`: only the first branch whose condition is true counts."""

    branches: tuple[BranchFact, ...]


Node = GroupFact | ImportFact | ChooseFact


class ProjectFacts(NamedTuple):
    """The content of one project, props, targets or projitems file.

    Attributes:
        sdk: The `Sdk` of the project element, such as `Microsoft.NET.Sdk.Web` or `Name/Version`; empty without one.
        nodes: Groups, imports and `<Choose>` elements in document order; targets and their content are left out.
        reports: Why the file could not be read, one sentence each, without the path.
    """

    sdk: str = ""
    nodes: tuple[Node, ...] = ()
    reports: tuple[str, ...] = ()


class Flavour(NamedTuple):
    """For which build the sources are read.

    Attributes:
        tfm: Target framework moniker, such as `net8.0`; None for the newest of each project.
        configuration: MSBuild configuration: `Release`, `Debug` or one of the project's own.
        defines: Additional preprocessor symbols for every project.
    """

    tfm: str | None = None
    configuration: str = "Release"
    defines: tuple[str, ...] = ()


class PackageUse(NamedTuple):
    """A package that a project compiles against, as its files name it.

    Attributes:
        name: Its name.
        version: A version, a range such as `[1.0,2.0)` or a pattern such as `1.*`; empty where no file says it.
        flows: Whether projects that reference the project compile against it, too.
    """

    name: str
    version: str
    flows: bool = True


class Project(NamedTuple):
    """One project, evaluated for one flavour.

    Attributes:
        path: Path of the project file from the repository root; empty for the implicit project.
        name: The project file's name without its extension.
        assembly: Assembly name.
        root_namespace: `RootNamespace`, by default the name.
        tfm: The target framework evaluated; empty where the project names none.
        tfms: Every target framework of the project, as written.
        symbols: The preprocessor symbols that are defined, and marks of what is left out; see `MARKS`.
        files: Source paths that the project compiles, sorted.
        references: Paths of the directly referenced projects inside the repository, sorted.
        usings: Global usings of the project file: `System`, `static System.Math`, `Alias = Ns.Type`; sorted.
        reports: What could not be evaluated, one sentence each, naming file and property.
        test: Whether it holds tests.
        nullable: Whether reference types without `?` may not be null, unless a directive says otherwise.
        language: `LangVersion` as written; empty where no file of the project says it.
        implicit_usings: Whether the SDK adds global usings.
        packages: The packages that it compiles against itself, sorted by name.
        frameworks: The shared frameworks beside .NET's own, such as `Microsoft.AspNetCore.App`, sorted.
        friends: The assemblies that project files let see its internals, sorted.
        assemblies: The files in the repository that it names as assemblies to compile against, sorted.
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
    nullable: bool = False
    language: str = ""
    implicit_usings: bool = False
    packages: tuple[PackageUse, ...] = ()
    frameworks: tuple[str, ...] = ()
    friends: tuple[str, ...] = ()
    assemblies: tuple[str, ...] = ()
