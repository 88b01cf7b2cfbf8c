"""The filter language: what is written is read, what makes no sense is refused at its place, and what words mean."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codecortex.context.filters.match import select_types
from codecortex.context.filters.parse import (
    DEEPEST,
    And,
    Condition,
    Field,
    Not,
    Or,
    list_conditions,
    parse_filter,
    write_filter,
)
from codecortex.context.filters.patterns import ACCESS, compile_pattern
from codecortex.model.code.catalog import TypeEntry
from codecortex.model.errors import InvalidFilterError
from codecortex.model.packs import LONGEST_FILTER

TOKENS = st.text("aZ09_.*+?-`<>,äΩ界", min_size=1, max_size=8)
_WORDS = {Field.ACCESS, Field.TEST, Field.GENERATED}
CONDITIONS = st.one_of(
    st.builds(Condition, st.sampled_from([each for each in Field if each not in _WORDS]), TOKENS),
    st.builds(Condition, st.sampled_from([Field.TEST, Field.GENERATED]), st.sampled_from(["true", "False"])),
    st.builds(Condition, st.just(Field.ACCESS), st.sampled_from([*ACCESS, "p*", "PUBLIC", "?nternal"])),
)
TREES = st.recursive(
    CONDITIONS,
    lambda inner: st.one_of(
        st.builds(Not, inner),
        st.builds(And, st.lists(inner, min_size=2, max_size=4).map(tuple)),
        st.builds(Or, st.lists(inner, min_size=2, max_size=4).map(tuple)),
    ),
    max_leaves=8,
)


@given(TREES)
def test_what_is_written_is_read(tree):
    text = write_filter(tree)
    assert parse_filter(text) == tree
    assert write_filter(parse_filter(text)) == text


def refuse(text):
    """What a text is refused with, or None where it is a filter."""
    try:
        parse_filter(text)
    except InvalidFilterError as error:
        return error
    return None


@given(TREES, st.data())
def test_a_filter_cut_anywhere_is_a_filter_or_refused_at_a_place_within_it(tree, data):
    text = write_filter(tree)
    cut = text[: data.draw(st.integers(0, len(text)))]
    error = refuse(cut)
    assert error is None or (0 <= error.details["position"] <= len(cut) and error.hint)


@given(st.text(max_size=60) | st.text("()!&|: \tandorNOTtype:x*?`<>,", max_size=60))
def test_any_text_is_a_filter_or_refused_at_a_place_within_it(text):
    error = refuse(text)
    assert error is None or (0 <= error.details["position"] <= len(text) and error.hint)
    assert error is not None or parse_filter(write_filter(parse_filter(text))) == parse_filter(text)


A, B, C = (Condition(Field.TYPE, name) for name in "abc")


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("type:a type:b", And((A, B))),
        ("type:a AND type:b and type:c", And((A, B, C))),
        ("type:a&&type:b", And((A, B))),
        ("type:a||type:b", Or((A, B))),
        ("type:a or type:b OR type:c", Or((A, B, C))),
        ("type:a type:b OR type:c", Or((And((A, B)), C))),
        ("type:a (type:b || type:c)", And((A, Or((B, C))))),
        ("(type:a)", A),
        ("!type:a", Not(A)),
        ("not type:a", Not(A)),
        ("! (type:a or type:b)", Not(Or((A, B)))),
        ("!!type:a", Not(Not(A))),
        ("type:a!type:b", And((A, Not(B)))),
        ("TYPE:a\n  Type:b", And((A, B))),
        ("tag:or", Condition(Field.TAG, "or")),
        ("namespace:Ns.Größe.*", Condition(Field.NAMESPACE, "Ns.Größe.*")),
        ("type:Ns.Outer`1+Inner<TKey,TValue>", Condition(Field.TYPE, "Ns.Outer`1+Inner<TKey,TValue>")),
        ("depends:T_0A3F9K2M", Condition(Field.DEPENDS, "T_0A3F9K2M")),
        ("access:protected-internal", Condition(Field.ACCESS, "protected-internal")),
    ],
)
def test_the_grammar(text, tree):
    assert parse_filter(text) == tree


@pytest.mark.parametrize(
    ("text", "position", "words", "hint"),
    [
        ("", 0, "expected a condition, found the end", "namespace:"),
        ("   ", 3, "expected a condition, found the end", "namespace:"),
        ("Store", 0, "expected a condition, found `Store`", "namespace:"),
        ("typ:Store", 0, "found `typ`", "Did you mean type:?"),
        ("kind:class", 0, "found `kind`", "tag:"),
        ("type", 4, "expected a colon behind type", "right behind the colon"),
        ("type:", 5, "expected a pattern behind type:, found the end", "right behind the colon"),
        ("type: Store", 5, "expected a pattern behind type:, found `Store`", "right behind the colon"),
        ("type :Store", 4, "expected a colon behind type", "right behind the colon"),
        ("type:a AND", 10, "expected a condition, found the end", "namespace:"),
        ("type:a AND OR type:b", 11, "expected a condition, found `OR`", "namespace:"),
        ("OR type:a", 0, "expected a condition, found `OR`", "namespace:"),
        ("type:a)", 6, "expected AND, OR or the end, found `)`", "needs a ("),
        ("(type:a", 7, "expected ), AND or OR, found the end", "Close each ("),
        ("type:a:b", 6, "expected AND, OR or the end, found `:`", "namespace:"),
        ("type:a | type:b", 7, "`|` has no meaning", "||"),
        ("type:a & type:b", 7, "`&` has no meaning", "&&"),
        ("type:a; type:b", 6, "`;` has no meaning", "namespace:"),
        ("type:a\x00", 6, "U+0000 has no meaning", "namespace:"),
        ("type:a\u202eb", 6, "U+202E has no meaning", "Take it out"),
        ("access:pubic", 7, "`pubic` is no accessibility", "Did you mean public?"),
        ("access:x*", 7, "`x*` is no accessibility", "It is one of public"),
        ("!" * (DEEPEST + 1) + "type:a", DEEPEST, "nested more than", "parentheses"),
        ("(" * 900, DEEPEST, "nested more than", "parentheses"),
        ("type:" + "a" * LONGEST_FILTER, LONGEST_FILTER, "at most 1,000 characters", "shorter"),
    ],
)
def test_what_makes_no_sense_is_refused_at_its_place(text, position, words, hint):
    with pytest.raises(InvalidFilterError) as caught:
        parse_filter(text)
    assert caught.value.details["position"] == position
    assert words in caught.value.message
    assert hint in caught.value.hint
    assert len(caught.value.message) < 200


def test_the_longest_filter_is_read():
    text = "!" * DEEPEST + "type:a "
    text += "type:b " * ((LONGEST_FILTER - len(text)) // len("type:b "))
    assert len(list_conditions(parse_filter(text))) == 2


# -- patterns


def fits(pattern, name):
    """Whether a pattern fits, worked out the long way."""
    row = [True, *(False for _ in name)]
    for sign in pattern:
        if sign == "*":
            after = [any(row[: at + 1]) for at in range(len(row))]
        else:
            after = [False, *(row[at] and sign in ("?", name[at]) for at in range(len(name)))]
        row = after
    return row[-1]


@given(st.text("ab*?.", max_size=12), st.text("ab.", max_size=12))
def test_patterns_fit_what_they_say(pattern, name):
    assert compile_pattern(pattern)(name) == fits(pattern, name)


def test_no_pattern_takes_long():
    assert not compile_pattern("*a" * 500 + "b")("a" * 100_000)
    assert compile_pattern("*a*?" * 200)("a" * 10_000)
    assert not compile_pattern("?" * 1000)("a" * 10_000)


# -- meaning


def entry(number, fqn, **values):
    given = {"display": fqn.replace("+", "."), "kind": "class", "accessibility": "public", "tags": "", **values}
    return TypeEntry(
        f"T_{number:08}", fqn, given["display"], given["kind"], given["accessibility"],
        "src/Core/Core.csproj", "Shop.Core", "src/Core/Core.csproj", ("src/Core/A.cs",), given["tags"],
    )  # fmt: skip


ENTRIES = [
    entry(0, "Shop.Core.Store`1", display="Shop.Core.Store<T>", tags="sealed Serializable"),
    entry(1, "Shop.Core.Store`1+State", display="Shop.Core.Store<T>.State", kind="enum"),
    entry(2, "Shop.Core.Deep.Order", kind="record struct", accessibility="internal", tags="readonly"),
    entry(3, "Shop.CoreMore.Order", accessibility="protected internal", tags="static TestAttribute"),
    entry(4, "Global", kind="interface", accessibility="file"),
    entry(5, "Shop.Map`2", display="Shop.Map<TKey, TValue>", accessibility="private protected"),
]
NAMES = {"T_00000002": ["T_00000000"], "T_00000003": ["T_00000000", "T_00000001"]}


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("namespace:Shop.Core", [0, 1]),
        ("namespace:shop.core", [0, 1]),
        ("namespace:Shop.Core.*", [0, 1, 2]),
        ("namespace:Shop.*", [0, 1, 2, 3, 5]),
        ("namespace:Shop.Core*", [0, 1, 2, 3]),
        ("namespace:*.Deep", [2]),
        ("namespace:*", [0, 1, 2, 3, 4, 5]),
        ("!namespace:?*", [4]),
        ("type:Store", [0]),
        ("type:store", [0]),
        ("type:Order", [2, 3]),
        ("type:Shop.Core.Store", [0]),
        ("type:Shop.Core.Store`1", [0]),
        ("type:Shop.Core.Store<T>", [0]),
        ("type:Store<T>", [0]),
        ("type:Map<TKey,TValue>", [5]),
        ("type:Shop.Core.Store`1+State", [1]),
        ("type:Shop.Core.Store.State", [1]),
        ("type:Store<T>.State", [1]),
        ("type:State", [1]),
        ("type:*.Order", [2, 3]),
        ("type:St*", [0, 1]),
        ("type:T_00000004", [4]),
        ("type:Glo?al", [4]),
        ("access:public", [0, 1]),
        ("access:PUBLIC", [0, 1]),
        ("access:internal", [2]),
        ("access:protected-internal", [3]),
        ("access:protected_internal", [3]),
        ("access:private-protected", [5]),
        ("access:file", [4]),
        ("access:*internal", [2, 3]),
        ("tag:enum", [1]),
        ("tag:class", [0, 3, 5]),
        ("tag:record-struct", [2]),
        ("tag:sealed", [0]),
        ("tag:serializable", [0]),
        ("tag:Test", [3]),
        ("tag:TestAttribute", [3]),
        ("tag:Shop.Core", [0, 1, 2, 3, 4, 5]),
        ("tag:Core", [0, 1, 2, 3, 4, 5]),
        ("depends:Order", [0, 1]),
        ("depends:Shop.CoreMore.Order", [0, 1]),
        ("depends:Shop.Core.Deep.*", [0]),
        ("depends:Store", []),
        ("type:Order !access:internal", [3]),
        ("type:Order OR tag:enum", [1, 2, 3]),
        ("!(type:Order OR tag:enum) access:public", [0]),
    ],
)
def test_what_a_condition_means(text, numbers):
    found = select_types(parse_filter(text), ENTRIES, lambda target: NAMES.get(target, ())).types
    assert [int(each.id[2:]) for each in found] == numbers


def test_conditions_that_no_type_fits_are_named():
    assert select_types(
        parse_filter("tag:clas OR type:Store !namespace:Nope depends:Nope"), ENTRIES, lambda _: ()
    ).idle == [
        "tag:clas", "namespace:Nope",
    ]  # fmt: skip
