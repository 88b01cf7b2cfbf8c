"""What commits did to a type, found across renames, moves and merges; and where a symbol's type is declared."""

import os
import subprocess

import pytest

from codecortex.git.repository import open_repository
from codecortex.model.code.aliases import Alias, AliasReason
from codecortex.model.code.changes import ChangeClass
from codecortex.model.code.types import encode_sha256
from codecortex.model.errors import AmbiguousSymbolError, SymbolNotFoundError
from codecortex.operations.history import locate as locating
from codecortex.operations.history.blame import blame
from codecortex.operations.history.locate import locate, read_type
from codecortex.operations.history.log import LogFilter, log
from codecortex.operations.history.type_diff import diff_type
from codecortex.operations.reading.facts_library import FactsLibrary
from codecortex.operations.reading.past_types import PastTypes
from codecortex.operations.reading.tree import open_tree, read_projects
from codecortex.operations.request import Request
from codecortex.store.cache.cache import open_cache
from codecortex.store.committed.aliases_json import encode_aliases
from codecortex.symbols.query import parse_query

STORE = """namespace Shop;

public class Store
{
    public int Count { get; set; }
    public void Add(int item) { Count++; }
    public bool Has(int item) => false;
    public string Name() => "store";
}
"""
HAS = "    public bool Has"


@pytest.fixture
def root(tmp_path, git):
    folder = tmp_path / "repo"
    folder.mkdir()
    git(folder, "init", "--quiet")
    return folder


@pytest.fixture
def commit(root, git):
    """Write files (None removes one) and commit them, each commit a minute after the last."""
    clock = [1_700_000_000]

    def run(message, files=()):
        for path, text in dict(files).items():
            file = root / path
            if text is None:
                file.unlink()
            else:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
        clock[0] += 60
        date = {"GIT_AUTHOR_DATE": f"{clock[0]} +0000", "GIT_COMMITTER_DATE": f"{clock[0]} +0000"}
        git(root, "add", "--all")
        call = ["git", "commit", "--quiet", "--allow-empty", "-m", message]
        subprocess.run(call, cwd=root, check=True, env={**os.environ, **date})
        return git(root, "rev-parse", "HEAD")

    return run


def told(root, symbol, **wanted):
    """Subject and status of each commit; the class instead of `changed`."""
    result = log(Request(root), symbol, LogFilter(**wanted))
    return [
        (each.commit.subject, str(each.change.change_class if each.change.status == "changed" else each.change.status))
        for each in result.entries
    ]


def test_each_commit_has_the_class_of_what_it_did(root, commit):
    commit("born", {"Store.cs": STORE})
    commit("structure", {"Store.cs": STORE.replace("int item)", "long item)", 1)})
    commit("behavior", {"Store.cs": STORE.replace("int item)", "long item)", 1).replace("false", "true")})
    commit("elsewhere", {"Other.cs": "class Other;\n"})
    text = (root / "Store.cs").read_text()
    commit("beside it", {"Store.cs": text + "class Beside;\n"})
    commit("internal", {"Store.cs": text.replace("    public bool", "    int _x;\n    public bool")})
    text = (root / "Store.cs").read_text()
    commit("docs", {"Store.cs": text.replace("    public bool", "    /// <summary>Has it?</summary>\n    public bool")})
    text = (root / "Store.cs").read_text()
    commit("cosmetic", {"Store.cs": text.replace("    public bool", "    // has\n    public bool")})
    found = told(root, "Store")
    assert found == [
        ("cosmetic", "Cosmetic"),
        ("docs", "Docs"),
        ("internal", "Internal"),
        ("behavior", "PublicBehavior"),
        ("structure", "Structure"),
        ("born", "added"),
    ]
    entries = log(Request(root), "Shop.Store", LogFilter()).entries
    change = entries[4].change
    assert [(each.before, each.after) for each in change.members.changed] == [
        ("public void Add(int)", "public void Add(long)")
    ]
    assert [each.after for each in entries[2].change.members.added] == ["private int _x"]
    assert len(entries[5].change.members.added) == 4


def test_most_and_least_choose_among_the_commits(root, commit):
    commit("born", {"Store.cs": STORE})
    commit("docs", {"Store.cs": STORE.replace("public class", "/// <summary>Store.</summary>\npublic class")})
    commit("more", {"Store.cs": STORE.replace("string Name()", "string Name(int x)")})
    assert told(root, "Store", most=1) == [("more", "Structure")]
    assert told(root, "Store", least=ChangeClass.STRUCTURE) == [("more", "Structure"), ("born", "added")]
    assert told(root, "Store", commits="HEAD~2..HEAD~1") == [("docs", "Docs")]
    assert told(root, "Store", commits="HEAD~1") == [("docs", "Docs"), ("born", "added")]


def test_a_renamed_file_is_followed(root, commit):
    commit("born", {"Store.cs": STORE})
    commit("behavior", {"Store.cs": STORE.replace("false", "true")})
    commit("moved and changed", {"Store.cs": None, "src/Shop.cs": STORE.replace("false", "true").replace("++", "--")})
    commit("later", {"src/Shop.cs": STORE})
    assert told(root, "Store") == [
        ("later", "PublicBehavior"),
        ("moved and changed", "PublicBehavior"),
        ("behavior", "PublicBehavior"),
        ("born", "added"),
    ]
    moved = log(Request(root), "Store", LogFilter()).entries[1].change
    assert (moved.old_files, moved.files) == (("Store.cs",), ("src/Shop.cs",))


def test_a_renamed_type_is_followed_with_its_file_or_without(root, commit):
    commit("born", {"Store.cs": STORE})
    commit("first rename", {"Store.cs": STORE.replace("Store", "Depot")})
    commit("namespace", {"Store.cs": STORE.replace("Store", "Depot").replace("namespace Shop", "namespace Mall")})
    final = STORE.replace("Store", "Warehouse").replace("namespace Shop", "namespace Mall")
    commit("second rename", {"Store.cs": None, "Warehouse.cs": final})
    assert told(root, "Warehouse") == [
        ("second rename", "renamed"),
        ("namespace", "renamed"),
        ("first rename", "renamed"),
        ("born", "added"),
    ]
    names = [each.change.old_fqn for each in log(Request(root), "Warehouse", LogFilter()).entries]
    assert names == ["Mall.Depot", "Shop.Depot", "Shop.Store", ""]


@pytest.mark.parametrize("old", ["Shop.Store", "Depot", "Mall.Depot"])
def test_an_old_name_leads_to_the_type_of_today(root, commit, old):
    commit("born", {"Store.cs": STORE})
    commit("first rename", {"Store.cs": None, "Depot.cs": STORE.replace("Store", "Depot")})
    commit("namespace", {"Depot.cs": STORE.replace("Store", "Depot").replace("namespace Shop", "namespace Mall")})
    final = STORE.replace("Store", "Warehouse").replace("namespace Shop", "namespace Mall")
    commit("second rename", {"Depot.cs": None, "Warehouse.cs": final})
    result = log(Request(root), old, LogFilter())
    assert result.fqn == "Mall.Warehouse"
    assert len(result.entries) == 4


def test_a_removed_type_keeps_its_history(root, commit):
    commit("born", {"Store.cs": STORE, "Other.cs": "class Other;\n"})
    commit("behavior", {"Store.cs": STORE.replace("false", "true")})
    commit("gone", {"Store.cs": None})
    assert told(root, "Shop.Store") == [("gone", "removed"), ("behavior", "PublicBehavior"), ("born", "added")]


def test_a_type_that_came_back_has_both_lives(root, commit):
    commit("born", {"Store.cs": STORE})
    commit("gone", {"Store.cs": "// nothing\n"})
    commit("back", {"Store.cs": STORE})
    assert told(root, "Store") == [("back", "added"), ("gone", "removed"), ("born", "added")]


def test_a_type_moved_between_files_that_both_stay_is_followed(root, commit):
    commit("born", {"All.cs": STORE + "public class Other { }\n", "New.cs": "namespace Shop;\npublic class X { }\n"})
    commit("behavior", {"All.cs": STORE.replace("false", "true") + "public class Other { }\n"})
    moved = STORE.replace("false", "true") + "public class X { }\n"
    commit("moved", {"All.cs": "namespace Shop;\npublic class Other { }\n", "New.cs": moved})
    assert told(root, "Store") == [("moved", "Cosmetic"), ("behavior", "PublicBehavior"), ("born", "added")]
    change = log(Request(root), "Store", LogFilter()).entries[0].change
    assert (change.old_files, change.files) == (("All.cs",), ("New.cs",))


PART = "namespace Shop;\n\npublic partial class Store\n{\n    public int {0}() => {1};\n}\n"


def part(name, value=1):
    return PART.replace("{0}", name).replace("{1}", str(value))


def test_a_partial_type_is_one_type(root, commit):
    commit("born", {"Store.cs": part("A"), "Store.More.cs": part("B")})
    commit("first part", {"Store.cs": part("A", 2)})
    commit("second part", {"Store.More.cs": part("B", 2)})
    commit(
        "member moved", {"Store.cs": part("A", 2).replace("}", "    public int B() => 2;\n}"), "Store.More.cs": None}
    )
    commit("part renamed in", {"Store.cs": part("A", 2), "Store.Extra.cs": part("B", 2)})
    commit("part renamed", {"Store.Extra.cs": None, "Parts/Bits.cs": part("B", 2)})
    assert told(root, "Store") == [
        ("part renamed", "Cosmetic"),
        ("part renamed in", "Cosmetic"),
        ("member moved", "Cosmetic"),
        ("second part", "PublicBehavior"),
        ("first part", "PublicBehavior"),
        ("born", "added"),
    ]


def test_nested_and_generic_types_have_histories(root, commit):
    commit("born", {"S.cs": "namespace N;\npublic class Box<T>\n{\n    public enum Size { Small }\n}\n"})
    commit("more", {"S.cs": "namespace N;\npublic class Box<T>\n{\n    public enum Size { Small, Large }\n}\n"})
    assert told(root, "Box<T>.Size") == [("more", "Structure"), ("born", "added")]
    assert told(root, "Box") == [("born", "added")]


def test_a_nested_type_changes_with_what_hides_it(root, commit):
    text = "namespace N;\n{} partial class Outer {{ {} }}\n"
    commit("born", {"A.cs": text.format("internal", "public class Leaf;")})
    commit("shown", {"A.cs": text.format("public", "public class Leaf;")})
    commit("moved", {"A.cs": text.format("public", ""), "B.cs": text.format("", "public class Leaf;")})
    assert told(root, "Outer.Leaf") == [("moved", "Cosmetic"), ("shown", "Structure"), ("born", "added")]


def test_side_branches_are_walked_and_clean_merges_left_out(root, git, commit):
    commit("born", {"Store.cs": STORE})
    git(root, "checkout", "--quiet", "-b", "side")
    commit("side", {"Store.cs": STORE.replace('"store"', '"side"')})
    git(root, "checkout", "--quiet", "main")
    commit("main", {"Store.cs": STORE.replace("int Count", "long Count")})
    git(root, "merge", "--quiet", "-m", "merged", "side")
    assert told(root, "Store") == [("main", "Structure"), ("side", "PublicBehavior"), ("born", "added")]


def test_a_merge_that_changed_the_type_itself_is_told_of_with_its_own_part(root, git, commit):
    commit("born", {"Store.cs": STORE})
    git(root, "checkout", "--quiet", "-b", "side")
    commit("side", {"Store.cs": STORE.replace('"store"', '"side"')})
    git(root, "checkout", "--quiet", "main")
    commit("main", {"Store.cs": STORE.replace("int Count", "long Count")})
    git(root, "merge", "--quiet", "--no-commit", "side")
    commit("evil", {"Store.cs": (root / "Store.cs").read_text().replace("=> false", "=> true")})
    entries = log(Request(root), "Store", LogFilter()).entries
    assert [each.commit.subject for each in entries] == ["evil", "main", "side", "born"]
    assert [each.after for each in entries[0].change.members.changed] == ["public bool Has(int)"]
    assert entries[0].change.change_class == "PublicBehavior"


def test_commits_on_a_branch_beside_a_rename_are_kept(root, git, commit):
    commit("born", {"Store.cs": STORE})
    commit("renamed", {"Store.cs": None, "Depot.cs": STORE.replace("Store", "Depot")})
    git(root, "checkout", "--quiet", "-b", "side")
    commit("side", {"Depot.cs": STORE.replace("Store", "Depot").replace('"store"', '"side"')})
    git(root, "checkout", "--quiet", "main")
    commit("main", {"Depot.cs": STORE.replace("Store", "Depot").replace("int Count", "long Count")})
    git(root, "merge", "--quiet", "-m", "merged", "side")
    found = told(root, "Depot")
    assert sorted(found) == sorted(
        [("main", "Structure"), ("side", "PublicBehavior"), ("renamed", "renamed"), ("born", "added")]
    )
    assert found[-2:] == [("renamed", "renamed"), ("born", "added")]


def test_two_types_that_swapped_names_keep_their_own_lives(root, commit):
    one = "namespace N;\npublic class One\n{\n    public int A;\n    public int B;\n    public int C;\n}\n"
    two = "namespace N;\npublic class Two\n{\n    public string X;\n    public string Y;\n    public string Z;\n}\n"
    commit("born", {"One.cs": one, "Two.cs": two})
    commit("away", {"One.cs": None, "Temp.cs": one.replace("One", "Temp")})
    commit("second", {"Two.cs": None, "One.cs": two.replace("Two", "One")})
    commit("third", {"Temp.cs": None, "Two.cs": one.replace("One", "Two")})
    assert told(root, "Two") == [("third", "renamed"), ("away", "renamed"), ("born", "added")]
    assert told(root, "One") == [("second", "renamed"), ("born", "added")]


def test_a_shallow_clone_says_where_history_ends(root, git, commit, tmp_path):
    commit("born", {"Store.cs": STORE})
    commit("middle", {"Store.cs": STORE.replace("false", "true")})
    commit("last", {"Store.cs": STORE.replace("int Count", "long Count")})
    git(tmp_path, "clone", "--quiet", "--depth", "2", f"file://{root}", "clone")
    result = log(Request(tmp_path / "clone"), "Store", LogFilter())
    assert [each.commit.subject for each in result.entries] == ["last"]
    assert result.shallow
    assert not log(Request(root), "Store", LogFilter()).shallow


def test_history_is_read_with_the_symbols_of_the_project(root, commit):
    framework = "<PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup>"
    project = f'<Project Sdk="Microsoft.NET.Sdk">{framework}</Project>'
    text = "namespace N;\npublic class C\n{\n#if NET8_0\n    public int New;\n#else\n    public int Old;\n#endif\n}\n"
    commit("born", {"src/P.csproj": project, "src/Old/C.cs": text})
    commit("other branch", {"src/Old/C.cs": text.replace("int Old", "long Old")})
    commit("moved", {"src/Old/C.cs": None, "src/C.cs": text.replace("int Old", "long Old")})
    commit("this branch", {"src/C.cs": text.replace("int New", "long New").replace("int Old", "long Old")})
    found = told(root, "N.C")
    assert found[0] == ("this branch", "Structure")
    assert found[1] == ("moved", "Cosmetic")
    assert found[2][0] == "other branch"
    assert found[2][1] in ("PublicBehavior", "Internal")


# -- where a symbol's type is declared


@pytest.fixture
def opened(root):
    """Open a tree of the repository with a cache of its own."""
    caches = []

    def run(**options):
        repository = open_repository(root)
        cache = open_cache(root.parent / f"cache{len(caches)}", warn=print)
        caches.append(cache)
        tree = open_tree(Request(root, **options), repository)
        return tree, read_projects(tree, cache), cache

    yield run
    for cache in caches:
        cache.close()


ODD = {
    "a.cs": "namespace N;\nclass Plain { class Inner { } }\nstruct Gen<T> { }\nstruct Gen { }\n",
    "b.cs": "namespace N { delegate System.Collections.Generic.List<int>\nHandler(int x); partial class Split { } }\n",
    "c.cs": "class\n  Broken\n  : X { }\nrecord struct Point(int X);\nclass @class { }\nclass Top { }\n",
    "d.cs": "namespace M; public partial class Split { Plain plain; }\nenum Colour { Red }\n// class Ghost\n",
    "e.cs": "namespace N; public partial class Split { }\ninterface /* odd */ Hidden { }\nfile class Local { }\n",
}
NAMES = (
    "Plain",
    "N.Plain.Inner",
    "Gen<T>",
    "Gen",
    "Handler",
    "N.Split",
    "M.Split",
    "Broken",
    "Point",
    "class",
    "Colour",
)


def shelved(ends, asked):
    """What `locate` and `list_places` take: a tree, its projects, what is asked for, and a library of their facts."""
    tree, projects, cache = ends
    return tree, projects, asked, FactsLibrary(tree.request, tree.repository, cache)


@pytest.mark.parametrize("most", [0, 200])
@pytest.mark.parametrize("options", [{}, {"staged": True}, {"rev": "HEAD"}])
def test_a_type_is_found_wherever_reading_everything_finds_it(opened, commit, monkeypatch, options, most):
    commit("one", ODD)
    monkeypatch.setattr(locating, "_MOST_PARSED", most)
    queries = [parse_query(name) for name in (*NAMES, "Hidden", "Local", "top", "T:N.Gen`1", "*.Colour")]
    unread = {query: locate(*shelved(opened(**options), query)) for query in queries[:-1]}  # no summary is kept yet
    every = {place.fqn: place for place in locating.list_places(*shelved(opened(**options), None))}
    for query in queries:
        tree, projects, _, library = shelved(opened(**options), query)
        place = locate(tree, projects, query, library)
        assert place == every[place.fqn] == unread.get(query, place)
        assert read_type(tree, projects, place, library).type.files == place.files
        assert locate(tree, projects, parse_query(place.id), library) == place
    assert locate(*shelved(opened(), parse_query("N.Split"))).files == ("b.cs", "e.cs")


def test_what_is_not_there_or_not_one_is_said(opened, commit):
    commit("one", ODD)
    tree, projects, _, library = shelved(opened(), None)
    with pytest.raises(AmbiguousSymbolError) as several:
        locate(tree, projects, parse_query("Split"), library)
    assert [each["fqn"] for each in several.value.details["candidates"]] == ["M.Split", "N.Split"]
    with pytest.raises(SymbolNotFoundError, match="Ghost"):
        locate(tree, projects, parse_query("Ghost"), library)
    with pytest.raises(SymbolNotFoundError) as near:
        locate(tree, projects, parse_query("Colours"), library)
    assert near.value.details["suggestions"] == ("M.Colour",)


def test_files_that_changed_on_disk_are_read_as_they_are(opened, commit, root):
    commit("one", ODD)
    (root / "a.cs").write_text("namespace N;\nclass Fresh { int added; }\n")
    tree, projects, _, library = shelved(opened(), None)
    place = locate(tree, projects, parse_query("Fresh"), library)
    assert next(member.facts.name for member in read_type(tree, projects, place, library).type.members) == "added"
    with pytest.raises(SymbolNotFoundError):
        locate(tree, projects, parse_query("Plain"), library)
    assert locate(*shelved(opened(rev="HEAD"), parse_query("Plain"))).fqn == "N.Plain"


# -- types of other commits


def test_a_type_is_assembled_from_blobs(opened, commit, git, root):
    commit("one", {"A.cs": part("A"), "B.cs": part("B")})
    commit("two", {"A.cs": part("A", 2)})
    tree, projects, cache = opened(rev="HEAD")
    past = PastTypes(tree, projects, cache)
    blobs = {
        rev: {path: git(root, "rev-parse", f"{rev}:{path}") for path in ("A.cs", "B.cs")} for rev in ("HEAD", "HEAD~1")
    }
    new, old = (past.read("Shop.Store", "", blobs[rev]) for rev in ("HEAD", "HEAD~1"))
    assert [member.facts.name for member in old.type.members if not member.facts.implicit] == ["A", "B"]
    assert new.prints.structure == old.prints.structure
    assert new.prints.public_impl != old.prints.public_impl
    _, _, query, library = shelved((tree, projects, cache), parse_query("Store"))
    assert new.prints == read_type(tree, projects, locate(tree, projects, query, library), library).prints
    assert past.read("Shop.Nothing", "", blobs["HEAD"]) is None
    assert {each.fqn for each in past.list_types("", blobs["HEAD"])} == {"Shop.Store"}


def test_a_blob_that_is_missing_is_told_of(opened, commit):
    commit("one", {"A.cs": part("A")})
    past = PastTypes(*opened(rev="HEAD"))
    assert past.read("Shop.Store", "", {"A.cs": "f" * 40}) is None
    assert list(past.unread) == ["f" * 40]


# -- differences and authors


def test_a_difference_is_found_between_any_two_trees(root, git, commit):
    commit("one", {"Store.cs": STORE})
    commit("two", {"Store.cs": STORE.replace("Add(int item)", "Add(int item, bool twice)")})
    (root / "Store.cs").write_text(STORE.replace("Add(int item)", "Put(int item)"))
    here = diff_type(Request(root), "Store", None)
    assert here.change.change_class == "Structure"
    assert [each.after for each in here.change.members.added] == ["public void Put(int)"]
    assert "+  + public void Put(int item)" in here.lines
    assert "-  + public void Add(int item, bool twice)" in here.lines
    ranged = diff_type(Request(root), "Store", "HEAD~1..HEAD")
    assert [each.before for each in ranged.change.members.changed] == ["public void Add(int)"]
    assert diff_type(Request(root), "Store", "HEAD..HEAD") == ("Shop.Store", "", None, ())
    assert diff_type(Request(root, staged=True), "Store", None).change is None
    git(root, "add", ".")
    assert diff_type(Request(root, staged=True), "Store", "HEAD").change is not None


@pytest.mark.parametrize("symbol", ["Shop.Store", "Shop.Depot"])
def test_a_type_renamed_between_two_trees_is_one(root, commit, symbol):
    commit("one", {"Store.cs": STORE})
    commit(
        "two",
        {
            "Store.cs": None,
            "Depot.cs": STORE.replace("Store", "Depot").replace(HAS, f"/// <summary>Has?</summary>\n{HAS}"),
        },
    )
    found = diff_type(Request(root), symbol, "HEAD~1..HEAD")
    assert (found.change.status, found.change.old_fqn, found.fqn) == ("renamed", "Shop.Store", "Shop.Depot")
    assert "+      Has?" in found.lines


def test_types_that_came_or_went_are_told_of(root, commit):
    commit("one", {"Store.cs": STORE})
    commit("two", {"Store.cs": "enum E { }\n"})
    assert diff_type(Request(root), "Store", "HEAD~1..HEAD").change.status == "removed"
    assert diff_type(Request(root), "E", "HEAD~1..HEAD").change.status == "added"
    with pytest.raises(SymbolNotFoundError):
        diff_type(Request(root), "Nothing", "HEAD~1..HEAD")


def test_blame_names_the_newest_commit_of_each_member(root, commit):
    first = commit("one", {"Store.cs": part("A"), "More.cs": part("B")})
    second = commit("two", {"Store.cs": part("A", 2), "More.cs": part("B").replace("    public", "  public")})
    (root / "More.cs").write_text(part("B").replace("}", "    public int C;\n}"))
    result = blame(Request(root), "Store")
    rows = {row.signature: row.blame.commit for row in result.rows if row.kind != "type"}
    assert rows == {"public int A()": second, "public int B()": first, "public int C": ""}
    assert [(row.file, row.blame.commit) for row in result.rows if row.kind == "type"] == [
        ("More.cs", first),
        ("Store.cs", first),
    ]
    old = blame(Request(root, rev="HEAD"), "Store")
    assert [row.signature for row in old.rows if row.kind != "type"] == ["public int A()", "public int B()"]


def test_a_file_no_commit_holds_is_not_committed_yet(root, git, commit):
    commit("one", {"Store.cs": part("A")})
    (root / "New.cs").write_text("class Fresh { int x; }\n")
    git(root, "add", ".")
    result = blame(Request(root), "Fresh")
    assert {row.blame.commit for row in result.rows} == {""}


def test_aliases_continue_a_line_that_likeness_alone_would_not(root, commit):
    commit("born", {"Store.cs": STORE})
    commit("later", {"Store.cs": STORE.replace("false", "true")})
    other = "namespace Shop;\n\npublic class Depot\n{\n    public string Only;\n    public long More() => 3;\n}\n"
    ids = {fqn: encode_sha256(f"{fqn}|class|0", 8) for fqn in ("Shop.Store", "Shop.Depot")}
    alias = Alias(
        f"T_{ids['Shop.Store']}", "Shop.Store", f"T_{ids['Shop.Depot']}", "Shop.Depot", AliasReason.RENAME, 0.1
    )
    commit("made over", {"Store.cs": None, "Depot.cs": other})
    assert told(root, "Depot") == [("made over", "added")]
    commit("told", {".codecortex/aliases.json": encode_aliases([alias]).decode()})
    found = [("made over", "renamed"), ("later", "PublicBehavior"), ("born", "added")]
    assert told(root, "Depot") == told(root, "Shop.Store") == found


def test_a_damaged_alias_table_is_warned_of(root, commit):
    commit("born", {"Store.cs": STORE, ".codecortex/aliases.json": "{"})
    warnings = []
    result = log(Request(root, warn=warnings.append), "Store", LogFilter())
    assert [each.commit.subject for each in result.entries] == ["born"]
    assert any("aliases.json" in warning for warning in warnings)
