"""Bad input gives one clear error or a report: never a traceback, never a half-written file."""

import json
import os
import shutil
import sys
from pathlib import Path

import pytest


def told(result, code, message, hint):
    """Whether a result is this exit code, with one `error:` line and one `hint:` line that hold these words."""
    lines = result.err.splitlines()
    errors = [line for line in lines if line.startswith("error: ")]
    assert result.code == code, result
    assert len(errors) == 1, result
    assert message in errors[0]
    assert hint in lines[-1]
    assert "Traceback" not in result.err
    return True


# -- states of the repository


@pytest.mark.parametrize("command", [["init"], ["refresh"], ["index"], ["status"], ["outline", "X"]])
def test_no_repository(tmp_path, cli, command):
    assert told(cli(tmp_path, *command), 3, "not a git repository", "hint: Run this inside a repository")
    assert told(cli(tmp_path / "nowhere", *command), 3, "There is no folder", "nowhere")
    assert list(tmp_path.iterdir()) == []


def test_a_bare_repository_is_read_by_revision(shop, tmp_path, cli, git):
    bare = tmp_path / "bare.git"
    git(tmp_path, "clone", "--quiet", "--bare", str(shop), str(bare))
    for command in (["index"], ["status"], ["index", "--staged"]):
        assert told(cli(bare, *command), 3, "has no work tree here", "hint: Name a revision with --rev")
    (tmp_path / "note.md").write_text("ROLE: x\n")
    for text in (
        "init", "refresh", "hooks install", "trust", "ops list", "semantic generate", "semantic next",
        "semantic put Store ../note.md",
    ):  # fmt: skip
        assert told(cli(bare, *text.split()), 3, "has no work tree here", "hint: Run this in a work tree")
    assert cli(bare, "index", "--rev", "HEAD").out == cli(shop, "index").out
    assert cli(bare, "outline", "Store", "--rev", "main").code == 0
    assert "Types      5" in cli(bare, "status", "--rev", "HEAD").out
    assert told(cli(bare, "refresh", "--rev", "HEAD"), 3, "has no work tree here", "hint: ")


def test_before_the_first_commit(tmp_path, cli, git):
    git(tmp_path, "init", "--quiet")
    cli(tmp_path, "init")
    assert cli(tmp_path, "index") == (0, "", "")
    assert cli(tmp_path, "refresh").out == "0 types: 1 written.\n"
    (tmp_path / "a.cs").write_text("class A;\n", "utf-8")
    git(tmp_path, "add", "a.cs")
    assert cli(tmp_path, "refresh", "--staged").out == "1 type: 2 written.\n"
    record = json.loads(cli(tmp_path, "index", "--json").out)
    assert (record["head"], record["types"][0]["changeClass"]) == (None, None)
    assert told(cli(tmp_path, "index", "--rev", "HEAD"), 3, "Git knows no revision 'HEAD'", "hint: ")


def test_during_a_merge_the_work_tree_is_read_and_the_index_is_not(shop, cli, git):
    file = shop / "src/Core/Order.cs"
    for branch, text in (("side", "class Side { }"), ("main", "class Main { }")):
        git(shop, "checkout", "--quiet", *(["-b"] if branch == "side" else []), branch)
        file.write_text(f"namespace Shop;\n{text}\n", "utf-8")
        git(shop, "commit", "--quiet", "-am", branch)
    git(shop, "merge", "side", check=False)
    assert "<<<<<<<" in file.read_text("utf-8")
    assert cli(shop, "refresh").code == 0
    assert "Shop.Side" in cli(shop, "index").out
    assert list(json.loads(cli(shop, "status", "--json").out)["degraded"]) == ["src/Core/Order.cs"]
    assert told(cli(shop, "refresh", "--staged"), 3, "src/Core/Order.cs is unmerged", "git merge --abort")


def test_a_missing_blob_costs_its_types_and_says_so(shop, cli, git):
    blob = git(shop, "rev-parse", "HEAD:src/Core/Order.cs")
    (shop / ".git/objects" / blob[:2] / blob[2:]).unlink()
    done = cli(shop, "index", "--rev", "HEAD")
    assert (done.code, done.err) == (0, "warning: src/Core/Order.cs: not read: missing\n")
    assert "Shop.Core.Store`1" in done.out
    assert "Shop.Core.Order" not in done.out
    unread = [{"path": "src/Core/Order.cs", "reason": "missing"}]
    assert json.loads(cli(shop, "index", "--json", "--rev", "HEAD").out)["unread"] == unread
    assert json.loads(cli(shop, "status", "--json", "--rev", "HEAD").out)["unread"] == unread
    assert cli(shop, "outline", "Store", "--rev", "HEAD").err == done.err
    assert "Shop.Core.Order" in cli(shop, "index").out  # the work tree still has it


def test_revisions_that_are_none(shop, cli):
    for rev in ("nope", "", "-x", "HEAD~9", "a\nb"):
        assert told(cli(shop, "index", "--rev", rev), 3, "Git knows no revision", "hint: Check the spelling")
    assert told(cli(shop, "index", "--rev", "HEAD:notes.txt"), 3, "not a tree object", "hint: ")
    assert told(cli(shop, "index", "--rev", "HEAD", "--staged"), 2, "name two trees", "hint: Give one of them.")


def test_submodules_and_repositories_inside(shop, tmp_path, cli, git):
    inner = tmp_path / "inner"
    inner.mkdir()
    git(inner, "init", "--quiet")
    (inner / "In.cs").write_text("class In;\n", "utf-8")
    git(inner, "add", ".")
    git(inner, "commit", "--quiet", "-m", "one")
    git(shop, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner), "src/sub")
    shutil.copytree(inner, shop / "nested")
    assert json.loads(cli(shop, "status", "--json").out)["skipped"] == [{"path": "src/sub", "reason": "submodule"}]
    assert "  In\n" not in cli(shop, "index").out
    for folder in (shop / "src/sub", shop / "nested"):
        assert cli(folder, "index").out.split()[1:] == ["class", "In"]
        assert told(cli(folder, "refresh"), 2, "There is no .codecortex folder", "codecortex init")


# -- files


def deep(opening, closing, core):
    return (opening * 10_000 + core + closing * 10_000).encode()


ODD = {
    "u16.cs": ("class U16 { }".encode("utf-16"), "U16"),
    "u16be.cs": (b"\xfe\xff" + "class U16Be { }".encode("utf-16-be"), "U16Be"),
    "bom.cs": (b"\xef\xbb\xbfclass Bom { }", "Bom"),
    "crlf.cs": (b"class Crlf\r\n{\r\n}\r\n", "Crlf"),
    "cr.cs": (b"// comment\rclass Cr\r{\r}\r", "Cr"),
    "latin.cs": (b'class Latin { string s = "\xe9"; }', "Latin"),
    "empty.cs": (b"", None),
    "binary.cs": (bytes(range(256)) * 20, None),
    "parens.cs": (b"class Parens { int x = " + deep("(", ")", "1") + b"; }", "Parens"),
    "blocks.cs": (b"class Blocks { void M() " + deep("{", "}", "") + b" }", "Blocks"),
    "ifs.cs": (deep("#if A\n", "#endif\n", "class Hidden;\n") + b"class Ifs { }", "Ifs"),
    "docs.cs": (b"/// " + deep("<b>", "</b>", "x") + b"\nclass Docs { }", "Docs"),
    "nested.cs": (b"class N {" * 200 + b"}" * 200, "N"),
}


def test_odd_files_are_read_or_reported(shop, cli, git):
    for name, (data, _) in ODD.items():
        (shop / "src/Core" / name).write_bytes(data)
    (shop / "src/Core/lfs.cs").write_bytes(b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
    git(shop, "add", ".")
    done = cli(shop, "refresh")
    warnings = "warning: src/Core/binary.cs: not read: binary content\n"
    assert (done.code, done.err) == (0, warnings + "warning: src/Core/lfs.cs: not read: lfs pointer\n")
    assert set(filter(None, (name for _, name in ODD.values()))) <= set(cli(shop, "index").out.split())
    status = json.loads(cli(shop, "status", "--json").out)
    assert "src/Core/binary.cs" not in status["degraded"]
    listed = json.loads(cli(shop, "index", "--json").out)
    for told in (status, listed):
        assert {"path": "src/Core/binary.cs", "reason": "binary content"} in told["unread"]
    assert cli(shop, "outline", "U16").code == 0
    assert cli(shop, "refresh").out.endswith(": nothing to do.\n")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_odd_file_names(shop, cli, git, read_tree):
    names = [
        b"x y.cs",
        b"quo\"te'.cs",
        b"line\nfeed.cs",
        b"caf\xe9.cs",
        b"tab\t.cs",
        b"100%.cs",
        "é.cs".encode(),
        b"-d.cs",
    ]
    for number, name in enumerate((*names, b"ORDER.cs")):
        Path(os.fsdecode(os.fsencode(shop / "src/Core") + b"/" + name)).write_text(f"class Odd{number};\n", "utf-8")
    git(shop, "add", ".")
    done = cli(shop, "refresh")
    assert (done.code, done.err) == (0, "")
    rows = json.loads((shop / ".codecortex/index.json").read_bytes())["types"]
    files = {row["fqn"]: row["files"] for key, row in rows.items() if key != "~"}
    assert [files[f"Odd{number}"] for number in range(9)] == [
        [f"src/Core/{name}"]
        for name in (
            "x y.cs",
            "quo\"te'.cs",
            "line%0Afeed.cs",
            "caf%E9.cs",
            "tab\t.cs",
            "100%25.cs",
            "é.cs",
            "-d.cs",
            "ORDER.cs",
        )
    ]
    before = read_tree(shop / ".codecortex")
    assert cli(shop, "refresh", "--full").out.endswith(": nothing to do.\n")
    assert cli(shop, "refresh", "--staged").out.endswith(": nothing to do.\n")
    assert cli(shop, "status").code == cli(shop, "outline", "Odd3").code == 0
    (shop / "src/Core" / os.fsdecode(b"caf\xe9.cs")).write_text("public class Odd3 { public int X; }\n", "utf-8")
    assert cli(shop, "refresh").out.endswith("1 written.\n")
    kept = {"local/.gitignore", "local/access.json"}  # what was asked for
    assert read_tree(shop / ".codecortex").keys() - kept == before.keys()


def test_links_out_of_the_repository_are_not_followed(shop, tmp_path, cli, git):
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "S.cs").write_text("class Secret;\n", "utf-8")
    (shop / "src/Core/link.cs").symlink_to(secret / "S.cs")
    (shop / "src/Core/folder").symlink_to(secret)
    git(shop, "add", ".")
    assert "Secret" not in cli(shop, "index").out
    shutil.rmtree(shop / "src/App")
    (shop / "src/App").symlink_to(secret)
    (secret / "Order.cs").write_text("class Secret;\n", "utf-8")
    assert cli(shop, "refresh").code == 0
    assert "Secret" not in cli(shop, "index").out


# -- what stands in .codecortex


def replace_by_link(path, target):
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
    path.symlink_to(target)


@pytest.mark.parametrize("name", ["", "types", "index.json", "outline", "config.yaml"])
def test_a_link_where_we_write_is_refused(shop, tmp_path, cli, name):
    cli(shop, "refresh")
    outside = tmp_path / "outside"
    outside.mkdir()
    target = outside / "file" if "." in name or name == "outline" else outside
    if target != outside:
        target.write_text("exclude: [a]\n", "utf-8")
    place = shop / ".codecortex" / name
    if name == "outline":
        place = next((shop / ".codecortex/types").iterdir())
    replace_by_link(place, target)
    done = cli(shop, "refresh")
    assert told(done, 3, "symbolic link", "hint: ")
    assert [(path.name, path.read_text("utf-8")) for path in outside.iterdir()] in ([], [("file", "exclude: [a]\n")])
    place.unlink()
    assert cli(shop, "init").code == 0
    assert cli(shop, "refresh").code == 0


def test_files_where_folders_belong_and_folders_where_files_do(shop, cli):
    folder = shop / ".codecortex"
    (folder / "types").write_text("mine\n", "utf-8")
    assert told(cli(shop, "refresh"), 3, ".codecortex/types", "hint: ")
    (folder / "types").unlink()
    (folder / "index.json").mkdir()
    assert told(cli(shop, "refresh"), 3, ".codecortex/index.json is not a file", "hint: Move what stands there away")
    (folder / "index.json").rmdir()
    shutil.rmtree(folder)
    folder.write_text("mine\n", "utf-8")
    assert told(cli(shop, "refresh"), 2, "There is no .codecortex folder", "codecortex init")
    assert told(cli(shop, "init"), 3, ".codecortex", "hint: ")
    assert folder.read_text("utf-8") == "mine\n"
    assert cli(shop, "index").code == 0


def test_codecortex_deleted_between_runs(shop, cli, read_tree):
    cli(shop, "refresh")
    expected = read_tree(shop / ".codecortex")
    shutil.rmtree(shop / ".codecortex")
    assert told(cli(shop, "refresh"), 2, "There is no .codecortex folder", "codecortex init")
    cli(shop, "init")
    assert cli(shop, "refresh").out == "5 types: 6 written.\n"
    assert read_tree(shop / ".codecortex") == expected


@pytest.mark.parametrize(
    "case",
    [
        ("\nexclude: [", 2, "not YAML"),
        ("excluude: []", 1, "unknown key excluude"), ("exclude: 3", 1, "exclude: expected"),
        ("a: b: c", 1, "not YAML"), ("\tx: 1", 1, "not YAML"), ("requires: 3", 1, "requires: expected"),
        ("outline:\n  maxDependencies: 1000", 2, "a whole number from 0 to 100"),
        ("outline:\n  hashes: maybe", 2, "expected true or false"), ("index: {detail: all}", 1, "identity or full"),
        ("- a", 1, "expected `key: value` lines"), ("exclude: []\nexclude: []", 2, "stands twice"),
        ("untracked: true\n<<<<<<< HEAD\n=======\n>>>>>>> x", 2, "conflict marker"), ("a: &a [*a]", 1, "not allowed"),
    ],
)  # fmt: skip
def test_a_broken_config_is_named_by_line_and_stops_everything(shop, cli, look, case):
    text, line, message = case
    (shop / ".codecortex/config.yaml").write_text(text + "\n", "utf-8")
    before = look(shop)
    for command in (["refresh"], ["index", "--json"], ["status"], ["outline", "Store"]):
        done = cli(shop, *command)
        assert told(done, 2, f".codecortex/config.yaml:{line}: ", "")
        assert message in done.err
    assert json.loads(cli(shop, "index", "--json").out)["error"]["code"] == "ConfigError"
    assert look(shop) == before
    assert cli(shop, "index", "--rev", "HEAD").code == 0


def test_config_of_another_version_or_another_encoding(shop, cli):
    config = shop / ".codecortex/config.yaml"
    config.write_text('requires: ">=99"\nfuture: 1\n', "utf-8")
    assert told(cli(shop, "refresh"), 2, "requires codecortex >=99", "hint: install that version")
    config.write_bytes("exclude: []\n".encode("utf-16"))
    assert told(cli(shop, "refresh"), 2, ".codecortex/config.yaml:1: not UTF-8 text", "")
    config.unlink()
    config.mkdir()
    assert told(cli(shop, "refresh"), 3, ".codecortex/config.yaml cannot be read: not a regular file", "hint: ")


@pytest.mark.parametrize(
    ("old", "new"),
    [(b'"schemaVersion":"1.0"', b'"schemaVersion":"2.0"'), (b'"hashVersion":"', b'"hashVersion":"9'),
     (b'"outlineVersion":"', b'"outlineVersion":"9'), (b'"types":"flat"', b'"types":"spiral"')],
)  # fmt: skip
def test_an_index_of_a_newer_version_is_refused_and_nothing_is_written(shop, cli, look, old, new):
    cli(shop, "refresh")
    index = shop / ".codecortex/index.json"
    index.write_bytes(index.read_bytes().replace(old, new))
    (shop / "src/App/Order.cs").unlink()
    before = look(shop)
    for options in ([], ["--full"], ["--dry-run"]):
        assert told(cli(shop, "refresh", *options), 3, ".codecortex/index.json:", "hint: install a newer codecortex")
        assert look(shop) == before
    assert cli(shop, "index").code == 0


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff\xfe", b"<<<<<<< HEAD\n{\n=======\n{}\n>>>>>>> x\n", b"{}"])
def test_a_broken_index_is_written_anew_with_a_warning(shop, cli, read_tree, data):
    cli(shop, "refresh")
    expected = read_tree(shop / ".codecortex")
    (shop / ".codecortex/index.json").write_bytes(data)
    done = cli(shop, "refresh")
    assert (done.code, done.out) == (0, "5 types: 1 written.\n")
    assert done.err.startswith("warning: .codecortex/index.json")
    assert done.err.count("\n") == 1
    assert read_tree(shop / ".codecortex") == expected
