"""Parses target framework monikers: order, compatibility and preprocessor symbols."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

CORE, STANDARD, FRAMEWORK = ".NETCoreApp", ".NETStandard", ".NETFramework"

_MONIKER = compile_later(
    r"(netcoreapp|netstandard|net)(\d{1,4}(?:\.\d{1,4}){0,3})(?:-([a-z]+)(\d{1,9}(?:\.\d{1,9}){0,3})?)?", re.IGNORECASE
)
_VERSION = compile_later(r"[vV]?(\d{1,9}(?:\.\d{1,9}){0,3})(?:[-+].*)?")
_LONG = compile_later(r"\.?net(framework|standard|coreapp)(?:,version=v)?(\d{1,4}(?:\.\d{1,4}){0,3})", re.IGNORECASE)
_ORDER = {FRAMEWORK: 1, STANDARD: 2, CORE: 3}
_FIVE = (5, 0)
_KNOWN_VERSIONS = {
    CORE: ((1, 0), (1, 1), (2, 0), (2, 1), (2, 2), (3, 0), (3, 1)),
    STANDARD: ((1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (1, 6), (2, 0), (2, 1)),
    FRAMEWORK: (
        *((2, 0), (3, 5), (4, 0), (4, 5), (4, 5, 1), (4, 5, 2), (4, 6), (4, 6, 1), (4, 6, 2)),
        *((4, 7), (4, 7, 1), (4, 7, 2), (4, 8), (4, 8, 1)),
    ),
}
_WINDOWS_VERSIONS = (
    *((7, 0), (8, 0), (10, 0, 17763, 0), (10, 0, 18362, 0), (10, 0, 19041, 0), (10, 0, 20348, 0)),
    *((10, 0, 22000, 0), (10, 0, 22621, 0), (10, 0, 26100, 0)),
)
# The highest .NET Standard version that each can use, by the lowest version that can; newest first.
_STANDARD_OF = {
    CORE: (((3, 0), (2, 1)), ((2, 0), (2, 0)), ((1, 0), (1, 6))),
    FRAMEWORK: (((4, 6, 1), (2, 0)), ((4, 6), (1, 3)), ((4, 5, 1), (1, 2)), ((4, 5), (1, 1))),
}

Version = tuple[int, ...]


class Framework(NamedTuple):
    """One target framework.

    Attributes:
        identifier: `.NETCoreApp` (also for .NET 5 and later), `.NETStandard` or `.NETFramework`.
        version: Major, minor, and more numbers if they are not zero.
        platform: In lower case, such as `windows`; empty for no platform.
        platform_version: As written; empty if the moniker has none.
    """

    identifier: str
    version: Version
    platform: str = ""
    platform_version: str = ""

    @property
    def dotted(self) -> str:
        """The version as MSBuild writes it: `8.0`, `4.7.2`."""
        return ".".join(map(str, self.version))


@lru_cache(maxsize=1024)
def parse_framework(moniker: str) -> Framework | None:
    """The framework for a short moniker such as `net8.0-windows` or `net472`; None for an unknown one."""
    found = _MONIKER.fullmatch(moniker.strip())
    if found is None:
        return None
    family, digits, platform, platform_version = found.groups("")
    parts = tuple(map(int, digits.split("."))) if "." in digits else tuple(map(int, digits))
    while len(parts) > 2 and parts[-1] == 0:  # noqa: PLR2004 - keep major and minor
        parts = parts[:-1]
    version = parts if len(parts) > 1 else (*parts, 0)
    if family.lower() == "netstandard":
        identifier = STANDARD
    elif family.lower() == "netcoreapp" or version >= _FIVE:
        identifier = CORE
    else:
        identifier = FRAMEWORK
    return Framework(identifier, version, platform.lower(), platform_version)


def is_compatible(wanted: str, candidate: str) -> bool:
    """Whether a project that targets `wanted` can use a library built for `candidate`, by NuGet's rules."""
    one, other = parse_framework(wanted), parse_framework(candidate)
    if one is None or other is None:
        return False
    if other.platform and (
        other.platform != one.platform or _split(other.platform_version) > _split(one.platform_version)
    ):
        return False
    if one.identifier == other.identifier:
        return other.version <= one.version
    if other.identifier == STANDARD:
        return other.version <= next(
            (limit for since, limit in _STANDARD_OF[one.identifier] if one.version >= since), ()
        )
    return False


def choose_framework(monikers: Sequence[str], wanted: str | None) -> str:
    """Choose which of a project's frameworks to evaluate.

    Args:
        monikers: The frameworks of the project.
        wanted: The requested framework, or None.

    Returns:
        `wanted` as the project spells it, else the newest that `wanted` can use, else the newest of all; empty if the
        project names none.
    """
    if wanted is not None:
        same = [each for each in monikers if each.lower() == wanted.lower()]
        if same:
            return same[0]
        usable = [each for each in monikers if is_compatible(wanted, each)]
        if usable:
            return max(usable, key=_rank)
    return max(monikers, key=_rank, default="")


def choose_assets(monikers: Iterable[str], wanted: str) -> str | None:
    """Choose which of a package's folders or groups suits a framework best, by NuGet's rules.

    Args:
        monikers: What the package has; an empty text suits all.
        wanted: The framework of the project.

    Returns:
        The nearest that `wanted` can use, one of its own kind first; None if none suits.
    """
    own = parse_framework(wanted)
    usable = [each for each in monikers if not each or is_compatible(wanted, each)]

    def rank(moniker: str) -> tuple[bool, tuple[object, ...]]:
        framework = parse_framework(moniker)
        same = framework is not None and own is not None and framework.identifier == own.identifier
        platform = framework is not None and bool(framework.platform)
        return (same, (*_rank(moniker)[:2], platform, _rank(moniker)[3]))

    return max(usable, key=rank, default=None)


def find_moniker(name: str) -> str:
    """The short moniker of a framework by its long name, such as `.NETStandard,Version=v2.0` or `.NETStandard2.0`."""
    found = _LONG.fullmatch(name.strip())
    if found is None:
        return name.strip().lower()
    identifier, version = found[1].lower(), found[2]
    if identifier == "framework":
        return "net" + version.replace(".", "")
    modern = identifier == "coreapp" and _split(version) >= _FIVE
    return f"net{version}" if modern else f"net{identifier}{version}"


def list_symbols(moniker: str) -> frozenset[str]:
    """The preprocessor symbols that the SDK defines for a framework; empty for an unknown one."""
    framework = parse_framework(moniker)
    if framework is None:
        return frozenset()
    match framework.identifier:
        case ".NETFramework":
            names = {"NETFRAMEWORK", "NET" + _join(framework.version, "")}
            names |= _or_greater("NET", "", _up_to(framework, _KNOWN_VERSIONS[FRAMEWORK]))
        case ".NETStandard":
            names = {"NETSTANDARD", "NETSTANDARD" + _join(framework.version)}
            names |= _or_greater("NETSTANDARD", "_", _up_to(framework, _KNOWN_VERSIONS[STANDARD]))
        case _:
            names = _list_core_symbols(framework)
    return frozenset(names)


def compare_versions(left: str, right: str) -> int | None:
    """Compare two versions: negative, zero or positive; None if one of the texts is no version."""
    one, other = _VERSION.fullmatch(left.strip()), _VERSION.fullmatch(right.strip())
    if one is None or other is None:
        return None
    numbers, others = ([*map(int, found[1].split(".")), 0, 0, 0][:4] for found in (one, other))
    return (numbers > others) - (numbers < others)


def _list_core_symbols(framework: Framework) -> set[str]:
    names = {"NETCOREAPP"} | _or_greater("NETCOREAPP", "_", _up_to(framework, _KNOWN_VERSIONS[CORE]))
    if framework.version < _FIVE:
        return names | {"NETCOREAPP" + _join(framework.version)}
    names |= {"NET", "NET" + _join(framework.version)}
    names |= _or_greater("NET", "_", [(major, 0) for major in range(5, framework.version[0] + 1)])
    return names | _list_platform_symbols(framework)


def _list_platform_symbols(framework: Framework) -> set[str]:
    if not framework.platform:
        return set()
    platform = framework.platform.upper()
    version = _split(framework.platform_version or ("7.0" if platform == "WINDOWS" else ""))
    if not version:
        return {platform}
    if platform == "WINDOWS" and version >= (10,):
        version = (*version, 0, 0, 0)[:4]
    below = [each for each in _WINDOWS_VERSIONS if each <= version] if platform == "WINDOWS" else []
    return {platform, platform + _join(version)} | _or_greater(platform, "_", [*below, version])


def _up_to(framework: Framework, versions: Iterable[Version]) -> list[Version]:
    return [version for version in versions if version <= framework.version]


def _or_greater(prefix: str, separator: str, versions: Iterable[Version]) -> set[str]:
    return {f"{prefix}{_join(version, separator)}_OR_GREATER" for version in versions}


def _join(version: Version, separator: str = "_") -> str:
    return separator.join(map(str, version))


def _split(version: str) -> Version:
    return tuple(int(part) for part in version.split(".") if part)


def _rank(moniker: str) -> tuple[int, Version, bool, Version]:
    framework = parse_framework(moniker)
    if framework is None:
        return (0, (), False, ())
    plain = not framework.platform
    return (_ORDER[framework.identifier], framework.version, plain, _split(framework.platform_version))
