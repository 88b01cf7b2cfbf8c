"""The alias table: its bytes, what union merges and people leave in it, chains and loops."""

import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codecortex.model.code.aliases import Alias, AliasReason
from codecortex.model.errors import NewerFormatError, StoreFormatError
from codecortex.store.committed.aliases_json import collapse, decode_aliases, decode_rows, encode_aliases, mend_rows
from codecortex.store.paths import ALIASES
from codecortex.store.template import template_files

PATH = ".codecortex/aliases.json"
EXAMPLE = """{"schemaVersion":"1.0",
"aliases":{
"T_AAAAAAAA":{"oldFqn":"N.Old","newTypeId":"T_BBBBBBBB","newFqn":"N.New","reason":"rename","score":0.93},
"T_CCCCCCCC":{"oldFqn":"O.A","newTypeId":"T_DDDDDDDD","newFqn":"N.A","reason":"namespaceMove","score":1.0,"collapsed":true},
"~":0}}
"""
FIRST = Alias("T_AAAAAAAA", "N.Old", "T_BBBBBBBB", "N.New", AliasReason.RENAME, 0.93)
SECOND = Alias("T_CCCCCCCC", "O.A", "T_DDDDDDDD", "N.A", AliasReason.NAMESPACE_MOVE, 1.0, collapsed=True)

TEXT = st.text(st.characters(codec="utf-8"), max_size=12)
IDS = st.sampled_from([f"T_{letter * 8}" for letter in "ABCDEFGH"])
ROWS = st.builds(
    Alias, IDS, TEXT, IDS, TEXT, st.sampled_from(AliasReason), st.integers(0, 100).map(lambda n: n / 100), st.booleans()
)


def make(old: str, new: str, score: float = 1.0) -> Alias:
    return Alias(old, f"N.{old}", new, f"N.{new}", AliasReason.RENAME, score)


def refuse(data: str | bytes) -> StoreFormatError:
    with pytest.raises(StoreFormatError) as caught:
        decode_rows(data if isinstance(data, bytes) else data.encode(), PATH)
    return caught.value


def test_the_documented_bytes_are_written_and_read() -> None:
    assert encode_aliases([SECOND, FIRST]).decode() == EXAMPLE
    assert decode_rows(EXAMPLE.encode(), PATH) == (FIRST, SECOND)
    assert decode_aliases(EXAMPLE.encode(), PATH) == {FIRST.old_id: FIRST, SECOND.old_id: SECOND}


@given(st.lists(ROWS, max_size=8))
def test_what_is_written_is_read_again(rows: list[Alias]) -> None:
    data = encode_aliases(rows)
    assert decode_rows(data, PATH) == tuple(sorted(set(rows)))
    assert encode_aliases(decode_rows(data, PATH)) == data
    assert data.decode().count("\n") == len(set(rows)) + 3


@given(st.lists(ROWS, max_size=8, unique_by=lambda row: row.old_id))
def test_what_needs_no_collapse_is_read_as_it_was_written(rows: list[Alias]) -> None:
    flat = collapse(rows).aliases
    assert decode_aliases(encode_aliases(flat.values()), PATH) == flat


@given(st.lists(ROWS, max_size=10))
def test_every_alias_leads_to_its_end_in_one_step_or_is_a_loop(rows: list[Alias]) -> None:
    table = collapse(rows)
    assert collapse(reversed(rows)) == table
    assert all(row.new_id not in table.aliases for row in table.aliases.values())
    assert {row.old_id for row in rows} == table.aliases.keys() | {row.old_id for row in table.loops}
    assert collapse(table.aliases.values()).aliases == table.aliases


def test_ten_thousand_rows_in_one_chain_and_in_one_circle_are_followed() -> None:
    chain = [make(f"A{number}", f"A{number + 1}") for number in range(10_000)]
    assert {row.new_id for row in collapse(chain).aliases.values()} == {"A10000"}
    circle = collapse([*chain, make("A10000", "A0")])
    assert (len(circle.aliases), len(circle.loops)) == (0, 10_001)


def test_a_twin_that_leads_back_to_its_own_id_is_a_loop_and_the_other_row_counts() -> None:
    table = collapse([make("A", "E"), make("A", "B", 0.9), make("B", "A")])
    assert [row.new_id for row in table.loops] == ["B"]
    assert {old: row.new_id for old, row in table.aliases.items()} == {"A": "E", "B": "E"}


def test_id_10_a_chain_leads_to_its_end_in_one_step_and_says_so() -> None:
    table = collapse([make("A", "B"), make("B", "C")])
    assert (table.aliases["A"].new_id, table.aliases["A"].collapsed) == ("C", True)
    assert (table.aliases["B"].new_id, table.aliases["B"].collapsed) == ("C", False)


@pytest.mark.parametrize("rows", [[make("A", "A")], [make("A", "B"), make("B", "A")]])
def test_loops_are_reported_and_lead_nowhere(rows: list[Alias]) -> None:
    table = collapse([*rows, make("X", "A"), make("Y", "Z")])
    assert table.aliases.keys() == {"Y"}
    assert {row.old_id for row in table.loops} == {*(row.old_id for row in rows), "X"}


def test_an_old_id_with_two_successors_takes_the_better_and_is_reported() -> None:
    worse, better, third = make("A", "B", 0.9), make("A", "C", 0.95), make("A", "D", 0.95)
    table = collapse([third, worse, better])
    assert table.aliases["A"] == better
    assert table.twins == ((better, third, worse),)


def test_the_same_row_twice_is_one_row() -> None:
    line = EXAMPLE.splitlines(keepends=True)[2]
    assert decode_rows(EXAMPLE.replace(line, line * 2).encode(), PATH) == (FIRST, SECOND)


def test_a_union_merge_by_git_can_be_read(tmp_path) -> None:
    def git(*arguments):
        subprocess.run(["git", "-C", tmp_path, "-c", "user.name=a", "-c", "user.email=a", *arguments], check=True)

    def commit(*rows):
        (tmp_path / ALIASES).write_bytes(encode_aliases(rows))
        git("add", "-A")
        git("commit", "-qm", "x")

    git("init", "-qb", "main")
    (tmp_path / ".codecortex").mkdir()
    (tmp_path / ".codecortex" / ".gitattributes").write_bytes(template_files()[".gitattributes"])
    commit(FIRST)
    git("switch", "-qc", "side")
    commit(make("T_BBBBBBBB", "T_S"), FIRST._replace(new_id="T_S", new_fqn="N.S"), SECOND)
    git("switch", "-q", "main")
    commit(FIRST, make("T_EEEEEEEE", "T_M"))
    git("merge", "-q", "side")
    table = collapse(decode_rows((tmp_path / ALIASES).read_bytes(), PATH))
    assert table.aliases.keys() == {"T_AAAAAAAA", "T_BBBBBBBB", "T_CCCCCCCC", "T_EEEEEEEE"}
    assert table.aliases["T_AAAAAAAA"].new_id == "T_S"
    assert (table.twins, table.loops) == ((), ())


def test_carriage_returns_and_a_byte_order_mark_are_passed_over() -> None:
    assert decode_rows(b"\xef\xbb\xbf" + EXAMPLE.replace("\n", "\r\n").encode(), PATH) == (FIRST, SECOND)


def test_fields_of_a_later_minor_schema_are_passed_over() -> None:
    later = EXAMPLE.replace('"1.0"', '"1.4"').replace('"score":0.93', '"score":0.93,"new":{}')
    assert decode_rows(later.encode(), PATH)[0] == FIRST


def test_a_newer_schema_is_refused() -> None:
    problem = refuse(EXAMPLE.replace('"1.0"', '"2.0"'))
    assert isinstance(problem, NewerFormatError)
    assert "newer codecortex" in problem.hint


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("", "aliases.json:1: not JSON"),
        ("[]", "aliases.json:1: expected an object"),
        (EXAMPLE[:90], "not JSON"),
        (EXAMPLE.replace('"N.New"', "5"), "aliases.json:3: the row T_AAAAAAAA is damaged"),
        (EXAMPLE.replace('"rename"', '"whim"'), "aliases.json:3: the row T_AAAAAAAA is damaged"),
        (EXAMPLE.replace("0.93", "2"), "aliases.json:3: the row T_AAAAAAAA is damaged"),
        (EXAMPLE.replace('"1.0"', '"x"'), "schemaVersion is missing or no version"),
        (EXAMPLE.replace("N.New", "\\ud800"), "not JSON"),
        (EXAMPLE.encode() + b"\xff", "aliases.json:6: not UTF-8"),
    ],
)
def test_a_damaged_table_is_refused_naming_the_line(data: str | bytes, words: str) -> None:
    assert words in refuse(data).message


CONFLICT = EXAMPLE.replace('"T_AAA', '<<<<<<< ours\n"T_AAA').replace('"T_CCC', '=======\n"T_CCC')
CONFLICT = CONFLICT.replace('"~"', '>>>>>>> theirs\n"~"')


def test_conflict_markers_are_named_and_both_sides_can_be_kept() -> None:
    assert "aliases.json:3: conflict marker" in refuse(CONFLICT).message
    assert mend_rows(CONFLICT.encode(), PATH) == (FIRST, SECOND)


def test_nothing_is_dropped_on_a_guess() -> None:
    with pytest.raises(StoreFormatError, match=r"aliases\.json:4: neither a row nor a conflict marker"):
        mend_rows(CONFLICT.replace(',"newTypeId"', ',"newType', 1).encode(), PATH)
