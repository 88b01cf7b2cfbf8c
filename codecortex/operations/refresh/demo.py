"""Demonstrates init and refresh on a small repository made in a folder."""

from __future__ import annotations

import tempfile
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from codecortex.git.process import Call, run_git
from codecortex.git.repository import open_repository
from codecortex.git.worktree.writing import apply_writes
from codecortex.model.errors import UsageError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.refresh.init import InitResult, init
from codecortex.operations.refresh.refresh import refresh
from codecortex.operations.request import Request

if TYPE_CHECKING:
    from codecortex.operations.refresh.result import RefreshResult

_PROJECT = b"""<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <TargetFramework>net8.0</TargetFramework>
    <ImplicitUsings>enable</ImplicitUsings>
    <Nullable>enable</Nullable>
  </PropertyGroup>
</Project>
"""
_STORE = b"""namespace Demo.Core;

/// <summary>Keeps notes in memory, newest first.</summary>
public sealed partial class NoteStore : INoteStore
{
    private readonly List<Note> _notes = [];

    /// <summary>How many notes there are.</summary>
    public int Count => _notes.Count;

    /// <summary>Finds a note by its title.</summary>
    /// <param name="title">The whole title.</param>
    /// <returns>The newest note of that title, or null.</returns>
    public Note? Find(string title) => _notes.FirstOrDefault(note => note.Title == title);
}
"""
_ADDING = b"""namespace Demo.Core;

public sealed partial class NoteStore
{
    /// <summary>Adds a note.</summary>
    public void Add(Note note) => _notes.Insert(0, note);
}
"""
_NOTE = b"""namespace Demo.Core;

/// <summary>One note.</summary>
public record Note(string Title, string Text = "");

/// <summary>What keeps notes.</summary>
public interface INoteStore
{
    int Count { get; }
    Note? Find(string title);
}
"""
_FILES = {
    "src/Demo.Core/Demo.Core.csproj": _PROJECT,
    "src/Demo.Core/NoteStore.cs": _STORE,
    "src/Demo.Core/NoteStore.Adding.cs": _ADDING,
    "src/Demo.Core/Note.cs": _NOTE,
}
_EDITED = ("src/Demo.Core/NoteStore.cs", "src/Demo.Core/Note.cs")
_BEFORE, _AFTER = b"Note? Find(string title)", b"Note? Find(string title, bool ignoreCase = false)"


class DemoResult(NamedTuple):
    """Result of the demonstration.

    Attributes:
        folder: The repository.
        kept: Whether the repository still exists.
        init: Result of `init`.
        first: Result of the first refresh.
        outline: Path and text of the edited class's outline before the edit.
        second: Result of the refresh after the edit.
        changed: The lines of that outline that were removed, and those that were added.
    """

    folder: Path
    kept: bool
    init: InitResult
    first: RefreshResult
    outline: tuple[str, str]
    second: RefreshResult
    changed: tuple[tuple[str, ...], tuple[str, ...]]


def demo(keep: Path | None) -> DemoResult:
    """Make a repository, run init and refresh, edit a signature, refresh again.

    Raises:
        UsageError: The folder to keep it in is not empty.
    """
    if keep is not None and keep.exists() and any(keep.iterdir()):
        raise UsageError(f"{keep} is not empty.", "Name a new folder.")
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
    with nullcontext(str(keep)) if keep is not None else tempfile.TemporaryDirectory(prefix="codecortex-") as folder:
        return _show(Path(folder).resolve(), kept=keep is not None)


def _show(folder: Path, *, kept: bool) -> DemoResult:
    _make_repository(folder)
    request = Request(folder, jobs=1)
    made = init(folder)
    first = refresh(request)
    path, before = _find_outline(folder)
    for source in map(folder.joinpath, _EDITED):
        source.write_bytes(source.read_bytes().replace(_BEFORE, _AFTER))
    second = refresh(request)
    _, after = _find_outline(folder)
    old, new = before.splitlines(), after.splitlines()
    changed = tuple(line for line in old if line not in new), tuple(line for line in new if line not in old)
    return DemoResult(folder, kept, made, first, (path, before), second, changed)


def _make_repository(folder: Path) -> None:
    run_git(folder, (Call("make a repository", ("init", "--quiet")),), {})
    apply_writes(folder, _FILES)
    open_repository(folder).ask("stage the demonstration", "add", "--", *_FILES)


def _find_outline(folder: Path) -> tuple[str, str]:
    for file in sorted((folder / ".codecortex" / "types").glob("*.md")):
        text = file.read_text("utf-8")
        if text.startswith("# Demo.Core.NoteStore "):
            return file.relative_to(folder).as_posix(), text
    raise UsageError("The demonstration made no outline.", "Report this as a bug.")
