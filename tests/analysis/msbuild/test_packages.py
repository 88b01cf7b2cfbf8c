"""What projects refer to beside other projects."""

from codecortex.analysis.msbuild.package_usings import list_package_usings
from codecortex.parsing.project_xml import read_project
from tests.analysis.msbuild.test_projects import SDK, TFM, evaluate, evaluate_one

CENTRAL = """<Project><ItemGroup>
  <PackageVersion Include="A" Version="$(Version)" /><PackageVersion Include="B" Version="2.0" />
</ItemGroup>
<ItemGroup Condition="'$(TargetFramework)' == 'net8.0'"><PackageVersion Update="b" Version="3.0" /></ItemGroup>
</Project>"""


def packages(body, **others):
    return [tuple(each) for each in evaluate_one(f"<ItemGroup>{body}</ItemGroup>", **others).packages]


def test_versions_stand_at_the_reference_or_in_an_element():
    body = '<PackageReference Include="B"><Version> 1.5 </Version></PackageReference>'
    body += '<PackageReference Include="A" Version="1.0" />'

    assert packages(body) == [("A", "1.0", True), ("B", "1.5", True)]


def test_central_versions_are_those_of_the_framework():
    body = '<PackageReference Include="a" /><PackageReference Include="B" /><PackageReference Include="C" />'
    central = {
        "Directory.Packages.props": CENTRAL.replace(
            "<ItemGroup>", "<PropertyGroup><Version>1.1</Version></PropertyGroup><ItemGroup>", 1
        )
    }

    assert packages(body, **central) == [("a", "1.1", True), ("B", "3.0", True), ("C", "", True)]
    assert packages('<PackageReference Include="B" VersionOverride="9" />', **central) == [("B", "9", True)]


def test_a_reference_can_be_removed_changed_or_conditional():
    body = (
        '<PackageReference Include="A;B;C" Version="1.0" /><PackageReference Remove="b" />'
        '<PackageReference Update="C" Version="2.0" />'
        """<PackageReference Include="D" Version="1.0" Condition="'$(TargetFramework)' == 'net6.0'" />"""
    )

    assert packages(body) == [("A", "1.0", True), ("C", "2.0", True)]


def test_tools_are_not_compiled_against_and_private_packages_do_not_flow():
    body = (
        '<PackageReference Include="Runner" Version="1" PrivateAssets="all" IncludeAssets="runtime; build" />'
        '<PackageReference Include="Hidden" Version="1" ExcludeAssets="Compile" />'
        '<PackageReference Include="Own" Version="1"><PrivateAssets>all</PrivateAssets></PackageReference>'
    )

    assert packages(body) == [("Own", "1", False)]


def test_shared_frameworks_come_from_items_sdks_and_properties():
    item = '<ItemGroup><FrameworkReference Include="Microsoft.AspNetCore.App" /></ItemGroup>'
    web = SDK.replace("Microsoft.NET.Sdk", "Microsoft.NET.Sdk.Web")

    assert evaluate_one(item).frameworks == ("Microsoft.AspNetCore.App",)
    assert evaluate_one("<PropertyGroup><UseWPF>true</UseWPF></PropertyGroup>").frameworks == (
        "Microsoft.WindowsDesktop.App",
    )
    assert evaluate({"A.csproj": f"{web}{TFM}</Project>"})["A.csproj"].frameworks == ("Microsoft.AspNetCore.App",)
    assert evaluate_one("").frameworks == ()


def test_friends_are_named_without_their_keys():
    items = '<ItemGroup><InternalsVisibleTo Include="$(AssemblyName).Tests, PublicKey=00" /></ItemGroup>'

    assert evaluate_one(items).friends == ("App.Tests",)


def test_a_friend_that_is_taken_away_is_none():
    items = '<ItemGroup><InternalsVisibleTo Include="A;B" /><InternalsVisibleTo Remove="A" /></ItemGroup>'

    assert evaluate_one(items).friends == ("B",)


def test_friends_are_named_by_attributes_by_targets_and_by_items_of_other_kinds():
    attribute = '<AssemblyAttribute Include="System.Runtime.CompilerServices.InternalsVisibleTo">'
    items = (
        f"<ItemGroup>{attribute}<_Parameter1>$(AssemblyName).Bench, PublicKey=00</_Parameter1></AssemblyAttribute>"
        '<AssemblyAttribute Include="System.CLSCompliant"><_Parameter1>true</_Parameter1></AssemblyAttribute>'
        '<InternalsVisibleToProject Include="Specs;Tools" /><InternalsVisibleToSuffix Include=".Tests" /></ItemGroup>'
        '<Target Name="Show"><ItemGroup><InternalsVisibleTo Include="Built" />'
        '<InternalsVisibleTo Include="%(Some.Identity)" /></ItemGroup></Target>'
    )

    assert evaluate_one(items).friends == ("App.Bench", "App.Tests", "Built", "Specs", "Tools")


def usings(body, project, path="p/1/build/P.targets"):
    files = {path: read_project(f"<Project>{body}</Project>".encode(), path)}
    return list_package_usings(project, files, [path])


def test_packages_add_usings_under_their_conditions():
    when = """<ItemGroup Condition="'$(ImplicitUsings)' == 'enable'"><Using Include="P" /></ItemGroup>"""
    plain = evaluate_one("")
    implicit = evaluate_one("<PropertyGroup><ImplicitUsings>enable</ImplicitUsings></PropertyGroup>")

    assert usings(when, plain) == set()
    assert usings(when, implicit) == {"P"}
    assert usings('<ItemGroup><Using Include="P.Q" Static="true" /></ItemGroup>', plain) == {"static P.Q"}


def test_a_build_file_of_a_package_can_import_another():
    files = {
        "p/1/build/P.targets": '<Import Project="$(MSBuildThisFileDirectory)../buildTransitive/P.targets" />',
        "p/1/buildTransitive/P.targets": '<ItemGroup><Using Include="P" /></ItemGroup>',
    }
    facts = {path: read_project(f"<Project>{body}</Project>".encode(), path) for path, body in files.items()}

    assert list_package_usings(evaluate_one(""), facts, ["p/1/build/P.targets"]) == {"P"}


def test_assemblies_are_named_by_their_files():
    items = (
        '<ItemGroup><Reference Include="Lib, Version=1.0"><HintPath>..\\lib\\Lib.dll</HintPath></Reference>'
        '<Reference Include="own/Other.dll" /><Reference Include="System.Web" />'
        '<Reference Include="Far"><HintPath>../../far/Far.dll</HintPath></Reference>'
        '<Reference Include="Root"><HintPath>C:\\lib\\Root.dll</HintPath></Reference></ItemGroup>'
    )
    found = evaluate({"src/A.csproj": f"{SDK}{TFM}{items}</Project>"})["src/A.csproj"]

    assert found.assemblies == ("lib/Lib.dll", "src/own/Other.dll")
