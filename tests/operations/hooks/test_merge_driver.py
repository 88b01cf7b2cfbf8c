"""Merges, rebases, picks and stashes that meet in generated files: nobody's rows are lost, a refresh mends the rest."""

import json
import os
import shutil
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import codecortex
from codecortex.cli.main import main
from codecortex.model.errors import NewerFormatError, StoreFormatError
from codecortex.model.notes import Base, MemberLine, Note, hash_body, hash_line
from codecortex.store.committed.aliases_json import decode_rows
from codecortex.store.committed.index_json import IndexFile, decode_index, encode_index
from codecortex.store.committed.mending import mend_index
from codecortex.store.committed.semantic_md import decode_note, encode_note
from codecortex.store.paths import Layout

INDEX = ".codecortex/index.json"
ALIASES = ".codecortex/aliases.json"
CONFIG = ".codecortex/config.yaml"
PACKS = ".codecortex/packs"
UNKNOWN_NOTE = ".codecortex/semantic/T_5JVMB7T1.md"
ATTRIBUTES = ".codecortex/.gitattributes"


@pytest.fixture
def run(capsys):
    """`run(root, "refresh")`: exit code, stdout, stderr."""

    def call(root, *arguments):
        capsys.readouterr()
        code = main(["-C", str(root), *arguments])
        return code, *capsys.readouterr()

    return call


@pytest.fixture
def project(tmp_path, git, run):
    """A repository of one type, refreshed and committed."""
    root = tmp_path / "project"
    root.mkdir()
    git(root, "init", "--quiet")
    write(root, {"Middle.cs": "public class Middle { public int Base; }\n"})
    assert run(root, "init")[0] == 0
    save(root, git, run, "base")
    return root


@pytest.fixture
def plain(project, git):
    """The same without attributes, as on a hosting service."""
    git(project, "rm", "--quiet", ATTRIBUTES)
    git(project, "commit", "--quiet", "-m", "no attributes")
    return project


def write(root, files):
    for path, text in files.items():
        (root / path).write_text(text, "utf-8")


def save(root, git, run, message):
    git(root, "add", "--all")
    assert run(root, "refresh")[0] == 0
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "-m", message)


def part(root, git, run, sides):
    """One commit on a branch for each side, each from where HEAD is now; the last one stays checked out."""
    start = git(root, "rev-parse", "HEAD")
    for name, change in sides.items():
        git(root, "switch", "--quiet", "-c", name, start)
        change(root)
        save(root, git, run, name)


def add_type(name):
    return lambda root: write(root, {f"{name}.cs": f"public class {name} {{ public int In{name}; }}\n"})


def add_pack(name, budget=4000):
    definition = f"  {name}: {{filter: type:*, tokenBudget: {budget}}}\n"

    def add(root):
        text = (root / CONFIG).read_text("utf-8")
        text += "" if "\npacks:\n" in text else "packs:\n"
        (root / CONFIG).write_text(text + definition, "utf-8")

    return add


def is_fresh(root, run):
    """Whether a full reading of everything has nothing to write."""
    code, out, _ = run(root, "refresh", "--full", "--dry-run", "--json")
    told = json.loads(out)
    return (code, told["written"], told["removed"]) == (0, [], [])


def conflicted(root, git):
    return sorted(git(root, "diff", "--name-only", "--diff-filter=U").splitlines())


def has_markers(root):
    return [
        path.name for path in (root / ".codecortex").rglob("*") if path.is_file() and b"<<<<<<<" in path.read_bytes()
    ]


@pytest.mark.parametrize(
    ("path", "merge"),
    [
        ("index.json", "union"),
        ("aliases.json", "union"),
        ("types/T_5JVMB7T1.outline.md", "union"),
        ("types/5J/T_5JVMB7T1.outline.md", "union"),
        ("semantic/T_5JVMB7T1.md", "codecortex"),
        ("semantic/G_5JVMB7T1.md", "codecortex"),
        ("semantic/README.md", "unspecified"),
        ("packs/core.md", "union"),
        ("config.yaml", "unspecified"),
    ],
)
def test_attributes(project, git, path, merge):
    assert git(project, "check-attr", "merge", f".codecortex/{path}").endswith(f": {merge}")


def test_with_attributes_types_that_both_sides_add_merge_to_what_a_refresh_writes(project, git, run):
    part(project, git, run, {"one": add_type("One"), "two": add_type("Two")})
    git(project, "merge", "--quiet", "one")
    assert is_fresh(project, run)


def test_with_attributes_whatever_meets_merges_and_refresh_mends_it(project, git, run):
    def rename(root):
        (root / "Middle.cs").unlink()
        write(root, {"Centre.cs": "public partial class Centre { public int Base; }\n"})

    def split(root):
        write(root, {"Middle.cs": "public partial class Middle { public int Base; public int More; }\n"})
        write(root, {"Middle.Part.cs": "public partial class Middle { public int Other; }\n"})

    part(project, git, run, {"one": rename, "two": split})
    git(project, "merge", "--quiet", "one", check=False)
    assert not [path for path in conflicted(project, git) if path in (INDEX, ALIASES)]
    (project / "Middle.cs").unlink(missing_ok=True)
    assert run(project, "refresh")[0] == 0
    assert is_fresh(project, run)


def merge(root, git):
    git(root, "merge", "--quiet", "one", check=False)


def pick(root, git):
    git(root, "cherry-pick", "one", check=False)


def rebase(root, git):
    git(root, "rebase", "--quiet", "one", check=False)


def pop(root, git):
    """What is stashed meets what was committed meanwhile."""
    git(root, "reset", "--quiet", "--soft", "HEAD~")
    git(root, "stash", "--quiet")
    git(root, "reset", "--quiet", "--hard", "one")
    git(root, "stash", "pop", "--quiet", check=False)


@pytest.mark.parametrize("join", [merge, pick, rebase, pop])
@pytest.mark.parametrize("style", ["merge", "diff3", "zdiff3"])
def test_markers_in_the_index_are_mended(plain, git, run, join, style):
    git(plain, "config", "merge.conflictStyle", style)
    part(plain, git, run, {"one": add_type("One"), "two": add_type("Two")})
    join(plain, git)
    assert conflicted(plain, git) == [INDEX]
    code, _, err = run(plain, "refresh")
    assert code == 0
    assert f"{INDEX}:" in err
    assert "conflict marker; it is written anew" in err
    types = decode_index((plain / INDEX).read_bytes(), INDEX).types.values()
    assert {row.fqn for row in types} == {"Middle", "One", "Two"}
    assert is_fresh(plain, run)


@pytest.mark.parametrize("with_attributes", [True, False])
def test_packs_of_both_sides_are_there_once_their_definitions_are(project, git, run, with_attributes):
    if not with_attributes:
        git(project, "rm", "--quiet", ATTRIBUTES)
    add_pack("Core")(project)
    save(project, git, run, "a pack")

    def change(name):
        def both(root):
            add_pack(name)(root)
            add_type(name)(root)

        return both

    part(project, git, run, {"one": change("Alpha"), "two": change("Beta")})
    merge(project, git)
    generated = [] if with_attributes else [INDEX, f"{PACKS}/Core.md"]
    assert conflicted(project, git) == [CONFIG, *generated]
    code, _, err = run(project, "refresh")
    assert (code, "conflict marker" in err) == (2, True)
    text = (project / CONFIG).read_text("utf-8")
    kept = [line for line in text.splitlines() if not line.startswith(("<<<<<<<", "=======", ">>>>>>>"))]
    (project / CONFIG).write_text("\n".join(kept) + "\n", "utf-8")
    assert run(project, "refresh")[0] == 0
    assert set(decode_index((project / INDEX).read_bytes(), INDEX).packs) == {"Core", "Alpha", "Beta"}
    texts = {path.name: path.read_text("utf-8") for path in (project / PACKS).iterdir()}
    assert set(texts) == {"Core.md", "Alpha.md", "Beta.md"}
    assert {text.partition("Types: ")[2][:13] for text in texts.values()} == {"3 (3 matched,"}
    assert has_markers(project) == []
    assert is_fresh(project, run)


@pytest.mark.parametrize("join", [merge, pick, rebase, pop])
def test_markers_in_outlines_are_mended(plain, git, run, join):
    def add_field(name):
        return lambda root: write(root, {f"{name}.cs": f"partial class Middle {{ public int {name}; }}\n"})

    write(plain, {"Middle.cs": "public partial class Middle { public int Base; }\n"})
    save(plain, git, run, "partial")
    part(plain, git, run, {"one": add_field("One"), "two": add_field("Two")})
    join(plain, git)
    assert len(conflicted(plain, git)) == 2
    assert len(has_markers(plain)) == 2
    assert run(plain, "refresh")[0] == 0
    assert has_markers(plain) == []
    assert is_fresh(plain, run)


def test_an_outline_that_one_side_removed_and_the_other_changed_is_removed(plain, git, run):
    def remove(root):
        (root / "Middle.cs").unlink()

    def change(root):
        write(root, {"Middle.cs": "public class Middle { public int Other; }\n"})

    part(plain, git, run, {"one": remove, "two": change})
    merge(plain, git)
    (plain / "Middle.cs").unlink()
    assert list((plain / ".codecortex/types").iterdir())
    assert run(plain, "refresh")[0] == 0
    assert not list((plain / ".codecortex").glob("types/*"))
    assert is_fresh(plain, run)


def test_rows_that_a_union_left_twice_are_one_row_after_a_refresh(project, run):
    index = project / INDEX
    row = next(line for line in index.read_text("utf-8").splitlines() if "Middle" in line)
    gone = row.replace("Middle.cs", "Gone.cs")
    index.write_text(index.read_text("utf-8").replace(row, f"{row}\n{gone}"), "utf-8")
    assert run(project, "refresh")[0] == 0
    assert "Gone.cs" not in index.read_text("utf-8")
    assert is_fresh(project, run)


def test_aliases_of_both_sides_are_kept(plain, git, run):
    def add_alias(letter):
        old = f"T_{letter * 8}"
        row = f'"{old}":{{"oldFqn":"{letter}","newTypeId":"T_{"M" * 8}","newFqn":"M","reason":"rename","score":1.0}},'
        return lambda root: (root / ALIASES).write_text(
            f'{{"schemaVersion":"1.0",\n"aliases":{{\n{row}\n"~":0}}}}\n', "utf-8"
        )

    part(plain, git, run, {"one": add_alias("A"), "two": add_alias("B")})
    merge(plain, git)
    assert conflicted(plain, git) == [ALIASES]
    assert run(plain, "refresh")[0] == 0
    rows = decode_rows((plain / ALIASES).read_bytes(), ALIASES)
    assert {row.old_fqn for row in rows} == {"A", "B"}


@pytest.mark.slow
def test_the_hook_mends_what_a_merge_left(plain, git, run, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(Path(codecortex.__file__).parents[1]))
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    assert run(plain, "hooks", "install")[0] == 0
    part(plain, git, run, {"one": add_type("One"), "two": add_type("Two")})
    merge(plain, git)
    assert conflicted(plain, git) == [INDEX]
    git(plain, "add", "--all")
    git(plain, "commit", "--quiet", "-m", "merged")
    types = decode_index(f"{git(plain, 'show', f'HEAD:{INDEX}')}\n".encode(), INDEX).types.values()
    assert {row.fqn for row in types} == {"Middle", "One", "Two"}
    assert is_fresh(plain, run)


# -- what is kept of a broken index


def index_lines(layout):
    return encode_index(IndexFile(layout=layout)).decode().split("\n")


@given(st.sampled_from(Layout), st.data())
def test_no_damage_raises_anything_and_a_cut_makes_nothing_up(layout, data):
    text = encode_index(IndexFile(layout=layout))
    start = data.draw(st.integers(0, len(text)))
    kept = mend_index(text[:start], INDEX)
    assert kept is None or kept.layout is layout
    with suppress(NewerFormatError):  # a digit more can make a version newer
        mend_index(text[:start] + data.draw(st.binary(max_size=4)) + text[start + 4 :], INDEX)


def test_a_layout_that_one_side_chose_is_kept():
    both = [*index_lines(Layout.FLAT)[:3], *index_lines(Layout.FAN_OUT)[2:]]
    kept = mend_index("\n".join(both).encode(), INDEX)
    assert kept is not None
    assert kept.layout is Layout.FAN_OUT


def test_nothing_is_to_be_kept_of_a_file_that_says_nothing():
    assert mend_index(b"\xff<<<<<<< HEAD\n", INDEX) is None


@pytest.mark.parametrize("version", ['"outlineVersion":"99"', '"hashVersion":"99"', '"schemaVersion":"2.0"'])
def test_what_a_newer_codecortex_wrote_on_one_side_is_not_overwritten(plain, run, version):
    lines = (plain / INDEX).read_text("utf-8").split("\n")
    name = version.partition(":")[0]
    line = next(number for number, text in enumerate(lines) if name in text)
    newer = f'"x":{{{version}}},'
    broken = [*lines[: line + 1], "=======", newer, ">>>>>>> side", *lines[line + 1 :]]
    with pytest.raises(NewerFormatError):
        mend_index("\n".join(broken).encode(), INDEX)
    (plain / INDEX).write_text("\n".join(broken), "utf-8")
    before = (plain / INDEX).read_bytes()
    code, _, err = run(plain, "refresh")
    assert code == 3
    assert "newer" in err
    assert (plain / INDEX).read_bytes() == before


# -- notes


def read_hashes(root, run):
    """What the one type hashes to."""
    record = next(each for each in json.loads(run(root, "index", "--json")[1])["types"] if each["fqn"] == "Middle")
    return Base(
        record["id"],
        record["fqn"],
        record["structureHash"],
        record["implHash"],
        record["publicImplHash"],
        record["internalImplHash"],
        record["xmlDocHash"],
    )


def make_note(base, role="what it is for", limits="none"):
    texts = (f" {role}\n\n", "\n\n", "\n\n", f" {limits}\n\n", "\n")
    return Note(base.type_id, (base,), (), "hand", hash_body(texts), texts)


def put_note(root, note):
    (root / ".codecortex/semantic").mkdir(exist_ok=True)
    (root / note_path(note)).write_bytes(encode_note(note))


def note_path(note):
    return f".codecortex/semantic/{note.owner}.md"


def read_note(root, path):
    return decode_note((root / path).read_bytes(), path)


def change_source(root, name):
    write(root, {"Middle.cs": f"public class Middle {{ public int {name}; }}\n"})


@pytest.fixture
def noted(project, git, run, monkeypatch):
    """The project with a note of its type, and the merge driver registered."""
    monkeypatch.setenv("PYTHONPATH", str(Path(codecortex.__file__).parents[1]))
    put_note(project, make_note(read_hashes(project, run), "the base"))
    save(project, git, run, "note")
    assert run(project, "hooks", "install")[0] == 0
    monkeypatch.setenv("CODECORTEX", "0")  # only the driver is looked at here
    return project


def rewrite(run, name, role, limits="none"):
    """A side that changes the source (unless `name` is empty) and writes the note anew, from what it then is."""

    def change(root):
        if name:
            change_source(root, name)
        put_note(root, make_note(read_hashes(root, run), role, limits))

    return change


@pytest.mark.parametrize("ours", ["edits", "regenerates"])
@pytest.mark.parametrize("join", [merge, pick, rebase, pop])
def test_the_text_that_fits_the_merged_sources_is_kept_and_stale(noted, git, run, ours, join):
    sides = {"edits": rewrite(run, "", "edited by hand"), "regenerates": rewrite(run, "New", "regenerated")}
    other = next(name for name in sides if name != ours)
    part(noted, git, run, {"one": sides[other], "two": sides[ours]})
    join(noted, git)
    path = next(noted.glob(".codecortex/semantic/T_*.md")).relative_to(noted).as_posix()
    assert conflicted(noted, git) == []
    assert has_markers(noted) == []
    note = read_note(noted, path)
    assert note.texts[0] == " regenerated\n\n"
    assert note.types[0].structure == "00000000"
    assert note.types[0].public_impl == read_hashes(noted, run).public_impl
    states = json.loads(run(noted, "semantic", "states", "--json")[1])
    assert [state["semanticState"] for state in states["notes"]] == ["stale"]


def test_a_section_that_one_side_alone_changed_is_that_sides(noted, git, run):
    sides = {"one": rewrite(run, "", "the base", "edited by hand"), "two": rewrite(run, "New", "regenerated")}
    part(noted, git, run, sides)
    git(noted, "merge", "--quiet", "one")
    texts = read_note(noted, next((noted / ".codecortex/semantic").iterdir()).relative_to(noted).as_posix()).texts
    assert (texts[0], texts[3]) == (" regenerated\n\n", " edited by hand\n\n")


def rename_middle(root):
    (root / "Middle.cs").write_text("public class Center { public int Base; }\n", "utf-8")


def add_words(root):
    note = next(root.glob(".codecortex/semantic/T_*.md"))
    text = note.read_text("utf-8").replace("the base", "the base, by hand")
    note.write_text(text.replace("LIMITATIONS: none", "LIMITATIONS: many"), "utf-8")


@pytest.mark.parametrize("renames", ["one", "two"])
@pytest.mark.parametrize("join", [merge, pick, rebase, pop])
def test_what_was_written_of_a_type_that_the_other_side_renamed_is_kept(noted, git, run, renames, join):
    writes = "two" if renames == "one" else "one"
    sides = {renames: rename_middle, writes: add_words}
    part(noted, git, run, {name: sides[name] for name in ("one", "two")})
    join(noted, git)
    assert conflicted(noted, git) == []
    (path,) = noted.glob(".codecortex/semantic/T_*.md")
    note = read_note(noted, path.relative_to(noted).as_posix())
    assert (note.types[0].fqn, note.owner) == ("Center", path.stem)
    assert (note.texts[0], note.texts[3]) == (" the base, by hand\n\n", " many\n\n")
    assert note.types[0].structure == "00000000"
    run(noted, "refresh")
    assert "Center" in run(noted, "resolve", "Middle")[1]


def test_where_no_driver_is_registered_git_merges_notes_as_text(noted, git, run):
    run(noted, "hooks", "uninstall")
    part(noted, git, run, {"one": rewrite(run, "", "one"), "two": rewrite(run, "", "two")})
    git(noted, "merge", "--quiet", "one", check=False)
    assert len(conflicted(noted, git)) == 1
    assert len(has_markers(noted)) == 1


def test_where_the_scripts_are_gone_git_merges_notes_as_text(noted, git, run):
    shutil.rmtree(noted / ".git/codecortex")
    part(noted, git, run, {"one": rewrite(run, "", "one"), "two": rewrite(run, "", "two")})
    git(noted, "merge", "--quiet", "one", check=False)
    assert len(has_markers(noted)) == 1


def drive(root, run, *versions):
    """Call the driver as git does, with base, ours and theirs; exit code, complaint, and the note it leaves."""
    for name, note in zip(("base", "ours", "theirs"), versions, strict=True):
        (root / name).write_bytes(note if isinstance(note, bytes) else encode_note(note))
    path = next((note_path(note) for note in versions if not isinstance(note, bytes)), UNKNOWN_NOTE)
    code, _, err = run(root, "merge-driver", *(str(root / name) for name in ("base", "ours", "theirs")), path)
    return code, err, decode(root / "ours", path)


def decode(file, path):
    try:
        return decode_note(file.read_bytes(), path)
    except StoreFormatError:
        return None


def moved(base, **hashes):
    return base._replace(**{name: value * 8 for name, value in hashes.items()})


def test_lines_on_members_are_joined_by_member(project, run):
    def lined(**told):
        lines = [MemberLine(name, f"{digest}" * 8, text, hash_line(text)) for name, (digest, text) in told.items()]
        return make_note(read_hashes(project, run))._replace(members=tuple(lines), rest="RRRRRRRR")

    base = lined(A=(1, "a"), B=(1, "b"), C=(1, "c"), D=(1, "d"))
    ours = lined(A=(2, "a of ours"), B=(1, "b"), C=(2, "c of ours"), D=(1, "d"), E=(1, "e"))
    theirs = lined(A=(1, "a"), B=(2, "b of theirs"), C=(3, "c of theirs"), F=(1, "f"))
    code, err, note = drive(project, run, base, ours, theirs)
    assert code == 0
    assert note.lines == {"A": "a of ours", "B": "b of theirs", "C": "c of ours", "E": "e", "F": "f"}
    assert {each.name: each.digest[0] for each in note.members} == {"A": "2", "B": "2", "C": "2", "E": "1", "F": "1"}
    assert not note.edited
    assert "both sides changed C; ours is kept" in err
    assert drive(project, run, base, make_note(read_hashes(project, run), "other"), theirs)[2].lines.keys() == {
        "B",
        "C",
        "F",
    }


def test_of_two_regenerated_notes_the_one_that_fits_todays_sources_is_kept(project, run):
    today = read_hashes(project, run)
    base = make_note(moved(today, structure="1", public_impl="1"))
    fits, fits_not = make_note(today, "fits"), make_note(moved(today, structure="2", public_impl="2"), "fits not")
    for ours, theirs in ((fits, fits_not), (fits_not, fits)):
        code, err, note = drive(project, run, base, ours, theirs)
        assert code == 0
        assert note.texts[0] == " fits\n\n"
        assert note.types[0].structure == "00000000"
        assert "both sides changed ROLE" in err
        assert " is in history" in err


def test_where_both_fit_alike_ours_is_kept(project, run):
    today = read_hashes(project, run)
    note = drive(project, run, make_note(today), make_note(today, "ours"), make_note(today, "theirs"))[2]
    assert note.texts[0] == " ours\n\n"


def test_where_one_side_alone_changed_the_note_it_is_kept_as_it_is(project, run):
    today = read_hashes(project, run)
    base, other = make_note(today), make_note(moved(today, structure="1"), "other")
    assert drive(project, run, base, base, other)[2] == other
    assert drive(project, run, base, other, base)[2] == other
    assert drive(project, run, base, other, other)[2] == other


def test_without_a_base_as_when_both_added_the_note(project, run):
    today = read_hashes(project, run)
    wrong = make_note(moved(today, structure="1"), "fits not")
    code, _, note = drive(project, run, b"", wrong, make_note(today, "fits"))
    assert code == 0
    assert note.texts[0] == " fits\n\n"


def test_a_damaged_side_gives_way(project, run):
    today = read_hashes(project, run)
    whole = make_note(today, "whole")
    damaged = encode_note(make_note(today)) + b"<<<<<<< HEAD\n"
    for ours, theirs, lost in ((whole, damaged, "theirs"), (damaged, whole, "ours")):
        code, err, note = drive(project, run, make_note(today), ours, theirs)
        assert code == 0
        assert note.texts == whole.texts
        assert f"{lost} is no whole note" in err
        assert f"{lost} is in history" in err


def test_two_damaged_sides_are_a_conflict_that_leaves_ours(project, run):
    code, err, _ = drive(project, run, b"", b"\0ours", b"\xfftheirs")
    assert code == 1
    assert err == f"codecortex: neither side of {UNKNOWN_NOTE} is a whole note.\n"
    assert (project / "ours").read_bytes() == b"\0ours"


@pytest.mark.parametrize("lost", ["base", "ours", "theirs"])
@pytest.mark.parametrize("folder", [True, False])
def test_files_that_are_missing_or_folders_are_told_in_one_line(project, run, lost, folder):
    for name in ("base", "ours", "theirs"):
        (project / name).write_bytes(name.encode())
    (project / lost).unlink()
    if folder:
        (project / lost).mkdir()
    files = [str(project / name) for name in ("base", "ours", "theirs")]
    code, _, err = run(project, "merge-driver", *files, UNKNOWN_NOTE)
    assert code == 1
    assert err.count("\n") == 1
    assert f"{project / lost} cannot be read" in err


def test_a_note_of_a_newer_codecortex_is_a_conflict_that_leaves_ours(project, run):
    today = read_hashes(project, run)
    newer = encode_note(make_note(today)).replace(b"Generator: ", b"Format: 9\nGenerator: ")
    code, err, _ = drive(project, run, make_note(today), make_note(today, "ours"), newer)
    assert code == 3
    assert "newer" in err
    assert (project / "ours").read_bytes() == encode_note(make_note(today, "ours"))
