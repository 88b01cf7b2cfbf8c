"""`codecortex outline`: types, members, namespaces, source text and notes; what is not found and what is not clear."""

import json

import pytest

OUTLINE = """# Shop.Core.Store<T> {id}
Kind: class | Files: src/Core/Store.Adding.cs, src/Core/Store.cs | Assembly: Core | public sealed
"""
MORE = """namespace Shop.Core.Deep
{
    /// <summary>Does much. And more.</summary>
    /// <remarks>Slowly.</remarks>
    public class Worker
    {
        /// <summary>Works once.</summary>
        /// <param name="times">How often.</param>
        /// <exception cref="System.Exception">Never.</exception>
        [System.Obsolete("old")]
        [System.ComponentModel.Description(
            "many")]
        public async Task Work<T>([Some] int times = 1, params string[] names) where T : class
        {
            await Task.Yield();
        }

        // not documentation
        public void Work() { }

        /** <summary>Counts.</summary> */
        protected internal int Count
        {
            get;
            private set;
        }

        void Shop.Core.IRun.Run() { }
        int First, Second;
        public int this[string key] => 0;
        public static Worker operator +(Worker a, Worker b) => a;
        public Worker(int n) { }
        public class Inner { public int Work; }
    }
}
namespace Shop.Core { public interface IRun { void Run(); } }
namespace Shop.Core.Deep.Deeper { public class Worker2 { } public enum Way { In, Out } }
"""


def id_of(cli, root, fqn):
    return next(line.split()[0] for line in cli(root, "index").out.splitlines() if line.endswith(f"  {fqn}"))


@pytest.fixture
def more(shop):
    (shop / "src/Core/More.cs").write_text(MORE, "utf-8")
    return shop


@pytest.fixture
def tracked(more, git):
    git(more, "add", ".")
    return more


# -- types


@pytest.mark.parametrize(
    "query",
    ["Shop.Core.Store`1", "Shop.Core.Store", "Store", "store", "Store<T>", "Store<Order>", "T:Shop.Core.Store`1",
     "global::Shop.Core.Store", "Shop.Core.Stor?", "*.Core.Sto?e", "Shop.Core.Store`1."],
)  # fmt: skip
def test_outline_finds_a_type_however_it_is_named(shop, cli, query):
    done = cli(shop, "outline", query)
    assert done.code == 0
    assert done.out.startswith(OUTLINE.format(id=id_of(cli, shop, "Shop.Core.Store`1")))
    assert "  + public Order? Find(string key, bool deep = false)\n" in done.out
    assert "internal" not in done.out.partition("Public API:")[2]


def test_outline_by_id_equals_the_committed_one_but_for_its_hashes(shop, cli):
    cli(shop, "refresh")
    type_id = id_of(cli, shop, "Shop.Core.Store`1")
    committed = (shop / f".codecortex/types/{type_id}.outline.md").read_text("utf-8").splitlines()
    assert cli(shop, "outline", type_id).out.splitlines() == committed
    shown = cli(shop, "outline", type_id, "--hashes").out.splitlines()
    assert [line.split(":")[0] for line in shown[2:4]] == ["StructureHash", "XmlDocHash"]
    assert shown[:2] + shown[4:] == committed
    record = json.loads(cli(shop, "outline", type_id, "--json").out)
    assert record["outline"].splitlines() == committed
    assert record["structureHash"] in shown[2]
    assert record["note"] is None


@pytest.mark.parametrize(
    "query", ["Store.State", "Store`1+State", "Shop.Core.Store<T>.State", "State", "T:Shop.Core.Store`1.State"]
)
def test_se_30_a_nested_type_answers_to_every_spelling(shop, cli, query):
    assert cli(shop, "outline", query).out.startswith("# Shop.Core.Store<T>.State ")


def test_namesakes_of_two_projects_keep_their_ids(shop, cli):
    (shop / "src/App/Order.cs").write_text("namespace Shop.Core;\npublic class Twin { public class In { } }\n", "utf-8")
    (shop / "src/Core/Order.cs").write_text(
        "namespace Shop.Core;\npublic class Twin { public class In { } }\n", "utf-8"
    )
    ids = [line.split()[0] for line in cli(shop, "index").out.splitlines() if line.endswith("  Shop.Core.Twin")]
    assert len(ids) == 2
    for type_id in ids:
        record = json.loads(cli(shop, "outline", type_id, "--json").out)
        inner = record["outline"].partition("class In ")[2].split()[0]
        assert record["id"] == type_id
        assert json.loads(cli(shop, "outline", inner, "--json").out)["projectId"] == record["projectId"]


def test_se_29_no_hit_says_what_can_be_asked_for_and_suggests(shop, cli):
    near = ["Shop.Core.Store`1", "Shop.Core.IStore", "Shop.Core.Store`1+State"]
    done = cli(shop, "outline", "Stroe")
    assert (done.code, done.out) == (3, "")
    assert done.err.startswith("error: ")
    assert "`outline` takes one type, member or namespace" in done.err
    told = json.loads(cli(shop, "outline", "Stroe", "--json").out)["error"]
    assert told["code"] == "SymbolNotFound"
    assert near[0] in str(told["suggestions"])
    assert cli(shop, "outline", "Zzzzzzzzzz").code == 3


def test_se_27_several_hits_are_listed_and_none_is_picked(shop, cli):
    done = cli(shop, "outline", "Order", "--json", "--limit", "1")
    told = json.loads(done.out)["error"]
    assert done.code == 3
    assert told["code"] == "AmbiguousSymbol"
    assert [each["fqn"] for each in told["candidates"]] == ["Shop.App.Order", "Shop.Core.Order"]
    assert all(each["id"] in done.err for each in told["candidates"])
    assert "# Shop.App.Order " in cli(shop, "outline", "App.Order").out


def test_a_name_that_is_merely_near_gives_no_outline(shop, cli):
    for query in ("Shop.Core.Ordre", "Shop.Cor.Order", "Store.Fnid", "Shop.Croe"):
        done = cli(shop, "outline", query)
        assert (done.code, done.out) == (3, ""), query


@pytest.mark.parametrize("query", ["", " ", ".", "...", "<", "Store<<T>", "T:", "M:", "\0", "*" * 3000, "a" * 100_000])
def test_any_text_is_answered_or_refused(shop, cli, query):
    done = cli(shop, "outline", query)
    assert done.code in (2, 3)
    assert done.out == ""
    assert done.err.startswith("error: ")


# -- members


@pytest.mark.parametrize(
    "query",
    ["Shop.Core.Store.Find", "Store.Find", "Store<T>.Find(string, bool)",
     "M:Shop.Core.Store`1.Find(System.String,System.Boolean)"],
)  # fmt: skip
def test_a_member_answers_to_every_spelling(shop, cli, query):
    done = cli(shop, "outline", query)
    assert done.code == 0, done.err
    title, place, blank, declared = done.out.splitlines()
    assert title.startswith(f"# Shop.Core.Store<T>.Find(string, bool) {id_of(cli, shop, 'Shop.Core.Store`1')}_")
    assert (place, blank) == ("Kind: method | File: src/Core/Store.cs:9", "")
    assert declared == "public Order? Find(string key, bool deep = false)"
    assert cli(shop, "outline", title.split()[-1]).out == done.out


def test_a_member_is_told_whole(tracked, cli):
    told = cli(tracked, "outline", "Deep.Worker.Work(int, string[])").out
    assert told.split("\n", 1)[1] == (
        "Kind: method | File: src/Core/More.cs:13-16\n\n"
        '[System.Obsolete("old")]\n[System.ComponentModel.Description("many")]\n'
        "public async Task Work<T>([Some] int times = 1, params string[] names) where T : class\n\n"
        "Works once.\n\nParameters:\n- times — How often.\n\nExceptions:\n- Exception — Never.\n"
    )


def test_a_name_alone_means_all_its_overloads(tracked, cli):
    done = cli(tracked, "outline", "Deep.Worker.Work")
    assert [line.split(" T_")[0] for line in done.out.splitlines() if line.startswith("# ")] == [
        "# Shop.Core.Deep.Worker.Work()", "# Shop.Core.Deep.Worker.Work<T>(int, params string[])",
    ]  # fmt: skip
    record = json.loads(cli(tracked, "outline", "Deep.Worker.Work", "--json", "--source").out)
    assert (record["kind"], record["declaringType"]["fqn"]) == ("member", "Shop.Core.Deep.Worker")
    plain, whole = record["members"]
    assert plain["parameters"] == []
    assert (whole["attributes"], whole["constraints"]) == (
        ['System.Obsolete("old")', 'System.ComponentModel.Description("many")'], ["T : class"],
    )  # fmt: skip
    assert [each["line"] for each in record["source"]] == [19, 7]
    assert (
        record["outline"]
        == "\n\n".join(cli(tracked, "outline", each["id"]).out.rstrip("\n") for each in record["members"]) + "\n"
    )


@pytest.mark.parametrize(
    ("query", "declared"),
    [
        ("Deep.Worker.Count", "protected internal int Count { get; private set; }"),
        ("Deep.Worker.Second", "private int Second"),
        ("Deep.Worker.this(string)", "public int this[string key] { get; }"),
        ("M:Shop.Core.Deep.Worker.#ctor(System.Int32)", "public Worker(int n)"),
        ("Store.State.Closed", "Closed = 4"),
        ("F:Shop.Core.Store`1.State.Closed", "Closed = 4"),
        ("P:Shop.Core.Store`1.Count", "public int Count { get; private set; }"),
        ("Worker.Run", "private void Shop.Core.IRun.Run()"),
    ],
)
def test_members_of_every_kind_are_declared_in_full(tracked, cli, query, declared):
    done = cli(tracked, "outline", query)
    assert done.code == 0, done.err
    assert done.out.split("\n")[3] == declared


OPERATORS = """namespace Shop.Core;
public class Sum : ISum<Sum>
{
    public static explicit operator checked int(Sum sum) => Count.Now;
    public static Sum operator checked +(Sum a, Sum b) => new Sum(Count.Now);
    static Sum ISum<Sum>.operator checked -(Sum a) => new Sum(Count.Now);
    static explicit ISum<Sum>.operator checked long(Sum sum) => Count.Now;
}
public static class Count { public static int Now; }
"""


@pytest.fixture
def operators(shop, cli, git):
    (shop / "src/Core/Sum.cs").write_text(OPERATORS)
    git(shop, "add", ".")
    assert cli(shop, "refresh").code == 0
    return shop


@pytest.mark.parametrize(
    ("query", "called", "declared"),
    [
        ("explicit operator checked int", "explicit operator checked int(Sum)", "public static {}(Sum sum)"),
        ("operator checked +", "operator checked +(Sum, Sum)", "public static Sum {}(Sum a, Sum b)"),
        ("operator checked -", "ISum<Sum>.operator checked -(Sum)", "private static Sum {}(Sum a)"),
        (
            "explicit operator checked long",
            "explicit ISum<Sum>.operator checked long(Sum)",
            "private static {}(Sum sum)",
        ),
    ],
)
def test_operators_are_called_alike_wherever_they_are_told(operators, cli, query, called, declared):
    told = cli(operators, "outline", f"Sum.{query}").out.split("\n")
    assert told[0].startswith(f"# Shop.Core.Sum.{called} T_")
    assert told[3] == declared.format(called.partition("(")[0])
    (found,) = json.loads(cli(operators, "resolve", f"Sum.{query}", "--json").out)["hits"]
    assert found["display"] == f"Shop.Core.Sum.{called}"
    usages = json.loads(cli(operators, "usages", "Count.Now", "--json").out)["usages"]
    assert called.replace("ISum<Sum>.", "") in {each["enclosing"]["member"] for each in usages}


def test_what_the_compiler_adds_is_called_so(shop, cli):
    told = cli(shop, "outline", "Shop.Core.Order.ToString", "--source").out
    assert "Kind: method | Added by the compiler\n" in told
    assert ".cs:" not in told


# -- source


def read_block(text, path):
    """What stands below the last line that names a path with lines."""
    return text.partition(f"\n\n{path}:")[2].split("\n", 1)[1].rstrip("\n")


def test_source_is_the_text_of_each_part_with_its_documentation(shop, cli):
    told = cli(shop, "outline", "Shop.Core.Store", "--source").out
    assert read_block(told, "src/Core/Store.cs") == (shop / "src/Core/Store.cs").read_text("utf-8").split("\n", 2)[
        2
    ].rstrip("\n")
    parts = json.loads(cli(shop, "outline", "Shop.Core.Store", "--source", "--json").out)["source"]
    assert [(each["file"], each["line"], each["endLine"]) for each in parts] == [
        ("src/Core/Store.Adding.cs", 2, 5), ("src/Core/Store.cs", 3, 12),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("query", "first", "last"),
    [
        ("Deep.Worker.Work(int, string[])", "/// <summary>Works once.</summary>", "}"),
        ("Deep.Worker.Work()", "public void Work() { }", "public void Work() { }"),
        ("Deep.Worker.Count", "/** <summary>Counts.</summary> */", "}"),
        ("Deep.Worker.First", "int First, Second;", "int First, Second;"),
        ("Deep.Worker", "/// <summary>Does much. And more.</summary>", "}"),
    ],
)
def test_source_begins_with_what_is_said_above_the_declaration(tracked, cli, query, first, last):
    told = json.loads(cli(tracked, "outline", query, "--source", "--json").out)["source"]
    [lines] = [each["text"].split("\n") for each in told]
    assert (lines[0].strip(), lines[-1].strip()) == (first, last)
    assert len(lines) == told[0]["endLine"] - told[0]["line"] + 1


@pytest.mark.parametrize("tree", [("--staged",), ("--rev", "HEAD")])
def test_source_is_that_of_the_tree_that_is_read(shop, cli, tree):
    before = cli(shop, "outline", "Shop.Core.Store", "--source").out
    store = shop / "src/Core/Store.cs"
    store.write_bytes(store.read_bytes().replace(b"=> null", b"=> default").replace(b"\n", b"\r\n"))
    assert cli(shop, "outline", "Shop.Core.Store", "--source", *tree).out == before
    now = cli(shop, "outline", "Shop.Core.Store", "--source").out
    assert "=> default" in now
    assert "\r" not in now


# -- namespaces


def test_a_namespace_lists_what_is_directly_in_it(tracked, cli):
    told = cli(tracked, "outline", "Shop.Core.Deep").out
    worker = id_of(cli, tracked, "Shop.Core.Deep.Worker")
    assert told == (
        "# Shop.Core.Deep\nKind: namespace | Namespaces: 1 | Types: 1\n\n"
        "  namespace Shop.Core.Deep.Deeper (2 types)\n"
        f"  public class Worker {worker}\n      Does much. ...\n"
    )
    for query in ("N:Shop.Core.Deep", "Shop.Core.Deep.", "shop.core.deep"):
        assert cli(tracked, "outline", query).out == told, query


def test_a_namespace_is_paged(tracked, cli):
    whole = json.loads(cli(tracked, "outline", "Shop.Core", "--json").out)
    names = [each["fqn"] for each in whole["children"]]
    assert names == ["Shop.Core.Deep", "Shop.Core.IRun", "Shop.Core.IStore", "Shop.Core.Order", "Shop.Core.Store`1"]
    assert (whole["total"], whole["nextOffset"], whole["types"], whole["namespaces"]) == (5, None, 4, 1)
    assert whole["children"][0] == {"kind": "namespace", "fqn": "Shop.Core.Deep", "types": 4}
    seen, offset = [], 0
    while offset is not None:
        page = json.loads(cli(tracked, "outline", "Shop.Core", "--json", "--limit", "2", "--offset", str(offset)).out)
        seen += [each["fqn"] for each in page["children"]]
        assert page["total"] == 5
        offset = page["nextOffset"]
    assert seen == names
    assert cli(tracked, "outline", "Shop.Core", "--limit", "2").out.endswith(
        "\n2 of 5; the next page begins at offset 2.\n"
    )
    beyond = json.loads(cli(tracked, "outline", "Shop.Core", "--json", "--offset", "99").out)
    assert (beyond["children"], beyond["nextOffset"], beyond["total"]) == ([], None, 5)


# -- notes and old names


def test_the_outline_says_how_its_note_stands(shop, cli):
    body = shop / "body.txt"
    body.write_text("ROLE: Keeps.\n", "utf-8")
    cli(shop, "semantic", "put", "Shop.Core.Store", "body.txt")
    path = f".codecortex/semantic/{id_of(cli, shop, 'Shop.Core.Store`1')}.md"
    assert cli(shop, "outline", "Store").out.endswith(f"\n\nNote: cached ({path})\n")
    store = shop / "src/Core/Store.cs"
    store.write_text(store.read_text("utf-8").replace("=> null", "=> default"), "utf-8")
    assert cli(shop, "outline", "Store").out.endswith(
        f"\n\nNote: stale: PublicBehavior of Shop.Core.Store`1 changed ({path})\n"
    )
    note = json.loads(cli(shop, "outline", "Store", "--json").out)["note"]
    assert (note["state"], note["path"]) == ("stale", path)
    assert [cause["kind"] for cause in note["causes"]] == ["PublicBehavior"]


def test_an_old_name_is_told_in_the_text_too(shop, cli, git):
    cli(shop, "refresh")
    git(shop, "add", ".")
    git(shop, "commit", "--quiet", "-m", "two")
    file = shop / "src/Core/Store.cs"
    for each in (file, shop / "src/Core/Store.Adding.cs"):
        each.write_text(each.read_text("utf-8").replace("class Store", "class Shelf"), "utf-8")
    cli(shop, "refresh")
    done = cli(shop, "outline", "Shop.Core.Store`1")
    assert done.code == 0
    assert done.err == "note: Shop.Core.Store`1 is now Shop.Core.Shelf`1\n"
    assert done.out.split("\n")[1] == "RedirectedFrom: Shop.Core.Store`1"
    assert json.loads(cli(shop, "outline", "Shop.Core.Store`1", "--json").out)["redirectedFrom"] == "Shop.Core.Store`1"


# -- all members, lines, files


def test_all_members_are_shown_by_accessibility_with_their_lines(tracked, cli):
    shown = cli(tracked, "outline", "Deep.Worker", "--members").out
    head, *groups = [block.splitlines() for block in shown.rstrip().split("\n\n")]
    assert head[0].startswith("# Shop.Core.Deep.Worker ")
    told = {lines[0]: lines[1:] for lines in groups}
    assert list(told)[1:4] == ["Public:", "Protected internal:", "Private:"]
    assert [line.split("  // ")[0] for line in told["Protected internal:"]] == [
        "  + protected internal int Count { get; }", "      Counts.",
    ]  # fmt: skip
    private = [line.split("  // ")[0].split()[-1] for line in told["Private:"]]
    assert sorted(private) == ["First", "Second", "Shop.Core.IRun.Run()"]
    assert any(line.startswith("  + class Inner T_") for line in told["Public:"])
    source = MORE.splitlines()
    for line in (each for group in groups[1:4] for each in group if "  // " in each and "Work" in each):
        first, _, last = line.rpartition("// ")[2].partition("-")
        assert "Work" in "".join(source[int(first) - 1 : int(last or first)])


def test_lines_name_the_file_where_a_type_has_several(shop, cli):
    shown = cli(shop, "outline", "Store", "--lines").out
    assert "  + public Order? Find(string key, bool deep = false)  // src/Core/Store.cs:9\n" in shown
    assert "Add(T order)" not in shown
    assert (
        "  + internal void Add(T order)  // src/Core/Store.Adding.cs:4\n"
        in cli(shop, "outline", "Store", "--members").out
    )
    record = json.loads(cli(shop, "outline", "Store", "--lines", "--json").out)
    assert {"Find", "Add", "Count"} <= {each["name"] for each in record["members"]}
    assert "//" not in record["outline"]


def test_a_file_is_outlined_by_its_types_in_order(tracked, cli):
    every = cli(tracked, "outline", "src/Core/More.cs", "--limit", "9").out
    titles = [line.split()[1].rpartition(".")[2] for line in every.splitlines() if line.startswith("# ")]
    assert titles == ["Worker", "Inner", "IRun", "Worker2", "Way"]
    page = json.loads(cli(tracked, "outline", "src/Core/More.cs", "--limit", "2", "--json").out)
    assert ([each["fqn"] for each in page["types"]], page["total"], page["nextOffset"]) == (
        ["Shop.Core.Deep.Worker", "Shop.Core.Deep.Worker+Inner"], 5, 2,
    )  # fmt: skip
    assert cli(tracked / "src", "outline", "Core/More.cs", "--limit", "9").out == every
    assert cli(tracked / "src/Core", "outline", "./More.cs", "--limit", "9").out == every
    assert cli(tracked, "outline", "src/Core/More.cs", "--rev", "HEAD").code == 3


def test_a_file_that_is_none_suggests_near_ones(tracked, cli):
    done = cli(tracked, "outline", "src/App/Moer.cs", "--json")
    error = json.loads(done.out)["error"]
    assert (done.code, error["code"], error["suggestions"][0]) == (3, "SymbolNotFound", "src/Core/More.cs")
    assert cli(tracked, "outline", "../../etc/passwd.cs").code == 3
