"""Renamed types in real repositories: ID-08 to ID-11, aliases, notes that follow, and nothing ever lost."""

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codecortex.git.repository import open_repository
from codecortex.model.code.aliases import Alias, AliasReason
from codecortex.model.code.types import encode_sha256
from codecortex.model.errors import GitStateError, StoreFormatError
from codecortex.operations.notes.moves import apply_note_writes, restore_notes, rewrite_names
from codecortex.operations.reading.tree import open_tree
from codecortex.operations.refresh.init import init
from codecortex.operations.refresh.plan import GeneratedFiles, plan_refresh
from codecortex.operations.refresh.refresh import refresh
from codecortex.operations.refresh.renames import plan_aliases
from codecortex.operations.refresh.result import RefreshResult
from codecortex.operations.request import Request
from codecortex.store.cache.cache import open_cache
from codecortex.store.committed.aliases_json import decode_aliases, encode_aliases
from codecortex.store.paths import ALIASES, INDEX, SEMANTIC, semantic_path

Git = Callable[..., str]

PROJECT = """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup>
</Project>
"""


def declare(name: str, members: Iterable[int], space: str = "N") -> str:
    inside = "".join(f"    public int M{number}(int a) => a;\n" for number in members)
    return f"namespace {space};\npublic class {name}\n{{\n{inside}}}\n"


def text_of(fqn: str, type_id: str, *needed: str, role: str = "") -> bytes:
    needs = ", ".join(f"{each}@1A2B3C4D" for each in needed) or "none"
    return (
        f"# Semantic: {fqn} {type_id}\nStructureHash: 9F2A441C\n"
        f"ImplHash: 5BC19F77 (public 11AA22BB, internal 33CC44DD)\n"
        f"Dependencies: {needs}\nGenerator: hand\n\nROLE: what {role or fqn} is, {type_id}@1A2B3C4D\nLIFECYCLE:\n"
        "EDGE_CASES:\nLIMITATIONS:\nRECOMMENDATIONS:\n"
    ).encode()


class Shop:
    """A repository with a refreshed `.codecortex`."""

    def __init__(self, root: Path, git: Git) -> None:
        self.root, self._git = root, git

    def git(self, *arguments: str) -> str:
        return self._git(self.root, *arguments)

    def write(self, files: dict[str, str | None]) -> None:
        for path, text in files.items():
            file = self.root / path
            if text is None:
                file.unlink()
            else:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, "utf-8")

    def commit(self) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "x")

    def refresh(self, *, stage: bool = True, **options: bool) -> RefreshResult:
        if stage:
            self.git("add", "-A", "--", ".", ":!.codecortex")
        return refresh(Request(self.root, jobs=1), **options)

    def ids(self) -> dict[str, str]:
        types = json.loads((self.root / INDEX).read_bytes())["types"]
        return {row["fqn"]: key for key, row in types.items() if key != "~"}

    def note(self, fqn: str, *needed: str) -> bytes:
        ids = self.ids()
        data = text_of(fqn, ids[fqn], *(ids[each] for each in needed))
        (self.root / SEMANTIC).mkdir(exist_ok=True)
        (self.root / semantic_path(ids[fqn])).write_bytes(data)
        return data

    def notes(self) -> dict[str, str]:
        """The first line of each note to what it is about."""
        out = {}
        for file in sorted((self.root / SEMANTIC).glob("*.md")):
            title, *lines = file.read_text("utf-8").splitlines()
            assert title.endswith(file.stem)
            out[title.split()[2]] = next(line for line in lines if line.startswith("ROLE")).split()[2].rstrip(",")
        return out

    def aliases(self) -> dict[str, str]:
        file = self.root / ALIASES
        rows = decode_aliases(file.read_bytes(), ALIASES) if file.exists() else {}
        return {row.old_fqn: row.new_fqn for row in rows.values()}


@pytest.fixture
def shop(tmp_path: Path, git: Git) -> Callable[[dict[str, str]], Shop]:
    """Make a repository of sources, refreshed and committed."""

    def make(files: dict[str, str]) -> Shop:
        root = tmp_path / "shop"
        root.mkdir()
        git(root, "init", "--quiet")
        init(root)
        made = Shop(root, git)
        made.write(dict(files))
        made.refresh()
        made.commit()
        return made

    return make


def test_id_08_a_rename_is_recorded_and_its_note_moves(shop: Callable[..., Shop]) -> None:
    one = shop({"Old.cs": declare("Old", range(10)), "User.cs": declare("User", range(20, 25))})
    old = one.note("N.Old")
    user = one.note("N.User", "N.Old")
    before = one.ids()
    one.commit()
    one.write({"Old.cs": None, "New.cs": declare("New", range(9))})
    planned = one.refresh(dry_run=True)
    result = one.refresh()
    new = one.ids()["N.New"]
    assert [(alias.old_fqn, alias.new_fqn, alias.score) for alias in result.aliases] == [("N.Old", "N.New", 0.9)]
    assert (result.moved, result.doubts) == ((semantic_path(new),), ())
    assert planned == result._replace(dry_run=True)
    assert (one.root / semantic_path(new)).read_bytes() == old.replace(
        f"N.Old {before['N.Old']}".encode(), f"N.New {new}".encode(), 1
    )
    moved = user.replace(f"Dependencies: {before['N.Old']}@".encode(), f"Dependencies: {new}@".encode())
    assert (one.root / semantic_path(before["N.User"])).read_bytes() == moved
    assert not (one.root / semantic_path(before["N.Old"])).exists()
    again = one.refresh()
    assert (again.written, again.removed, again.aliases) == ((), (), ())


def test_id_09_a_count_difference_of_three_gives_no_alias(shop: Callable[..., Shop]) -> None:
    one = shop({"Old.cs": declare("Old", range(30))})
    one.write({"Old.cs": None, "sub/New.cs": declare("New", [*range(27)]).replace("\n", "\n\n\n\n// other\n")})
    assert one.refresh().aliases == ()
    assert decode_aliases((one.root / ALIASES).read_bytes(), ALIASES) == {}


def test_id_10_renamed_twice_the_first_name_leads_to_the_last(shop: Callable[..., Shop]) -> None:
    one = shop({"T.cs": declare("A", range(5))})
    one.note("N.A")
    one.commit()
    for name in "BC":
        one.write({"T.cs": declare(name, range(5))})
        assert len(one.refresh().aliases) == 1
        one.commit()
    rows = decode_aliases((one.root / ALIASES).read_bytes(), ALIASES)
    assert {row.old_fqn: (row.new_fqn, row.collapsed) for row in rows.values()} == {
        "N.A": ("N.C", True),
        "N.B": ("N.C", False),
    }
    assert b'"collapsed":true' in (one.root / ALIASES).read_bytes()
    assert one.notes() == {"N.C": "N.A"}


def test_renamed_twice_without_a_commit_between(shop: Callable[..., Shop]) -> None:
    one = shop({"T.cs": declare("A", range(5))})
    one.note("N.A")
    for name in "BC":
        one.write({"T.cs": declare(name, range(5))})
        one.refresh()
    assert one.aliases() == {"N.A": "N.C", "N.B": "N.C"}
    assert one.notes() == {"N.C": "N.A"}


def test_id_11_of_two_equal_successors_one_is_taken_and_the_other_told_of(shop: Callable[..., Shop]) -> None:
    one = shop({"Old.cs": declare("Old", range(5))})
    one.write({"Old.cs": None, "B.cs": declare("Second", range(5)), "A.cs": declare("First", range(5))})
    result = one.refresh()
    assert len(result.aliases) == 1
    [doubt] = result.doubts
    assert {candidate.new_fqn for candidate in doubt.candidates} == {"N.First", "N.Second"}
    assert doubt.candidates[0] == result.aliases[0]


def test_back_to_the_old_name_the_alias_goes(shop: Callable[..., Shop]) -> None:
    one = shop({"T.cs": declare("A", range(5))})
    one.note("N.A")
    one.commit()
    told = []
    for name in "BA":
        one.write({"T.cs": declare(name, range(5))})
        told.append([(alias.old_fqn, alias.new_fqn) for alias in one.refresh().taken_back])
        one.commit()
    assert one.aliases() == {"N.B": "N.A"}
    assert one.notes() == {"N.A": "N.A"}
    assert told == [[], [("N.A", "N.B")]]


def test_a_rename_split_over_two_commits_is_reported(shop: Callable[..., Shop]) -> None:
    one = shop({"Old.cs": declare("Old", range(5))})
    data = one.note("N.Old")
    one.commit()
    path = semantic_path(one.ids()["N.Old"])
    one.write({"New.cs": declare("New", range(5))})
    assert one.refresh().aliases == ()
    one.commit()
    one.write({"Old.cs": None})
    result = one.refresh()
    assert [(doubt.old_fqn, path in doubt.why) for doubt in result.doubts] == [("N.Old", True)]
    assert (one.root / path).read_bytes() == data


@pytest.mark.parametrize("how", ["names", "files", "one file"])
def test_two_names_change_places(shop: Callable[..., Shop], how: str) -> None:
    both = [declare("A", range(5)), declare("B", range(10, 16))]
    swapped = [declare("B", range(5)), declare("A", range(10, 16))]
    if how == "one file":
        second = [text.split("\n", 1)[1] for text in (both[1], swapped[1])]
        one = shop({"Both.cs": both[0] + second[0]})
        after = {"Both.cs": swapped[0] + second[1]}
    else:
        one = shop({"A.cs": both[0], "B.cs": both[1]})
        after = dict(zip(("A.cs", "B.cs"), swapped if how == "names" else swapped[::-1], strict=True))
    ids = one.ids()
    one.note("N.A", "N.B")
    one.note("N.B", "N.A")
    one.commit()
    one.write(after)
    result = one.refresh()
    assert one.notes() == {"N.A": "N.B", "N.B": "N.A"}
    assert (result.aliases, len(result.moved), one.aliases()) == ((), 2, {})
    assert f"Dependencies: {ids['N.B']}@" in (one.root / semantic_path(ids["N.A"])).read_text("utf-8")
    one.refresh()
    one.refresh(full=True)
    assert one.notes() == {"N.A": "N.B", "N.B": "N.A"}
    one.commit()
    assert "M" not in one.git("status", "--porcelain")


def test_names_pass_down_a_row(shop: Callable[..., Shop]) -> None:
    one = shop({"1.cs": declare("A", range(5)), "2.cs": declare("B", range(10, 16))})
    one.note("N.A")
    one.note("N.B")
    one.commit()
    one.write({"1.cs": declare("B", range(5)), "2.cs": declare("C", range(10, 16))})
    one.refresh()
    assert one.notes() == {"N.B": "N.A", "N.C": "N.B"}
    assert one.aliases() == {"N.A": "N.B"}


def test_an_edited_note_owner_that_stays_keeps_its_note(shop: Callable[..., Shop]) -> None:
    """A type emptied into a new one is still the type its note speaks of."""
    one = shop({"A.cs": declare("A", range(8)), "B.cs": declare("B", range(20, 28))})
    one.note("N.A")
    one.note("N.B")
    one.commit()
    one.write({"A.cs": declare("A", [50]), "C.cs": declare("C", range(8)), "B.cs": declare("B", [60])})
    assert one.refresh().moved == ()
    assert one.notes() == {"N.A": "N.A", "N.B": "N.B"}


def test_a_type_that_only_names_a_renamed_one_is_nobodys_successor(shop: Callable[..., Shop]) -> None:
    text = "namespace N; public class {} {{ public {} A() => null; public {} B() => null; public void C({} x) {{}} }}"
    files = {f"{name}.cs": text.format(name, *["Old"] * 3) for name in ("French", "German")}
    one = shop({**files, "Old.cs": declare("Old", range(5))})
    one.note("N.French")
    one.note("N.German")
    one.commit()
    after = {"French.cs": None, "German.cs": text.format("German", *["New"] * 3), "Old.cs": declare("New", range(5))}
    one.write(after)
    assert one.refresh().moved == ()
    assert one.aliases() == {"N.Old": "N.New"}
    assert one.notes() == {"N.French": "N.French", "N.German": "N.German"}


def test_what_a_person_said_holds(shop: Callable[..., Shop]) -> None:
    one = shop({"A.cs": declare("A", range(5)), "X.cs": declare("X", range(9))})
    ids = one.ids()
    said = Alias(ids["N.A"], "N.A", ids["N.X"], "N.X", AliasReason.RENAME, 1.0)
    (one.root / ALIASES).write_bytes(encode_aliases([said]))
    one.write({"A.cs": declare("B", range(5))})
    assert one.refresh().aliases == ()
    assert one.aliases() == {"N.A": "N.X"}


def test_a_merge_of_two_types_moves_no_note_and_reports_both(shop: Callable[..., Shop]) -> None:
    one = shop({"A.cs": declare("A", range(6)), "B.cs": declare("B", range(6))})
    kept = one.note("N.A"), one.note("N.B")
    paths = [semantic_path(one.ids()[name]) for name in ("N.A", "N.B")]
    one.commit()
    one.write({"A.cs": None, "B.cs": None, "sub/C.cs": declare("C", range(6)) + "// merged\n" * 30})
    result = one.refresh()
    assert one.aliases() == {}
    assert [doubt.old_fqn for doubt in result.doubts] == ["N.A", "N.B"]
    assert tuple((one.root / path).read_bytes() for path in paths) == kept
    assert one.notes() == {"N.A": "N.A", "N.B": "N.B"}


def test_a_note_in_the_way_is_not_written_over(shop: Callable[..., Shop]) -> None:
    one = shop({"A.cs": declare("A", range(6))})
    old = one.note("N.A")
    path, new = semantic_path(one.ids()["N.A"]), "T_" + encode_sha256("N.B|class|0", 8)
    mine = text_of("N.B", new, role="mine")
    (one.root / semantic_path(new)).write_bytes(mine)
    one.write({"A.cs": declare("B", range(6))})
    result = one.refresh()
    assert one.aliases() == {"N.A": "N.B"}
    assert [(doubt.old_fqn, path in doubt.why) for doubt in result.doubts] == [("N.A", True)]
    assert (one.root / path).read_bytes() == old
    assert (one.root / semantic_path(new)).read_bytes() == mine


def test_a_type_moved_between_projects_keeps_its_id_and_note(shop: Callable[..., Shop]) -> None:
    one = shop({"a/a.csproj": PROJECT, "b/b.csproj": PROJECT, "a/T.cs": declare("T", range(5))})
    one.note("N.T")
    one.commit()
    one.write({"a/T.cs": None, "b/T.cs": declare("T", range(5))})
    result = one.refresh()
    assert (result.aliases, result.doubts) == ((), ())
    assert one.notes() == {"N.T": "N.T"}


def test_a_name_left_by_another_project_gives_the_plain_id(shop: Callable[..., Shop]) -> None:
    files = {f"{name}/{name}.csproj": PROJECT for name in "ab"}
    one = shop({**files, "a/T.cs": declare("T", range(5)), "b/T.cs": declare("T", range(20, 25))})
    one.write({"a/T.cs": None})
    [alias] = one.refresh().aliases
    assert (alias.old_fqn, alias.new_fqn, alias.reason) == ("N.T", "N.T", AliasReason.PROJECT)


def test_a_namesake_that_sorts_first_takes_the_plain_id_but_not_the_note(shop: Callable[..., Shop]) -> None:
    one = shop({"b/b.csproj": PROJECT, "b/T.cs": declare("T", range(5)), "b/U.cs": declare("U", range(30, 35))})
    plain = one.ids()["N.T"]
    old = one.note("N.T")
    one.commit()
    one.write({"a/a.csproj": PROJECT, "a/T.cs": declare("T", range(20, 25))})
    result = one.refresh()
    assert (result.aliases, result.doubts) == ((), ())
    [file] = (one.root / SEMANTIC).glob("*.md")
    assert file.stem != plain
    assert file.read_bytes() == old.replace(plain.encode(), file.stem.encode(), 1)
    one.commit()
    one.write({"a/T.cs": None})
    assert one.refresh().doubts == ()
    assert (one.root / semantic_path(plain)).read_bytes() == old


def test_where_the_first_of_namesakes_goes_its_note_is_the_orphan(shop: Callable[..., Shop]) -> None:
    files = {f"{name}/{name}.csproj": PROJECT for name in "ab"}
    one = shop({**files, "a/T.cs": declare("T", range(5)), "b/T.cs": declare("T", range(20, 25))})
    types = json.loads((one.root / INDEX).read_bytes())["types"]
    first, second = (
        key for name in "ab" for key, row in types.items() if key != "~" and row["files"] == [f"{name}/T.cs"]
    )
    (one.root / SEMANTIC).mkdir(exist_ok=True)
    for key, role in ((first, "first"), (second, "second")):
        (one.root / semantic_path(key)).write_bytes(text_of("N.T", key, role=role))
    one.commit()
    one.write({"a/T.cs": None})
    one.refresh()
    assert b"what second is" in (one.root / semantic_path(first)).read_bytes()
    assert b"what first is" in (one.root / semantic_path(second)).read_bytes()
    one.commit()
    assert one.refresh().moved == ()


def test_a_change_of_kind_is_a_rename_of_the_id(shop: Callable[..., Shop]) -> None:
    one = shop({"A.cs": declare("A", range(5))})
    one.note("N.A")
    one.commit()
    one.write({"A.cs": declare("A", range(5)).replace("class", "record")})
    assert [alias.reason for alias in one.refresh().aliases] == [AliasReason.RENAME]
    assert one.notes() == {"N.A": "N.A"}


@pytest.mark.slow
def test_500_types_move_to_another_namespace_at_once(shop: Callable[..., Shop]) -> None:
    files = {
        f"{number // 20}/T{number}.cs": declare(f"T{number}", range(number % 7), "Old.Space") for number in range(500)
    }
    one = shop(files)
    noted = [f"Old.Space.T{number}" for number in range(0, 500, 5)]
    for fqn in noted:
        one.note(fqn, "Old.Space.T1")
    one.commit()
    one.write({path: text.replace("Old.Space", "New") for path, text in files.items()})
    result = one.refresh()
    assert len(result.aliases) == 500
    assert {alias.reason for alias in result.aliases} == {AliasReason.NAMESPACE_MOVE}
    assert one.notes() == {fqn.replace("Old.Space", "New"): fqn for fqn in noted}
    assert result.doubts == ()
    assert one.refresh().written == ()


# -- git


def test_the_index_of_git_follows_as_with_git_mv_and_history_with_it(shop: Callable[..., Shop]) -> None:
    one = shop({"A.cs": declare("A", range(5))})
    one.note("N.A")
    one.commit()
    old = semantic_path(one.ids()["N.A"])
    one.write({"A.cs": declare("B", range(5))})
    [new] = one.refresh().moved
    assert f"R  {old} -> {new}" in one.git("status", "--porcelain")
    file = one.root / new
    file.write_text(file.read_text("utf-8").replace("LIFECYCLE:", "LIFECYCLE: short"), "utf-8")
    one.commit()
    assert len(one.git("log", "--follow", "--format=%h", "--", new).splitlines()) == 2


def test_unsaved_edits_of_a_note_travel_with_it(shop: Callable[..., Shop]) -> None:
    one = shop({"A.cs": declare("A", range(5))})
    one.note("N.A")
    one.commit()
    old = semantic_path(one.ids()["N.A"])
    file = one.root / old
    file.write_bytes(file.read_bytes() + b"staged\r\n")
    one.git("add", old)
    file.write_bytes(file.read_bytes() + b"unstaged \xff\n")
    one.write({"A.cs": declare("B", range(5))})
    [new] = one.refresh().moved
    assert (one.root / new).read_bytes().endswith(b"RECOMMENDATIONS:\nstaged\r\nunstaged \xff\n")
    assert one.git("show", f":{new}").endswith("RECOMMENDATIONS:\nstaged")
    assert f"# Semantic: N.B {one.ids()['N.B']}" in one.git("show", f":{new}")
    assert old not in one.git("ls-files")


def test_an_untracked_note_stays_untracked(shop: Callable[..., Shop]) -> None:
    one = shop({"A.cs": declare("A", range(5))})
    one.note("N.A")
    one.write({"A.cs": declare("B", range(5))})
    [new] = one.refresh().moved
    assert (one.root / new).exists()
    assert SEMANTIC not in one.git("ls-files")


def test_a_rename_committed_without_codecortex_is_found_later(shop: Callable[..., Shop]) -> None:
    one = shop({"A.cs": declare("A", range(5)), "B.cs": declare("B", range(9, 12))})
    one.note("N.A")
    one.commit()
    one.write({"A.cs": None, "sub/C.cs": declare("C", range(5))})
    one.commit()
    one.write({"B.cs": declare("B", range(9, 14))})
    one.commit()
    (one.root / ".git" / "codecortex" / "cache.sqlite").unlink()
    result = one.refresh()
    assert one.aliases() == {"N.A": "N.C"}
    assert one.notes() == {"N.C": "N.A"}
    assert result.doubts == ()


def test_a_revision_written_into_the_work_tree_records_no_alias(shop: Callable[..., Shop]) -> None:
    one = shop({"A.cs": declare("A", range(5))})
    one.note("N.A")
    one.write({"A.cs": declare("B", range(5))})
    one.git("add", "A.cs")
    one.git("commit", "-qm", "x")
    result = refresh(Request(one.root, rev="HEAD", jobs=1))
    assert (result.aliases, one.aliases(), one.notes()) == ((), {}, {"N.A": "N.A"})


def test_a_note_that_a_merge_left_behind_follows_its_alias(shop: Callable[..., Shop]) -> None:
    one = shop({"A.cs": declare("A", range(5)), "X.cs": declare("X", range(30, 34))})
    one.git("switch", "-qc", "side")
    one.write({"A.cs": declare("B", range(5))})
    one.refresh()
    one.commit()
    one.git("switch", "-q", "main")
    one.refresh()
    one.note("N.A")
    one.write({"X.cs": declare("X", range(30, 36))})
    one.refresh()
    one.commit()
    one.git("merge", "-q", "--no-edit", "side")
    one.write({"Y.cs": declare("Y", range(40, 44))})
    one.refresh()
    assert one.aliases() == {"N.A": "N.B"}
    assert one.notes() == {"N.B": "N.A"}


def test_an_unmerged_note_stops_the_run_before_anything_is_written(shop: Callable[..., Shop]) -> None:
    one = shop({"A.cs": declare("A", range(5)), "B.cs": declare("B", range(10, 15))})
    path = semantic_path(one.ids()["N.B"])
    one.note("N.A")
    one.commit()
    for side, text in (("side", b"one\n"), ("main", b"two\n")):
        one.git("switch", "-q", *(["-c"] if side == "side" else []), side)
        (one.root / path).write_bytes(text)
        one.commit()
    one._git(one.root, "merge", "-q", "side", check=False)  # noqa: SLF001 - it conflicts, as it should
    one.write({"A.cs": declare("C", range(5))})
    before = sorted(file.name for file in (one.root / SEMANTIC).iterdir())
    with pytest.raises(GitStateError, match="unmerged"):
        one.refresh(stage=False)
    assert sorted(file.name for file in (one.root / SEMANTIC).iterdir()) == before
    assert one.aliases() == {}


def test_conflict_markers_in_the_table_are_mended_with_the_next_rename(shop: Callable[..., Shop]) -> None:
    one = shop({"A.cs": declare("A", range(5))})
    rows = [Alias(f"T_0000000{n}", f"N.X{n}", "T_11111111", "N.Y", AliasReason.RENAME, 1.0) for n in "12"]
    data = encode_aliases(rows).decode().replace('"T_00000001', '<<<<<<< a\n"T_00000001')
    data = data.replace('"T_00000002', '=======\n"T_00000002').replace('"~"', '>>>>>>> b\n"~"')
    (one.root / ALIASES).write_text(data, "utf-8")
    one.write({"A.cs": declare("B", range(5))})
    one.refresh()
    assert one.aliases() == {"N.A": "N.B", "N.X1": "N.Y", "N.X2": "N.Y"}


def test_a_damaged_table_stops_the_run_and_loses_nothing(shop: Callable[..., Shop]) -> None:
    one = shop({"A.cs": declare("A", range(5))})
    (one.root / ALIASES).write_text('{"schemaVersion":"1.0",\n"aliases":{\n"T_0000', "utf-8")
    one.write({"A.cs": declare("B", range(5))})
    with pytest.raises(StoreFormatError, match=r"aliases\.json:3"):
        one.refresh()
    assert (one.root / ALIASES).read_text("utf-8").endswith('"T_0000')


def test_incremental_and_full_give_the_same(shop: Callable[..., Shop], tmp_path: Path, git: Git) -> None:
    one = shop(
        {"A.cs": declare("A", range(5)), "B.cs": declare("B", range(10, 15)), "C.cs": declare("C", range(20, 23))}
    )
    one.note("N.A", "N.B")
    one.commit()
    git(tmp_path, "clone", "-q", str(one.root), "two")
    two = Shop(tmp_path / "two", git)
    for each, full in ((one, False), (two, True)):
        each.write({"A.cs": declare("AA", range(5)), "B.cs": None, "sub/B.cs": declare("B", range(10, 15), "M")})
        each.refresh(full=full)
    first, second = (
        {
            file.relative_to(each.root): file.read_bytes()
            for file in (each.root / ".codecortex").rglob("*")
            if file.is_file()
        }
        for each in (one, two)
    )
    assert first == second
    assert one.git("ls-files", "-s") == two.git("ls-files", "-s")


# -- killed runs


class Killed(BaseException):
    """What `kill -9` looks like from inside."""


@pytest.mark.parametrize("swap", [False, True])
def test_a_run_cut_short_anywhere_is_completed_by_the_next(
    shop: Callable[..., Shop], monkeypatch: pytest.MonkeyPatch, *, swap: bool
) -> None:
    one = shop({"A.cs": declare("A", range(5)), "B.cs": declare("B", range(10, 15))})
    one.note("N.A")
    if swap:
        one.note("N.B")
    one.commit()
    one.write(
        {"A.cs": declare("B" if swap else "C", range(5)), **({"B.cs": declare("A", range(10, 15))} if swap else {})}
    )
    real = {name: getattr(os, name) for name in ("replace", "unlink", "rename")}
    wanted = {"N.A": "N.B", "N.B": "N.A"} if swap else {"N.C": "N.A"}
    for steps in range(1, 60):
        left = steps

        def step(name: str) -> Callable[..., None]:
            def run(*arguments: object, **named: object) -> None:
                nonlocal left
                left -= 1
                if left == 0:
                    raise Killed
                real[name](*arguments, **named)

            return run

        with monkeypatch.context() as patched:
            for name in real:
                patched.setattr(os, name, step(name))
            try:
                one.refresh()
            except Killed:
                continue
        break
    else:
        one.refresh()
    assert one.notes() == wanted
    assert one.refresh().written == ()
    assert len(one.git("ls-files", SEMANTIC).splitlines()) == len(wanted)


# -- for the index, as a hook asks


def test_the_index_alone_decides_what_is_planned_for_it(shop: Callable[..., Shop]) -> None:
    one = shop({"A.cs": declare("A", range(5))})
    committed = one.note("N.A")
    one.commit()
    ids = one.ids()
    path = semantic_path(ids["N.A"])
    one.write({"A.cs": declare("B", range(5))})
    one.git("add", "A.cs")
    one.write({"A.cs": declare("Unstaged", range(3))})
    (one.root / path).write_bytes(committed + b"unsaved\n")
    repository = open_repository(one.root)
    blobs = {line.split("\t")[1]: line.split()[1] for line in one.git("ls-files", "-s", ".codecortex").splitlines()}

    def read(name: str) -> bytes | None:
        return repository.ask("read", "cat-file", "blob", blobs[name]) if name in blobs else None

    with open_cache(repository.common_dir / "codecortex", warn=print) as cache:
        tree = open_tree(Request(one.root, staged=True, jobs=1), repository)
        held = GeneratedFiles(blobs, read)
        plan = plan_aliases(tree, plan_refresh(tree, None, held, cache), held, cache)
    [move] = plan.moves
    assert (plan.removals, set(plan.writes)) == ((path,), {move.new_path, ALIASES})
    assert plan.writes[move.new_path] == rewrite(committed, move.alias)


def test_texts_edited_since_a_run_was_cut_short_are_not_undone(shop: Callable[..., Shop]) -> None:
    one = shop({"A.cs": declare("A", range(5)), "B.cs": declare("B", range(10, 15))})
    for fqn in ("N.A", "N.B"):
        one.note(fqn)
    one.commit()
    one.write({"A.cs": declare("B", range(5)), "B.cs": declare("A", range(10, 15))})
    repository = open_repository(one.root)
    with open_cache(repository.common_dir / "codecortex", warn=print) as cache:
        one.git("add", "-A")
        tree = open_tree(Request(one.root, staged=True, jobs=1), repository)
        held = GeneratedFiles({}, lambda path: (one.root / path).read_bytes())
        plan = plan_refresh(tree, None, held, cache)
        held = GeneratedFiles(dict.fromkeys(plan.writes, (0, 0, 0)), held.read)
        renames = plan_aliases(tree, plan, held, cache)
    apply_note_writes(repository, renames.writes, renames.moves)
    file = one.root / semantic_path(one.ids()["N.A"])
    file.write_bytes(file.read_bytes() + b"mine\n")
    restore_notes(repository)
    assert file.read_bytes().endswith(b"mine\n")
    assert one.notes() == {"N.A": "N.B", "N.B": "N.A"}
    assert not (repository.git_dir / "codecortex" / "notes-aside").exists()


# -- the rewriting itself


def rewrite(note: bytes, alias: Alias) -> bytes:
    return rewrite_names(note, {alias.old_id: alias})


@given(st.binary(max_size=60), st.binary(max_size=60))
def test_what_is_no_header_stays_byte_for_byte(head: bytes, body: bytes) -> None:
    alias = Alias("T_AAAAAAAA", "N.A", "T_BBBBBBBB", "N.B", AliasReason.RENAME, 1.0)
    assert rewrite(head, alias) == head
    note = text_of("N.A", alias.old_id) + body
    assert rewrite(note, alias) == note.replace(b"N.A T_AAAAAAAA", b"N.B T_BBBBBBBB", 1)
    back = Alias(alias.new_id, alias.new_fqn, alias.old_id, alias.old_fqn, AliasReason.RENAME, 1.0)
    assert rewrite(rewrite(note, alias), back) == note


def test_a_group_note_names_its_types_anew() -> None:
    alias = Alias("T_AAAAAAAA", "N.A", "T_BBBBBBBB", "N.B", AliasReason.RENAME, 1.0)
    group = (
        b"# Semantic group: G_CCCCCCCC\r\nTypes:\r\n- N.A T_AAAAAAAA: structure 1, impl 2\r\n- N.X T_XXXXXXXX: 3\r\n"
        b"Dependencies: T_AAAAAAAA@11111111, T_XXXXXXXX@22222222\r\nGenerator: T_AAAAAAAA@\r\n\r\nROLE: T_AAAAAAAA@\r\n"
    )
    wanted = group.replace(b"N.A T_AAAAAAAA:", b"N.B T_BBBBBBBB:").replace(b"T_AAAAAAAA@1111", b"T_BBBBBBBB@1111")
    assert rewrite(group, alias) == wanted


def test_a_link_where_a_note_would_go_is_refused_by_name(tmp_path: Path, repo: Path) -> None:
    (repo / SEMANTIC).mkdir(parents=True)
    (repo / SEMANTIC / "T_BBBBBBBB.md").symlink_to(tmp_path / "outside")
    with pytest.raises(GitStateError, match="T_BBBBBBBB"):
        apply_note_writes(open_repository(repo), {semantic_path("T_BBBBBBBB"): b"x"}, ())
