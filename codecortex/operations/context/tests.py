"""Projects and paths in; which sources are tests, out.

The one place that tells product code from tests for questions.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_FOLDERS = """
test tests spec specs testdata unittests testutils testing benchmark benchmarks bench perf sample samples snippets
mock mocks fuzz
"""
_WORDS = frozenset(_FOLDERS.split())
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_MOST, _MOST_FOR_ONE = 6, 2
_ENDINGS = ("tests.cs", "specs.cs", "test.cs", "facts.cs", "benchmarks.cs")


def is_test(path: str) -> bool:
    """Whether a source is a test, a benchmark or a sample, by the names of its folders and its own."""
    folder, _, name = path.rpartition("/")
    return _holds_tests(folder) or name.lower().endswith(_ENDINGS)


@lru_cache(maxsize=4096)
def _holds_tests(folder: str) -> bool:
    """Whether a folder, or one that it is in, is called after tests."""
    return any(part.lower() in _WORDS for part in _PART.findall(folder))


def select_product(paths: Iterable[str]) -> list[str]:
    """The sources that are no tests; all of them where nothing else is there."""
    listed = list(paths)
    return [path for path in listed if not is_test(path)] or listed


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
