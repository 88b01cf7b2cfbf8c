"""Bindings that are kept equal those made anew, whatever is edited between; only what an edit bears on is bound.

Names are few, so that edits meet: types, members and extensions come, go and change what others mean.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from codecortex.analysis.binding.bind import Program
from codecortex.model.errors import CodecortexError
from codecortex.operations.bindings.bindings import bindings
from codecortex.operations.bindings.kept import KeptBindings
from codecortex.operations.bindings.memory import bind_deep
from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.request import Request
from codecortex.operations.usages import search
from codecortex.operations.usages.usages import UsageQuery, usages

PROJECT = (
    '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net10.0</TargetFramework>{}</PropertyGroup>'
    "<ItemGroup>{}</ItemGroup></Project>"
)
LIBRARY, PROGRAM = "Lib/Lib.csproj", "App/App.csproj"
REFERENCE = '<ProjectReference Include="../Lib/Lib.csproj" />'
FILES = ("Lib/A.cs", "Lib/B.cs", "Lib/C.cs", "App/D.cs", "App/E.cs", "App/F.cs")
MEMBERS = (
    "public int M{n}(T{t} x) => {n};",
    "public int M{n}(object x) {{ return {n}; }}",
    "internal long M{n}(int x, params T{t}[] y) => x;",
    "public T{t} P{n} {{ get; set; }}",
    "protected virtual T{t}? Q{n}() => null;",
    "public override string ToString() => P{n}.ToString();",
    'public const string P{n} = "a";',
    "public class T{t} {{ public T{n} M0() => null; }}",
    "public static implicit operator T{t}(T{n} x) => null;",
    "void F{n}() {{ var v = new T{t}(); v.M{n}(v); v.M0(1, v).E0(); v.P0.E{n}(M1(v)); T{n}.S0(); K.L(); }}",
    "int G{n} => P0.M{n}(new()) + M0(P1) + S0(x => x.M0(null)) + this.E{n}();",
    "static int S{n}(System.Func<T{t}, int> f) => f(new A());",
)
BODIES = (
    ("=> x;", "=> x + 0;"),
    ("v.P0.E", "v.E"),
    ("=> null;", "{ return null; }"),
    ("{ return ", "{ var y = "),
    ("M0(P1)", "M1(P0)"),
    ('= "a"', '= "b"'),
    ("{ get; set; }", "{ get; init; }"),
    ("(object x)", "(object? x = null)"),
)
EXTENSIONS = "public static int E{n}(this T{t} x, int n = {n}) => x.M{n}(null);"
USINGS = (
    "using N0;",
    "using N1;",
    "using static N0.T{t};",
    "using A = N1.T{t};",
    "global using N{n};",
    "global using K = N0.T{t};",
    "using Missing.Space;",
)
HEADS = (
    "public class T{t}",
    "public class T{t} : T{n}",
    "internal class T{t} : N1.T{n}",
    "public partial class T{t}",
    "file class T{t}",
    "public struct T{t}",
    "public record T{t}(T{n} P0)",
    "public interface T{t}",
    "public class T{t}<T> where T : T{n}",
    "public class T{t} : T{n}<T{t}.T{n}>",
)
ASKED = ("N0.T0", "N0.T0.M0", "N1.T1.P0")
numbers = st.integers(0, 2)


@st.composite
def sources(draw: st.DrawFn) -> str:
    """A file."""

    def some(texts: tuple[str, ...], most: int) -> list[str]:
        chosen = draw(st.lists(st.sampled_from(texts), max_size=most))
        return [each.format(n=draw(numbers), t=draw(numbers)) for each in chosen]

    lines = sorted(some(USINGS, 3), key=lambda each: not each.startswith("global"))
    if draw(st.integers(0, 9)) == 0:
        return "\n".join([*lines, "System.Console.WriteLine(new T0().M0(null)); class Program { }"])
    lines.append(f"namespace N{draw(st.integers(0, 1))};")
    for head in some(HEADS, 3):
        lines += [head, "{", *some(MEMBERS, 4), "}"]
    if draw(st.booleans()):
        lines += [f"static class X{draw(numbers)}", "{", *some((EXTENSIONS,), 3), "}"]
    return "\n".join(lines)


class Edits(RuleBasedStateMachine):
    """A repository that is edited."""

    @initialize()
    def make(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name)
        subprocess.run(["git", "init", "--quiet", self.root], check=True)
        self.write(LIBRARY, PROJECT.format("", ""))
        self.write(PROGRAM, PROJECT.format("", REFERENCE))
        self.write(FILES[0], "namespace N0; public class T0 { public int M0(object o) => 1; public T0 P0; }")
        self.write(FILES[3], "using N0; class D { int F(T0 t) => t.P0.M0(t); }")

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            self.folder.cleanup()

    def write(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, "utf-8")
        subprocess.run(["git", "-C", self.root, "add", "--all"], check=True)

    @rule(path=st.sampled_from(FILES), text=sources())
    def rewrite(self, path: str, text: str) -> None:
        self.write(path, text)

    @rule(path=st.sampled_from(FILES), text=sources())
    def add_to(self, path: str, text: str) -> None:
        """More types at the end of a file, in its own namespace."""
        file = self.root / path
        if file.exists() and "namespace" in text:
            self.write(path, file.read_text("utf-8") + "\n" + text.partition(";\n")[2].partition("namespace")[2][3:])

    @rule(path=st.sampled_from(FILES), old=numbers, new=numbers)
    def renumber(self, path: str, old: int, new: int) -> None:
        file = self.root / path
        if file.exists():
            self.write(path, file.read_text("utf-8").replace(f"M{old}", f"M{new}"))

    @rule(path=st.sampled_from(FILES), line=st.sampled_from((*MEMBERS, EXTENSIONS)), n=numbers, t=numbers)
    def toggle_member(self, path: str, line: str, n: int, t: int) -> None:
        """One more member of the first type of a file, or one less."""
        file = self.root / path
        if file.exists():
            lines, wanted = file.read_text("utf-8").split("\n"), line.format(n=n, t=t)
            if wanted in lines:
                lines.remove(wanted)
            elif "{" in lines:
                lines.insert(lines.index("{") + 1, wanted)
            self.write(path, "\n".join(lines))

    @rule(path=st.sampled_from(FILES), change=st.sampled_from(BODIES))
    def change_bodies(self, path: str, change: tuple[str, str]) -> None:
        """Other bodies, and perhaps the same declarations."""
        file = self.root / path
        if file.exists():
            self.write(path, file.read_text("utf-8").replace(*change))

    @rule(path=st.sampled_from(FILES))
    def remove(self, path: str) -> None:
        (self.root / path).unlink(missing_ok=True)
        subprocess.run(["git", "-C", self.root, "add", "--all"], check=True)

    @rule(
        version=st.sampled_from(("", "<LangVersion>9</LangVersion>")),
        item=st.sampled_from(("", '<Using Include="N1" />', '<InternalsVisibleTo Include="App" />')),
    )
    def configure(self, version: str, item: str) -> None:
        self.write(LIBRARY, PROJECT.format(version, item))
        self.write(PROGRAM, PROJECT.format(version, REFERENCE + item))

    @invariant()
    def kept_is_fresh(self) -> None:
        if hasattr(self, "root"):
            assert bind_all(self.root) == bind_all(self.root, caches=False)

    @invariant()
    def usages_are_those_of_a_first_question(self) -> None:
        for symbol in ASKED if hasattr(self, "root") else ():
            assert find_usages(self.root, symbol) == find_usages(self.root, symbol, caches=False), symbol


def bind_all(root: Path, **settings: bool) -> tuple[list, ...]:
    with Workspace(Request(root, **settings)) as workspace:
        if not workspace.tree.sources.sources:
            return ()
        found = bindings(workspace, ())
    return tuple(found.rows), found.degraded, found.truncated


def find_usages(root: Path, symbol: str, **settings: bool) -> object:
    """What `usages` answers; of what is no symbol, or several, the message."""
    with Workspace(Request(root, **settings)) as workspace:
        try:
            found = usages(workspace, UsageQuery(symbol))
        except CodecortexError as problem:
            return problem.message
    return found.rows, found.totals, found.unread


TestEdits = Edits.TestCase
# The same examples each time, so that a change is judged by itself; others where CODECORTEX_EDITS says how many.
TestEdits.settings = settings(
    derandomize="CODECORTEX_EDITS" not in os.environ,
    max_examples=int(os.environ.get("CODECORTEX_EDITS", "4")),
    stateful_step_count=10,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


@pytest.mark.law
@pytest.mark.parametrize(
    "files",
    [
        {FILES[0]: "using N0; using static N0.T0; namespace N0; public class T0 : T1 { }"},  # asks itself for its base
        {FILES[2]: "namespace N0; public record T2(T0 P0) { }", FILES[1]: "namespace N0; public record T2(T0 P0) { }"},
    ],
    ids=["a base that the type itself would tell", "two lists of positional parameters"],
)
def test_it_does_not_matter_who_is_bound_first(files):
    edits = Edits()
    edits.make()
    for path, text in files.items():
        edits.kept_is_fresh()
        edits.write(path, text)
    edits.kept_is_fresh()
    edits.teardown()


# -- how much is bound

SHOP = {
    "Base.cs": "namespace Shop; public class Base { public virtual int Size => 1; public void Take(object o) { } }",
    "Order.cs": "namespace Shop; public class Order : Base { public string Key; public void Send(int n) { } }",
    "More.cs": "namespace Shop; public static class More { public static Order Twice(this Order o) { return o; } }",
    "Other.cs": "namespace Other; public class Nothing { void F() { System.Console.WriteLine(Missing); } }",
    "Use.cs": "using Shop; class User { int F(Order o) { o.Twice().Take(1); o.Send(2); return o.Size; } }",
    "Sole.cs": "class Sole { int F(Shop.Order o) => o.Size; }",
    "Shop.csproj": PROJECT.format("", ""),
}


@pytest.fixture
def count(repo, git):
    """Edits a file, if it is told how; gives the answer and how many files were bound for it."""

    def run(path="", old="", new=""):
        if path:
            text = (repo / path).read_text("utf-8") if (repo / path).exists() else ""
            assert old in text
            (repo / path).write_text(text.replace(old, new) if old else new, "utf-8")
        git(repo, "add", "--all")
        with Workspace(Request(repo)) as workspace, bind_deep():
            sources = workspace.tree.sources.sources
            kept = KeptBindings(workspace, sources)
            keys = [(each, kept.plan.files[each][0]) for each in sorted(sources)]
            assert all(bound is not None for _, bound in kept.bind(keys))
            return kept.engine.built.get("bindings", 0)

    return run


@pytest.fixture
def shop(repo, count):
    for each in repo.rglob("*.cs"):
        each.unlink()
    for path, text in SHOP.items():
        (repo / path).write_text(text, "utf-8")
    assert count() == 6
    return repo


@pytest.mark.usefixtures("shop")
def test_what_has_not_changed_is_not_bound_again(count):
    assert count() == 0


@pytest.mark.usefixtures("shop")
def test_a_body_binds_its_file_alone(count):
    assert count("More.cs", "return o;", "return (o);") == 1


@pytest.mark.parametrize(
    ("edit", "bound"),
    [
        (("Order.cs", "Send(int n)", "Send(long n)"), 2),  # itself, and who calls it
        (("Order.cs", "string Key", "int Key"), 1),
        (("Base.cs", "int Size", "long Size"), 3),
        (("More.cs", "Twice(", "Thrice("), 2),
        (("Order.cs", ": Base", ""), 4),  # and who names it
        (("New.cs", "", "namespace Other; public static class Missing { }"), 2),  # who looked for it in vain
        (("New.cs", "", "namespace Other; public static class Unheard { }"), 1),
        (("Shop.csproj", "<ItemGroup>", '<ItemGroup><Using Include="Shop" />'), 6),
    ],
)
@pytest.mark.usefixtures("shop")
def test_a_declaration_binds_the_files_that_asked_for_it(count, edit, bound):
    assert count(*edit) == bound


@pytest.mark.usefixtures("shop")
def test_what_comes_back_is_not_bound_again(count):
    count("Base.cs", "int Size", "long Size")
    assert count("Base.cs", "long Size", "int Size") == 0


@pytest.fixture
def ask_usages(repo, git, monkeypatch):
    """Edits a file, if it is told how; gives the files where usages are sought, and the names looked up for it."""

    def run(path="", old="", new=""):
        if path:
            text = (repo / path).read_text("utf-8")
            assert old in text
            (repo / path).write_text(text.replace(old, new), "utf-8")
        git(repo, "add", "--all")
        searched, looked_up = set(), set()
        with monkeypatch.context() as patch:
            pack, digest = search.pack_file, Program.digest
            patch.setattr(search, "pack_file", lambda found: (
                searched.update(row.file for row in found.rows), pack(found))[1])  # fmt: skip
            patch.setattr(Program, "digest", lambda program, project, asked: (
                looked_up.add(asked.name), digest(program, project, asked))[1])  # fmt: skip
            with Workspace(Request(repo)) as workspace:
                usages(workspace, UsageQuery("Shop.Base.Size"))
        return searched, looked_up

    return run


@pytest.mark.usefixtures("shop")
def test_after_a_body_only_its_file_is_searched_and_only_its_names_are_looked_up(ask_usages):
    searched, _ = ask_usages()
    assert searched == {"Base.cs", "Sole.cs", "Use.cs"}
    assert ask_usages() == (set(), set())
    searched, names = ask_usages("Sole.cs", "=> o.Size", "=> o.Size + 1")
    assert searched == {"Sole.cs"}
    assert "Take" not in names


@pytest.mark.usefixtures("shop")
def test_after_a_member_the_names_of_its_readers_are_looked_up(ask_usages):
    ask_usages()
    searched, names = ask_usages("Base.cs", "Take(object o)", "Take(object o, int n = 1)")
    assert searched == {"Base.cs", "Use.cs"}
    assert {"Take", "Twice"} <= names  # of `Use.cs`, which calls it


@pytest.mark.usefixtures("shop")
def test_after_a_member_that_nobody_reads_no_name_of_others_is_looked_up(ask_usages):
    ask_usages()
    searched, names = ask_usages("Order.cs", "string Key", "int Key")
    assert searched == set()
    assert "Twice" not in names


@pytest.mark.usefixtures("shop")
def test_after_a_declaration_the_files_in_which_names_mean_something_else_are_searched(ask_usages):
    ask_usages()
    searched, _ = ask_usages("Order.cs", "string Key", "int Size")
    assert searched == {"Order.cs", "Sole.cs", "Use.cs"}
