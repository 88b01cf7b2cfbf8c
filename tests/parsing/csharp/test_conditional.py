import pytest
from hypothesis import given
from hypothesis import strategies as st

from codecortex.parsing.csharp.conditional import apply_conditions, evaluate, list_symbols

CHAIN = "#if A\n1\n#elif B\n2\n#elif C\n3\n#else\n4\n#endif\n5"
NESTED = "#if A\n#if B\n1\n#else\n2\n#endif\n#else\n#if B\n3\n#else\n4\n#endif\n#endif"
LOGIC = "#if (A || B) && !(C == true) && D != false\nx\n#endif\n"
CASES = [
    ("a\n#if X\nb\n#else\nc\n#endif\nd", "", "a c d"),
    ("a\n#if X\nb\n#else\nc\n#endif\nd", "X", "a b d"),
    (CHAIN, "BC", "2 5"),
    (CHAIN, "C", "3 5"),
    (CHAIN, "A", "1 5"),
    (CHAIN, "", "4 5"),
    (NESTED, "B", "3"),
    (NESTED, "A", "2"),
    ("#if A\n#if B\n1\n#else\n2\n#endif\n#elif C\n9\n#endif z\n8", "ABC", "1 8"),
    ("#define Q\n#if Q && !R // hi\nx\n#endif", "", "x"),
    ("#define Q\n#undef Q\n#if Q\nx\n#endif\ny", "", "y"),
    (LOGIC, "BD", "x"),
    (LOGIC, "BDC", ""),
    ('s = @"\n#if X\n"; y', "", 's = @" #if X "; y'),
    ('s = """\n#if X\n"""; y', "", 's = """ #if X """; y'),
    (
        's = $$"""\n#if X {{a["x"]}} \n"""; y\n#if X\nz\n#endif',
        "",
        's = $$""" #if X {{a["x"]}} """; y',
    ),
    ('s = $@"\n#if X {a[@"\n#if Y"]}\n"; y\n#if X\nz\n#endif', "", 's = $@" #if X {a[@" #if Y"]} "; y'),
    ("/*\n#if X\n*/y", "", "/* #if X */y"),
    ("#if X\ndon't /* \" \n#endif\ny", "", "y"),
    ("#region don't \"\ny\n#endregion\n#if X\nz\n#endif", "", "#region don't \" y #endregion"),
    ("c = '\"'; // \"\n#if X\nz\n#endif\nq", "", "c = '\"'; // \" q"),
    ('x = $"{a}{{{b["q"]}";\n#if X\nz\n#endif\nq', "", 'x = $"{a}{{{b["q"]}"; q'),
    ('x = $"{(c ? "a" : $"{d}")}";\n#if X\nz\n#endif\nq', "", 'x = $"{(c ? "a" : $"{d}")}"; q'),
    ("\n #  if X\nz\n # else\nw\n#endif\nq", "", "w q"),
    ("#if NETSTANDARD2_0 || W\nz\n#endif\nq", "W", "z q"),
    ("#:package a\n#!x\ny\n#if X\n#endif", "", "#:package a #!x y"),
    ("#if X\na", "", ""),
]


@pytest.mark.parametrize(("source", "symbols", "left"), CASES)
def test_only_what_the_symbols_keep_is_left_in_place(source, symbols, left):
    raw = source.encode()
    conditioned = apply_conditions(raw, frozenset(symbols))
    assert b" ".join(conditioned.text.split()).decode() == left
    assert len(conditioned.text) == len(raw)
    assert [at for at, byte in enumerate(conditioned.text) if byte == 10] == [
        at for at, byte in enumerate(raw) if byte == 10
    ]


def test_a_directive_inside_a_literal_asks_for_no_symbol():
    assert apply_conditions(b'x = @"\n#if A\n";', frozenset()).conditional is False
    assert apply_conditions(b"#if A\n#endif", frozenset()).conditional is True


def test_what_was_switched_off_is_reported():
    source = b"a\n#if X\nb\n#else\nc\n#endif\n"
    (extent,) = apply_conditions(source, frozenset()).inactive
    assert source[slice(*extent)].strip() == b"b"


def test_every_symbol_asked_for_is_listed():
    assert list_symbols(b"#if A && !B || true\n#elif C\n#endif\n") == {"A", "B", "C"}


@given(st.text("AB()&|!= \n", max_size=40))
def test_any_expression_has_a_value(expression):
    assert evaluate(expression.encode(), frozenset("A")) in (True, False)


@given(st.text("#ifelsndABC \n\"/*$@{}'", max_size=200))
def test_text_keeps_its_length_and_lines(source):
    raw = source.encode()
    text = apply_conditions(raw, frozenset("A")).text
    assert len(text) == len(raw)
    assert text.count(b"\n") == raw.count(b"\n")
