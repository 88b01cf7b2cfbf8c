"""The files of a new `.codecortex` folder, and workflows for CI."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from codecortex.model.errors import StoreFormatError

if TYPE_CHECKING:
    from collections.abc import Mapping

_PACKAGE = Path(__file__).parents[1]
_PLACES = (_PACKAGE / "_data" / "template", _PACKAGE.parent / ".codecortex-template")


_WORKFLOWS = "workflows/"


def template_files() -> Mapping[str, bytes]:
    """The template's files, sorted: `/`-separated path inside `.codecortex` to content.

    Raises:
        StoreFormatError: This installation lacks them.
    """
    return {path: data for path, data in _read_all().items() if not path.startswith(_WORKFLOWS)}


def workflow_files() -> Mapping[str, bytes]:
    """The workflows for GitHub: name to content, sorted by name; raises the same error."""
    return {path.removeprefix(_WORKFLOWS): data for path, data in _read_all().items() if path.startswith(_WORKFLOWS)}


def _read_all() -> Mapping[str, bytes]:
    # An installed wheel has the first folder, a source checkout or an editable install the second.
    for place in _PLACES:
        if place.is_dir():
            files = sorted(path for path in place.rglob("*") if path.is_file())
            return {path.relative_to(place).as_posix(): path.read_bytes().replace(b"\r\n", b"\n") for path in files}
    raise StoreFormatError(f"{_PLACES[0]}: the template is missing from this installation", "install codecortex again")
