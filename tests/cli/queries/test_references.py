"""What `codecortex bindings` knows of packages and frameworks, and what it says of those that are not there."""

import json
import os
import random
import time

import pytest

from codecortex.operations.bindings.sources import declare_sources
from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.request import Request
from tests.cli.conftest import commit_files, write_files
from tests.parsing.metadata.conftest import AssemblyMaker

VOID, STRING = 1, 14
STATIC = 0x16  # public static

NUSPEC = "<package><metadata><id>{}</id><dependencies>{}</dependencies></metadata></package>"


def project(*items, tfm="net8.0", sdk="Microsoft.NET.Sdk", properties=""):
    head = f'<Project Sdk="{sdk}"><PropertyGroup><TargetFramework>{tfm}</TargetFramework>{properties}</PropertyGroup>'
    return f"{head}<ItemGroup>{''.join(items)}</ItemGroup></Project>\n"


def package(name, version="1.0", **metadata):
    more = "".join(f' {key}="{value}"' for key, value in metadata.items())
    return f'<PackageReference Include="{name}" Version="{version}"{more} />'


def assembly(namespace, type_name, *methods, parameter=()):
    """An assembly with a static class and static methods."""
    maker = AssemblyMaker()
    maker.type(type_name, namespace, flags=0x181)
    for method in methods:
        maker.method(method, 0, len(parameter), VOID, *parameter, flags=STATIC, parameters=["value"] * len(parameter))
    return maker.write()


@pytest.fixture
def nuget(tmp_path, monkeypatch):
    """An empty folder of packages, and a machine that has nothing else."""
    folder = tmp_path / "packages"
    folder.mkdir()
    monkeypatch.setenv("NUGET_PACKAGES", str(folder))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PATH", os.environ["PATH"])
    monkeypatch.delenv("DOTNET_ROOT", raising=False)
    return folder


def add_package(folder, path, data, needs="", files=None):
    """Put a package there, by name and version; gives its assembly."""
    name, _, version = path.partition("/")
    place = folder / name.lower() / (version or "1.0")
    library = place / "lib" / "netstandard2.0" / f"{name}.dll"
    library.parent.mkdir(parents=True)
    library.write_bytes(data)
    (place / f"{name.lower()}.nuspec").write_text(NUSPEC.format(name, needs))
    write_files(place, files or {})
    return library


@pytest.fixture
def make(tmp_path, git):
    """Makes a repository of some files."""

    def run(files):
        return commit_files(tmp_path / "repository", files, git)

    return run


def ask(cli, root, *files):
    result = cli(root, "bindings", *files, "--json")
    assert result.code == 0, result.err
    return json.loads(result.out), result.err


def symbols(answer, name):
    return [each["symbol"] for each in answer["bindings"] if each["name"] == name]


USE = "class C { void M() { P.Tool.Run(); } }\n"
RUN = "M:P.Tool.Run"


def test_a_package_on_this_machine_is_read(cli, make, nuget):
    add_package(nuget, "Lib", assembly("P", "Tool", "Run"))
    root = make({"A.csproj": project(package("Lib")), "C.cs": USE})

    answer, err = ask(cli, root, "C.cs")

    assert symbols(answer, "Run") == [RUN]
    assert answer["references"] == {"packages": 1, "missing": [], "standIns": [], "unread": []}
    assert err == ""


def test_what_is_not_there_is_said(cli, make, nuget):
    add_package(nuget, "Other/1.1", assembly("P", "Tool", "Run"))
    items = [package("Lib"), package("Other", "1.2"), package("Versionless", "")]
    root = make({"A.csproj": project(*items), "C.cs": USE})

    answer, _ = ask(cli, root, "C.cs")
    text = cli(root, "bindings", "C.cs").out

    assert symbols(answer, "Run") == [RUN]
    assert answer["references"] == {
        "packages": 1,
        "missing": ["Lib 1.0", "Versionless"],
        "standIns": [{"wanted": "Other 1.2", "read": "Other 1.1"}],
        "unread": [],
    }
    assert text.endswith(
        "2 packages not found: restore for exact answers (Lib 1.0, Versionless).\n"
        "Read in place of others: Other 1.1 for Other 1.2.\n"
    )


def test_what_a_package_needs_is_read_and_flows_through_projects(cli, make, nuget):
    needs = '<group targetFramework="net6.0"><dependency id="Lib" version="1.0" /></group>'
    add_package(nuget, "Lib", assembly("P", "Tool", "Run"))
    add_package(nuget, "Top", assembly("T", "Top"), needs=needs)
    reference = '<ProjectReference Include="../Core/Core.csproj" />'
    root = make(
        {
            "Core/Core.csproj": project(package("Top")),
            "App/App.csproj": project(reference),
            "App/C.cs": USE,
        }
    )

    answer, _ = ask(cli, root, "App/C.cs")
    assert symbols(answer, "Run") == [RUN]

    (root / "Core/Core.csproj").write_text(project(package("Top", PrivateAssets="all")))
    answer, _ = ask(cli, root, "App/C.cs")
    assert RUN not in symbols(answer, "Run")


def test_what_a_restore_chose_is_taken(cli, make, nuget, tmp_path):
    add_package(nuget, "Lib", assembly("P", "Tool", "Old"))
    elsewhere = tmp_path / "elsewhere"
    add_package(elsewhere, "Lib/2.0", assembly("P", "Tool", "Run"))
    root = make({"src/A.csproj": project(package("Lib")), "src/C.cs": USE, ".gitignore": "obj/\n"})
    assets = {
        "targets": {"net8.0": {"Lib/2.0": {"type": "package", "compile": {"lib/netstandard2.0/Lib.dll": {}}}}},
        "libraries": {"Lib/2.0": {"path": "lib/2.0"}},
        "packageFolders": {str(elsewhere): {}},
        "project": {"restore": {"projectPath": "/any/A.csproj"}, "frameworks": {"net8.0": {}}},
    }
    write_files(root, {"src/obj/project.assets.json": json.dumps(assets)})

    assert symbols(ask(cli, root, "src/C.cs")[0], "Run") == [RUN]

    assets["project"]["restore"]["projectPath"] = "/any/Other.csproj"
    write_files(root, {"src/obj/project.assets.json": json.dumps(assets)})
    assert RUN not in symbols(ask(cli, root, "src/C.cs")[0], "Run")

    write_files(root, {"src/obj/project.assets.json": "{"})
    answer, err = ask(cli, root, "src/C.cs")
    assert RUN not in symbols(answer, "Run")
    assert err.count("src/obj/project.assets.json is not read") == 1


def test_packages_add_usings(cli, make, nuget):
    targets = '<Project><ItemGroup><Using Include="P" /></ItemGroup></Project>'
    add_package(nuget, "Lib", assembly("P", "Tool", "Run"), files={"build/Lib.targets": targets})
    root = make({"A.csproj": project(package("Lib")), "C.cs": "class C { void M() { Tool.Run(); } }\n"})

    assert symbols(ask(cli, root, "C.cs")[0], "Run") == [RUN]


def test_an_assembly_that_the_repository_builds_is_not_read(cli, make, nuget):
    add_package(nuget, "Lib", assembly("P", "Tool", "Run", "Gone"))
    root = make(
        {
            "Lib/Lib.csproj": project(),
            "Lib/Tool.cs": "namespace P { public static class Tool { public static void Run() { } } }\n",
            "A/A.csproj": project(package("Lib"), '<ProjectReference Include="../Lib/Lib.csproj" />'),
            "A/C.cs": "class C { void M() { P.Tool.Run(); P.Tool.Gone(); } }\n",
        }
    )

    answer, _ = ask(cli, root, "A/C.cs")

    assert symbols(answer, "Run") == [RUN]
    assert symbols(answer, "Gone") in ([], [None])


EXTENSION = (
    "static class E { public static bool Contains(this string text, char c) => true; }\n"
    "class C { bool M() => \"\".Contains('c'); }\n"
)


@pytest.mark.usefixtures("nuget")
def test_each_project_has_its_own_framework(cli, make):
    root = make(
        {
            "Old/Old.csproj": project(tfm="netstandard2.0"),
            "Old/C.cs": EXTENSION,
            "New/New.csproj": project(tfm="net8.0"),
            "New/C.cs": EXTENSION,
        }
    )

    answer, _ = ask(cli, root)
    called = {
        each["file"]: each["symbol"]
        for each in answer["bindings"]
        if each["name"] == "Contains" and each["role"] == "call"
    }

    assert called == {
        "New/C.cs": "M:System.String.Contains(System.Char)",
        "Old/C.cs": "M:E.Contains(System.String,System.Char)",
    }
    assert answer["references"]["standIns"] == []


@pytest.mark.usefixtures("nuget")
def test_sources_are_seen_in_terms_of_the_framework_of_who_sees_them(cli, make):
    root = make(
        {
            "Old/Old.csproj": project(tfm="netstandard2.0"),
            "Old/Text.cs": "public static class Text { public static int Length(string text) => text.Length; }\n",
            "New/New.csproj": project('<ProjectReference Include="../Old/Old.csproj" />'),
            "New/C.cs": 'class C { int M() => Text.Length("".ToUpper()); }\n',
        }
    )

    answer, _ = ask(cli, root)

    assert [each for each in answer["bindings"] if each["label"] != "exact"] == []
    assert symbols(answer, "Length").count("M:Text.Length(System.String)") == 2


@pytest.mark.usefixtures("nuget")
def test_the_nearest_framework_stands_in_for_one_that_is_not_shipped(cli, make):
    root = make({"A.csproj": project(tfm="net9.0"), "C.cs": "class C { string s; }\n"})

    answer, _ = ask(cli, root, "C.cs")

    assert answer["references"]["standIns"] == [{"wanted": "net9.0", "read": "net10.0"}]


@pytest.mark.usefixtures("nuget")
def test_a_pack_of_an_sdk_is_read_for_a_framework_that_is_not_shipped(cli, make, tmp_path, monkeypatch):
    pack = tmp_path / "sdk/packs/Microsoft.NETCore.App.Ref/9.0.2/ref/net9.0"
    pack.mkdir(parents=True)
    (pack / "System.Runtime.dll").write_bytes(assembly("P", "Tool", "Run"))
    monkeypatch.setenv("DOTNET_ROOT", str(tmp_path / "sdk"))
    root = make({"A.csproj": project(tfm="net9.0"), "C.cs": USE})

    answer, _ = ask(cli, root, "C.cs")

    assert symbols(answer, "Run") == [RUN]
    assert answer["references"]["standIns"] == []


LOGGER = "class C { void M(Microsoft.Extensions.Logging.ILogger log) { log.BeginScope(1); } }\n"


@pytest.mark.usefixtures("nuget")
def test_aspnetcore_is_known_where_a_project_refers_to_it(cli, make):
    sdk, frame = "Microsoft.NET.Sdk.Web", '<FrameworkReference Include="Microsoft.AspNetCore.App" />'
    root = make(
        {
            "Web/Web.csproj": project(tfm="net10.0", sdk=sdk),
            "Web/C.cs": LOGGER,
            "Framed/Framed.csproj": project(frame, tfm="net10.0"),
            "Framed/C.cs": LOGGER,
        }
    )
    scope = "M:Microsoft.Extensions.Logging.ILogger.BeginScope``1(``0)"

    assert symbols(ask(cli, root)[0], "BeginScope") == [scope, scope]

    write_files(root, {"Web/Web.csproj": project(tfm="net10.0"), "Framed/Framed.csproj": project(tfm="net10.0")})
    assert scope not in symbols(ask(cli, root)[0], "BeginScope")

    write_files(root, {"Web/Web.csproj": project(package("Microsoft.Extensions.Logging.Abstractions", "8.0.0"))})
    answer, _ = ask(cli, root, "Web/C.cs")
    assert symbols(answer, "BeginScope") == [scope]
    assert answer["references"]["standIns"] == [
        {"wanted": "Microsoft.Extensions.Logging.Abstractions 8.0.0", "read": "Microsoft.AspNetCore.App of net10.0"}
    ]


@pytest.mark.usefixtures("nuget")
def test_the_configuration_names_more_assemblies(cli, make):
    config = "references:\n  assemblies: [lib/*.dll, none/*.dll]\n"
    root = make({"A.csproj": project(), "C.cs": USE, ".codecortex/config.yaml": config, "lib/other.txt": ""})
    (root / "lib/Lib.dll").write_bytes(assembly("P", "Tool", "Run"))

    answer, err = ask(cli, root, "C.cs")

    assert symbols(answer, "Run") == [RUN]
    assert "references.assemblies: none/*.dll names no .dll in the work tree" in err


@pytest.mark.usefixtures("nuget")
def test_assemblies_are_read_that_a_project_names_by_their_files(cli, make):
    hint = '<Reference Include="Lib"><HintPath>..\\lib\\Lib.dll</HintPath></Reference>'
    root = make({"A/A.csproj": project(hint), "A/C.cs": USE, "B/B.csproj": project(), "B/D.cs": USE})
    (root / "lib").mkdir()
    (root / "lib/Lib.dll").write_bytes(assembly("P", "Tool", "Run"))

    assert symbols(ask(cli, root, "A/C.cs")[0], "Run") == [RUN]
    assert symbols(ask(cli, root, "B/D.cs")[0], "Run") != [RUN]


@pytest.mark.usefixtures("nuget")
@pytest.mark.parametrize("glob", ["/lib/*.dll", "../lib/*.dll", "lib/../../*.dll", "c:/lib/*.dll"])
def test_the_configuration_names_nothing_above_the_root(cli, make, glob):
    config = f"references:\n  assemblies: ['{glob}']\n"
    root = make({"A.csproj": project(), "C.cs": USE, ".codecortex/config.yaml": config})

    assert "references.assemblies" in cli(root, "bindings", "C.cs").err


def test_a_second_question_reads_no_assembly(cli, make, nuget):
    library = add_package(nuget, "Lib", assembly("P", "Tool", "Run"))
    root = make({"A.csproj": project(package("Lib")), "C.cs": USE})
    first, _ = ask(cli, root, "C.cs")
    state = library.stat()

    library.write_bytes(bytes(state.st_size))
    os.utime(library, ns=(state.st_atime_ns, state.st_mtime_ns))
    second, err = ask(cli, root, "C.cs")
    assert (second, err) == (first, "")

    library.write_bytes(assembly("P", "Tool", "Ran"))
    os.utime(library, ns=(state.st_atime_ns, state.st_mtime_ns + 1))
    third, _ = ask(cli, root, "C.cs")
    assert RUN not in symbols(third, "Run")


def test_what_is_committed_rests_on_what_is_shipped(make, nuget):
    add_package(nuget, "Lib", assembly("P", "Tool", "Run"))
    root = make({"A.csproj": project(package("Lib")), "C.cs": USE})
    with Workspace(Request(root)) as workspace:
        sources = declare_sources(workspace, ["C.cs"])
        bound = sources.program.bind(sources.files["C.cs"][0])

    assert RUN not in {each.binding.symbol for each in bound.bindings}
    assert sources.report.read == 0
    assert sources.report.missing == ("Lib 1.0",)


def test_damaged_assemblies_are_skipped_with_one_warning(cli, make, nuget):
    """500 mutants of an assembly, beside one that is whole: a question is answered, whatever they hold."""
    whole = assembly("Q", "Tool", "Run", parameter=(STRING,))
    chance = random.Random(7)  # noqa: S311 - for a test
    items = [package("Whole")]
    add_package(nuget, "Whole", assembly("P", "Tool", "Run"))
    for number in range(500):
        mutant = bytearray(whole)
        for _ in range(chance.randint(1, 8)):
            mutant[chance.randrange(len(mutant))] = chance.randrange(256)
        add_package(nuget, f"M{number}", bytes(mutant[: chance.choice((len(mutant), chance.randrange(len(mutant))))]))
        items.append(package(f"M{number}"))
    root = make({"A.csproj": project(*items), "C.cs": USE})
    began = time.process_time()

    answer, err = ask(cli, root, "C.cs")

    assert symbols(answer, "Run") == [RUN]
    assert answer["references"]["packages"] == 501
    assert len(answer["references"]["unread"]) > 100
    assert len([line for line in err.splitlines() if "not read" in line]) == 1
    assert time.process_time() - began < 30


def test_a_damaged_index_in_the_cache_is_made_anew(cli, make, nuget):
    add_package(nuget, "Lib", assembly("P", "Tool", "Run"))
    root = make({"A.csproj": project(package("Lib")), "C.cs": USE})
    first, _ = ask(cli, root, "C.cs")
    cache = root / ".git/codecortex/cache.sqlite"
    data = cache.read_bytes()
    assert b"CCINDEX1" in data
    cache.write_bytes(data.replace(b"CCINDEX1", b"CCINDEX0"))

    assert ask(cli, root, "C.cs")[0] == first


@pytest.mark.usefixtures("nuget")
@pytest.mark.parametrize("said", ["item", "attribute"])
def test_of_two_internal_types_of_a_name_the_one_that_may_be_seen_is_meant(cli, make, said):
    text = "namespace P { internal static class Tool { public static void {}() { } } }\n"
    item = '<InternalsVisibleTo Include="App" />' if said == "item" else ""
    attribute = '[assembly: System.Runtime.CompilerServices.InternalsVisibleTo("App")]\n' if said != "item" else ""
    seen = (
        '<ProjectReference Include="../First/First.csproj" />',
        '<ProjectReference Include="../Next/Next.csproj" />',
    )
    root = make(
        {
            "First/First.csproj": project(),
            "First/Tool.cs": text.replace("{}", "Walk"),
            "Next/Next.csproj": project(item),
            "Next/Tool.cs": attribute + text.replace("{}", "Run"),
            "App/App.csproj": project(*seen),
            "App/C.cs": USE,
        }
    )

    assert symbols(ask(cli, root, "App/C.cs")[0], "Run") == [RUN]
