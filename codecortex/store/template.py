"""The files that a new `.codecortex` folder starts from, and workflows for CI."""

from __future__ import annotations

from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

from codecortex.model.errors import StoreFormatError
from codecortex.model.notes import Section

if TYPE_CHECKING:
    from collections.abc import Mapping

_PACKAGE = Path(__file__).parents[1]
_PLACES = (_PACKAGE / "_data" / "template", _PACKAGE.parent / ".codecortex-template")


_WORKFLOWS = "workflows/"
_SECTIONS, _GISTS = "@sections@", "@sections, gist@"
_WIDTH = 140


def template_files() -> Mapping[str, bytes]:
    """The template's files, sorted: `/`-separated path inside `.codecortex` to content.

    Raises:
        StoreFormatError: This installation lacks them.
    """
    files = {path: data for path, data in _read_all().items() if not path.startswith(_WORKFLOWS)}
    return {path: _name_sections(data.decode()).encode() for path, data in files.items()}


def _name_sections(text: str) -> str:
    """A template with the sections of notes where it asks for them; wrapped, where they go on in a line of prose."""
    text = text.replace(_SECTIONS, "\n".join(f"{each}: {each.hint}" for each in Section))
    before, marker, after = text.partition(_GISTS)
    if not marker:
        return text
    start = before.rpartition("\n")[2]
    gists = ", ".join(f"{each} ({each.gist})" for each in Section)
    return before.removesuffix(start) + fill(start + gists, _WIDTH, break_on_hyphens=False) + after


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
