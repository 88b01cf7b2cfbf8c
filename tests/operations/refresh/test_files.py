"""Conformance sections I (index updates), J (file changes and reuse) and K (atomic IO) of the cases.

Every batch of edits is followed by an incremental refresh, which must leave what a full one would write.
FC-13 and IO-02 to IO-04 speak of backups: here git is the backup, and what is written is never trusted. IO-06 is the
lock's (tests/git/test_lock.py); IO-07 speaks of a log, and there is none.
"""

import os
import random

import pytest

from codecortex.git.repository import open_repository
from codecortex.model.code.types import display_fqn
from codecortex.model.errors import CodecortexError, SymbolNotFoundError
from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.history.changes import list_changes
from codecortex.operations.history.locate import locate
from codecortex.operations.queries.index import index
from codecortex.operations.queries.outline import outline
from codecortex.operations.reading.facts_library import FactsLibrary
from codecortex.operations.reading.source_states import MOST_CHANGES
from codecortex.operations.reading.tree import open_tree, read_projects
from codecortex.operations.refresh.init import init
from codecortex.operations.refresh.refresh import refresh
from codecortex.operations.request import Request
from codecortex.store.cache.cache import open_cache
from codecortex.store.committed.index_json import decode_index
from codecortex.store.paths import CONFIG, INDEX, outline_path
from codecortex.symbols.query import parse_query

FRAMEWORK = "<PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup>"
PROJECT = f'<Project Sdk="Microsoft.NET.Sdk">{FRAMEWORK}</Project>'


class Repo:
    """A repository whose edits are staged and refreshed in batches."""

    def __init__(self, root, git):
        self.root = root
        self.git = git
        git(root, "init", "--quiet")
        init(root)

    def edit(self, files):
        """Write files; None removes one."""
        for path, text in files.items():
            file = self.root / path
            if text is None:
                file.unlink()
            else:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
        self.git(self.root, "add", "--all")

    def refresh(self, files=()):
        """Edit, refresh, check that a full refresh would write nothing else; what was written."""
        self.edit(dict(files))
        result = refresh(Request(self.root))
        again = refresh(Request(self.root), full=True, dry_run=True)
        assert (again.written, again.removed) == ((), ())
        assert {path.name for path in (self.root / ".codecortex/types").rglob("*.md")} == {
            outline_path(type_id).rpartition("/")[2] for type_id in self.index().types
        }
        return result

    def index(self):
        return decode_index((self.root / INDEX).read_bytes(), INDEX)

    def fqns(self):
        return sorted(row.fqn for row in self.index().types.values())

    def namespaces(self):
        """Every namespace that holds something, and those around them."""
        names = {fqn.partition("+")[0].rpartition(".")[0] for fqn in self.fqns()}
        return sorted({name.rsplit(".", depth)[0] for name in names for depth in range(name.count(".") + 1)})

    def files_of(self, fqn):
        return next(row.files for row in self.index().types.values() if row.fqn == fqn)

    def locate(self, symbol):
        repository = open_repository(self.root)
        with open_cache(repository.common_dir / "codecortex", warn=print) as cache:
            tree = open_tree(Request(self.root), repository)
            return locate(
                tree,
                read_projects(tree, cache),
                parse_query(symbol),
                FactsLibrary(tree.request, tree.repository, cache),
            )

    def commit(self):
        self.git(self.root, "add", "--all")
        self.git(self.root, "commit", "--quiet", "--allow-empty", "-m", "batch")


@pytest.fixture
def box(tmp_path, git):
    root = tmp_path / "box"
    root.mkdir()
    return Repo(root, git)


# -- I. index updates


def test_ix_01_03_a_nested_type_comes_and_goes_with_its_outer(box):
    box.refresh({"o.cs": "namespace N; public class Outer { public class Inner { } }\n", "k.cs": "class Keep { }\n"})
    assert box.fqns() == ["Keep", "N.Outer", "N.Outer+Inner"]
    inner = box.locate("Outer.Inner")
    with Workspace(Request(box.root)) as workspace:
        assert outline(workspace, inner.id).record["fqn"] == "N.Outer+Inner"
    box.refresh({"o.cs": None})
    assert box.fqns() == ["Keep"]
    for symbol in (inner.id, "N.Outer.Inner", "Inner"):
        with pytest.raises(SymbolNotFoundError):
            box.locate(symbol)


def test_ix_04_05_namespaces_go_with_their_last_type(box):
    box.refresh(
        {
            "a.cs": "namespace A.B { class X { } }\n",
            "d.cs": "namespace R.S.T.U { class Y { } }\n",
            "r.cs": "namespace R { class Z { } }\n",
        }
    )
    assert box.namespaces() == ["A", "A.B", "R", "R.S", "R.S.T", "R.S.T.U"]
    box.refresh({"a.cs": None})
    assert box.namespaces() == ["R", "R.S", "R.S.T", "R.S.T.U"]
    box.refresh({"d.cs": None})
    assert box.namespaces() == ["R"]


def test_a_namespace_that_comes_changes_what_a_directive_inside_another_brings_in(box):
    box.refresh(
        {
            "src/X.cs": "namespace A { using B; public class X { public Foo F; } }",
            "src/B.cs": "namespace B { public class Foo {} }",
        }
    )
    box.refresh({"src/Z.cs": "namespace A.B { public class Z {} }"})
    box.refresh({"src/Z.cs": None})


def test_ix_06_16_the_same_name_in_two_projects_is_two_types(box):
    same = "namespace N; public class Same { }\n"
    box.refresh(
        {
            "p/P.csproj": PROJECT,
            "p/s.cs": same,
            "p/own.cs": "namespace Q; class Own { }\n",
            "z/Z.csproj": PROJECT,
            "z/s.cs": same,
        }
    )
    assert box.fqns() == ["N.Same", "N.Same", "Q.Own"]
    box.refresh({"p/s.cs": None})
    assert box.fqns() == ["N.Same", "Q.Own"]
    assert box.files_of("N.Same") == ("z/s.cs",)
    box.refresh({"p/s.cs": same})
    box.refresh({"p/P.csproj": None, "p/s.cs": None, "p/own.cs": None})
    assert box.fqns() == ["N.Same"]
    assert box.namespaces() == ["N"]


def test_ix_07_the_same_batch_twice_changes_nothing(box):
    box.refresh({"a.cs": "class A { }\n", "b.cs": "class B { }\n"})
    assert box.refresh({"a.cs": "class A { }\n"}).written == ()
    box.refresh({"a.cs": None})
    again = box.refresh()
    assert (again.written, again.removed, box.fqns()) == ((), (), ["B"])


def test_ix_08_14_19_renames_leave_only_the_last_name(box):
    box.refresh({"a.cs": "namespace N; class A { }\n", "b.cs": "class User { N.A a; }\n"})
    for name in ("B", "C", "D"):
        box.refresh({"a.cs": f"namespace N; class {name} {{ }}\n"})
    assert box.fqns() == ["N.D", "User"]
    old = box.locate("N.D").id
    box.refresh({"a.cs": None, "sub/a.cs": "namespace M; class D { }\n"})
    assert box.fqns() == ["M.D", "User"]
    assert box.locate("D").id != old
    for symbol in ("N.D", old):  # only the alias still knows them
        assert (box.locate(symbol).fqn, box.locate(symbol).redirected_from) == ("M.D", "N.D")


@pytest.mark.slow
def test_ix_09_any_sequence_equals_a_full_rebuild(box):
    choose = random.Random(11)  # noqa: S311 - any would do
    texts = [
        None,
        "namespace A { public class X<T> { public class In { } } }\n",
        "namespace A.B { public partial class P { public X<int> X; } public class X<T> { } }\n",
        "namespace A.B { public partial class P { public class Deep { public class Deeper { } } } }\n",
        "namespace C { public interface I { A.B.P P { get; } } public enum E { One } }\n",
        "public delegate A.X<int> D(C.E e);\n",
    ]
    box.refresh({f"f{number}.cs": texts[1 + number % 5] for number in range(5)})
    for _ in range(12):
        paths = choose.sample([f"f{number}.cs" for number in range(7)], 2)
        there = {path for path in paths if (box.root / path).exists()}
        batch = {path: choose.choice(texts) for path in paths}
        box.refresh({path: text for path, text in batch.items() if text is not None or path in there})


def test_ix_10_parents_and_children_go_in_one_batch(box):
    deep = "namespace N; class A { class B { class C { class D { class E { } } } } }\n"
    box.refresh({"x/X.csproj": PROJECT, "x/a.cs": deep, "y/Y.csproj": PROJECT, "y/a.cs": deep, "k.cs": "class K { }\n"})
    assert len(box.fqns()) == 11
    box.refresh({"x/a.cs": None, "y/a.cs": None})
    assert box.fqns() == ["K"]


def test_ix_12_13_parts_of_a_partial_type(box):
    box.refresh(
        {
            "one.cs": "namespace N; partial class P { public int One; }\n",
            "two.cs": "namespace N; partial class P { public int Two; public class Inner { } }\n",
        }
    )
    box.refresh({"one.cs": None})
    assert box.fqns() == ["N.P", "N.P+Inner"]
    assert box.files_of("N.P") == box.files_of("N.P+Inner") == ("two.cs",)
    box.refresh({"two.cs": None})
    assert box.fqns() == []


def test_ix_15_one_batch_removes_and_adds(box):
    box.refresh({"a.cs": "class A { }\n"})
    box.refresh({"a.cs": None, "b.cs": "class B { }\n"})
    assert box.fqns() == ["B"]
    box.refresh({"b.cs": None, "c.cs": "class B { }\n"})
    assert (box.fqns(), box.files_of("B")) == (["B"], ("c.cs",))


def test_ix_17_type_parameters_keep_their_names(box):
    box.refresh({"a.cs": "namespace N; public class Outer<TKey, TValue> { }\n"})
    text = (box.root / outline_path(box.locate("Outer").id)).read_text()
    assert text.startswith("# N.Outer<TKey, TValue> T_")
    assert display_fqn("N.Outer`2") == "N.Outer<T1, T2>"


def test_ix_20_a_delegate_in_an_existing_file_comes_and_goes(box):
    box.refresh({"a.cs": "class A { }\n"})
    box.refresh({"a.cs": "class A { }\ndelegate int D(A a);\n"})
    assert box.fqns() == ["A", "D"]
    box.refresh({"a.cs": "class A { }\n"})
    assert box.fqns() == ["A"]


# -- J. file changes and reuse


def changed(box, span=None):
    changes = list_changes(Request(box.root), span).comparison.changes
    return {change.fqn: (str(change.status), change.old_files, change.files) for change in changes}


def test_fc_01_05_a_renamed_file_keeps_its_types(box):
    text = "namespace N;\npublic class T\n{\n    public int A;\n    public int B;\n}\n"
    box.refresh({"a.cs": text})
    box.commit()
    box.refresh({"a.cs": None, "b.cs": text})
    assert box.files_of("N.T") == ("b.cs",)
    assert changed(box) == {"N.T": ("changed", ("a.cs",), ("b.cs",))}
    box.refresh({"b.cs": text.replace("public int B", "public long B") + "class More { }\n"})
    assert changed(box) == {"N.T": ("changed", ("a.cs",), ("b.cs",)), "N.More": ("added", (), ("b.cs",))}


def test_fc_02_03_04_what_became_of_types_in_a_batch(box):
    box.refresh({"gone.cs": "class Gone { }\n", "kept.cs": "class Kept { int x; }\n", "same.cs": "class Same { }\n"})
    box.commit()
    box.refresh({"gone.cs": None, "new.cs": "class New { }\n", "kept.cs": None})
    box.refresh({"new.cs": "class New { int y; }\n", "kept.cs": "class Kept { long x; }\n"})
    assert {fqn: status for fqn, (status, _, _) in changed(box).items()} == {
        "Gone": "removed",
        "New": "added",
        "Kept": "changed",
    }


def test_fc_06_10_a_new_file_alone_is_seen(box):
    box.refresh({"a.cs": "class A { }\n"})
    assert box.refresh({"b.cs": "class B { }\n"}).types == 2
    assert box.fqns() == ["A", "B"]


def test_fc_07_08_edited_enums_generics_and_nested_types(box):
    box.refresh({"e.cs": "enum E { A }\npublic class G<T> { public class In { public T X; } }\n"})
    written = box.refresh(
        {"e.cs": "enum E { A, B }\npublic class G<T> { public class In { public T[] X; } }\n"}
    ).written
    assert box.fqns() == ["E", "G`1", "G`1+In"]
    paths = [outline_path(box.locate(name).id) for name in ("E", "G.In")]
    assert set(written) == set(paths)
    assert "public T[] X" in (box.root / paths[1]).read_text()


def test_fc_09_what_nobody_touched_is_not_written(box):
    box.refresh({"a.cs": "class A { }\n", "b.cs": "public class B { public int X; }\n"})
    before = (box.root / INDEX).stat().st_mtime_ns
    assert box.refresh().written == ()
    written = box.refresh({"b.cs": "public class B { public int Y; }\n"}).written
    assert written == (outline_path(box.locate("B").id),)
    assert (box.root / INDEX).stat().st_mtime_ns == before
    box.refresh({"b.cs": None})
    assert (box.root / INDEX).stat().st_mtime_ns != before


def test_fc_11_a_change_under_the_same_time_stamp_is_seen(box):
    box.refresh({"a.cs": "public class A { public int X; }\n"})
    file = box.root / "a.cs"
    state = file.stat()
    file.write_text("public class A { public int Y; }\n")
    os.utime(file, ns=(state.st_atime_ns, state.st_mtime_ns))
    box.refresh()
    assert "public int Y" in (box.root / outline_path(box.locate("A").id)).read_text()


def test_fc_12_very_many_changes_are_read_as_a_whole(box):
    files = {
        f"f{number}.cs": f"public class C{number} {{ public C{number + 1} X; }}\n" for number in range(MOST_CHANGES + 5)
    }
    box.refresh(files)
    written = box.refresh({path: text.replace(" X;", " Y;") for path, text in files.items()}).written
    assert len(written) == len(files)


def test_fc_13_another_configuration_rebuilds(box):
    box.refresh({"a.cs": "public class A { public B X; }\npublic class B { }\n"})
    config = (box.root / CONFIG).read_text()
    (box.root / CONFIG).write_text(f"{config}\nincludeInternalForDependencies: true\n")
    assert INDEX in box.refresh().written
    assert box.index().include_internal_for_dependencies
    (box.root / CONFIG).write_text(config)
    box.refresh()
    assert not box.index().include_internal_for_dependencies


def test_fc_14_order_is_the_same_whoever_builds(box):
    same = "namespace N; public class X { }\n"
    box.refresh({"p/P.csproj": PROJECT, "p/x.cs": same, "z/Z.csproj": PROJECT, "z/x.cs": same, "a.cs": "class A { }\n"})
    twice = [
        [merged.id for merged in index(Request(box.root), members=False, records=False).reading.types] for _ in "12"
    ]
    assert twice[0] == twice[1] == sorted(twice[0])
    assert len([row for row in box.index().types.values() if row.fqn == "N.X"]) == 2


def test_fc_15_an_affected_type_is_written_and_listed(box):
    box.refresh({"a.cs": "public class A { public int X; }\n"})
    result = box.refresh({"a.cs": "public class A { public int X; }\npublic class Fresh { public A A; }\n"})
    path = outline_path(box.locate("Fresh").id)
    assert {path, INDEX} <= set(result.written)
    assert "DependsOn: A" in (box.root / path).read_text()


# -- K. atomic IO


def test_io_01_what_a_crash_left_is_swept(box):
    box.refresh({"a.cs": "public class A { public int X; }\n"})
    left = box.root / ".codecortex/types/.codecortex-tmp-999999999-00000000-1"
    left.write_text("torn")
    os.utime(left, (1, 1))
    path = box.root / outline_path(box.locate("A").id)
    old = path.read_bytes()
    box.refresh()
    assert path.read_bytes() == old
    box.refresh({"a.cs": "public class A { public int Y; }\n"})
    assert not left.exists()


def test_a_project_whose_only_source_could_not_be_read_goes_with_it(box):
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
    assert box.refresh({"P/P.csproj": PROJECT, "P/A.cs": "class A;", "Q/Q.csproj": PROJECT, "Q/L.cs": pointer}).unread
    assert {each.name for each in box.index().projects.values()} == {"P", "Q"}
    assert box.refresh({"P/A.cs": "class A { int F; }"}).unread
    assert box.refresh({"Q/L.cs": None}).written == (INDEX,)
    assert {each.name for each in box.index().projects.values()} == {"P"}


@pytest.mark.parametrize("damage", [b"", b"{", b"\xff\xfe", b'{"schemaVersion":"1.0"}\n', b"[]\n"])
def test_io_02_03_a_corrupt_index_is_made_anew(box, damage):
    box.refresh({"a.cs": "class A { }\n"})
    good = (box.root / INDEX).read_bytes()
    (box.root / INDEX).write_bytes(damage)
    box.refresh()
    assert (box.root / INDEX).read_bytes() == good


def test_io_04_what_a_newer_version_wrote_is_left_alone(box):
    box.refresh({"a.cs": "class A { }\n"})
    newer = (box.root / INDEX).read_bytes().replace(b'"schemaVersion":"1.0"', b'"schemaVersion":"9.0"')
    (box.root / INDEX).write_bytes(newer)
    before = sorted(path.name for path in (box.root / ".codecortex/types").iterdir())
    box.edit({"b.cs": "class B { }\n"})
    with pytest.raises(CodecortexError, match="newer"):
        refresh(Request(box.root))
    assert (box.root / INDEX).read_bytes() == newer
    assert sorted(path.name for path in (box.root / ".codecortex/types").iterdir()) == before


def test_io_05_an_outline_of_no_type_is_removed(box):
    box.refresh({"a.cs": "class A { }\n"})
    stray = box.root / outline_path("T_00000000")
    stray.write_text("# stray\n")
    foreign = box.root / ".codecortex/types/notes.md"
    foreign.write_text("mine\n")
    result = refresh(Request(box.root))
    assert result.removed == (outline_path("T_00000000"),)
    assert foreign.read_text() == "mine\n"


def test_io_06_an_outline_edited_while_a_refresh_runs_is_mended_by_the_next(box):
    box.refresh({"a.cs": "class A { }\n", "b.cs": "class B { }\n"})
    other = box.root / outline_path(box.locate("B").id)
    right = other.read_bytes()
    box.edit({"a.cs": "class A { int x; }\n"})
    refresh(Request(box.root, progress=lambda *_: other.write_text("by hand\n")))  # stamps are taken, nothing written
    assert other.read_text() == "by hand\n"
    assert refresh(Request(box.root)).written == (outline_path(box.locate("B").id),)
    assert other.read_bytes() == right
