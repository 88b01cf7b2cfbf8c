"""What a query says of a type equals what a refresh wrote of it, and a note's state what a survey of all says."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from codecortex.operations.catalog.describe import read_types, write_type_outline
from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.generation.put import Body, put
from codecortex.operations.notes.files import has_notes, list_dependencies
from codecortex.operations.notes.headers import NoteHeaders
from codecortex.operations.notes.states import judge_tree_notes, list_states
from codecortex.operations.notes.texts import read_group_note, read_note, read_notes
from codecortex.operations.queries.index import read_whole
from codecortex.operations.reading.hashes import fingerprint_all
from codecortex.operations.reading.tree import make_resolver
from codecortex.operations.refresh.init import init
from codecortex.operations.refresh.refresh import refresh
from codecortex.operations.request import Request
from codecortex.store.committed.index_json import decode_index
from codecortex.store.committed.semantic_md import encode_note
from codecortex.store.paths import CONFIG, INDEX, outline_path, semantic_path

pytestmark = pytest.mark.law

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from codecortex.operations.notes.states import NoteState

PROJECT = (
    '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net8.0</TargetFramework>{}</PropertyGroup>{}'
)
CORE = """using Far = Odd.Far;
using static Odd.Far.Tools;
namespace Odd.Core;
[Marker, System.Obsolete("old")]
public partial class Outer<TKey> : Base<TKey>, IThing where TKey : class
{
    /// <summary>Nested. More.</summary>
    public partial class Inner { public Far.Thing? Thing; public Wrench Tool = new(); }
    protected enum Colour { Red, Green = 4 }
    private struct Hidden { public int X; }
    public override string ToString() => "";
    public Outer(Far.Thing thing) { }
}
internal class Closed { public class Open { public class Deep { } } }
public record Pair(int A, Far.Thing B) { public static Pair operator +(Pair left, Pair right) => left; }
public interface IThing { class Helper { } void Do(); }
file class Local { public class InLocal { } }
public delegate T Maker<in TIn, out T>(TIn from);
"""
PARTS = """namespace Odd.Core
{
    public partial class Outer<TKey> { public partial class Inner { public Outer<int[]>.Inner? Next { get; set; } } }
    public class Base<T> { public class Handle { } }
    public sealed class MarkerAttribute : System.Attribute { }
    file class Local { public int Other; }
}
namespace Odd.Core
{
    public static class Extensions { public static int Size(this IThing thing, Maker<int, string> maker) => 1; }
}
"""
FAR = "namespace Odd.Far;\npublic class Thing { }\npublic static class Tools { public class Wrench { } }\n"
SAME = "namespace Odd.Core;\npublic class Twin { public class In { } }\n"
FILES = {
    "src/Core/Core.csproj": PROJECT.format("", "</Project>"),
    "src/Core/Core.cs": CORE,
    "src/Core/Parts.cs": PARTS,
    "src/Core/Far.cs": FAR,
    "src/Core/Twin.cs": SAME,
    "src/App/App.csproj": PROJECT.format(
        "<AssemblyName>Odd.Program</AssemblyName>",
        '<ItemGroup><ProjectReference Include="../Core/Core.csproj" /></ItemGroup></Project>',
    ),
    "src/App/Twin.cs": SAME.replace("class Twin", "class Twin : IThing").replace("In { }", "In { public Pair P; }"),
    "src/App/Kinds.cs": "namespace Odd.App;\n#if NO\n#else\npublic struct Kind { public class One { } }\n#endif\n"
    "public class Kind<T> { }\npublic class Kind { public class Two { } }\n",
    "loose.cs": "class Loose { Odd.Core.Twin Twin; }\npublic class Broken { public void M( { }\n",
}


@pytest.fixture
def odd(tmp_path: Path, git: Callable[..., str]) -> Path:
    root = tmp_path / "odd"
    root.mkdir()
    git(root, "init", "--quiet")
    init(root)
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")
    git(root, "add", ".")
    refresh(Request(root))
    return root


@pytest.mark.parametrize("config", ["", "outline: {hashes: true, maxDependencies: 1}\n"])
def test_the_outline_of_every_type_is_what_refresh_wrote(odd: Path, config: str) -> None:
    if config:
        (odd / CONFIG).write_text(config)
        refresh(Request(odd))
    index = decode_index((odd / INDEX).read_bytes(), INDEX)
    with Workspace(Request(odd)) as workspace:
        texts = {outline_path(i, index.layout): write_type_outline(workspace, i) for i in workspace.catalog.by_id}
    assert len(texts) > 25
    assert texts == {path: (odd / path).read_text("utf-8") for path in texts}
    assert sorted(path.rpartition("/")[2] for path in texts) == sorted(
        file.name for file in (odd / ".codecortex/types").rglob("*.md")
    )


def test_a_type_read_alone_is_the_type_of_a_whole_reading(odd: Path) -> None:
    with Workspace(Request(odd)) as workspace:
        whole = read_whole(workspace.request, workspace.repository, workspace.cache)
        alone = [read_types(workspace, [merged.id])[merged.id] for merged in whole.types]
        together = read_types(workspace, [merged.id for merged in whole.types])
    assert [found.type for found in alone] == list(whole.types)
    assert [(found.type, found.nested) for found in together.values()] == [(f.type, f.nested) for f in alone]
    assert {found.type.id: found.prints for found in alone} == fingerprint_all(whole)


def test_the_header_of_a_note_is_that_of_a_whole_reading(odd: Path) -> None:
    with Workspace(Request(odd)) as workspace:
        whole = read_whole(workspace.request, workspace.repository, workspace.cache)
        ids = [(merged.id,) for merged in whole.types]
        heads = NoteHeaders(workspace, ids)
        notes = [heads.make_note(types[0], types, "hand", ("\n",) * 5) for types in ids]
    prints, resolver = fingerprint_all(whole), make_resolver(whole)
    for merged, note in zip(whole.types, notes, strict=True):
        needed = list_dependencies([merged], resolver, whole.tree.config)
        own = prints[merged.id]
        base = merged.id, merged.fqn, own.structure, own.impl, own.public_impl, own.internal_impl, own.xml_doc
        assert note is not None
        assert note.types == (base,)
        assert note.dependencies == tuple((each, prints[each].structure) for each in needed)


# -- notes

SOURCES = {
    "Store": "namespace Shop;\npublic class Store : IStore {{ public int Count() {{ return {public}; }}\n"
    "private int inner() {{ return {inner}; }} {more} }}\n",
    "IStore": "namespace Shop;\npublic interface IStore {{ int Count(); {needed} }}\n",
    "Other": "namespace Shop;\npublic class Other {{ public Store S; public Third T; {other} }}\n"
    "public class Third {{ public Other O; int x() {{ return {third}; }} }}\npublic class New {{ }}\n",
}
DEFAULTS = dict.fromkeys(("more", "needed", "other"), "") | dict.fromkeys(("public", "inner", "third"), "0")


class Noted:
    """A repository with a note on `Store`, one on `Other`, and one on `Other` and `Third` together."""

    def __init__(self, root: Path, git: Callable[..., str]) -> None:
        self.root = root
        self.git = git
        root.mkdir()
        git(root, "init", "--quiet")
        init(root)
        self.edit()
        self.commit()
        put(Request(root), "Store", Body(b"ROLE: Keeps.\nLIMITATIONS: One shop.\n", "test", "hand"))
        put(Request(root), "Other", Body(b"ROLE: Sells.\n", "test", "hand"))
        with Workspace(Request(root)) as workspace:
            pair = [entry.id for entry in workspace.catalog.types if entry.fqn in ("Shop.Other", "Shop.Third")]
            group = NoteHeaders(workspace, [pair]).make_note("G_00000000", pair, "test", ("\nTwo.\n", *["\n"] * 4))
        assert group is not None
        (root / semantic_path("G_00000000")).write_bytes(encode_note(group))
        self.commit()

    def edit(self, **parts: str) -> None:
        for name, text in SOURCES.items():
            (self.root / f"{name}.cs").write_text(text.format(**{**DEFAULTS, **parts}))

    def commit(self) -> None:
        self.git(self.root, "add", ".")
        self.git(self.root, "commit", "--quiet", "--allow-empty", "-m", "more")

    def compare(self, request: Request) -> dict[str, str]:
        """The state and the gravest cause of each type's note, the same asked one by one, together and of all."""
        with Workspace(request) as workspace:
            whole = read_whole(workspace.request, workspace.repository, workspace.cache)
            expected = {i: _tell(found) for i, found in list_states(whole, workspace.cache).items()}
            one_by_one = {i: note for i in workspace.catalog.by_id if (note := read_note(workspace, i)) is not None}
            assert {i: _tell(note.found) for i, note in one_by_one.items()} == expected
            assert {
                i: _tell(note.found) for i, note in read_notes(workspace, workspace.catalog.by_id).items()
            } == expected
            assert has_notes(workspace.tree) is bool(judge_tree_notes(whole, workspace.cache).notes)
            assert [note.as_json() for note in one_by_one.values()]
            names = {merged.id: merged.simple_name for merged in whole.types}
        return {names[i]: note.explain().replace("Shop.", "") for i, note in sorted(one_by_one.items())}


def _tell(found: NoteState) -> object:
    return found.owner, found.path, [t.id for t in found.types], found.state, found.causes, found.drifts, found.problems


@pytest.fixture
def noted(tmp_path: Path, git: Callable[..., str]) -> Noted:
    return Noted(tmp_path / "noted", git)


def list_edits() -> Iterator[tuple[dict[str, str], dict[str, str]]]:
    fresh = {"Store": "cached", "Other": "cached", "Third": "cached"}
    yield {}, fresh
    yield {"more": "public void Add() { }"}, {"Store": "stale: Structure of Store changed", "Other": "stale: structure of its dependency Store", "Third": "stale: structure of its dependency Store"}  # fmt: skip  # noqa: E501
    yield {"public": "1"}, fresh | {"Store": "stale: PublicBehavior of Store changed"}
    yield {"needed": "void More();"}, fresh | {"Store": "stale: structure of its dependency IStore"}
    yield {"inner": "1"}, fresh | {"Store": "cached: 1 internal change since"}
    yield {"third": "1"}, fresh | {"Third": "cached: 1 internal change since"}
    reached = "stale: Structure of Other changed"
    yield {"other": "public New N;"}, fresh | {"Other": reached, "Third": reached}
    yield {"other": "New hidden;"}, fresh | dict.fromkeys(("Other", "Third"), "cached: 1 internal change since")


@pytest.mark.parametrize("staged", [False, True])
def test_a_note_asked_for_alone_is_judged_as_in_the_survey(noted: Noted, *, staged: bool) -> None:
    for edit, expected in list_edits():
        noted.edit(**edit)
        if staged:
            noted.git(noted.root, "add", "--all")
        assert noted.compare(Request(noted.root, staged=staged)) == expected, edit


def test_the_notes_of_a_commit_are_judged_by_that_commit(noted: Noted) -> None:
    noted.edit(inner="1", needed="void More();")
    noted.commit()
    noted.edit()
    cached = {"Store": "cached", "Other": "cached", "Third": "cached"}
    assert noted.compare(Request(noted.root, rev="HEAD~1")) == cached
    told = noted.compare(Request(noted.root, rev="HEAD"))
    assert told == cached | {"Store": "stale: structure of its dependency IStore"}


def test_a_directive_elsewhere_that_makes_a_name_mean_another_type_is_told(noted: Noted) -> None:
    (noted.root / "Usings.cs").write_text("global using Third = Shop.New;\n")
    assert "stale" not in noted.compare(Request(noted.root)).values()
    (noted.root / "IStore.cs").write_text("namespace Shop.Old;\npublic interface IStore { int Count(); }\n")
    noted.compare(Request(noted.root))
    (noted.root / "Usings.cs").write_text("global using Shop.Old;\n")
    assert noted.compare(Request(noted.root))["Store"] == "stale: Structure of Store changed"


def test_bodies_count_where_the_configuration_says_so(noted: Noted) -> None:
    (noted.root / CONFIG).write_text("includeInternalForDependencies: true\n")
    assert noted.compare(Request(noted.root))
    noted.edit(other="void Use() { new New(); }")
    assert "stale: now depends on New" in noted.compare(Request(noted.root)).values()


def test_damaged_notes_are_stale_and_groups_of_them_speak_for_none(noted: Noted) -> None:
    for file in (noted.root / ".codecortex/semantic").iterdir():
        file.write_text("# Not a note\n")
    told = noted.compare(Request(noted.root))
    assert set(told) == {"Store", "Other"}
    assert all(state.startswith("stale: .codecortex/semantic/T_") for state in told.values())
    (noted.root / ".codecortex/aliases.json").write_text("broken")
    assert set(noted.compare(Request(noted.root))) == {"Store", "Other"}


def test_the_group_speaks_for_a_type_without_a_note_of_its_own(noted: Noted) -> None:
    with Workspace(Request(noted.root)) as workspace:
        ids = {entry.simple_name: entry.id for entry in workspace.catalog.types}
        of_group, of_type = read_note(workspace, ids["Third"]), read_note(workspace, ids["Other"])
        assert of_group is not None
        assert of_group.path == semantic_path("G_00000000")
        assert of_group.sections == {"ROLE": "Two."}
        assert of_type is not None
        assert of_type.sections == {"ROLE": "Sells."}
        assert read_note(workspace, ids["New"]) is None
        assert read_group_note(workspace, "G_00000001") is None
        whole = read_group_note(workspace, "G_00000000")
    assert whole is not None
    assert re.fullmatch(
        r"Shop\.\w+, Shop\.\w+ G_00000000: cached \(.*G_00000000\.md\)\n\nROLE:\nTwo\.", whole.as_text()
    )


def test_a_note_says_first_that_it_is_stale_and_why(noted: Noted) -> None:
    noted.edit(needed="void More();")
    with Workspace(Request(noted.root)) as workspace:
        store = next(entry.id for entry in workspace.catalog.types if entry.fqn == "Shop.Store")
        note = read_note(workspace, store)
    assert note is not None
    head, *sections = note.as_text().split("\n\n")
    assert head == f"Shop.Store {store}: stale: structure of its dependency Shop.IStore ({semantic_path(store)})"
    assert sections == ["ROLE:\nKeeps.", "LIMITATIONS:\nOne shop."]
    told = note.as_json()
    assert (told["semanticState"], told["note"]["causes"][0]["fqn"]) == ("stale", "Shop.IStore")
