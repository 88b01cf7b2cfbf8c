import json
import subprocess
import sys


def test_what_is_no_command_is_a_question(shop, cli):
    asked = cli(shop, "context", "which order has a key?")
    assert asked.code == 0, asked.err
    assert asked.out.startswith("src/Core/Order.cs\n")
    assert cli(shop, "context", "ask", "which order has a key?").out == asked.out
    assert cli(shop, "context", "--budget", "4000", "which order has a key?").out == asked.out


def test_a_question_may_come_from_a_file(shop, cli):
    (shop / "question.txt").write_bytes(b"\xef\xbb\xbfwhich order has a key?\n")
    asked = cli(shop, "context", "--question-file", str(shop / "question.txt"))
    assert asked.out == cli(shop, "context", "which order has a key?").out


def test_the_commands_of_the_window_stay_commands(shop, cli):
    cli(shop, "init")
    assert cli(shop, "context", "add", "IStore").code == 0
    assert "IStore" in cli(shop, "context", "list").out
    assert cli(shop, "context", "clear").code == 0


def test_an_error_of_a_compiler_brings_the_member_at_that_line(shop, cli):
    told = json.loads(cli(shop, "context", "--json", "--explain", "Store.cs(9,5): error CS0103: no Zzz").out)
    first = told["shown"][0]
    assert first["path"] == "src/Core/Store.cs"
    assert {"mentioned path", "mentioned line"} <= first["why"].keys()
    assert "Find" in [each["name"] for each in first["bodies"]]


def test_a_frame_of_another_machine_brings_the_member(shop, cli):
    frame = "   at Shop.Core.Store`1.Add(T order) in D:\\ci\\src\\Core\\Store.Adding.cs:line 4\n"
    trace = "System.Exception: no\n" + frame
    told = json.loads(cli(shop, "context", "--json", trace).out)
    assert told["files"][0] == "src/Core/Store.Adding.cs"
    assert told["notFound"] == []


def test_a_path_that_is_not_there_is_told(shop, cli):
    assert json.loads(cli(shop, "context", "--json", "Gone.cs:3 order").out)["notFound"] == ["Gone.cs"]


def test_only_some_files_can_be_wanted(shop, cli):
    told = json.loads(cli(shop, "context", "--json", "order", "--path", "src/App/*").out)
    assert told["files"] == ["src/App/Order.cs"]


def test_a_function_in_a_member_is_found_by_its_name(shop, cli, git):
    body = "".join(f"        Step({number});\n" for number in range(200))
    (shop / "src/Core/Runner.cs").write_text(
        "class Runner\n{\n    void Run()\n    {\n"
        + body
        + "        int ApplySurcharge(int price) => price;\n    }\n    void Other() { ApplySurcharge(); }\n}\n",
        "utf-8",
    )
    git(shop, "add", "--all")
    for question in ("ApplySurcharge", "Runner.ApplySurcharge"):
        first = json.loads(cli(shop, "context", "--json", question).out)["shown"][0]
        assert first["path"] == "src/Core/Runner.cs"
        assert first["bodies"][0]["name"] == "Run"


def test_generated_code_gives_way_to_what_is_written_by_hand(shop, cli, git):
    for name in ("Lantern.Designer", "LanternBase"):
        (shop / f"src/Core/{name}.cs").write_text(f"class Lantern {{ int Wick() => {len(name)}; }}\n", "utf-8")
    git(shop, "add", "--all")
    told = json.loads(cli(shop, "context", "--json", "wick of a lantern").out)
    assert told["files"][:2] == ["src/Core/LanternBase.cs", "src/Core/Lantern.Designer.cs"]


def test_tests_stand_last_by_name_unless_told_otherwise(shop, cli, git):
    tests = shop / "tests/Core.Tests"
    tests.mkdir(parents=True)
    (tests / "StoreTests.cs").write_text(
        "class StoreTests { void Find_order_by_key() { new Store().Find(); } }\n", "utf-8"
    )
    git(shop, "add", "--all")
    question = "Find order by key in Store"
    usual = cli(shop, "context", question).out
    assert usual.splitlines()[-1] == "tests: tests/Core.Tests/StoreTests.cs"
    assert "StoreTests" not in cli(shop, "context", "--no-tests", question).out
    assert "Find_order_by_key" in cli(shop, "context", "--tests", question).out


def test_tests_that_share_commits_with_the_first_files_are_named(shop, cli, git):
    tests = shop / "tests/Core.Tests"
    tests.mkdir(parents=True)
    for name in ("Scenarios", "Other"):
        (tests / f"{name}.cs").write_text(f"class {name} {{ }}\n", "utf-8")
    git(shop, "add", "--all")
    git(shop, "commit", "--quiet", "-m", "tests")
    for folder in (tests / "Scenarios.cs", shop / "src/Core/Store.cs"):
        folder.write_text(folder.read_text("utf-8") + "// more\n", "utf-8")
    git(shop, "commit", "--quiet", "-a", "-m", "more")
    told = cli(shop, "context", "Find order by key in Store").out.splitlines()
    (line,) = (each for each in told if each.startswith("tests: "))
    assert line.startswith("tests: tests/Core.Tests/Scenarios.cs")


def test_budgets_hold(shop, cli):
    for budget in ("100", "150", "300"):
        told = json.loads(cli(shop, "context", "--json", "--budget", budget, "order store count key find").out)
        assert told["tokens"] <= int(budget)


def test_a_question_that_cannot_be_read_is_one_error(shop, cli):
    (shop / "binary").write_bytes(b"\xff\xd8\x00\x01")
    (shop / "zeros").write_bytes(bytes(10))
    (shop / "long").write_bytes(b"word " * 20_000)
    for arguments in (
        ["ask"],
        ["  "],
        ["ask", ""],
        ["--question-file", str(shop / "binary")],
        ["--question-file", str(shop / "zeros")],
        ["--question-file", str(shop / "long")],
        ["--question-file", str(shop / "none")],
        ["--question-file", str(shop)],
        ["order", "--question-file", str(shop / "long")],
    ):
        done = cli(shop, "context", *arguments)
        assert (done.code, done.out) == (2, ""), arguments
        assert done.err.count("error: ") == 1, done.err
        assert "Traceback" not in done.err


def test_a_question_to_no_revision_is_one_error(shop, cli):
    done = cli(shop, "context", "order", "--rev", "nothing")
    assert done.code == 3
    assert done.err.startswith("error: Git knows no revision 'nothing'.")


def test_bytes_on_standard_input_that_are_no_text_are_one_error(shop):
    done = subprocess.run(
        [sys.executable, "-m", "codecortex", "-C", str(shop), "context", "--question-file", "-"],
        input=bytes(range(256)),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith(b"error: ")
    assert b"Traceback" not in done.stderr


def test_the_answer_is_the_same_under_any_hash_seed(shop, process):
    outs = {process(shop, "context", "--explain", "order store key", PYTHONHASHSEED=seed).stdout for seed in "012"}
    assert len(outs) == 1


def test_a_warm_question_loads_no_parser(shop, cli, process, tmp_path):
    cli(shop, "context", "order")
    place = tmp_path / "site"
    place.mkdir()
    (place / "sitecustomize.py").write_text(
        "import atexit, sys\natexit.register(lambda: print(sorted(sys.modules), file=sys.stderr))\n", "utf-8"
    )
    done = process(shop, "context", "order", PYTHONPATH=f"{place}:{__import__('codecortex').__path__[0]}/..")
    assert done.returncode == 0
    for heavy in (b"'tree_sitter'", b"'pygit2'", b"'rich'", b"'rapidfuzz'", b"'httpx'"):
        assert heavy not in done.stderr


def test_files_of_the_same_bytes_are_each_found_by_their_own_paths(shop, cli, git):
    for place in ("src/One.cs", "template/Two.cs", "template/Three.cs"):
        (shop / place).parent.mkdir(exist_ok=True)
        (shop / place).write_text("class Widget\n{\n    void Spin() { }\n}\n", "utf-8")
    git(shop, "add", "--all")

    def ask(*arguments):
        return json.loads(cli(shop, "context", "--json", *arguments).out)

    assert ask("widget spin")["files"] == ["src/One.cs"]
    assert "src/One.cs has the bytes of: template/Three.cs; template/Two.cs" in ask("widget spin")["text"]
    named = ask("Two.cs:3 is wrong")
    assert (named["files"], named["notFound"]) == (["template/Two.cs"], [])
    assert ask("widget spin", "--path", "template/*")["files"] == ["template/Three.cs"]
    assert ask("Two.cs:3 is wrong", "--path", "src/*")["files"] == ["src/One.cs"]
    assert ask("--mention", "template/Two.cs", "spin")["files"] == ["src/One.cs"]


def test_a_test_that_the_question_names_is_told_and_is_not_lost(shop, cli, git):
    (shop / "tests").mkdir(exist_ok=True)
    (shop / "tests/OrderTests.cs").write_text("class OrderTests { void Adds() { } }\n", "utf-8")
    git(shop, "add", "--all")
    told = json.loads(cli(shop, "context", "--json", "tests/OrderTests.cs(1,3): error CS0103 in order").out)
    assert told["notFound"] == []
    assert (
        "named, but not ranked (--tests ranks tests, samples and benchmarks too): tests/OrderTests.cs" in told["text"]
    )
    assert (
        json.loads(cli(shop, "context", "--json", "--tests", "OrderTests.cs").out)["files"][0] == "tests/OrderTests.cs"
    )


def test_a_path_that_many_files_could_be_is_told_as_such(shop, cli, git):
    for number in range(7):
        (shop / f"src/P{number}").mkdir()
        (shop / f"src/P{number}/Program.cs").write_text(f"class Program{number} {{ }}\n", "utf-8")
    git(shop, "add", "--all")
    told = json.loads(cli(shop, "context", "--json", "Program.cs crashes").out)
    assert (told["notFound"], told["unclear"]) == ([], [{"path": "Program.cs", "files": 7}])
    assert (
        "7 files could be Program.cs: say more of its path" in cli(shop, "context", "--explain", "Program.cs order").out
    )


def test_an_empty_answer_says_why(shop, cli, git):
    (shop / "samples").mkdir()
    (shop / "samples/Runner.cs").write_text("class Zeppelin { void Rise() { } }\n", "utf-8")
    git(shop, "add", "--all")

    def ask(*arguments):
        asked = cli(shop, "context", *arguments)
        assert asked.code == 0
        return asked.out

    assert "samples and benchmarks, which --tests ranks too." in ask("zeppelin")
    assert ask("--tests", "zeppelin").startswith("samples/Runner.cs\n")
    assert ask("--no-tests", "zeppelin") == "Nothing in this tree is about that.\n"
    assert ask("--path", "nowhere/*", "order") == "No source that is ranked fits nowhere/*.\n"


def test_files_named_alike_are_taken_by_path_whatever_the_cache_has_seen(shop, cli, git, tmp_path):
    for number in range(8):
        (shop / f"src/Q{number}").mkdir()
        text = f"namespace Q{number};\npublic static class Startup\n{{\n    public static void Configure() {{ }}\n}}\n"
        (shop / f"src/Q{number}/Startup.cs").write_text(text, "utf-8")
    git(shop, "add", "--all")
    git(shop, "commit", "--quiet", "-m", "one")
    question = ("context", "--json", "--explain", "Startup.Configure is called twice")
    cli(shop, *question)
    with (shop / "src/Q0/Startup.cs").open("a", encoding="utf-8") as file:
        file.write("// changed\n")
    git(shop, "commit", "--quiet", "--all", "-m", "two")
    warm = json.loads(cli(shop, *question).out)
    cold = json.loads(cli(shop, "--no-cache", *question).out)
    assert (warm["files"], warm["shown"]) == (cold["files"], cold["shown"])
    git(tmp_path, "clone", "--quiet", str(shop), "clone")
    assert json.loads(cli(tmp_path / "clone", *question).out)["text"] == warm["text"]


def test_a_sentence_finds_what_it_calls_by_another_form(shop, cli, git):
    (shop / "src/Core/Retry.cs").write_text("class RetryPolicy { void Query() { } }\n", "utf-8")
    git(shop, "add", "--all")
    for question in ("where are retries counted", "the policies", "slow queries", "querying"):
        assert json.loads(cli(shop, "context", "--json", question).out)["files"][:1] == ["src/Core/Retry.cs"], question


def test_a_delegate_is_shown_as_the_source_writes_it(shop, cli, git):
    several = "".join(f"public delegate void Paint{each}<T>(T canvas, int depth);\n" for each in ("Sky", "Sea", "Sand"))
    (shop / "src/Core/Painting.cs").write_text(several, "utf-8")
    git(shop, "add", "--all")
    for budget in ("4000", "200"):
        told = json.loads(cli(shop, "context", "--json", "--budget", budget, "paint a canvas").out)
        (first,) = [each for each in told["shown"] if each["path"] == "src/Core/Painting.cs"]
        names = [each["name"] for kind in ("bodies", "signatures") for each in first[kind]] + first["names"]
        assert sorted(names) == ["PaintSand", "PaintSea", "PaintSky"]
        assert "Invoke" not in cli(shop, "context", "--budget", budget, "paint a canvas").out
