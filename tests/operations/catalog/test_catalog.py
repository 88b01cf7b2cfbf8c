"""Section I of the conformance cases: a catalog that follows edits says what one built from nothing says."""

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from codecortex.model.code.catalog import TypeEntry
from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.request import Request
from codecortex.store.cache.cache import open_cache

Git = Callable[..., str]
PROJECT = '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup>{}</Project>\n'  # noqa: E501


class Shop:
    """A repository that is edited, and a workspace that follows it in memory."""

    def __init__(self, root: Path, git: Git) -> None:
        self.root, self._git, self._numbers = root, git, count()
        root.mkdir()
        git(root, "init", "--quiet")
        self.change({"A/A.csproj": PROJECT.format(""), "A/Base.cs": "namespace App;\npublic class Base { }\n"})
        self.workspace = Workspace(Request(root, jobs=1))

    def change(self, files: dict[str, str | None]) -> None:
        """Write files, or remove them where there is no text."""
        for path, text in files.items():
            file = self.root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            if text is None:
                file.unlink(missing_ok=True)
            else:
                file.write_text(text, "utf-8")
        self._git(self.root, "add", "-A")

    def edit(self, files: dict[str, str | None]) -> Workspace:
        """Change files, and have the workspace follow; what it says equals what one says that begins with nothing."""
        self.change(files)
        self.workspace.look_again()
        with Workspace(Request(self.root, jobs=1)) as other:
            assert describe(other) == describe(self.workspace)
        with Workspace(Request(self.root, jobs=1)) as full:
            full.cache.close()
            full.cache = open_cache(self.root.parent / f"nothing{next(self._numbers)}", warn=print)
            assert describe(full) == describe(self.workspace)
        return self.workspace

    def names(self) -> list[str]:
        return sorted(entry.fqn for entry in self.workspace.catalog.types)

    def find(self, fqn: str) -> list[TypeEntry]:
        return [entry for entry in self.workspace.catalog.types if entry.fqn == fqn]

    def id(self, fqn: str) -> str:
        (entry,) = self.find(fqn)
        return entry.id


def describe(workspace: Workspace) -> object:
    """All that a catalog and a graph say, and the keys that they are asked by."""
    catalog, graph = workspace.catalog, workspace.graph
    return (
        catalog.digest, catalog.types, sorted(catalog.namespaces), dict(catalog.by_simple_name), catalog.by_id,
        list(catalog.member_names), [(catalog.members_of(e.id), catalog.docs_of(e.id)) for e in catalog.types],
        graph.digest, graph.ids,
        [(graph.dependencies_of(i), graph.dependents_of(i), graph.links_of(i), graph.fan_in_of(i)) for i in graph.ids],
        [(graph.depth_of(i), graph.component_of(i)) for i in graph.ids],
    )  # fmt: skip


@pytest.fixture
def shop(tmp_path: Path, git: Git) -> Iterator[Shop]:
    made = Shop(tmp_path / "shop", git)
    yield made
    made.workspace.close()


def test_ix_01_a_nested_type_comes_with_the_one_around_it(shop: Shop) -> None:
    workspace = shop.edit(
        {"A/O.cs": "namespace App;\npublic class Outer { public class Inner { public int Size; } }\n"}
    )
    assert len(shop.find("App.Outer")) == len(shop.find("App.Outer+Inner")) == 1
    inner = workspace.read_type(workspace.catalog.by_simple_name["inner"][0].id)
    assert inner is not None
    assert [member.name for member in workspace.catalog.members_of(inner.type.id)] == ["Size", ".ctor"]


def test_ix_03_what_is_in_a_type_goes_with_it(shop: Shop) -> None:
    shop.edit({"A/O.cs": "namespace App;\npublic class Outer { public class Inner { } }\n"})
    old = shop.id("App.Outer+Inner")
    workspace = shop.edit({"A/O.cs": None})
    assert old not in workspace.catalog.by_id
    assert shop.names() == ["App.Base"]


def test_ix_04_a_namespace_goes_with_its_only_type(shop: Shop) -> None:
    workspace = shop.edit({"A/T.cs": "namespace A.B;\npublic class Only { }\n"})
    assert {"A", "A.B", "App"} == workspace.catalog.namespaces
    workspace = shop.edit({"A/T.cs": None})
    assert workspace.catalog.namespaces == {"App"}


def test_ix_05_four_levels_go_up_to_the_first_that_holds_something_else(shop: Shop) -> None:
    shop.edit(
        {"A/T.cs": "namespace App.One.Two.Three;\npublic class Deep { }\n", "A/U.cs": "namespace App.One { class U; }"}
    )
    workspace = shop.edit({"A/T.cs": None})
    assert workspace.catalog.namespaces == {"App", "App.One"}


def test_ix_06_of_two_types_of_one_name_the_other_stays(shop: Shop) -> None:
    text = "namespace App;\npublic class Twin { public Base Other; }\n"
    shop.edit({"A/Twin.cs": text, "B/B.csproj": PROJECT.format(""), "B/Twin.cs": text})
    first, second = sorted(shop.find("App.Twin"), key=lambda entry: entry.project)
    assert first.id != second.id
    workspace = shop.edit({"A/Twin.cs": None})
    (left,) = shop.find("App.Twin")
    assert (left.assembly, left.id) == ("B", first.id)  # the plain id is that of the name's first bearer
    assert second.id not in workspace.catalog.by_id


def test_ix_07_to_remove_or_add_twice_is_to_do_it_once(shop: Shop) -> None:
    text = "namespace App;\npublic class Again { }\n"
    for _ in range(2):
        shop.edit({"A/Again.cs": text})
        assert len(shop.find("App.Again")) == 1
    for _ in range(2):
        shop.edit({"A/Again.cs": None})
        assert not shop.find("App.Again")


def test_ix_08_a_rename_by_removing_and_adding(shop: Shop) -> None:
    shop.edit(
        {
            "A/Use.cs": "namespace App;\npublic class Use { public Old Field; }\n",
            "A/Old.cs": "namespace App;\nclass Old { }\n",
        }
    )
    workspace = shop.edit({"A/Old.cs": None, "A/New.cs": "namespace App;\nclass New { }\n"})
    assert shop.names() == ["App.Base", "App.New", "App.Use"]
    use = workspace.catalog.by_simple_name["use"][0].id
    assert workspace.graph.dependencies_of(use) == ()


def test_ix_09_a_sequence_of_edits_over_namespaces_generics_and_nesting(shop: Shop) -> None:
    generic = (
        "namespace App.{0};\nusing App;\npublic class Box<T> : Base where T : Base {{ public class Lid {{ }} {1} }}\n"
    )
    user = (
        "namespace App.Use;\nusing App.{0};\n/// <summary>Uses it.</summary>\npublic class User : {1} {{ Lid lid; }}\n"
    )
    for files in (
        {"A/Box.cs": generic.format("One", ""), "A/User.cs": user.format("One", "Box<Base>")},
        {"A/Box2.cs": generic.format("Two", "public int Size;")},
        {"A/User.cs": user.format("Two", "Box<Base>")},
        {"A/Box.cs": generic.format("One", "private class Lock { }")},
        {"A/User.cs": user.format("One", "Box<Base>, System.IDisposable")},
        {"A/Lid.cs": "namespace App;\npublic interface Lid { }\n"},
        {"A/Base.cs": "namespace App;\npublic class Base { public int Lid; public string Name { get; } }\n"},
        {"A/Box2.cs": None, "A/Lid.cs": None},
        {"A/Base.cs": "namespace App;\npublic record Base(int Lid);\n"},
    ):
        shop.edit(files)  # type: ignore[arg-type]
    assert shop.names() == ["App.Base", "App.One.Box`1", "App.One.Box`1+Lid", "App.One.Box`1+Lock", "App.Use.User"]


def test_ix_10_parents_and_children_in_two_assemblies_go_at_once(shop: Shop) -> None:
    nest = "public class L1 { public class L2 { public class L3 { public class L4 { public class L5 { } } } } }\n"
    nest = f"namespace Deep;\n{nest}"
    shop.edit(
        {
            "A/N.cs": nest,
            "B/B.csproj": PROJECT.format(""),
            "B/N.cs": nest,
            "B/S.cs": "namespace Deep;\nclass Sibling : L1 { }\n",
        }
    )
    old = [entry.id for entry in shop.workspace.catalog.types if entry.fqn.startswith("Deep.")]
    assert len(old) == 11
    workspace = shop.edit({"A/N.cs": None, "B/N.cs": None, "B/S.cs": None})
    assert not set(old) & workspace.catalog.by_id.keys()
    assert workspace.catalog.namespaces == {"App"}
    assert not set(old) & set(workspace.graph.ids)


def test_ix_12_a_partial_type_stays_until_its_last_part_goes(shop: Shop) -> None:
    part = "namespace App;\npublic partial class Split {{ public int {0}; }}\n"
    shop.edit({"A/S1.cs": part.format("One"), "A/S2.cs": part.format("Two")})
    same = shop.id("App.Split")
    workspace = shop.edit({"A/S1.cs": None})
    assert shop.id("App.Split") == same
    assert [member.name for member in workspace.catalog.find_members("Two")] == ["Two"]
    assert list(workspace.catalog.find_members("One")) == []
    shop.edit({"A/S2.cs": None})
    assert not shop.find("App.Split")


def test_ix_13_a_nested_type_of_the_part_that_stays(shop: Shop) -> None:
    shop.edit({
        "A/O1.cs": "namespace App;\ninternal partial class Outer { }\n",
        "A/O2.cs": "namespace App;\npartial class Outer { public class Inner { } }\n",
    })  # fmt: skip
    assert shop.find("App.Outer+Inner")[0].accessibility == "internal"
    shop.edit({"A/O1.cs": "namespace App;\npublic partial class Outer { }\n"})
    assert shop.find("App.Outer+Inner")[0].accessibility == "public"  # though its own file did not change
    shop.edit({"A/O1.cs": None})
    assert shop.find("App.Outer+Inner")[0].accessibility == "internal"


def test_ix_14_a_file_moves_to_another_namespace(shop: Shop) -> None:
    shop.edit({"A/M.cs": "namespace App.From;\npublic class Moved { }\n"})
    old = shop.id("App.From.Moved")
    workspace = shop.edit({"A/M.cs": None, "A/To/M.cs": "namespace App.To;\npublic class Moved { }\n"})
    assert old not in workspace.catalog.by_id
    assert workspace.catalog.namespaces == {"App", "App.To"}
    assert shop.find("App.To.Moved")[0].files == ("A/To/M.cs",)


def test_ix_15_one_batch_removes_a_type_and_adds_another(shop: Shop) -> None:
    shop.edit({"A/X.cs": "namespace App;\npublic class A { }\n"})
    old = shop.id("App.A")
    shop.edit({"A/X.cs": "namespace App;\npublic class B { }\n"})
    assert shop.names() == ["App.B", "App.Base"]
    shop.edit({"A/X.cs": None, "A/Y.cs": "namespace App;\npublic class A { }\npublic class B { }\n"})
    assert shop.id("App.A") == old


def test_ix_16_the_types_of_a_project_go_with_it(shop: Shop) -> None:
    shop.edit({
        "A/R.cs": "namespace Shared;\npublic class R { }\n",
        "B/B.csproj": PROJECT.format('<ItemGroup><ProjectReference Include="../A/A.csproj" /></ItemGroup>'),
        "B/R.cs": "namespace Shared;\npublic class R { }\n",
        "B/Own.cs": "namespace B.Own;\npublic class Own : App.Base { }\n",
    })  # fmt: skip
    assert {entry.assembly for entry in shop.find("Shared.R")} == {"A", "B"}
    workspace = shop.edit({"B/B.csproj": None, "B/R.cs": None, "B/Own.cs": None})
    assert [entry.assembly for entry in shop.find("Shared.R")] == ["A"]
    assert workspace.catalog.namespaces == {"App", "Shared"}


def test_ix_16_a_project_that_goes_leaves_its_files_to_no_project(shop: Shop) -> None:
    shop.edit({"B/B.csproj": PROJECT.format(""), "B/Own.cs": "namespace B;\npublic class Own { }\n"})
    shop.edit({"B/B.csproj": None})
    assert shop.find("B.Own")[0].project == ""


def test_ix_17_a_display_name_has_the_real_parameter_names(shop: Shop) -> None:
    shop.edit({"A/O.cs": "namespace App;\npublic class Outer<TKey, TValue> { }\n"})
    assert shop.find("App.Outer`2")[0].display == "App.Outer<TKey, TValue>"
    shop.edit({"A/O.cs": "namespace App;\npublic class Outer<TKey, TItem> { }\n"})
    assert shop.find("App.Outer`2")[0].display == "App.Outer<TKey, TItem>"


def test_ix_19_of_three_quick_renames_the_last_name_is_left(shop: Shop) -> None:
    for name in ("First", "Second"):
        shop.change({"A/N.cs": f"namespace App;\npublic class {name} {{ }}\n"})
    shop.edit({"A/N.cs": "namespace App;\npublic class Third { }\n"})
    assert shop.names() == ["App.Base", "App.Third"]


def test_ix_20_a_delegate_comes_and_goes_in_a_file_that_stays(shop: Shop) -> None:
    text = "namespace App;\npublic class Base { }\n"
    workspace = shop.edit({"A/Base.cs": text + "public delegate int Ask(Base it);\n"})
    (entry,) = shop.find("App.Ask")
    assert [member.name for member in workspace.catalog.members_of(entry.id)] == ["Invoke"]
    assert [each.target for each in workspace.graph.dependencies_of(entry.id)] == [shop.id("App.Base")]
    shop.edit({"A/Base.cs": text})
    assert not shop.find("App.Ask")
