import pytest
from hypothesis import given
from hypothesis import strategies as st

from codecortex.parsing.csharp.lexer import mask_opaque
from codecortex.parsing.csharp.tokens import find_arguments_end, find_names, fold_tokens, scan_masked, scan_tokens

WORDS = ["a", "b1", "int", "@class", "List", "5", "return", "été"]
SIGNS = ["+", "-", "++", "--", "(", ")", "{", "}", "[", "]", ";", ",", "<", ">", "=", "==", "=>", "??", "?.", "&&"]
LITERALS = ['"x  y"', "'\"'", '@"a\n""b"', '"""r "q" """', '$"a{b}c"', '$@"{c["k"]}"', '"// no"']
BLANKS = [" ", "\n", "\t ", " // note\n", " /* note */ ", "\n#region r\n", "\n#pragma warning disable X\n"]
tokens = st.lists(st.sampled_from(WORDS + SIGNS + LITERALS), max_size=25)


def write(words, blanks):
    return "".join(word + blank for word, blank in zip(words, blanks, strict=True)).encode()


@given(tokens, st.data())
def test_layout_comments_and_directives_do_not_show(words, data):
    blanks = data.draw(st.lists(st.sampled_from(BLANKS), min_size=len(words), max_size=len(words)))
    assert scan_tokens(write(words, blanks))[0] == scan_tokens(" ".join(words).encode())[0]


@given(st.lists(tokens, min_size=3, max_size=3), st.sampled_from(BLANKS[1:]))
def test_a_part_of_a_masked_text_has_the_tokens_that_it_has_alone(parts, blank):
    before, part, after = (write(words, [blank] * len(words)) for words in parts)
    masked = mask_opaque(before + part + after)
    assert len(masked.text) == len(masked.source)
    comments: list[bytes] = []
    found = scan_masked(masked, len(before), len(before + part), comments)
    assert found == scan_tokens(part)
    assert b"".join(comments) == blank.strip().encode() * len(parts[1])


@given(tokens, tokens)
def test_other_tokens_have_another_form(words, others):
    same = scan_tokens(" ".join(words).encode())[0] == scan_tokens(" ".join(others).encode())[0]
    assert same == (words == others or _glue(words) == _glue(others))


def _glue(words):
    """Closing angles, and signs that make no longer token together, are the same however they are split."""
    return "".join(f"<{word}>" if word in WORDS or word in LITERALS else word for word in _mark(words))


def _mark(words):
    out = []
    for word in words:
        if (
            out
            and out[-1][-1:] + word[:1] in {"++", "--", "&&", "??", "==", "=>"}
            and out[-1] in SIGNS
            and word in SIGNS
        ):
            out.append("|")
        out.append(word)
    return out


@pytest.mark.parametrize(
    ("one", "other"),
    [("a - -b", "a--b"), ("x y", "xy"), ("a + ++b", "a++ + b"), ("- - - a", "- -- a"), ("a ? .5 : b", "a?.5:b")],
)
def test_blanks_that_part_tokens_count(one, other):
    assert scan_tokens(one.encode())[0] != scan_tokens(other.encode())[0]


def test_what_stands_in_a_literal_counts():
    assert scan_tokens(b'f("a b")')[0] != scan_tokens(b'f("a  b")')[0]
    assert scan_tokens(b'f("a", b)')[0] != scan_tokens(b'f(a, "b")')[0]


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("var x = A.B.C(d);", "A.B.C d var x"),
        ("List<int> x; new Dictionary<string, List<A>>();", "A Dictionary`2 List`1 int new string x"),
        ("if (a < b && c > d) f();", "a b c d f if"),
        ("for (i = 0; i < n; i++) g(a > b);", "a b for g i n"),
        ("x\n    .Where(y)\n    .Select(z);", "x.Where y z"),
        ("global::N.T.F();", "global.N.T.F"),
        ('f($"{a.B} {$"{c}"}");', "a.B c f"),
        ("(List < int >) x", "List`1 int x"),
    ],
)
def test_names_are_those_that_may_be_types(code, names):
    assert b" ".join(find_names(scan_tokens(code.encode())[1])).decode() == names


@given(st.sampled_from(["List<int> x = f(a);", "a < b;", "A<B<C>, D[]>.E()", "x?.y < z", "a.b . c"]), st.data())
def test_names_do_not_depend_on_layout(code, data):
    blank = data.draw(st.sampled_from(BLANKS))
    spread = code.replace(" ", blank).replace("<", blank + "<" + blank)
    assert find_names(scan_tokens(spread.encode())[1]) == find_names(scan_tokens(code.encode())[1])


def test_an_argument_list_ends_at_its_angle():
    assert find_arguments_end(b"int, A<B>[]>(x)", 0) == (12, 2)
    assert find_arguments_end(b"b && c > d", 0) is None


def test_folded_text_is_to_be_read():
    assert fold_tokens(b'A < B ,C > // x\n d = "a  b"') == b'A<B,C>d="a  b"'
