"""Versions of packages: their order, and which of those that there are fits what is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterable

_VERSION = compile_later(r"\d{1,9}(?:\.\d{1,9}){0,3}(?:-[\w.-]+)?(?:\+[\w.-]+)?")
_RANGE = compile_later(r"([\[(])\s*([^,\[\]()]*?)\s*(?:(,)\s*([^,\[\]()]*?)\s*)?([\])])")
_NUMBERS = 4

Order = tuple[tuple[int, ...], bool, tuple[tuple[bool, int, str], ...]]


def order_version(version: str) -> Order:
    """A key by which versions are ordered: a pre-release before its release."""
    front, _, rest = version.partition("+")[0].partition("-")
    numbers = tuple(int(part) if part.isdecimal() else 0 for part in front.split("."))[:_NUMBERS]
    parts = ((not p.isdecimal(), int(p) if p.isdecimal() else 0, p.lower()) for p in rest.split(".") if p)
    return (*numbers, 0, 0, 0)[:_NUMBERS], not rest, tuple(parts)


class VersionRange(NamedTuple):
    """The versions that a reference takes.

    Attributes:
        low: The lowest, where there is one.
        high: The highest, where there is one.
        open_low: Whether the lowest itself is out.
        open_high: Whether the highest itself is out.
        floats: Whether a pattern such as `1.*` asks for the newest.
    """

    low: str = ""
    high: str = ""
    open_low: bool = False
    open_high: bool = False
    floats: bool = False

    def holds(self, version: str) -> bool:
        """Whether a version lies in it."""
        key = order_version(version)
        if self.low:
            low = order_version(self.low)
            if key < low or (self.open_low and key == low):
                return False
        if self.high:
            high = order_version(self.high)
            if key > high or (self.open_high and key == high):
                return False
        return True


def parse_range(text: str) -> VersionRange | None:
    """The range that a reference writes: `1.2`, `[1.2]`, `[1.0,2.0)` or `1.*`; None for anything else."""
    text = text.strip()
    if _VERSION.fullmatch(text):
        return VersionRange(text)
    if text.endswith("*"):
        return _parse_pattern(text.rstrip("*").rstrip(".-"))
    found = _RANGE.fullmatch(text)
    if found is None or any(each and not _VERSION.fullmatch(each) for each in (found[2], found[4])):
        return None
    opens, low, comma, high, closes = found.groups("")
    if comma:
        return VersionRange(low, high, opens == "(", closes == ")")
    return VersionRange(low, low) if low and (opens, closes) == ("[", "]") else None


def _parse_pattern(front: str) -> VersionRange | None:
    """The range of a pattern, by what stands before its star."""
    if not front:
        return VersionRange(floats=True)
    if not _VERSION.fullmatch(front):
        return None
    *numbers, last = front.partition("-")[0].split(".")
    return VersionRange(front, ".".join([*numbers, str(int(last) + 1)]), open_high=True, floats=True)


def choose_version(wanted: str, available: Iterable[str]) -> str | None:
    """Choose the version that stands for the one that a reference asks for.

    Returns:
        As NuGet does: the lowest in the range, of a pattern the highest. If none lies in it, the nearest below with
        the same first number, which is told; None if there is no such version either.
    """
    asked = parse_range(wanted)
    if asked is None:
        return None
    known = sorted(available, key=order_version)
    inside = [each for each in known if asked.holds(each)]
    releases = [each for each in inside if "-" not in each]
    if asked.floats:
        return max(releases or inside, key=order_version, default=None)
    if inside:
        exact = [each for each in inside if order_version(each) == order_version(asked.low)] if asked.low else []
        return (exact or releases or inside)[0]
    below = [each for each in known if asked.low and order_version(each) < order_version(asked.low)]
    same = [each for each in below if each.partition(".")[0] == asked.low.partition(".")[0]]
    return same[-1] if same else None
