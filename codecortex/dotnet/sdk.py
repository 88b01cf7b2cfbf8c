"""Finds the SDK that a folder is built with."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from codecortex.dotnet.process import NotCompiledError, run_program
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

_OLDEST = 8
_VERSION = compile_later(r"(\d+)\.\d+\.\d+\S*")
_WANTED = compile_later(r"Requested SDK version: (\S+)")


class Sdk(NamedTuple):
    """An SDK: the program `dotnet`, its version, and its compiler, which `dotnet exec` runs."""

    program: str
    version: str
    compiler: str


def find_sdk(folder: Path, seconds: float) -> Sdk:
    """The SDK for a folder: `DOTNET_ROOT`, PATH or the user's own, and what `global.json` says.

    Raises:
        NotCompiledError: There is none, or none that will do.
    """
    program = _find_program()
    if program is None:
        raise NotCompiledError("There is no .NET SDK here.", "Put `dotnet` on PATH, or its folder into DOTNET_ROOT.")
    ended = run_program([program, "--version"], folder, seconds)
    found = _VERSION.fullmatch(ended.output.strip())
    if ended.code or found is None:
        wanted = _WANTED.search(ended.output)
        said = f"global.json asks for .NET SDK {wanted[1]}, which is not here" if wanted else "`dotnet` has no .NET SDK"
        raise NotCompiledError(f"{said}.", "`dotnet --list-sdks` tells which are.")
    if int(found[1]) < _OLDEST:
        raise NotCompiledError(f".NET SDK {found[0]} is too old.", f"Version {_OLDEST} or newer tells how it compiles.")
    compiler = Path(program).resolve().parent / "sdk" / found[0] / "Roslyn" / "bincore" / "csc.dll"
    if not compiler.is_file():
        raise NotCompiledError(f"The .NET SDK {found[0]} has no compiler at {compiler}.")
    return Sdk(program, found[0], str(compiler))


def _find_program() -> str | None:
    name = "dotnet.exe" if os.name == "nt" else "dotnet"
    root = os.environ.get("DOTNET_ROOT", "")
    for each in (Path(root, name) if root else None, shutil.which("dotnet"), Path.home() / ".dotnet" / name):
        if each is not None and Path(each).is_file():
            return str(each)
    return None
