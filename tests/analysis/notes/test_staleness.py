"""Whether a note still holds, from hashes alone."""

from __future__ import annotations

import pytest

from codecortex.analysis.notes.staleness import (
    Cause,
    CauseKind,
    CurrentState,
    DependencyChange,
    Drift,
    explain_cause,
    explain_drift,
    judge,
    judge_drift,
)
from codecortex.analysis.types.fingerprints import Fingerprints
from codecortex.model.code.types import TypeId
from codecortex.model.config import SemanticsConfig
from codecortex.model.hashing import Digest
from codecortex.model.notes import Base, Dependency, Note, SemanticState

CONFIG = SemanticsConfig()
A, B, C, NEEDED = (TypeId(f"T_{letter * 8}") for letter in "ABCN")
PRINTS = Fingerprints(*map(Digest, ("STR", "PUB", "INT", "COS", "IMP", "DOC")))
CHANGED = Digest("OTHER")


def make_base(type_id: TypeId) -> Base:
    each = PRINTS
    return Base(type_id, f"Ns.{type_id}", each.structure, each.impl, each.public_impl, each.internal_impl, each.xml_doc)


def make_note(*types: TypeId) -> Note:
    owner = types[0] if len(types) == 1 else "G_GGGGGGGG"
    needed = (Dependency(NEEDED, PRINTS.structure),)
    return Note(owner, tuple(map(make_base, types)), needed, "hand", None, ("\n",) * 5)


def make_today(**changes: Fingerprints | None) -> CurrentState:
    """Everything as the notes know it, but for what is given, by the letter of its id; None for what is gone."""
    prints = dict.fromkeys((A, B, C, NEEDED), PRINTS)
    for letter, found in changes.items():
        type_id = TypeId(f"T_{letter * 8}")
        if found is None:
            del prints[type_id]
        else:
            prints[type_id] = found
    return CurrentState(prints, (NEEDED,), {})


STRUCTURE = PRINTS._replace(structure=CHANGED)
PUBLIC = PRINTS._replace(public_impl=CHANGED, impl=CHANGED)
INTERNAL = PRINTS._replace(internal_impl=CHANGED, impl=CHANGED)
DOCS = PRINTS._replace(xml_doc=CHANGED)
COSMETIC = PRINTS._replace(cosmetic=CHANGED)


def test_what_did_not_change_is_cached() -> None:
    assert judge(make_note(A), make_today(), CONFIG) == (SemanticState.CACHED, (), ())


def test_cc_01_structure_outweighs_public_behaviour() -> None:
    both = STRUCTURE._replace(public_impl=CHANGED)
    verdict = judge(make_note(A), make_today(A=both), CONFIG)
    assert verdict == (SemanticState.STALE, (Cause(CauseKind.STRUCTURE, A),), ())


def test_cc_02_public_behaviour_makes_stale() -> None:
    verdict = judge(make_note(A), make_today(A=PUBLIC), CONFIG)
    assert verdict == (SemanticState.STALE, (Cause(CauseKind.PUBLIC_BEHAVIOR, A),), ())


def test_cc_03_an_internal_change_stays_cached_and_counts() -> None:
    verdict = judge(make_note(A), make_today(A=INTERNAL), CONFIG)
    assert verdict == (SemanticState.CACHED, (), (A,))
    assert judge_drift(verdict, {A: Drift(1, 0, exact=True)}, CONFIG) == verdict


def test_cc_04_an_internal_change_makes_stale_where_asked() -> None:
    verdict = judge(make_note(A), make_today(A=INTERNAL), CONFIG._replace(internal_impl_affects_semantic=True))
    assert verdict == (SemanticState.STALE, (Cause(CauseKind.INTERNAL, A),), ())


def test_cc_05_documentation_makes_stale_only_where_asked() -> None:
    asked = CONFIG._replace(semantic_docs_affect=True)
    assert judge(make_note(A), make_today(A=DOCS), CONFIG).state is SemanticState.CACHED
    assert judge(make_note(A), make_today(A=DOCS), asked).causes == (Cause(CauseKind.DOCS, A),)
    silent = make_note(A)._replace(types=(make_base(A)._replace(xml_doc=None),))
    assert judge(silent, make_today(A=DOCS), asked).state is SemanticState.CACHED


def test_cc_06_layout_changes_nothing() -> None:
    assert judge(make_note(A), make_today(A=COSMETIC), CONFIG) == (SemanticState.CACHED, (), ())


@pytest.mark.parametrize(
    ("today", "change"),
    [
        (make_today(N=STRUCTURE), DependencyChange.CHANGED),
        (make_today(N=None), DependencyChange.GONE),
        (make_today(N=None)._replace(aliases={NEEDED: B}), DependencyChange.RENAMED),
        (make_today(N=None)._replace(aliases={NEEDED: B}, dependencies=(B,)), DependencyChange.RENAMED),
        (make_today()._replace(dependencies=()), DependencyChange.NO_LONGER_NAMED),
    ],
)
def test_cc_07_a_dependencys_structure_makes_stale(today: CurrentState, change: DependencyChange) -> None:
    verdict = judge(make_note(A), today, CONFIG)
    assert verdict == (SemanticState.STALE, (Cause(CauseKind.DEPENDENCY_STRUCTURE, NEEDED, change),), ())


def test_a_name_that_means_another_type_makes_stale() -> None:
    verdict = judge(make_note(A), make_today()._replace(dependencies=(B,)), CONFIG)
    assert [(cause.type_id, cause.detail) for cause in verdict.causes] == [(B, "new"), (NEEDED, "noLongerNamed")]


@pytest.mark.parametrize("found", [PUBLIC, INTERNAL, DOCS, COSMETIC])
def test_a_dependencys_bodies_do_not_matter(found: Fingerprints) -> None:
    assert judge(make_note(A), make_today(N=found), CONFIG).state is SemanticState.CACHED


def test_cc_08_an_own_change_hides_what_came_from_dependencies() -> None:
    verdict = judge(make_note(A), make_today(A=STRUCTURE, N=STRUCTURE), CONFIG)
    assert verdict.causes == (Cause(CauseKind.STRUCTURE, A),)


@pytest.mark.parametrize(("changes", "state"), [(4, SemanticState.CACHED), (5, SemanticState.STALE)])
def test_cc_09_the_fifth_internal_change_makes_stale(changes: int, state: SemanticState) -> None:
    verdict = judge(make_note(A), make_today(A=INTERNAL), CONFIG)
    judged = judge_drift(verdict, {A: Drift(changes, 0, exact=True)}, CONFIG)
    assert judged.state is state
    assert judged.causes == ((Cause(CauseKind.DRIFT_LIMIT, A),) if changes == 5 else ())


@pytest.mark.parametrize(("hours", "state"), [(23, SemanticState.CACHED), (24, SemanticState.STALE)])
def test_cc_10_an_internal_change_a_day_old_makes_stale(hours: int, state: SemanticState) -> None:
    verdict = judge(make_note(A), make_today(A=INTERNAL), CONFIG)
    judged = judge_drift(verdict, {A: Drift(1, hours, exact=True)}, CONFIG)
    assert judged.state is state
    assert judged.causes == ((Cause(CauseKind.DRIFT_AGE, A),) if hours == 24 else ())


def test_cc_18_one_member_makes_the_group_stale() -> None:
    verdict = judge(make_note(A, B, C), make_today(B=PUBLIC), CONFIG)
    assert verdict == (SemanticState.STALE, (Cause(CauseKind.PUBLIC_BEHAVIOR, B),), ())


def test_a_group_that_lost_a_member_is_stale() -> None:
    verdict = judge(make_note(A, B, C), make_today(C=None, A=PUBLIC), CONFIG)
    assert verdict.causes == (Cause(CauseKind.TYPE_GONE, C), Cause(CauseKind.PUBLIC_BEHAVIOR, A))


@pytest.mark.parametrize(
    ("cause", "told"),
    [
        (Cause(CauseKind.STRUCTURE, A), "Structure of Ns.A changed"),
        (Cause(CauseKind.TYPE_GONE, B), "T_BBBBBBBB is gone"),
        (Cause(CauseKind.DAMAGED, "", "x.md:3: bad"), "x.md:3: bad"),
        (Cause(CauseKind.DEPENDENCY_STRUCTURE, A, "changed"), "structure of its dependency Ns.A"),
        (Cause(CauseKind.DRIFT_LIMIT, A), "5 internal changes of Ns.A"),
        (Cause(CauseKind.DRIFT_AGE, A), "internal change of Ns.A 30 hours old"),
    ],
)
def test_causes_are_told_in_words(cause: Cause, told: str) -> None:
    assert explain_cause(cause, {A: "Ns.A"}, {A: Drift(5, 30, exact=True)}) == told


def test_drift_that_cannot_be_counted_whole_says_so() -> None:
    assert explain_drift(Drift(1, 0, exact=True)) == "1 internal change since"
    assert explain_drift(Drift(2, 0, exact=False)) == "at least 2 internal changes since"
