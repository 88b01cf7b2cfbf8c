"""The indexes of frameworks that are part of the program, by target framework."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from codecortex.model.startup.patterns import compile_later
from codecortex.store.metadata.index import Index

FOLDER = Path(__file__).parent / "frameworks"
SUFFIX = ".index"
BASE = "net10.0"
_DIFFERENCES = ("net8.0", "net6.0", "netstandard2.0")
ASPNETCORE_TFM = "net10.0"
_ASPNETCORE = "aspnetcore10.0"
_MODERN = compile_later(r"net(\d+)\.\d+")
_OLD = compile_later(r"net(?:standard|framework|coreapp)|net\d+$")


def open_framework(tfm: str) -> Index:
    """The index of a target framework, or of the nearest that is shipped."""
    return _open(name_nearest(tfm))


def open_aspnetcore() -> Index:
    """The index of ASP.NET Core's assemblies, without the framework's own."""
    return _open(_ASPNETCORE)


def name_nearest(tfm: str) -> str:
    """The shipped framework that is nearest to a target framework.

    Of .NET 5 and later the oldest one that is not older; of all others `netstandard2.0`.
    """
    modern = _MODERN.match(tfm)
    if modern is None:
        return "netstandard2.0" if _OLD.match(tfm) else BASE
    version = int(modern[1])
    shipped = sorted((int(name[3:].partition(".")[0]), name) for name in (BASE, *_DIFFERENCES[:2]))
    return next((name for number, name in shipped if number >= version), BASE)


@cache
def _open(name: str) -> Index:
    data = (FOLDER / (name + SUFFIX)).read_bytes()
    return Index(data, _open(BASE) if name in _DIFFERENCES else None)
