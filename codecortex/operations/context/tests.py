"""A workspace and its sources in; those that are shipped, and tests of some, out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.test_code import is_aside_path
from codecortex.operations.catalog.among import Among, Narrowing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codecortex.operations.catalog.workspace import Workspace

_MOST, _MOST_FOR_ONE = 6, 2
_NO_TESTS = Among(tests=False)


def select_product(workspace: Workspace, paths: Sequence[str]) -> list[str]:
    """The sources that are neither tests nor benchmarks, samples or fuzzers; all of them where nothing else is there.

    Args:
        workspace: The tree.
        paths: All of its sources.
    """
    return workspace.keep("context/product", workspace.tree, lambda: _select(Narrowing(workspace, _NO_TESTS), paths))


def _select(narrowing: Narrowing, paths: Sequence[str]) -> list[str]:
    return [each for each in paths if narrowing.takes_place(each, None) and not is_aside_path(each)] or list(paths)


def find_tests(tests: Sequence[str], products: Sequence[str]) -> list[str]:
    """The tests whose names say that they test some sources, of the first sources first."""
    by_subject: dict[str, list[str]] = {}
    for path in tests:
        name = path.rpartition("/")[2].partition(".")[0]
        for ending in ("Tests", "Test", "Specs", "Facts"):
            if name.endswith(ending):
                by_subject.setdefault(name.removesuffix(ending), []).append(path)
    found: dict[str, None] = {}
    for path in products:
        found |= dict.fromkeys(sorted(by_subject.get(path.rpartition("/")[2].partition(".")[0], ()))[:_MOST_FOR_ONE])
    return list(found)[:_MOST]
