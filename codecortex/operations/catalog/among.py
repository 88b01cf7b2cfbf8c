"""What an answer is narrowed to in; which types and which files it may hold out, and a page of files alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from codecortex.analysis.test_code import is_test_path
from codecortex.model.errors import UsageError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.text.wildcards import translate_wildcards
from codecortex.operations.reading.sources import matches_globs
from codecortex.operations.result import find_next
from codecortex.operations.wording import name_some

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from codecortex.model.code.catalog import TypeEntry
    from codecortex.model.code.projects import Project
    from codecortex.operations.catalog.workspace import Workspace

_MOST_NAMED = 20


class Among(NamedTuple):
    """What an answer is narrowed to; what is left empty lets everything through.

    Attributes:
        tests: Whether only code of tests, or none of it.
        paths: Patterns of files, as `exclude` in the configuration takes them; one has to fit.
        projects: Names of projects or assemblies, or paths of project files, with `*` and `?`; one has to fit.
    """

    tests: bool | None = None
    paths: tuple[str, ...] = ()
    projects: tuple[str, ...] = ()


EVERYTHING = Among()


class FilePage(NamedTuple):
    """Files that an answer is about, best first.

    Attributes:
        files: Paths from the top of the repository.
        next_offset: Where the next page begins, or None.
    """

    files: tuple[str, ...]
    next_offset: int | None

    def as_json(self) -> dict[str, Any]:
        """The page as JSON values."""
        return {"files": list(self.files), "nextOffset": self.next_offset}

    def as_text(self) -> str:
        """A path on each line, and nothing else."""
        return "\n".join(self.files)


def cut_files(files: Iterable[str], offset: int, limit: int) -> FilePage:
    """A page of files, each named once; no more of them are looked at than it takes."""
    found: dict[str, None] = {}
    for path in files:
        found[path] = None
        if len(found) > offset + limit:
            break
    shown = tuple(found)[offset : offset + limit]
    return FilePage(shown, find_next(offset, len(shown), len(found)))


class Narrowing:
    """Which types and files of a workspace pass.

    Raises:
        UsageError: No project is called so.
    """

    def __init__(self, workspace: Workspace, among: Among) -> None:
        self._among = among
        self._projects = _list_projects(workspace, among.projects)
        self._tests = {path for project in workspace.projects if project.test for path in project.files}
        self._files = {path for project in self._projects.values() for path in project.files}

    def takes_type(self, entry: TypeEntry) -> bool:
        """Whether a type passes, by any of its files."""
        among = self._among
        if among.tests is not None and entry.test is not among.tests:
            return False
        if among.projects and entry.project not in self._projects:
            return False
        return not among.paths or any(matches_globs(path, among.paths) for path in entry.files)

    def takes_place(self, path: str, enclosing: TypeEntry | None) -> bool:
        """Whether a place in a file passes; of code within a type, the type says whether it is code of tests."""
        among = self._among
        if among.tests is not None:
            test = enclosing.test if enclosing is not None else path in self._tests or is_test_path(path)
            if test is not among.tests:
                return False
        if among.projects and path not in self._files:
            return False
        return not among.paths or matches_globs(path, among.paths)


def narrow(workspace: Workspace, among: Among) -> Narrowing | None:
    """What passes; None where everything does.

    Raises:
        UsageError: No project is called so.
    """
    return Narrowing(workspace, among) if among != EVERYTHING else None


def _list_projects(workspace: Workspace, patterns: Iterable[str]) -> Mapping[str, Project]:
    """The projects that the patterns name, by path."""
    found: dict[str, Project] = {}
    for pattern in patterns:
        fits = re.compile(translate_wildcards(pattern), re.IGNORECASE | re.DOTALL).fullmatch
        named = {each.path: each for each in workspace.projects if _is_named(each, fits)}
        if not named:
            names = name_some(sorted(each.name for each in workspace.projects), _MOST_NAMED)
            raise UsageError(f"No project is called {pattern[:80]!r}.", f"There are {names}.")
        found |= named
    return found


def _is_named(project: Project, fits: Callable[[str], object]) -> bool:
    return any(map(fits, (project.name, project.assembly, project.path)))
