"""Sorts the files of a listing: sources, project files, solutions, markers, and what is left out."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from codecortex.model.code.facts import is_generated_name
from codecortex.model.config_choices import GeneratedSources
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.text.wildcards import NAME_CHARACTER, translate_wildcards
from codecortex.store.paths import CONFIG

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from codecortex.git.listing import Entry
    from codecortex.model.config import Config

SOURCE_SUFFIXES = (".cs",)
PROJECT_SUFFIXES = (".csproj", ".props", ".targets", ".projitems")
SOLUTION_SUFFIXES = (".sln", ".slnx")
SDK_CHOICE = "global.json"
MARKER_SUFFIXES = (
    *(".slnf", ".proj", ".ruleset", ".snk", "nuget.config", "version.json"),
    *(".editorconfig", ".gitattributes", ".gitignore"),
)
SUFFIXES = (*SOURCE_SUFFIXES, *PROJECT_SUFFIXES, *SOLUTION_SUFFIXES, SDK_CHOICE, *MARKER_SUFFIXES)
LISTED = (*SUFFIXES, CONFIG)
"""How the names of the files end for which a tree is listed."""

_OUTPUT = ("/bin/", "/obj/")
NAMED_GENERATED = "generated name"


class Sources(NamedTuple):
    """The files that are read.

    Attributes:
        sources: C# files by path.
        projects: Project, props, targets, projitems and `global.json` files by path.
        solutions: Solution files by path.
        markers: Paths of files that project files refer to only by name, solutions included.
        left_out: How many C# files each rule excluded: `excluded`, `output folder`, `generated name`; what projects or
            contents tell is not among them.
    """

    sources: dict[str, Entry]
    projects: dict[str, Entry]
    solutions: dict[str, Entry]
    markers: list[str]
    left_out: Mapping[str, int]


def select_sources(entries: Sequence[Entry], config: Config) -> Sources:
    """Sort the entries of a listing by kind; what no project compiles is among the sources."""
    exclude, generated = config.exclude, config.sources.generated is not GeneratedSources.NONE
    left_out: Counter[str] = Counter()
    result = Sources({}, {}, {}, [], left_out)
    for entry in entries:
        path = entry.path
        lower = path.lower()
        if lower.endswith(".cs"):
            rule = _rule_against(path, lower, exclude)
            rule = NAMED_GENERATED if not generated and not rule and is_generated_name(path) else rule
            if rule:
                left_out[rule] += 1
            else:
                result.sources[path] = entry
        elif lower.endswith(SOLUTION_SUFFIXES):
            result.solutions[path] = entry
            result.markers.append(path)
        elif lower.endswith(MARKER_SUFFIXES):
            result.markers.append(path)
        elif not any(folder in "/" + lower for folder in _OUTPUT):
            result.projects[path] = entry
    return result


def _rule_against(path: str, lower: str, exclude: tuple[str, ...]) -> str:
    if "bin/" in lower or "obj/" in lower:
        slashed = "/" + lower
        if any(folder in slashed for folder in _OUTPUT):
            return "output folder"
    return "excluded" if exclude and matches_globs(path, exclude) else ""


def matches_globs(path: str, patterns: tuple[str, ...]) -> bool:
    """Whether one of the globs matches the path; a glob without a slash matches any file or folder with that name."""
    return _compile(patterns).match(path) is not None


@lru_cache(maxsize=8)
def _compile(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{_translate(pattern)})" for pattern in patterns))


def _translate(pattern: str) -> str:
    """A glob as a regular expression for `match`; it also matches everything below what it names."""
    anchored = "/" in pattern.rstrip("/")
    names = pattern.strip("/").split("/")
    kept = (name for at, name in enumerate(names) if name != "**" or names[at - 1 : at] != ["**"])
    pieces = ["\0" if name == "**" else translate_wildcards(name, NAME_CHARACTER) for name in kept]
    body = "/".join(pieces).replace("\0/", "(?:[^/]+/)*").replace("/\0", "(?:/.+)?").replace("\0", ".*")
    return ("" if anchored else "(?:.*/)?") + body + r"(?:/.*)?\Z"
