"""Which notes have to be written in real repositories: alone, as groups, and as groups that come and go."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from codecortex.analysis.notes.groups import name_group
from codecortex.model.code.aliases import Alias, AliasReason
from codecortex.model.errors import InvalidFilterError, SymbolNotFoundError
from codecortex.model.notes import Section
from codecortex.operations.catalog.describe import read_types
from codecortex.operations.catalog.fingerprints import measure_outlines, read_prints
from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.generation.jobs.jobs import Jobs, Selection, list_jobs
from codecortex.operations.generation.jobs.stale_groups import remove_stale_groups
from codecortex.operations.notes.headers import NoteHeaders
from codecortex.operations.notes.moves import rewrite_names
from codecortex.operations.notes.previous import list_superseded, read_previous
from codecortex.operations.refresh.init import init
from codecortex.operations.refresh.refresh import refresh
from codecortex.operations.request import Request
from codecortex.store.committed.semantic_md import decode_note, encode_note
from codecortex.store.paths import REPLACED, semantic_owner, semantic_path

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from pathlib import Path

    from codecortex.analysis.notes.jobs import Job

EMPTY = ("\n",) * len(Section)


class Place:
    """A repository of a project whose types each stand in a file of their own, one line to a member."""

    def __init__(self, root: Path, git: Callable[..., str]) -> None:
        self.root = root
        self.git = git
        root.mkdir()
        git(root, "init", "--quiet")
        init(root)

    def write(self, name: str, *members: str, access: str = "public") -> None:
        body = "".join(f"    {member}\n" for member in members)
        (self.root / f"{name}.cs").write_text(f"namespace N;\n{access} class {name}\n{{\n{body}}}\n")
        self.git(self.root, "add", ".")

    def circle(self, *names: str) -> None:
        """Write types each of which names the next, and the last the first."""
        for name, following in zip(names, (*names[1:], *names[:1]), strict=True):
            self.write(name, f"public {following} Next;")

    def configure(self, text: str) -> None:
        (self.root / ".codecortex" / "config.yaml").write_text(text)

    def ids(self, *names: str) -> list[str]:
        with Workspace(Request(self.root)) as workspace:
            known = {entry.fqn: entry.id for entry in workspace.catalog.types}
        return sorted(known[f"N.{name}"] for name in names)

    def note(self, *names: str, role: str = " Keeps.\n\n", generator: str = "extract 1") -> str:
        """Write the note of a type, or of a group, as a run would; its path."""
        ids = self.ids(*names)
        owner = name_group(ids) if len(names) > 1 else ids[0]
        self.write_note(owner, ids, (role, *EMPTY[1:]), generator)
        return semantic_path(owner)

    def write_note(self, owner: str, ids: Collection[str], texts: tuple[str, ...], generator: str) -> None:
        with Workspace(Request(self.root)) as workspace:
            types = [entry.id for entry in workspace.catalog.types if entry.id in ids]
            note = NoteHeaders(workspace, [types]).make_note(owner, types, generator, texts)
        assert note is not None
        path = self.root / semantic_path(owner)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(encode_note(note))

    def do(self, job: Job, fresh: str) -> bool:
        """Do a job as a model would that changes nothing; whether there was no text before, and it is `fresh`."""
        with Workspace(Request(self.root)) as workspace:
            before = read_previous(workspace, job).texts
            gone = list_superseded(workspace, job)
        self.write_note(job.owner, job.types, before or (f" {fresh}\n\n", *EMPTY[1:]), "extract 1")
        for path in gone:
            (self.root / path).unlink()
        return before is None

    def jobs(self, *symbols: str, every: bool = False, limit: int | None = None, rev: str | None = None) -> Jobs:
        with Workspace(Request(self.root, rev=rev)) as workspace:
            return list_jobs(workspace, Selection(symbols, every=every, limit=limit))

    def told(self, *symbols: str, every: bool = False) -> dict[str, str]:
        """The kind and class of each job by the simple names of its types."""
        return {name(job): f"{job.kind} {job.change_class}".rstrip() for job in self.jobs(*symbols, every=every).jobs}

    def find(self, names: str) -> Job:
        return next(job for job in self.jobs().jobs if name(job) == names)

    def superseded(self, names: str) -> tuple[str, ...]:
        job = self.find(names)
        with Workspace(Request(self.root)) as workspace:
            return list_superseded(workspace, job)


def name(job: Job) -> str:
    return " ".join(sorted(fqn.removeprefix("N.") for fqn in job.names))


@pytest.fixture
def place(tmp_path: Path, git: Callable[..., str]) -> Place:
    return Place(tmp_path / "place", git)


# -- which types


def test_the_types_that_the_configuration_selects_are_to_have_a_note(place: Place) -> None:
    place.write("Open")
    place.write("Hidden", access="internal")
    assert place.told() == {"Open": "new"}
    assert place.jobs().states == {"none": 1, "cached": 0, "stale": 0}
    place.configure("semantics:\n  types: access:internal\n")
    assert place.told() == {"Hidden": "new"}
    assert place.told(every=True) == {"Open": "new", "Hidden": "new"}
    assert place.told("Open") == {"Open": "new"}


def test_a_note_that_is_there_is_kept_true_whatever_the_configuration_selects(place: Place) -> None:
    place.write("Hidden", "int F() => 1;", access="internal")
    place.note("Hidden")
    assert place.told() == {}
    place.write("Hidden", "public int F() => 1;", access="internal")
    assert place.told() == {"Hidden": "stale Structure"}


def test_a_filter_that_makes_no_sense_is_told_with_its_place(place: Place) -> None:
    place.write("Open")
    place.configure("semantics:\n  types: acces:public\n")
    with pytest.raises(InvalidFilterError, match=r"config\.yaml:2: semantics\.types: .*character 0") as raised:
        place.jobs()
    assert raised.value.exit_code == 2
    assert "access:" in raised.value.hint


def test_symbols_are_types_patterns_and_groups(place: Place) -> None:
    place.circle("A", "B")
    place.write("Other")
    assert place.told("A") == {"A B": "new"}
    assert place.told("Oth*") == {"Other": "new"}
    group = place.note("A", "B").rpartition("/")[2].removesuffix(".md")
    assert place.told(group) == {}
    place.write("B", "public A Next;", "public int More;")
    assert place.told(group) == place.told("A") == {"A B": "stale Structure"}
    with pytest.raises(SymbolNotFoundError):
        place.jobs("Nothing")
    with pytest.raises(SymbolNotFoundError):
        place.jobs("No*")
    with pytest.raises(SymbolNotFoundError):
        place.jobs("G_00000000")


def test_the_most_urgent_come_first_and_a_limit_leaves_the_totals_true(place: Place) -> None:
    place.write("Much")
    for user in ("One", "Two"):
        place.write(user, "Much inner;")
    found = place.jobs(limit=1)
    assert [name(job) for job in found.jobs] == ["Much"]
    assert (found.total, found.kinds["new"], found.states["none"]) == (3, 3, 3)
    assert [name(job) for job in place.jobs().jobs] == ["Much", "One", "Two"]
    assert place.jobs().jobs[0].priority == 2.0


# -- why


def test_each_change_makes_a_job_of_its_class_with_its_causes(place: Place) -> None:
    place.write("Base", "public int F() => 1;")
    place.write("User", "public Base Held;", "public int G() => 1;", "int Inner() => 1;")
    place.note("Base")
    place.note("User")
    assert place.told() == {}
    place.write("User", "public Base Held;", "public int G() => 2;", "int Inner() => 1;")
    assert place.told() == {"User": "stale PublicBehavior"}
    place.write("Base", "public int F() => 1;", "public int More;")
    place.write("User", "public Base Held;", "public int G() => 1;", "int Inner() => 1;")
    assert place.told() == {"Base": "stale Structure", "User": "stale Structure-Dependency"}
    (reason,) = place.jobs().words[place.find("User").owner]
    assert reason == "structure of its dependency N.Base"
    assert place.jobs(rev=place.git(place.root, "write-tree")).kinds["stale"] == 2


def test_cc_17_a_dependency_weighs_more_than_an_internal_change(place: Place) -> None:
    place.configure("semantics:\n  driftLimit: 1\n")
    place.write("Base")
    place.write("User", "public Base Held;", "int Inner() => 1;")
    place.write("Above", "public User Held;")
    for each in ("Base", "User", "Above"):
        place.note(each)
    place.write("User", "public Base Held;", "int Inner() => 2;")
    assert place.told() == {"User": "drifted Internal"}
    assert place.find("User").priority == pytest.approx(0.5 / 2)
    place.write("Base", "public int More;")
    assert place.told()["User"] == "stale Structure-Dependency"
    assert place.find("User").priority == pytest.approx(1.2 / 2)


def test_cc_20_what_cannot_be_read_whole_counts_as_public_behaviour(place: Place) -> None:
    place.write("Odd", "public int F() => 1;", "int Inner() => 1;")
    place.note("Odd")
    place.write("Odd", "public int F() => 1;", "int Inner() => 1;", "?? ( wrong wrong")
    assert place.told() == {"Odd": "stale PublicBehavior"}


def test_a_note_under_an_old_name_is_the_previous_text_of_the_new_one(place: Place) -> None:
    place.write("Old", "public int F() => 1;")
    path = place.note("Old")
    (old,) = place.ids("Old")
    (place.root / "Old.cs").unlink()
    place.write("Young", "public int F() => 1;")
    (young,) = place.ids("Young")
    row = f'"{old}":{{"oldFqn":"N.Old","newTypeId":"{young}","newFqn":"N.Young","reason":"rename","score":0.95}}'
    table = place.root / ".codecortex" / "aliases.json"
    table.write_text(f'{{"schemaVersion":"1.0",\n"aliases":{{\n{row},\n"~":0}}}}\n')
    assert place.told() == place.told("Young") == {"Young": "redirected Structure"}
    job = place.find("Young")
    assert job.previous == (path,)
    assert place.jobs().words[young] == ("was N.Old",)
    assert place.superseded("Young") == (path,)


def test_damaged_notes_are_jobs_of_their_own(place: Place) -> None:
    place.circle("A", "B")
    place.write("Other")
    group, single = place.note("A", "B"), place.note("Other")
    for path in (group, single):
        file = place.root / path
        file.write_bytes(file.read_bytes().replace(b"\n\nROLE", b"\n<<<<<<< ours\n\nROLE"))
    assert place.told() == place.told("A", "Other") == {"A B": "damaged", "Other": "damaged"}
    assert place.find("A B").path == group
    assert place.find("A B").previous == (group,)


def test_a_damaged_note_of_nobody_knows_which_types_is_a_problem_until_it_is_in_the_way(place: Place) -> None:
    place.circle("A", "B")
    group = place.root / place.note("A", "B")
    group.write_bytes(b"nothing\n")
    assert place.told() == {"A B": "damaged"}
    assert place.jobs().problems == ()
    other = group.with_name("G_00000000.md")
    group.rename(other)
    assert place.told() == {"A B": "new"}
    (problem,) = place.jobs().problems
    assert problem.startswith(".codecortex/semantic/G_00000000.md:1:")


# -- groups


def test_types_that_depend_on_each_other_are_one_job(place: Place) -> None:
    place.circle("A", "B", "C")
    place.write("User", "public A Held;")
    assert place.told() == {"A B C": "new", "User": "new"}
    job = place.find("A B C")
    assert (job.owner, job.types) == (name_group(place.ids("A", "B", "C")), tuple(place.ids("A", "B", "C")))
    assert job.is_group
    assert job.priority == 1.0  # User alone names one of them from outside
    assert job.path == f".codecortex/semantic/{job.owner}.md"
    place.note("A", "B", "C")
    assert place.told() == {"User": "new"}


def test_names_in_bodies_make_no_group_unless_they_are_dependencies(place: Place) -> None:
    place.write("A", "public B Next;")
    place.write("B", "int F() { A a = null; return 1; }")
    assert place.told() == {"A": "new", "B": "new"}
    place.configure("includeInternalForDependencies: true\n")
    assert place.told() == {"A B": "new"}


def test_cc_18_a_change_of_one_makes_the_whole_group_stale(place: Place) -> None:
    place.circle("A", "B", "C")
    place.note("A", "B", "C")
    place.write("B", "public C Next;", "public int F() => 1;")
    place.note("A", "B", "C")
    place.write("B", "public C Next;", "public int F() => 2;")
    assert place.told() == {"A B C": "stale PublicBehavior"}
    assert [cause.type_id for cause in place.find("A B C").causes] == place.ids("B")


def test_a_group_keeps_its_name_and_its_types_while_it_hangs_together(place: Place) -> None:
    place.circle("A", "B")
    path = place.note("A", "B")
    place.write("B", "public A Next;", "public C More;")
    place.write("C", "public A Next;")
    assert place.told() == {"A B": "stale Structure", "C": "new"}
    assert place.find("A B").path == path
    place.note("C")
    assert place.told() == {"A B": "stale Structure"}


def test_a_circle_that_is_too_large_is_cut_and_the_job_says_what_was_cut(place: Place) -> None:
    place.configure("scc:\n  maxTypes: 2\n")
    place.write("A", "public B One;", "public B Two;", "public C Weak;")
    place.write("B", "public A One;")
    place.write("C", "public A Weak;", "public Base Held;")
    place.write("Base")
    assert place.told() == {"A B": "new", "C": "new", "Base": "new"}
    assert list(place.find("A B").cut) == place.ids("C")
    assert place.find("C").cut == ()
    place.configure("scc:\n  maxTokens: 500\n")
    assert place.told() == {"A B C": "new", "Base": "new"}


def test_cc_19_a_group_that_falls_apart_leaves_its_text_to_each_part(place: Place) -> None:
    place.circle("A", "B", "C")
    place.write("B", "public C Next;", "public A Back;")
    old = place.note("A", "B", "C", role=" All of it.\n\n")
    place.write("C")
    assert place.told() == {"A B": "stale Structure", "C": "stale Structure"}
    for names in ("A B", "C"):
        job = place.find(names)
        assert job.previous == (old,)
        with Workspace(Request(place.root)) as workspace:
            assert read_previous(workspace, job).texts == (" All of it.\n\n", *EMPTY[1:])
    assert place.superseded("C") == ()  # A and B have no other note yet
    place.note("C")
    assert place.told() == {"A B": "stale Structure"}
    assert place.superseded("A B") == (old,)
    assert place.jobs().left_over == ()
    place.note("A", "B")
    assert place.told() == {}
    assert place.jobs().left_over == (old,)
    assert place.jobs().states == {"none": 0, "cached": 3, "stale": 0}


def remove(place: Place, *paths: str) -> tuple[str, ...]:
    with Workspace(Request(place.root)) as workspace:
        return remove_stale_groups(workspace, paths or list_jobs(workspace, Selection()).left_over)


def part(place: Place) -> str:
    """The file of a group whose two types have notes of their own by now."""
    place.circle("A", "B")
    old = place.note("A", "B", role=" Both.\n\n")
    place.write("A", "public int F;")
    place.note("A")
    place.note("B")
    return old


def test_cc_19_what_is_left_over_of_a_group_goes_and_is_kept(place: Place) -> None:
    old = part(place)
    data = (place.root / old).read_bytes()
    assert place.jobs().left_over == (old,)
    assert remove(place) == (old,)
    assert not (place.root / old).exists()
    (kept,) = (place.root / REPLACED).iterdir()
    assert kept.name.startswith(old.rpartition("/")[2].removesuffix(".md"))
    assert kept.read_bytes() == data
    assert remove(place) == remove(place, old) == ()
    assert place.told() == {}


def test_what_a_group_says_of_a_type_without_another_note_stays(place: Place) -> None:
    old = part(place)
    (place.root / semantic_path(*place.ids("B"))).write_bytes(b"damaged\n")
    assert remove(place, old) == ()
    (place.root / semantic_path(*place.ids("B"))).unlink()
    assert remove(place, old) == ()
    place.note("B")
    assert remove(place, old) == (old,)


def test_two_groups_do_not_take_each_other_for_the_other_note(place: Place) -> None:
    place.circle("A", "B")
    ids = place.ids("A", "B")
    paths = [semantic_path(owner) for owner in ("G_00000000", "G_11111111")]
    for path in paths:
        place.write_note(semantic_owner(path) or "", ids, EMPTY, "extract 1")
    assert remove(place, *paths) == ()


def test_while_a_type_may_just_have_another_name_nothing_goes(place: Place) -> None:
    old = part(place)
    refresh(Request(place.root))
    (place.root / "B.cs").write_text("namespace N;\npublic class Renamed { public A Next; public int G() => 1; }\n")
    assert remove(place, old) == ()
    refresh(Request(place.root))  # which finds no successor: B is gone for good
    (place.root / semantic_path(*place.ids("Renamed"))).unlink(missing_ok=True)
    assert remove(place, old) == (old,)


def test_nothing_goes_that_is_unmerged_or_while_a_source_cannot_be_read(place: Place) -> None:
    old = part(place)
    place.git(place.root, "add", ".")
    blob = place.git(place.root, "hash-object", "-w", old)
    lines = "".join(f"100644 {blob} {stage}\t{old}\n" for stage in (2, 3))
    nothing = f"0 {'0' * 40}\t{old}\n"
    place.git(place.root, "update-index", "--index-info", stdin=(nothing + lines).encode())
    assert remove(place, old) == ()
    place.git(place.root, "add", old)
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'0' * 64}\nsize 9\n"
    (place.root / "Fetched.cs").write_text(pointer)
    place.git(place.root, "add", "Fetched.cs")
    assert remove(place, old) == ()
    (place.root / "Fetched.cs").write_text("class Fetched;\n")
    assert remove(place, old) == (old,)


def test_a_group_of_which_a_type_is_gone_goes_on_as_the_others(place: Place) -> None:
    place.write("A", "public B Next;", "public C More;")
    place.write("B", "public A Next;")
    place.write("C", "public A Next;")
    old = place.note("A", "B", "C")
    (place.root / "C.cs").unlink()
    place.write("A", "public B Next;")
    assert place.told() == {"A B": "stale Structure"}
    assert place.find("A B").owner == name_group(place.ids("A", "B"))
    assert place.superseded("A B") == (old,)


def test_types_that_come_to_depend_on_each_other_join_and_keep_both_texts(place: Place) -> None:
    place.write("A", "public B Next;")
    place.write("B")
    first, second = place.note("A", role=" One.\n\n"), place.note("B", role=" Two.\n\n")
    place.write("B", "public A Next;")
    assert place.told() == {"A B": "stale Structure"}
    job = place.find("A B")
    assert sorted(job.previous) == sorted((first, second))
    with Workspace(Request(place.root)) as workspace:
        told = read_previous(workspace, job).texts
    assert told is not None
    assert {"About N.A: One.", "About N.B: Two."} == {line for line in told[0].split("\n") if line}
    assert sorted(place.superseded("A B")) == sorted((first, second))


def test_what_holds_is_left_alone_though_it_might_join(place: Place) -> None:
    place.circle("A", "B")
    place.note("A")
    assert place.told() == {"B": "new"}
    place.note("B")
    assert place.told() == {}


def test_a_note_by_hand_stays_that_of_its_type(place: Place) -> None:
    place.write("A", "public B Next;")
    place.write("B")
    place.note("A", generator="hand")
    place.note("B")
    place.write("B", "public A Next;")
    assert place.told() == {"A": "stale Structure-Dependency", "B": "stale Structure"}


def test_an_own_note_beside_that_of_a_group_is_kept_true_too(place: Place) -> None:
    place.circle("A", "B")
    place.note("A", "B")
    own = place.note("A", role=" More about it.\n\n")
    place.write("A", "public B Next;", "public int F;")
    assert place.told() == {"A": "stale Structure", "A B": "stale Structure"}
    assert place.find("A").previous == (own,)
    assert place.superseded("A B") == ()


def test_what_a_symbol_needs_is_what_the_whole_list_says_of_it(place: Place) -> None:
    place.configure("scc:\n  maxTypes: 3\n")
    place.circle("A", "B", "C", "D")
    place.write("B", "public C Next;", "public A Back;")
    place.circle("E", "F", "G")
    place.note("E", "F", "G")
    place.write("G", access="public")
    place.write("H", "public E Held;", access="internal")
    place.note("H")
    place.write("H", "public E Held;", "public A Other;", access="internal")
    whole = place.jobs()
    assert {name(job) for job in whole.jobs} == {"A B", "C", "D", "E", "F", "G", "H"}
    for job in whole.jobs:
        for type_id in job.types:
            assert place.jobs(type_id).jobs == (job,)


@pytest.mark.parametrize("seed", range(8))
def test_whatever_happens_no_text_is_lost_and_doing_the_jobs_leaves_none(place: Place, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - nothing secret hangs on it
    place.configure("untracked: true\nscc:\n  maxTypes: 3\n")
    names: list[str] = list("ABCDE")
    said: list[str] = []
    for _ in range(5):
        for one in chance.sample(names, 2):
            if chance.random() < 0.15:
                (place.root / f"{one}.cs").unlink(missing_ok=True)
            else:
                place.write(one, *(f"public {each} To{each};" for each in chance.sample(names, 2)), "public int F;")
        jobs = place.jobs().jobs
        done = jobs[: chance.randint(0, len(jobs))]  # the rest of the run fails
        said += [fresh for job in done if place.do(job, fresh := f"Said of {name(job)} {chance.random()}.")]
        texts = "".join(file.read_text() for file in (place.root / ".codecortex/semantic").glob("*.md"))
        assert [each for each in said if each not in texts] == []
    for job in place.jobs().jobs:
        place.do(job, "Said last.")
    found = place.jobs()
    assert (found.jobs, found.left_over, found.problems) == ((), (), ())
    assert found.states["none"] == found.states["stale"] == 0


# -- what is kept


def test_what_was_cut_stands_in_the_header_and_follows_renames(place: Place) -> None:
    place.circle("A", "B")
    path = place.note("A", "B")
    data = (place.root / path).read_bytes()
    note = decode_note(data, path)
    assert note.cut == ()
    cut = note._replace(cut=("T_00000000", "T_11111111"))
    written = encode_note(cut)
    assert b"\nCut: T_00000000, T_11111111\nGenerator:" in written
    assert decode_note(written, path) == cut
    assert written.replace(b"Cut: T_00000000, T_11111111\n", b"") == data
    alias = Alias("T_11111111", "N.Old", "T_22222222", "N.Young", AliasReason.RENAME, 0.9)
    moved = rewrite_names(written, {"T_11111111": alias}, title=False)
    assert decode_note(moved, path).cut == ("T_00000000", "T_22222222")


def test_kept_hashes_and_sizes_are_those_of_a_new_reading_after_any_edit(place: Place) -> None:
    place.circle("A", "B")
    place.write("Outer", "public class Inner { int a; }", "int F() => 1;")
    edits = (
        lambda: place.write("Outer", "public class Inner { int a; }", "int F() => 2;"),
        lambda: place.write("Outer", "class Inner { int a; }", "int F() => 2;"),
        lambda: (place.root / "More.cs").write_text("namespace N { public partial class Outer { int G() => 1; } }"),
        lambda: place.write("B", "public A Next;", "[System.Obsolete] public int F() => 1;"),
        lambda: place.configure("hash:\n  cosmeticAttributes: [Obsolete]\n"),
        lambda: place.configure("hash:\n  includeInternalInStructureHash: true\n"),
    )
    for edit in (lambda: None, *edits):
        edit()
        with Workspace(Request(place.root)) as workspace:
            ids = [entry.id for entry in workspace.catalog.types]
            fresh = {type_id: found.prints for type_id, found in read_types(workspace, ids).items()}
            assert read_prints(workspace, ids) == read_prints(workspace, ids) == fresh
            assert measure_outlines(workspace, ids) == measure_outlines(workspace, ids)
