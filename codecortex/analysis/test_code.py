"""What a project, a path or a type says of itself in; whether that is code of tests out.

Nothing else decides it: every command that puts product code first, or leaves tests out, asks here.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codecortex.model.code.types import CSharpType

_PACKAGE = compile_later(
    r"microsoft\.net\.test\.sdk|nunit3testadapter|(?:xunit|nunit|mstest|tunit)(?:[.\d].*)?", re.IGNORECASE
)
_SDK = "mstest.sdk"
_FOLDER = compile_later(
    r"(?i:tests?|.*[._\- ](?:unit|integration|functional|acceptance|e2e)?tests?)|(?:.*[a-z0-9])?Tests?"
)
_BENCHMARKS = compile_later(r"(?i:bench|benchmarks?|.*[._\- ]benchmarks?)|(?:.*[a-z0-9])?Benchmarks?")
_ATTRIBUTES = frozenset(
    {"Fact", "Theory", "Test", "TestCase", "TestCaseSource", "TestMethod", "DataTestMethod", "TestClass", "TestFixture"}
)
_NAME = compile_later(r"[\w.:]+")
_WORD = compile_later(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+")
_ASIDE = frozenset({"bench", "benchmark", "benchmarks", "fuzz", "perf", "sample", "samples", "snippets"})


def is_test_package(name: str) -> bool:
    """Whether only a project of tests refers to a package of that name."""
    return _PACKAGE.fullmatch(name.strip()) is not None


def is_test_project(declared: str, sdk: str, packages: Iterable[str]) -> bool:
    """Whether a project holds tests.

    Args:
        declared: The value of its property `IsTestProject`, which decides where it is true or false.
        sdk: Its SDK.
        packages: The names of packages that it refers to.
    """
    if declared.lower() in {"true", "false"}:
        return declared.lower() == "true"
    return sdk.lower().partition("/")[0] == _SDK or any(map(is_test_package, packages))


def is_test_path(path: str) -> bool:
    """Whether a folder above a file is one of tests: `test`, `tests`, `Shop.Tests`, `Shop.UnitTests`, `ShopTest`."""
    return _is_test_folder(path.rpartition("/")[0])


def is_benchmark_path(path: str) -> bool:
    """Whether a folder above a file is one of benchmarks: `bench`, `benchmarks`, `Shop.Benchmarks`.

    That is no code of tests, and questions find it; it is told for what nobody writes notes on.
    """
    return any(_BENCHMARKS.fullmatch(folder) for folder in path.split("/")[:-1])


@lru_cache(maxsize=8192)
def _is_test_folder(folders: str) -> bool:
    return any(_FOLDER.fullmatch(folder) for folder in folders.split("/"))


def is_aside_path(path: str) -> bool:
    """Whether a folder above a file is of benchmarks, samples or fuzzers: no tests, and nothing that is shipped."""
    return _is_aside_folder(path.rpartition("/")[0])


@lru_cache(maxsize=8192)
def _is_aside_folder(folders: str) -> bool:
    return any(part.lower() in _ASIDE for part in _WORD.findall(folders))


def is_test_type(merged: CSharpType, *, in_test_project: bool) -> bool:
    """Whether a type is one of tests: by its project, by where all of its parts lie, by attributes of tests."""
    if in_test_project or all(map(is_test_path, merged.files)):
        return True
    if any(map(_marks_test, (each for part in merged.parts for each in part.facts.attributes))):
        return True
    return any(map(_marks_test, (each for member in merged.members for each in member.facts.attributes)))


def _marks_test(attribute: str) -> bool:
    """Whether an attribute as written, `Fact(Skip = "...")`, is one that runners of tests look for."""
    found = _NAME.search(attribute)
    name = found[0].rpartition(".")[2].rpartition(":")[2] if found is not None else ""
    return name in _ATTRIBUTES or name.removesuffix("Attribute") in _ATTRIBUTES
