"""Statements of a block, found without a grammar."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codecortex.parsing.syntax.read import read_syntax
from codecortex.parsing.syntax.statements import split_statements

STATEMENTS = [
    *("a();", "var h = new H { I = 1 }.J;", "x = y switch { 1 => 2, _ => 3 };", "(m, n) = (1, 2);", "{ o(); p(); }"),
    *("if (x) { b(); } else c();", "if (a) b(); else if (c) { d(); } else { e(); }", "if (a) { }", "label: z();"),
    *("do { d(); } while (e);", "do f(); while (g);", "while (g) { h(); }", "foreach (var u in v) w();"),
    *("try { } catch (E e) when (x) { } finally { }", "for (int i = 0; i < 1; i++) { }", "using (a) { }"),
    *("int L(int a) { return a; }", 'P(() => { q; r; }, "}{;");', "// ; }\nusing var s = t;", '$"{a;b} ;".C();'),
    *("switch (a) { case 1: b(); break; default: { c(); } break; }", "x = delegate { y(); };", "c = '}';", '@"a""};";'),
    *(
        "x = a is { F: 1 } b && b.C;",
        "if (a is B<C> { F: 1 } b) { }",
        "x = a is B and not { } c;",
        "T L<T>(T is1) where T : B { }",
    ),
    *("lock (a) b();", "return new[] { 1, 2 };", "await foreach (var a in b) { }", "unsafe { }", "/* } */ goto a;"),
]


@given(st.lists(st.sampled_from(STATEMENTS), max_size=8))
def test_statements_are_found_as_they_follow_each_other(statements):
    source = " \n ".join(statements).encode()
    found = split_statements(source, 0, len(source))

    assert [source[start:end].decode().strip() for start, end in found] == statements


@given(st.text("ab{}()[];\"'$@/*\n =", max_size=40))
def test_every_text_is_split(text):
    source = text.encode()
    found = split_statements(source, 0, len(source))

    ends = [0, *(end for _, end in found)]
    assert [start for start, _ in found] == ends[:-1]
    assert not source[ends[-1] :].strip()


@pytest.mark.parametrize("damage", ["x = [1, .. var y] when z;", "a +;", "if (a b) { c(); }"])
def test_a_statement_that_does_not_parse_leaves_the_others(damage):
    tree = read_syntax(f"class C {{ void M() {{ A(); {damage} if (b) {{ B(); }} C(); }} }}".encode(), frozenset())
    block = next(node for node in tree.root.walk() if node.kind == "block")
    block.open()

    calls = [node.text for node in block.walk() if node.kind == "invocation_expression"]
    assert [each for each in calls if each in ("A()", "B()", "C()")] == ["A()", "B()", "C()"]
    assert all(node.parent is not None for node in block.walk())
    assert tree.damaged
