"""An edit in; the errors that the compiler finds after it and did not find before, or why nothing was compiled, out."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Self

from codecortex.dotnet.process import NotCompiledError
from codecortex.editing.refactoring.compiling import find_new
from codecortex.model.config_choices import Compiling
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.bindings.sources import close_references
from codecortex.operations.refactoring.compiling.projects import CompiledProjects, Flavour, list_errors
from codecortex.operations.refactoring.compiling.texts import find_owners, read_tree_texts, write_edits
from codecortex.operations.refactoring.results import CompileReport, EditRefusedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from codecortex.editing.refactoring.compiling import CompileError
    from codecortex.editing.refactoring.edits import FileEdits
    from codecortex.model.code.projects import Project
    from codecortex.model.config import EditConfig
    from codecortex.operations.catalog.workspace import Workspace

_MOST_PROJECTS = 60
_OFF = "edit.compile is off"
_HINT = "edit.compile says `required`; `auto` would go on without."


class _Made(NamedTuple):
    """What a project makes after an edit, and whether others compile against something else then."""

    reference: str
    assembly: str
    changed: bool


class Judge:
    """Compiles edits of one tree; a context manager. Every file that it writes is gone afterwards."""

    def __init__(self, workspace: Workspace, config: EditConfig) -> None:
        self._workspace = workspace
        self._config = config
        self._folder = ""

    def __enter__(self) -> Self:
        self._folder = tempfile.mkdtemp(prefix="codecortex-")
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def obstacle(self) -> str:
        """Why nothing may be compiled; empty if it may."""
        if self._config.compile is Compiling.OFF:
            return _OFF
        from codecortex.operations.generation.providers.trust import is_build_trusted

        if not is_build_trusted(self._workspace):
            return "building runs what project files say, which `codecortex trust --build` allows"
        return ""

    def compile(self, files: Sequence[FileEdits]) -> CompileReport:
        """The errors that there are only after edits.

        Raises:
            EditRefusedError: Nothing can be compiled, and the configuration requires it.
        """
        started = time.monotonic()
        report = CompileReport(done=not self.obstacle, why=self.obstacle)
        if report.done and files:
            try:
                report = _Run(self._workspace, self._config.compile_seconds, Path(self._folder), files).judge()
            except NotCompiledError as problem:
                report = CompileReport(done=False, why=_tell(problem))
        why = report.why or "; ".join(report.left_out)
        if why and self._config.compile is Compiling.REQUIRED:
            raise EditRefusedError(f"The edit is not compiled: {why}.", _HINT)
        return report._replace(milliseconds=round((time.monotonic() - started) * 1000))


class _Run:
    """One judgement."""

    def __init__(self, workspace: Workspace, seconds: float, folder: Path, files: Sequence[FileEdits]) -> None:
        self._root = str(workspace.repository.require_root())
        self._folder = Path(tempfile.mkdtemp(dir=folder))
        self._files = {each.path: each for each in files}
        self._edited = {
            owner.path for each in files for path in (each.path, each.target) for owner in find_owners(workspace, path)
        }
        reach = [each for each in workspace.projects if self._reaches(each, workspace.projects)]
        self._reach = sorted(reach, key=lambda each: len(close_references(each.path, workspace.projects)))
        if not self._edited:
            raise NotCompiledError("No project compiles what is edited.")
        if len(reach) > _MOST_PROJECTS:
            hint = "`dotnet build` judges it after the edit."
            raise NotCompiledError(f"{len(reach)} projects depend on it; {_MOST_PROJECTS} are compiled at most.", hint)
        base = read_tree_texts(workspace, reach, self._folder / "tree")
        self._texts = write_edits(workspace, files, base, self._folder / "edit")
        self._names = {text: source for source, text in {**base.files, **self._texts.files}.items()}
        self._projects = CompiledProjects(workspace, seconds, base)
        self._paths = {str(Path(self._root, each.path)): each.path for each in reach}
        self._made: dict[Flavour, _Made] = {}
        self._compiled: list[str] = []
        self._left_out: list[str] = []
        self._errors: list[CompileError] = []

    def judge(self) -> CompileReport:
        """What the compiler says.

        Raises:
            NotCompiledError: A project with an edit cannot be compiled.
        """
        for each in self._reach:
            try:
                self._make(self._projects.locate(each))
            except _FoundError:
                break
            except NotCompiledError as problem:
                if each.path in self._edited:
                    raise
                self._left_out.append(f"{each.path}: {_tell(problem)}")
        errors = tuple(sorted(dict.fromkeys(self._errors)))
        return CompileReport(True, "", tuple(self._compiled), tuple(self._left_out), errors)  # noqa: FBT003

    def _reaches(self, project: Project, projects: Sequence[Project]) -> bool:
        return bool(project.path) and not self._edited.isdisjoint(close_references(project.path, projects))

    def _make(self, flavour: Flavour) -> _Made:
        """Compile a project after the edit, if the edit changes anything that it is made of."""
        known = self._made.get(flavour)
        if known is None:
            known = self._made[flavour] = self._make_once(flavour)
        return known

    def _make_once(self, flavour: Flavour) -> _Made:
        path = self._paths.get(os.path.normpath(flavour.path), "")
        replace, changed = {}, path in self._edited
        for output in self._projects.ask(flavour).outputs:
            needed = Flavour(os.path.normpath(output.project), output.framework)
            if needed.path in self._paths:
                made = self._make(needed)
                changed = changed or made.changed
                replace[output.file] = made.assembly if output.is_analyzer else made.reference
            else:
                replace[output.file] = self._projects.need(output)
        before = self._projects.compile(flavour, whole=True)
        if not changed:
            return _Made(before.reference or self._projects.need_reference(flavour), before.assembly, changed=False)
        folder = Path(tempfile.mkdtemp(dir=self._folder))
        after = self._projects.run(flavour, replace, self._texts, folder, whole=True)
        self._compiled.append(f"{path} ({flavour.framework})" if flavour.framework else path)
        old, new = (self._name_files(list_errors(each)) for each in (before, after))
        found = find_new(old, new, self._move)
        self._errors += found
        if after.reference:
            same = bool(before.reference) and _read(before.reference) == _read(after.reference)
            return _Made(after.reference, after.assembly, changed=not same)
        if found:
            raise _FoundError
        only = self._projects.run(flavour, replace, self._texts, folder, whole=False)
        if not only.reference:
            raise NotCompiledError(f"{Path(path).name} does not compile as it is.")
        return _Made(only.reference, only.assembly, changed=True)

    def _name_files(self, errors: Iterable[CompileError]) -> list[CompileError]:
        """Errors with the files of the tree in place of what was compiled."""
        named = []
        for each in errors:
            path = self._names.get(each.file, each.file)
            inside = path.startswith(self._root + os.sep)
            file = os.path.relpath(path, self._root).replace(os.sep, "/") if inside else path
            named.append(each._replace(file=file))
        return named

    def _move(self, path: str, line: int) -> int:
        """The line that a line of a file has after the edit."""
        file = self._files.get(path)
        if file is None:
            return line
        starts = [0, *accumulate(len(each) + 1 for each in file.source.split(b"\n"))]
        begin = starts[min(line - 1, len(starts) - 1)]
        return line + sum(
            each.text.count("\n") - file.source.count(b"\n", each.start, each.end)
            for each in file.edits
            if each.end <= begin
        )


class _FoundError(Exception):
    """There are new errors; what depends on the project cannot be judged."""


def _tell(problem: NotCompiledError) -> str:
    """Why nothing was compiled, as the end of a sentence."""
    return f"{problem} {problem.hint}".strip().rstrip(".")


def _read(path: str) -> bytes:
    return Path(path).read_bytes()
