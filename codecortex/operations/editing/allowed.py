"""What the configuration lets edits do: which verbs, in which files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex import __version__
from codecortex.git.worktree.disk import read_file
from codecortex.model.errors import CodecortexError
from codecortex.store.config.config import read_config
from codecortex.store.paths import CONFIG

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codecortex.git.repository import Repository
    from codecortex.model.config import EditConfig


class NotAllowedError(CodecortexError, code="EditNotAllowed", exit_code=3):
    """The configuration does not allow an edit; nothing is changed."""


def read_edit_config(repository: Repository) -> EditConfig:
    """What the work tree's configuration says about edits, whatever tree they are made in.

    Raises:
        ConfigError: It is not valid.
        GitStateError: It cannot be read.
    """
    data = read_file(repository.require_root(), CONFIG, "Put a regular file there, or remove what stands there.")
    return read_config(data or b"", CONFIG, version=__version__).edit


def require_allowed(allowed: EditConfig, verb: str, paths: Iterable[str]) -> None:
    """Refuse what is not allowed; a verb of two words is allowed by its first one, too.

    A configuration that limits edits is changed by none.

    Raises:
        NotAllowedError: The verb is not, or a path.
    """
    verbs = allowed.allow_verbs
    if verbs and verb not in verbs and verb.partition(" ")[0] not in verbs:
        raise NotAllowedError(f"{CONFIG} does not allow the verb '{verb}'.", f"edit.allowVerbs has {', '.join(verbs)}.")
    paths = list(paths)
    if CONFIG in paths and (verbs or allowed.allow_paths):
        raise NotAllowedError(f"{CONFIG} says what edits may do, and so no edit changes it.", "Change it by hand.")
    if not allowed.allow_paths:
        return
    from codecortex.operations.reading.sources import matches_globs  # which takes longer than most edits

    for path in paths:
        if not matches_globs(path, allowed.allow_paths):
            globs = ", ".join(allowed.allow_paths)
            raise NotAllowedError(f"{CONFIG} does not allow edits of {path}.", f"edit.allowPaths has {globs}.")
