"""A path as a user writes it in; the same from the top of the repository out."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from codecortex.git.paths import decode_path, encode_path
from codecortex.model.errors import UsageError

if TYPE_CHECKING:
    from codecortex.git.repository import Repository
    from codecortex.operations.request import Request

_SHOWN = 200
_LONGEST = 4096  # characters; no system takes more


def place_path(request: Request, repository: Repository, text: str) -> str | None:
    """Where a path leads that is relative to the folder of the request; None where that is outside the repository.

    Nothing is looked up on disk but the way to the folder itself: `..` steps back in the text.
    """
    if repository.root is None:
        return os.path.normpath(text).replace(os.sep, "/")
    folder = Path(os.path.realpath(request.folder))
    root = Path(os.path.realpath(repository.root))
    whole = Path(os.path.normpath(folder / text))
    if whole == root or not whole.is_relative_to(root):
        return None
    return str(PurePosixPath(*whole.relative_to(root).parts))


def list_places(request: Request, repository: Repository, text: str) -> list[str]:
    """The paths that a text may mean, as `encode_path` writes them: from where the user stands, then from the top.

    A backslash is a part of a name before it parts names, and `%XX` before it is a byte as `encode_path` writes it.
    Paths outside of the repository are left out.

    Raises:
        UsageError: The text can be no path.
    """
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        raise UsageError(f"{text[:_SHOWN]!r} is no path: it holds half a character.", "Give it whole.") from None
    if not text or "\0" in text or len(text) > _LONGEST:
        raise UsageError(f"{text[:_SHOWN]!r} is no path of a file.", "Give one from where you stand or from the top.")
    found: list[str] = []
    spelled = [text, text.replace("\\", "/")]
    if "%" in text and encode_path(raw := decode_path(text)) == text:
        spelled.append(os.fsdecode(raw))
    for written in dict.fromkeys(spelled):
        top = os.path.normpath(written).replace(os.sep, "/")
        inside = not top.startswith("/") and top.split("/", 1)[0] not in (".", "..")
        found += [each for each in (place_path(request, repository, written), top if inside else None) if each]
    return [encode_path(os.fsencode(each)) for each in dict.fromkeys(found)]


def place_file(request: Request, repository: Repository, text: str) -> str:
    """The path of a file of the work tree, as `encode_path` writes it; of one that is to be made from where one stands.

    Raises:
        UsageError: It lies outside of the work tree, or the text can be no path.
        GitStateError: There is no work tree.
    """
    root = repository.require_root()
    places = list_places(request, repository, text)
    if not places:
        raise UsageError(f"{text[:_SHOWN]} lies outside the work tree {root}.", "Name a file in it.")
    there = next((each for each in places if os.path.lexists(_locate(root, each))), None)
    if there is not None:
        return there
    return next((each for each in places if "\\" not in each), places[0])


def _locate(root: Path, path: str) -> bytes:
    return os.fsencode(root) + b"/" + decode_path(path)
