"""The file of an investigation: read as it was written, and strict about everything else."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from codecortex.model.code.types import TypeId
from codecortex.model.errors import NewerFormatError, StoreFormatError
from codecortex.model.hashing import Digest
from codecortex.model.investigations.values import Evidence, Findings, Investigation, make_slug
from codecortex.model.notes import Base
from codecortex.store.committed.investigation_md import (
    decode_investigation,
    encode_investigation,
    read_evidence,
    read_findings,
)
from codecortex.store.paths import investigation_path, investigation_slug

ZERO = Digest("00000000")
BASE = Base(TypeId("T_AB12CD34"), "Shop.Store`1", ZERO, ZERO, ZERO, ZERO, None)
plain = st.text(st.characters(categories=("L", "N"), include_characters=" .,()"), min_size=1, max_size=30).map(
    lambda text: " ".join(text.split())
)
words = plain.filter(lambda text: text and not text.startswith(("-", "*")))
cited = st.builds(Evidence, says=words, symbol=words, path=st.just(""), line=st.just(0), quote=st.just("")) | st.builds(
    Evidence, says=words, symbol=st.just(""), path=st.just("src/A.cs"), line=st.integers(1, 999_999), quote=words
)
points = st.lists(words.filter(lambda text: text.rstrip(".").lower() != "none"), max_size=3)
several = st.lists(cited, min_size=1, max_size=4).map(tuple)
findings = st.builds(Findings, conclusion=words, evidence=several, open_points=points.map(tuple))
found = st.builds(
    Investigation,
    question=words,
    scope=st.lists(st.sampled_from(["Shop.Store", "Shop.Order"]), max_size=2).map(tuple),
    types=st.just((BASE,)),
    generator=words,
    findings=st.builds(
        Findings,
        conclusion=words,
        evidence=st.lists(cited, min_size=1, max_size=4).map(tuple),
        open_points=points.map(tuple),
    ),
)


@given(found)
def test_what_was_written_is_read_again(investigation):
    path = investigation_path(investigation.slug)
    assert investigation_slug(path) == investigation.slug
    data = encode_investigation(investigation)
    assert decode_investigation(data, path) == investigation
    assert decode_investigation(data.replace(b"\n", b"\r\n"), path) == investigation


@given(st.text(max_size=200), st.text(max_size=200))
def test_a_name_is_made_of_words_and_a_mark(question, other):
    slug = make_slug(question)
    assert investigation_slug(investigation_path(slug)) == slug
    assert make_slug(f"  {question}\n") == slug
    assume(" ".join(question.split()) != " ".join(other.split()))
    assert make_slug(other) != slug


@pytest.mark.parametrize(
    ("question", "slug"),
    [
        ("How are large batches processed?", "how-are-large-batches-processed"),
        ("Où est l'état gardé?", "ou-est-l-etat-garde"),
        ("怎么处理大批量?", "question"),
    ],
)
def test_the_first_words_stand_in_the_name(question, slug):
    assert make_slug(question).rpartition("-")[0] == slug


@pytest.mark.parametrize(
    ("item", "evidence"),
    [
        ("`A.B(int)`: says", Evidence("says", symbol="A.B(int)")),
        ("`A.B` - says: more", Evidence("says: more", symbol="A.B")),
        ('src/A.cs:3 "int x": says', Evidence("says", path="src/A.cs", line=3, quote="int x")),
        ("`src/A.cs:3` `int x`: says", Evidence("says", path="src/A.cs", line=3, quote="int x")),
        ("A.B: says", None),
        ("src/A.cs:0 `x`: says", None),
        ("src/A.cs:3: says", None),
    ],
)
def test_evidence_is_read_as_models_write_it(item, evidence):
    assert read_evidence(item) == evidence


@given(st.text())
def test_whatever_stands_there_is_findings_or_a_reason(text):
    problem, read = read_findings(text)
    assert bool(problem) == (read is None)


@given(st.binary(max_size=300))
def test_what_is_no_investigation_is_refused(data):
    with pytest.raises(StoreFormatError):
        decode_investigation(data, investigation_path("a-000000"))


def test_hashes_of_a_newer_version_are_left_to_a_newer_codecortex():
    investigation = Investigation("Why?", (), (BASE,), "hand", Findings("So.", (Evidence("x", symbol="A"),)), 99)
    with pytest.raises(NewerFormatError):
        decode_investigation(encode_investigation(investigation), investigation_path(investigation.slug))
