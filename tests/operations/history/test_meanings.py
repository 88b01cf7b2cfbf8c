"""What the command `changes` says of names that mean another type, and of other spellings of the same."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from codecortex.cli.main import main

Git = Callable[..., str]
Capture = pytest.CaptureFixture[str]
TYPES = "namespace NA { public class T { } } namespace NB { public class T { } }"
PROJECT = "<Project Sdk='Microsoft.NET.Sdk'><PropertyGroup><TargetFramework>net8.0</TargetFramework>{}</Project>"
PLAIN = PROJECT.format("</PropertyGroup>")
USER = "namespace NC { public class C { public T M() => null; } }"
BODY = "namespace NC { public class C { public int M() { new T(); return 1; } } }"
HIDDEN = "namespace NC { public class C { int M() { new T(); return 1; } } }"

Files = dict[str, str]
CASES: dict[str, tuple[Files, Files, str | None]] = {
    "a using directive that makes a name mean another type": (
        {"c.cs": "using NA; " + USER}, {"c.cs": "using NB; " + USER}, "Structure"),
    "the target of an alias": ({"c.cs": "using T = NA.T; " + USER}, {"c.cs": "using T = NB.T; " + USER}, "Structure"),
    "a global using of another file": (
        {"g.cs": "global using NA;", "c.cs": USER}, {"g.cs": "global using NB;"}, "Structure"),
    "a using of the project": (
        {"p.csproj": PROJECT.format("</PropertyGroup><ItemGroup><Using Include='NA'/></ItemGroup>"), "c.cs": USER},
        {"p.csproj": PROJECT.format("</PropertyGroup><ItemGroup><Using Include='NB'/></ItemGroup>")}, "Structure"),
    "a using directive of the framework": (
        {"c.cs": "using System.Timers; " + USER.replace("T M", "Timer M")},
        {"c.cs": "using System.Threading; " + USER.replace("T M", "Timer M")}, "Structure"),
    "a using directive of what a visible body names": (
        {"c.cs": "using NA; " + BODY}, {"c.cs": "using NB; " + BODY}, "PublicBehavior"),
    "a using directive of what a hidden body names": (
        {"c.cs": "using NA; " + HIDDEN}, {"c.cs": "using NB; " + HIDDEN}, "Internal"),
    "a global using of what a body names": (
        {"g.cs": "global using NA;", "c.cs": BODY}, {"g.cs": "global using NB;"}, "PublicBehavior"),
    "a using directive of a name that only one tree knows": (
        {"c.cs": "using System; " + USER.replace("T M", "Uri M")}, {"c.cs": USER.replace("T M", "Uri M")}, None),
    "a nullable project": (
        {"p.csproj": PLAIN, "c.cs": "using NA; " + USER},
        {"p.csproj": PROJECT.format("<Nullable>enable</Nullable></PropertyGroup>")}, "Structure"),
    "a qualified name": ({"c.cs": "using NA; " + USER}, {"c.cs": USER.replace("T M", "NA.T M")}, None),
    "spaces in a hole": (
        {"c.cs": 'class C { public string M(int a) => $"{a}"; }'},
        {"c.cs": 'class C { public string M(int a) => $"{ a }"; }'}, "Cosmetic"),
    "a space before an initialiser's bracket": (
        {"c.cs": "class C { public C(int a) { } public C() : this(1) { } }"},
        {"c.cs": "class C { public C(int a) { } public C() : this (1) { } }"}, "Cosmetic"),
    "the lines of a documentation comment": (
        {"c.cs": "/// <summary>A b.</summary>\nclass C { }"},
        {"c.cs": "/// <summary>\n/// A b.\n/// </summary>\nclass C { }"}, "Cosmetic"),
    "a local function of a visible member": (
        {"c.cs": "class C { public int M() { int L() => 1; return L(); } }"},
        {"c.cs": "class C { public int M() { int L() => 2; return L(); } }"}, "PublicBehavior"),
    "a body taken from an interface's member": (
        {"c.cs": "interface C { void M() { } }"}, {"c.cs": "interface C { void M(); }"}, "Structure"),
    "another name for an override that a sealed class hides": (
        {"c.cs": "public sealed class C { protected internal override int M() => 1; }"},
        {"c.cs": "public sealed class C { protected internal override int N() => 1; }"}, "PublicBehavior"),
    "an override that a sealed class hides, made internal": (
        {"c.cs": "public sealed class C { protected internal override int M() => 1; }"},
        {"c.cs": "public sealed class C { internal override int M() => 1; }"}, "PublicBehavior"),
    "the type of a member without a body that a sealed class hides": (
        {"c.cs": "public sealed class C { protected extern int M(); }"},
        {"c.cs": "public sealed class C { protected extern long M(); }"}, "PublicBehavior"),
    "another name for an override that others see": (
        {"c.cs": "public class C { protected internal override int M() => 1; }"},
        {"c.cs": "public class C { protected internal override int N() => 1; }"}, "Structure"),
    "MethodImpl": (
        {"c.cs": "class C { public void M() { } }"},
        {"c.cs": "class C { [MethodImpl(MethodImplOptions.NoInlining)] public void M() { } }"}, "Internal"),
    "a comment in the head of an extension block": (
        {"c.cs": "static class C { extension(string s) { public int M() => 1; } }"},
        {"c.cs": "static class C { extension(/* it */ string s) { public int M() => 1; } }"}, "Cosmetic"),
    "the structure of a type in an attribute's typeof": (
        {"d.cs": "public class D { }", "c.cs": "[X(typeof(D))] class C { }"},
        {"d.cs": "public class D { public int A; }"}, "Structure-Dependency"),
    "a type of another source that hides the one that is meant": (
        {"c.cs": "using NA; " + USER}, {"d.cs": "namespace NC { public class T { } }"}, "Structure"),
    "a type of another source that hides one of the framework": (
        {"c.cs": "using System; " + USER.replace("T M", "Uri M")},
        {"d.cs": "namespace NC { public class Uri { } }"}, "Structure"),
    "a type of another source that nothing names": (
        {"c.cs": "using NA; " + USER}, {"d.cs": "namespace NC { public class U { } }"}, None),
    "a type with another arity": (
        {"c.cs": "using NA; " + USER}, {"d.cs": "namespace NC { public class T<A> { } }"}, None),
    "a type that goes to another source": (
        {"c.cs": "using NA; " + USER, "d.cs": "namespace NC { public class U { } }"},
        {"c.cs": "using NA; " + USER + " namespace NC { public class U { } }", "d.cs": ""}, None),
    "a body beside a type that comes": (
        {"c.cs": "namespace NC { public class C { public int M() => 1; } }"},
        {"c.cs": "namespace NC { public class U { } public class C { public int M() => 2; } }"}, "PublicBehavior"),
    "a base of a record that another source changes": (
        {"c.cs": "namespace NC { public record C(int A) : B; }", "d.cs": "namespace NC { public record B { } }"},
        {"d.cs": "namespace NC { public record B { public int A; } }"}, "Structure"),
}  # fmt: skip


def compare(capsys: Capture, root: Path, git: Git, before: Files, after: Files) -> dict[str, Any]:
    git(root, "init", "--quiet")
    for files in (before, after):
        for name, text in files.items():
            (root / name).write_text(text + "\n")
        git(root, "add", ".")
        git(root, "commit", "--quiet", "-m", "step")
    capsys.readouterr()
    told = []
    for _ in ("compared", "kept"):
        assert main(["-C", str(root), "changes", "HEAD~1..HEAD", "--json"]) == 0
        told.append(json.loads(capsys.readouterr().out))
    assert told[0] == told[1]
    return told[0]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_class_of_a_change_goes_by_meaning(capsys: Capture, tmp_path: Path, git: Git, case: str) -> None:
    before, after, expected = CASES[case]
    told = compare(capsys, tmp_path, git, {"t.cs": TYPES, **before}, after)
    classes = {change["fqn"].rpartition(".")[2]: change for change in told["changes"]}
    assert (classes["C"]["changeClass"] if "C" in classes else None) == expected
    assert all(change["degraded"] is None for change in classes.values())
    assert "T" not in classes or case == "a nullable project" or expected is None or "hides" in case
    assert main(["-C", str(tmp_path), "diff", "C", "HEAD~1..HEAD", "--json"]) == 0
    change = json.loads(capsys.readouterr().out)["change"]
    assert (change["changeClass"] if change is not None else None) == (
        classes["C"]["ownClass"] if "C" in classes else None
    )


def test_another_assembly_name_is_told_and_changes_no_type(capsys: Capture, tmp_path: Path, git: Git) -> None:
    after = {"p.csproj": PROJECT.format("<AssemblyName>Other</AssemblyName></PropertyGroup>")}
    told = compare(capsys, tmp_path, git, {"p.csproj": PLAIN, "c.cs": "class C { }"}, after)
    assert told["changes"] == []
    assert told["assemblies"] == [{"project": "p.csproj", "before": "p", "after": "Other"}]
