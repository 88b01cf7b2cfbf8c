"""Packs in config.yaml: what may be written, what is refused on its line, and edits that change nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codecortex.model.errors import ConfigError
from codecortex.model.packs import DEFAULT_BUDGET, MOST_PACKS, PackDefinition, is_pack_name
from codecortex.store.config.config import drop_pack, find_pack_line, read_config, set_pack
from codecortex.store.paths import pack_path, packed_name
from codecortex.store.template import template_files

PATH = ".codecortex/config.yaml"
A, B = PackDefinition("a", "type:A"), PackDefinition("b", 'type:"B', 500)


def read(data):
    return read_config(data if isinstance(data, bytes) else data.encode(), PATH).packs


@pytest.mark.parametrize(
    "text",
    [
        "packs: {a: {filter: 'type:A'}, b: {tokenBudget: 500, filter: 'type:\"B'}}\n",
        'packs:\n  b:\n    tokenBudget: 500\n    filter: type:"B\n  a:\n    filter: type:A\n',
    ],
)
def test_definitions_are_read_however_they_are_written(text):
    assert read(text) == (A, B)


@pytest.mark.parametrize("text", ["", "packs:\n", "packs: {}\n", "packs: null\n", "untracked: true\n"])
def test_no_packs_are_none(text):
    assert read(text) == ()


def test_a_filter_may_take_several_lines():
    text = "packs:\n  a:\n    filter: |\n      namespace:A\n      access:public\n"
    assert read(text) == (PackDefinition("a", "namespace:A\naccess:public\n", DEFAULT_BUDGET),)


ONE = "packs:\n  a:\n    filter: type:A\n"


@pytest.mark.parametrize(
    ("text", "line", "words", "hint"),
    [
        ("packs: 5\n", 1, "expected `key: value` lines, found `5`", ""),
        ("packs:\n- a\n", 2, "expected `key: value` lines", ""),
        ("packs:\n  a: type:A\n", 2, "expected `key: value` lines, found `type:A`", ""),
        ("packs:\n  a:\n", 2, "packs.a has no filter", "filter: namespace:"),
        ("packs:\n  a:\n    tokenBudget: 500\n", 2, "packs.a has no filter", "filter: namespace:"),
        (f"{ONE}    tokenBudgets: 5\n", 4, "unknown key packs.a.tokenBudgets", "did you mean tokenBudget?"),
        (f"{ONE}    filter: type:A\n", 4, "the key packs.a.filter stands twice", "keep one"),
        (f"{ONE}    tokenBudget: 20\n", 4, "packs.a.tokenBudget: expected a whole number from 200 to", "tokenBudget"),
        (f"{ONE}    tokenBudget: 1000000001\n", 4, "found `1000000001`", "tokenBudget"),
        (f"{ONE}    tokenBudget: '500'\n", 4, "found `'500'`", "tokenBudget"),
        (f"{ONE}    tokenBudget: true\n", 4, "found `true`", "tokenBudget"),
        ("packs:\n  a:\n    filter: ''\n", 3, "packs.a.filter: expected text of at most 1,000 characters", "filter:"),
        ("packs:\n  a:\n    filter: [x]\n", 3, "packs.a.filter: expected text", "filter:"),
        ("packs:\n  a:\n    filter: 5\n", 3, "packs.a.filter: expected text", "filter:"),
        (f"packs:\n  a:\n    filter: {'x' * 1001}\n", 3, "packs.a.filter: expected text", "filter:"),
        ('packs:\n  a:\n    filter: "a\\u202Eb"\n', 3, "packs.a.filter: expected text", "filter:"),
        (f"{ONE}  A:\n    filter: type:A\n", 4, "the packs a and A of packs differ in case alone", "rename"),
        (f"{ONE}  a:\n    filter: type:A\n", 4, "the key packs.a stands twice", "rename"),
        ("packs:\n  ../x:\n    filter: type:A\n", 2, 'packs: "../x" is no pack\'s name', "at most 64 letters"),
        ("packs:\n  'a b':\n    filter: type:A\n", 2, "is no pack's name", "at most 64 letters"),
        ("packs:\n  " + "a" * 900 + ":\n    filter: type:A\n", 2, "is no pack's name", "at most 64 letters"),
        ("packs:\n  a: {filter: {x: {y: z}}}\n", 2, "nested too deeply", ""),
        ("packs:\n" + "".join(f"  a{n}: {{filter: x}}\n" for n in range(MOST_PACKS + 1)), 202, "more than 200", ""),
    ],
)
def test_a_mistake_is_named_with_its_line_and_key(text, line, words, hint):
    with pytest.raises(ConfigError) as caught:
        read(text)
    assert caught.value.message.startswith(f"{PATH}:{line}: ")
    assert words in caught.value.message
    assert hint in caught.value.hint
    assert len(caught.value.message) < 300


@pytest.mark.parametrize("name", ["a", "A1", "core-memory", "a.b_c", "0", "x" * 64, "console", "aux1", "null", "a..b"])
def test_names_that_any_disk_can_hold(name):
    assert is_pack_name(name)
    assert packed_name(pack_path(name)) == name
    assert read(set_pack(b"", PackDefinition(name, "type:A"))) == (PackDefinition(name, "type:A"),)


@pytest.mark.parametrize(
    "name",
    [
        "", ".", "..", "../x", "a/b", "a\\b", "/etc/passwd", "C:x", "a.", "-a", ".a", "_a", "a b", "a\0", "a\n", "ä",
        "x" * 65, "x" * 10_000, "con", "NUL", "aux.x", "com1", "lpt9.md",
    ],
)  # fmt: skip
def test_names_that_some_disk_cannot_hold(name):
    assert not is_pack_name(name)
    assert packed_name(f".codecortex/packs/{name}.md") is None


def test_only_files_of_packs_have_names():
    assert packed_name(".codecortex/packs/a.md") == "a"
    assert packed_name(".codecortex/packs/a.txt") is None
    assert packed_name(".codecortex/packs/b/a.md") is None
    assert packed_name("packs/a.md") is None


# -- edits

LINES = '    filter: "type:\\"B"\n    tokenBudget: 500\n'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", f"packs:\n  b:\n{LINES}"),
        ("# a", f"# a\npacks:\n  b:\n{LINES}"),
        ("untracked: true # x\n", f"untracked: true # x\npacks:\n  b:\n{LINES}"),
        ("\ufeffuntracked: true\n", f"\ufeffuntracked: true\npacks:\n  b:\n{LINES}"),
        ("packs:\nuntracked: true\n", f"packs:\n  b:\n{LINES}untracked: true\n"),
        ("packs: # x\n# y\n", f"packs: # x\n  b:\n{LINES}# y\n"),
        ("packs: {} # x\n", f"packs: # x\n  b:\n{LINES}"),
        ("packs: ~\n", f"packs:\n  b:\n{LINES}"),
        (f"{ONE}# end", f"{ONE}  b:\n{LINES}# end"),
        (f"{ONE}    # of a\n# end\n", f"{ONE}    # of a\n  b:\n{LINES}# end\n"),
        (ONE.rstrip("\n"), f"{ONE}  b:\n{LINES}".rstrip("\n")),
        (
            "packs:\n    a: {filter: x} # a\n# end\n",
            'packs:\n    a: {filter: x} # a\n    b:\n      filter: "type:\\"B"\n      tokenBudget: 500\n# end\n',
        ),
    ],
)
@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
def test_a_new_pack_changes_nothing_else(before, after, line_break):
    data = before.replace("\n", line_break).encode()
    expected = after.replace("\n", line_break if line_break in before.replace("\n", line_break) else "\n")
    assert set_pack(data, B) == expected.encode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("  b: # b\n    filter: x # f\n", '  b: # b\n    tokenBudget: 500\n    filter: "type:\\"B" # f\n'),
        (
            "  b:\n    tokenBudget: 300 # t\n    filter: x\n",
            '  b:\n    tokenBudget: 500 # t\n    filter: "type:\\"B"\n',
        ),
        (
            "  b:\n    filter: 'type:\"B'\n    tokenBudget: 300\n",
            "  b:\n    filter: 'type:\"B'\n    tokenBudget: 500\n",
        ),
        ("  b:\n    filter: x\n    tokenBudget: 300\n", '  b:\n    filter: "type:\\"B"\n    tokenBudget: 500\n'),
        ("  b: {filter: x}\n", '  b: {tokenBudget: 500, filter: "type:\\"B"}\n'),
        (
            "  b:\n    filter: |\n      x\n      y\n    # c\n",
            '  b:\n    tokenBudget: 500\n    filter: "type:\\"B"\n    # c\n',
        ),
        ("  b:\n    filter: x\n      y\n", '  b:\n    tokenBudget: 500\n    filter: "type:\\"B"\n'),
    ],
)
def test_a_changed_pack_changes_its_values_alone(before, after):
    others = "  c: {filter: z} # c\n# end\n"
    assert set_pack(f"packs:\n{before}{others}".encode(), B).decode() == f"packs:\n{after}{others}"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("packs:\n  a: # a\n    filter: x\n  # b\n  b: {filter: y}\n", "packs:\n  # b\n  b: {filter: y}\n"),
        ("packs:\n  # a\n  a:\n    filter: x\n# end\n", "packs:\n  # a\n# end\n"),
        ("packs:\r\n  a:\r\n    filter: x\r\nuntracked: true\r\n", "packs:\r\nuntracked: true\r\n"),
        ("packs:\n  a:\n    filter: x", "packs:\n"),
    ],
)
def test_a_removed_pack_takes_its_lines_along(before, after):
    assert drop_pack(before.encode(), "a").decode() == after


def test_what_is_so_already_is_left_as_it_is():
    data = b"packs: {a: {filter: 'type:A'}} # odd\n"
    assert set_pack(data, A) == data
    assert drop_pack(data, "b") == data


@pytest.mark.parametrize(
    ("before", "words"),
    [
        ("packs: {a: {filter: x}}\n", "cannot write packs.b without rewriting"),
        ("{untracked: true}\n", "cannot change packs.b without rewriting"),
        ("untracked: true\n...\n", "cannot change packs.b without rewriting"),
        ("untracked: maybe\n", ":1: untracked: expected"),
        ("<<<<<<< HEAD\nuntracked: true\n=======\n", ":1: conflict marker"),
        ("packs:\n  b: 5\n", ":2: expected `key: value` lines"),
        ("packs: {\n  # none yet\n}\n", "cannot write packs.b without rewriting"),
        ("packs: # why: x\n  null\n", "cannot write packs.b without rewriting"),
        ("packs:\n  b:\n    filter: |- # why\n      x\n", "cannot write packs.b without rewriting"),
    ],
)
def test_an_edit_that_a_cut_does_not_fit_is_refused(before, words):
    with pytest.raises(ConfigError) as caught:
        set_pack(before.encode(), B)
    assert caught.value.message.startswith(PATH)
    assert words in caught.value.message
    assert caught.value.hint or "expected" in words


def test_a_removal_that_a_cut_does_not_fit_is_refused():
    with pytest.raises(ConfigError, match=r"cannot remove packs\.a"):
        drop_pack(b"packs: {a: {filter: x}}\n", "a")


def test_the_line_of_a_definition_is_found():
    data = f"# x\n{ONE}  b: {{filter: y}}\n".encode()
    assert [find_pack_line(data, name) for name in ("a", "b", "c")] == [3, 5, 1]


PACKS = st.builds(
    PackDefinition,
    st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,8}", fullmatch=True).filter(is_pack_name),
    st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=20),
    st.integers(200, 10**9),
)
STARTS = st.sampled_from([
    b"", template_files()["config.yaml"], b"# a\r\nscc: # b\r\n  # c\r\n  maxTypes: 4 # d\r\n", b"packs: # p\n# q\n",
    b"packs:\n    x: {filter: 'a'} # x\n    # y\nuntracked: true # z",
])  # fmt: skip


@pytest.mark.slow
@settings(deadline=None, max_examples=60)
@given(STARTS, st.lists(PACKS, max_size=6), st.data())
def test_what_is_set_is_read_and_everything_else_stays(start, packs, data):
    text, wanted = start, {each.name.lower(): each for each in read(start)}
    for each in packs:
        old = wanted.get(each.name.lower())
        named = each._replace(name=old.name) if old else each
        text = set_pack(text, named)
        wanted[named.name.lower()] = named
    for name in data.draw(st.lists(st.sampled_from(sorted(wanted)), unique=True) if wanted else st.just([])):
        text = drop_pack(text, wanted.pop(name).name)
    assert read(text) == tuple(sorted(wanted.values()))
    mine = [line for line in start.splitlines() if line.strip() and b"x: {" not in line]
    assert [line for line in text.splitlines() if line in mine] == mine
