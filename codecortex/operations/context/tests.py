"""A workspace and its sources in; those that are shipped, and tests of some, out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.test_code import is_aside_path
from codecortex.context.retrieval.history_scores import score_shared
from codecortex.operations.catalog.among import Among, Narrowing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from codecortex.context.retrieval.history_scores import Commits
    from codecortex.operations.catalog.workspace import Workspace

_MOST, _MOST_FOR_ONE = 6, 2
_ENDINGS = ("Tests", "Test", "Specs", "Facts")
_DIGITS = 6
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


def find_tests(tests: Sequence[str], products: Mapping[str, float], commits: Commits | None) -> list[str]:
    """The tests of some sources: those that are called after one, and those that share commits with them; best first.

    Args:
        tests: All of them.
        products: By path of a source, how likely it is wanted.
        commits: The history; None where there is none.
    """
    shared = score_shared(commits, products, tests) if commits is not None else {}
    most = max(shared.values(), default=1.0)
    scores = {path: score / most for path, score in shared.items()}
    by_subject: dict[str, list[str]] = {}
    for path in tests:
        name = path.rpartition("/")[2].partition(".")[0]
        for ending in _ENDINGS:
            if name.endswith(ending):
                by_subject.setdefault(name.removesuffix(ending), []).append(path)
    for product, likely in products.items():
        called = by_subject.get(product.rpartition("/")[2].partition(".")[0], ())
        for path in sorted(called, key=lambda path: (-scores.get(path, 0.0), path))[:_MOST_FOR_ONE]:
            scores[path] = scores.get(path, 0.0) + likely
    return sorted(scores, key=lambda path: (-round(scores[path], _DIGITS), path))[:_MOST]
