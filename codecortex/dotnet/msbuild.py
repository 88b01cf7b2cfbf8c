"""Asks MSBuild what a project is compiled with; targets of the project run, but nothing is compiled."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codecortex.dotnet.process import NotCompiledError, run_program
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from codecortex.dotnet.sdk import Sdk

_WORDS = (
    "-t:Compile",
    "-nologo",
    "-noAutoResponse",
    "-p:SkipCompilerExecution=true",
    "-p:ProvideCommandLineArgs=true",
    "-p:BuildProjectReferences=false",
    "-getItem:CscCommandLineArgs",
    "-getItem:ReferencePathWithRefAssemblies",
    "-getItem:Analyzer",
    "-getProperty:ProjectAssetsFile",
)
_ERROR = compile_later(r"error (\w+)\s*: (.*?)(?: \[[^\]]*\])?$", re.MULTILINE)
_NOT_RESTORED = ("NETSDK1004", "NETSDK1005", "NETSDK1047", "NETSDK1064", "NU1101", "NU1102")


class ProjectOutput(NamedTuple):
    """What a project takes from another one: the file as the arguments name it, and what makes it.

    Attributes:
        file: The file, which need not exist.
        project: The project that makes it.
        framework: The target framework that it is made for; empty for the only one.
        is_analyzer: Whether the compiler runs it.
    """

    file: str
    project: str
    framework: str
    is_analyzer: bool


class CompilerCall(NamedTuple):
    """What the compiler is called with.

    Attributes:
        words: Its arguments, as a response file writes them.
        folder: Where it is called.
        outputs: What other projects make of them.
        assets: The file that restoring wrote.
    """

    words: tuple[str, ...]
    folder: str
    outputs: tuple[ProjectOutput, ...]
    assets: str


def ask_project(sdk: Sdk, project: Path, framework: str, configuration: str, seconds: float) -> CompilerCall:
    """What a project is compiled with.

    Raises:
        NotCompiledError: MSBuild does not say it: the message has its first error.
    """
    words = [sdk.program, "msbuild", str(project), *_WORDS]
    words += [f"-p:TargetFramework={framework}"] if framework else []
    words += [f"-p:Configuration={configuration}"] if configuration else []
    ended = run_program(words, project.parent, seconds)
    try:
        answer = json.loads(ended.output[ended.output.find("{") :])
    except ValueError:
        answer = None
    errors = _ERROR.findall(ended.output)
    if any(code in _NOT_RESTORED for code, _ in errors):
        hint = f"Run `dotnet restore {project.name}` in its folder."
        raise NotCompiledError(f"The packages of {project.name} are not restored.", hint)
    if ended.code or not isinstance(answer, dict):
        said = f"{errors[0][0]}: {errors[0][1].strip()}" if errors else f"exit code {ended.code}"
        raise NotCompiledError(f"MSBuild cannot evaluate {project.name}: {said}", "`dotnet build` shows all of it.")
    return _read(answer, project)


def _read(answer: dict[str, Any], project: Path) -> CompilerCall:
    items = answer.get("Items", {})
    words = tuple(each["Identity"] for each in items.get("CscCommandLineArgs", ()))
    if not words:
        raise NotCompiledError(f"{project.name} is not compiled as C#.", "Nothing judges what it is made of.")
    outputs = []
    for kind, is_analyzer in (("ReferencePathWithRefAssemblies", False), ("Analyzer", True)):
        for each in items.get(kind, ()):
            source = each.get("MSBuildSourceProjectFile") or each.get("OriginalProjectReferenceItemSpec", "")
            if source:
                framework = each.get("NearestTargetFramework", "")
                outputs.append(ProjectOutput(each["Identity"], str(Path(source)), framework, is_analyzer))
    assets = str(answer.get("Properties", {}).get("ProjectAssetsFile", ""))
    return CompilerCall(words, str(project.parent), tuple(outputs), assets)
