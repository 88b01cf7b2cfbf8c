"""Commit by commit equals tree by tree equals what two full readings say; what depends on what; what is uncertain."""

import importlib.util
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from codecortex.analysis.changes.classify import Side, align, classify
from codecortex.analysis.types.canonical import canonicalize
from codecortex.analysis.types.fingerprints import fingerprint
from codecortex.git.repository import open_repository
from codecortex.model.code.changes import ChangeClass, Status, TypeChange
from codecortex.model.code.facts import VISIBLE
from codecortex.model.code.types import CSharpType
from codecortex.operations.history.changes import list_changes, list_each
from codecortex.operations.reading.hashes import Nested, rules_of
from codecortex.operations.reading.meanings import make_meanings
from codecortex.operations.reading.tree import Reading, open_tree, read_projects, read_tree
from codecortex.operations.refresh.refresh import refresh
from codecortex.operations.request import Request
from codecortex.store.cache.cache import open_cache

Git = Callable[..., str]
PROJECT = """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup>
</Project>
"""
BASE = "namespace N;\npublic class Base { public int A() => 1; }\n"
USER = "namespace N;\npublic class User { public Base Get() => null; }\n"
INNER = "namespace N;\npublic class Inner { Base hidden; void M() { new Base(); } }\n"


def load_law() -> object:
    """Return the module that edits repositories at random; tests are no package."""
    spec = importlib.util.spec_from_file_location(
        "law", Path(__file__).parents[1] / "refresh" / "test_incremental_law.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["law"] = module  # its dataclasses look themselves up there
    spec.loader.exec_module(module)
    return module


def stage(law: object, world: object, root: Path, git: Git) -> None:
    """Make the work tree and the index be as a world is now."""
    law.sync(root, world.files())
    git(root, "add", "-A")


def name_place(merged: CSharpType) -> tuple[str, str, str, str]:
    """What tells a type from its namesakes, whatever ids they have."""
    return merged.fqn, merged.kind, merged.project, merged.owner


def classify_all(old: Reading, new: Reading) -> Callable[[CSharpType, CSharpType], ChangeClass | None]:
    """What judges two states of a type.

    A name of a type that came or went is compared as written: that type's own change says it all.
    """
    rules, mean, means = rules_of(new.tree.config), make_meanings(old), make_meanings(new)
    mean, means = mean.keep_only(means.knows), means.keep_only(mean.knows)

    def judge(before: CSharpType, after: CSharpType) -> ChangeClass | None:
        pair = ((before, Nested(old.types), mean), (after, Nested(new.types), means))
        sides = [Side(merged, nested.of(merged), canonicalize(merged, each)) for merged, nested, each in pair]
        first, second = align(*sides, mean, means)
        prints = [fingerprint(side.canonical, side.nested, rules) for side in (first, second)]
        return classify(*prints)

    return judge


def read_full(root: Path, before: str, after: str) -> dict[str, tuple[ChangeClass | None, bool]]:
    """Class and move of each type that stands in both trees, by id after, from everything read anew."""
    request, repository = Request(root, jobs=1), open_repository(root)
    with open_cache(root / "nowhere", warn=lambda _: None) as cache:
        tree = open_tree(request._replace(rev=after), repository)
        old = open_tree(request._replace(rev=before), repository, tree.config)
        new, old = (read_tree(each, read_projects(each, cache), cache) for each in (tree, old))
    judge = classify_all(old, new)
    assemblies = {project.path: project.assembly for reading in (old, new) for project in reading.projects}
    same = {name_place(merged): merged for merged in old.types}
    kept = {same[name].id for name in map(name_place, new.types) if name in same}
    by_id = {merged.id: merged for merged in old.types if merged.id not in kept}
    told = {}
    for after_it in new.types:
        before_it = same.get(name_place(after_it)) or by_id.get(after_it.id)
        if before_it is None:
            continue
        own = judge(before_it, after_it)
        if before_it.project != after_it.project and assemblies[before_it.project] != assemblies[after_it.project]:
            own = ChangeClass.STRUCTURE
        if (before_it.effective_accessibility in VISIBLE) != (after_it.effective_accessibility in VISIBLE):
            own = ChangeClass.STRUCTURE
        if own is not None or before_it.files != after_it.files:
            told[after_it.id] = own, own is None
    return told


@pytest.mark.slow
@pytest.mark.law
@pytest.mark.parametrize("seed", range(3))
def test_each_commit_equals_its_two_trees_and_two_full_readings(tmp_path: Path, git: Git, seed: int) -> None:
    law = load_law()
    world = law.World(seed + 100 + int(os.environ.get("CODECORTEX_SEED", "0")))
    git(tmp_path, "init", "--quiet")
    for step in range(14):
        stage(law, world, tmp_path, git)
        git(tmp_path, "commit", "--quiet", "--allow-empty", "-m", f"step {step}")
        world.step()
    request = Request(tmp_path, jobs=1)
    steps = list(list_each(request, "HEAD"))
    assert len(steps) == 14
    for step in steps[1:]:
        shutil.rmtree(tmp_path / ".git" / "codecortex", ignore_errors=True)
        pair = list_changes(request, f"{step.parent}..{step.commit.id}").comparison
        assert pair.changes == step.comparison.changes, step.commit.subject
        assert pair.doubts == step.comparison.doubts
        clear = {c.type_id: c for c in pair.changes if c.status is Status.CHANGED and (c.own_class or c.moved)}
        full = read_full(tmp_path, step.parent, step.commit.id)
        assert clear.keys() == full.keys()
        for type_id, change in clear.items():
            if not change.degraded:
                assert (change.own_class, change.moved) == full[type_id]


@pytest.mark.slow
@pytest.mark.law
@pytest.mark.parametrize("seed", range(4))
def test_what_a_refresh_left_changes_no_comparison(tmp_path: Path, git: Git, seed: int) -> None:
    """A table made from the snapshot of a tree much the same, with edits of its own, equals one made from all files."""
    law = load_law()
    world = law.World(seed + 300 + int(os.environ.get("CODECORTEX_SEED", "0")))
    git(tmp_path, "init", "--quiet")
    (tmp_path / ".codecortex").mkdir()
    (tmp_path / ".codecortex" / "kept.txt").write_text("")
    request, commits = Request(tmp_path, jobs=1, warn=lambda _: None), []
    for _ in range(10):
        stage(law, world, tmp_path, git)
        git(tmp_path, "commit", "--quiet", "--allow-empty", "-m", "step")
        commits.append(git(tmp_path, "rev-parse", "HEAD").strip())
        world.step()
        stage(law, world, tmp_path, git)  # what is refreshed is no commit's tree
        refresh(request)
        span = f"{commits[-2]}..{commits[-1]}" if len(commits) > 1 else None
        told = list_changes(request, span).comparison
        shutil.rmtree(tmp_path / ".git" / "codecortex")
        assert told == list_changes(request, span).comparison


class Repo:
    """A repository whose work tree is compared with HEAD."""

    def __init__(self, root: Path, git: Git) -> None:
        self.root, self.git = root, git
        git(root, "init", "--quiet")

    def write(self, **files: str) -> None:
        for name, text in files.items():
            file = self.root / f"{name.replace('__', '/')}.cs"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")

    def commit(self) -> None:
        self.git(self.root, "add", "-A")
        self.git(self.root, "commit", "--quiet", "-m", "step")

    def changes(self, span: str | None = None) -> dict[str, TypeChange]:
        self.git(self.root, "add", "-A")
        found = list_changes(Request(self.root, jobs=1, staged=span is None), span).comparison.changes
        assert [change.fqn for change in found] == sorted(change.fqn for change in found)
        return {change.fqn: change for change in found}


@pytest.fixture
def repository(tmp_path: Path, git: Git) -> Repo:
    made = Repo(tmp_path, git)
    made.write(Base=BASE, User=USER, Inner=INNER)
    made.commit()
    return made


def test_cc_07_what_names_a_changed_structure_is_told_with_the_cause(repository):
    repository.write(Base=BASE.replace("int A", "long A"))
    found = repository.changes()
    assert found.keys() == {"N.Base", "N.User"}
    user = found["N.User"]
    assert (user.change_class, user.own_class) == (ChangeClass.STRUCTURE_DEPENDENCY, None)
    assert [(cause.fqn, cause.status) for cause in user.causes] == [("N.Base", Status.CHANGED)]
    assert not user.moved


def test_cc_07_behaviour_is_no_cause(repository):
    repository.write(Base=BASE.replace("=> 1", "=> 2"))
    assert [(fqn, c.change_class) for fqn, c in repository.changes().items()] == [
        ("N.Base", ChangeClass.PUBLIC_BEHAVIOR)
    ]


def test_cc_08_own_structure_is_told_once_and_without_causes(repository):
    repository.write(Base=BASE.replace("int A", "long A"), User=USER.replace("Get()", "Get(int x)"))
    user = repository.changes()["N.User"]
    assert (user.change_class, user.causes) == (ChangeClass.STRUCTURE, ())


@pytest.mark.parametrize(
    ("edit", "config", "expected"),
    [
        ("int x;", "", ChangeClass.STRUCTURE_DEPENDENCY),
        ("int x;", "semantics:\n  internalImplAffectsSemantic: true\n", ChangeClass.INTERNAL),
        ("/// <summary>x</summary>\npublic int y;", "", ChangeClass.STRUCTURE),
        ("// x", "", ChangeClass.STRUCTURE_DEPENDENCY),
    ],
)
def test_own_mild_changes_give_way_to_what_a_dependency_did(repository, edit, config, expected):
    (repository.root / ".codecortex").mkdir()
    (repository.root / ".codecortex" / "config.yaml").write_text(config)
    repository.write(Base=BASE.replace("int A", "long A"), User=USER.replace("{ public", f"{{ {edit}\npublic"))
    assert repository.changes()["N.User"].change_class is expected


def test_bodies_count_as_dependencies_where_the_configuration_says_so(repository):
    (repository.root / ".codecortex").mkdir()
    (repository.root / ".codecortex" / "config.yaml").write_text("includeInternalForDependencies: true\n")
    repository.write(Base=BASE.replace("int A", "long A"))
    assert repository.changes()["N.Inner"].change_class is ChangeClass.STRUCTURE_DEPENDENCY


def test_a_removed_and_an_added_dependency_are_causes(repository):
    repository.write(Base="namespace M;\n")
    found = repository.changes()
    assert [(c.fqn, c.status) for c in found["N.User"].causes] == [("N.Base", Status.REMOVED)]
    repository.commit()
    repository.write(Base=BASE)
    found = repository.changes()
    assert found["N.Base"].status is Status.ADDED
    assert [(c.fqn, c.status) for c in found["N.User"].causes] == [("N.Base", Status.ADDED)]


def test_a_global_alias_leads_to_the_cause(repository):
    repository.write(Usings="global using X = N.Base;\n", User=USER.replace("Base Get", "X Get"))
    repository.commit()
    repository.write(Base=BASE.replace("int A", "long A"))
    assert "N.User" in repository.changes()


def test_what_spells_a_type_of_another_full_name_has_another_structure(repository):
    members = "public int A() => 1; public int B; public int C; public int D() => 2;"
    repository.write(Base=BASE.replace("public int A() => 1;", members))
    repository.commit()
    repository.write(Base=BASE.replace("public int A() => 1;", members).replace("namespace N", "namespace N.M"),
                     User="using N.M;\n" + USER)  # fmt: skip
    found = repository.changes()
    base, user = found["N.M.Base"], found["N.User"]
    assert (base.status, base.old_fqn, base.reasons) == (Status.RENAMED, "N.Base", ())
    assert (user.change_class, user.reasons) == (ChangeClass.STRUCTURE, ("memberChanged",))
    assert user.own_class in (None, ChangeClass.COSMETIC)
    assert [(cause.fqn, cause.status) for cause in user.causes] == [("N.M.Base", Status.RENAMED)]


def test_a_type_that_only_moved_says_so(repository):
    repository.git(repository.root, "mv", "Base.cs", "Other.cs")
    found = repository.changes()
    assert found.keys() == {"N.Base"}
    base = found["N.Base"]
    assert (base.moved, base.change_class, base.own_class) == (True, ChangeClass.COSMETIC, None)
    assert (base.old_files, base.files) == (("Base.cs",), ("Other.cs",))


def test_a_type_that_moves_to_another_assembly_changes_structure(tmp_path, git):
    repository = Repo(tmp_path, git)
    for name in ("One", "Two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.csproj").write_text(PROJECT)
    repository.write(One__A=BASE, Two__B="class B;")
    repository.commit()
    git(tmp_path, "mv", "One/A.cs", "Two/A.cs")
    base = repository.changes()["N.Base"]
    assert (base.change_class, base.reasons, base.moved) == (ChangeClass.STRUCTURE, (), False)


def test_a_namesake_in_a_project_that_goes_does_not_lend_its_past(tmp_path, git):
    repository = Repo(tmp_path, git)
    for name in ("One", "Two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.csproj").write_text(PROJECT)
    repository.write(One__A="public class A { public int One; }", Two__A="public class A { public int Two; }")
    repository.write(Two__User="public class User { public A Get() => null; }")
    repository.commit()
    git(tmp_path, "rm", "-rq", "One")
    found = list_changes(Request(tmp_path, jobs=1, staged=True), None).comparison.changes
    assert [(change.fqn, change.status, change.files) for change in found] == [("A", Status.REMOVED, ("One/A.cs",))]
    repository.commit()
    found = list_changes(Request(tmp_path, jobs=1), "HEAD..HEAD^").comparison.changes
    assert [(change.fqn, change.status, change.files) for change in found] == [("A", Status.ADDED, ("One/A.cs",))]


@pytest.mark.parametrize(("before", "after"), [("internal", "public"), ("public", "internal")])
def test_what_others_see_of_a_nested_type_changes_with_the_type_around_it(repository, before, after):
    text = "namespace N;\n{} class Outer {{ public class Leaf {{ public class Bud; }} internal class Hidden; }}\n"
    repository.write(Outer=text.format(before))
    repository.commit()
    repository.write(Outer=text.format(after))
    found = repository.changes()
    assert found.keys() == {"N.Outer", "N.Outer+Leaf", "N.Outer+Leaf+Bud"}
    for change in found.values():
        assert (change.status, change.change_class) == (Status.CHANGED, ChangeClass.STRUCTURE)
        assert change.reasons == ("modifiersChanged",)


def test_readonly_on_a_member_of_a_struct_is_an_attribute_to_others(repository):
    text = "namespace N;\npublic struct S {{ public int f; public {} int Get() => f; public {} int P => f; }}\n"
    repository.write(S=text.format("", ""))
    repository.commit()
    repository.write(S=text.format("readonly", "readonly"))
    change = repository.changes()["N.S"]
    assert (change.change_class, change.reasons) == (ChangeClass.STRUCTURE, ("attributesChanged",))
    assert [member.attributes_only for member in change.members.changed] == [True, True]
    repository.write(S=text.format("", "").replace("public int f", "public readonly int f"))
    assert repository.changes()["N.S"].reasons == ("memberChanged",)


def test_a_rename_is_one_entry_with_its_members_compared_under_the_new_name(repository):
    members = "    public {0}(int x) {{ }}\n    public {0} Next() => null;\n    public int P;\n"
    text = f"namespace N;\npublic class {{0}}\n{{{{\n{members}}}}}\n"
    repository.write(Thing=text.format("Thing"))
    repository.commit()
    repository.git(repository.root, "mv", "Thing.cs", "Item.cs")
    repository.write(Item=text.format("Item"))
    found = repository.changes()
    assert found.keys() == {"N.Item"}
    item = found["N.Item"]
    assert (item.status, item.old_fqn, item.change_class) == (Status.RENAMED, "N.Thing", ChangeClass.STRUCTURE)
    assert (item.members.added, item.members.removed) == ((), ())
    assert item.old_id not in ("", item.type_id)
    assert item.score == 1.0


def test_cc_20_a_part_that_cannot_be_read_makes_it_public_behavior_and_says_so(repository):
    repository.write(Base="namespace N;\npublic class Base { public int B() => ((( ; public int A() => 1; ]] }\n")
    base = repository.changes()["N.Base"]
    assert base.degraded
    assert base.change_class is ChangeClass.PUBLIC_BEHAVIOR
    assert base.reasons == ()


def test_cc_20_a_type_in_a_file_that_is_no_longer_read_is_not_called_removed_for_certain(repository):
    (repository.root / "Base.cs").write_bytes(b"version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 1\n")
    base = repository.changes()["N.Base"]
    assert (base.status, base.change_class) == (Status.REMOVED, ChangeClass.PUBLIC_BEHAVIOR)
    assert base.degraded == "Base.cs: lfs pointer"


def test_a_configuration_that_comes_in_the_range_counts_from_its_commit_on(repository):
    repository.write(tools__T="class T { }\n")
    repository.commit()
    (repository.root / ".codecortex").mkdir()
    (repository.root / ".codecortex" / "config.yaml").write_text("exclude:\n  - tools/\n")
    repository.commit()
    repository.write(tools__T="class T { int x; }\n")
    repository.commit()
    each = list(list_each(Request(repository.root, jobs=1), "HEAD~2..HEAD"))
    assert [step.comparison.changes for step in each] == [(), ()]
    assert list(repository.changes("HEAD~2..HEAD")) == []


def test_a_configuration_that_makes_no_sense_inside_the_range_gives_way_to_the_last_that_does(repository):
    config = repository.root / ".codecortex" / "config.yaml"
    config.parent.mkdir()
    repository.write(tools__T="class T { }\n")
    config.write_text("exclude:\n  - tools/\n")
    repository.commit()
    config.write_text("exclude: [\n")
    repository.write(User="class New { }\n", tools__T="class T { int x; }\n")
    repository.commit()
    repository.write(User="class New { int x; }\n")
    repository.commit()
    config.write_text("exclude: []\n")
    repository.commit()
    each = list(list_each(Request(repository.root, jobs=1), "HEAD~3..HEAD"))
    assert [sorted(change.fqn for change in step.comparison.changes) for step in each] == [
        ["N.User", "New"],
        ["New"],
        [],
    ]
    assert [bool(step.problem) for step in each] == [True, False, False]
    assert ".codecortex/config.yaml:" in each[0].problem
    (last,) = list_each(Request(repository.root, jobs=1), "HEAD~2..HEAD~1")
    assert last.comparison == each[1].comparison


def test_symbolic_links_and_files_that_become_links_are_no_sources(repository):
    link = repository.root / "Link.cs"
    link.symlink_to("Base.cs")
    repository.commit()
    (repository.root / "User.cs").unlink()
    (repository.root / "User.cs").symlink_to("Base.cs")
    repository.commit()
    first, second = list_each(Request(repository.root, jobs=1), "HEAD~2..HEAD")
    assert first.comparison.changes == ()
    assert [(c.fqn, c.status) for c in second.comparison.changes] == [("N.User", Status.REMOVED)]


def test_a_merge_is_compared_with_its_first_parent(repository):
    git, root = repository.git, repository.root
    git(root, "checkout", "--quiet", "-b", "side")
    repository.write(Side="class Side { }\n")
    repository.commit()
    git(root, "checkout", "--quiet", "main")
    repository.write(Base=BASE.replace("=> 1", "=> 2"))
    repository.commit()
    git(root, "merge", "--quiet", "--no-edit", "side")
    steps = list(list_each(Request(root, jobs=1), "HEAD~2..HEAD"))
    assert [[c.fqn for c in step.comparison.changes] for step in steps] == [["N.Base"], ["Side"]]


def test_the_last_commit_that_a_shallow_clone_holds_is_left_out_with_a_word(repository, tmp_path_factory):
    repository.write(Base=BASE.replace("=> 1", "=> 2"))
    repository.commit()
    repository.write(Base=BASE)
    repository.commit()
    clone = tmp_path_factory.mktemp("clone")
    repository.git(clone, "clone", "--quiet", "--depth=2", repository.root.as_uri(), ".")
    said: list[str] = []
    (step,) = list_each(Request(clone, jobs=1, warn=said.append), "HEAD")
    assert [change.fqn for change in step.comparison.changes] == ["N.Base"]
    assert len(said) == 1
    assert "shallow" in said[0]
