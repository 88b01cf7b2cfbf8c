"""`codecortex semantic` as people and programs use it."""

import io
import json
import os

import pytest

BODY = "ROLE:\nKeeps orders.\n\nLIMITATIONS: not thread-safe\n"
ORDER = "src/Core/Order.cs"
STORE = "src/Core/Store.cs"
SECTIONS = ("ROLE", "LIFECYCLE", "EDGE_CASES", "LIMITATIONS", "RECOMMENDATIONS")


@pytest.fixture
def put(cli, monkeypatch):
    """Hand in a body on standard input: `put(folder, "Store", "ROLE: x")`."""

    def run(folder, symbol, text, *more):
        data = text if isinstance(text, bytes) else text.encode()
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
        return cli(folder, "semantic", "put", symbol, *more)

    return run


@pytest.fixture
def noted(shop, put, git):
    """Return the shop with a committed note on `Shop.Core.Store<T>`."""
    assert put(shop, "Store", BODY).code == 0
    git(shop, "add", ".")
    git(shop, "commit", "--quiet", "-m", "note")
    return shop


def find_note(root):
    (file,) = (root / ".codecortex/semantic").glob("*.md")
    return file


def replace_in(file, before, after):
    text = file.read_text("utf-8")
    assert before in text
    file.write_text(text.replace(before, after, 1), "utf-8")


def read_states(cli, root, *options):
    done = cli(root, "semantic", "states", "--json", *options)
    assert done.code in (0, 1)
    return json.loads(done.out)


# -- put


def test_put_fills_in_the_header_and_says_what_it_wrote(shop, put):
    done = put(shop, "Store", BODY)
    file = find_note(shop)
    assert done.code == 0
    assert f"wrote  .codecortex/semantic/{file.name}  Shop.Core.Store`1" in done.out
    assert "ROLE, LIMITATIONS written; LIFECYCLE, EDGE_CASES, RECOMMENDATIONS empty." in done.out
    header, _, body = file.read_text("utf-8").partition("\n\n")
    names = [line.partition(":")[0] for line in header.splitlines()]
    assert header.startswith(f"# Semantic: Shop.Core.Store`1 {file.stem}\n")
    assert names[1:] == [
        "StructureHash",
        "ImplHash",
        "XmlDocHash",
        "Dependencies",
        "Generator",
        "HashVersion",
        "BodyHash",
    ]
    assert "\nGenerator: hand\n" in header
    assert header.count("@") == 2, "IStore and Order"
    assert body == "ROLE:\nKeeps orders.\n\nLIMITATIONS: not thread-safe\n"


def test_put_reads_a_file_and_names_its_generator(shop, cli):
    (shop / "body.txt").write_text(BODY, "utf-8")
    done = cli(shop, "semantic", "put", "Store", "body.txt", "--generator", "openai:gpt-x prompt 3", "--json")
    told = json.loads(done.out)
    assert done.code == 0
    assert (told["created"], told["changed"], told["given"]) == (True, True, ["ROLE", "LIMITATIONS"])
    assert told["sections"]["ROLE"] == "Keeps orders."
    assert "\nGenerator: openai:gpt-x prompt 3\n" in (shop / told["path"]).read_text("utf-8")


def test_put_replaces_what_is_given_and_keeps_the_rest_byte_for_byte(noted, put):
    file = find_note(noted)
    replace_in(file, "Keeps orders.\n", "Keeps  orders. \n\n\n\tAnd\u2028more.\n\n\n")
    kept = file.read_text("utf-8").partition("ROLE:")[2].partition("LIMITATIONS:")[0]
    done = put(noted, "Store", "EDGE_CASES: none\nLIMITATIONS:\n")
    text = file.read_text("utf-8")
    assert done.code == 0
    assert "EDGE_CASES, LIMITATIONS written; ROLE, LIFECYCLE, RECOMMENDATIONS kept." in done.out
    assert text.partition("ROLE:")[2].partition("EDGE_CASES:")[0] == kept
    assert text.endswith("EDGE_CASES: none\n\nLIMITATIONS:\n")


def test_putting_the_same_again_changes_nothing(noted, cli, look):
    name = f".codecortex/semantic/{find_note(noted).name}"
    before = {path: state for path, state in look(noted).items() if "/local" not in path}
    done = cli(noted, "semantic", "put", "Store", name)
    assert done.code == 0
    assert done.out.startswith("unchanged  ")
    assert {path: state for path, state in look(noted).items() if "/local" not in path} == before


def test_putting_a_notes_own_file_takes_its_text_for_true_today(noted, cli):
    replace_in(noted / STORE, "=> null", "=> default")
    assert cli(noted, "semantic", "states", "--exit-code").code == 1
    assert cli(noted, "semantic", "put", "Store", f".codecortex/semantic/{find_note(noted).name}").code == 0
    assert cli(noted, "semantic", "states", "--exit-code").code == 0


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("", "standard input: no section"),
        ("ROLE: x\nSUMMARY: y\n", "standard input:2: unknown section SUMMARY"),
        ("ROLE: x\x00\n", "standard input:1: control character U+0000"),
        ("ROLE: x\n<<<<<<< ours\n", "standard input:2: conflict marker"),
        (b"ROLE: \xff\n", "standard input:1: not UTF-8"),
        ("ROLE: " + "x" * 70_000, "are more than the 65,536"),
    ],
)
def test_a_body_that_is_none_is_refused_and_nothing_written(noted, put, look, body, told):
    before = look(noted)
    done = put(noted, "Store", body)
    assert done.code == 3
    assert told in done.err
    assert look(noted) == before


def test_put_needs_a_folder_a_type_and_a_line_for_the_generator(repo, shop, put):
    assert (put(repo, "A", BODY).code, put(shop, "Nothing", BODY).code, put(shop, "Order", BODY).code) == (2, 3, 3)
    done = put(shop, "Store", BODY, "--generator", "two\nlines")
    assert (done.code, "one short line" in done.err) == (2, True)
    assert put(shop, "G_00000000", BODY).code == 3
    assert put(shop, "Store", BODY, "missing.txt").code == 3
    assert not (shop / ".codecortex/semantic").exists()


def test_a_note_grows_no_longer_than_it_may(noted, put):
    assert put(noted, "Store", "ROLE: " + "x" * 60_000).code == 0
    data = find_note(noted).read_bytes()
    done = put(noted, "Store", "LIMITATIONS: " + "x" * 60_000)
    assert (done.code, "more than the 65,536" in done.err) == (3, True)
    assert find_note(noted).read_bytes() == data


def test_a_damaged_note_is_only_replaced_as_a_whole(noted, put):
    file = find_note(noted)
    replace_in(file, "StructureHash", "Structure")
    data = file.read_bytes()
    done = put(noted, "Store", BODY)
    assert done.code == 3
    assert f"{file.name}:2: unknown header line" in done.err
    assert "all five" in done.err
    assert file.read_bytes() == data
    done = put(noted, "Store", "".join(f"{section}: new\n" for section in SECTIONS))
    assert done.code == 0
    assert file.read_text("utf-8").count(": new") == 5
    (kept,) = (noted / ".codecortex/local/replaced").iterdir()
    assert kept.read_bytes() == data
    assert kept.name in done.err


def test_a_section_of_a_persons_own_goes_only_with_what_is_above_it_and_is_kept(noted, put, cli):
    file = find_note(noted)
    replace_in(file, "LIMITATIONS:", "LIMITATIONS:\nSECURITY: never log it\n")
    data = file.read_bytes()
    assert put(noted, "Store", "ROLE: new\n").err == ""
    assert "SECURITY: never log it\n" in file.read_text("utf-8")
    refused = cli(noted, "semantic", "put", "Store", f".codecortex/semantic/{file.name}")
    assert (refused.code, "unknown section SECURITY" in refused.err) == (3, True)
    file.write_bytes(data)
    done = put(noted, "Store", "LIMITATIONS: new\n")
    (kept,) = (noted / ".codecortex/local/replaced").iterdir()
    assert (done.code, kept.read_bytes()) == (0, data)
    assert f"{file.name} is replaced where it had SECURITY, which is none of the five sections" in done.err
    assert kept.name in done.err


def test_a_remark_is_no_section(noted, put):
    assert put(noted, "Store", "ROLE: x\nNOTE: y\nTODO:\n  z\n").code == 0
    assert put(noted, "Store", "ROLE: x\nNOTES: y\n").code == 3


def test_the_last_note_by_hand_takes_the_file_of_a_group_that_is_no_more(repo, put, cli):
    (repo / "a.cs").write_text("[Obsolete] public class A { public B Next; }\n")
    (repo / "src/b.cs").write_text("public class B { public A Next; }\n")
    assert cli(repo, "init").code == 0
    assert cli(repo, "semantic", "generate").code == 0
    group = find_note(repo)
    data = group.read_bytes()
    (repo / "a.cs").write_text("public class A { }\n")
    assert json.loads(put(repo, "A", "ROLE: x\n", "--json").out)["removed"] == []
    assert group.exists()
    done = put(repo, "B", "ROLE: y\n", "--json")
    assert json.loads(done.out)["removed"] == [f".codecortex/semantic/{group.name}"]
    assert f"{group.name} said nothing any more" in done.err
    assert not group.exists()
    (kept,) = (repo / ".codecortex/local/replaced").iterdir()
    assert kept.read_bytes() == data


def test_a_note_of_a_newer_codecortex_is_left_alone(noted, put, cli):
    file = find_note(noted)
    replace_in(file, "\nStructureHash", "\nFormat: 3\nStructureHash")
    data = file.read_bytes()
    done = put(noted, "Store", "".join(f"{section}: new\n" for section in SECTIONS))
    assert (done.code, "newer codecortex" in done.err) == (3, True)
    assert file.read_bytes() == data
    assert "Format" not in cli(noted, "semantic", "states").err


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
def test_put_writes_through_no_link(noted, put, tmp_path):
    file, elsewhere = find_note(noted), tmp_path / "elsewhere"
    elsewhere.write_bytes(b"mine\n")
    file.unlink()
    file.symlink_to(elsewhere)
    assert put(noted, "Store", BODY).code == 3
    assert elsewhere.read_bytes() == b"mine\n"


# -- show


def test_show_prints_state_causes_and_text(noted, cli):
    text = find_note(noted).read_text("utf-8")
    assert cli(noted, "semantic", "show", "Store").out.endswith(f"\n\n{text}")
    replace_in(noted / ORDER, "int Count { get; }", "long Count { get; }")
    done = cli(noted, "semantic", "show", "Shop.Core.Store")
    assert done.code == 0
    assert done.out.splitlines()[0] == (
        f"stale  .codecortex/semantic/{find_note(noted).name}  (structure of its dependency Shop.Core.IStore)"
    )
    assert cli(noted, "semantic", "show", "Store", "--staged").out.startswith("cached ")


def test_show_as_json_gives_sections_and_what_the_note_was_made_from(noted, cli):
    told = json.loads(cli(noted, "semantic", "show", "Store", "--json").out)
    note = told["note"]
    assert (told["semanticState"], told["name"], told["id"]) == ("cached", "Shop.Core.Store`1", note["owner"])
    assert note["sections"]["LIMITATIONS"] == "not thread-safe"
    assert list(note["sections"]) == list(SECTIONS)
    assert set(note["bases"][told["id"]]) == {
        "structureHash", "publicImplHash", "internalImplHash", "implHash", "xmlDocHash"
    }  # fmt: skip
    assert [each["fqn"] for each in note["dependencies"]] == sorted(
        ["Shop.Core.IStore", "Shop.Core.Order"], key={each["fqn"]: each["id"] for each in note["dependencies"]}.get
    )


def test_show_of_a_type_without_a_note_says_how_to_write_one(noted, cli):
    done = cli(noted, "semantic", "show", "IStore")
    assert done.code == 0
    assert "has no note" in done.out
    assert "codecortex semantic put" in done.out
    assert "codecortex semantic generate" in done.out
    told = json.loads(cli(noted, "semantic", "show", "IStore", "--json").out)
    assert (told["semanticState"], told["note"]) == ("none", None)


def test_show_of_a_damaged_note_shows_it_all_the_same(noted, cli):
    replace_in(find_note(noted), "ROLE:\n", "ROLE:\n<<<<<<< HEAD\n")
    done = cli(noted, "semantic", "show", "Store")
    assert done.code == 0
    assert done.out.startswith("stale ")
    assert ": conflict marker" in done.out
    assert "<<<<<<< HEAD" in done.out


# -- states


def test_states_lists_every_note_and_counts_the_rest(noted, cli):
    done = cli(noted, "semantic", "states")
    assert done.code == 0
    assert done.out.splitlines() == [
        f"cached  {find_note(noted).stem}  Shop.Core.Store`1",
        "5 types: 1 cached, 0 stale, 4 without a note.",
    ]
    assert cli(noted, "semantic", "states", "--stale").out.splitlines() == done.out.splitlines()[1:]


def test_states_tells_what_drifted(noted, cli):
    replace_in(noted / "src/Core/Store.Adding.cs", "Count++", "Count += 1")
    assert "(1 internal change since)" in cli(noted, "semantic", "states").out
    (note,) = read_states(cli, noted)["notes"]
    assert (note["semanticState"], note["internalChanged"]) == ("cached", True)
    assert note["drift"] == [{"typeId": note["owner"], "changes": 1, "hours": 0, "exact": True}]


def test_states_as_json_names_every_cause(noted, cli):
    replace_in(noted / ORDER, "int Count { get; }", "long Count { get; }")
    told = read_states(cli, noted)
    (note,) = told["notes"]
    assert told["totals"] == {"none": 4, "cached": 0, "stale": 1}
    assert note["types"] == [{"id": note["owner"], "fqn": "Shop.Core.Store`1"}]
    (cause,) = note["causes"]
    assert (cause["kind"], cause["fqn"], cause["detail"]) == ("DependencyStructure", "Shop.Core.IStore", "changed")
    assert read_states(cli, noted, "--rev", "HEAD")["totals"]["cached"] == 1
    assert read_states(cli, noted, "--stale", "--staged")["notes"] == []


def test_an_edit_of_the_text_by_hand_is_told(noted, cli):
    replace_in(find_note(noted), "Keeps", "Holds")
    (note,) = read_states(cli, noted)["notes"]
    assert (note["edited"], note["semanticState"]) == (True, "cached")


def test_exit_code_tells_stale_and_damaged_notes(noted, cli):
    assert cli(noted, "semantic", "states", "--exit-code").code == 0
    replace_in(noted / STORE, "=> null", "=> default")
    assert cli(noted, "semantic", "states").code == 0
    assert cli(noted, "semantic", "states", "--exit-code").code == 1
    find_note(noted).write_bytes(b"\xff")
    assert cli(noted, "semantic", "states", "--exit-code", "--json").code == 1


def test_a_note_whose_type_is_gone_is_told(noted, cli):
    for name in (STORE, "src/Core/Store.Adding.cs"):
        (noted / name).unlink()
    done = cli(noted, "semantic", "states")
    assert "Without a type (1):" in done.out
    assert "Shop.Core.Store`1 is gone" in done.out
    told = read_states(cli, noted)
    assert [(each["fqn"], each["alias"]) for each in told["orphans"]] == [("Shop.Core.Store`1", None)]
    assert told["notes"] == []


def test_states_works_in_any_repository_and_writes_nothing(repo, cli, look):
    before = look(repo)
    assert cli(repo, "semantic", "states").out == "2 types: 0 cached, 0 stale, 2 without a note.\n"
    assert look(repo) == before


# -- index


def test_the_record_of_a_type_tells_its_note(noted, cli):
    def read(*options):
        types = json.loads(cli(noted, "index", "--json", *options).out)["types"]
        return {each["fqn"]: each for each in types}

    records = read()
    store = records["Shop.Core.Store`1"]
    assert (store["semanticState"], store["semanticGroupId"]) == ("cached", None)
    assert store["lastSemanticBase"]["structureHash"] == store["structureHash"]
    assert records["Shop.Core.IStore"]["semanticState"] == "none"
    assert records["Shop.Core.IStore"]["lastSemanticBase"] is None
    replace_in(noted / STORE, "=> null", "=> default")
    assert read()["Shop.Core.Store`1"]["semanticState"] == "stale"
    assert read("--rev", "HEAD")["Shop.Core.Store`1"] == store


def test_a_refresh_leaves_notes_alone_and_a_full_index_tells_their_states(noted, cli):
    data = find_note(noted).read_bytes()
    (noted / ".codecortex/config.yaml").write_text("index:\n  detail: full\n", "utf-8")
    assert cli(noted, "refresh").code == 0
    rows = json.loads((noted / ".codecortex/index.json").read_bytes())["types"]
    row = rows[find_note(noted).stem]
    assert (row["semanticState"], row["lastSemanticBase"]["structureHash"]) == ("cached", row["structureHash"])
    assert {each["semanticState"] for key, each in rows.items() if key not in ("~", find_note(noted).stem)} == {"none"}
    assert find_note(noted).read_bytes() == data
