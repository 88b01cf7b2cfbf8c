"""The projects of a work tree as the compiler sees them: their arguments, and what was made of them."""

from __future__ import annotations

import os
import time
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from codecortex.dotnet.compiler import KeptOutputs, compile_project
from codecortex.dotnet.msbuild import CompilerCall, ProjectOutput, ask_project
from codecortex.dotnet.process import NotCompiledError
from codecortex.dotnet.sdk import find_sdk
from codecortex.editing.refactoring.compiling import is_source, read_errors, split_alias, unquote, write_call
from codecortex.git.paths import decode_path
from codecortex.git.worktree.disk import Disk
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.store.cache.rows import load_row, pack_row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from codecortex.dotnet.compiler import Compiled
    from codecortex.editing.refactoring.compiling import CompileError
    from codecortex.model.code.projects import Project
    from codecortex.operations.catalog.workspace import Workspace

_FOLDER = "compiled"


class Flavour(NamedTuple):
    """A project by its path on disk, and the target framework that it is compiled for; empty for the only one."""

    path: str
    framework: str


class Texts(NamedTuple):
    """Sources that are compiled with other texts than the disk has.

    Attributes:
        files: Where each text is, by the path of the source that it stands for.
        gone: Sources that are not there.
        added: Further sources, by project.
    """

    files: Mapping[str, str] = {}
    gone: frozenset[str] = frozenset()
    added: Mapping[str, Sequence[str]] = {}

    def rewrite(self, folder: str) -> Callable[[str], Sequence[str]]:
        """What gives the sources to compile in place of one that a project names."""

        def find(source: str) -> Sequence[str]:
            path = os.path.normpath(os.path.join(folder, source))  # noqa: PTH118 - an absolute one stays itself
            return () if path in self.gone else (self.files.get(path, path),)

        return find


class CompiledProjects:
    """Compiles projects of a work tree, each with what it needs; what was made is kept."""

    def __init__(self, workspace: Workspace, seconds: float, base: Texts | None = None) -> None:
        """Find the compiler.

        Args:
            workspace: The tree.
            seconds: How long all of it may take.
            base: Where the tree has other texts than the disk.

        Raises:
            NotCompiledError: There is none.
        """
        self._workspace = workspace
        self._base = base or Texts()
        self._root = workspace.repository.require_root()
        self._end = time.monotonic() + seconds
        self._sdk = find_sdk(self._root, self._left)
        self._outputs = KeptOutputs(workspace.repository.shared_dir / _FOLDER)
        self._calls: dict[Flavour, CompilerCall] = {}
        self._keys: dict[tuple[Flavour, bool], str] = {}
        self._hashes: dict[str, str] = {}
        self._state = self._digest_projects()

    @property
    def _left(self) -> float:
        left = self._end - time.monotonic()
        if left <= 0:
            raise NotCompiledError("Compiling took too long and was ended.", "edit.compileSeconds is the limit.")
        return left

    def locate(self, project: Project) -> Flavour:
        """A project of the tree."""
        return Flavour(str(self._root / project.path), project.tfm)

    def ask(self, flavour: Flavour) -> CompilerCall:
        """What a project is compiled with: kept for as long as no project file and no source comes, goes or changes.

        Raises:
            NotCompiledError: MSBuild does not say it.
        """
        known = self._calls.get(flavour)
        if known is not None:
            return known
        configuration = self._workspace.request.configuration or ""
        key = sha256(f"{self._state}\n{self._sdk}\n{flavour}\n{configuration}".encode()).digest()
        kept = load_row(self._workspace.cache.get_many([key]).get(key), _read_call)
        if kept is not None and kept[1] == _mark(kept[0].assets) and all(map(os.path.exists, _list_sources(kept[0]))):
            self._calls[flavour] = kept[0]
            return kept[0]
        call = ask_project(self._sdk, Path(flavour.path), flavour.framework, configuration, self._left)
        self._calls[flavour] = call
        outputs = [tuple(each) for each in call.outputs]
        row = (call.words, call.folder, outputs, call.assets, _mark(call.assets))
        self._workspace.cache.put_many([(key, pack_row(row))])
        return call

    def compile(self, flavour: Flavour, *, whole: bool) -> Compiled:
        """What a project makes as it is.

        Args:
            flavour: The project.
            whole: Whether its bodies are compiled too; else only what others compile against.

        Raises:
            NotCompiledError: The compiler cannot be run, or what the project needs cannot be made.
        """
        key = self.digest(flavour, whole=whole)
        kept = self._outputs.find(key)
        if kept is not None:
            return kept
        replace = {each.file: self.need(each) for each in self.ask(flavour).outputs}
        folder = self._outputs.make_folder()
        made = self.run(flavour, replace, self._base, folder, whole=whole)
        return self._outputs.keep(key, made, folder)

    def need(self, output: ProjectOutput) -> str:
        """What a project takes from another one, made as that one is.

        Raises:
            NotCompiledError: It cannot be made.
        """
        made = self._require(Flavour(output.project, output.framework), whole=output.is_analyzer)
        return made.assembly if output.is_analyzer else made.reference

    def need_reference(self, flavour: Flavour) -> str:
        """What others compile against of a project whose bodies may have errors.

        Raises:
            NotCompiledError: It cannot be made.
        """
        return self._require(flavour, whole=False).reference

    def _require(self, flavour: Flavour, *, whole: bool) -> Compiled:
        made = self.compile(flavour, whole=whole)
        if not made.reference:
            raise NotCompiledError(f"{Path(flavour.path).name} does not compile as it is: {_tell_first(made)}")
        return made

    def run(self, flavour: Flavour, replace: Mapping[str, str], texts: Texts, folder: Path, *, whole: bool) -> Compiled:
        """Compile a project with other texts, against other files; what is made lies in a folder."""
        call = self.ask(flavour)
        lines = write_call(call.words, [] if whole else ["/refonly"], replace, texts.rewrite(call.folder))
        lines += [f'"{each}"' for each in texts.added.get(flavour.path, ())]
        name = next((unquote(each)[5:] for each in call.words if each.startswith("/out:")), "a.dll")
        return compile_project(self._sdk, lines, call.folder, folder / Path(name).name, self._left)

    def digest(self, flavour: Flavour, *, whole: bool) -> str:
        """A digest of all that is made into what a project makes."""
        key = (flavour, whole)
        if key not in self._keys:
            call = self.ask(flavour)
            parts = [str(self._sdk), str(whole), call.folder, *call.words]
            find = self._base.rewrite(call.folder)
            sources = [*_list_sources(call), *self._base.added.get(flavour.path, ())]
            parts += [f"{each} {self._hash(text)}" for each in sources for text in find(each)]
            needed = {each.file for each in call.outputs}
            parts += [
                self.digest(Flavour(each.project, each.framework), whole=each.is_analyzer) for each in call.outputs
            ]
            parts += [f"{each} {_mark(each)}" for each in _list_files(call) if each not in needed]
            self._keys[key] = sha256("\n".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:32]
        return self._keys[key]

    def _hash(self, path: str) -> str:
        if path not in self._hashes:
            try:
                self._hashes[path] = sha256(Path(path).read_bytes()).hexdigest()
            except OSError:
                self._hashes[path] = ""
        return self._hashes[path]

    def _digest_projects(self) -> str:
        """A digest of the project files as they lie on disk, and of which sources there are."""
        disk, found = Disk(self._root), sha256()
        for path in sorted(self._workspace.tree.sources.projects):
            data = disk.read(decode_path(path))
            found.update(f"{path}\n".encode("utf-8", "surrogateescape"))
            found.update(data if isinstance(data, bytes) else b"")
        found.update("\n".join(sorted(self._workspace.tree.sources.sources)).encode("utf-8", "surrogateescape"))
        return found.hexdigest()


def list_errors(made: Compiled) -> list[CompileError]:
    """The errors of a compilation."""
    return read_errors(made.printed)


def _tell_first(made: Compiled) -> str:
    errors = read_errors(made.printed)
    if not errors:
        return made.printed.strip()[-200:] or "the compiler made nothing"
    return f"{Path(errors[0].file).name}:{errors[0].line}: {errors[0].code}: {errors[0].text}"


def _list_sources(call: CompilerCall) -> Iterator[str]:
    for word in call.words:
        if is_source(word):
            yield os.path.normpath(os.path.join(call.folder, unquote(word)))  # noqa: PTH118 - as in `Texts`


def _list_files(call: CompilerCall) -> Iterator[str]:
    """The files that options name."""
    for word in call.words:
        if not is_source(word) and ":" in word:
            path = os.path.join(call.folder, split_alias(unquote(word.partition(":")[2]))[1])  # noqa: PTH118
            if os.path.isfile(path):  # noqa: PTH113 - text
                yield path


def _mark(path: str) -> str:
    """What changes with a file."""
    try:
        found = os.stat(path)  # noqa: PTH116 - text
    except OSError:
        return ""
    return f"{found.st_size} {found.st_mtime_ns}"


def _read_call(
    row: tuple[list[str], str, list[tuple[str, str, str, bool]], str, str],
) -> tuple[CompilerCall, str]:
    words, folder, outputs, assets, mark = row
    return CompilerCall(tuple(words), folder, tuple(ProjectOutput(*each) for each in outputs), assets), mark
