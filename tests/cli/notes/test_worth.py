"""Which types get a note: those of the product, and of these the ones that there is something to say of."""

import json

import pytest

SILENT = (
    "namespace Shop.Core;\n\n/// <summary>Says nothing.</summary>\npublic class Silent\n{\n    public int One;\n}\n"
)
BEFORE = SILENT.replace("public class", "[Obsolete]\npublic class")
TEST = "public class QueueTests { [Obsolete] public void Works() { } }\n"
PROJECT = '<Project Sdk="Microsoft.NET.Sdk" />'
NOTES = ".codecortex/semantic"


def list_types(cli, root, *options):
    """The names of the types that a note is to be written on."""
    jobs = json.loads(cli(root, "semantic", "list", *options, "--json").out)["jobs"]
    return {each["fqn"].rpartition(".")[2] for job in jobs for each in job["types"]}


def list_notes(root):
    return {file.name for file in (root / NOTES).glob("*.md")}


@pytest.fixture
def tested(shop, git):
    """The shop with a project of tests, one of benchmarks, and a test in a project of the product."""
    for folder, text in (
        ("test/Core.Tests", TEST),
        ("bench/Core.Benchmarks", TEST.replace("Tests", "Benchmarks")),
        ("src/Core", "public class InnerSpecs { [Fact, Obsolete] public void Works() { } }\n"),
    ):
        (root := shop / folder).mkdir(parents=True, exist_ok=True)
        (root / "Tested.cs").write_text(text)
        if folder != "src/Core":
            (root / f"{root.name}.csproj").write_text(PROJECT)
    git(shop, "add", ".")
    return shop


@pytest.fixture
def silent(shop, git):
    """A file of the shop with a type of which there is nothing to say."""
    file = shop / "src/Core/Silent.cs"
    file.write_text(SILENT)
    git(shop, "add", ".")
    return file


def test_code_of_tests_and_benchmarks_needs_no_note(tested, cli):
    product = {"Order", "IStore", "Store`1", "Store`1+State"}
    others = {"QueueTests", "QueueBenchmarks", "InnerSpecs"}
    assert list_types(cli, tested) == product
    plan = json.loads(cli(tested, "semantic", "plan", "--provider", "openai", "--json").out)
    assert plan["total"] == len(product)
    assert list_types(cli, tested, "--all") == product | others
    assert list_types(cli, tested, "QueueTests") == {"QueueTests"}
    (tested / ".codecortex/config.yaml").write_text("semantics: {tests: true}\n")
    assert list_types(cli, tested) == product | others


def test_a_note_on_a_test_is_kept_true(tested, cli):
    assert cli(tested, "semantic", "generate", "QueueTests").code == 0
    file = tested / "test/Core.Tests/Tested.cs"
    file.write_text(TEST.replace("[Obsolete]", '[Obsolete("Soon.")]'))
    assert list_types(cli, tested) >= {"QueueTests"}
    assert cli(tested, "semantic", "generate").code == 0
    assert cli(tested, "semantic", "states", "--exit-code").code == 0


def test_where_there_is_nothing_to_say_there_is_no_note_and_no_job(shop, cli, silent):
    del silent
    told = json.loads(cli(shop, "semantic", "list", "--json").out)
    assert (told["total"], told["states"]["none"], told["nothingToSay"]) == (4, 5, 1)
    assert "5 without a note (1 of them with nothing to say)" in cli(shop, "semantic", "list").out
    assert cli(shop, "semantic", "generate").code == 0
    assert len(list_notes(shop)) == 4
    assert "nothing to write" in cli(shop, "semantic", "generate").out
    alone = cli(shop, "semantic", "generate", "Silent")
    assert (alone.code, "an extract would say nothing" in alone.out) == (0, True)
    assert cli(shop, "refresh").code == cli(shop, "check").code == 0
    plan = json.loads(cli(shop, "semantic", "plan", "Silent", "--provider", "openai", "--json").out)
    assert plan["total"] == 1, "a model may know more than the sources state"


def test_what_is_remembered_of_types_with_nothing_to_say_goes_with_their_sources(shop, cli, silent):
    for text, wanted in ((SILENT, False), (BEFORE, True), (SILENT, False), (BEFORE, True)):
        silent.write_text(text)
        assert ("Silent" in list_types(cli, shop)) is wanted


def test_a_note_that_has_nothing_left_to_say_goes_and_is_kept_aside(shop, cli, silent):
    silent.write_text(BEFORE)
    assert cli(shop, "semantic", "generate", "Silent").code == 0
    (name,) = list_notes(shop)
    data = (shop / NOTES / name).read_bytes()
    silent.write_text(SILENT)
    assert "nothing is left to say: the note is removed" in cli(shop, "semantic", "generate", "Silent", "--dry-run").out
    assert list_notes(shop) == {name}
    done = cli(shop, "semantic", "generate", "Silent")
    assert (done.code, list_notes(shop)) == (0, set())
    assert f"Removed, and kept in .codecortex/local/replaced: {NOTES}/{name}." in done.out
    (kept,) = (shop / ".codecortex/local/replaced").iterdir()
    assert kept.read_bytes() == data
    assert "Silent" not in list_types(cli, shop)


def test_what_a_person_wrote_stays_where_an_extract_has_nothing_to_say(shop, cli, silent):
    (shop / "body.md").write_text("ROLE: Says it.\n")
    assert cli(shop, "semantic", "put", "Silent", "body.md").code == 0
    (name,) = list_notes(shop)
    data = (shop / NOTES / name).read_bytes()
    silent.write_text(BEFORE)
    assert cli(shop, "semantic", "generate", "Silent").code == 1
    assert (shop / NOTES / name).read_bytes() == data


def test_a_note_has_only_the_sections_that_say_something(shop, cli):
    assert cli(shop, "semantic", "generate", "IStore").code == 0
    (name,) = list_notes(shop)
    text = (shop / NOTES / name).read_text()
    assert text.partition("\n\n")[2] == "RECOMMENDATIONS:\n- `IStore` is obsolete: Use Store.\n"
    for command in (("show", "IStore"), ("states",)):
        assert cli(shop, "semantic", *command).code == 0
    shown = json.loads(cli(shop, "semantic", "show", "IStore", "--json").out)["note"]["sections"]
    assert (shown["ROLE"], shown["RECOMMENDATIONS"]) == ("", "- `IStore` is obsolete: Use Store.")
    done = cli(shop, "semantic", "put", "IStore", f"{NOTES}/{name}")
    assert (done.code, (shop / NOTES / name).read_text().partition("\n\n")[2]) == (0, text.partition("\n\n")[2])


def test_types_that_share_a_note_and_fall_apart_leave_no_file_behind(repo, cli):
    """One of them has nothing to say by itself: the note that they shared goes all the same."""
    (repo / "a.cs").write_text("public class A { public B Next; }\n")
    (repo / "src/b.cs").write_text("[Obsolete] public class B { public A Next; }\n")
    assert cli(repo, "init").code == 0
    assert cli(repo, "semantic", "generate").code == 0
    (group,) = list_notes(repo)
    (repo / "src/b.cs").write_text("[Obsolete] public class B { }\n")
    assert cli(repo, "semantic", "generate").code == 0
    (own,) = list_notes(repo)
    assert own != group
    assert "nothing to write" in cli(repo, "semantic", "generate").out


def test_stale_notes_alone_are_written_where_that_is_asked(shop, cli, git):
    assert cli(shop, "refresh").code == 0
    assert cli(shop, "semantic", "generate", "IStore").code == 0
    git(shop, "add", ".")
    git(shop, "commit", "--quiet", "-m", "two")
    assert cli(shop, "semantic", "generate", "--stale").out == "Every note holds: nothing to write.\n"
    order = shop / "src/Core/Order.cs"
    order.write_text(order.read_text().replace("int Count", "long Count"))
    notes = json.loads(cli(shop, "status", "--json").out)["notes"]
    assert notes == {"cached": 0, "stale": 1, "orphans": 0}
    text = cli(shop, "status").out
    assert "0 hold, 1 stale" in text
    assert "`codecortex semantic generate --stale` mends" in text
    assert list_types(cli, shop, "--stale") == {"IStore"}
    assert "`codecortex semantic generate --stale`" in cli(shop, "semantic", "list", "--stale").out
    before = list_notes(shop)
    done = json.loads(cli(shop, "semantic", "generate", "--stale", "--json").out)["run"]
    assert (len(done["jobs"]), done["stale"]) == (1, True)
    assert list_notes(shop) == before
    assert json.loads(cli(shop, "status", "--json").out)["notes"]["stale"] == 0


def test_without_notes_the_status_has_no_word_on_them(shop, cli):
    assert json.loads(cli(shop, "status", "--json").out)["notes"] is None
    assert "Notes" not in cli(shop, "status").out
