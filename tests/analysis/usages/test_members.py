"""What a name means where it stands.

In the sources of these tests a place is written `<=X>` where the symbol is surely meant, `<~X>` where only its name
speaks, `<!X>` where it is declared, and `<-X>` where something else is surely meant.
"""

import re

import pytest

from codecortex.analysis.types.symbol_table import Declared, SymbolTable
from codecortex.analysis.usages.members import MemberJudge, MemberTarget
from codecortex.analysis.usages.namespaces import judge_namespace
from codecortex.analysis.usages.places import FilePlaces
from codecortex.analysis.usages.scope import TypeScope
from codecortex.model.code.catalog import TypeEntry
from codecortex.model.code.usages import Label, Role
from codecortex.parsing.occurrences.find import LineStarts, find_name, read_code
from codecortex.parsing.occurrences.sites import read_site
from tests.analysis.conftest import Workspace, read

_MARK = re.compile(r"<([=~!-])([\w@]+)>")


def check(symbol, files, projects=None):
    """Compare the marks in the files with what is said of each place."""
    files = {"a.cs": files} if isinstance(files, str) else files
    plain = {path: _MARK.sub(r"\2", text) for path, text in files.items()}
    workspace = Workspace(plain, projects)
    type_scope = open_ground(workspace)
    name, judge = make_judge(type_scope, symbol)
    for path, marked in files.items():
        between = re.split(rf"(?<!\w){name}(?!\w)", plain[path])
        told = judge_file(workspace, type_scope, judge, (path, name))
        assert "".join(text for pair in zip(between, [*told, ""], strict=True) for text in pair) == marked


def open_ground(workspace):
    entries = {
        t.id: TypeEntry(
            t.id, t.fqn, t.display_name, t.kind, t.effective_accessibility, t.project, "", t.owner, t.files, ""
        )
        for t in workspace.types
    }
    table = SymbolTable((Declared(t.id, t.fqn, t.project, t.owner) for t in workspace.types), workspace.projects)
    return TypeScope(entries, table, {p.path: () for p in workspace.projects}, lambda e: workspace.by_id[e.id].parts)


def make_judge(type_scope, symbol):
    """The name to look for, and what judges a site of it."""
    if symbol.startswith("N:"):
        return symbol.rpartition(".")[2].removeprefix("N:"), lambda *where: judge_namespace(
            type_scope, symbol[2:], *where
        )
    head, bracket, parameters = symbol.partition("(")
    owner, _, name = head.rpartition(".")
    type_id = next(entry.id for entry in type_scope.entries.values() if entry.fqn == owner)
    judge = MemberJudge(type_scope, MemberTarget(type_id, name, parameters.rstrip(")") if bracket else None))
    return name, lambda site, where: judge.judge(site, name, where)


def judge_file(workspace, type_scope, judge, file):
    path, name = file
    project = next(each.path for each in workspace.projects if path in each.files)
    source = workspace.files[path]
    places = FilePlaces(type_scope, read(source), project, path)
    code = read_code(source.encode(), frozenset())
    starts = LineStarts(code.source)
    for spot in find_name(code, name):
        around = places.find((spot.line, spot.column))
        extent = (starts.find(around.first), starts.find(around.last))
        own = around.where.member.name if around.where.member else ""
        verdict = judge(read_site(code, spot, extent, own), around.where)
        if verdict.label is Label.EXACT:
            yield f"<{'!' if verdict.role is Role.DECLARATION else '='}{name}>"
        else:
            yield f"<{'-' if verdict.means else '~'}{name}>"


MEMBERS = {
    "beside a member of its name on one line": (
        "Node.V",
        "class Node { public int <!V>; int M() => <=V>; } class C { public int <-V>; int M(Node n) => n.<=V>; }\n",
    ),
    "in the declarator that names it": (
        "C.B",
        "class C { static int A = <=B>, <!B> = 1; }\n",
    ),
    "bare in its type, in what inherits and in what is nested": (
        "N.A.X",
        (
            "namespace N;\nclass A\n{\n  public static int <!X>;\n  int F() => <=X> + this.<=X>;\n"
            "  class I\n  {\n    int F() => <=X>;\n  }\n}\n"
            "class B : A\n{\n  int F() => <=X> + base.<=X>;\n}\nclass C\n{\n  int F() => <~X>;\n}\n"
        ),
    ),
    "not where a variable, a parameter or a local function hides it": (
        "N.A.X",
        (
            "namespace N;\nclass A\n{\n  int <!X>;\n"
            "  int F(int <~X>) => <~X> + this.<=X>;\n"
            "  void G() { var <~X> = 1; <~X>++; }\n"
            "  void H() { int <~X>() => 1; <~X>(); }\n"
            "  void I() { F(<~X> => <~X>); }\n"
            "  int J => J + <=X>;\n"
            "}\n"
        ),
    ),
    "after a receiver whose type is written": (
        "N.A.X",
        (
            "namespace N;\nclass A\n{\n  public int <!X> { get; set; }\n}\n"
            "class D : A { }\n"
            "class B\n{\n  A f; D P { get; }\n"
            "  int M1(A a, D d) => a.<=X> + d.<=X> + f.<=X> + P.<=X> + this.f.<=X>;\n"
            "  int M2() { var v = new A(); return v.<=X> + new D().<=X>; }\n"
            "  int M3(object o) => ((A)o).<=X> + (o as D).<=X> + (o is A a ? a.<=X> : 0);\n"
            "  int M4(A[] l) { foreach (A a in l) { a.<=X>++; } foreach (var b in l) { b.<~X>++; } return 0; }\n"
            "  int M5() => F().<~X>;\n"
            "  A M6() => new A { <=X> = 1 };\n"
            "  C M7() => new C { <-X> = 1 };\n"
            "  bool M8(object o) => o is A { <=X>: 1 };\n"
            "}\n"
            "class C\n{\n  public int <-X>;\n}\n"
        ),
    ),
    "a type that declares it again means its own": (
        "N.A.X",
        (
            "namespace N;\nclass A\n{\n  public virtual int <!X> => 1;\n}\n"
            "class D : A\n{\n  public override int <-X> => base.<=X>;\n}\n"
            "class B\n{\n  int F(A a, D d) => a.<=X> + d.<-X>;\n}\n"
        ),
    ),
    "static members and values of an enum": (
        "N.E.X",
        (
            "namespace N;\nenum E { A, <!X> = 2, B = <=X> }\nenum G { <-X> }\n"
            "class B\n{\n  E F() => E.<=X>;\n  G H() => G.<-X>;\n  E E => E.<=X>;\n  E I() => N.E.<=X>;\n}\n"
        ),
    ),
    "an overload is told by how many arguments it takes": (
        "N.A.X(int)",
        (
            "namespace N;\nclass A\n{\n  void <!X>(int a) { }\n  void <-X>(int a, int b) { }\n"
            "  void F() { <=X>(1); <-X>(1, 2); Use(<~X>); }\n}\n"
        ),
    ),
    "overloads of as many arguments are not told apart": (
        "N.A.X(int)",
        "namespace N;\nclass A\n{\n  void <!X>(int a) { }\n  void <-X>(string a) { }\n  void F() { <~X>(1); }\n}\n",
    ),
    "a method that calls itself": ("N.A.X", "namespace N;\nclass A\n{\n  void <!X>() { <=X>(); }\n}\n"),
    "what a primary constructor declares": (
        "N.R.X",
        (
            "namespace N;\nrecord R(int <!X>, int Y = 0)\n{\n  int F() => <=X>;\n}\n"
            "class C\n{\n  int F(R r) => (r with { <=X> = 1 }).<~X> + new R(<~X>: 1).<=X>;\n}\n"
        ),
    ),
    "a primary constructor's parameter is no member": (
        "N.A.X",
        (
            "namespace N;\nclass A\n{\n  public int <!X>;\n}\n"
            "class B(A a, int <~X>) : A\n{\n  int F() => <~X> + a.<=X>;\n}\n"
        ),
    ),
    "an interface and what implements it are two": (
        "N.I.X",
        (
            "namespace N;\ninterface I\n{\n  void <!X>();\n}\n"
            "class A : I\n{\n  public void <-X>() { }\n}\nclass B : I\n{\n  void I.<-X>() { }\n}\n"
            "class C\n{\n  void F(I i, A a) { i.<=X>(); a.<-X>(); }\n}\n"
        ),
    ),
    "a base class outside may hold another": (
        "N.A.X",
        (
            "namespace N;\nclass A\n{\n  public static int <!X>;\n"
            "  class I : Outside.Base\n  {\n    int F() => <~X>;\n  }\n}\n"
        ),
    ),
}


@pytest.mark.parametrize("case", MEMBERS)
def test_where_a_member_is_meant(case):
    check(*MEMBERS[case])


def test_where_a_namespace_is_meant():
    check(
        "N:A.X",
        "using A.<=X>;\nusing <~X>;\nnamespace A.<!X> { class T { } }\nnamespace <~X> { class U { } }\n"
        "class B\n{\n  A.<=X>.T t;\n  int F(B <~X>) => <~X>.T;\n}\nnamespace A { class C { <=X>.T t; } }\n",
    )
