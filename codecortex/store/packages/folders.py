"""Finds folders of packages and SDKs on this machine, lists what is in them and reads files; nothing is fetched."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.store.local.flags import UNWAITING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MOST_BYTES = 256 << 20
ASSEMBLY = ".dll"
_MOST_DEEP = 3
_BUILD_FILES = (".props", ".targets")
_UNIX_ROOTS = ("/usr/share/dotnet", "/usr/lib/dotnet", "/usr/local/share/dotnet", "/opt/homebrew/opt/dotnet/libexec")


class StampedFile(NamedTuple):
    """A file, and what changes when it is written.

    Attributes:
        path: Where it lies.
        size: Its length in bytes.
        written: When it was written, in nanoseconds.
    """

    path: Path
    size: int
    written: int


class Machine:
    """What this machine has: folders of packages and SDKs. What is listed is remembered."""

    def __init__(self, packages: Sequence[Path], sdks: Sequence[Path]) -> None:
        self._packages = tuple(packages)
        self._sdks = tuple(sdks)
        self._listed: dict[Path, tuple[str, ...]] = {}

    def with_packages(self, folders: Iterable[str]) -> Machine:
        """The same machine with folders of packages that come first; those on other machines are left out."""
        named = [Path(each) for each in folders if _is_local(each)]
        return Machine(tuple(dict.fromkeys((*named, *self._packages))), self._sdks)

    def list_versions(self, name: str) -> list[str]:
        """The versions of a package that are there."""
        return [each for folder in self._packages for each in self.list_folder(folder / name.lower())]

    def find_package(self, path: str) -> Path | None:
        """The folder of a package by its path, `name/version`, in a folder of packages."""
        if ".." in path.split("/"):
            return None
        return next((folder / path for folder in self._packages if (folder / path).is_dir()), None)

    def list_packs(self, name: str) -> list[tuple[str, Path]]:
        """The versions and folders of a pack of reference assemblies, from SDKs and as packages."""
        places = [root / "packs" / f"{name}.Ref" for root in self._sdks]
        places += [folder / f"{name}.Ref".lower() for folder in self._packages]
        return [(version, place / version) for place in places for version in self.list_folder(place)]

    def list_folder(self, folder: Path) -> tuple[str, ...]:
        """The names in a folder, sorted; none if it cannot be listed."""
        known = self._listed.get(folder)
        if known is None:
            try:
                known = tuple(sorted(each.name for each in folder.iterdir()))
            except OSError:
                known = ()
            self._listed[folder] = known
        return known

    def list_assemblies(self, folder: Path) -> list[Path]:
        """The assemblies in a folder."""
        return [folder / name for name in self.list_folder(folder) if name.lower().endswith(ASSEMBLY)]

    def list_build_files(self, package: Path) -> Iterator[tuple[str, Path]]:
        """The files of a package that take part in builds, by path in the package."""
        waiting = [name for name in self.list_folder(package) if name.lower() in ("build", "buildtransitive")]
        while waiting:
            place = waiting.pop(0)
            if place.lower().endswith(_BUILD_FILES):
                yield place, package / place
            elif place.count("/") < _MOST_DEEP:
                waiting += [f"{place}/{name}" for name in self.list_folder(package / place)]


def find_machine() -> Machine:
    """What this machine has, by the variables and folders that NuGet and .NET use."""
    environment = os.environ
    packages = [environment.get("NUGET_PACKAGES", "")]
    sdks = [environment.get("DOTNET_ROOT", ""), *(_UNIX_ROOTS if sys.platform != "win32" else ())]
    sdks += [os.path.dirname(_find_program(environment.get("PATH", "")))]  # noqa: PTH120 - it may be empty
    sdks += [os.path.join(environment[name], "dotnet") for name in ("ProgramFiles",) if name in environment]  # noqa: PTH118
    try:
        home = Path.home()
    except RuntimeError:
        home = None
    if home is not None:
        packages.append(str(home / ".nuget" / "packages"))
        sdks.append(str(home / ".dotnet"))
    return Machine(tuple(_choose_folders(packages)), tuple(_choose_folders(sdks)))


def _find_program(path: str) -> str:
    """The `dotnet` on PATH, its links followed; it is not run."""
    name = "dotnet.exe" if sys.platform == "win32" else "dotnet"
    for folder in path.split(os.pathsep):
        program = os.path.join(folder, name)  # noqa: PTH118 - a folder of PATH may be empty
        if os.path.isabs(folder) and os.path.isfile(program):  # noqa: PTH113, PTH117 - the same
            return os.path.realpath(program)
    return ""


def _choose_folders(named: Iterable[str]) -> Iterator[Path]:
    return (Path(each) for each in dict.fromkeys(named) if _is_local(each) and Path(each).is_dir())


def _is_local(folder: str) -> bool:
    """Whether a folder is named in full, and not as one of another machine."""
    return os.path.isabs(folder) and not folder.startswith(("//", "\\\\"))  # noqa: PTH117 - it may be empty


def stamp(path: Path) -> StampedFile | None:
    """The stamp of a regular file; None for anything else."""
    try:
        state = path.stat()
    except (OSError, ValueError):
        return None
    return StampedFile(path, state.st_size, state.st_mtime_ns) if stat.S_ISREG(state.st_mode) else None


def read_bytes(path: Path) -> bytes:
    """The bytes of a regular file.

    Raises:
        OSError: It cannot be read, is no regular file, or is longer than any assembly.
    """
    descriptor = os.open(path, os.O_RDONLY | UNWAITING)
    with os.fdopen(descriptor, "rb") as file:
        state = os.fstat(descriptor)
        if not stat.S_ISREG(state.st_mode):
            raise OSError(f"{path} is no regular file")
        if state.st_size > MOST_BYTES:
            raise OSError(f"{path} is longer than {MOST_BYTES >> 20} MB")
        return file.read()
