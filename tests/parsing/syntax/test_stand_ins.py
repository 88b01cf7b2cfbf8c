"""What stands in for syntax that the grammar cannot parse, and what is left as it is."""

import pytest

from codecortex.model.code.syntax import CONDITIONAL
from codecortex.parsing.syntax.stand_ins import stand_in


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a is [1, .. var b]", "a is [1, ^^ var b]"),
        ("a is [.. { L: 1 } b, not 2]", "a is [^^ { L: 1 } b, not 2]"),
        ("a is [.. List<int> b]", "a is [^^ List<int> b]"),
        ("a?.B = 1", "a^.B = 1"),
        ("a?[1].C?.D(b?.E)[c?.F] ??= 1", "a^[1].C^.D(b?.E)[c?.F] ??= 1"),
        ("a?.B(() => { c?.D += 1; })", "a?.B(() => { c^.D += 1; })"),
        ("a\n  ?.B\n  .C = 1", "a\n  ^.B\n  .C = 1"),
    ],
)
def test_stand_ins(text, expected):
    assert stand_in(text.encode()) == expected.encode().replace(b"^", CONDITIONAL)


@pytest.mark.parametrize(
    "text",
    [
        *("[a, .. b]", "[.. await b]", "[.. new A[3]]", "[.. b is A c]", "[.. from b in c select b]", "a[1..2]"),
        *("a?.B == 1", "a?.B => 1", "int?[] a = b;", "a ? .5 : b", "a?.B; c = 1", "f(a?.B, c = 1)", "a ? [1] : b"),
    ],
)
def test_other_syntax_is_left_alone(text):
    assert stand_in(text.encode()) == text.encode()
