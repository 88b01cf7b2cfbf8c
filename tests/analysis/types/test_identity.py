"""Type ids; the names are the cases of section C."""

# ruff: noqa: N802 - tests are named after cases

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codecortex.analysis.types.assemble import Group, arity_of, assign_ids

NAMES = ("N.A", "N.B", "N.A`1", "N.A+B", "C")
GROUPS = st.builds(
    Group,
    st.sampled_from(NAMES),
    st.sampled_from(("class", "struct")),
    st.sampled_from(("", "a.csproj", "b.csproj")),
    st.just(""),
).flatmap(lambda group: st.sampled_from([group._replace(owner=owner) for owner in (group.project, "x.cs", "y.cs")]))


def name_types(count: int) -> list[Group]:
    return [Group(f"N.T{number}", "class", "", "") for number in range(count)]


def test_ID_01_the_same_source_gives_the_same_id(workspace):
    one, two = (workspace("namespace N; class C { }").find("N.C").id for _ in range(2))
    assert one == two == "T_" + one[2:10]


def test_ID_02_an_id_is_eight_characters_without_lookalikes(workspace):
    ids = [t.id for t in workspace(" ".join(f"class C{n} {{ }}" for n in range(200))).types]
    assert all(len(i) == 10 and set(i[2:]) <= set("0123456789ABCDEFGHJKMNPQRSTVWXYZ") for i in ids)
    assert ids == sorted(set(ids))


def test_ID_03_arity_tells_types_apart(workspace):
    found = workspace("class C { } class C<T> { } class C<T, U> { }")
    assert sorted((t.fqn, t.arity) for t in found.types) == [("C", 0), ("C`1", 1), ("C`2", 2)]
    assert len({t.id for t in found.types}) == 3


def test_ID_04_type_parameter_names_are_nothing(workspace):
    one, two = (workspace(f"class C<{name}> {{ class D {{ }} }}") for name in "TU")
    assert [t.id for t in one.types] == [t.id for t in two.types]


def test_ID_05_types_that_collide_both_take_twelve_characters():
    groups = name_types(300)
    plain = assign_ids(groups)
    short = assign_ids(groups, 2)
    full = assign_ids(groups, 12)
    shared = {i for i in short.values() if len(i) == 14}
    assert shared
    for group, type_id in short.items():
        collides = sum(other[:4] == full[group][:4] for other in full.values()) > 1
        assert type_id == (full[group] if collides else plain[group][:4])


def test_ID_06_order_of_discovery_is_nothing():
    groups = name_types(6)
    expected = assign_ids(groups, 1)
    assert all(assign_ids(order, 1) == expected for order in itertools.permutations(groups))


@given(st.lists(GROUPS, unique=True), st.randoms())
def test_ID_06_every_type_has_one_id_whatever_the_order(groups, random):
    expected = assign_ids(groups)
    assert len(set(expected.values())) == len(groups)
    mixed = list(groups)
    random.shuffle(mixed)
    assert assign_ids(mixed) == expected


def test_ID_07_the_same_name_in_two_projects_is_two_types(workspace):
    files = {"a/a.cs": "namespace N; class C { }", "b/b.cs": "namespace N; class C { }"}
    found = workspace(files, {"b/b.csproj": (), "a/a.csproj": ()})
    first, second = found.find("N.C", "a/a.csproj"), found.find("N.C", "b/b.csproj")
    alone = workspace("namespace N; class C { }").find("N.C").id
    assert first.id == alone
    assert second.id != alone


def test_ID_07_a_file_of_two_projects_declares_two_types(workspace):
    found = workspace({"shared/a.cs": "file class C { } class D { }"}, {"a/a.csproj": (), "b/b.csproj": ()})
    assert len({t.id for t in found.types}) == len(found.types) == 4


def test_ID_12_a_renamed_type_is_another_type(workspace):
    assert workspace("class C { }").types[0].id != workspace("class D { }").types[0].id


def test_file_local_types_of_one_name_are_several(workspace):
    text = "namespace N; file class C { public class D { } } class E { }"
    found = workspace({"a.cs": text, "b.cs": text})
    assert sorted((t.fqn, t.owner) for t in found.types) == [
        ("N.C", "a.cs"), ("N.C", "b.cs"), ("N.C+D", "a.cs"), ("N.C+D", "b.cs"), ("N.E", ""),
    ]  # fmt: skip
    assert len({t.id for t in found.types}) == 5


@pytest.mark.parametrize(
    ("fqn", "arity"), [("N.A", 0), ("N.A`2", 2), ("N.A`2+B", 0), ("N.A`2+B`1", 1), ("A`x", 0), ("N`1.A", 0)]
)
def test_arity_is_of_the_last_level(fqn, arity):
    assert arity_of(fqn) == arity
