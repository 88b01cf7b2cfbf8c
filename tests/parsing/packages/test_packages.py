"""What NuGet writes."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codecortex.model.code.packages import DependencyGroup, RestoredPackage
from codecortex.parsing.elements import RefusedError
from codecortex.parsing.packages.assets import BadAssetsError, read_assets
from codecortex.parsing.packages.nuspec import read_nuspec

NUSPEC = """<package xmlns="http://schemas.microsoft.com/packaging/2013/05/nuspec.xsd"><metadata>
<dependencies>{}</dependencies>
<frameworkReferences><group targetFramework="net8.0"><frameworkReference name="F" /></group></frameworkReferences>
</metadata></package>"""
ASSETS = {
    "targets": {
        "net8.0": {
            "A/1.0.0": {
                "type": "package",
                "compile": {"ref/net8.0/A.dll": {}, "lib/net8.0/_._": {}},
                "frameworkReferences": ["F"],
            },
            "B/1.0.0": {"type": "project", "compile": {"bin/placeholder/B.dll": {}}},
        },
        "net8.0/linux-x64": {"C/1.0.0": {"type": "package"}},
    },
    "libraries": {"A/1.0.0": {"path": "a/1.0.0"}},
    "packageFolders": {"/packages/": {}},
    "project": {"restore": {"projectPath": "C:\\src\\App.csproj"}, "frameworks": {"net8.0": {}}},
    "logs": [{"level": "Error", "libraryId": "M"}, {"level": "Warning", "libraryId": "W"}],
}


def test_what_a_package_needs():
    body = (
        '<group targetFramework="NET8.0"><dependency id="A" version="1.0" />'
        '<dependency id="B" version="1.0" exclude="Build,Compile" /></group><group targetFramework="x" />'
    )

    assert read_nuspec(NUSPEC.format(body).encode(), str.lower) == (
        DependencyGroup("net8.0", (("A", "1.0"),), ("F",)),
        DependencyGroup("x"),
    )


def test_what_a_package_needs_everywhere():
    assert read_nuspec(NUSPEC.format('<dependency id="A" version="[1.0]" />').encode(), str)[0] == DependencyGroup(
        "", (("A", "[1.0]"),)
    )


def test_a_nuspec_that_is_no_plain_xml_is_refused():
    with pytest.raises(RefusedError, match="document type"):
        read_nuspec(b'<!DOCTYPE p [<!ENTITY a "b">]><package/>', str)


def test_what_a_restore_chose():
    restored = read_assets(json.dumps(ASSETS).encode(), str)

    assert restored.project == "App.csproj"
    assert restored.folders == ("/packages/",)
    assert restored.targets == {"net8.0": (RestoredPackage("A", "1.0.0", "a/1.0.0", ("ref/net8.0/A.dll",), ("F",)),)}
    assert restored.missing == ("M",)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda each: (
        st.lists(each, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "path", "compile", "A/1.0.0", "net8.0", "restore"]), each, max_size=3
        )
    ),
)


@given(st.sampled_from(sorted(ASSETS)), VALUES)
def test_any_json_is_read_or_refused(name, value):
    try:
        restored = read_assets(json.dumps(ASSETS | {name: value}).encode(), str)
    except BadAssetsError:
        return
    assert all(isinstance(each.name, str) for target in restored.targets.values() for each in target)


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b"\xff\xfe", b"[" * 100_000])
def test_what_no_restore_wrote_is_refused(data):
    with pytest.raises(BadAssetsError):
        read_assets(data, str)
