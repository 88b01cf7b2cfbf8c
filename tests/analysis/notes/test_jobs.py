"""Why a note has to be written, and how urgently."""

from __future__ import annotations

import pytest

from codecortex.analysis.notes.jobs import Job, JobKind, is_by_hand, name_class, name_kind, order_jobs, weigh
from codecortex.analysis.notes.staleness import Cause, CauseKind
from codecortex.model.code.types import TypeId
from codecortex.model.hashing import Digest
from codecortex.model.notes import Base, Note, hash_body

TYPE = TypeId("T_AAAAAAAA")


def job(name, priority, owner="T_AAAAAAAA"):
    return Job(owner, JobKind.NEW, (TYPE,), (name,), "", (), priority, "path")


@pytest.mark.parametrize(
    ("kinds", "kind", "change_class"),
    [
        ([], JobKind.NEW, ""),
        ([CauseKind.STRUCTURE, CauseKind.PUBLIC_BEHAVIOR], JobKind.STALE, "Structure"),
        ([CauseKind.TYPE_GONE], JobKind.STALE, "Structure"),
        ([CauseKind.PUBLIC_BEHAVIOR], JobKind.STALE, "PublicBehavior"),
        ([CauseKind.DEPENDENCY_STRUCTURE], JobKind.STALE, "Structure-Dependency"),
        ([CauseKind.INTERNAL], JobKind.STALE, "Internal"),
        ([CauseKind.DOCS], JobKind.STALE, "Docs"),
        ([CauseKind.DRIFT_LIMIT], JobKind.DRIFTED, "Internal"),
        ([CauseKind.DRIFT_AGE], JobKind.DRIFTED, "Internal"),
        ([CauseKind.DAMAGED], JobKind.DAMAGED, ""),
    ],
)
def test_the_gravest_cause_names_the_kind_and_the_class(kinds, kind, change_class):
    causes = [Cause(each, TYPE, "changed") for each in kinds]
    assert (name_kind(causes), name_class(causes)) == (kind, change_class)


def test_a_note_of_which_only_a_dependency_was_renamed_is_redirected():
    renamed = Cause(CauseKind.DEPENDENCY_STRUCTURE, "T_BBBBBBBB", "renamed")
    assert name_kind([renamed]) is JobKind.REDIRECTED
    assert name_class([renamed]) == "Structure-Dependency"
    assert name_kind([renamed, Cause(CauseKind.DEPENDENCY_STRUCTURE, "T_CCCCCCCC", "changed")]) is JobKind.STALE


def test_cc_15_priority_is_fan_in_over_depth_times_the_weight_of_the_class():
    """The weights of decisions.md stand in place of the case's."""
    assert weigh(JobKind.STALE, "Structure", 4, 1) == 4.0
    assert weigh(JobKind.STALE, "PublicBehavior", 4, 1) == 3.0
    assert weigh(JobKind.STALE, "Structure-Dependency", 4, 1) == pytest.approx(2.4)
    assert weigh(JobKind.DRIFTED, "Internal", 4, 1) == 1.0
    assert weigh(JobKind.NEW, "", 4, 1) == 2.0
    assert weigh(JobKind.DAMAGED, "", 4, 1) == 4.0
    assert weigh(JobKind.STALE, "Structure", 4, 0) == 8.0


def test_cc_16_priority_is_that_of_the_moment_and_nothing_of_an_earlier_one_lingers():
    assert weigh(JobKind.STALE, "Structure", 3, 0) == weigh(JobKind.STALE, "Structure", 3, 0) == 6.0


def test_equal_priorities_are_ordered_by_depth_then_by_name():
    jobs = [job("N.B", 1.0), job("N.C", 2.0), job("N.A", 1.0), job("N.A", 1.0, "T_00000000")]
    base = job("N.Z", 1.0)._replace(types=(TypeId("T_BBBBBBBB"),))
    told = order_jobs(jobs, lambda _: 0)
    assert order_jobs([*jobs, base], lambda each: each == TYPE) == (told[0], base, *told[1:])
    assert [(each.names[0], each.owner) for each in told] == [
        ("N.C", "T_AAAAAAAA"),
        ("N.A", "T_00000000"),
        ("N.A", "T_AAAAAAAA"),
        ("N.B", "T_AAAAAAAA"),
    ]


def make(generator, body_hash, texts=("\n",) * 5):
    base = Base(TYPE, "N.A", *map(Digest, "ABCD"), None)
    return Note(TYPE, (base,), (), generator, body_hash, texts)


def test_a_note_is_by_hand_where_a_person_wrote_or_changed_it_or_may_have():
    whole = hash_body(("\n",) * 5)
    assert not is_by_hand(make("extract 1", whole))
    assert is_by_hand(make("hand", whole))
    assert is_by_hand(make("extract 1", None))
    assert is_by_hand(make("extract 1", whole, (" Mine.\n", "\n", "\n", "\n", "\n")))
    assert is_by_hand(None)
