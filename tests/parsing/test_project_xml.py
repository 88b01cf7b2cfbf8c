import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codecortex.model.code.projects import (
    BranchFact,
    ChooseFact,
    GroupFact,
    ImportFact,
    ItemFact,
    ProjectFacts,
    PropertyFact,
)
from codecortex.parsing.project_xml import read_global_json, read_project


def read(text: str) -> ProjectFacts:
    return read_project(text.encode(), "App.csproj")


def test_groups_keep_document_order_and_conditions():
    facts = read("""
        <Project Sdk="Microsoft.NET.Sdk">
          <PropertyGroup Condition=" '$(A)' == '' "><A>1</A><B Condition="x"> 2 </B></PropertyGroup>
          <Import Project="a.props" Condition="c" />
          <ItemGroup><Compile Include="a.cs" Exclude="b.cs" Link="L.cs" /></ItemGroup>
        </Project>""")

    assert facts == ProjectFacts(
        "Microsoft.NET.Sdk",
        (
            GroupFact("'$(A)' == ''", (PropertyFact("A", "1"), PropertyFact("B", "2", "x"))),
            ImportFact("a.props", condition="c"),
            GroupFact("", (ItemFact("Compile", "a.cs", "b.cs", metadata=(("link", "L.cs"),)),)),
        ),
    )


def test_choose_keeps_its_branches():
    facts = read("""
        <Project><Choose>
          <When Condition="w"><PropertyGroup><A>1</A></PropertyGroup></When>
          <Otherwise><PropertyGroup><A>2</A></PropertyGroup></Otherwise>
        </Choose></Project>""")

    assert facts.nodes == (
        ChooseFact(
            (
                BranchFact("w", (GroupFact("", (PropertyFact("A", "1"),)),)),
                BranchFact("", (GroupFact("", (PropertyFact("A", "2"),)),)),
            )
        ),
    )


def test_the_old_namespace_changes_nothing():
    with_namespace = read(
        '<Project xmlns="http://schemas.microsoft.com/developer/msbuild/2003"><PropertyGroup><A>1</A></PropertyGroup></Project>'
    )

    assert with_namespace == read("<Project><PropertyGroup><A>1</A></PropertyGroup></Project>")


def test_targets_and_items_that_compile_nothing_are_left_out():
    assert (
        read("""
        <Project>
          <Target Name="T"><ItemGroup><Compile Include="generated.cs" /></ItemGroup></Target>
          <ItemGroup><GlobalPackageReference Include="P" /></ItemGroup>
        </Project>""").nodes
        == ()
    )


def test_metadata_may_be_elements():
    facts = read('<Project><ItemGroup><Using Include="N"><Alias>A</Alias></Using></ItemGroup></Project>')

    assert facts.nodes == (GroupFact("", (ItemFact("Using", "N", metadata=(("alias", "A"),)),)),)


def test_marks_and_other_encodings_are_read():
    text = "<Project><PropertyGroup><A>ü</A></PropertyGroup></Project>"

    assert read_project(text.encode("utf-8-sig"), "").nodes == read(text).nodes
    assert read_project(text.encode("utf-16"), "").nodes == read(text).nodes


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "well-formed"),
        ("<Project>", "well-formed"),
        ("<Project>&nothing;</Project>", "well-formed"),
        ('<?xml version="1.0" encoding="klingon"?><Project/>', "well-formed"),
        ('<!DOCTYPE Project [<!ENTITY a "b">]><Project>&a;</Project>', "document type"),
        ("<Project>" + "<a>" * 5000 + "</a>" * 5000 + "</Project>", "nested"),
        ("<html/>", "<html>"),
    ],
)
def test_what_cannot_be_read_is_reported(text, said):
    facts = read(text)

    assert facts.nodes == ()
    assert len(facts.reports) == 1
    assert said in facts.reports[0]


@given(st.binary() | st.text(alphabet="<>/!&;[] ='\"aProject", max_size=80).map(str.encode))
def test_no_bytes_raise(data):
    assert isinstance(read_project(data, "x.csproj"), ProjectFacts)


def test_facts_survive_pickling():
    facts = read("<Project><Choose><When Condition='a'><Import Project='b' /></When></Choose></Project>")

    assert pickle.loads(pickle.dumps(facts)) == facts  # noqa: S301 - our own bytes


def test_items_of_other_kinds_are_kept_unless_they_never_name_sources():
    text = '<Project><ItemGroup><GlobalPackageReference Include="P" /><Own Include="*.cs" /></ItemGroup></Project>'

    assert read_project(text.encode(), "A.csproj").nodes == (GroupFact("", (ItemFact("Own", "*.cs"),)),)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("{}", ()),
        ("not JSON", ()),
        ('{"sdk": {"rollForward": "major"}, "version": "1"}', ()),
        (
            '\ufeff{ // why\n "msbuild-sdks": {"My.Sdk": "2.0"}, "sdk": {"paths": [], "version": "9.0.1",},}',
            (PropertyFact("NETCoreSdkVersion", "9.0.1"), PropertyFact("My.Sdk", "2.0")),
        ),
    ],
)
def test_global_json_names_sdks(text, named):
    assert read_global_json(text.encode()).nodes == ((GroupFact("", named),) if named else ())
