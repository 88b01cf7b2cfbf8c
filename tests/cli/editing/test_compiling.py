"""An edit is compiled where a compiler is at hand and the user allows it; else the answer says why it was not."""

import json
import os
import re
import shutil
import subprocess
import sys

import pytest

PROJECT = """<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup>
<TargetFramework>net10.0</TargetFramework></PropertyGroup>%s</Project>
"""
CONFIG = ".codecortex/config.yaml"


@pytest.fixture(autouse=True)
def _own_state(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture
def sdk(monkeypatch, tmp_path):
    """Put a program in place of `dotnet` that does what a script says; it leaves a line for every time it ran."""

    def put(script):
        folder = tmp_path / "sdk"
        (folder / "sdk" / "10.0.100" / "Roslyn" / "bincore").mkdir(parents=True, exist_ok=True)
        (folder / "sdk" / "10.0.100" / "Roslyn" / "bincore" / "csc.dll").touch()
        program = folder / "dotnet"
        ran = tmp_path / "ran.txt"
        program.write_text(f'#!/bin/sh\necho "$1" >> "{ran}"\n{script}\n')
        program.chmod(0o755)
        monkeypatch.setenv("DOTNET_ROOT", str(folder))
        return lambda: ran.read_text().split() if ran.exists() else []

    return put


@pytest.fixture
def shop(repo, git):
    (repo / "App.csproj").write_text(PROJECT % "")
    (repo / "a.cs").write_text("class Old { }\n")
    git(repo, "add", ".")
    return repo


def rename(cli, repo, *words):
    return json.loads(cli(repo, "refactor", "rename", "T:Old", "New", "--json", *words).out)


posix = pytest.mark.skipif(sys.platform == "win32", reason="stands in for `dotnet` with a script of the shell")


@posix
def test_nothing_is_built_that_the_user_has_not_allowed(shop, cli, sdk):
    ran = sdk("echo 10.0.100")
    answer = rename(cli, shop)
    assert (answer["state"], answer["compiled"]["done"]) == ("planned", False)
    assert "codecortex trust --build" in answer["compiled"]["why"]
    assert cli(shop, "trust", "--build").code == 0
    assert rename(cli, shop)["compiled"]["why"] != answer["compiled"]["why"]
    count = len(ran())
    assert count
    evil = "<Target Name='Evil' BeforeTargets='Compile'><Exec Command='x'/></Target>"
    (shop / "App.csproj").write_text(PROJECT % evil)
    assert rename(cli, shop)["compiled"] == answer["compiled"]
    assert len(ran()) == count
    assert cli(shop, "trust", "--build").code == 0
    (shop / "obj").mkdir()
    (shop / "obj/App.csproj.more.targets").write_text(PROJECT % evil)
    assert rename(cli, shop)["compiled"] == answer["compiled"]
    assert len(ran()) == count
    assert cli(shop, "trust", "--build").code == 0
    assert cli(shop, "trust", "--revoke").code == 0
    assert rename(cli, shop)["compiled"] == answer["compiled"]


SAID = {
    "no SDK of the version that is asked for": (
        "echo Requested SDK version: 11.0.100; exit 145",
        "11.0.100, which is not",
    ),
    "an SDK that is too old": ("echo 5.0.400", "5.0.400 is too old"),
    "packages that are not restored": (
        "[ $1 = --version ] && echo 10.0.100 && exit; echo 'a.targets(2,5): error NETSDK1004: Assets file [x]'; exit 1",
        "App.csproj are not restored. Run `dotnet restore App.csproj`",
    ),
    "a project that cannot be evaluated": (
        "[ $1 = --version ] && echo 10.0.100 && exit; echo 'p(1,1): error MSB4019: not found'; exit 1",
        "MSBuild cannot evaluate App.csproj: MSB4019",
    ),
    "a build that hangs": (
        "[ $1 = --version ] && echo 10.0.100 && exit; sleep 600",
        "took too long",
    ),
}


@pytest.mark.slow
@posix
@pytest.mark.parametrize("case", SAID)
def test_the_answer_says_why_nothing_was_compiled(shop, cli, sdk, case):
    script, said = SAID[case]
    (shop / ".codecortex").mkdir()
    seconds = 2 if case == "a build that hangs" else 300
    (shop / CONFIG).write_text(f"edit:\n  compileSeconds: {seconds}\n")
    sdk(script)
    assert cli(shop, "trust", "--build").code == 0
    answer = rename(cli, shop)
    assert (answer["state"], answer["compiled"]["done"]) == ("planned", False)
    assert said in answer["compiled"]["why"]
    (shop / CONFIG).write_text(f"edit:\n  compileSeconds: {seconds}\n  compile: required\n")
    refused = rename(cli, shop, "--write")
    assert refused["error"]["code"] == "EditRefused"
    assert said in refused["error"]["message"]
    assert (shop / "a.cs").read_text() == "class Old { }\n"


def test_without_an_sdk_the_edit_goes_on(shop, cli, monkeypatch, tmp_path):
    folders = os.environ["PATH"].split(os.pathsep)
    kept = [each for each in folders if not shutil.which("dotnet", path=each)]
    monkeypatch.setenv("PATH", os.pathsep.join(kept))
    monkeypatch.setenv("DOTNET_ROOT", str(tmp_path / "nowhere"))
    assert cli(shop, "trust", "--build").code == 0
    answer = rename(cli, shop, "--write")
    assert (answer["state"], answer["compiled"]["done"]) == ("done", False)
    assert answer["compiled"]["why"].startswith("There is no .NET SDK here.")


@posix
def test_more_projects_than_are_compiled_are_told(shop, cli, sdk, git):
    sdk("echo 10.0.100")
    for number in range(60):
        (shop / f"p{number}").mkdir()
        using = "<ItemGroup><ProjectReference Include='../App.csproj'/></ItemGroup>"
        (shop / f"p{number}" / f"P{number}.csproj").write_text(PROJECT % using)
    git(shop, "add", ".")
    assert cli(shop, "trust", "--build").code == 0
    assert rename(cli, shop)["compiled"]["why"].startswith("61 projects depend on it; 60 are compiled at most.")


def test_off_is_off(shop, cli):
    (shop / ".codecortex").mkdir()
    (shop / CONFIG).write_text("edit:\n  compile: off\n")
    assert rename(cli, shop)["compiled"] == {"done": False, "why": "edit.compile is off"}


# -- with a real SDK


def find_framework():
    """The target framework of the SDK on this machine; None without one."""
    root = os.environ.get("DOTNET_ROOT", "")
    program = shutil.which("dotnet", path=root) or shutil.which("dotnet")
    if program is None:
        return None
    done = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    found = re.match(r"(\d+)\.(\d+)\.", done.stdout)
    return f"net{found[1]}.{found[2]}" if found and int(found[1]) >= 8 else None


@pytest.fixture(scope="module")
def framework():
    found = find_framework()
    if found is None:
        pytest.skip("there is no .NET SDK on PATH or in DOTNET_ROOT")
    return found


HIDDEN = """<ItemGroup><ProjectReference Include="../Lib/Lib.csproj"/></ItemGroup>
<Target Name="Hide" BeforeTargets="CoreCompile"><ItemGroup><Compile Include="hidden.txt"/></ItemGroup></Target>
"""
FILES = {
    "Lib/Lib.csproj": PROJECT % "",
    "Lib/Tool.cs": "public class Tool { public int Go() => 1; public int Stay => 2; }\n",
    "App/App.csproj": PROJECT % HIDDEN,
    "App/hidden.txt": "class Maker { public static Tool Make() => new(); public static Other Some() => new(); }\n"
    "class Other { public int Go() => 3; }\n",
    "App/Use.cs": "class Use { int A() => new Tool().Go(); int B() => Maker.Make().Go(); "
    "int C() => Maker.Some().Go();\nint D(dynamic tool) => tool.Go(); int E() => Maker.Make().Stay; }\n",
}


def test_the_compiler_judges_and_completes_edits(tmp_path, git, cli, framework):
    root = tmp_path / "repo"
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text.replace("net10.0", framework))
    git(root, "init", "--quiet")
    (root / ".gitignore").write_text("obj/\n")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "one")
    program = shutil.which("dotnet", path=os.environ.get("DOTNET_ROOT", "")) or shutil.which("dotnet")
    (tmp_path / "none").mkdir()
    words = [program, "restore", "App/App.csproj", "--source", str(tmp_path / "none"), "-p:NuGetAudit=false"]
    restored = subprocess.run(words, cwd=root, capture_output=True, text=True, check=False)
    if restored.returncode:
        pytest.skip(f"the SDK cannot restore a project without packages: {restored.stdout[-200:]}")
    assert cli(root, "trust", "--build").code == 0

    removed = json.loads(cli(root, "refactor", "member", "remove", "Tool.Stay", "--write", "--json").out)
    assert removed["error"]["code"] == "EditRefused"
    assert "App/Use.cs:2:59: CS1061" in removed["error"]["message"]
    assert (root / "Lib/Tool.cs").read_text() == FILES["Lib/Tool.cs"]

    answer = json.loads(cli(root, "refactor", "rename", "Tool.Go", "Run", "--json").out)
    assert answer["compiled"]["projects"] == [f"Lib/Lib.csproj ({framework})", f"App/App.csproj ({framework})"]
    edited = [(each["file"], each["line"], each["column"]) for each in answer["edits"]]
    assert edited == [("App/Use.cs", 1, 35), ("App/Use.cs", 1, 65), ("Lib/Tool.cs", 1, 32)]
    # what is dynamic compiles under either name: only people can tell
    assert [(each["line"], each["column"]) for each in answer["candidates"]] == [(2, 29)]
    assert answer["state"] == "choose"
