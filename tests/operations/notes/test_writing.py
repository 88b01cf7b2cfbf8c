"""Answers become notes: headers from the tree, sections byte for byte, nothing that a person wrote lost."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest

from codecortex.analysis.notes.answers import NoChange, Nothing, Refusal, Sections
from codecortex.analysis.notes.extract import GENERATOR
from codecortex.analysis.notes.jobs import STRUCTURE_DEPENDENCY
from codecortex.cli.main import main
from codecortex.model.errors import GitStateError
from codecortex.model.notes import Section, hash_body
from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.generation.extract import extract_notes
from codecortex.operations.generation.jobs.jobs import Selection, list_jobs
from codecortex.operations.generation.prompts.answers import judge_answer
from codecortex.operations.generation.prompts.prompt import make_prompt
from codecortex.operations.hooks.merge_driver import merge_note
from codecortex.operations.notes.writing import JobAnswer, digest_inputs, write_outcome, write_outcomes
from codecortex.operations.request import Request
from codecortex.store.committed.semantic_md import decode_note, encode_note

STORE = "src/Store.cs"
ORDER = "src/Order.cs"
FILES = {
    STORE: """namespace Shop;

/// <summary>Keeps orders.</summary>
public class Store : StoreBase
{
    private int _count;

    /// <exception cref="System.ArgumentException">The key is empty.</exception>
    public Order Find(string key)
    {
        if (_count == 0) throw new InvalidOperationException("There is none.");
        return null;
    }

    private void Trim() { _count = 0; }
}
""",
    "src/StoreBase.cs": "namespace Shop;\npublic class StoreBase { public void Clear() { } }\n",
    ORDER: "namespace Shop;\npublic class Order { public string Key; }\n",
}
MODEL = "openai:gpt-x prompt 1"
WHOLE = Sections({section: f"{section.title()} of it." for section in Section})


class Shop(NamedTuple):
    """A repository with notes."""

    root: object
    git: object

    def workspace(self):
        return Workspace(Request(folder=self.root))

    def note(self, name="Store"):
        (found,) = [each for each in self.notes() if each.types[0].fqn == f"Shop.{name}"]
        return found

    def notes(self):
        folder = self.root / ".codecortex/semantic"
        files = sorted(folder.glob("*.md")) if folder.is_dir() else []
        return [decode_note(file.read_bytes(), f".codecortex/semantic/{file.name}") for file in files]

    def path(self, name="Store"):
        return self.root / f".codecortex/semantic/{self.note(name).owner}.md"

    def jobs(self, *names):
        with self.workspace() as workspace:
            return list_jobs(workspace, Selection(names)).jobs

    def write(self, outcome, generator=MODEL, name="Store", seen=None):
        with self.workspace() as workspace:
            (job,) = list_jobs(workspace, Selection((name,))).jobs
            return write_outcome(workspace, job, outcome, generator, seen=seen)

    def change(self, path, before, after):
        file = self.root / path
        text = file.read_text("utf-8")
        assert before in text
        file.write_bytes(text.replace(before, after).encode())

    def states(self):
        with self.workspace() as workspace:
            return list_jobs(workspace, Selection()).states


@pytest.fixture
def shop(tmp_path, git):
    """Return a small repository, committed and initialised."""
    for path, text in FILES.items():
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())
    git(tmp_path, "init", "--quiet")
    assert main(["-C", str(tmp_path), "init"]) == 0
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "-m", "one")
    return Shop(tmp_path, git)


# -- headers and sections


def test_a_note_is_headed_by_what_is_true_of_the_tree(shop):
    told = shop.write(WHOLE)
    note = shop.note()
    assert (told.changed, told.problem, told.path) == (True, "", f".codecortex/semantic/{note.owner}.md")
    assert note.generator == MODEL
    assert [section.strip() for section in note.texts] == list(WHOLE.texts.values())
    assert not note.edited
    assert main(["-C", str(shop.root), "semantic", "states", "--exit-code"]) == 0


def test_the_header_is_the_one_that_a_person_gets(shop, tmp_path):
    shop.write(WHOLE, generator="hand")
    written = shop.path().read_bytes()
    body = tmp_path / "body.md"
    body.write_bytes(written)
    assert main(["-C", str(shop.root), "semantic", "put", "Store", str(body)]) == 0
    assert shop.path().read_bytes() == written


def test_sections_that_are_not_named_stay_byte_for_byte(shop):
    shop.write(WHOLE)
    file = shop.path()
    text = file.read_text("utf-8").replace("Role of it.\n", "Role  of it. \n\n\tAnd more.\n")
    file.write_bytes(text.encode())
    shop.change(STORE, "There is none", "None")
    told = shop.write(Sections({Section.LIMITATIONS: "None."}))
    before, after = text.partition("ROLE:")[2], file.read_text("utf-8").partition("ROLE:")[2]
    assert after == before.replace("Limitations of it.", "None.")
    assert (told.given, told.by_hand) == ((Section.LIMITATIONS,), (Section.ROLE,))


def test_cc_12_no_change_refreshes_fingerprints_and_nothing_else(shop):
    shop.write(WHOLE)
    before = shop.path().read_text("utf-8")
    shop.change(ORDER, "public string Key;", "public string Key; public int No;")
    assert shop.states()["stale"] == 1
    assert shop.write(NoChange(), generator="other:model prompt 2").problem == ""
    after = shop.path().read_text("utf-8")
    changed = [(a, b) for a, b in zip(before.splitlines(), after.splitlines(), strict=True) if a != b]
    assert [old.partition(":")[0] for old, _ in changed] == ["Dependencies"]
    assert shop.states()["stale"] == 0


def test_a_new_note_needs_all_five_and_text_that_is_there(shop):
    assert "all five sections" in shop.write(Sections({Section.ROLE: "x"})).problem
    assert "all five sections" in shop.write(NoChange()).problem
    assert shop.notes() == []


def test_a_refusal_writes_nothing_and_says_why(shop):
    assert shop.write(Refusal("It is not.")).problem == "It is not."
    assert shop.notes() == []


def test_many_notes_are_written_at_once_and_writing_again_changes_nothing(shop):
    with shop.workspace() as workspace:
        answers = [JobAnswer(job, WHOLE, MODEL) for job in list_jobs(workspace, Selection()).jobs]
        assert [each.changed for each in write_outcomes(workspace, answers)] == [True] * 3
    assert shop.states() == {"none": 0, "cached": 3, "stale": 0}
    assert len(shop.notes()) == 3


# -- what a person wrote


def test_what_a_person_changed_stays_marked_until_it_is_replaced(shop):
    shop.write(WHOLE)
    shop.change(f".codecortex/semantic/{shop.note().owner}.md", "Role of it.", "Mine.")
    assert shop.note().edited_sections == (Section.ROLE,)
    shop.change(STORE, "There is none", "None")
    shop.write(Sections({Section.LIFECYCLE: "New."}))
    assert shop.note().edited_sections == (Section.ROLE,)
    assert shop.note().texts[0] == "\nMine.\n\n"
    shop.change(STORE, "None", "Nothing")
    shop.write(Sections({Section.ROLE: "New."}))
    assert shop.note().edited_sections == ()


def test_what_a_person_wrote_stays_theirs_when_a_model_adds_to_it(shop):
    shop.write(WHOLE, generator="hand")
    shop.change(STORE, "There is none", "None")
    told = shop.write(Sections({Section.ROLE: "New."}))
    assert told.by_hand == tuple(Section)
    assert shop.note().edited_sections == tuple(Section)[1:]


def test_a_file_that_changed_since_the_prompt_was_made_is_not_overwritten(shop):
    shop.write(WHOLE)
    shop.change(STORE, "There is none", "None")
    with shop.workspace() as workspace:
        (job,) = list_jobs(workspace, Selection(("Store",))).jobs
        seen = digest_inputs(workspace, job)
        shop.change(job.path, "Role of it.", "Mine.")
        told = write_outcome(workspace, job, WHOLE, MODEL, seen=seen)
        assert "changed since" in told.problem
        assert "Mine." in shop.path().read_text("utf-8")
        assert write_outcome(workspace, job, WHOLE, MODEL, seen=digest_inputs(workspace, job)).problem == ""


def test_a_note_that_somebody_wrote_meanwhile_is_not_overwritten(shop):
    with shop.workspace() as workspace:
        (job,) = list_jobs(workspace, Selection(("Store",))).jobs
        write_outcome(workspace, job, WHOLE, "hand")
        assert "was written since" in write_outcome(workspace, job, WHOLE, MODEL).problem
    assert shop.note().generator == "hand"


def test_a_damaged_note_is_replaced_as_a_whole_and_kept_aside(shop):
    shop.write(WHOLE)
    damaged = shop.path().read_bytes().replace(b"StructureHash", b"Structure")
    shop.path().write_bytes(damaged)
    path = next((shop.root / ".codecortex/semantic").iterdir())
    with shop.workspace() as workspace:
        (job,) = list_jobs(workspace, Selection(("Store",))).jobs
        assert "all five" in write_outcome(workspace, job, Sections({Section.ROLE: "x"}), MODEL).problem
        assert write_outcome(workspace, job, WHOLE, MODEL).problem == ""
    assert decode_note(path.read_bytes(), f".codecortex/semantic/{path.name}").generator == MODEL
    (aside,) = (shop.root / ".codecortex/local/replaced").iterdir()
    assert aside.read_bytes() == damaged


def test_a_note_of_a_newer_codecortex_is_left_alone(shop):
    shop.write(WHOLE)
    newer = shop.path().read_bytes().replace(b"Generator:", b"Format: 9\nGenerator:")
    path = shop.path()
    path.write_bytes(newer)
    with shop.workspace() as workspace:
        (job,) = list_jobs(workspace, Selection(("Store",))).jobs
        assert "Install a newer codecortex" in write_outcome(workspace, job, WHOLE, MODEL).problem
    assert path.read_bytes() == newer


CONFLICT = b"<<<<<<< ours\nMine.\n=======\nYours.\n>>>>>>> theirs\n"


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (b"ROLE:\n", b"ROLE:\n" + CONFLICT, ":11: conflict marker. Resolve it, then `git add` the file"),
        (b"StructureHash", CONFLICT + b"StructureHash", ":2: conflict marker. Resolve"),
        (b"Role of it", b"x" * 70_000, " bytes are more than the 65,536 that a note may take. Say it shorter"),
    ],
)
def test_what_only_a_person_can_settle_is_left_alone(shop, before, after, told):
    shop.write(WHOLE)
    path = shop.path()
    path.write_bytes(path.read_bytes().replace(before, after))
    shop.change(STORE, "There is none", "None")
    data = path.read_bytes()
    with shop.workspace() as workspace:
        (job,) = list_jobs(workspace, Selection(("Store",))).jobs
        with pytest.raises(GitStateError, match=re.escape(told)):
            digest_inputs(workspace, job)
        for outcome in (WHOLE, NoChange(), extract_notes(workspace, [job])[0]):
            done = write_outcome(workspace, job, outcome, MODEL)
            assert (done.problem != "", done.changed) == (True, False)
        assert told in write_outcome(workspace, job, WHOLE, MODEL).problem
    assert path.read_bytes() == data


def test_a_note_is_left_alone_until_git_is_told_that_it_is_resolved(shop):
    shop.write(WHOLE)
    path, git, root = shop.path(), shop.git, shop.root
    commit = ("commit", "--quiet", "-am")
    git(root, "add", ".")
    git(root, *commit, "note")
    git(root, "branch", "side")
    base = path.read_bytes()
    path.write_bytes(base.replace(b"Role of it", b"Ours"))
    git(root, *commit, "ours")
    git(root, "checkout", "--quiet", "side")
    path.write_bytes(base.replace(b"Role of it", b"Theirs"))
    git(root, *commit, "theirs")
    git(root, "merge", "--quiet", "main", check=False)
    assert b"<<<<<<<" in path.read_bytes()
    path.write_bytes(base.replace(b"Role of it", b"Both"))  # resolved, and git does not know yet
    shop.change(STORE, "There is none", "None")
    name = path.relative_to(root).as_posix()
    told = f"{name} is unmerged in git's index: resolve it, then `git add` it"
    with shop.workspace() as workspace:
        found = list_jobs(workspace, Selection())
        assert told in found.problems
        job = next(job for job in found.jobs if job.path == name)
        assert write_outcome(workspace, job, WHOLE, MODEL).problem == told
        with pytest.raises(GitStateError, match="unmerged"):
            digest_inputs(workspace, job)
    assert b"Both." in path.read_bytes()
    git(root, "add", name)
    assert shop.write(WHOLE).problem == ""
    with shop.workspace() as workspace:
        assert list_jobs(workspace, Selection()).problems == ()


def test_a_section_of_a_persons_own_is_kept_when_what_is_above_it_is_replaced(shop):
    shop.write(WHOLE)
    path = shop.path()
    path.write_bytes(path.read_bytes() + b"SECURITY: Never log it.\n")
    edited = path.read_bytes()
    shop.change(STORE, "There is none", "None")
    assert shop.write(Sections({Section.ROLE: "New."})).problem == ""
    assert b"SECURITY: Never log it.\n" in path.read_bytes()
    assert not (shop.root / ".codecortex/local/replaced").exists()
    path.write_bytes(edited)
    assert shop.write(Sections({Section.RECOMMENDATIONS: "New."})).problem == ""
    assert b"SECURITY" not in path.read_bytes()
    (aside,) = (shop.root / ".codecortex/local/replaced").iterdir()
    assert aside.read_bytes() == edited


def test_an_older_body_hash_still_tells_an_edit(shop):
    from codecortex.model.hashing import digest  # noqa: PLC0415

    shop.write(WHOLE)
    note = shop.note()
    old = note.body_hash.encode()
    path = shop.path()
    path.write_bytes(path.read_bytes().replace(old, digest("noteBody", note.texts).encode()))
    assert shop.note().edited_sections == ()
    path.write_bytes(path.read_bytes().replace(b"Role of it", b"Mine"))
    assert shop.note().edited_sections == tuple(Section)


# -- answers judged by what exists


@pytest.mark.parametrize(
    "names",
    ["`Find`, `Store.Find(string)`, `_count`, `Trim()`", "`Clear` and `Store.Clear()` are inherited",
     "`Order.Key`, `Key`", "`InvalidOperationException`, `Task.WhenAll`, `Order`, `Shop.Order`, `key`, `null`"],
)  # fmt: skip
def test_names_that_exist_are_accepted(shop, names):
    with shop.workspace() as workspace:
        (job,) = list_jobs(workspace, Selection(("Store",))).jobs
        outcome = judge_answer(workspace, job, "\n".join(f"{section}: {names}" for section in Section))
        assert isinstance(outcome, Sections), outcome


@pytest.mark.parametrize("name", ["Vanish", "Store.Vanish", "Order.Find", "FindAll(1)", "_counts"])
def test_names_that_do_not_exist_are_refused(shop, name):
    with shop.workspace() as workspace:
        (job,) = list_jobs(workspace, Selection(("Store",))).jobs
        outcome = judge_answer(workspace, job, "\n".join(f"{section}: `{name}`" for section in Section))
        assert isinstance(outcome, Refusal)
        assert f"`{name.removesuffix('(1)')}`" in outcome.reason


def test_no_change_is_for_changes_that_may_leave_a_text_true(shop):
    shop.write(WHOLE)
    shop.change(ORDER, "public string Key;", "public string Key; public int No;")
    with shop.workspace() as workspace:
        (job,) = list_jobs(workspace, Selection(("Store",))).jobs
        assert judge_answer(workspace, job, "NO SEMANTIC CHANGE") == NoChange()
    shop.change(STORE, "There is none", "None")
    with shop.workspace() as workspace:
        (job,) = list_jobs(workspace, Selection(("Store",))).jobs
        assert isinstance(judge_answer(workspace, job, "NO SEMANTIC CHANGE"), Refusal)
        assert isinstance(judge_answer(workspace, job, "ROLE: Keeps none."), Sections)


# -- extracts


def test_an_extract_says_what_the_sources_state(shop):
    with shop.workspace() as workspace:
        (job,) = list_jobs(workspace, Selection(("Store",))).jobs
        outcome = extract_notes(workspace, [job])[0]
        assert outcome.texts[Section.ROLE] == ""
        assert outcome.texts[Section.EDGE_CASES] == (
            "- `Find`: `ArgumentException` — The key is empty.\n"
            '- `Find`: `InvalidOperationException` if `_count == 0` ("There is none").'
        )
        assert write_outcome(workspace, job, outcome, GENERATOR).changed
    assert shop.note().generator == "extract 2"


def test_an_extract_does_not_depend_on_what_it_is_made_with(shop):
    with shop.workspace() as workspace:
        jobs = list_jobs(workspace, Selection()).jobs
        assert extract_notes(workspace, jobs) == [extract_notes(workspace, [each])[0] for each in jobs]
        assert extract_notes(workspace, jobs[::-1])[::-1] == extract_notes(workspace, jobs)


def test_members_that_share_a_line_are_not_mixed_up(shop):
    shop.change(ORDER, "public string Key;", "public int F() { throw new AException(); } public int G() { return 1; }")
    with shop.workspace() as workspace:
        (job,) = list_jobs(workspace, Selection(("Order",))).jobs
        assert isinstance(extract_notes(workspace, [job])[0], Nothing)


def test_inactive_text_is_not_extracted(shop):
    body = "{\n#if NEVER\nthrow new A();\n#endif\nthrow new B();\n}"
    source = f"public string Key;\n#if NEVER\n#else\npublic int F()\n{body}\n#endif\n"
    shop.change(ORDER, "public string Key;", source)
    with shop.workspace() as workspace:
        (job,) = list_jobs(workspace, Selection(("Order",))).jobs
        assert extract_notes(workspace, [job])[0].texts[Section.EDGE_CASES] == "- `F`: `B` always."


@pytest.mark.parametrize("generator", ["hand", MODEL])
def test_an_extract_replaces_nothing_better(shop, generator):
    shop.write(WHOLE, generator=generator)
    shop.change(STORE, "There is none", "None")
    with shop.workspace() as workspace:
        (job,) = list_jobs(workspace, Selection(("Store",))).jobs
        outcome = extract_notes(workspace, [job])[0]
        assert isinstance(outcome, Refusal)
        assert f"written by {generator}" in outcome.reason


def test_an_extract_goes_on_from_an_extract_but_not_over_an_edit(shop):
    with shop.workspace() as workspace:
        (job,) = list_jobs(workspace, Selection(("Store",))).jobs
        write_outcome(workspace, job, extract_notes(workspace, [job])[0], GENERATOR)
    shop.change(STORE, "There is none", "None")
    with shop.workspace() as workspace:
        (job,) = list_jobs(workspace, Selection(("Store",))).jobs
        assert write_outcome(workspace, job, extract_notes(workspace, [job])[0], GENERATOR).changed
    assert '("None")' in shop.note().texts[2]
    shop.change(f".codecortex/semantic/{shop.note().owner}.md", "InvalidOperationException", "Mine")
    shop.change(STORE, '"None', '"Nothing')
    with shop.workspace() as workspace:
        (job,) = list_jobs(workspace, Selection(("Store",))).jobs
        outcome = extract_notes(workspace, [job])[0]
        assert isinstance(outcome, Refusal)
        assert "changed by hand in EDGE_CASES" in outcome.reason


# -- groups


def test_a_group_that_falls_apart_loses_no_text(shop):
    shop.change(ORDER, "public string Key;", "public Store Home;")
    with shop.workspace() as workspace:
        (job,) = list_jobs(workspace, Selection(("Store",))).jobs
        assert job.is_group
        write_outcome(workspace, job, WHOLE, MODEL)
    group = shop.notes()[0]
    shop.change(ORDER, "public Store Home;", "public string Key;")
    first, second = shop.jobs("Store")[0], shop.jobs("Order")[0]
    with shop.workspace() as workspace:
        told = write_outcome(workspace, first, Sections({Section.ROLE: "Keeps."}), MODEL)
        assert (told.problem, told.removed) == ("", ())
        told = write_outcome(workspace, second, Sections({Section.ROLE: "Kept."}), MODEL)
        assert told.removed == (f".codecortex/semantic/{group.owner}.md",)
    assert [note.texts[1:] for note in shop.notes()] == [group.texts[1:]] * 2


def test_types_that_join_bring_their_texts(shop):
    shop.write(WHOLE)
    shop.write(Sections(dict.fromkeys(Section, "Other.")), name="Order")
    before = {path.read_bytes() for path in map(shop.path, ("Store", "Order"))}
    shop.change(ORDER, "public string Key;", "public Store Home;")
    with shop.workspace() as workspace:
        (job,) = list_jobs(workspace, Selection(("Store",))).jobs
        told = write_outcome(workspace, job, Sections({Section.ROLE: "Both."}), MODEL)
    assert len(told.removed) == 2
    assert {path.read_bytes() for path in (shop.root / ".codecortex/local/replaced").iterdir()} == before
    (note,) = shop.notes()
    assert "Limitations of it." in note.texts[3]
    assert "Other." in note.texts[3]
    assert note.texts[0].strip() == "Both."


def test_types_that_join_want_all_five_sections_as_their_prompt_says(shop):
    """Else a type that nobody wrote of yet would count as described by the text on another one."""
    shop.write(WHOLE)
    shop.change("src/StoreBase.cs", "Clear()", "Clear(int by)")
    shop.change(ORDER, "public string Key;", "public Store Home;")
    with shop.workspace() as workspace:
        (job,) = list_jobs(workspace, Selection(("Store",))).jobs
        assert (job.is_group, job.change_class) == (True, STRUCTURE_DEPENDENCY)
        assert make_prompt(workspace, job).whole
        assert isinstance(judge_answer(workspace, job, "NO SEMANTIC CHANGE"), Refusal)
        assert isinstance(judge_answer(workspace, job, "ROLE: Both."), Refusal)


# -- merges


def test_what_two_runs_wrote_reads_as_written_by_them_after_a_merge(shop, tmp_path):
    shop.write(WHOLE)
    path = f".codecortex/semantic/{shop.path().name}"
    note, versions = shop.note(), []
    for name, section in (("base", None), ("ours", Section.ROLE), ("theirs", Section.LIMITATIONS)):
        texts = tuple("\nNew.\n\n" if each is section else text for each, text in zip(Section, note.texts, strict=True))
        versions.append(tmp_path / name)
        versions[-1].write_bytes(encode_note(note._replace(texts=texts, body_hash=hash_body(texts))))
    merge_note(Request(folder=shop.root), tuple(versions), path)
    merged = decode_note(versions[1].read_bytes(), path)
    assert [text.strip() for text in merged.texts].count("New.") == 2
    assert not merged.edited
