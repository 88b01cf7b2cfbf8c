"""Every command through the real CLI, on a repository of two projects."""

import json
from pathlib import Path

import pytest

from codecortex import __version__

COMMANDS = ("init", "refresh", "outline", "index", "status", "demo")


def id_of(cli, root, fqn):
    return next(line.split()[0] for line in cli(root, "index").out.splitlines() if line.endswith(f"  {fqn}"))


# -- init


def test_init_makes_its_folder_and_touches_nothing_else(repo, cli, look):
    before = look(repo)
    done = cli(repo, "init")
    made = {path for path in look(repo).keys() - before.keys() if (repo / path).is_file()}
    assert done.code == 0
    names = (
        "aliases.json",
        "config.yaml",
        "README.md",
        ".gitignore",
        ".gitattributes",
        "prompts/members.md",
        "prompts/note.md",
        "prompts/update.md",
    )
    assert made == {f".codecortex/{name}" for name in names}
    assert all(f"made  {path}" in done.out for path in made)
    assert {path: state for path, state in look(repo).items() if path in before} == before


def test_init_again_keeps_what_the_user_wrote_and_makes_what_is_missing(repo, cli):
    cli(repo, "init")
    config = repo / ".codecortex/config.yaml"
    config.write_text("exclude: [mine]\n", "utf-8")
    (repo / ".codecortex/README.md").unlink()
    done = cli(repo, "init")
    assert done.code == 0
    assert config.read_text("utf-8") == "exclude: [mine]\n"
    assert "kept  .codecortex/config.yaml" in done.out
    assert "made  .codecortex/README.md" in done.out
    assert "then commit .codecortex with your sources." in done.out
    assert "Next: commit .github/workflows.\n" in cli(repo, "init", "--ci", "github").out


def test_a_command_of_a_group_is_named_where_it_is_asked_for_alone(repo, cli):
    assert "Did you mean 'semantic generate'?" in cli(repo, "generate").err
    assert "Did you mean 'hooks install'?" in cli(repo, "install").err
    assert "'ops list' or 'pack list' or 'semantic list'" in cli(repo, "list").err
    assert "Did you mean 'refresh'?" in cli(repo, "refesh").err


def test_sources_that_git_does_not_track_are_told(tmp_path, cli, git):
    git(tmp_path, "init", "--quiet")
    assert cli(tmp_path, "init").code == 0
    assert cli(tmp_path, "refresh").err == "warning: No C# source is here.\n"
    for path in ("A.cs", "B.cs", "obj/C.cs"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(f"public class {path[-4]} {{ }}\n")
    said = (
        "No C# source is tracked here, 2 are untracked: `git add` them, or set `untracked: true` in .codecortex/config"
    )
    for _ in range(2):
        assert said in cli(tmp_path, "refresh").err
    assert said in cli(tmp_path, "status").out
    assert cli(tmp_path, "semantic", "generate").out == "No type needs a note.\n"
    git(tmp_path, "add", "A.cs")
    assert "untracked" not in cli(tmp_path, "refresh").err


# -- refresh


def test_refresh_writes_then_has_nothing_to_do_then_follows_an_edit(shop, cli):
    first = cli(shop, "refresh")
    assert first == (0, "5 types: 6 written.\n", "")
    assert cli(shop, "refresh") == (0, "5 types: nothing to do.\n", "")
    (shop / "src/Core/Order.cs").write_text(
        "namespace Shop.Core;\npublic record Order(string Key, int Sum);\n", "utf-8"
    )
    assert cli(shop, "refresh").out == "4 types: 3 written, 1 removed.\n"
    texts = [file.read_text("utf-8") for file in (shop / ".codecortex/types").iterdir()]
    assert sum("int Sum" in text for text in texts) == 1
    assert not any("IStore " in text.splitlines()[0] for text in texts)


def test_a_dry_run_says_the_same_and_writes_nothing(shop, cli, look):
    before = look(shop)
    planned = cli(shop, "refresh", "--dry-run")
    assert look(shop) == before
    assert planned.out.endswith("5 types: 6 to write.\n")
    listed = [line.removeprefix("write   ") for line in planned.out.splitlines()[:-1]]
    done = json.loads(cli(shop, "refresh", "--json").out)
    assert listed == done["written"] == sorted(p for p in look(shop).keys() - before.keys() if (shop / p).is_file())
    (shop / "src/App/Order.cs").unlink()
    told = json.loads(cli(shop, "refresh", "--dry-run", "--json").out)
    assert told["dryRun"]
    really = json.loads(cli(shop, "refresh", "--json").out)
    assert {**told, "dryRun": False} == really
    assert len(really["removed"]) == 1


def test_refresh_json_has_these_fields(shop, cli):
    told = json.loads(cli(shop, "refresh", "--json").out)
    written = told.pop("written")
    assert written == sorted(written)
    assert ".codecortex/index.json" in written
    assert told == {
        "schemaVersion": "1.0", "codecortex": __version__, "traceId": "test", "types": 5, "removed": [], "unread": [],
        "degraded": {}, "skipped": [], "dryRun": False, "aliases": [], "takenBack": [], "movedNotes": [], "doubts": [],
        "kept": [],
    }  # fmt: skip


def test_refresh_of_the_index_and_of_a_revision(shop, cli, git, read_tree):
    cli(shop, "refresh")
    clean = read_tree(shop / ".codecortex")
    (shop / "src/Core/Order.cs").write_text("class Staged;\n", "utf-8")
    git(shop, "add", ".")
    (shop / "src/Core/Order.cs").write_text("class Unstaged;\n", "utf-8")
    assert cli(shop, "refresh", "--staged").code == 0
    assert id_of(cli, shop, "Unstaged") not in "".join(read_tree(shop / ".codecortex"))
    assert json.loads((shop / ".codecortex/index.json").read_bytes())["types"].keys() >= {
        line.split()[0] for line in cli(shop, "index", "--staged").out.splitlines() if "Staged" in line
    }
    assert cli(shop, "refresh", "--rev", "HEAD").code == 0
    assert read_tree(shop / ".codecortex") == clean


def test_refresh_needs_init(repo, cli, look):
    before = look(repo)
    done = cli(repo, "refresh")
    assert done.code == 2
    assert done.err.startswith("error: There is no .codecortex folder in ")
    assert "hint: Run `codecortex init` first.\n" in done.err
    assert look(repo) == before


# -- index


def test_index_lists_every_type_by_name(shop, cli):
    lines = cli(shop, "index").out.splitlines()
    assert [line.split(maxsplit=2)[1:] for line in lines] == [
        ["class", "Shop.App.Order"], ["interface", "Shop.Core.IStore"], ["record", "Shop.Core.Order"],
        ["class", "Shop.Core.Store`1"], ["enum", "Shop.Core.Store`1+State"],
    ]  # fmt: skip
    assert cli(shop, "index", "--members").out.splitlines() == lines


def test_index_json_describes_a_type_in_full(shop, cli, git):
    told = json.loads(cli(shop, "index", "--json", "--members").out)
    assert told["head"] == git(shop, "rev-parse", "HEAD")
    assert told["unread"] == []
    types = {each["fqn"]: each for each in told["types"]}
    projects = {each["name"]: each for each in told["projects"]}
    store, order = types["Shop.Core.Store`1"], types["Shop.App.Order"]
    assert projects["App"]["references"] == ["src/Core/Core.csproj"]
    assert (projects["Core"]["tfm"], projects["Core"]["assembly"]) == ("net8.0", "Core")
    assert store | {
        "kind": "class", "arity": 1, "accessibility": "public", "effectiveAccessibility": "public",
        "modifiers": ["sealed"], "projectId": projects["Core"]["id"], "baseTypes": ["IStore"],
        "files": ["src/Core/Store.Adding.cs", "src/Core/Store.cs"], "typeParameters": ["T"],
        "constraints": ["T : Order"], "attributes": [], "implicit": False, "degraded": None,
        "changeClass": None, "internalChanged": False, "semanticState": "none", "fanIn": 1,
    } == store  # fmt: skip
    assert store["spans"] == [
        {"file": "src/Core/Store.Adding.cs", "line": 2, "column": 1, "endLine": 5, "endColumn": 2},
        {"file": "src/Core/Store.cs", "line": 4, "column": 1, "endLine": 12, "endColumn": 2},
    ]
    names = ("structureHash", "publicImplHash", "internalImplHash", "cosmeticHash", "implHash", "xmlDocHash")
    assert all(len(store[name]) == 8 for name in names)
    assert {(edge["fqn"], edge["kind"], edge["exact"]) for edge in store["dependencies"]} == {
        ("Shop.Core.IStore", "structural", True), ("Shop.Core.Order", "structural", True),
    }  # fmt: skip
    assert {edge["fqn"] for edge in order["dependencies"]} == {"Shop.Core.Order", "Shop.Core.Store`1"}


def test_index_json_describes_members(shop, cli):
    types = json.loads(cli(shop, "index", "--json", "--members").out)["types"]
    store = next(each for each in types if each["fqn"] == "Shop.Core.Store`1")
    members = {each["name"]: each for each in store["members"]}
    find = members["Find"]
    assert find.pop("id").startswith(store["id"] + "_")
    assert find == {
        "kind": "method", "name": "Find", "type": "Order?", "arity": 0, "accessibility": "public", "modifiers": [],
        "parameters": [
            {"type": "string", "modifier": "", "name": "key"},
            {"type": "bool", "modifier": "", "name": "deep", "default": "false"},
        ],
        "signature": find["signature"],
        "span": {"file": "src/Core/Store.cs", "line": 9, "column": 5, "endLine": 9, "endColumn": 63},
        "implicit": False,
    }  # fmt: skip
    assert members["Count"]["accessors"] == [
        {"kind": "get", "accessibility": "public"}, {"kind": "set", "accessibility": "private"},
    ]  # fmt: skip
    assert members["Count"]["doc"] == "How many there are."
    assert (members["Store"]["kind"], members["Store"]["implicit"]) == ("constructor", True)
    state = next(each for each in types if each["fqn"].endswith("+State"))
    assert [(each["name"], each.get("value")) for each in state["members"]] == [("Open", None), ("Closed", "4")]
    assert "members" not in json.loads(cli(shop, "index", "--json").out)["types"][0]


def test_index_json_says_what_changed_since_head(shop, cli):
    file = shop / "src/Core/Store.cs"
    text = file.read_text("utf-8")

    def class_of(fqn):
        types = json.loads(cli(shop, "index", "--json").out)["types"]
        found = next(each for each in types if each["fqn"] == fqn)
        return found["changeClass"], found["internalChanged"]

    expected = {
        text.replace("=> null", "=> default"): "PublicBehavior",
        text.replace("string key", "object key"): "Structure",
        text.replace("Keeps orders", "Holds orders"): "Docs",
        text.replace("    public Order?", "    // why\n    public Order?"): "Cosmetic",
    }
    for edited, change in expected.items():
        file.write_text(edited, "utf-8")
        assert class_of("Shop.Core.Store`1") == (change, False)
        assert class_of("Shop.App.Order")[0] in (None, "Structure-Dependency")
    file.write_text(text, "utf-8")
    adding = shop / "src/Core/Store.Adding.cs"
    adding.write_text(adding.read_text("utf-8").replace("Count++", "Count += 1"), "utf-8")
    assert class_of("Shop.Core.Store`1") == ("Internal", True)


# -- status, demo and the rest


def test_status_counts_and_explains(shop, cli, git):
    (shop / "other").mkdir()
    (shop / "other/Made.g.cs").write_text("class G;\n", "utf-8")
    (shop / "other/Head.cs").write_text("// <auto-generated/>\nclass H;\n", "utf-8")
    (shop / "other/Reference.cs").write_text("public class R { public void M() { throw null; } }\n", "utf-8")
    (shop / "src/Core/Compiled.g.cs").write_text("enum G;\n", "utf-8")
    (shop / "src/Core/Broken.cs").write_text("class Broken { int x; ) }\n", "utf-8")
    (shop / "src/Core/Lfs.cs").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "utf-8")
    (shop / "src/Core/Link.cs").symlink_to("Order.cs")
    git(shop, "add", ".")
    text = cli(shop, "status").out
    assert "C# files   6 (1 generated)\n" in text
    assert "Behind: 8 generated files; run `codecortex refresh`.\n" in text
    told = json.loads(cli(shop, "status", "--json").out)
    assert told["leftOut"] == {"generated head": 1, "generated name": 1, "listing": 1}
    assert told["generated"] == 1
    assert list(told["degraded"]) == ["src/Core/Broken.cs"]
    assert told["unread"] == [{"path": "src/Core/Lfs.cs", "reason": "lfs pointer"}]
    assert told["skipped"] == [{"path": "src/Core/Link.cs", "reason": "symbolic link"}]
    assert told["types"] == {"class": 3, "enum": 2, "interface": 1, "record": 1}
    assert (told["projects"], told["files"]) == (3, 6)
    cli(shop, "refresh")
    assert "Up to date" in cli(shop, "status").out
    assert json.loads(cli(shop, "status", "--json").out)["behind"] == []
    assert json.loads(cli(shop, "status", "--json", "--rev", "HEAD").out)["behind"] is None


def test_demo_shows_the_edit_and_leaves_nothing(tmp_path, cli, process):
    done = process(tmp_path, "demo", TMPDIR=str(tmp_path))
    assert done.returncode == 0
    text = done.stdout.decode()
    assert "-  + public Note? Find(string title)\n" in text
    assert "+  + public Note? Find(string title, bool ignoreCase = false)\n" in text
    assert list(tmp_path.iterdir()) == []
    kept = tmp_path / "kept"
    assert cli(tmp_path, "demo", "--keep", str(kept)).code == 0
    assert cli(kept, "refresh").out == "3 types: nothing to do.\n"
    assert cli(tmp_path, "demo", "--keep", str(kept)).code == 2


def test_version(tmp_path, cli):
    assert cli(tmp_path, "--version") == (0, f"codecortex {__version__}\n", "")


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_every_command_and_unknown_options(tmp_path, cli, command):
    assert command in cli(tmp_path, "--help").out
    told = cli(tmp_path, command, "--help")
    assert told.code == 0
    assert told.out.startswith(f"Usage: codecortex {command} ")
    wrong = cli(tmp_path, command, "--frobnicate")
    assert (wrong.code, wrong.out) == (2, "")
    assert "No such option" in wrong.err
    assert cli(tmp_path, "frobnicate").code == 2


def test_from_a_subfolder_as_from_the_top(shop, cli, process):
    cli(shop, "refresh")
    below = process(shop / "src" / "Core", "index")
    assert below.stdout.decode() == cli(shop, "index").out
    assert cli(shop / "src", "refresh").out == "5 types: nothing to do.\n"
    assert not (shop / "src" / ".codecortex").exists()
    assert cli(Path("/"), "-C", str(shop), "index").out == below.stdout.decode()


def test_build_options_are_honoured(shop, cli):
    file = shop / "src/Core/Order.cs"
    project = shop / "src/Core/Core.csproj"
    text = project.read_text("utf-8").replace("<TargetFramework>net8.0", "<TargetFrameworks>net8.0;net7.0")
    project.write_text(text.replace("</TargetFramework>", "</TargetFrameworks>"), "utf-8")
    file.write_text(
        "#if NET7_0\nclass Seven;\n#elif SPECIAL\nclass Special;\n#elif DEBUG\nclass Debug;\n#endif\n", "utf-8"
    )
    for options, name in (
        (["--tfm", "net7.0"], "Seven"),
        (["--define", "SPECIAL"], "Special"),
        (["--configuration", "Debug"], "Debug"),
    ):
        lines = cli(shop, "index", *options).out
        assert [each for each in ("Seven", "Special", "Debug") if f"  {each}\n" in lines] == [name]
    assert cli(shop, "index", "--staged", "--rev", "HEAD").code == 2
