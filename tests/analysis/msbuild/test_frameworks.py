import pytest

from codecortex.analysis.msbuild.frameworks import (
    choose_assets,
    choose_framework,
    compare_versions,
    find_moniker,
    is_compatible,
    list_symbols,
    parse_framework,
)

CORE = frozenset(f"NETCOREAPP{v}_OR_GREATER" for v in ("1_0", "1_1", "2_0", "2_1", "2_2", "3_0", "3_1")) | {
    "NETCOREAPP"
}


@pytest.mark.parametrize(
    ("moniker", "symbols"),
    [
        ("net6.0", CORE | {"NET", "NET6_0", "NET5_0_OR_GREATER", "NET6_0_OR_GREATER"}),
        ("net10.0", CORE | {"NET", "NET10_0", *(f"NET{major}_0_OR_GREATER" for major in range(5, 11))}),
        ("netcoreapp3.1", CORE | {"NETCOREAPP3_1"}),
        (
            "netstandard2.0",
            {"NETSTANDARD", "NETSTANDARD2_0", "NETSTANDARD2_0_OR_GREATER"}
            | {f"NETSTANDARD1_{minor}_OR_GREATER" for minor in range(7)},
        ),
        (
            "net45",
            {"NETFRAMEWORK", "NET45", "NET20_OR_GREATER", "NET35_OR_GREATER", "NET40_OR_GREATER", "NET45_OR_GREATER"},
        ),
        (
            "net5.0-windows",
            CORE | {"NET", "NET5_0", "NET5_0_OR_GREATER", "WINDOWS", "WINDOWS7_0", "WINDOWS7_0_OR_GREATER"},
        ),
        ("net5.0-android", CORE | {"NET", "NET5_0", "NET5_0_OR_GREATER", "ANDROID"}),
        ("uap10.0", set()),
        ("", set()),
    ],
)
def test_symbols_are_those_of_the_sdk(moniker, symbols):
    assert list_symbols(moniker) == symbols


def test_a_platform_version_has_its_own_symbols():
    symbols = list_symbols("net8.0-windows10.0.19041")

    assert {"WINDOWS10_0_19041_0", "WINDOWS10_0_19041_0_OR_GREATER", "WINDOWS10_0_17763_0_OR_GREATER"} <= symbols
    assert "WINDOWS10_0_22000_0_OR_GREATER" not in symbols


@pytest.mark.parametrize(
    ("monikers", "wanted", "chosen"),
    [
        (["net8.0", "net10.0", "net9.0"], None, "net10.0"),
        (["net472", "netstandard2.0"], None, "netstandard2.0"),
        (["netstandard2.1", "netcoreapp2.1"], None, "netcoreapp2.1"),
        (["net8.0-windows", "net8.0"], None, "net8.0"),
        (["net8.0-windows", "net6.0"], None, "net8.0-windows"),
        (["net6.0", "NET8.0"], "net8.0", "NET8.0"),
        (["net6.0", "net9.0", "netstandard2.0"], "net8.0", "net6.0"),
        (["net6.0", "netstandard2.0", "net45"], "net48", "netstandard2.0"),
        (["net462", "net8.0"], "netstandard2.0", "net8.0"),
        (["uap10.0"], None, "uap10.0"),
        ([], "net8.0", ""),
    ],
)
def test_choice_of_the_framework(monikers, wanted, chosen):
    assert choose_framework(monikers, wanted) == chosen


@pytest.mark.parametrize(
    ("wanted", "candidate", "compatible"),
    [
        ("net8.0", "netcoreapp3.1", True),
        ("net8.0", "netstandard2.1", True),
        ("netcoreapp2.1", "netstandard2.1", False),
        ("net461", "netstandard2.0", True),
        ("net46", "netstandard2.0", False),
        ("net472", "net48", False),
        ("net8.0", "net472", False),
        ("net8.0", "net8.0-windows", False),
        ("net8.0-windows", "net8.0", True),
        ("netstandard2.0", "netstandard2.1", False),
        ("", "net8.0", False),
    ],
)
def test_compatibility_follows_nuget(wanted, candidate, compatible):
    assert is_compatible(wanted, candidate) is compatible


def test_monikers_without_dots_are_one_digit_a_part():
    assert parse_framework("net472") == (".NETFramework", (4, 7, 2), "", "")
    assert parse_framework("net4.7.2") == parse_framework("net472")
    assert parse_framework("net8") == parse_framework("net8.0")
    assert parse_framework("net" + "9" * 5000) is None


def test_versions_compare_by_number():
    assert compare_versions("10.0", "9.1.2") == 1
    assert compare_versions("v2.0", "2.0.0.0") == 0
    assert compare_versions("1.0-beta", "1.1") == -1
    assert compare_versions("x", "1.1") is None


@pytest.mark.parametrize(
    ("has", "wanted", "chosen"),
    [
        (("net462", "netstandard2.0", "net8.0"), "net472", "net462"),
        (("net462", "netstandard2.0", "net8.0"), "net10.0", "net8.0"),
        (("netstandard2.0", "netstandard2.1"), "net8.0", "netstandard2.1"),
        (("netstandard2.0", "netstandard2.1"), "netstandard2.0", "netstandard2.0"),
        (("net8.0", "net8.0-windows7.0"), "net8.0-windows10.0", "net8.0-windows7.0"),
        (("net8.0", "net8.0-windows"), "net8.0", "net8.0"),
        (("", "netstandard2.0"), "net10.0", "netstandard2.0"),
        (("",), "net10.0", ""),
        (("net462",), "net10.0", None),
    ],
)
def test_the_nearest_assets_of_a_package_are_chosen(has, wanted, chosen):
    assert choose_assets(has, wanted) == chosen


@pytest.mark.parametrize(
    ("name", "moniker"),
    [
        (".NETStandard2.0", "netstandard2.0"),
        (".NETStandard,Version=v2.0", "netstandard2.0"),
        (".NETFramework4.6.2", "net462"),
        (".NETCoreApp3.1", "netcoreapp3.1"),
        (".NETCoreApp,Version=v8.0", "net8.0"),
        ("net8.0", "net8.0"),
        ("", ""),
    ],
)
def test_long_names_of_frameworks(name, moniker):
    assert find_moniker(name) == moniker
