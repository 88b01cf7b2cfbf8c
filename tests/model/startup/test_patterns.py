"""Patterns that are compiled at their first use answer as compiled ones do."""

import re

import pytest

from codecortex.model.startup.patterns import compile_later


@pytest.mark.parametrize(
    "use",
    [
        lambda pattern: pattern.search("xAb1")[1],
        lambda pattern: pattern.fullmatch("ab12").groupdict(),
        lambda pattern: pattern.match("1"),
        lambda pattern: [match.span() for match in pattern.finditer("a1 b2")],
        lambda pattern: pattern.findall("a1 b2"),
        lambda pattern: pattern.sub("-", "a1 b2", count=1),
        lambda pattern: pattern.split("a1 b2"),
        lambda pattern: (pattern.groups, pattern.groupindex, pattern.pattern, pattern.flags),
    ],
)
def test_each_use_is_the_first_one_once(use):
    text, flags = r"([a-z]+)(?P<number>\d+)", re.IGNORECASE
    later = compile_later(text, flags)
    assert use(later) == use(re.compile(text, flags))
    assert use(later) == use(later), "the second time it is compiled"


def test_bytes_are_bytes():
    assert compile_later(rb"\w+").findall(b"a b") == [b"a", b"b"]


def test_the_text_of_a_pattern_is_known_before_it_is_compiled():
    assert compile_later("(").pattern == "("
    assert repr(compile_later("(")) == "compile_later('(')"


def test_a_wrong_pattern_is_told_at_its_first_use():
    wrong = compile_later("(")
    for _ in range(2):
        with pytest.raises(re.error):
            wrong.match("x")


def test_what_a_pattern_does_not_have_it_does_not_have():
    later = compile_later("a")
    for _ in range(2):
        with pytest.raises(AttributeError):
            later.nothing  # noqa: B018 - that is what is tried
