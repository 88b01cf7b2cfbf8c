"""`resolve` and `search` through the real command."""

import json

import pytest


@pytest.fixture
def indexed(shop, cli):
    assert cli(shop, "refresh").code == 0
    return shop


@pytest.fixture
def ask(indexed, cli):
    def run(*arguments):
        result = cli(indexed, *arguments, "--json")
        return json.loads(result.out)

    return run


def test_rs_23_exit_codes_tell_found_from_nothing_found_with_and_without_an_index(shop, cli, git):
    for command in (["status"], ["refresh"]):
        assert cli(shop, *command).code == 0
        for as_json in ([], ["--json"]):
            assert cli(shop, "resolve", "Store", *as_json).code == 0
            assert cli(shop, "resolve", "Nothing.At.All", *as_json).code == 3
            assert cli(shop, "search", "nothingatall", *as_json).code == 3
    git(shop, "rm", "-rqf", ".codecortex")
    assert cli(shop, "search", "Store").code == 0


def test_rs_27_nothing_found_suggests_near_names(ask):
    error = ask("resolve", "App.Stores")["error"]
    assert (error["code"], error["suggestions"][0]) == ("SymbolNotFound", "Shop.Core.Store`1")
    error = ask("resolve", "Store.Countess")["error"]
    assert error["suggestions"] == ["Shop.Core.Store<T>.Count"]


@pytest.mark.parametrize("name", ["Stroe", "Store.Fnid", "Ordr"])
def test_a_near_name_alone_is_nothing_found(indexed, cli, ask, name):
    assert cli(indexed, "resolve", name).code == 3
    error = ask("resolve", name)["error"]
    assert error["code"] == "SymbolNotFound"
    assert error["suggestions"]


def test_rs_27_a_misspelt_name_is_suggested_where_one_symbol_is_needed(ask):
    error = ask("outline", "Stroe")["error"]
    assert (error["code"], error["suggestions"]) == ("SymbolNotFound", ["Shop.Core.Store`1"])


def test_rs_27_a_command_that_needs_one_symbol_names_the_candidates(ask):
    error = ask("outline", "Order")["error"]
    assert error["code"] == "AmbiguousSymbol"
    assert sorted(each["fqn"] for each in error["candidates"]) == ["Shop.App.Order", "Shop.Core.Order"]


def test_a_type_is_told_with_where_it_stands(ask):
    (hit,) = ask("resolve", "Shop.Core.Store<T>")["hits"]
    assert hit | {"id": "", "projectId": ""} == {
        "id": "", "fqn": "Shop.Core.Store`1", "kind": "class", "name": "Store", "display": "Shop.Core.Store<T>",
        "docId": "T:Shop.Core.Store`1",
        "namespace": "Shop.Core", "assembly": "Core", "projectId": "", "accessibility": "public",
        "files": ["src/Core/Store.Adding.cs", "src/Core/Store.cs"], "match": "genericBase", "flags": [], "score": 0,
        "test": False,
    }  # fmt: skip


def test_a_member_is_told_with_its_signature_and_its_line(ask):
    (hit,) = ask("resolve", "Store.Find")["hits"]
    assert (hit["kind"], hit["name"], hit["declaration"]) == (
        "method", "Find", "public Order? Find(string key, bool deep = false)",
    )  # fmt: skip
    assert [parameter["name"] for parameter in hit["parameters"]] == ["key", "deep"]
    assert hit["span"]["file"] == "src/Core/Store.cs"
    assert hit["memberId"].startswith(hit["typeId"] + "_")
    assert ask("resolve", hit["memberId"])["hits"] == [hit | {"match": "id", "flags": [], "score": 0}]


def test_se_03_and_se_09_a_namespace_is_a_symbol_with_a_parent_and_no_assembly(ask):
    (hit,) = ask("resolve", "N:Shop.Core")["hits"]
    assert (hit["kind"], hit["name"], hit["namespace"], hit["assembly"]) == ("namespace", "Core", "Shop", "")


def test_kinds_choose(ask):
    assert [hit["kind"] for hit in ask("resolve", "Shop.Core.", "--kind", "interface")["hits"]] == ["interface"]
    both = ask("resolve", "Shop.Core.", "--kind", "interface", "--kind", "record")["hits"]
    assert [hit["kind"] for hit in both] == ["interface", "record"] or [hit["kind"] for hit in both] == [
        "record", "interface",
    ]  # fmt: skip
    assert {hit["kind"] for hit in ask("resolve", "Count", "--kind", "member")["hits"]} == {"property"}


def test_an_unknown_kind_is_refused(indexed, cli):
    result = cli(indexed, "resolve", "Store", "--kind", "clas")
    assert result.code == 2
    assert "interface" in result.err


def test_se_26_pages_are_cut_from_the_ordered_whole(indexed, cli, git):
    source = "\n".join(f"namespace N{number:02} {{ class Same {{ }} }}" for number in range(40))
    (indexed / "src/Core/Many.cs").write_text(source)
    git(indexed, "add", ".")
    pages = []
    offset = 0
    while offset is not None:
        page = json.loads(cli(indexed, "resolve", "Same", "--limit", "15", "--offset", str(offset), "--json").out)
        assert page["total"] == 40
        pages.append([hit["fqn"] for hit in page["hits"]])
        offset = page["nextOffset"]
    assert [len(page) for page in pages] == [15, 15, 10]
    assert [name for page in pages for name in page] == [f"N{number:02}.Same" for number in range(40)]
    text = cli(indexed, "resolve", "Same", "--limit", "15").out
    assert text.splitlines()[-1] == "15 of 40; more with --offset 15."
    assert cli(indexed, "resolve", "Same", "--offset", "99").out == "40 in all; none on this page.\n"


def test_se_27_and_se_29_equally_good_hits_give_the_list_and_no_outline(indexed, cli):
    result = cli(indexed, "outline", "Order", "--limit", "1")
    assert (result.code, result.out) == (3, "")
    assert "Shop.App.Order" in result.err
    assert "Shop.Core.Order" in result.err


def test_se_29_one_hit_gives_the_outline_a_near_one_does_not(indexed, cli):
    assert cli(indexed, "outline", "IStore").out.startswith("# Shop.Core.IStore ")
    result = cli(indexed, "outline", "IStor")
    assert (result.code, result.out) == (3, "")
    assert "Shop.Core.IStore" in result.err


def test_se_30_a_nested_type_is_outlined_by_its_documentation_id(indexed, cli):
    assert cli(indexed, "outline", "T:Shop.Core.Store`1.State").out.startswith("# Shop.Core.Store")


def test_se_25_a_partial_type_in_two_files_is_one_hit(ask):
    assert ask("resolve", "Store")["total"] == 1


def test_every_query_of_one_tree_gives_the_same_answer(indexed, cli):
    first = cli(indexed, "search", "order", "--json").out
    assert cli(indexed, "search", "order", "--json").out == first


def test_search_says_why(ask):
    hits = ask("search", "keeps", "orders")["hits"]
    assert [(hit["fqn"], hit["match"]) for hit in hits if "words" not in hit] == [("Shop.Core.Store`1", "doc")]
    assert [(hit["name"], hit["match"]) for hit in ask("search", "stor", "--limit", "2")["hits"]] == [
        ("Store", "prefix"), ("Store", "prefix"),
    ]  # fmt: skip
    assert ask("search", "Stroe")["hits"][0]["match"] == "fuzzy"
    assert ask("search", "*Stor*")["hits"][0]["match"] == "wildcard"


def test_text_is_one_aligned_line_to_a_hit(indexed, cli):
    lines = cli(indexed, "resolve", "Order").out.splitlines()
    assert [line.split()[1:] for line in lines] == [
        ["class", "Shop.App.Order", "src/App/Order.cs", "suffix", "ambiguous", "partial"],
        ["record", "Shop.Core.Order", "src/Core/Order.cs", "suffix", "ambiguous", "partial"],
    ]
    assert lines[0].index("Shop") == lines[1].index("Shop")


def test_an_old_name_leads_to_the_new_one(indexed, cli, git, ask):
    old = ask("resolve", "Shop.Core.Store<T>")["hits"][0]["id"]
    git(indexed, "add", ".")
    git(indexed, "commit", "-m", "two")
    for name in ("Store.cs", "Store.Adding.cs"):
        file = indexed / "src/Core" / name
        file.write_text(file.read_text().replace("class Store<T>", "class Shelf<T>"))
    assert cli(indexed, "refresh").code == 0
    for query, fqn in (
        ("Shop.Core.Store<T>", "Shop.Core.Shelf`1"),
        ("T:Shop.Core.Store`1", "Shop.Core.Shelf`1"),
        (old, "Shop.Core.Shelf`1"),
        ("Core.Store.Find", "Shop.Core.Shelf`1.Find"),
        ("Store.State", "Shop.Core.Shelf`1+State"),
    ):
        (hit,) = ask("resolve", query)["hits"]
        assert hit["fqn"] == fqn
        assert hit["redirectedFrom"].startswith("Shop.Core.Store`1")
    assert "was Shop.Core.Store`1" in cli(indexed, "resolve", "Store").out


@pytest.mark.parametrize(
    "query", ["Func<T", "List<int>>", "a(b", "x" * 3000, "<" * 1000, "List<" * 300, "f(" * 300, "``", "T:a`"]
)
def test_qn_19_a_query_that_makes_no_sense_is_refused_with_the_reason(indexed, cli, query):
    result = cli(indexed, "resolve", query)
    assert result.code == 2
    assert "is no symbol: " in result.err


@pytest.mark.parametrize(
    "query",
    ["", " ", ".", "*a" * 900, "?" * 2000, "a." * 900, "\udcff", "\0", "T_00000000", "T_00000000_000000", "M:", "!:x",
     "\u202e", "a\nb", "'; drop", "-", "N:*"],
)  # fmt: skip
@pytest.mark.parametrize("command", ["resolve", "search"])
def test_a_strange_query_finds_nothing_or_something_and_never_breaks(indexed, cli, command, query):
    result = cli(indexed, command, "--json", "--", query)
    assert result.code in (0, 2, 3)
    json.loads(result.out)


def test_a_sentence_finds_what_holds_any_of_its_words_the_rarest_first(ask):
    text = "Why does the Store forget its key, when it is closed and many orders are added to it?"
    hits = ask("search", *text.split())["hits"]
    assert {hit["match"] for hit in hits} == {"words"}
    assert {"Store", "Key", "Closed", "Add"} < {hit["name"] for hit in hits}
    assert "Shop.Core.Store`1" in [hit["fqn"] for hit in hits if {"Store", "orders"} <= {*hit["words"]}]


def test_what_stands_inside_a_member_is_no_symbol_but_the_hint_says_who_finds_it(repo, cli):
    (repo / "a.cs").write_text("class A { int Run() { return Within(1); int Within(int x) => x; } }")
    result = cli(repo, "search", "Within")
    assert (result.code, result.out) == (3, "")
    assert "`codecortex context` looks inside members" in result.err
    assert "int Within(int x)" in cli(repo, "context", "Within").out


def test_a_search_that_finds_nothing_never_advises_a_search(ask):
    for words in (["zzz", "of", "qqq", "vvvvvv"], ["zzzqqq"]):
        assert "codecortex search" not in ask("search", *words)["error"]["hint"]
    assert "Shop.Core.Store`1" in ask("search", "stroes", "zzzz")["error"]["suggestions"]


def test_a_long_text_is_searched_and_one_beyond_measure_refused(indexed, cli):
    assert cli(indexed, "search", "the order is " * 1000).code == 0
    assert cli(indexed, "search", "the order is " * 10_000).code == 2
