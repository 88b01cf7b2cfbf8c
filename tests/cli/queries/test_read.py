"""`codecortex read`: lines of many files in one call, within one budget; what cannot be read is a row."""

import json

import pytest


@pytest.fixture
def files(shop, git):
    (shop / "long.txt").write_text("".join(f"line {number} of many\n" for number in range(1, 1001)))
    (shop / "wide.cs").write_bytes("\ufeff// Ä\r\nclass W { }\r\n".encode("utf-16-le"))
    (shop / "old.cs").write_bytes("// Straße\n".encode("cp1252"))
    (shop / "image.bin").write_bytes(bytes(range(256)))
    (shop / "empty.cs").write_bytes(b"")
    (shop / "odd:3.txt").write_text("odd\n")
    (shop / ".gitignore").write_text("secret.txt\n")
    (shop / "secret.txt").write_text("secret\n")
    (shop / "link.cs").symlink_to("/etc/passwd")
    (shop / "folder").symlink_to("/etc")
    git(shop, "add", ".")
    git(shop, "commit", "--quiet", "-m", "files")
    return shop


NO_RANGE = "that is no range of lines; ask for FILE:A, FILE:A-B or FILE:A-"


@pytest.fixture
def read(files, cli):
    def run(*arguments, code=0, folder=files):
        result = cli(folder, "read", *arguments, "--json")
        assert result.code == code, result
        return json.loads(result.out)["files"]

    return run


def test_lines_are_shown_with_their_numbers(files, cli):
    shown = cli(files, "read", "src/Core/Order.cs", "long.txt:9-11", "long.txt:1000")
    assert shown.out == (
        "src/Core/Order.cs: lines 1-3 of 3\n1  namespace Shop.Core;\n2  public record Order(string Key);\n"
        "3  public interface IStore { int Count { get; } }\n\n"
        "long.txt: lines 9-11 of 1,000\n 9  line 9 of many\n10  line 10 of many\n11  line 11 of many\n\n"
        "long.txt: lines 1000-1000 of 1,000\n1000  line 1000 of many\n"
    )


def test_ranges_of_every_form_are_read(read):
    rows = read("long.txt:3,5-6,999-", "long.txt:990-2000", "odd:3.txt", "odd:3.txt:1")
    assert [(row["line"], row["endLine"], row["cutBack"]) for row in rows] == [
        (3, 3, False), (5, 6, False), (999, 1000, False), (990, 1000, True), (1, 1, False), (1, 1, False),
    ]  # fmt: skip
    assert rows[1]["text"] == "line 5 of many\nline 6 of many"
    assert {row["totalLines"] for row in rows} == {1000, 1}


def test_a_place_as_other_commands_print_it_means_its_line(read):
    (row,) = read("long.txt:4:15")
    assert (row["range"], row["text"]) == ("4", "line 4 of many")


@pytest.mark.parametrize("names", [("new\nline.cs", "new%0Aline.cs"), ("50%.cs", "50%25.cs"), ("a\\b.cs", "a\\b.cs")])
@pytest.mark.parametrize("options", [(), ("--staged",)])
def test_a_path_is_read_as_it_is_printed(read, files, git, names, options):
    name, printed = names
    (files / name).write_text("one\ntwo\n")
    git(files, "add", name)
    for asked in dict.fromkeys((name, printed, f"./{printed}")):
        assert [(row["file"], row["text"]) for row in read(f"{asked}:2", *options)] == [(printed, "two")]


def test_encodings_are_found_and_named(read, files, cli):
    rows = read("wide.cs", "old.cs", "empty.cs", "src/Core/Store.cs:1")
    assert [(row["text"], row["encoding"]) for row in rows] == [
        ("// Ä\nclass W { }", "utf-16"), ("// Straße", "windows-1252"), ("", "utf-8"),
        ("namespace Shop.Core;", "utf-8"),
    ]  # fmt: skip
    assert "wide.cs: lines 1-2 of 2; utf-16\n" in cli(files, "read", "wide.cs").out


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ("image.bin", "it is binary, or in an encoding that cannot be told"),
        ("src", "it is a folder"),
        (".", "it is a folder"),
        ("long.txt:20-10", "the range 20-10 is reversed"),
        ("long.txt:0-4", "lines count from 1"),
        ("long.txt:2000-2001", "it has 1,000 lines"),
        ("link.cs", "it is a symbolic link"),
        ("folder/passwd", "it lies behind folder, a symbolic link"),
        ("secret.txt", "git lists no such file"),
        (".git/config", "git lists no such file"),
        ("../../etc/passwd", "git lists no such file"),
        ("/etc/passwd", "git lists no such file"),
        ("src/App/Stroe.cs", "git lists no such file"),
        *[(f"long.txt:{odd}", NO_RANGE) for odd in ("abc", "L2", "1-2-3", "1,", "-4", ":4", "4:15:2")],
        ("odd:3.txt:x", "git lists no such file"),
    ],
)
def test_what_cannot_be_read_is_a_row_with_its_reason(read, files, cli, asked, reason):
    (row,) = read(asked, code=3)
    assert (row["reason"], "text" in row) == (reason, False)
    first, second = read(asked, "long.txt:1")
    assert (first["reason"], second["text"]) == (reason, "line 1 of many")
    assert f"not read: {reason}" in cli(files, "read", asked).out


def test_near_names_are_suggested(read):
    (row,) = read("src/App/Stroe.cs", code=3)
    assert "src/Core/Store.cs" in row["suggestions"]
    (row,) = read("App/Store.cs:3", code=3)
    assert row["suggestions"][0] == "src/Core/Store.cs"


def test_paths_count_from_where_the_user_stands_else_from_the_top(read, files):
    for asked in ("Order.cs", "../Core/Order.cs", "src/Core/Order.cs", "./Order.cs", str(files / "src/Core/Order.cs")):
        (row,) = read(asked, folder=files / "src/Core")
        assert row["file"] == "src/Core/Order.cs"


def test_one_budget_holds_for_all_and_no_file_starves(files, cli):
    told = json.loads(
        cli(files, "read", "long.txt", "src/Core/Store.cs", "long.txt:500-", "--budget", "600", "--json").out
    )
    first, second, third = told["files"]
    assert told["tokens"] <= told["budget"] == 600
    assert second["leftOut"] is None
    assert first["endLine"] > 5
    assert third["endLine"] > 505
    assert first["leftOut"] == f"long.txt:{first['endLine'] + 1}-1000"
    text = cli(files, "read", "long.txt", "--budget", "100").out
    assert "; no room for long.txt:" in text


def test_other_trees_are_read(files, read, git):
    (files / "long.txt").write_text("staged\n")
    git(files, "add", "long.txt")
    (files / "long.txt").write_text("here\n")
    (files / "fresh.txt").write_text("fresh\n")
    assert [row["text"] for row in read("long.txt", "fresh.txt")] == ["here", "fresh"]
    assert read("long.txt", "--staged")[0]["text"] == "staged"
    assert read("long.txt:1", "--rev", "HEAD")[0]["text"] == "line 1 of many"
    (files / "long.txt").unlink()
    assert read("long.txt", code=3)[0]["reason"] == "git lists no such file"


def test_a_very_long_line_is_cut(files, cli):
    (files / "long.txt").write_text("x" * 50_000)
    shown = cli(files, "read", "long.txt").out
    assert len(shown) < 2_200
    assert "(50,000 characters)" in shown


def test_only_what_is_named_is_looked_at(files, read, git):
    tree = git(files, "rev-parse", "HEAD:src/App")
    (files / ".git/objects" / tree[:2] / tree[2:]).unlink()  # whoever lists that folder of the commit fails
    blob = git(files, "rev-parse", "HEAD:notes.txt")
    rows = "".join(f"100644 {blob} {stage}\tnotes.txt\n" for stage in (1, 2, 3))
    git(files, "update-index", "--index-info", stdin=f"0 {'0' * 40}\tnotes.txt\n{rows}".encode())
    for options in (("--staged",), ("--rev", "HEAD")):
        assert read("long.txt:2", "src/Core/Order.cs:1", *options)[0]["text"] == "line 2 of many"


@pytest.mark.parametrize("options", [(), ("--staged",), ("--rev", "HEAD")])
def test_a_name_is_no_pattern(files, read, git, options):
    (files / "a[b].txt").write_text("brackets\n")
    (files / "ab.txt").write_text("letters\n")
    git(files, "add", ".")
    git(files, "commit", "--quiet", "-m", "odd")
    assert read("a[b].txt", *options)[0]["text"] == "brackets"
    (row,) = read("*.txt", *options, code=3)
    assert row["reason"] == "git lists no such file"


@pytest.mark.parametrize(
    "asked", ["long.txt/", "./long.txt", "src//Core/Order.cs", "src/./Core/Order.cs", "a" * 5000, ":/", ":!x"]
)
def test_odd_spellings_are_answered(files, cli, asked):
    done = cli(files, "read", asked, "long.txt:1")
    assert (done.code, done.err) == (0, "")
    assert "line 1 of many" in done.out


def test_the_budget_holds_however_many_ranges_are_asked_for(files, cli):
    many = [f"long.txt:{number}" for number in range(1, 400)]
    told = json.loads(cli(files, "read", *many, "--budget", "300", "--json").out)
    assert told["tokens"] <= 300
    assert told["files"]
    assert [*(f"{each['file']}:{each['range']}" for each in told["files"]), *told["omitted"]] == many
    text = cli(files, "read", *many, "--budget", "300").out
    assert text.rstrip().endswith(f"{len(told['omitted'])} ranges more: no room; ask for fewer")
