"""Sessions and versions as JSON values and as lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.git.paths import encode_path
from codecortex.model.text.visible import show_line
from codecortex.operations.wording import write_time

if TYPE_CHECKING:
    from codecortex.git.objects.values import Difference
    from codecortex.model.sessions import Version
    from codecortex.operations.sessions.versions import Session

_SHORT = 12


def describe_version(version: Version) -> dict[str, Any]:
    """A version as JSON values."""
    return {
        "version": version.id,
        "time": write_time(version.time),
        "title": version.title,
        "op": version.facts.get("op"),
        "file": version.facts.get("file"),
    }


def describe_session(session: Session) -> dict[str, Any]:
    """A session as JSON values."""
    return {"name": session.name, "ref": session.ref, **describe_version(session.tip)}


def write_version(version: Version) -> str:
    """A version on one line."""
    return f"{version.id[:_SHORT]}  {write_time(version.time)}  {show_line(version.title)}"


def write_difference(each: Difference) -> str:
    """A path that differs, on one line: added, changed or removed."""
    return f"{each.status}  {show_line(encode_path(each.path))}"
