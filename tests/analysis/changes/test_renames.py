"""Who became whom: ID-08, ID-09, ID-11, and what large, small and circular renames ask."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codecortex.analysis.changes.renames import Renames, detect_renames
from codecortex.model.code.aliases import AliasReason

NAMES = "abcdefghijklmnopqrstuvwxyz"


def shape(name: str, members: int, first: int = 0) -> str:
    inside = "".join(f"public int M{number}(int a) => a; " for number in range(first, first + members))
    return f"public class {name} {{ {inside}}}"


@pytest.fixture
def detect(workspace: Callable[..., Any]) -> Callable[..., Renames]:
    """Detect between two sets of files: what is in both is neither gone nor new."""

    def run(
        before: Mapping[str, str] | str,
        after: Mapping[str, str] | str,
        lineage: Mapping[str, frozenset[str]] | None = None,
        projects: Mapping[str, Sequence[str]] | None = None,
    ) -> Renames:
        old, new = workspace(before, projects).by_id, workspace(after, projects).by_id
        vanished = [merged for key, merged in old.items() if key not in new]
        appeared = [merged for key, merged in new.items() if key not in old]
        found = detect_renames(vanished, appeared, lineage or {})
        assert found == detect_renames(vanished[::-1], appeared[::-1], lineage or {})
        return found

    return run


def tell(found: Renames) -> dict[str, str]:
    return {alias.old_fqn: alias.new_fqn for alias in found.aliases}


def test_id_08_nine_of_ten_signatures_shared_is_a_rename(detect: Callable[..., Renames]) -> None:
    found = detect({"a.cs": shape("Old", 10)}, {"b.cs": shape("New", 9)})
    [alias] = found.aliases
    assert (alias.old_fqn, alias.new_fqn, alias.reason, alias.score) == ("Old", "New", AliasReason.RENAME, 0.9)
    changed = detect({"a.cs": shape("Old", 10)}, {"b.cs": shape("New", 9).replace("{", "{ public void Z() {} ", 1)})
    assert tell(changed) == {"Old": "New"}
    assert not found.doubts


def test_id_09_a_count_difference_of_three_is_no_rename(detect: Callable[..., Renames]) -> None:
    found = detect({"a.cs": shape("Old", 30)}, {"b.cs": shape("New", 27)})
    assert not found.aliases
    assert tell(detect({"a.cs": shape("Old", 30)}, {"b.cs": shape("New", 28)})) == {"Old": "New"}


def test_id_11_of_two_that_tie_none_is_taken_and_both_are_reported(detect: Callable[..., Renames]) -> None:
    found = detect({"a.cs": shape("Old", 5)}, {"b.cs": shape("Second", 5), "c.cs": shape("First", 5)})
    assert tell(found) == {}
    [doubt] = found.doubts
    assert [alias.new_fqn for alias in doubt.candidates] == ["First", "Second"]


def test_a_tie_goes_to_the_file_git_calls_the_same(detect: Callable[..., Renames]) -> None:
    after = {"b.cs": shape("First", 5), "c.cs": shape("Second", 5)}
    found = detect({"a.cs": shape("Old", 5)}, after, {"c.cs": frozenset({"a.cs", "c.cs"})})
    assert tell(found) == {"Old": "Second"}
    assert len(found.doubts) == 1


def test_the_better_score_wins(detect: Callable[..., Renames]) -> None:
    found = detect({"a.cs": shape("Old", 10)}, {"b.cs": shape("A", 9), "c.cs": shape("Z", 10)})
    assert tell(found) == {"Old": "Z"}


def test_a_merge_of_two_types_takes_none_and_reports_both(detect: Callable[..., Renames]) -> None:
    found = detect({"a.cs": shape("One", 6), "b.cs": shape("Two", 6)}, {"c.cs": shape("Both", 6)})
    assert tell(found) == {}
    told = [(doubt.old_fqn, [alias.new_fqn for alias in doubt.candidates]) for doubt in found.doubts]
    assert told == [("One", ["Both"]), ("Two", ["Both"])]


def test_a_type_whose_members_went_to_two_is_a_doubt(detect: Callable[..., Renames]) -> None:
    old = {"a.cs": shape("Old", 10)}
    found = detect(old, {"b.cs": shape("First", 4), "c.cs": shape("Second", 6, first=4)})
    assert tell(found) == {}
    [doubt] = found.doubts
    assert doubt.old_fqn == "Old"
    assert [(alias.new_fqn, alias.score) for alias in doubt.candidates] == [("Second", 0.6), ("First", 0.4)]
    assert "became several" in doubt.why
    for elsewhere in (
        {"b.cs": shape("First", 4)},  # where the others went nobody knows
        {"b.cs": shape("First", 4), "c.cs": shape("Second", 6, first=40)},
        {"b.cs": shape("First", 4), "c.cs": shape("Second", 30, first=4)},
        {"b.cs": shape("First", 2), "c.cs": shape("Second", 2, first=2), "d.cs": shape("Third", 6, first=4)},
        {"b.cs": shape("First", 4).replace("class", "interface"), "c.cs": shape("Second", 3, first=4)},
    ):
        found = detect(old, elsewhere)
        assert (found.aliases, found.doubts) == ((), ())


def test_types_whose_members_went_to_one_are_doubts(detect: Callable[..., Renames]) -> None:
    found = detect({"a.cs": shape("One", 4), "b.cs": shape("Two", 6, first=4)}, {"c.cs": shape("Both", 10)})
    assert tell(found) == {}
    told = [(doubt.old_fqn, [alias.new_fqn for alias in doubt.candidates]) for doubt in found.doubts]
    assert told == [("One", ["Both"]), ("Two", ["Both"])]


def within(namespace: str, *types: str) -> str:
    return f"namespace {namespace} {{ {' '.join(types)} }}"


LINEAGE = {"b.cs": frozenset({"a.cs", "b.cs"})}


def test_a_kept_simple_name_is_a_doubt_where_the_other_members_went_to_a_new_type(
    detect: Callable[..., Renames],
) -> None:
    old = {"a.cs": within("N", shape("Store", 10))}
    kept = within("M", shape("Store", 6))
    found = detect(old, {"b.cs": kept, "c.cs": within("M", shape("Rest", 4, first=6))}, LINEAGE)
    assert tell(found) == {}
    [doubt] = found.doubts
    assert [(alias.new_fqn, alias.score) for alias in doubt.candidates] == [("M.Store", 0.6), ("M.Rest", 0.4)]
    assert "became several" in doubt.why
    # Where the others went nobody knows, or they went where they say nothing: then the name and the file decide.
    for rest in ("", shape("Rest", 2, first=6), shape("Rest", 4, first=60)):
        assert tell(detect(old, {"b.cs": kept, "c.cs": rest}, LINEAGE)) == {"N.Store": "M.Store"}


def test_a_kept_simple_name_is_a_doubt_where_another_types_members_joined(detect: Callable[..., Renames]) -> None:
    old = {"a.cs": within("N", shape("Store", 6)), "c.cs": within("N", shape("Rest", 4, first=6))}
    found = detect(old, {"b.cs": within("M", shape("Store", 10))}, LINEAGE)
    assert tell(found) == {}
    told = [(doubt.old_fqn, [alias.new_fqn for alias in doubt.candidates]) for doubt in found.doubts]
    assert told == [("N.Rest", ["M.Store"]), ("N.Store", ["M.Store"])]


def test_a_kept_full_name_is_no_doubt_where_the_kind_changed_and_members_went(detect: Callable[..., Renames]) -> None:
    old = {"a.cs": within("N", shape("Store", 10))}
    record = within("N", shape("Store", 6)).replace("class", "record")
    assert tell(detect(old, {"a.cs": record, "c.cs": shape("Rest", 4, first=6)})) == {"N.Store": "N.Store"}


def test_what_is_nested_in_a_split_type_does_not_follow_one_part_by_its_name(detect: Callable[..., Renames]) -> None:
    nested = shape("Kept", 5) + shape("Half", 6)
    before = within("N", shape("Store", 10)[:-1] + nested + "}")
    after = within("M", shape("Store", 6)[:-1] + shape("Kept", 5) + shape("Half", 6, first=3) + "}")
    found = detect({"a.cs": before}, {"b.cs": after, "c.cs": within("M", shape("Rest", 4, first=6))}, LINEAGE)
    assert tell(found) == {"N.Store+Kept": "M.Store+Kept"}
    assert {doubt.old_fqn for doubt in found.doubts} == {"N.Store", "N.Store+Half"}


def test_what_has_a_successor_was_not_split(detect: Callable[..., Renames]) -> None:
    after = {"b.cs": shape("Heir", 19), "c.cs": shape("Rest", 3, first=17)}
    found = detect({"a.cs": shape("Old", 20)}, after)
    assert tell(found) == {"Old": "Heir"}
    assert not found.doubts


def test_kinds_pair_only_with_their_own(detect: Callable[..., Renames]) -> None:
    inside = "{ int A(); int B(); int C(); int D(); }"
    body = inside.replace("()", "() => 1").replace("int", "public int")
    before = f"interface Ctx {inside} class CtxImpl : Ctx {body}"
    after = f"interface ICtx {inside} class Ctx : ICtx {body}"
    assert tell(detect(before, after)) == {"Ctx": "ICtx", "CtxImpl": "Ctx"}
    assert tell(detect(f"class A {body}", f"record struct B {body}")) == {"A": "B"}
    assert not detect("enum A { X, Y, Z }", {"b.cs": "class B { public int X, Y, Z; }"}).aliases


EXCEPTION = """public class {0} : Exception {{
    public {0}() {{ }} public {0}(string message) : base(message) {{ }}
    public {0}(string message, Exception inner) : base(message, inner) {{ }}
}}"""


def test_signatures_that_everyone_has_make_no_rename(detect: Callable[..., Renames]) -> None:
    before = {"a.cs": EXCEPTION.format("QueueFullException")}
    after = {"b.cs": EXCEPTION.format("LoginException")}
    assert not detect(before, after).aliases
    found = detect(before, after, {"b.cs": frozenset({"a.cs", "b.cs"})})
    assert not found.aliases
    assert [doubt.old_fqn for doubt in found.doubts] == ["QueueFullException"]
    same_file = {"a.cs": EXCEPTION.format("LoginException")}
    assert tell(detect(before, same_file)) == {"QueueFullException": "LoginException"}
    akin = {"b.cs": EXCEPTION.format("QueueOverflowException")}
    lineage = {"b.cs": frozenset({"a.cs", "b.cs"})}
    assert tell(detect(before, akin, lineage)) == {"QueueFullException": "QueueOverflowException"}


def test_few_members_need_the_same_file_or_the_same_name(detect: Callable[..., Renames]) -> None:
    old = {"a.cs": shape("Old", 2)}
    assert not detect(old, {"b.cs": shape("New", 2)}).aliases
    assert tell(detect(old, {"a.cs": shape("New", 2)})) == {"Old": "New"}
    assert tell(detect(old, {"b.cs": shape("New", 2)}, {"b.cs": frozenset({"a.cs", "b.cs"})})) == {"Old": "New"}
    assert tell(detect(old, {"b.cs": "namespace N { " + shape("Old", 2) + "}"})) == {"Old": "N.Old"}


def test_two_members_suffice_where_one_name_is_a_part_of_the_other(detect: Callable[..., Renames]) -> None:
    """A rule rewritten and moved in one commit, as in graphql-dotnet 2272538b9e."""
    before = {"a.cs": shape("KnownRules", 2)}
    assert tell(detect(before, {"b.cs": shape("KnownRulesInPlaces", 2)})) == {"KnownRules": "KnownRulesInPlaces"}
    assert not tell(detect(before, {"b.cs": shape("OtherRules", 2)}))
    assert not tell(detect(before, {"b.cs": shape("KnownRulesInPlaces", 2, first=1)}))
    assert not tell(detect({"a.cs": shape("KnownRules", 1)}, {"b.cs": shape("KnownRulesInPlaces", 1)}))


def test_what_cannot_be_seen_must_not_contradict_what_little_can(detect: Callable[..., Renames]) -> None:
    old = "class A { public void Run() {} int a; int b; void C() {} }"
    assert not detect(old, "class B { public void Run() {} string x; void Y() {} void Z() {} }").aliases
    assert tell(detect(old, "class B { public void Run() {} int a; int b; void D() {} }")) == {"A": "B"}


def test_types_that_show_nothing_are_compared_by_all_they_have(detect: Callable[..., Renames]) -> None:
    assert tell(detect("class A : X { int a; }", "class B : X { int a; }")) == {"A": "B"}
    assert not detect("class A : X { int a; }", "interface B : Y { }").aliases


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("class A { public A(A a) {} public A Get(N.A b) => b; public void Put(List<A> a) {} }", "A"),
        ("class A<T> { public T Get(A<T> a) => default; public void Put(T t) {} public A(T t) {} }", "A"),
    ],
)
def test_the_own_name_does_not_count(detect: Callable[..., Renames], before: str, after: str) -> None:
    now = before.replace("A", "B").replace("<T>", "<TItem>").replace("T ", "TItem ").replace("(TItem t", "(TItem  t")
    found = detect({"a.cs": before}, {"b.cs": now})
    assert [alias.score for alias in found.aliases] == [1.0]
    assert next(iter(tell(found))).startswith(after)


def test_types_that_name_each_other_are_renamed_together(detect: Callable[..., Renames]) -> None:
    text = (
        "public class {x}Options {{ public int A; public int B; public int C; }}"
        "public class {x}Builder {{ public {x}Options Get() => null; public void Set({x}Options o) {{}} "
        "public {x}Builder Then({x}Options a, {x}Options b) => this; }}"
        "public static class {x}Extensions {{ public static {x}Builder Use(this {x}Builder b) => b; "
        "public static {x}Builder With(this {x}Builder b, {x}Options o) => b; "
        "public static void Run(this {x}Builder b) {{}} }}"
    )
    found = detect({"a.cs": text.format(x="Old")}, {"b.cs": text.format(x="New")})
    assert tell(found) == {f"Old{part}": f"New{part}" for part in ("Options", "Builder", "Extensions")}
    assert {alias.score for alias in found.aliases} == {1.0}


def test_a_circle_of_renames_is_broken_by_the_files(detect: Callable[..., Renames]) -> None:
    one = "public class {x}A {{ public {x}B One({x}B b) => b; public {x}B Two() => null; public void C({x}B b) {{}} }}"
    two = "public class {x}B {{ public {x}A One({x}A a) => a; public {x}A Two() => null; public void D({x}A a) {{}} }}"
    before = {f"Old{name}.cs": text.format(x="Old") for name, text in (("A", one), ("B", two))}
    after = {f"New{name}.cs": text.format(x="New") for name, text in (("A", one), ("B", two))}
    lineage = {f"New{name}.cs": frozenset({f"Old{name}.cs", f"New{name}.cs"}) for name in "AB"}
    assert tell(detect(before, after, lineage)) == {"OldA": "NewA", "OldB": "NewB"}


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ("namespace N { class A { public int X; } }", "namespace M { class A { public int X; } }", "namespaceMove"),
        ("class A { public int X, Y, Z; }", "class O { public class A { public int X, Y, Z; } }", "nesting"),
        ("class A { public int X, Y, Z; }", "class B { public int X, Y, Z; }", "rename"),
        ("class A { public int X, Y, Z; }", "struct A { public int X, Y, Z; }", "rename"),
        ("class A { public int X, Y, Z; }", "class A<T> { public int X, Y; public T Z; }", "rename"),
    ],
)  # fmt: skip
def test_the_reason_says_what_changed(detect: Callable[..., Renames], before: str, after: str, reason: str) -> None:
    assert [alias.reason for alias in detect(before, after).aliases] == [reason]


def test_nested_types_follow_the_one_around_them(detect: Callable[..., Renames]) -> None:
    text = "public class {x} {{ public int P, Q, R; public enum State {{ On, Off }} public class Tag {{ }} }}"
    other = "public class Z { public int U; public enum State { On, Off } public class Tag { } }"
    found = detect({"a.cs": text.format(x="Old")}, {"b.cs": text.format(x="New"), "c.cs": other})
    assert tell(found) == {"Old": "New", "Old+State": "New+State", "Old+Tag": "New+Tag"}
    assert {alias.reason for alias in found.aliases} == {AliasReason.RENAME}


def test_another_project_is_named_as_the_reason(detect: Callable[..., Renames]) -> None:
    projects = {"A/A.csproj": [], "B/B.csproj": [], "C/C.csproj": []}
    kept = {"A/x.cs": shape("Other", 1), "B/x.cs": shape("T", 4)}
    found = detect({**kept, "C/y.cs": shape("T", 4)}, {**kept, "A/y.cs": shape("T", 4)}, None, projects)
    assert {alias.reason for alias in found.aliases} <= {AliasReason.PROJECT}


def test_less_alike_in_the_same_file_is_a_question(detect: Callable[..., Renames]) -> None:
    found = detect({"a.cs": shape("Old", 10)}, {"a.cs": shape("New", 10, first=3)})
    assert not found.aliases
    [doubt] = found.doubts
    assert [(alias.new_fqn, alias.score) for alias in doubt.candidates] == [("New", 0.7)]


def test_a_kept_name_in_a_moved_file_needs_only_half(detect: Callable[..., Renames]) -> None:
    before, after = (
        {"a.cs": "namespace N { " + shape("A", 10) + "}"},
        {"b.cs": "namespace M { " + shape("A", 10, 4) + "}"},
    )
    assert not detect(before, after).aliases
    assert tell(detect(before, after, {"b.cs": frozenset({"a.cs", "b.cs"})})) == {"N.A": "M.A"}


@pytest.mark.slow
def test_500_types_move_together(detect: Callable[..., Renames]) -> None:
    def write(namespace: str) -> dict[str, str]:
        texts = {}
        for number in range(500):
            same = "public int Convert(long n) => 0; public string Order(int n) => null; public void Reset() {}"
            own = "" if number % 2 else f"public T{(number * 7) % 500} Next(T{(number + 1) % 500} t) => null;"
            texts[f"{number}.cs"] = f"namespace {namespace}; public class T{number} {{ {same} {own} }}"
        return texts

    found = detect(write("Old.Space"), write("New"))
    assert tell(found) == {f"Old.Space.T{number}": f"New.T{number}" for number in range(500)}
    assert not found.doubts
    assert {alias.reason for alias in found.aliases} == {AliasReason.NAMESPACE_MOVE}


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(NAMES), st.integers(0, 6), st.integers(0, 3)), max_size=8),
    st.lists(st.tuples(st.sampled_from(NAMES), st.integers(0, 6), st.integers(0, 3)), max_size=8),
)
def test_no_type_has_two_successors_and_none_two_pasts(
    workspace: Callable[..., Any], before: list[tuple[str, int, int]], after: list[tuple[str, int, int]]
) -> None:
    def read(drawn: list[tuple[str, int, int]]) -> dict[str, Any]:
        texts = {f"{name}.cs": shape(name, members, first) for name, members, first in drawn}
        return workspace(texts).by_id if texts else {}

    old, new = read(before), read(after)
    vanished = [merged for key, merged in old.items() if key not in new]
    appeared = [merged for key, merged in new.items() if key not in old]
    found = detect_renames(vanished, appeared, {})
    assert len({alias.old_id for alias in found.aliases}) == len({alias.new_id for alias in found.aliases})
    assert {alias.old_id for alias in found.aliases} <= {merged.id for merged in vanished}
    assert {alias.new_id for alias in found.aliases} <= {merged.id for merged in appeared}
    assert all(0 <= alias.score <= 1 for alias in found.aliases)
