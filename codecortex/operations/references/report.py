"""How much is known of what projects compile against, as text and as JSON."""

from __future__ import annotations

from typing import Any

from codecortex.model.startup.named_tuple import NamedTuple

_MOST_NAMED = 5


class StandIn(NamedTuple):
    """What was read in place of something that is not there.

    Attributes:
        wanted: What a project asks for.
        read: What was read.
    """

    wanted: str
    read: str


class ReferenceReport(NamedTuple):
    """How much is known of what projects compile against.

    Attributes:
        read: The number of packages that were read.
        missing: Packages that are not there, each `Name` or `Name version`.
        stand_ins: Packages and frameworks of which another version was read.
        unread: Assemblies that could not be read, with the reason.
    """

    read: int = 0
    missing: tuple[str, ...] = ()
    stand_ins: tuple[StandIn, ...] = ()
    unread: tuple[tuple[str, str], ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The report as JSON values."""
        return {
            "packages": self.read,
            "missing": list(self.missing),
            "standIns": [each._asdict() for each in self.stand_ins],
            "unread": [{"file": file, "reason": reason} for file, reason in self.unread],
        }

    def tell_missing(self) -> list[str]:
        """What is missing, a line; none where nothing is."""
        if not self.missing:
            return []
        more = f" and {len(self.missing) - _MOST_NAMED} more" if len(self.missing) > _MOST_NAMED else ""
        some = ", ".join(self.missing[:_MOST_NAMED]) + more
        plural = "s" * (len(self.missing) > 1)
        return [f"{len(self.missing)} package{plural} not found: restore for exact answers ({some})."]

    def as_lines(self) -> list[str]:
        """What people should know, a line each."""
        lines = self.tell_missing()
        if self.stand_ins:
            lines.append(
                "Read in place of others: " + ", ".join(f"{e.read} for {e.wanted}" for e in self.stand_ins) + "."
            )
        return lines
