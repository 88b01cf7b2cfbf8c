"""Trust: what the repository wants to run or send sources to, and whether the user has allowed exactly that.

Grants are kept in the user's own state folder. Each has a digest over the address, or over the command line and the
content of every file of the work tree that a word of it names: after any change to these, it must be allowed again.
"""

from __future__ import annotations

import hashlib
import json
import os
import shlex
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codecortex.git.lock import hold_lock
from codecortex.git.worktree.disk import read_file
from codecortex.git.worktree.writing import apply_writes
from codecortex.llm.command import find_program
from codecortex.model.config_choices import ProviderName
from codecortex.model.errors import ConfigError, GitStateError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.generation.providers.settings import read_settings, refuse_inside
from codecortex.store.config.user_config import NAME, find_state_home
from codecortex.store.local.trust_json import Grant, GrantKind, decode_grants, encode_grants
from codecortex.store.paths import CONFIG

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from codecortex.git.repository import Repository
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.generation.providers.settings import Settings

FILE = f"{NAME}/trust.json"
_PATIENCE = 5.0
_BUILD = ("dotnet", "msbuild")


class TrustRequest(NamedTuple):
    """What a repository needs permission for.

    Attributes:
        grant: The grant it needs.
        files: The files of the work tree covered by the digest, as the command line names them.
    """

    grant: Grant
    files: tuple[str, ...]

    def describe(self) -> str:
        """The command line or the address."""
        return write_words(self.grant)


class Trust(NamedTuple):
    """Result of `codecortex trust`.

    Attributes:
        allowed: The grants made by this call, or all grants if listed.
        revoked: The grants revoked by this call.
        files: The files of the work tree that the allowed command line names.
        path: Path of the file with the grants.
        reason: Why there was nothing to do; empty if there was.
    """

    allowed: tuple[Grant, ...]
    revoked: tuple[Grant, ...]
    files: tuple[str, ...]
    path: Path
    reason: str

    def as_json(self) -> dict[str, Any]:
        """The result as JSON values."""
        return {
            "allowed": [grant._asdict() for grant in self.allowed],
            "revoked": [grant._asdict() for grant in self.revoked],
            "files": list(self.files),
            "path": str(self.path),
            **({"reason": self.reason} if self.reason else {}),
        }

    def as_text(self) -> str:
        """The result as text for people."""
        lines = [
            f"{word:<8} {grant.kind:<8} {write_words(grant)}  ({grant.repository})" for word, grant in self._list()
        ]
        lines += [f"with     file     {path}" for path in self.files]
        if self.files or any(grant.kind is not GrantKind.ADDRESS for grant in self.allowed):
            lines.append("Files that a command reads or starts by itself are not watched.")
        return "\n".join([*lines, *([self.reason] if self.reason else []), f"kept in  {self.path}"])

    def _list(self) -> list[tuple[str, Grant]]:
        return [("allowed", each) for each in self.allowed] + [("revoked", each) for each in self.revoked]


def trust(workspace: Workspace) -> Trust:
    """Allow what the repository's configuration currently requests.

    Raises:
        ConfigError: One of the configurations is invalid.
        StoreFormatError: The file with the grants cannot be read.
    """
    path = find_state_home() / FILE
    asked = find_trust_request(workspace, read_settings(workspace))
    if asked is None:
        return Trust((), (), (), path, "Nothing here has to be allowed.")
    _change(workspace, add={asked.grant}, drop=set())
    return Trust((asked.grant,), (), asked.files, path, "")


def revoke(workspace: Workspace) -> Trust:
    """Revoke all grants of this repository."""
    mine = {grant for grant in _read_grants() if grant.repository == name_repository(workspace.repository)}
    if mine:
        _change(workspace, add=set(), drop=mine)
    return Trust((), tuple(sorted(mine)), (), find_state_home() / FILE, "" if mine else "Nothing here was allowed.")


def list_trusted() -> Trust:
    """All grants, of all repositories."""
    grants = _read_grants()
    return Trust(grants, (), (), find_state_home() / FILE, "" if grants else "Nothing is allowed.")


def trust_build(workspace: Workspace) -> Trust:
    """Allow the projects of the work tree to be built, as their files are now.

    Raises:
        StoreFormatError: The file with the grants cannot be read.
    """
    grant = _request_build(workspace)
    _change(workspace, add={grant}, drop=set())
    return Trust((grant,), (), tuple(sorted(workspace.tree.sources.projects)), find_state_home() / FILE, "")


def is_build_trusted(workspace: Workspace) -> bool:
    """Whether the user has allowed the projects to be built, and no file of theirs has changed since."""
    refuse_inside(workspace, find_state_home() / FILE)
    return _request_build(workspace) in _read_grants()


def _request_build(workspace: Workspace) -> Grant:
    """The grant that building needs: its digest is over what project files say on disk."""
    root, files = str(workspace.repository.require_root()), []
    projects = workspace.tree.sources.projects
    for path in sorted({*projects, *_list_extensions(root, projects)}):
        real = os.path.realpath(os.path.join(root, path))  # noqa: PTH118 - text
        files.append((path, _hash_file(real) if os.path.isfile(real) else ""))  # noqa: PTH113 - text
    digest = _digest([GrantKind.BUILD, _BUILD, files])
    return Grant(name_repository(workspace.repository), GrantKind.BUILD, _BUILD, digest)


def _list_extensions(root: str, projects: Iterable[str]) -> Iterator[str]:
    """The files that a build imports by their names alone, such as `obj/Shop.csproj.nuget.g.targets`."""
    for path in projects:
        folder, name = os.path.split(path)
        beside = Path(root, folder, "obj")
        for file in beside.glob(f"{escape(name)}.*"):
            if file.suffix in (".props", ".targets"):
                yield file.relative_to(root).as_posix()


def find_trust_request(workspace: Workspace, settings: Settings) -> TrustRequest | None:
    """What the repository requests that only the user can allow; None if nothing, or if the user's file decides.

    Whether the user's file names the host of an address is for the caller to check.
    """
    if settings.by_user:
        return None
    if settings.provider is ProviderName.COMMAND and settings.command:
        return _request_command(workspace.repository, settings.command)
    if settings.provider in {ProviderName.OPENAI, ProviderName.ANTHROPIC} and settings.base_url is not None:
        words = (settings.base_url,)
        digest = _digest([GrantKind.ADDRESS, words, []])
        return TrustRequest(Grant(name_repository(workspace.repository), GrantKind.ADDRESS, words, digest), ())
    return None


def require_trust(workspace: Workspace, settings: Settings) -> None:
    """Refuse what the repository requests and the user has not allowed.

    Raises:
        ConfigError: It was never allowed, or has changed since.
    """
    asked = find_trust_request(workspace, settings)
    if asked is None:
        return
    refuse_inside(workspace, find_state_home() / FILE)
    known = _read_grants()
    if asked.grant in known:
        return
    same = [each for each in known if each[:3] == asked.grant[:3]]
    verb = "to run" if asked.grant.kind is GrantKind.COMMAND else "to send sources to"
    since = "; it has changed since you allowed it" if same else ", which you have not allowed"
    raise ConfigError(
        f"{CONFIG} wants {verb} `{asked.describe()}`{since}.",
        "If you trust it: `codecortex trust`. Else `--provider extract` writes notes without it.",
    )


def write_words(grant: Grant) -> str:
    """What a grant allows, quoted for a shell."""
    return grant.words[0] if grant.kind is GrantKind.ADDRESS else shlex.join(grant.words)


def name_repository(repository: Repository) -> str:
    """The path that identifies a repository and all of its linked work trees."""
    folder = os.path.realpath(repository.common_dir)
    return os.path.dirname(folder) if os.path.basename(folder) == ".git" else folder  # noqa: PTH119, PTH120 - text


def _request_command(repository: Repository, words: tuple[str, ...]) -> TrustRequest:
    root = os.path.realpath(repository.folder)
    program = find_program(words[0], repository.folder)
    named = {words[0]: str(program)} if program is not None else {}
    for word in (part for each in words[1:] for part in (each, each.partition("=")[2]) if part):
        named[word] = os.path.join(root, word)  # noqa: PTH118 - an absolute word stays itself
    files = []
    for word, path in sorted(named.items()):
        real = os.path.realpath(path)
        inside = any(os.path.normpath(each).startswith(root + os.sep) for each in (path, real))
        if inside and os.path.isfile(real):  # noqa: PTH113 - text
            files.append((word, real, _hash_file(real)))
    digest = _digest([GrantKind.COMMAND, words, files])
    grant = Grant(name_repository(repository), GrantKind.COMMAND, words, digest)
    return TrustRequest(grant, tuple(word for word, _, _ in files))


def _hash_file(path: str) -> str:
    try:
        with open(path, "rb") as opened:  # noqa: PTH123 - text
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError as problem:
        raise GitStateError(f"{path} cannot be read: {problem.strerror}.", "Grant access to it.") from problem


def _digest(value: list[Any]) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()


def _read_grants() -> tuple[Grant, ...]:
    home = find_state_home()
    data = read_file(home, FILE, "Put a regular file there, or remove it.", str(home / FILE))
    return decode_grants(data, str(home / FILE)) if data is not None else ()


def _change(workspace: Workspace, *, add: set[Grant], drop: set[Grant]) -> None:
    home = find_state_home()
    refuse_inside(workspace, home / FILE)
    with hold_lock(home / NAME / "trust.lock", wait=_PATIENCE):
        # A command line that is allowed again with changed files replaces its old grant.
        kept = {each for each in _read_grants() if each not in drop and each[:3] not in {new[:3] for new in add}}
        apply_writes(home, {FILE: encode_grants(kept | add)})
