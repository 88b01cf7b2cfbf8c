"""`codecortex check`: what it finds, what it says of it, and what it leaves alone."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from codecortex.model.versions import OUTLINE_VERSION
from codecortex.operations.check.findings import RULES, Code

OUTLINES = ".codecortex/types"
INDEX = ".codecortex/index.json"
CONFLICT = "<<<<<<< HEAD\n{0}\n=======\nother\n>>>>>>> topic\n"


@pytest.fixture
def fresh(shop, cli, git):
    """The shop with its generated files, committed."""
    assert cli(shop, "refresh").code == 0
    commit(git, shop)
    return shop


def commit(git, root, message="more"):
    git(root, "add", "-A")
    git(root, "commit", "--quiet", "-m", message)


def edit(root, path, old, new):
    file = root / path
    text = file.read_text("utf-8")
    assert old in text
    file.write_bytes(text.replace(old, new).encode())


def find(cli, root, *arguments):
    """The findings as JSON, and the exit code."""
    done = cli(root, "check", "--json", *arguments)
    return json.loads(done.out)["findings"], done.code


def codes(cli, root, *arguments):
    found, _ = find(cli, root, *arguments)
    return sorted({each["code"] for each in found})


def outline_of(cli, root, fqn):
    line = next(line for line in cli(root, "index").out.splitlines() if line.endswith(f"  {fqn}"))
    return f"{OUTLINES}/{line.split()[0]}.outline.md"


# -- what is generated


@pytest.mark.parametrize("which", [(), ("--staged",), ("--rev", "HEAD"), ("--against", "HEAD")])
def test_what_a_refresh_left_is_ok_in_every_tree(fresh, cli, which):
    assert cli(fresh, "check", *which) == (0, "ok\n", "")


def test_a_changed_type_is_told_at_its_source_with_the_command_that_mends_it(fresh, cli):
    edit(fresh, "src/Core/Store.cs", "int Count", "long Count")
    done = cli(fresh, "check")
    assert done.code == 1
    assert done.out == (
        "src/Core/Store.cs:4: the outline of Shop.Core.Store`1 is behind  [outline-behind]  -> codecortex refresh\n"
        "1 error, 0 warnings\n"
    )
    assert cli(fresh, "refresh").code == 0
    assert cli(fresh, "check").out == "ok\n"


def test_every_tree_is_judged_by_its_own_files(fresh, cli, git):
    edit(fresh, "src/Core/Store.cs", "int Count", "long Count")
    assert [cli(fresh, "check", *which).code for which in ((), ("--staged",), ("--rev", "HEAD"))] == [1, 0, 0]
    git(fresh, "add", "src")
    assert [cli(fresh, "check", *which).code for which in ((), ("--staged",), ("--rev", "HEAD"))] == [1, 1, 0]
    assert find(cli, fresh, "--staged")[0][0]["command"] == "codecortex refresh && git add .codecortex"
    cli(fresh, "refresh")
    assert [cli(fresh, "check", *which).code for which in ((), ("--staged",), ("--rev", "HEAD"))] == [0, 1, 0]
    commit(git, fresh)
    assert [cli(fresh, "check", *which).code for which in ((), ("--staged",), ("--rev", "HEAD~1"))] == [0, 0, 0]


def test_a_type_that_came_and_one_that_went(fresh, cli):
    gone = outline_of(cli, fresh, "Shop.Core.IStore")
    edit(fresh, "src/Core/Order.cs", "public interface IStore", "\npublic interface IShelf")
    found, code = find(cli, fresh)
    assert code == 1
    told = {(each["code"], each["path"], each["line"]) for each in found}
    assert ("index-behind", INDEX, 1) in told
    assert ("outline-missing", "src/Core/Order.cs", 4) in told
    assert ("outline-left-over", gone, 1) in told


def test_a_hand_edited_outline_a_missing_one_and_a_missing_index(fresh, cli):
    outline = outline_of(cli, fresh, "Shop.Core.Order")
    (fresh / outline).write_bytes((fresh / outline).read_bytes() + b"mine\n")
    found, _ = find(cli, fresh)
    assert [(each["code"], each["path"], each["artefact"]) for each in found] == [
        ("outline-behind", "src/Core/Order.cs", outline)
    ]
    (fresh / outline).unlink()
    assert codes(cli, fresh) == ["outline-missing"]
    (fresh / INDEX).unlink()
    assert codes(cli, fresh) == ["index-missing", "outline-missing"]


def test_where_nothing_was_generated_yet_one_line_says_so(shop, cli):
    done = cli(shop, "check")
    assert done.code == 1
    assert done.out.splitlines()[0].split("  ")[0] == f"{INDEX}:1: nothing was generated yet"
    assert done.out.count("\n") == 2


def test_a_partial_type_is_told_at_the_file_of_its_name_and_a_nested_one_at_its_line(fresh, cli):
    for fqn in ("Shop.Core.Store`1", "Shop.Core.Store`1+State"):
        (fresh / outline_of(cli, fresh, fqn)).unlink()
    found, _ = find(cli, fresh)
    assert [(each["path"], each["line"]) for each in found] == [
        ("src/Core/Store.cs", 4),
        ("src/Core/Store.cs", 11),
    ]


def test_fix_refreshes_and_checks_again(fresh, cli, git):
    edit(fresh, "src/Core/Store.cs", "int Count", "long Count")
    outline = fresh / outline_of(cli, fresh, "Shop.Core.Order")
    outline.write_bytes(CONFLICT.format(outline.read_text("utf-8")).encode())
    assert cli(fresh, "check", "--fix") == (0, "fixed: 2 generated files brought up to date\nok\n", "")
    assert cli(fresh, "check", "--fix") == (0, "ok\n", "")
    assert git(fresh, "status", "--short").splitlines()[0].endswith(".outline.md")


def test_fix_leaves_what_only_a_person_can_mend(fresh, cli):
    readme = fresh / ".codecortex/README.md"
    text = CONFLICT.format("ours").encode()
    readme.write_bytes(text)
    assert cli(fresh, "check", "--fix").code == 1
    assert readme.read_bytes() == text


def test_fix_tells_what_a_refresh_would_not_overwrite(fresh, cli):
    table = fresh / ".codecortex/aliases.json"
    table.write_bytes(b"mine {")
    edit(fresh, "src/Core/Order.cs", "interface IStore", "interface IShelf")
    done = cli(fresh, "check", "--fix")
    assert done.code == 1
    assert "[aliases-unreadable]" in done.out
    assert table.read_bytes() == b"mine {"


@pytest.mark.parametrize("which", [("--staged",), ("--rev", "HEAD")])
def test_fix_is_for_the_work_tree(fresh, cli, which):
    done = cli(fresh, "check", "--fix", *which)
    assert done.code == 2
    assert "--fix" in done.err


# -- what merges and versions leave


@pytest.mark.parametrize("which", [(), ("--staged",), ("--rev", "HEAD")])
@pytest.mark.parametrize("path", [".codecortex/README.md", INDEX, ".codecortex/config.yaml", "outline"])
def test_merge_markers_are_told_by_file_and_line(fresh, cli, git, path, which):
    path = outline_of(cli, fresh, "Shop.Core.Order") if path == "outline" else path
    file = fresh / path
    text = file.read_text("utf-8")
    file.write_bytes(f"{text}{CONFLICT.format('ours')}".encode())
    commit(git, fresh)
    found, code = find(cli, fresh, *which)
    assert code == 1
    assert [(each["code"], each["path"], each["line"]) for each in found] == [
        ("merge-marker", path, text.count("\n") + 1)
    ]


def test_a_heading_underlined_with_equal_signs_is_no_marker(fresh, cli):
    (fresh / ".codecortex/README.md").write_bytes(b"Title!!\n=======\n")
    assert cli(fresh, "check").out == "ok\n"


def test_an_index_that_is_no_json(fresh, cli):
    (fresh / INDEX).write_bytes(b'{"schemaVersion":"1.0",\n"types": oops\n')
    found, code = find(cli, fresh)
    assert (code, [(each["code"], each["line"]) for each in found]) == (1, [("index-unreadable", 2)])
    assert cli(fresh, "check", "--fix").code == 0


_OUTLINES = f'"outlineVersion":"{OUTLINE_VERSION}"'


@pytest.mark.parametrize(
    ("line", "code", "command"),
    [
        (('"schemaVersion":"1.0"', '"schemaVersion":"2.0"'), "format-newer", "pip install --upgrade git-codecortex"),
        ((_OUTLINES, '"outlineVersion":"99"'), "format-newer", "pip install --upgrade git-codecortex"),
        ((_OUTLINES, '"outlineVersion":"0"'), "format-older", "codecortex refresh --upgrade"),
    ],
)
def test_files_of_another_version_are_one_finding(fresh, cli, line, code, command):
    edit(fresh, INDEX, *line)
    edit(fresh, "src/Core/Store.cs", "int Count", "long Count")
    found, exit_code = find(cli, fresh)
    assert exit_code == 1
    assert [(each["code"], each["command"]) for each in found] == [(code, command)]
    assert "version" in found[0]["message"].lower()


# -- files that are not ours, sources that cannot be read


def test_files_that_are_not_ours_are_warnings_unless_ignored(fresh, cli):
    for path in ("types/notes.txt", "types/T_ABC.outline.md", "semantic/plan.md", "own.md", "local/log"):
        (fresh / ".codecortex" / path).parent.mkdir(exist_ok=True)
        (fresh / ".codecortex" / path).write_bytes(b"mine\n")
    found, code = find(cli, fresh)
    assert code == 0
    assert [(each["code"], each["level"], each["path"]) for each in found] == [
        ("foreign-file", "warning", f".codecortex/{path}")
        for path in ("semantic/plan.md", "types/T_ABC.outline.md", "types/notes.txt")
    ]
    (fresh / ".gitignore").write_bytes(b"notes.txt\nplan.md\n")
    assert [each["path"] for each in find(cli, fresh)[0]] == [".codecortex/types/T_ABC.outline.md"]


def test_a_source_that_cannot_be_read_is_a_warning_every_time(fresh, cli, git):
    (fresh / "src/Core/Big.cs").write_bytes(b"version https://git-lfs.github.com/spec/v1\n")
    git(fresh, "add", ".")
    for _ in range(2):
        found, code = find(cli, fresh)
        assert code == 0
        assert [(each["code"], each["path"], each["command"]) for each in found] == [
            ("source-unread", "src/Core/Big.cs", "git lfs pull")
        ]
        assert "warning: not read" in cli(fresh, "check").out


# -- notes


@pytest.fixture
def noted(fresh, cli, git):
    """The shop with a note on each of three types, committed; `Shop.App.Order` depends on `Shop.Core.Store`1`."""
    for symbol in ("Shop.Core.Order", "Shop.Core.Store", "Shop.Core.IStore"):
        write_note(cli, fresh, symbol)
    commit(git, fresh)
    return fresh


def write_note(cli, root, symbol):
    body = root.parent / "body.md"
    body.write_bytes(b"ROLE:\nKnown.\n")
    done = cli(root, "semantic", "put", symbol, str(body))
    assert done.code == 0, done.err


def change(cli, git, root, *step):
    edit(root, *step)
    assert cli(root, "refresh").code == 0
    commit(git, root)


def test_notes_that_hold_are_ok_in_every_mode_and_tree(noted, cli):
    for mode in ("strict", "touched", "off"):
        for which in ((), ("--staged",), ("--rev", "HEAD")):
            assert cli(noted, "check", "--semantic", mode, *which) == (0, "ok\n", "")


def test_a_stale_note_fails_by_the_mode(noted, cli, git):
    change(cli, git, noted, "src/Core/Order.cs", "(string Key)", "(string Key, int Sum)")
    assert find(cli, noted, "--semantic", "off") == ([], 0)
    for arguments in ((), ("--semantic", "strict")):
        found, exit_code = find(cli, noted, *arguments)
        assert exit_code == 1
        assert {(each["code"], each["level"]) for each in found} == {("note-stale", "error")}
    assert find(cli, noted, "--rev", "HEAD")[1] == 0
    (told,) = [each for each in found if each["path"] == "src/Core/Order.cs"]
    assert told["line"] == 2
    assert told["artefact"].startswith(".codecortex/semantic/T_")
    assert "Shop.Core.Order is stale" in told["message"]
    (noted / ".codecortex/config.yaml").write_bytes(b"check:\n  semantic: strict\n")
    commit(git, noted)
    assert cli(noted, "check", "--rev", "HEAD").code == 1
    assert cli(noted, "check", "--rev", "HEAD", "--semantic", "touched").code == 0


@pytest.mark.parametrize("known", ["upstream", "origin", "remote"])
def test_without_a_base_what_ones_own_work_made_stale_fails(noted, cli, git, tmp_path, known):
    change(cli, git, noted, "src/Core/Order.cs", "(string Key)", "(string Key, int Sum)")  # stale for all already
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", str(noted), str(clone))
    if known != "upstream":
        git(clone, "checkout", "--quiet", "--detach")
    if known == "remote":
        git(clone, "remote", "set-head", "origin", "--delete")
    found, code = find(cli, clone)
    assert code == 0
    assert "Shop.Core.Order is stale" in " ".join(each["message"] for each in found)
    edit(clone, "src/Core/Order.cs", "interface IStore { int", "interface IStore { long")
    assert cli(clone, "refresh").code == 0
    assert list_failing(cli, clone) == {"Shop.Core.IStore", "Shop.Core.Store`1"}
    assert list_failing(cli, clone, "--semantic", "off") == set()
    commit(git, clone)
    assert list_failing(cli, clone) == (set() if known == "remote" else {"Shop.Core.IStore", "Shop.Core.Store`1"})


def list_failing(cli, root, *arguments):
    """The types whose stale notes fail."""
    return {each["message"].split()[3] for each in find(cli, root, *arguments)[0] if each["level"] == "error"}


def test_cc_07_against_a_base_only_what_the_range_touches_or_invalidates_fails(noted, cli, git):
    start = git(noted, "rev-parse", "HEAD")
    change(cli, git, noted, "src/Core/Order.cs", "interface IStore { int", "interface IStore { long")
    middle = git(noted, "rev-parse", "HEAD")
    before, code = find(cli, noted, "--against", start)
    assert code == 1
    names = {each["message"].split()[3] for each in before if each["level"] == "error"}
    assert names == {"Shop.Core.IStore", "Shop.Core.Store`1"}  # the second by its base list alone
    change(cli, git, noted, "src/Core/Order.cs", "(string Key)", "(string Key, int Sum)")
    edit(noted, "notes.txt", "not", "still not")
    commit(git, noted)
    after, code = find(cli, noted, "--against", middle)
    assert code == 1
    errors = {each["message"].split()[3] for each in after if each["level"] == "error"}
    assert "Shop.Core.Order" in errors
    assert "Shop.Core.IStore" not in errors
    (rest,) = [each for each in after if each["level"] == "warning"]
    assert rest["message"] == "1 stale note that this range does not touch"
    untouched, code = find(cli, noted, "--against", "HEAD~1")
    assert code == 0
    assert [each["message"] for each in untouched] == ["3 stale notes that this range does not touch"]


def test_two_green_branches_do_not_turn_main_red(noted, cli, git):
    git(noted, "checkout", "-q", "-b", "topic")
    change(cli, git, noted, "src/Core/Order.cs", "(string Key)", "(string Key, int Sum)")
    for symbol in ("Shop.Core.Order", "Shop.Core.Store"):
        write_note(cli, noted, symbol)
    commit(git, noted)
    assert cli(noted, "check", "--against", "main").code == 0
    git(noted, "checkout", "-q", "main")
    change(cli, git, noted, "src/Core/Store.cs", "bool deep = false) => null", "bool deep = true) => null")
    stale, code = find(cli, noted, "--against", "HEAD~1")
    assert (code, [each["message"].split()[3] for each in stale]) == (1, ["Shop.Core.Store`1"])
    assert cli(noted, "check", "--against", "main~1", "--rev", "topic").code == 0
    assert cli(noted, "check", "--against", "HEAD").code == 0


@pytest.mark.parametrize("which", [(), ("--staged",), ("--rev", "HEAD")])
@pytest.mark.parametrize("mode", ["strict", "touched", "off"])
def test_a_damaged_note_is_an_error_in_every_mode(noted, cli, git, which, mode):
    first, second, third = sorted((noted / ".codecortex/semantic").iterdir())
    edit(noted, first.relative_to(noted), "StructureHash: ", "StructureHash: ?")
    second.write_bytes(CONFLICT.format(second.read_text("utf-8")).encode())
    edit(noted, third.relative_to(noted), "Generator:", "Format: 99\nGenerator:")
    commit(git, noted)
    found, code = find(cli, noted, "--semantic", mode, *which)
    assert code == 1
    assert {(each["code"], each["path"].rpartition("/")[2], each["line"]) for each in found} >= {
        ("note-damaged", first.name, 2),
        ("merge-marker", second.name, 1),
    }
    assert {each["code"] for each in found if each["path"].endswith(third.name)} == {"format-newer"}
    assert all(each["level"] == "error" for each in found)


def test_a_note_of_no_type_is_a_warning_that_names_the_alias(noted, cli, git):
    git(noted, "rm", "-q", "src/Core/Order.cs")
    cli(noted, "refresh")
    found, _ = find(cli, noted)
    orphans = [each for each in found if each["code"] == "note-orphan"]
    assert {each["command"] for each in orphans} == {
        "codecortex alias add Shop.Core.IStore NEW_NAME",
        "codecortex alias add Shop.Core.Order NEW_NAME",
    }
    assert all(each["level"] == "warning" for each in orphans)


# -- aliases


def write_aliases(root, *rows):
    """Rows of an old id, an old name, a new id and a new name."""
    lines = [
        f'"{old}":{{"oldFqn":"{old_name}","newTypeId":"{new}","newFqn":"{new_name}","reason":"rename","score":0.93}},'
        for old, old_name, new, new_name in rows
    ]
    text = "\n".join(['{"schemaVersion":"1.0",', '"aliases":{', *lines, '"~":0}}\n'])
    (root / ".codecortex/aliases.json").write_bytes(text.encode())


def test_aliases_that_contradict_themselves_or_the_tree(fresh, cli):
    order, store, app = (
        outline_of(cli, fresh, f"Shop.{name}")[-21:-11] for name in ("Core.Order", "Core.IStore", "App.Order")
    )
    write_aliases(fresh, ("T_00000000", "Shop.Old", order, "Shop.Core.Order"))
    assert cli(fresh, "check").out == "ok\n"
    write_aliases(
        fresh,
        ("T_00000000", "Shop.Old", order, "Shop.Core.Order"),
        ("T_00000000", "Shop.Old", app, "Shop.App.Order"),
        ("T_00000001", "Shop.A", "T_00000002", "Shop.B"),
        ("T_00000002", "Shop.B", "T_00000001", "Shop.A"),
        ("T_00000003", "Shop.Lost", "T_00000009", "Shop.Gone"),
        (store, "Shop.Core.IStore", order, "Shop.Core.Order"),
    )
    found, code = find(cli, fresh)
    assert code == 1
    told = {(each["code"], each["line"]) for each in found if each["path"] == ".codecortex/aliases.json"}
    assert told == {
        ("alias-twice", 3),
        ("alias-loop", 5),
        ("alias-loop", 6),
        ("alias-target-gone", 7),
        ("alias-old-id-exists", 8),
    }


def test_a_table_that_cannot_be_read(fresh, cli):
    table = fresh / ".codecortex/aliases.json"
    for text, code in (
        ('{"schemaVersion":"1.0",\n"aliases":{ oops\n', "aliases-unreadable"),
        (CONFLICT.format('{"schemaVersion":"1.0",'), "merge-marker"),
        ('{"schemaVersion":"9.0",\n"aliases":{\n"~":0}}\n', "format-newer"),
    ):
        table.write_bytes(text.encode())
        found, exit_code = find(cli, fresh)
        assert (exit_code, [each["code"] for each in found]) == (1, [code])


# -- the base


def test_a_base_that_is_not_there(fresh, cli):
    done = cli(fresh, "check", "--against", "origin/main")
    assert done.code == 3
    assert "origin/main" in done.err
    assert "git fetch" in done.err


def test_a_base_beyond_a_shallow_clone_names_the_depth_to_fetch(fresh, cli, git, tmp_path):
    (fresh / "notes.txt").write_bytes(b"again\n")
    commit(git, fresh)
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", "--depth=1", fresh.as_uri(), str(clone))
    for base in ("HEAD~1", git(fresh, "rev-parse", "HEAD~1"), "origin/nowhere"):
        done = cli(clone, "check", "--against", base)
        assert done.code == 3
        assert done.err == (
            f"error: The base {base!r} is not in this shallow clone.\n"
            "hint: Fetch more: `git fetch --deepen=50 origin`, or all with `git fetch --unshallow`.\n"
        )
    assert cli(clone, "check").code == 0
    git(clone, "fetch", "--quiet", "--deepen=50", "origin")
    assert cli(clone, "check", "--against", "HEAD~1").code == 0


def test_the_base_is_the_merge_base_and_the_commit_itself_where_there_is_none(fresh, cli, git):
    start = git(fresh, "rev-parse", "HEAD")
    git(fresh, "checkout", "-q", "-b", "topic")
    (fresh / "notes.txt").write_bytes(b"topic\n")
    commit(git, fresh)
    git(fresh, "checkout", "-q", "main")
    (fresh / "more.txt").write_bytes(b"main\n")
    commit(git, fresh)
    main = git(fresh, "rev-parse", "HEAD")
    assert json.loads(cli(fresh, "check", "--json", "--rev", "topic", "--against", "main").out)["base"] == start
    git(fresh, "checkout", "-q", "--orphan", "alone")
    commit(git, fresh)
    assert json.loads(cli(fresh, "check", "--json", "--against", "main").out)["base"] == main


# -- the words of the command


def test_without_codecortex_in_the_tree(repo, cli, git):
    for which in ((), ("--staged",), ("--rev", "HEAD")):
        done = cli(repo, "check", *which)
        assert done.code == 2
        assert "codecortex init" in done.err
    cli(repo, "init")
    assert cli(repo, "check", "--staged").code == 2
    git(repo, "add", ".")
    assert cli(repo, "check", "--staged").code == 1
    assert cli(repo, "check", "--rev", "HEAD").code == 2


def test_contradicting_options(fresh, cli):
    for wrong in (("--staged", "--rev", "HEAD"), ("--json", "--format", "sarif"), ("--format", "xml")):
        assert cli(fresh, "check", *wrong).code == 2
    assert cli(fresh, "check", "--rev", "nothing").code == 3


def test_github_annotations_escape_what_would_end_them(fresh, cli, git):
    assert cli(fresh, "check", "--format", "github").out == "ok\n"
    odd = "src/Core/50% a,b:c.cs"
    (fresh / odd).write_bytes(b"namespace Shop.Core;\n\npublic class Odd;\n")
    git(fresh, "add", odd)
    done = cli(fresh, "check", "--format", "github")
    assert done.code == 1
    assert (
        "::error file=src/Core/50%2525 a%2Cb%3Ac.cs,line=3,title=codecortex outline-missing::"
        "the outline of Shop.Core.Odd is missing; run: codecortex refresh"
    ) in done.out.splitlines()


def test_sarif_names_rules_places_and_lasting_fingerprints(fresh, cli):
    edit(fresh, "src/Core/Store.cs", "int Count", "long Count")
    log = json.loads(cli(fresh, "check", "--format", "sarif").out)
    run = log["runs"][0]
    (result,) = run["results"]
    assert log["version"] == "2.1.0"
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "outline-behind"
    place = result["locations"][0]["physicalLocation"]
    assert place == {
        "artifactLocation": {"uri": "src/Core/Store.cs", "uriBaseId": "SRCROOT"},
        "region": {"startLine": 4},
    }
    assert result["level"] == "error"
    edit(fresh, "src/Core/Store.cs", "namespace Shop.Core;", "namespace Shop.Core;\n\n")
    (moved,) = json.loads(cli(fresh, "check", "--format", "sarif").out)["runs"][0]["results"]
    assert moved["locations"][0]["physicalLocation"]["region"] == {"startLine": 6}
    assert moved["partialFingerprints"] == result["partialFingerprints"]


def test_json_counts(fresh, cli):
    (fresh / OUTLINES / "mine.txt").write_bytes(b"")
    edit(fresh, "src/Core/Store.cs", "int Count", "long Count")
    told = json.loads(cli(fresh, "check", "--json").out)
    assert (told["errors"], told["warnings"], told["fixed"], told["base"]) == (1, 1, [], None)
    assert told["findings"][0].keys() == {"code", "level", "path", "line", "message", "command", "artefact"}


def test_many_findings_of_one_code_are_cut_in_text_only(fresh, cli, git):
    text = "".join(f"public class Many{number};\n" for number in range(30))
    (fresh / "src/Core/Many.cs").write_bytes(text.encode())
    git(fresh, "add", ".")
    out = cli(fresh, "check").out
    assert out.count("[outline-missing]") == 21
    assert "and 10 more  [outline-missing]" in out
    assert len(find(cli, fresh)[0]) == 31


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_outlines_behind_a_link_are_not_up_to_date(fresh, cli, tmp_path):
    (fresh / ".codecortex/types").rename(tmp_path / "elsewhere")
    (fresh / ".codecortex/types").symlink_to(tmp_path / "elsewhere")
    assert "Up to date" not in cli(fresh, "status").out
    dry = cli(fresh, "refresh", "--dry-run")
    assert dry.code == 0
    assert "Up to date" not in dry.out


@pytest.mark.parametrize("path", [".codecortex/index.json", ".codecortex/types"])
def test_what_is_linked_is_told_with_a_command_that_mends_it(fresh, cli, tmp_path, path):
    (fresh / path).rename(tmp_path / "elsewhere")
    (fresh / path).symlink_to(tmp_path / "elsewhere")
    refused = cli(fresh, "refresh")
    assert refused.code == 3
    assert refused.err == (
        f"error: {path} is a symbolic link, and codecortex stays inside the repository.\n"
        "hint: Replace the link by what it points to.\n"
    )
    commands = {each["command"] for each in json.loads(cli(fresh, "check", "--json").out)["findings"]}
    assert commands == {f"rm -f {path} && codecortex refresh"}
    (fresh / path).unlink()
    assert cli(fresh, "refresh").code == 0
    assert cli(fresh, "check").out == "ok\n"


# -- what it leaves alone


def test_it_writes_nothing_into_the_work_tree_and_says_the_same_again(fresh, cli, look):
    edit(fresh, "src/Core/Store.cs", "int Count", "long Count")
    before = look(fresh)
    said = [cli(fresh, "check", *which) for which in ((), (), ("--rev", "HEAD"), ("--staged",), ())]
    assert look(fresh) == before
    assert said[0] == said[1] == said[4]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() != 0, reason="needs another user")
@pytest.mark.parametrize("warm", [True, False])
def test_a_repository_that_may_only_be_read(public, cli, look, source, warm):
    if as_nobody(public, source, "--version").returncode:
        pytest.skip("another user may not read this checkout")
    edit(public, "src/Core/Store.cs", "int Count", "long Count")
    expected = cli(public, "check")
    if not warm:
        shutil.rmtree(public / ".git/codecortex")
    before = look(public)
    for which in ((), ("--staged",), ("--rev", "HEAD")):
        done = as_nobody(public, source, "check", *which)
        assert done.returncode == (0 if which else 1), done.stderr
        assert done.stdout.decode() == ("ok\n" if which else expected.out)
    assert look(public) == before


@pytest.fixture
def public(fresh):
    """The shop where others may read it; pytest closes its folders to them again whenever a session of it begins."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield shutil.copytree(fresh, Path(name) / "shop", symlinks=True)


def as_nobody(folder, source, *arguments):
    trusted = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*"}
    environment = {**os.environ, **trusted, "PYTHONPATH": source, "PYTHONDONTWRITEBYTECODE": "1"}
    command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", sys.executable, "-m", "codecortex"]
    return subprocess.run([*command, *arguments], cwd=folder, capture_output=True, check=False, env=environment)


def test_a_local_cache_that_is_none_changes_nothing(fresh, cli):
    edit(fresh, "src/Core/Store.cs", "int Count", "long Count")
    warm = cli(fresh, "check")
    for file in (fresh / ".git/codecortex").iterdir():
        if file.name.startswith("cache"):
            file.unlink()
    assert cli(fresh, "check") == warm
    (fresh / ".git/codecortex/cache.sqlite").write_bytes(b"not a database at all")
    assert cli(fresh, "check").out == warm.out


def test_every_code_has_a_rule_and_a_plain_name():
    assert set(RULES) == set(Code)
    assert all(re.fullmatch("[a-z]+(-[a-z]+)+", code) for code in Code)
