"""What the body of a member throws, checks and locks: only what it says for certain."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codecortex.model.code.bodies import BodyFacts, Throw
from codecortex.parsing.csharp.bodies import read_body


def read(text: str) -> BodyFacts:
    return read_body(text.encode())


@pytest.mark.parametrize(
    ("body", "throw"),
    [
        ("{ throw new NotSupportedException(); }", Throw("NotSupportedException", always=True)),
        ("=> throw new System.NotSupportedException();", Throw("NotSupportedException", always=True)),
        ("{ if (x < 0) throw new E(); }", Throw("E", "x < 0")),
        ('{ if (a(b) && /* c */ c[1]) { throw new E(x, "bad (" + x); } }', Throw("E", "a(b) && c[1]", "bad (")),
        ('{ if (x) { throw new E("It\\"s \\\\ bad."); } }', Throw("E", "x", 'It"s \\\\ bad.')),
        ("{ if (x) { throw new E(CoreStrings.Gone(x)); } }", Throw("E", "x", "CoreStrings.Gone")),
        ("{ _x = x ?? throw new ArgumentNullException(nameof(x)); }", Throw("ArgumentNullException", "x is null")),
        ("{ AException.ThrowIfNull(x, y); }", Throw("AException", "AException.ThrowIfNull(x)")),
        ('{ try { f(); } catch (A a) when (a.B) { throw new E("x", a); } }', Throw("E", "", "x")),
        ("{ foreach (var a in b) { switch (a) { case 1: throw new E(); } } }", Throw("E")),
        ("=> x switch { 1 => 2, _ => throw new E(nameof(x)) };", Throw("E")),
        ("{ f(x ?? throw new E()); }", Throw("E", "x is null")),
        ("{ if (a) { foreach (var i in b) { if (c) { d(); } if (e) throw new E(); } } }", Throw("E", "a and e")),
        ("{ get => _x; set => _x = value ?? throw new E(); }", Throw("E", "value is null")),
        ("{ get { if (_x) { throw new E(); } return 1; } }", Throw("E", "_x")),
    ],
)  # fmt: skip
def test_a_throw_is_read_with_its_condition_and_message(body, throw):
    assert read(f"public int F(int x) {body}").throws == (throw,)


@pytest.mark.parametrize(
    "body",
    [
        "{ var f = () => throw new E(); }",
        "{ items.ForEach(i => { throw new E(); }); }",
        "{ run(delegate (int i) { throw new E(); }); }",
        "{ void Local() { throw new E(); } }",
        "{ int Local() => throw new E(); return 1; }",
        "{ return; // throw new E();\n }",
        '{ log("throw new E()"); }',
        "{ get; } = () => throw new E();",
        "{ throw; }",
        "{ throw failure; }",
    ],
)
def test_what_the_member_does_not_throw_itself_is_left_out(body):
    assert read(f"public int F(int x) {body}").throws == ()


def test_guards_and_locks():
    body = "{ Guard.NotNull(options); Check.NotEmpty(name, nameof(name)); lock (_gate) { } Guard.NotNull(a.B); }"
    assert read(f"public void F(O options, string name) {body}") == BodyFacts(
        (), ("Guard.NotNull(options)", "Check.NotEmpty(name)"), locks=True
    )


PIECES = st.sampled_from(
    ["{", "}", "(", ")", "=>", ";", "throw new E(", "throw new ", "if (", '"', "'", '$"', "@", "//", "/*", "*/", "\n",
     "x", "??", "switch", "lock(", "Guard.NotNull(", "E.ThrowIfNull(", "Exception.ThrowIf(", ",", "#if", "\\", "[", "]"]
)  # fmt: skip


@given(
    st.lists(PIECES, max_size=40).map(" ".join)
    | st.binary(max_size=60).map(lambda data: "throw " + data.decode("latin-1"))
)
def test_any_text_is_read(text):
    assert isinstance(read(text), BodyFacts)
