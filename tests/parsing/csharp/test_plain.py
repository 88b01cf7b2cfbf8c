"""What is read without the grammar is what the grammar's tree gives, of common texts and of damaged ones."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codecortex.parsing.csharp.declarations import DeclarationReader
from codecortex.parsing.csharp.grammar import parse
from codecortex.parsing.csharp.plain.find import find_declarations
from codecortex.parsing.csharp.plain.reader import PlainReader
from codecortex.parsing.csharp.repairs import repair
from codecortex.parsing.csharp.skeleton import cut_skeleton

FILES = sorted((Path(__file__).parents[2] / "cases" / "csharp").glob("*.cs"))
TYPES = (
    "int", "string?", "A.B", "List<int>", "Dictionary<string, List<A.B?>>", "(int a, string b)", "T[]", "byte[,]?",
    "global::System.IO.Stream", "Func<int, Task<(int, string)>>", "Outer<T>.Inner<U>", "@class", "dynamic", "nint",
)  # fmt: skip
PARAMETERS = (
    "", "{0} a", "this {0} a, int b = 1", "ref {0} a, out int b", "params {0} a", '[Mark("x")] {0} a',
    '{0} a = default, string b = "a, (b", char c = \')\'', "in {0} a,\n        CancellationToken b = default(X)",
    "bool async", "{0} @event", "scoped ref {0} a", "scoped {0} a, scoped in {0} b",
)  # fmt: skip
MODIFIERS = ("", "public ", "private static ", "protected internal ", "public sealed override ", "internal\n    async ",
    "/// <summary>Text.</summary>\n    [Mark, Other(1)]\n    public ",
)  # fmt: skip
MEMBERS = (
    "{0} M({1}) {{ return x; }}", "{0} M({1}) => x;", "abstract {0} M({1});", "{0} I<A>.M({1}) {{ }}",
    "{0} M<U, V>({1}) where U : class, new() where V : struct {{ F(); }}", "void M<[Mark] U>() {{ }}",
    'X({1}) : this(1, "a") {{ }}', "X({1}) => y = 1;", "{0} P {{ get; private set; }} = 1;", "{0} P => x;",
    "{0} P\n    {{\n        get => x;\n        [Mark] protected init {{ y = value; }}\n    }}",
    "{0} A.P {{ get {{ return x; }} }}", "{0} this[int a, {0} b] {{ get {{ return x; }} set {{ }} }}",
    "{0} this[string a] => x;", "event {0} E;", "event {0} E {{ add {{ }} remove {{ }} }}",
    "{0} a, b = 1,\n        c;", "{0} a = 1 ;", "{0} a ;", 'const {0} C = "a;b";', "readonly {0} f = new() {{ 1 }};",
    "static bool operator ==(X a, {0} b) => x;", "static X operator -({1}) {{ }}",
    "static implicit operator {0}(X a) => x;", "static explicit operator checked {0}(X a) {{ }}",
    "ref {0} M({1}) => ref x;", "ref readonly {0} P => ref x;", "delegate {0} D({1});",
    "delegate {0} D<in U, out V>({1}) where U : class;", "class N : X, I<{0}> {{ int a; }}",
    'enum N : byte {{ A, [Mark("a")] B = 1 << 2, C = A | B, }}', "record struct N(int A, {0} B);",
    "interface N<in U> where U : A {{ void M(); }}", "record N({1}) : X(1) {{ }}", "ref struct N {{ }}",
    "readonly ref partial struct N {{ }}", "{0} global::A.I<B>.M({1}) {{ }}",
    "((int a, string) b, C) M(((int, B) a, C) b) {{ }}",
    'class N({1}) : A.X<int>(a => b, /* c */ "d", new() {{ 1 }}), I<(int, string)> where T : new() {{ {0} a; }}',
    "enum N : ulong {{ A = ulong.MaxValue, B = (byte)char.MinValue }}",
    "enum N {{ A = 'a', B = ',', C = (int)'\\\\' | '\\'', D = '\\0' }}",
)  # fmt: skip
MARKS = (
    "(", ")", "{", "}", ";", ",", "<", ">", "[", "]", '"', ".", "?", "=", ":", " public ", " int ", " class X ",
    " ref ", " x ", " operator ", " this ", " where ", " record ", " async ", " event ", "", "+", "-", "!", "::", "@",
    "[]", ":", "=", "=>", "\xd7", "\u201c", " in ", "(int a, int b)", "''", " operator", " void ",
)  # fmt: skip
ODD = (
    "class X { public static X operator +; }", "class X { int operator >>; }", "class X { bool operatortrue; }",
    "class X { public static bool operatorfalse(X a) => true; }", "class X { public@bool a; }",
    "class X { public static@a M() { } }", "class X { List<in(int, int)> t; }", "class N :{ }", "record N(int a) :;",
    "class A<T> where T:{ }", "class X { void M<T>() where T:; }", "enum E() { A }", "interface X(int a) { }",
    "enum E<T> { A }", "class X { int this[int i] { get; } = 1; }",
    "class X { event A E { add { } remove { } } = 1; }", "class X { static X operator ++++(X a) => a; }",
    "class X { static X I<X, >.operator +(X a, X b) => a; }", "class X { void M([] int a) { } }", "enum N { [] A }",
    "enum E { [B(1))] A }", "class X { a.b::c x; }", "using a.b::c;", "class X { void M(int a = int) { } }",
    "class X { void M(int a = typeof()) { } }", "enum E { A = 1B, B = get++1 }",
    "class X { void M(char a = 'ab') { } }", "using static X = A;", "record A : B[] { }",
    "class X { (int a, int b.c) t; }", "class X { const event A E; }",
    "class X { int this[params this int[] i] => 1; }", "using nint = B;", "class \xd7 { }",
    "class A : B(1), C(2) { }", "namespace class { }", "namespace A; namespace B { }", "class X { int nint() { } }",
    "class X { static implicit A; }", "enum E { A,\n\n\n}", "enum E { }", "enum E;",
    'record N(string B = namespace"x");', "class X { void M(char a = 'b''c') { } }", "class A : B(await) { }",
    "class X { void M(double a = 1 .5) { } }", "class X { void M(scoped a) { } }", "class X { ref int M() { } }",
    "class X { void M(scoped scoped a, scoped params int[] b, scoped out int c) { } }", "ref class X { }",
    "ref partial ref struct X { }", "enum E { A = int.class, B = long }", "class X { int A::b::C.M() { } }",
    "class X { int A::M() { } }", "class X { ((a) b, c) d; }", "class X { (((a, b), c), d) e; }",
    "class A : B<(int, int)>(1)(2) { }", "class A() : B(1)[2] { }", "class A() : B(x: 1) where T : new() { }",
    "class A<[B(c: 1)] T>(int a) { }", "class A<[B(c: 1)] T>(int a = (1)) : C(a = (2)) { }",
    "class A : B(\n/// <summary>x</summary>\n1) { }", "class A : new(1, (2)) { }", "class A : (1, (2)) { }",
    "enum E { A = 'ab', B }", "enum E { A = '' }", "enum E { A = 'a''b' }", "enum E { A = (int.b)'c' }",
    "class X { static event X I<X>.operator +(X a, X b) => a; }",
    "class X { void M(X a =@  default) { } }", 'enum N { [B("x"= 0 )] A }', "class X { void M<T>(T a = new) { } }",
)  # fmt: skip


@st.composite
def texts(draw):
    """The text of a file of common declarations."""
    members = draw(st.lists(st.tuples(*map(st.sampled_from, (MODIFIERS, MEMBERS, TYPES, PARAMETERS))), max_size=8))
    inside = "".join([f"    {mods}{text.format(of, given.format(of))}\n" for mods, text, of, given in members])
    head = draw(
        st.sampled_from(
            ("class X<T>", "public partial class X : A, B.C<int?>", "struct X(int a, T b = 1)", "interface X")
        )
    )
    before = draw(st.sampled_from(("", "using A.B;\n", "global using static A.B;\nusing C = D<int>.E;\n")))
    around = draw(st.sampled_from(("{0}", "namespace A.B;\n{0}", "namespace A\n{{\nusing X;\n{0}}}\n")))
    return before + around.format(f"{head}\n{{\n{inside}}}\n")


def read_both(source):
    """The facts by the patterns, and by the grammar; None for both if the patterns leave the text to the grammar."""
    skeleton = cut_skeleton(source)
    found = None if skeleton is None or skeleton.extensions else find_declarations(skeleton.text)
    if found is None:
        return None, None
    root = parse(repair(skeleton.text))
    assert not root.has_error, skeleton.text
    return PlainReader(skeleton, source, ()).read_found(found), DeclarationReader(skeleton, source, ()).read(root)


@given(texts())
def test_common_declarations_are_read_as_by_the_grammar(text):
    plain, by_grammar = read_both(text.encode())
    assert plain is not None
    assert plain == by_grammar


@given(texts(), st.data())
def test_what_is_taken_of_damaged_texts_is_read_as_by_the_grammar(text, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.sampled_from((start, start + 1, start + 3)))
    plain, by_grammar = read_both((text[:start] + data.draw(st.sampled_from(MARKS)) + text[end:]).encode())
    assert plain == by_grammar


@given(texts(), st.data())
def test_what_is_taken_with_another_word_in_a_place_is_read_as_by_the_grammar(text, data):
    word = data.draw(st.sampled_from(list(re.finditer(r"\w+", text))))
    plain, by_grammar = read_both(
        (text[: word.start()] + data.draw(st.sampled_from(MARKS)) + text[word.end() :]).encode()
    )
    assert plain == by_grammar


@pytest.mark.parametrize("text", ODD)
def test_odd_code_is_left_to_the_grammar_or_read_as_by_it(text):
    plain, by_grammar = read_both(text.encode())
    assert plain == by_grammar


def test_an_enum_with_much_inactive_text_is_read_in_one_pass():
    blank = b" " * 400_000
    assert find_declarations(b"enum E { A," + blank + b"}") is not None
    assert find_declarations(b"enum E { A " + blank + b"B }") is None
    assert find_declarations(b"class C { A" + b"[]" * 50_000 + b" a; }") is not None


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_case_files_are_read_as_by_the_grammar(file):
    plain, by_grammar = read_both(file.read_bytes().replace(b"\r\n", b"\n"))
    assert plain == by_grammar
