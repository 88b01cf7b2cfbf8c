"""Where a name stands in code, and what the syntax there lets it be.

In the sources of these tests every place where `X` stands in code is written `<<X>>`.
"""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from codecortex.model.code.usages import Context, Root
from codecortex.parsing.occurrences.find import compile_names, find_name, read_code
from codecortex.parsing.occurrences.sites import read_site

NONE: frozenset[str] = frozenset()
CODE = [
    '<<X>> x = new <<X>>(); // X\n/* X */ /// <see cref="X"/>\n',
    'var s = "X" + \'X\' + @"X ""X" + """X "X" """; <<X>>();',
    'f($"X {<<X>>} {{X}} {a:X} {b,<<X>>} {(c ? <<X>> : d):X}", <<X>>);',
    'f($@"X ""{<<X>>}"" X", @$"{<<X>>["X"]}");',
    'f($"""X {<<X>>} "X" """, $$"""{X} {{<<X>>}} {{f($"X {<<X>>}")}}""");',
    'f($"{f($"{g($"X{<<X>>}X")}X")}", "X\\"X", <<X>>);',
    "nameof(<<X>>); nameof(<<X>>.Y); @<<X>>.Y(); _X.XX(X1, Xé);",
    "[<<X>>, A(B = typeof(<<X>>))] class C : D<<<X>>> { }",
    "using A = <<X>>; using static B.<<X>>; global using <<X>>;\n",
    "#if DEBUG\nX\n#else\n<<X>>\n#endif\n#region X\n#pragma warning disable X\n<<X>>\n",
    "\t<<X>>\r\n<<X>>\r<<X>>\u00a0<<X>>\u2003<<X>>",
    'f("\\u0058", \'\\u0058\'); <<X>> = "unfinished X\n<<X>> }}} ((( <<X>>',
    'f($"{global::A.<<X>>} {a ?? b:X}");',
    'f($"' + "X {<<X>>:X} {{X}}" * 500 + '", <<X>>);',
    'f($"{<<X>>}{<<X>> ',
]  # fmt: skip


def strip(marked: str) -> tuple[str, list[int]]:
    """The source without marks, and where the marked names begin, counted with LF for every line end."""
    folded = marked.replace("\r\n", "\n").replace("\r", "\n")
    pieces = re.split(r"<<(?=[X@])|(?<=X)>>", folded)
    starts, at = [], 0
    for number, piece in enumerate(pieces):
        if number % 2:
            starts.append(at)
        at += len(piece.encode())
    return re.sub(r"<<(?=X)|(?<=X)>>", "", marked), starts


@pytest.mark.parametrize("marked", CODE)
def test_a_name_is_found_in_code_and_nowhere_else(marked):
    source, starts = strip(marked)
    code = read_code(source.encode(), NONE)
    assert code is not None
    assert [spot.start for spot in find_name(code, "X")] == starts


def test_lines_and_columns_count_characters_from_one():
    code = read_code("é\té X;\r\n  ö.X(X);\n".encode(), NONE)
    assert code is not None
    spots = [(spot.line, spot.column, spot.snippet) for spot in find_name(code, "X")]
    assert spots == [(1, 5, "é é X;"), (2, 5, "ö.X(X);"), (2, 7, "ö.X(X);")]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_whatever_the_encoding_of_a_file(encoding):
    code = read_code("// é\nclass Ö { X x; }".encode(encoding), NONE)
    assert code is not None
    assert [(spot.line, spot.column) for spot in find_name(code, "X")] == [(2, 11)]


def test_a_reserved_word_is_a_name_after_an_at_sign_alone():
    code = read_code(b"class C { int @class; C() { @class = 1; } }", NONE)
    assert code is not None
    assert len(list(find_name(code, "class"))) == 2


def test_a_long_line_is_cut_around_the_name():
    code = read_code(b"a" * 5000 + b" X " + b"b" * 5000, NONE)
    assert code is not None
    (spot,) = find_name(code, "X")
    assert len(spot.snippet) < 170
    assert " X " in spot.snippet


def test_binary_content_holds_no_code():
    assert read_code(b"X\0X", NONE) is None


CONTEXTS = {
    Context.CREATED: ["new X();", "new A.X { }", "new X<int>(1)"],
    Context.TYPE: [
        "X y;",
        "X? y;",
        "X[] y = z;",
        "(X)y",
        "List<X> y",
        "List<A, X> y;",
        "f<X>()",
        "typeof(X)",
        "y is X",
        "y as X;",
        "class C : X { }",
        "class C<T> : B, X where T : D { }",
        "class C<T> where T : X { }",
        "void F(A a, X b) { }",
        "foreach (X y in z)",
        "new X[3]",
        "X<int> y;",
        "public X Y { get; }",
        "void X.F() { }",
        "catch (X)  when (a)",
        "out X y",
        "(X)(y)",
        "delegate X F();",
        "using var a = (X)b;",
        "static X operator +(X2 a)",
    ],
    Context.VALUE: [
        "X.Y()",
        "X.Y z;",
        "f(X)",
        "nameof(X)",
        "a = X;",
        "a + X",
        "return X;",
        "b ? X : c",
        "this.X",
        "a.X",
        "a?.X",
        "a!.X",
        "X[0]",
        "a.B.X = 1;",
        "if (a) X = 1;",
        "{ X = 1; }",
        "a < X",
        "X++",
        "case X:",
        "(X)",
        "X is null",
        "a in X",
        "X == b",
        'f($"{X}")',
        "X?.Y",
        "a ? X.A : X2.B",
        "f(a, X, b)",
        "() => X",
        "F() { X = 1; }",
        "get { X = 1; }",
    ],
    Context.INVOKED: ["X();", "a.X(1)", "X<int>(1)", "if (a) X();", "await X()", "=> X(1)", "a?.X()"],
    Context.ATTRIBUTE: [
        "[X] class C { }",
        "[A, X(1)] void F() { }",
        "[assembly: X]\n",
        "void F([X] int a) { }",
        "[return: X] int F()",
    ],
    Context.IMPORT: ["using X;", "using A.X;", "using static A.X;", "using B = A.X;", "global using X;"],
    Context.NAMESPACE: ["namespace X { }", "namespace A.X;"],
    Context.DECLARED: [
        "class X { }",
        "int X = 1;",
        "A X;",
        "void X() { }",
        "List<int> X;",
        "int[] X;",
        "A? X;",
        "enum X { }",
        "record X(int A);",
        "f(out var X)",
        "void F(int X)",
    ],
    Context.ASSIGNED: [
        "new A { X = 1 }",
        "new A { B = 1, X = 2 }",
        "a with { X = 1 }",
        "a is B { X: 1 }",
        "new A(1) { X = 1 }",
    ],
    Context.LABEL: ["f(X: 1)", "f(a, X: 1)", "new { X = 1 }"],
}


@pytest.mark.parametrize(
    ("context", "text"), [(context, text) for context, texts in CONTEXTS.items() for text in texts]
)
def test_what_the_syntax_lets_a_name_be(context, text):
    assert read_first(text).context is context


def read_first(text):
    code = read_code(text.encode(), NONE)
    spot = next(iter(find_name(code, "X")))
    return read_site(code, spot, (0, len(code.text)))


@pytest.mark.parametrize(
    ("text", "root", "names", "written"),
    [
        ("X", Root.NONE, (), ""),
        ("a.b?.c!.X", Root.NAMES, ("a", "b", "c"), ""),
        ("A<B, C>.X", Root.NAMES, ("A`2",), ""),
        ("global::A.X", Root.NAMES, ("global", "A"), ""),
        ("this.a.X", Root.THIS, ("a",), ""),
        ("base.X()", Root.BASE, (), ""),
        ("new A.B<C>(1, f(2)).X", Root.TYPED, (), "A.B<C>"),
        ("((A)b).c.X", Root.TYPED, ("c",), "A"),
        ("(b as A).X", Root.TYPED, (), "A"),
        ("(a + b).X", Root.OTHER, (), ""),
        ("f(a).X", Root.OTHER, (), ""),
        ("a[0].X", Root.OTHER, (), ""),
        ('"s".X', Root.OTHER, (), ""),
        ("string.X", Root.OTHER, (), ""),
        ("a..X", Root.NONE, (), ""),
        ("a\n  // c\n  .b\n  .X", Root.NAMES, ("a", "b"), ""),
        ("new A { X = 1 }", Root.TYPED, (), "A"),
        ("a.b with { X = 1 }", Root.NAMES, ("a", "b"), ""),
    ],
)
def test_what_stands_before_the_dot(text, root, names, written):
    receiver = read_first(text).receiver
    assert (receiver.root, receiver.names, receiver.type) == (root, names, written)


@pytest.mark.parametrize(
    ("text", "local"),
    [
        ("void F(A v) { v.X(); }", "A"),
        ("A? v = b; v.X();", "A?"),
        ("N.A<B> v; v.X();", "N.A<B>"),
        ("var v = new A(1); v.X();", "A"),
        ("var v = new A(1) { B = 2 }; v.X();", "A"),
        ("var v = (A)b; v.X();", "A"),
        ("var v = b as A; v.X();", "A"),
        ("foreach (A v in b) v.X();", "A"),
        ("if (b is A v && v.X()) { }", "A"),
        ("var v = new A().B; v.X();", ""),
        ("var v = f(); v.X();", ""),
        ("foreach (var v in b) v.X();", ""),
        ("f(v => v.X());", ""),
        ("f((v, w) => v.X());", ""),
        ("var (v, w) = b; v.X();", ""),
        ("from v in b select v.X", ""),
        ("A[] v = b; v.X();", ""),
        ("{ A v = b; } { B v = c; v.X(); }", ""),
        ("f(v); v.X();", None),
        ("if (a) v.X();", None),
        ("return v.X();", None),
        ("w.v.Y(); v.X();", None),
        ("a < v.X", None),
    ],
)
def test_what_a_local_variable_is(text, local):
    assert read_first(text).local == local


@pytest.mark.parametrize(
    ("text", "count"),
    [("X()", 0), ("X(a, f(b, c), d<e, f>(g))", 3), ("X(a", -1), ("X", -1), ("X(() => { f(a, b); })", 1)],
)
def test_how_many_arguments_follow(text, count):
    assert read_first(text).arguments == count


PIECES = [
    "X",
    " ",
    "(",
    ")",
    "<",
    ">",
    "{",
    "}",
    "[",
    "]",
    '"',
    "'",
    "$",
    "@",
    "\\",
    "/",
    "*",
    ".",
    "?",
    ":",
    ";",
    ",",
    "=",
    "\n",
    "#if A\n",
    "#endif\n",
    "new ",
    "var ",
    "using ",
    "1",
    "é",
    "\t",
    "//",
    '"""',
]


@given(st.lists(st.sampled_from(PIECES), max_size=40))
@example(["$", '"""', "{", "\n"])
def test_damaged_code_gives_what_its_tokens_show(pieces):
    code = read_code("".join(pieces).encode(), NONE)
    assert code is not None
    assert len(code.text) == len(code.source)
    assert code.text.count(b"\n") == code.source.count(b"\n")
    for spot in find_name(code, "X"):
        assert code.source[spot.start : spot.end] == b"X"
        assert read_site(code, spot, (0, len(code.text))).line == spot.line


@given(st.lists(st.sampled_from(["A", "AB", "é", " ", "_", "1", "//", '"']), max_size=20))
def test_names_are_found_as_words_wherever_they_stand(pieces):
    text = "".join(pieces).encode()
    plain = re.compile(rb"(?<!\w)(?:AB|A)(?!\w)")
    assert [match.span() for match in compile_names(["AB", "A"]).finditer(text)] == [
        match.span() for match in plain.finditer(text)
    ]
