"""What is kept of a tree: never mixed, never damaged into an error, made again only where something counts."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from itertools import accumulate
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codecortex.model.code.catalog import (
    Catalog,
    CatalogTexts,
    Lines,
    MemberEntry,
    TypeEntry,
    fold_case,
    write_member_line,
)
from codecortex.operations.catalog import symbols as catalogs
from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.request import Request

Git = Callable[..., str]
ONE = "namespace App;\n/// <summary>Holds one.</summary>\npublic class One { public int First; public Two Other; }\n"
TWO = "namespace App;\n/// <summary>Holds two.</summary>\npublic class Two { public int Second() => 2; }\n"


@pytest.fixture
def root(tmp_path: Path, git: Git) -> Path:
    folder = tmp_path / "place"
    folder.mkdir()
    git(folder, "init", "--quiet")
    (folder / "One.cs").write_text(ONE)
    (folder / "Two.cs").write_text(TWO)
    git(folder, "add", "-A")
    git(folder, "commit", "--quiet", "-m", "one")
    return folder


def ask(root: Path, *, staged: bool = False, rev: str | None = None) -> tuple[Workspace, list[str]]:
    told: list[str] = []
    return Workspace(Request(root, staged=staged, rev=rev, jobs=1, warn=told.append)), told


def describe(workspace: Workspace) -> object:
    catalog, graph = workspace.catalog, workspace.graph
    return (
        catalog.types,
        [(catalog.members_of(each.id), catalog.docs_of(each.id)) for each in catalog.types],
        list(catalog.member_names),
        [(graph.dependencies_of(i), graph.links_of(i), graph.depth_of(i), graph.component_of(i)) for i in graph.ids],
    )


def look(root: Path, *, staged: bool = False, rev: str | None = None) -> object:
    workspace, _ = ask(root, staged=staged, rev=rev)
    with workspace:
        return describe(workspace)


def fqns(root: Path, *, staged: bool = False, rev: str | None = None) -> list[str]:
    workspace, _ = ask(root, staged=staged, rev=rev)
    with workspace:
        return sorted(entry.fqn for entry in workspace.catalog.types)


@pytest.fixture
def builds(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Each time that a catalog is made from every source."""
    seen: list[object] = []
    build = catalogs.build_columns
    monkeypatch.setattr(catalogs, "build_columns", lambda ground: (seen.append(ground), build(ground))[1])
    return seen


# -- what it depends on


def test_a_setting_that_says_nothing_about_sources_costs_no_new_catalog(root: Path) -> None:
    (root / ".codecortex").mkdir()
    with ask(root)[0] as workspace:
        digests = workspace.catalog.digest, workspace.graph.digest
    (root / ".codecortex" / "config.yaml").write_text("hooks:\n  strict: true\ncheck:\n  semantic: 'off'\n")
    with ask(root)[0] as workspace:
        assert (workspace.catalog.digest, workspace.graph.digest) == digests
    (root / ".codecortex" / "config.yaml").write_text("outline:\n  maxDependencies: 0\n")
    with ask(root)[0] as workspace:
        assert workspace.catalog.digest == digests[0]
        assert workspace.graph.digest != digests[1]
        assert all(workspace.graph.links_of(each)[1] == () for each in workspace.graph.ids)


def test_settings_that_choose_sources_or_symbols_count(root: Path) -> None:
    (root / "Two.cs").write_text("#if EXTRA\npublic class Extra { }\n#endif\n")
    assert fqns(root) == ["App.One"]
    (root / ".codecortex").mkdir()
    (root / ".codecortex" / "config.yaml").write_text("project:\n  define: [EXTRA]\n")
    assert fqns(root) == ["App.One", "Extra"]
    (root / ".codecortex" / "config.yaml").write_text("exclude: ['One.cs']\n")
    assert fqns(root) == []


def test_a_flavour_asked_for_is_kept_beside_the_usual_one(root: Path, builds: list[object]) -> None:
    (root / "Two.cs").write_text("#if EXTRA\npublic class Extra { }\n#endif\n")
    for _ in range(2):
        with Workspace(Request(root, jobs=1, define=("EXTRA",))) as workspace:
            assert len(workspace.catalog.types) == 2
        assert fqns(root) == ["App.One"]
    assert len(builds) == 2


def test_the_work_tree_the_index_and_a_revision_are_each_themselves(root: Path, git: Git) -> None:
    (root / "One.cs").write_text(ONE.replace("One", "Staged"))
    git(root, "add", "-A")
    (root / "One.cs").write_text(ONE.replace("One", "Work"))
    for _ in range(2):
        assert fqns(root) == ["App.Two", "App.Work"]
        assert fqns(root, staged=True) == ["App.Staged", "App.Two"]
        assert fqns(root, rev="HEAD") == ["App.One", "App.Two"]
    assert look(root, rev="HEAD^{tree}") == look(root, rev="HEAD")


# -- what lies in the cache


def rows_of(root: Path) -> dict[str, bytes]:
    with closing(sqlite3.connect(root / ".git" / "codecortex" / "cache.sqlite")) as db:
        return dict(db.execute("SELECT name, data FROM snapshots WHERE name LIKE 'catalog/%'"))


def put_row(root: Path, name: str, data: bytes | None) -> None:
    with closing(sqlite3.connect(root / ".git" / "codecortex" / "cache.sqlite")) as db, db:
        if data is None:
            db.execute("DELETE FROM snapshots WHERE name = ?", (name,))
        else:
            db.execute("UPDATE snapshots SET data = ? WHERE name = ?", (data, name))


@pytest.mark.parametrize("damage", ["cut", "empty", "gone", "foreign", "half"])
def test_a_row_that_cannot_be_used_is_made_again(root: Path, damage: str) -> None:
    wanted = look(root)
    with ask(root)[0] as workspace:
        signs = {entry.id[2] for entry in workspace.catalog.types}
    kept = [name for name in rows_of(root) if name[-2] != "/" or name[-1] in signs]  # a part may be cut up by ids
    for name in {name[:-1]: name for name in kept}.values():
        data = rows_of(root)[name]
        spoiled = {"cut": data[:-3], "empty": b"", "gone": None, "foreign": b"x" * 200, "half": data[: len(data) // 2]}
        put_row(root, name, spoiled[damage])
        assert look(root) == wanted, name
        put_row(root, name, spoiled[damage])
        (root / "Two.cs").write_text(TWO + "public class Three { }\n")
        assert "App.Three" in fqns(root), name
        (root / "Two.cs").write_text(TWO)
        assert look(root) == wanted, name


def test_rows_of_two_trees_are_never_mixed(root: Path) -> None:
    wanted = look(root)
    first, _ = ask(root)
    with first:
        assert len(first.catalog.types) == 2
        assert len(first.graph.ids) == 2
        (root / "One.cs").write_text(ONE.replace("int First", "int Zeroth; public int Last") + "class New { }\n")
        other = look(root)  # another run writes in the place of the rows
        assert describe(first) == wanted
    assert other == look(root) != wanted


def test_rows_of_an_older_tree_beside_those_of_a_newer_one(root: Path) -> None:
    look(root)
    old = rows_of(root)
    (root / "One.cs").write_text(ONE.replace("First", "Changed") + "class New { }\n")
    wanted = look(root)
    new = rows_of(root)
    changed = [name for name in old if old[name] != new[name]]
    assert changed
    for name in changed:
        put_row(root, name, old[name])
        assert look(root) == wanted, name


def test_without_a_cache_everything_is_read_once(root: Path, builds: list[object]) -> None:
    wanted = look(root)
    for file in (root / ".git" / "codecortex").iterdir():
        file.unlink()
    (root / ".git" / "codecortex").rmdir()
    (root / ".git" / "codecortex").write_text("in the way\n")
    builds.clear()
    assert look(root) == wanted
    assert len(builds) == 1
    workspace, _ = ask(root)
    with workspace:
        describe(workspace)
        builds.clear()
        (root / "One.cs").write_text(ONE + "class New { }\n")
        workspace.look_again()
        assert "App.New" in {entry.fqn for entry in workspace.catalog.types}
        assert builds == []  # it goes on from what it has in memory


# -- what could not be read


def test_a_source_that_cannot_be_read_is_tried_and_told_again(root: Path) -> None:
    wanted = look(root)
    (root / "Two.cs").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
    workspaces = [ask(root) for _ in range(2)]
    for workspace, told in workspaces:
        assert [entry.fqn for entry in workspace.catalog.types] == ["App.One"]
        assert told == ["Two.cs: not read: lfs pointer"]
        assert len(workspace.graph.ids) == 1
        assert told == ["Two.cs: not read: lfs pointer"] * 2
    assert len({workspace.catalog.digest for workspace, _ in workspaces}) == 1
    (root / "Two.cs").write_text(TWO)
    for workspace, _ in workspaces:
        workspace.look_again()
        assert describe(workspace) == wanted
        workspace.close()
    assert look(root) == wanted


def test_one_that_becomes_readable_is_read_by_a_desk_that_stays(root: Path) -> None:
    (root / "Two.cs").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
    workspace, told = ask(root)
    with workspace:
        assert len(workspace.catalog.types) == 1
        workspace.look_again()
        assert len(workspace.catalog.types) == 1
        assert len(told) == 2


@pytest.mark.parametrize("known", [True, False])
def test_a_source_edited_between_listing_and_reading_is_kept_as_what_was_read(root: Path, *, known: bool) -> None:
    if known:
        look(root)
    texts = [ONE.replace("First", name) + f"class {name} {{ }}\n" for name in ("Listed", "Read")]
    (root / "One.cs").write_text(texts[0])
    workspace, _ = ask(root)
    with workspace:
        (root / "One.cs").write_text(texts[1])
        assert [entry.fqn for entry in workspace.catalog.types if entry.fqn != "App.One"] == ["App.Read", "App.Two"]
        assert describe(workspace) == look(root)
        (root / "One.cs").write_text(texts[0])
        assert fqns(root) == ["App.Listed", "App.One", "App.Two"]
        workspace.look_again()
        assert describe(workspace) == look(root)
        assert "Read" not in workspace.catalog.member_names


# -- threads


def test_a_desk_answers_in_one_thread_after_another(root: Path) -> None:
    workspace, told = ask(root)
    seen: list[object] = []

    def call() -> None:
        workspace.look_again()
        seen.append((describe(workspace), workspace.read_type(workspace.catalog.types[0].id) is not None))

    for text in (ONE, ONE, ONE + "class New { }\n", ONE):
        (root / "One.cs").write_text(text)
        thread = Thread(target=call)
        thread.start()
        thread.join()
    workspace.close()
    assert len(seen) == 4
    assert seen[0] == seen[1] == seen[3] != seen[2]
    assert told == []


# -- lines


def make_catalog(members: list[list[MemberEntry]], docs: list[str]) -> Catalog:
    types = tuple(
        TypeEntry(f"T_{n}", f"N{n}", f"N{n}", "class", "public", "", "", "", (), "")  # type: ignore[arg-type]
        for n in range(len(members))
    )
    blocks = ["".join([write_member_line([*map(str, entry[2:])]) for entry in each]) for each in members]
    lines = Lines("".join(blocks), [0, *accumulate(map(len, blocks))])
    texts = [f"\t{doc}\n" for doc in docs]
    names = sorted({line.partition("\t")[0] for line in lines.text.split("\n") if line})
    about = Lines("".join(texts), [0, *accumulate(map(len, texts))])
    return Catalog("", types, CatalogTexts(lambda: lines, lambda: [about], lambda: names))


SIGNS = st.text(
    st.sampled_from("aAbB.\u0130\u0131\u017f\u212a\u03a3\u03c2\u03c3ß\t\n\r\x0b\x0c\x1c\x85\u2028\u2029 <>,")
    | st.characters(),
    max_size=6,
)


@given(st.lists(st.lists(st.tuples(SIGNS, SIGNS, SIGNS), max_size=4), min_size=1, max_size=4))
def test_any_text_in_a_name_or_a_type_stays_in_its_field(rows: list[list[tuple[str, str, str]]]) -> None:
    members = [
        [
            MemberEntry(f"T_{t}", n, "m" + name, "method", "public", n, kind, parameters, "", "")  # type: ignore[arg-type]
            for n, (name, kind, parameters) in enumerate(row)
        ]
        for t, row in enumerate(rows)
    ]
    catalog = make_catalog(members, ["a\u2028b\x85c\x0cd"] * len(rows))
    blank = str.maketrans("\t\n\r", "   ")
    for number, row in enumerate(members):
        clean = [each._replace(name=each.name.translate(blank), type=each.type.translate(blank),
                               parameters=each.parameters.translate(blank)) for each in row]  # fmt: skip
        assert list(catalog.members_of(catalog.types[number].id)) == clean
        assert catalog.docs_of(catalog.types[number].id) == {-1: "a\u2028b\x85c\x0cd"}
        for each in clean:
            assert each in list(catalog.find_members(each.name))
            assert each in list(catalog.find_members(each.name.upper(), ignore_case=True)) or (
                fold_case(each.name.upper()) != fold_case(each.name)
            )


def test_case_is_left_out_sign_by_sign() -> None:
    entries = [
        MemberEntry("T_0", n, name, "method", "public", 0, "", "", "", "")  # type: ignore[arg-type]
        for n, name in enumerate(["Find", "FIND", "find", "İnci", "ΟΔΟΣ", "οδος", "Finder"])
    ]
    catalog = make_catalog([entries], [""])
    assert [each.name for each in catalog.find_members("fInD", ignore_case=True)] == ["Find", "FIND", "find"]
    assert [each.name for each in catalog.find_members("οδοσ", ignore_case=True)] == ["ΟΔΟΣ", "οδος"]
    assert [each.name for each in catalog.find_members("inci", ignore_case=True)] == ["İnci"]
    assert list(catalog.find_members("")) == list(catalog.find_members("Find\tmethod")) == []


def test_separators_in_real_sources_do_not_break_lines(root: Path) -> None:
    (root / "One.cs").write_text(
        "namespace App;\n/** <summary>One\u2028two\x85three\x0cfour.</summary> */\n"
        "public class One { /** <summary>A\u2028b.</summary> */\n"
        "public System.Collections.Generic.List<\u2028int> Text = null;\n"
        "public void Tab(int\ta,\x0cstring\u2029b) { } }\n",
        "utf-8",
    )
    with ask(root)[0] as workspace:
        entry = next(each for each in workspace.catalog.types if each.fqn == "App.One")
        assert {member.name for member in workspace.catalog.members_of(entry.id)} >= {"Text", "Tab"}
        assert len(workspace.catalog.docs_of(entry.id)) == 2


# -- names


NAMED = st.lists(st.text("aAΣς.+`1", min_size=1, max_size=8), min_size=1, max_size=6, unique=True)


@given(NAMED, st.data())
def test_who_asks_again_gets_the_same_types(fqns, data):
    """The first question is answered by looking at all types, later ones by tables."""
    entries = tuple(
        TypeEntry(f"T_{n}", fqn, fqn, *["class", "public", "", "", ""], (), "") for n, fqn in enumerate(fqns)
    )
    words = sorted({part.lower() for fqn in fqns for part in fqn.replace("+", ".").split(".") if part})
    word, fqn = data.draw(st.sampled_from(words or ["a"])), data.draw(st.sampled_from(fqns))
    catalog = Catalog("", entries, None)

    for ask in (
        lambda: catalog.list_named(word),
        lambda: catalog.find_namespaces(word),
        lambda: catalog.list_called({fqn}),
    ):
        assert list(ask()) == list(ask())
