"""What stands around a place: told at once, it is what a look at all declarations of the file tells."""

import re
from pathlib import Path

import pytest

from codecortex.analysis.usages.places import FilePlaces
from codecortex.model.code.facts import covers
from tests.analysis.conftest import Workspace, read
from tests.analysis.usages.test_members import open_ground

CASES = Path(__file__).parents[2] / "cases/csharp"
SOURCES = {
    **{each.name: each.read_text("utf-8") for each in sorted(CASES.glob("*.cs"))},
    "nested": (
        "namespace N;\n[A] class C\n{\n  [A] int F() => 1; class D { [A] int G; class E { int H; } int I; }\n"
        "  [A] int J;\n}\n[A] class C2 { }\n[A] delegate int F(int a);\n"
    ),
    "parts of one type": "partial class C { [A] class D { } }\n[A] partial class C { [A] int F; }\npartial class C { }",
    "several declarators": "class C { [A] int a = b, b = c, c = a; event E d, e; const int F = 1, G = F; }",
    "a program with types": "using System;\nvar a = 1;\nF(a);\nclass C { int G; }\nvoid F(int a) { }\n",
    "records": "[A] record R([A] int X, int Y = 0) { int F() => X; }\nclass P([A] int x) : Q(x) { int G => x; }",
    "one line": "class A { int X; } class B { [Q] int X; } enum E { [Q] A, B = A } interface I { int F(); }",
    "damaged": "class C { int F() { if (a) { return 1; } int G; [A] class D { int H( }\nclass E { [A] int J; } } }",
}


def start_of(declared):
    return declared.line, declared.column


def find_plainly(facts, position):
    """The innermost type and member around a place, the compiler's only where there are no others."""
    types = [each for each in facts.types if covers(each, position)]
    inner = max(reversed([each for each in types if not each.implicit] or types), key=start_of, default=None)
    members = [each for each in (inner.members if inner else ()) if covers(each, position)]
    members = [each for each in members if not each.implicit and not each.primary]
    return inner, max(members, key=lambda each: (start_of(each), -each.end_line, -each.end_column), default=None)


def find_next_plainly(facts, inner, position):
    """What is declared next in a type, or outside of all."""
    end = (inner.end_line, inner.end_column) if inner else (1 << 60, 0)
    types = [each for each in facts.types if each.fqn.rpartition("+")[0] == (inner.fqn if inner else "")]
    after = [(start_of(each), each, None) for each in types if position < start_of(each) < end]
    after += [(start_of(each), inner, each) for each in (inner.members if inner else ()) if position < start_of(each)]
    return min(after, key=lambda found: found[0], default=((0, 0), inner, None))[1:]


@pytest.mark.parametrize("attribute", [False, True])
@pytest.mark.parametrize("name", SOURCES)
def test_it_is_what_all_declarations_tell(name, attribute):
    workspace = Workspace({"a.cs": SOURCES[name]})
    facts = read(SOURCES[name])
    places = FilePlaces(open_ground(workspace), facts, workspace.projects[0].path, "a.cs")
    for line, text in enumerate(SOURCES[name].splitlines(), 1):
        for match in re.finditer(r"\w+|[^\w\s]", text):
            position = (line, match.start() + 1)
            inner, member = find_plainly(facts, position)
            if attribute and member is None:
                inner, member = find_next_plainly(facts, inner, position)
            around = places.find(position, attribute=attribute)
            declared = member or inner
            assert around.first == (start_of(declared) if declared else (1, 1))
            assert around.last == ((declared.end_line, declared.end_column) if declared else None)
            assert around.where.member is member
            assert around.where.place.fqn == (inner.fqn if inner else "")
