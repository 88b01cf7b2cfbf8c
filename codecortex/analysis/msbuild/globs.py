"""Resolves MSBuild's path patterns and path functions to repository paths."""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_left
from functools import lru_cache
from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.model.text.wildcards import NAME_CHARACTER, translate_wildcards

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

ROOT = "/_"
"""Stands for the repository root wherever MSBuild uses absolute paths."""

_WILD = compile_later(r"[*?]")


def locate(text: str, folder: str) -> str | None:
    """A path or pattern as written, relative to the repository root; None if it is outside the repository.

    Args:
        text: The path, with either kind of slash, relative or under `ROOT`.
        folder: The folder that relative paths start from, relative to the repository root.
    """
    joined = posixpath.normpath(posixpath.join(ROOT, folder, text.replace("\\", "/")))
    if joined.startswith("//"):
        joined = joined[1:]
    if joined == ROOT:
        return ""
    return joined[len(ROOT) + 1 :] if joined.startswith(ROOT + "/") else None


class Tree:
    """Sorted repository paths, in which patterns are matched without testing every path."""

    __slots__ = ("_folded", "_found", "_known", "paths")

    def __init__(self, paths: Iterable[str]) -> None:
        self.paths: Sequence[str] = sorted(paths)
        self._known = frozenset(self.paths)
        self._folded: dict[str, list[str]] | None = None
        self._found: dict[str, tuple[str, ...]] = {}

    def holds(self, path: str) -> bool:
        """Whether a file or a folder has this path; the root folder has the empty path."""
        if not path or path in self._known:
            return True
        at = bisect_left(self.paths, path + "/")
        return at < len(self.paths) and self.paths[at].startswith(path + "/")

    def has_file(self, path: str) -> bool:
        """Whether a file has exactly this path."""
        return path in self._known

    def find(self, pattern: str) -> tuple[str, ...]:
        """The paths that match a pattern, sorted.

        Args:
            pattern: Relative to the repository root, with `/`. `**` stands for any folders, `*` and `?` stay within a
                name. A pattern without wildcards is a path; a single path that differs in case also matches.
        """
        found = self._found.get(pattern)
        if found is None:
            found = self._found[pattern] = self._search(pattern)
        return found

    def find_above(self, folder: str, name: str) -> str:
        """The nearest file with this name in a folder or above it; empty if there is none."""
        while (path := posixpath.join(folder, name)) not in self._known:
            if not folder:
                return ""
            folder = posixpath.dirname(folder)
        return path

    def _search(self, pattern: str) -> tuple[str, ...]:
        wild = _WILD.search(pattern)
        if wild is None:
            return self._find_literal(pattern)
        cut = pattern.rfind("/", 0, wild.start()) + 1
        folder = pattern[:cut]
        matches = compile_pattern(pattern[cut:]).fullmatch
        start, end = 0, len(self.paths)
        if folder:
            start = bisect_left(self.paths, folder)
            end = bisect_left(self.paths, folder[:-1] + chr(ord("/") + 1))
        return tuple(path for path in self.paths[start:end] if matches(path, cut))

    def _find_literal(self, path: str) -> tuple[str, ...]:
        if path in self._known:
            return (path,)
        if self._folded is None:
            self._folded = {}
            for known in self.paths:
                self._folded.setdefault(known.lower(), []).append(known)
        near = self._folded.get(path.lower(), [])
        return tuple(near) if len(near) == 1 else ()


@lru_cache(maxsize=4096)
def compile_pattern(pattern: str) -> re.Pattern[str]:
    """A regular expression that matches the whole path.

    The first match of the part up to the next wildcard is as good as any later one, so each part is atomic and no path
    takes more than quadratic time in its own length, whatever the pattern.
    """
    runs: list[list[str]] = [[]]
    for name in pattern.split("/"):
        if name != "**":
            runs[-1].append(translate_wildcards(name, NAME_CHARACTER))
        elif len(runs) == 1 or runs[-1]:
            runs.append([])
    first, *others = ["/".join(run) for run in runs]
    if not others:
        return re.compile(first)
    text = first + "/" if first else ""
    for run in others[:-1]:
        text += f"(?>(?:[^/]+/)*?{run}/)"
    text += f"(?:[^/]+/)*{others[-1]}" if others[-1] else ".+"
    return re.compile(text)


class PathContext(NamedTuple):
    """The context of a path function: the existing paths, the project's folder, and that of the file being read."""

    files: Tree
    sources: Tree
    folder: str
    this_folder: str

    def exists(self, text: str) -> bool:
        """Whether a path as written is a known file or folder, relative to the project or to the file being read."""
        places = (locate(text, folder) for folder in (self.folder, self.this_folder)) if text else ()
        return any(place is not None and (self.files.holds(place) or self.sources.holds(place)) for place in places)

    def find_above(self, start: str, name: str) -> str:
        """The nearest file with this name at or above a folder, under `ROOT`; empty if there is none."""
        folder = locate(start, self.this_folder)
        above = self.files.find_above(folder, name) if folder is not None else ""
        return posixpath.join(ROOT, above) if above else ""


def call_path_function(owner: str, name: str, arguments: tuple[str, ...], place: PathContext) -> str | None:
    """The value of a path function of MSBuild or .NET; None for an unknown one.

    Args:
        owner: The type in lower case, such as `msbuild` or `system.io.path`; empty for a function in a condition.
        name: The function in lower case.
        arguments: The arguments, expanded.
        place: The context of the call.
    """
    paths = tuple(each.strip().replace("\\", "/") for each in arguments)
    answer = None
    match owner, name, paths:
        case (("" | "system.io.file" | "system.io.directory"), "exists", (path,)):
            answer = str(place.exists(path))
        case "", "hastrailingslash", (path,):
            answer = str(path.endswith("/"))
        case "msbuild", "getpathoffileabove", (file, *start):
            answer = place.find_above(start[0] if start else "", file)
        case "msbuild", "getdirectorynameoffileabove", (start, file):
            answer = posixpath.dirname(place.find_above(start, file))
        case ("msbuild", "normalizepath" | "normalizedirectory", (_, *_)) | ("system.io.path", "getfullpath", (_,)):
            full = posixpath.normpath(posixpath.join(ROOT, place.folder, *paths))
            answer = full + "/" if name == "normalizedirectory" else full
        case "msbuild", "ensuretrailingslash", (path,):
            answer = path if not path or path.endswith("/") else path + "/"
        case "msbuild", "makerelative", (start, path):
            answer = _make_relative(start, path)
        case "system.io.path", _, _:
            answer = _split_path(name, paths)
        case "system.io.directory", "getparent", (path,):
            answer = posixpath.dirname(path)
    return answer


def _split_path(name: str, paths: tuple[str, ...]) -> str | None:
    """The value of a member of `System.IO.Path` that depends only on its arguments."""
    answer = None
    match name, paths:
        case "combine", (_, *_):
            answer = posixpath.join(*paths)
        case "getdirectoryname", (path,):
            answer = posixpath.dirname(path)
        case "getfilename", (path,):
            answer = posixpath.basename(path)
        case "getfilenamewithoutextension", (path,):
            answer = posixpath.splitext(posixpath.basename(path))[0]
        case "getextension", (path,):
            answer = posixpath.splitext(path)[1]
        case "changeextension", (path, ending):
            answer = posixpath.splitext(path)[0] + (ending if ending.startswith(".") else f".{ending}")
        case "ispathrooted", (path,):
            answer = str(path.startswith("/"))
        case (("directoryseparatorchar" | "altdirectoryseparatorchar"), ()):
            answer = "/"
    return answer


def _make_relative(start: str, path: str) -> str:
    """A path relative to a folder; a trailing slash is kept."""
    if not start.startswith("/") or not path.startswith("/"):
        return path
    return posixpath.relpath(path, start) + ("/" if path.endswith("/") else "")
