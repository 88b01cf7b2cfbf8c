"""Members replaced, added and removed by symbol: bytes outside stay, what is no member is refused, undo restores."""

import json
import stat

import pytest

from codecortex.cli.main import main

STORE = """namespace Shop;

/// <summary>Keeps orders.</summary>
public class Store
{
    private int _count, _size;
    string _name = "a";

    /// <summary>Adds one.</summary>
    /// <param name="order">What to add.</param>
    [Obsolete]
    public void Add(string order)
    {
        _count++;
    } // done

#if DEBUG
    public void Log() { }
#endif

    public int Count() => _count;

    enum Kind { A, B = 2, C }

    enum Color
    {
        Red,
        /// <summary>Not red.</summary>
        Green
    }
}

public class Empty { }
public record Bare(int Size);
"""
PATH = "src/Store.cs"


@pytest.fixture
def shop(tmp_path, git):
    root = tmp_path / "shop"
    (root / "src").mkdir(parents=True)
    git(root, "init", "-q")
    (root / PATH).write_text(STORE)
    (root / "new.txt").write_text("public int Count() => 7;\n")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "shop")
    return root


@pytest.fixture
def run(shop, capsys):
    def run(*arguments, text=None, ends=0):
        if text is not None:
            (shop / "new.txt").write_text(text, newline="")
            arguments = (*arguments, "--from", str(shop / "new.txt"))
        code = main(["-C", str(shop), "refactor", *arguments])
        printed = capsys.readouterr()
        assert code == ends, printed.err
        return printed.out if not ends else printed.err

    return run


def written(shop, run, *arguments, text=None):
    """What the file says after a command."""
    run(*arguments, "--write", text=text)
    return (shop / PATH).read_text()


def test_without_write_the_patch_is_all_that_happens_and_git_applies_it(shop, run, git):
    patch = run("member", "replace", "Store.Count", text="public int Count()\n{\n    return 7;\n}\n")
    assert (shop / PATH).read_text() == STORE
    git(shop, "apply", "-", stdin=patch.encode())
    assert "    public int Count()\n    {\n        return 7;\n    }\n" in (shop / PATH).read_text()


def test_a_patch_holds_the_mark_before_the_first_line(shop, run, git):
    marked = b"\xef\xbb\xbf" + STORE.encode()
    (shop / PATH).write_bytes(marked)
    git(shop, "add", ".")
    git(shop, "commit", "-q", "-m", "marked")
    patch = run("rename", "Store", "Shelf")
    git(shop, "apply", "-", stdin=patch.encode())
    assert (shop / "src/Shelf.cs").read_bytes() == marked.replace(b"class Store", b"class Shelf")


def test_the_json_of_an_edit(run):
    text = "public int Count() => 7;"
    told = json.loads(run("member", "replace", "Store.Count", "--json", text=text))
    edit = {"file": PATH, "line": 21, "column": 5, "length": len("public int Count() => _count;"), "text": text}
    assert (told["verb"], told["state"], told["candidates"]) == ("member replace", "planned", [])
    assert told["edits"] == [edit]
    assert told["patch"].startswith(f"diff --git a/{PATH} b/{PATH}\n")
    assert told["compiled"]["done"] is False
    done = json.loads(run("member", "replace", "Store.Count", "--json", "--write", text=text))
    assert done["state"] == "done"


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_bytes_outside_of_the_member_stay(shop, run, ends, mark):
    before = mark + STORE.replace("\n", ends).encode()
    (shop / PATH).write_bytes(before)
    run("member", "replace", "Store.Add", "--write", text="public void Add(string order)\n{\n    _size++;\n}")
    after = (shop / PATH).read_bytes()
    old = f"    [Obsolete]{ends}    public void Add(string order){ends}    {{{ends}        _count++;".encode()
    new = f"    public void Add(string order){ends}    {{{ends}        _size++;".encode()
    assert after == before.replace(old, new)


def test_documentation_stays_unless_the_text_has_its_own(shop, run):
    after = written(
        shop, run, "member", "replace", "Store.Add", text="/// <summary>New.</summary>\npublic void Add() { }"
    )
    assert "    /// <summary>New.</summary>\n    public void Add() { } // done\n" in after
    assert "Adds one" not in after


@pytest.mark.parametrize(
    "text",
    [
        "public int Count()\n{\n    return 7;\n}",
        "            public int Count()\n            {\n                return 7;\n            }\n\n",
        "\npublic int Count()\n    {\n        return 7;\n    }",
    ],
)
def test_a_text_takes_the_indentation_of_its_place(shop, run, text):
    after = written(shop, run, "member", "replace", "Store.Count", text=text)
    assert "\n\n    public int Count()\n    {\n        return 7;\n    }\n\n    enum" in after


def test_a_type_of_a_namespace_in_braces_is_replaced(shop, run):
    (shop / PATH).write_text("namespace Shop.Old\n{\n    class A\n    {\n    }\n}\n")
    after = written(shop, run, "member", "replace", "Shop.Old.A", text="class A\n{\n    int x;\n}")
    assert after == "namespace Shop.Old\n{\n    class A\n    {\n        int x;\n    }\n}\n"


def test_an_expression_behind_an_arrow_is_no_measure_of_the_depth(shop, run):
    text = "public int Count() =>\n        _count switch\n        {\n            _ => 1\n        };"
    assert f"    {text}\n" in written(shop, run, "member", "replace", "Store.Count", text=text)
    text = "public int Count() => _count switch\n    {\n        _ => 1\n    };"
    assert f"    {text}\n" in written(shop, run, "member", "replace", "Store.Count", text=text)


@pytest.mark.parametrize("literal", ['"""\n  a\n      b\n  """', '$"""\n        a\n    {1}\n    """', '$@"a\n      b"'])
def test_lines_of_literals_do_not_move_even_where_the_code_does(shop, run, literal):
    text = f"        string Count()\n        {{\n            return {literal};\n        }}"
    after = written(shop, run, "member", "replace", "Store.Count", text=text)
    assert f"    string Count()\n    {{\n        return {literal};\n    }}\n" in after


def test_white_space_of_literals_is_not_touched(shop, run):
    after = written(shop, run, "member", "replace", "Store._name", text='string _name = @"a\n  b\nc";')
    assert '    string _name = @"a\n  b\nc";\n' in after


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("public int Count()\n{\n    return 7 +;\n}", "Line 3"),
        ("public int Count() => 1;\npublic int More() => 1;", "Line 2"),
        ("public int Count() => 1; }\nclass Other {", "Line"),
        ("public int Count { get; }", "declares a property where a method is"),
        ("#if A\npublic int Count() => 1;", "Line 1"),
        ("// nothing", "declares nothing"),
        ("return 1;", "Line 1"),
        ("", "declares nothing"),
    ],
)
def test_what_is_not_one_member_of_the_kind_is_refused_with_its_line(shop, run, text, problem):
    assert problem in run("member", "replace", "Store.Count", "--write", text=text, ends=3)
    assert (shop / PATH).read_text() == STORE


def test_a_constructor_of_another_name_is_a_method_without_a_type(run):
    assert "name of its type" in run("member", "insert", "Store", text="public Add() { }", ends=3)


def test_a_field_that_shares_its_declaration_is_not_taken_apart(run):
    assert f"{PATH}:6" in run("member", "remove", "Store._size", ends=3)
    assert "_count, _size" in run("member", "replace", "Store._size", text="int _size;", ends=3)


def test_what_has_no_declaration_is_refused(run):
    assert "no declaration of its own" in run("member", "remove", "Bare.Size", ends=3)
    assert "has no body" in run("member", "insert", "Bare", text="int A;", ends=3)
    assert "Nothing is called" in run("member", "remove", "Store.Gone", ends=3)


def test_removing_takes_documentation_attributes_and_one_blank_line(shop, run):
    after = written(shop, run, "member", "remove", "Store.Add")
    head, rest = STORE.split("    /// <summary>Adds one.")
    assert after == head + rest.partition("// done\n\n")[2]


@pytest.mark.parametrize(
    ("member", "left"),
    [("A", "{ B = 2, C }"), ("B", "{ A, C }"), ("C", "{ A, B = 2 }")],
)
def test_removing_from_an_enum_takes_the_comma(shop, run, member, left):
    assert f"enum Kind {left}\n" in written(shop, run, "member", "remove", f"Kind.{member}")


def test_adding_to_enums_brings_the_comma(shop, run):
    after = written(shop, run, "member", "insert", "Color", text="Blue")
    assert "        Green,\n        Blue\n    }\n" in after
    assert "        Red,\n        Pink,\n" in written(
        shop, run, "member", "insert", "--after", "Color.Red", text="Pink,"
    )
    assert "{ Zero, A, B" in written(shop, run, "member", "insert", "--before", "Kind.A", text="Zero,")


def test_adding_before_after_and_at_the_end(shop, run):
    new = "public void More() { }"
    after = written(shop, run, "member", "insert", "--before", "Store.Add", text=new)
    assert '"a";\n\n    public void More() { }\n\n    /// <summary>Adds one.' in after
    run("undo")
    after = written(shop, run, "member", "insert", "--after", "Store.Add", text=new)
    assert "    } // done\n\n    public void More() { }\n\n#if DEBUG" in after
    run("undo")
    assert "        Green\n    }\n\n    public void More() { }\n}\n" in written(
        shop, run, "member", "insert", "Store", text=new
    )
    assert "class Empty {\n    public void More() { }\n}\n" in written(shop, run, "member", "insert", "Empty", text=new)


def test_a_declaration_is_named_by_its_place_too(shop, run):
    assert "Count" not in written(shop, run, "member", "remove", f"{PATH}:21")


def test_undo_restores_bytes_and_keeps_later_edits_elsewhere(shop, run, git):
    after = written(shop, run, "member", "remove", "Store.Add")
    (shop / PATH).write_text(after + "// later\n")
    assert "Took back member remove" in run("undo")
    assert (shop / PATH).read_text() == STORE + "// later\n"
    assert "no edit to take back" in run("undo", ends=2)
    assert git(shop, "fsck", "--no-dangling", "--no-progress") == ""


def test_undo_goes_back_step_by_step(shop, run):
    one = written(shop, run, "member", "remove", "Store.Add")
    written(shop, run, "member", "remove", "Store.Count")
    run("undo")
    assert (shop / PATH).read_text() == one
    run("undo")
    assert (shop / PATH).read_text() == STORE


def test_undo_of_what_was_committed_lets_git_know_of_the_file_that_comes_back(shop, run, git):
    run("move", "Empty", "--to-file", "src/Empty.cs", "--write")
    run("rename", "Empty", "Hollow", "--write")
    git(shop, "add", "src")
    git(shop, "commit", "-q", "-m", "renamed", "--", "src")
    run("undo")
    assert git(shop, "ls-files", "src").split() == ["src/Empty.cs", "src/Hollow.cs", "src/Store.cs"]
    assert git(shop, "diff", "--name-status").split() == ["A", "src/Empty.cs", "D", "src/Hollow.cs"]


def test_undo_refuses_where_the_same_lines_changed(shop, run):
    after = written(shop, run, "member", "replace", "Store.Count", text="public int Count() => 7;")
    (shop / PATH).write_text(changed := after.replace("=> 7", "=> 8"))
    assert f"{PATH}:21" in run("undo", ends=3)
    assert (shop / PATH).read_text() == changed
    (shop / PATH).unlink()
    assert "is gone" in run("undo", ends=3)


def test_a_session_gets_a_version_and_the_work_tree_stays(shop, run):
    assert main(["-C", str(shop), "session", "open", "try"]) == 0
    run("member", "remove", "Store.Add", "--session", "try")
    run("member", "remove", "Store.Count", "--session", "try")
    assert (shop / PATH).read_text() == STORE
    assert main(["-C", str(shop), "session", "merge", "try"]) == 0
    text = (shop / PATH).read_text()
    assert "Add(" not in text
    assert "Count(" not in text


def test_generated_files_follow_and_a_failure_takes_the_edit_back(shop, run, git):
    main(["-C", str(shop), "init"])
    main(["-C", str(shop), "refresh"])
    git(shop, "add", ".")
    written(shop, run, "member", "remove", "Store.Add")
    assert main(["-C", str(shop), "refresh", "--dry-run"]) == 0
    outline = next((shop / ".codecortex/types").glob("*.md"))
    assert not any("Add(" in file.read_text() for file in outline.parent.glob("*.md"))
    run("undo")
    (shop / ".codecortex/index.json").write_text('{"schemaVersion": "99.0"}')
    assert "The edit was taken back." in run("member", "remove", "Store.Add", "--write", ends=3)
    assert (shop / PATH).read_text() == STORE


def test_a_read_only_file_is_refused(shop, run):
    (shop / PATH).chmod(0o444)
    assert "read-only" in run("member", "remove", "Store.Add", "--write", ends=3)
    assert stat.S_IMODE((shop / PATH).stat().st_mode) == 0o444


def test_the_configuration_says_which_verbs_and_files_are_allowed(shop, run):
    (shop / ".codecortex").mkdir()
    config = shop / ".codecortex/config.yaml"
    config.write_text("edit:\n  allowVerbs: [replace]\n")
    assert "does not allow the verb 'member remove'" in run("member", "remove", "Store.Add", ends=3)
    config.write_text("edit:\n  allowVerbs: [member]\n  allowPaths: [test/**]\n")
    assert f"does not allow edits of {PATH}" in run("member", "remove", "Store.Add", "--write", ends=3)
    assert main(["-C", str(shop), "edit", "append", PATH, "--text", "x"]) == 3
    config.write_text("edit:\n  allowVerbs: [replace]\n")
    widen = ["edit", "replace", ".codecortex/config.yaml", "--old", "[replace]", "--new", "[replace, append]"]
    assert main(["-C", str(shop), *widen]) == 3
    config.write_text("edit:\n  allowVerbs: [member remove]\n  allowPaths: [src/**]\n")
    run("member", "remove", "Store.Add")


def test_applied_and_taken_back_edits_are_counted(shop, run, capsys):
    (shop / ".codecortex").mkdir()
    run("member", "remove", "Store.Add", "--write")
    run("member", "remove", "Store._size", "--write", ends=3)
    run("undo")
    assert main(["-C", str(shop), "status", "--json"]) == 0
    metrics = json.loads(capsys.readouterr().out)["metrics"]
    assert (metrics["editApplySuccessRate"], metrics["editRollbackCount"]) == (0.5, 1)


def test_the_text_can_be_given_on_the_command_line_but_not_twice(run):
    assert "+    public int Count() => 9;" in run(
        "member", "replace", "Store.Count", "--text", "public int Count() => 9;"
    )
    assert "two texts" in run("member", "replace", "Store.Count", "--text", "x", text="y", ends=2)


def test_an_unfinished_expression_and_a_keyword_are_refused(run):
    assert "Line 1" in run("member", "insert", "Store", "--text", "int a = ;", ends=3)
    assert "is a keyword" in run("member", "insert", "Color", "--text", "class", ends=3)


def test_a_place_counts_characters_not_bytes(shop, run):
    (shop / PATH).write_text("class C { int M() => 1; /* \u00e9\u00e9\U0001f600 */ int N() => 2; }\n", encoding="utf-8")
    run("member", "remove", f"{PATH}:1:37", "--write")
    assert (shop / PATH).read_text("utf-8") == "class C { int M() => 1; /* \u00e9\u00e9\U0001f600 */ }\n"
