"""Evaluates what packages add to the builds of a project: global usings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.msbuild.evaluation import Evaluation, EvaluationInputs
from codecortex.analysis.msbuild.globs import Tree
from codecortex.analysis.msbuild.items import Items
from codecortex.model.code.projects import Flavour, GroupFact, ImportFact, ProjectFacts, PropertyFact

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from codecortex.model.code.projects import Project

_PROJECT = "project.csproj"


def list_package_usings(project: Project, files: Mapping[str, ProjectFacts], imported: Sequence[str]) -> set[str]:
    """The global usings that the build files of packages add to a project, without `using` and `;`.

    Args:
        project: The project; of its properties those are known that conditions of such files ask for.
        files: The build files of its packages, by paths of the form `name/version/build/name.props`.
        imported: Which of them a build imports, in order.
    """
    said = {
        "TargetFramework": project.tfm,
        "ImplicitUsings": "enable" if project.implicit_usings else "",
        "LangVersion": project.language,
        "IsTestProject": "true" if project.test else "",
        "AssemblyName": project.assembly,
        "RootNamespace": project.root_namespace,
        "MSBuildProjectExtension": ".csproj",
        "Language": "C#",
    }
    properties = GroupFact("", tuple(PropertyFact(name, value) for name, value in said.items() if value))
    imports = tuple(ImportFact(f"$(MSBuildThisFileDirectory){path}") for path in imported)
    facts = {**files, _PROJECT: ProjectFacts("", (properties, *imports))}
    inputs = EvaluationInputs(facts, Tree(facts), Tree(()), frozenset(), Flavour())
    return Items(Evaluation(inputs, _PROJECT, project.tfm)).usings
