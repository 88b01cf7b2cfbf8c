"""index.json: the same rows are the same bytes, merges stay readable, and nothing broken passes."""

from __future__ import annotations

import json
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codecortex.model.errors import StoreFormatError
from codecortex.store.committed.index_json import IndexFile, PackRow, ProjectRow, TypeRow, decode_index, encode_index
from codecortex.store.paths import Layout
from codecortex.store.template import template_files

PATH = ".codecortex/index.json"
EXAMPLE = """{"schemaVersion":"1.0",
"configSnapshot":{"hashVersion":"3","outlineVersion":"2","structureHashIncludesXmlDoc":false,"includeInternalForDependencies":false},
"layout":{"types":"flat"},
"projects":{
"P_7XK2M9QD":{"name":"MemoTree.Core","path":"src/MemoTree.Core/MemoTree.Core.csproj","tfm":"net9.0"},
"~":0},
"types":{
"T_0A3F9K2M":{"fqn":"MemoTree.Core.NodeStore","kind":"class","projectId":"P_7XK2M9QD","files":["src/MemoTree.Core/NodeStore.cs"]},
"~":0},
"packs":{
"core-memory":{"filter":"namespace:MemoTree.Core.*","tokenBudget":4000},
"~":0}}
"""
STORE = TypeRow("MemoTree.Core.NodeStore", "class", "P_7XK2M9QD", ("src/MemoTree.Core/NodeStore.cs",))
VALUE = IndexFile(
    projects={"P_7XK2M9QD": ProjectRow("MemoTree.Core", "src/MemoTree.Core/MemoTree.Core.csproj", "net9.0")},
    types={"T_0A3F9K2M": STORE},
    packs={"core-memory": PackRow("namespace:MemoTree.Core.*", 4000)},
)

TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=8)
IDS = TEXT.filter(lambda text: text != "~")
EXTRA = st.dictionaries(
    TEXT.filter(lambda name: name not in {"fqn", "kind", "projectId", "files"}),
    st.none() | st.integers() | TEXT | st.dictionaries(TEXT, TEXT, max_size=2),
    min_size=1,
    max_size=3,
)
INDEXES = st.builds(
    IndexFile,
    structure_hash_includes_xml_doc=st.booleans(),
    include_internal_for_dependencies=st.booleans(),
    layout=st.sampled_from(Layout),
    projects=st.dictionaries(IDS, st.builds(ProjectRow, TEXT, TEXT, TEXT), max_size=4),
    types=st.dictionaries(
        IDS, st.builds(TypeRow, TEXT, TEXT, TEXT, st.lists(TEXT).map(tuple), st.none() | EXTRA), max_size=6
    ),
    packs=st.dictionaries(IDS, st.builds(PackRow, TEXT, st.integers()), max_size=4),
)


def refusal(text):
    with pytest.raises(StoreFormatError) as caught:
        decode_index(text if isinstance(text, bytes) else text.encode(), PATH)
    return caught.value.message, caught.value.hint


def test_the_documented_bytes_are_written_and_read():
    assert encode_index(VALUE).decode() == EXAMPLE
    assert decode_index(EXAMPLE.encode(), PATH) == VALUE


@given(INDEXES)
def test_what_is_written_is_read_again(index):
    data = encode_index(index)
    assert decode_index(data, PATH) == index
    assert encode_index(decode_index(data, PATH)) == data


@given(INDEXES, st.randoms())
def test_the_order_of_rows_does_not_reach_the_bytes(index, random):
    rows = list(index.types.items())
    random.shuffle(rows)
    assert encode_index(IndexFile(types=dict(rows))) == encode_index(IndexFile(types=index.types))


@given(INDEXES)
def test_carriage_returns_and_a_byte_order_mark_are_passed_over(index):
    data = b"\xef\xbb\xbf" + encode_index(index).replace(b"\n", b"\r\n")
    assert decode_index(data, PATH) == index


@given(INDEXES)
def test_each_row_has_a_line(index):
    lines = encode_index(index).decode().split("\n")
    assert len(lines) == 10 + len(index.projects) + len(index.types) + len(index.packs)


def row_of(name, *files):
    return json.dumps({"fqn": name, "kind": "class", "projectId": "P", "files": files})


def with_types(*rows):
    return EXAMPLE.replace('"types":{\n', '"types":{\n' + "".join(f"{row},\n" for row in rows)).encode()


@pytest.mark.parametrize("turn", [1, -1])
def test_a_row_that_stands_twice_has_the_files_of_both(turn):
    rows = [f'"T_1":{row_of("A", "b.cs", "a.cs")}', f'"T_1":{row_of("A", "c.cs", "a.cs")}'][::turn]
    index = decode_index(with_types(*rows), PATH)
    assert index.types == {"T_1": TypeRow("A", "class", "P", ("a.cs", "b.cs", "c.cs")), "T_0A3F9K2M": STORE}


def test_a_row_that_stands_twice_alike_is_one_row():
    row = f'"T_1":{row_of("A", "b.cs", "a.cs")}'
    assert decode_index(with_types(row, row), PATH).types["T_1"].files == ("b.cs", "a.cs")


@pytest.mark.parametrize("turn", [1, -1])
def test_a_project_that_stands_twice_is_the_same_whoever_merged(turn):
    rows = [f'"P":{{"name":"A","path":"a","tfm":"net{version}.0"}},\n' for version in (8, 9)][::turn]
    text = EXAMPLE.replace('"projects":{\n', '"projects":{\n' + "".join(rows))
    assert decode_index(text.encode(), PATH).projects["P"].tfm == "net9.0"


def test_a_union_merge_by_git_can_be_read(tmp_path):
    def git(*arguments):
        subprocess.run(["git", "-C", tmp_path, "-c", "user.name=a", "-c", "user.email=a", *arguments], check=True)

    def commit(index):
        (tmp_path / ".codecortex" / "index.json").write_bytes(encode_index(index))
        git("add", "-A")
        git("commit", "-qm", "x")

    git("init", "-qb", "main")
    (tmp_path / ".codecortex").mkdir()
    (tmp_path / ".codecortex" / ".gitattributes").write_bytes(template_files()[".gitattributes"])
    commit(VALUE)
    git("switch", "-qc", "side")
    commit(IndexFile(projects=VALUE.projects, types={"T_1": STORE, "T_0A3F9K2M": STORE._replace(files=("s.cs",))}))
    git("switch", "-q", "main")
    commit(IndexFile(projects=VALUE.projects, types={"T_2": STORE, "T_0A3F9K2M": STORE._replace(files=("m.cs",))}))
    git("merge", "-q", "side")
    merged = decode_index((tmp_path / ".codecortex" / "index.json").read_bytes(), PATH)
    assert set(merged.types) == {"T_1", "T_2", "T_0A3F9K2M"}
    assert merged.types["T_0A3F9K2M"].files == ("m.cs", "s.cs")


def test_fields_of_a_later_minor_schema_are_kept_in_rows_and_passed_over_elsewhere():
    text = EXAMPLE.replace('"1.0"', '"1.7"').replace('"layout":{', '"layout":{"new":1,')
    text = text.replace('NodeStore.cs"]}', 'NodeStore.cs"],"new":[1]}')
    index = decode_index(text.encode(), PATH)
    assert index.schema_version == "1.7"
    assert index.types["T_0A3F9K2M"] == STORE._replace(extra={"new": [1]})


@pytest.mark.parametrize(
    ("old", "new", "line", "words", "hint"),
    [
        ('"1.0"', '"2.0"', 1, "schemaVersion 2.0 is newer than this codecortex knows (1.0)", "install a newer"),
        ('hashVersion":"3"', 'hashVersion":"4"', 2, "hashVersion 4 is newer", "install a newer codecortex"),
        ('outlineVersion":"2"', 'outlineVersion":"10"', 2, "outlineVersion 10 is newer", "install a newer codecortex"),
        ('"flat"', '"spiral"', 3, "unknown layout spiral", "install a newer codecortex"),
        ('"1.0"', '"one"', 1, "schemaVersion is not a version: one", "codecortex refresh"),
        ('"1.0"', "1", 1, "schemaVersion is missing or not a string", "codecortex refresh"),
        ('"types":{\n', '"types":[],"x":{\n', 7, "types is missing or not a table", "codecortex refresh"),
        ('"MemoTree.Core.NodeStore"', "5", 8, "the row T_0A3F9K2M of types is damaged", "codecortex refresh"),
        ('["src/MemoTree.Core/NodeStore.cs"]', "[1]", 8, "the row T_0A3F9K2M of types is damaged", "refresh"),
        ('"net9.0"', "null", 5, "the row P_7XK2M9QD of projects is damaged", "codecortex refresh"),
        ("4000", "true", 11, "the row core-memory of packs is damaged", "codecortex refresh"),
        ('"net9.0"', '"net9.0', 5, "not JSON", "codecortex refresh"),
        ("4000", "4" * 5000, 1, "not JSON", "codecortex refresh"),
        ("4000", "[" * 100_000, 1, "not JSON", "codecortex refresh"),
        ("NodeStore.cs", "\\ud800.cs", 1, "not JSON", "codecortex refresh"),
        ('"types":{\n', '"types":{\n<<<<<<< HEAD\n', 8, "conflict marker", "take either side"),
        ('"types":{\n', '"types":{\n"T_1":{\n=======\n', 9, "conflict marker", "take either side"),
        ('"packs":{\n', '"packs":{\n>>>>>>> side\n', 11, "conflict marker", "take either side"),
        ('{"schemaVersion":"1.0",', '{"schemaVersion":"1.0","schemaVersion":"1.1",', 1, "stands twice", "refresh"),
    ],
)
def test_what_is_broken_is_named_with_its_line(old, new, line, words, hint):
    assert old in EXAMPLE
    message, next_step = refusal(EXAMPLE.replace(old, new, 1))
    assert message.startswith(f"{PATH}:{line}: ")
    assert words in message
    assert hint in next_step


def test_a_missing_field_is_named():
    assert refusal(EXAMPLE.replace('"layout"', '"lay"'))[0] == f"{PATH}: layout is missing or not a table"
    assert refusal("[]")[0] == f"{PATH}: expected an object"


def test_bytes_that_are_not_text_are_named():
    assert refusal(EXAMPLE.encode().replace(b"NodeStore.cs", b"\xff"))[0] == f"{PATH}:8: not UTF-8 text"


@given(INDEXES, st.data())
def test_no_damage_raises_anything_else(index, data):
    text = encode_index(index)
    start = data.draw(st.integers(0, len(text)))
    stop = data.draw(st.integers(start, len(text)))
    message = PATH
    try:
        decode_index(text[:start] + data.draw(st.binary(max_size=4)) + text[stop:], PATH)
    except StoreFormatError as problem:
        message = problem.message
    assert message.startswith(PATH)


@pytest.mark.slow
def test_a_key_that_stands_a_hundred_thousand_times_is_read_in_linear_time():
    rows = (f'"T_1":{row_of("A", f"{number}.cs")}' for number in range(100_000))
    assert len(decode_index(with_types(*rows), PATH).types["T_1"].files) == 100_000
