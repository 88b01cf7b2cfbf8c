"""The states of notes in real repositories: every tree judges its own notes, and drift is counted along history."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from codecortex.analysis.notes.staleness import Drift
from codecortex.git.repository import open_repository
from codecortex.model.hashing import Digest
from codecortex.model.notes import SemanticState
from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.generation.put import Body, list_notes, put
from codecortex.operations.notes.headers import NoteHeaders
from codecortex.operations.notes.states import Survey, list_states
from codecortex.operations.queries.index import index, read_whole
from codecortex.operations.refresh.init import init
from codecortex.operations.request import Request
from codecortex.store.cache.cache import open_cache
from codecortex.store.committed.semantic_md import decode_note, encode_note
from codecortex.store.paths import SEMANTIC

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from codecortex.model.notes import Note
    from codecortex.operations.notes.states import NoteState
    from codecortex.operations.reading.tree import Reading

EPOCH = 1_700_000_000
SOURCE = """namespace Shop;
/// <summary>{doc}</summary>
public class Store : IStore
{{
    public int Count() {{ return {public}; }}
    private int inner() {{ return {inner}; }}
    {more}
}}
"""
NEEDED = "namespace Shop;\npublic interface IStore {{ {members} }}\n"
PROJECT = '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><Nullable>{nullable}</Nullable></PropertyGroup></Project>\n'
DEFAULTS = {"doc": "Keeps.", "public": "0", "inner": "0", "more": ""}


class Shop:
    """A repository with one noted type, `Shop.Store`, and the interface that it depends on."""

    def __init__(self, root: Path, git: Callable[..., str], environment: pytest.MonkeyPatch) -> None:
        self.root = root
        self.git = git
        self.environment = environment
        self.commits = 0
        (root / "src").mkdir(parents=True)
        git(root, "init", "--quiet")
        init(root)
        self.need("int Count();")
        self.edit()
        git(root, "add", ".")

    def edit(self, **parts: str) -> None:
        (self.root / "src" / "Store.cs").write_text(SOURCE.format(**{**DEFAULTS, **parts}))

    def need(self, members: str) -> None:
        (self.root / "src" / "IStore.cs").write_text(NEEDED.format(members=members))

    def note(self, symbol: str = "Store") -> None:
        put(Request(self.root), symbol, Body(b"ROLE: Keeps orders.\n", "test", "hand"))

    def commit(self, *, hours: int = 0, at: int | None = None) -> str:
        self.commits += 1  # eleven minutes apart: what lies within ten counts as one change
        time = f"@{EPOCH + hours * 3600 + self.commits * 660 if at is None else at} +0000"
        self.environment.setenv("GIT_COMMITTER_DATE", time)
        self.git(self.root, "add", ".")
        self.git(self.root, "commit", "--quiet", "--allow-empty", "-m", "more")
        return self.git(self.root, "rev-parse", "HEAD")

    def configure(self, text: str) -> None:
        (self.root / ".codecortex" / "config.yaml").write_text(text)

    def survey(self, *, staged: bool = False, rev: str | None = None) -> Survey:
        return list_notes(Request(self.root, staged=staged, rev=rev)).survey

    def state(self, *, staged: bool = False, rev: str | None = None) -> tuple[str, list[str]]:
        found = self.find(staged=staged, rev=rev)
        return str(found.state), [str(cause.kind) for cause in found.causes]

    def find(self, *, staged: bool = False, rev: str | None = None) -> NoteState:
        return next(each for each in self.survey(staged=staged, rev=rev).notes if each.types[0].fqn == "Shop.Store")

    def drift(self, *, staged: bool = False, rev: str | None = None) -> Drift | None:
        return next(iter(self.find(staged=staged, rev=rev).drifts.values()), None)

    def read_note(self) -> Note:
        return decode_note(self.file.read_bytes(), f"{SEMANTIC}/{self.file.name}")

    @property
    def file(self) -> Path:
        return next((self.root / ".codecortex" / "semantic").glob("*.md"))


@pytest.fixture
def store(tmp_path: Path, git: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> Shop:
    return Shop(tmp_path / "store", git, monkeypatch)


@pytest.fixture
def noted(store: Shop) -> Shop:
    """Return it with the note and the sources in one commit."""
    store.note()
    store.commit()
    return store


CACHED: tuple[str, list[str]] = ("cached", [])


def test_a_new_note_is_cached_before_and_after_its_commit(store: Shop) -> None:
    store.note()
    assert store.state() == CACHED
    store.commit()
    assert store.state() == store.state(staged=True) == store.state(rev="HEAD") == CACHED


def test_cc_01_structure_and_public_behaviour_are_one_cause(noted: Shop) -> None:
    noted.edit(public="1", more="public int More() => 1;")
    assert noted.state() == ("stale", ["Structure"])


def test_what_a_project_says_of_null_changes_its_types(store: Shop) -> None:
    def set_nullable(said: str) -> None:
        (store.root / "src" / "Shop.csproj").write_text(PROJECT.format(nullable=said))

    set_nullable("disable")
    store.edit(more="public string Name() => null;")
    store.note()
    store.commit()
    assert store.state() == CACHED
    set_nullable("enable")
    assert store.state() == ("stale", ["Structure"])
    set_nullable("disable")
    assert store.state() == CACHED


def test_cc_02_a_public_body_makes_stale(noted: Shop) -> None:
    noted.edit(public="1")
    assert noted.state() == ("stale", ["PublicBehavior"])


def test_cc_03_an_internal_change_stays_cached_and_is_told(noted: Shop) -> None:
    noted.edit(inner="1")
    assert noted.state() == CACHED
    assert noted.find().internal_changed
    assert noted.drift() == Drift(1, 0, exact=True)
    records = index(Request(noted.root), members=False, records=True).records
    record = next(each for each in records if each["fqn"] == "Shop.Store")
    assert (record["changeClass"], record["semanticState"], record["internalChanged"]) == ("Internal", "cached", True)


def test_cc_04_an_internal_change_makes_stale_where_asked(noted: Shop) -> None:
    noted.configure("semantics:\n  internalImplAffectsSemantic: true\n")
    assert noted.state() == CACHED
    noted.edit(inner="1")
    assert noted.state() == ("stale", ["Internal"])


def test_cc_05_documentation_makes_stale_only_where_asked(noted: Shop) -> None:
    noted.edit(doc="Keeps more.")
    assert noted.state() == CACHED
    noted.configure("semantics:\n  semanticDocsAffect: true\n")
    assert noted.state() == ("stale", ["Docs"])


def test_cc_06_layout_changes_no_state(noted: Shop) -> None:
    before = noted.find()
    noted.edit(more="// a comment\n\n")
    assert noted.find()._replace(types=()) == before._replace(types=())


def test_cc_07_a_dependencys_structure_makes_stale(noted: Shop) -> None:
    noted.need("int Count(); int More() => 1;")
    found = noted.find()
    assert noted.state() == ("stale", ["DependencyStructure"])
    assert found.causes[0].detail == "changed"
    records = index(Request(noted.root), members=False, records=True).records
    assert [r["changeClass"] for r in records if r["fqn"] == "Shop.Store"] == [None]
    noted.need("int Count();")
    assert noted.state() == CACHED


def test_cc_08_an_own_change_hides_what_came_from_dependencies(noted: Shop) -> None:
    noted.need("int Count(); int More() => 1;")
    noted.edit(more="public int Other() => 1;")
    assert noted.state() == ("stale", ["Structure"])


def test_cc_09_the_fifth_internal_change_makes_stale(noted: Shop) -> None:
    for number in range(1, 5):
        noted.edit(inner=str(number))
        noted.commit()
        assert noted.drift() == Drift(number, 0, exact=True)
        assert noted.state() == CACHED
    noted.edit(inner="5")
    assert noted.state() == ("stale", ["DriftLimit"])
    assert noted.state(staged=True) == noted.state(rev="HEAD") == CACHED
    noted.git(noted.root, "add", ".")
    assert noted.state(staged=True) == ("stale", ["DriftLimit"])
    noted.commit()
    assert noted.state(rev="HEAD") == ("stale", ["DriftLimit"])
    assert noted.state(rev="HEAD~1") == CACHED


def test_changes_within_ten_minutes_of_the_first_count_as_one(noted: Shop) -> None:
    start = EPOCH + 10_000
    for number, (seconds, drift) in enumerate([(0, 1), (300, 1), (600, 1), (601, 2), (1201, 2), (1202, 3)], 1):
        noted.edit(inner=str(number))
        noted.commit(at=start + seconds)
        assert noted.drift() == Drift(drift, 0, exact=True)


@pytest.mark.parametrize(("hours", "state"), [(23, CACHED), (24, ("stale", ["DriftAge"]))])
def test_cc_10_an_internal_change_grows_old_by_commit_time(
    noted: Shop, hours: int, state: tuple[str, list[str]]
) -> None:
    noted.edit(inner="1")
    noted.commit(hours=100)
    assert noted.drift() == Drift(1, 0, exact=True)
    noted.commit(hours=100 + hours)
    assert noted.drift() == Drift(1, hours, exact=True)
    assert noted.state() == state


def test_cc_11_a_change_back_to_the_base_counts_no_further(noted: Shop) -> None:
    for inner in ("1", "0", "2", "0", "3"):
        noted.edit(inner=inner)
        noted.commit()
    assert noted.drift() == Drift(3, 0, exact=True)
    noted.edit(inner="0")
    noted.commit(hours=1000)
    assert noted.drift() is None
    assert noted.state() == CACHED


def test_cc_18_one_member_makes_the_whole_group_stale(store: Shop) -> None:
    group = make_group(store)
    folder = store.root / ".codecortex" / "semantic"
    folder.mkdir()
    (folder / "G_00000000.md").write_bytes(encode_note(group))
    store.commit()
    assert store.state() == CACHED
    store.need("int Count() => 2;")
    store.edit(inner="1")
    assert [cause.type_id for cause in store.survey().notes[0].causes] == [reading_id(store, "Shop.IStore")]
    with open_cache(store.root / ".git" / "codecortex", warn=print) as cache:
        states = list_states(read(store), cache)
    assert {found.state for found in states.values()} == {SemanticState.STALE}
    assert len(states) == 2
    assert {found.group_id for found in states.values()} == {"G_00000000"}
    put(Request(store.root), "G_00000000", Body(b"ROLE: Both.\n", "test", "hand"))
    assert store.state() == CACHED


def make_group(store: Shop) -> Note:
    """The note on all types together."""
    with Workspace(Request(store.root)) as workspace:
        types = [entry.id for entry in workspace.catalog.types]
        note = NoteHeaders(workspace, [types]).make_note("G_00000000", types, "test", ("\n",) * 5)
    assert note is not None
    return note


def read(store: Shop) -> Reading:
    with open_cache(store.root / ".git" / "codecortex", warn=print) as cache:
        return read_whole(Request(store.root), open_repository(store.root), cache)


def reading_id(store: Shop, fqn: str) -> str:
    return next(merged.id for merged in read(store).types if merged.fqn == fqn)


def test_its_own_note_speaks_for_a_type_before_its_groups(noted: Shop) -> None:
    reading, group = read(noted), make_group(noted)
    noted.file.with_name("G_00000000.md").write_bytes(encode_note(group))
    states = noted.survey().by_type()
    told = {merged.fqn: states[merged.id].group_id for merged in reading.types}
    assert told == {"Shop.Store": None, "Shop.IStore": "G_00000000"}


def test_every_tree_judges_its_own_notes(noted: Shop) -> None:
    noted.edit(public="1")
    noted.git(noted.root, "add", ".")
    assert [noted.state(rev="HEAD")[0], noted.state(staged=True)[0], noted.state()[0]] == ["cached", "stale", "stale"]
    noted.note()
    assert [noted.state(rev="HEAD")[0], noted.state(staged=True)[0], noted.state()[0]] == ["cached", "stale", "cached"]
    noted.git(noted.root, "rm", "--quiet", "--cached", noted.file)
    assert noted.survey(staged=True).notes == ()
    assert noted.survey().notes


def test_drift_of_a_note_that_is_not_committed_is_one(store: Shop) -> None:
    store.commit()
    store.note()
    store.edit(inner="1")
    assert store.drift() == Drift(1, 0, exact=True)
    store.commit(hours=100)
    assert store.drift() == Drift(1, 0, exact=True)
    assert store.state() == CACHED


def test_drift_begins_anew_with_the_note(noted: Shop) -> None:
    for inner in ("1", "2", "3"):
        noted.edit(inner=inner)
        noted.commit()
    noted.note()
    assert noted.drift() is None
    noted.commit()
    noted.edit(inner="4")
    assert noted.drift() == Drift(1, 0, exact=True)


def test_drift_before_the_first_commit_is_one(store: Shop) -> None:
    store.note()
    store.edit(inner="1")
    assert store.drift() == Drift(1, 0, exact=True)
    store.git(store.root, "add", ".")
    assert store.drift(staged=True) == Drift(1, 0, exact=True)


def test_drift_follows_first_parents(noted: Shop) -> None:
    noted.git(noted.root, "switch", "--quiet", "-c", "side")
    for inner in ("1", "2", "3"):
        noted.edit(inner=inner)
        noted.commit()
    noted.git(noted.root, "switch", "--quiet", "main")
    noted.git(noted.root, "merge", "--quiet", "--no-ff", "-m", "merge", "side")
    assert noted.drift() == Drift(1, 0, exact=True)


@pytest.mark.parametrize("at", [0, EPOCH * 2])
def test_a_wrong_clock_makes_no_note_old(noted: Shop, at: int) -> None:
    noted.edit(inner="1")
    noted.commit(at=at)
    noted.commit(hours=1)
    drift = noted.drift()
    assert drift is not None
    assert drift.hours <= 1
    assert noted.state() == CACHED


def test_a_shallow_clone_says_at_least(noted: Shop, tmp_path: Path) -> None:
    for inner in ("1", "2", "3"):
        noted.edit(inner=inner)
        noted.commit(hours=int(inner))
    clone = tmp_path / "clone"
    noted.git(tmp_path, "clone", "--quiet", "--depth", "2", noted.root.as_uri(), clone)
    found = list_notes(Request(clone)).survey.notes[0]
    assert found.state is SemanticState.CACHED
    assert list(found.drifts.values()) == [Drift(2, 1, exact=False)]


def test_a_partial_clone_says_at_least(noted: Shop, tmp_path: Path) -> None:
    for inner in ("1", "2", "3"):
        noted.edit(inner=inner)
        noted.commit()
    noted.git(noted.root, "config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "clone"
    noted.git(tmp_path, "clone", "--quiet", "--filter=blob:none", noted.root.as_uri(), clone)
    found = list_notes(Request(clone)).survey.notes[0]
    assert found.state is SemanticState.CACHED
    assert list(found.drifts.values()) == [Drift(1, 0, exact=False)]


def test_drift_of_a_tree_that_no_commit_names_is_unknown(noted: Shop) -> None:
    noted.edit(inner="1")
    commit = noted.commit()
    assert noted.drift(rev=f"{commit}^{{tree}}") == Drift(1, 0, exact=False)


def test_a_file_that_moved_does_not_lose_the_drift(noted: Shop) -> None:
    noted.edit(inner="1")
    noted.commit()
    noted.git(noted.root, "mv", "src/Store.cs", "src/Moved.cs")
    noted.commit()
    assert noted.drift() == Drift(1, 0, exact=False)


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (b"StructureHash", b"Structure", "unknown header line"),
        (b"ROLE", b"<<<<<<< HEAD\nROLE", "conflict marker"),
        (b"Keeps", b"\xff", "not UTF-8"),
    ],
)
def test_a_damaged_note_is_stale_and_its_line_is_told(noted: Shop, before: bytes, after: bytes, told: str) -> None:
    noted.file.write_bytes(noted.file.read_bytes().replace(before, after, 1))
    found = noted.find()
    assert noted.state() == ("stale", ["Damaged"])
    assert re.match(rf"\.codecortex/semantic/{noted.file.name}:\d+: {told}", found.problems[0])


def test_a_damaged_note_of_a_group_is_told(noted: Shop) -> None:
    noted.file.with_name("G_00000000.md").write_bytes(b"nothing")
    group, own = noted.survey().notes
    assert (group.owner, group.state, group.types) == ("G_00000000", SemanticState.STALE, ())
    assert own.state is SemanticState.CACHED


def test_a_note_for_a_type_that_never_was_is_an_orphan(noted: Shop) -> None:
    note = noted.read_note()._replace(owner="T_00000000")
    noted.file.with_name("T_00000000.md").write_bytes(encode_note(note))
    noted.file.with_name("README.md").write_bytes(b"mine\n")
    survey = noted.survey()
    assert [(each.owner, each.fqn, each.alias, each.movable) for each in survey.orphans] == [
        ("T_00000000", "Shop.Store", None, False)
    ]
    assert survey.problems == (".codecortex/semantic/README.md: no note: its name is not the id of a type or a group",)
    assert len(survey.notes) == 1


@pytest.mark.parametrize("movable", [True, False])
def test_an_orphan_under_an_alias_is_told_where_it_belongs(noted: Shop, *, movable: bool) -> None:
    new = reading_id(noted, "Shop.Store")
    note = noted.read_note()._replace(owner="T_00000000")
    noted.file.with_name("T_00000000.md").write_bytes(encode_note(note))
    if movable:
        noted.file.with_name(f"{new}.md").unlink()
    row = (
        f'"T_00000000":{{"oldFqn":"Shop.Old","newTypeId":"{new}","newFqn":"Shop.Store","reason":"rename","score":1.0}}'
    )
    table = f'{{"schemaVersion":"1.0",\n"aliases":{{\n{row},\n"~":0}}}}\n'
    (noted.root / ".codecortex" / "aliases.json").write_text(table)
    (orphan,) = noted.survey().orphans
    assert orphan.alias is not None
    assert (orphan.alias.new_id, orphan.movable) == (new, movable)
    noted.git(noted.root, "add", ".")
    assert noted.survey(staged=True).orphans == (orphan,)


def test_a_damaged_alias_table_is_told_and_stops_nothing(noted: Shop) -> None:
    (noted.root / ".codecortex" / "aliases.json").write_text("nonsense")
    survey = noted.survey()
    assert "aliases.json" in survey.problems[0]
    assert survey.notes[0].state is SemanticState.CACHED


def test_a_note_that_is_a_link_is_damaged(noted: Shop) -> None:
    file, elsewhere = noted.file, noted.root / "elsewhere.md"
    file.rename(elsewhere)
    file.symlink_to(elsewhere)
    assert noted.state() == ("stale", ["Damaged"])
    assert "symbolic link" in noted.find().problems[0]
    noted.git(noted.root, "add", ".")
    assert noted.state(staged=True) == ("stale", ["Damaged"])


def test_crlf_on_disk_is_no_edit(noted: Shop) -> None:
    noted.edit(inner="1")
    noted.commit()
    noted.file.write_bytes(noted.file.read_bytes().replace(b"\n", b"\r\n"))
    assert noted.drift() == Drift(1, 0, exact=True)
    assert not noted.find().note.edited


def test_a_hash_that_no_type_ever_had_is_stale_whatever_else_fits(noted: Shop) -> None:
    note = noted.read_note()
    merged = note._replace(types=(note.types[0]._replace(structure=Digest("00000000")),))
    noted.file.write_bytes(encode_note(merged))
    assert noted.state() == ("stale", ["Structure"])


def test_bodies_count_as_dependencies_where_asked(store: Shop) -> None:
    used = store.root / "src" / "Used.cs"
    used.write_text("namespace Shop; public class Used { public static int One() => 1; }\n")
    store.edit(public="Used.One()")
    store.git(store.root, "add", ".")
    store.note()
    used.write_text("namespace Shop; public class Used { public static byte One() => 1; }\n")
    assert store.state() == CACHED
    store.configure("includeInternalForDependencies: true\n")
    assert store.find().causes[0].detail == "new"
    store.note()
    assert store.state() == CACHED
    used.write_text("namespace Shop; public class Used { public static long One() => 1; }\n")
    assert store.find().causes[0].detail == "changed"
