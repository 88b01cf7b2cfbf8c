"""Opens frameworks: as they are shipped, or from packs of reference assemblies on this machine."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from codecortex.analysis.msbuild.packages import ASPNETCORE
from codecortex.analysis.msbuild.versions import order_version
from codecortex.store.metadata.frameworks import ASPNETCORE_TFM, BASE, name_nearest, open_aspnetcore, open_framework

if TYPE_CHECKING:
    from codecortex.operations.references.assemblies import AssemblyReader
    from codecortex.store.metadata.index import Index
    from codecortex.store.packages.folders import Machine

_NETCORE = "Microsoft.NETCore.App"


class Frameworks:
    """Opens frameworks by their short monikers, in lower case and without a platform.

    Attributes:
        stand_ins: What was asked for and not there, and what was read in its place.
    """

    def __init__(self, machine: Machine, reader: AssemblyReader) -> None:
        self._machine = machine
        self._reader = reader
        self.stand_ins: set[tuple[str, str]] = set()

    def open_framework(self, tfm: str) -> Index:
        """The framework: the shipped one if it is the same, else a pack of this machine, else the nearest shipped."""
        nearest = name_nearest(tfm)
        if tfm and tfm != nearest:
            pack = self._open_pack(_NETCORE, tfm)
            if pack is not None:
                return pack
            self.stand_ins.add((tfm, nearest))
        return open_framework(tfm)

    def open_shared(self, name: str, tfm: str) -> Index | None:
        """A shared framework that stands beside .NET's own; None if nothing is known of it."""
        if name != ASPNETCORE:
            return self._open_pack(name, tfm)
        if tfm and tfm != ASPNETCORE_TFM:
            pack = self._open_pack(name, tfm)
            if pack is not None:
                return pack
            self.stand_ins.add((f"{name} of {tfm}", f"{name} of {ASPNETCORE_TFM}"))
        return open_aspnetcore()

    def list_shipped(self, tfm: str, *, with_aspnetcore: bool) -> list[Index]:
        """The newest that is shipped, if a framework is an older one, and ASP.NET Core."""
        newest = [] if name_nearest(tfm) == BASE else [open_framework(BASE)]
        return [*newest, *([open_aspnetcore()] if with_aspnetcore else [])]

    def find_holder(self, name: str) -> str:
        """What is shipped and has an assembly, given in lower case; empty for nothing."""
        return self._holders.get(name, "")

    @cached_property
    def _holders(self) -> dict[str, str]:
        named = ((f"{ASPNETCORE} of {ASPNETCORE_TFM}", open_aspnetcore()), (BASE, open_framework(BASE)))
        return {assembly.lower(): holder for holder, index in named for assembly, _ in index.assemblies}

    def has_assembly(self, tfm: str, name: str) -> bool:
        """Whether a framework has an assembly, given in lower case."""
        return any(each.lower() == name for each, _ in open_framework(tfm).assemblies)

    def _open_pack(self, name: str, tfm: str) -> Index | None:
        """A pack of reference assemblies of this machine, of a framework's newest patch."""
        front = tfm.removeprefix("net") + "."
        packs = [each for each in self._machine.list_packs(name) if each[0].startswith(front)]
        for _, folder in sorted(packs, key=lambda each: order_version(each[0]), reverse=True):
            files = self._machine.list_assemblies(folder / "ref" / tfm)
            if files:
                return self._reader.open_all([files])[0]
        return None
