"""Names of packages, paths and values of properties in; whether they tell of tests out."""

import pytest

from codecortex.analysis.test_code import is_aside_path, is_test_package, is_test_path, is_test_project


@pytest.mark.parametrize(
    "path",
    [
        "test/A.cs", "a/tests/x/A.cs", "Tests/A.cs", "src/Shop.Tests/A.cs", "src/Shop.Test/A.cs", "Own.UnitTests/A.cs",
        "Shop.Specification.Tests/A.cs", "ShopTests/A.cs", "shop-test/A.cs", "shop_tests/A.cs", "My Tests/A.cs",
    ],
)  # fmt: skip
def test_folders_of_tests_are_known(path):
    assert is_test_path(path)


@pytest.mark.parametrize(
    "path", ["Test.cs", "src/Tests.cs", "latest/A.cs", "src/Contest/A.cs", "Testing/A.cs", "src/Attest/A.cs", "A.cs"]
)
def test_other_paths_are_not(path):
    assert not is_test_path(path)


@pytest.mark.parametrize(
    ("path", "aside"),
    [
        ("bench/A.cs", True), ("src/Shop.Benchmarks/A.cs", True), ("samples/Retry/A.cs", True), ("fuzz/A.cs", True),
        ("src/Snippets/A.cs", True), ("src/Perf/A.cs", True), ("src/Sampling/A.cs", False), ("src/Benched/A.cs", False),
        ("Benchmark.cs", False), ("tests/A.cs", False),
    ],
)  # fmt: skip
def test_folders_of_what_is_neither_shipped_nor_a_test_are_known(path, aside):
    assert is_aside_path(path) is aside


@pytest.mark.parametrize(
    ("name", "test"),
    [
        ("Microsoft.NET.Test.Sdk", True), ("xunit", True), ("xunit.v3", True), ("xunit.runner.visualstudio", True),
        ("NUnit", True), ("NUnit3TestAdapter", True), ("MSTest", True), ("MSTest.TestFramework", True), ("TUnit", True),
        ("Moq", False), ("xunitish", False), ("Microsoft.NET.Sdk", False),
    ],
)  # fmt: skip
def test_packages_of_tests_are_known(name, test):
    assert is_test_package(name) is test


def test_what_a_project_declares_overrules_its_packages():
    assert is_test_project("", "Microsoft.NET.Sdk", ["Moq", "xunit"])
    assert not is_test_project("False", "Microsoft.NET.Sdk", ["xunit"])
    assert is_test_project("true", "Microsoft.NET.Sdk", [])
    assert is_test_project("", "MSTest.Sdk/3.6.0", [])
    assert not is_test_project("", "Microsoft.NET.Sdk", ["Moq"])
