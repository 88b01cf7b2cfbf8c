"""config.yaml: every key has one default, every mistake one sentence, and an edit changes nothing else."""

from __future__ import annotations

import re
import subprocess
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codecortex.model.config import KEYS, Config, IndexDetail, SccConfig, build_config
from codecortex.model.errors import ConfigError
from codecortex.store.config.config import read_config, set_config_value
from codecortex.store.template import template_files

PATH = ".codecortex/config.yaml"


def read(text):
    return read_config(text.encode(), PATH)


def refusal(data):
    with pytest.raises(ConfigError) as caught:
        read_config(data if isinstance(data, bytes) else data.encode(), PATH)
    return caught.value.message, caught.value.hint


@pytest.fixture(scope="module")
def template():
    return template_files()["config.yaml"].decode()


def indented(name):
    section, _, leaf = name.rpartition(".")
    return f"  {leaf}" if section else leaf


def test_the_template_sets_nothing(template):
    assert read(template) == Config()


def test_the_uncommented_template_sets_every_key_to_its_default(template):
    active = re.sub(r"^#(?=(?:  )?\w+:)", "", template, flags=re.MULTILINE)
    assert read(active) == Config()
    for name in KEYS:
        assert len(re.findall(f"^{indented(name)}:", active, re.MULTILINE)) == 1, name
    assert sum(line.strip() != "" and not line.startswith("#") for line in active.splitlines()) == len(KEYS) + len(
        {name.partition(".")[0] for name in KEYS if "." in name}
    )


def test_the_uncommented_template_reads_what_it_says(template):
    # Equal defaults would also hold if the lines were passed over.
    active = re.sub(r"^#(?=(?:  )?\w+:)", "", template, flags=re.MULTILINE)
    changed = active.replace("maxTypes: 8", "maxTypes: 9").replace("detail: identity", "detail: full")
    config = read(changed)
    assert (config.scc.max_types, config.index.detail) == (9, IndexDetail.FULL)


@pytest.mark.parametrize("name", KEYS)
def test_the_template_explains_each_key_as_the_table_does(template, name):
    explained = re.search(f"^# (.*)\n#{indented(name)}:", template, re.MULTILINE)
    assert explained is not None
    assert explained[1].startswith(KEYS[name].rule.doc.removesuffix("."))
    for bound in re.findall(r"\d+", KEYS[name].rule.wanted if "number" in KEYS[name].rule.wanted else ""):
        assert bound in explained[1]


@pytest.mark.parametrize("name", KEYS)
def test_every_default_fits_its_own_rule(name):
    assert KEYS[name].rule.fits(KEYS[name].default)


@pytest.mark.parametrize("data", [b"", b"\n", b"# a: 1\n", b"\xef\xbb\xbf# a\r\n", b"---\n", b"scc:\n", b"{}\n"])
def test_a_file_that_sets_nothing_is_the_defaults(data):
    assert read_config(data, PATH) == Config()


def test_defaults_do_not_load_yaml():
    script = (
        "import sys; from codecortex.store.config.config import read_config; from codecortex.store.template import "
        "template_files; read_config(template_files()['config.yaml'], ''); "
        "print([name for name in sys.modules if name.startswith(('ruamel', 'difflib', 'sqlite3'))])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_every_kind_of_value_is_read():
    config = read(
        'requires: ">=0.1, <1"\nexclude:\n- "**/[Bb]in"\n- vendor\nuntracked: true\nproject:\n  tfm: net8.0\n'
        "  define: [A, B_1]\nscc: {maxTypes: 3}\nindex:\n  detail: full\n"
    )
    assert config == build_config(
        {
            "requires": ">=0.1, <1",
            "exclude": ("**/[Bb]in", "vendor"),
            "untracked": True,
            "project.tfm": "net8.0",
            "project.define": ("A", "B_1"),
            "scc.maxTypes": 3,
            "index.detail": "full",
        }
    )
    assert config.index.detail is IndexDetail.FULL
    assert config.scc == SccConfig(max_types=3)


@pytest.mark.parametrize(
    ("text", "line", "words", "hint"),
    [
        ("untracked: true\nscc:\n  maxTyps: 3\n", 3, "unknown key scc.maxTyps", "did you mean scc.maxTypes?"),
        ("tfm: net8.0\n", 1, "unknown key tfm", "did you mean project.tfm?"),
        ("\nEXCLUDE: []\n", 2, "unknown key EXCLUDE", "did you mean exclude?"),
        ("semantic:\n  driftLimit: 3\n", 1, "unknown key semantic", "did you mean semantics?"),
        ("scc.maxTypes: 3\n", 1, "unknown key scc.maxTypes", "write maxTypes: indented under scc:"),
        ("5: 3\n", 1, "unknown key 5", "valid keys: requires, exclude"),
        ("exclude: []\nexclude: []\n", 2, "the key exclude stands twice", "keep one"),
        ("scc:\n  maxTypes: 1\n  maxTypes: 1\n", 3, "the key scc.maxTypes stands twice", "keep one"),
        ("scc: {}\nscc: {}\n", 2, "the key scc stands twice", "keep one"),
        ("scc:\n  maxTypes: 65\n", 2, "scc.maxTypes: expected a whole number from 1 to 64; found `65`", "Types"),
        ("scc:\n  maxTypes: 0\n", 2, "found `0`", "Types"),
        ("scc:\n  maxTypes: true\n", 2, "found `true`", "Types"),
        ('scc:\n  maxTypes: "8"\n', 2, 'found `"8"`', "Types"),
        ("scc:\n  maxTypes: 0x8\n", 2, "found `0x8`", "Types"),
        ("scc:\n  maxTypes: 8.0\n", 2, "found `8.0`", "Types"),
        ("scc:\n  maxTypes:\nuntracked: true", 2, "found nothing", "Types"),
        ("scc:\n  maxTypes: " + "9" * 5000, 2, "found `9999", "Types"),
        ("scc: 4\n", 1, "expected `key: value` lines, found `4`", ""),
        ("- a\n", 1, "expected `key: value` lines, found `- a`", ""),
        ("untracked: yes\n", 1, "untracked: expected true or false; found `yes`", "Whether"),
        ("exclude: vendor\n", 1, "exclude: expected a list of globs", "Sources"),
        ("exclude: [1]\n", 1, "exclude: expected a list of globs", "Sources"),
        ("exclude: ['a\\b']\n", 1, "with / between folders", "Sources"),
        ("exclude: [[a]]\n", 1, "exclude: expected", "Sources"),
        ("project:\n  tfm: 8.0\n", 2, "such as net8.0, or null; found `8.0`", "target"),
        ("project:\n  define: [A-B]\n", 2, "project.define: expected a list of symbols", "More"),
        ("index:\n  detail: ful\n", 2, "index.detail: expected identity or full; found `ful`", "What"),
        ("requires: newest\n", 1, "requires: expected a quoted range", "versions"),
        ("requires: >=0.1\n", 1, "not YAML", "in quotes"),
        ("untracked: !!python/name:os.system x\n", 1, "untracked: expected true or false", "Whether"),
        ("a: &a [1]\nb: *a\n", 1, "anchors and aliases are not allowed", "write the value out"),
        ("exclude: *a\n", 1, "anchors and aliases are not allowed", "write the value out"),
        ("untracked: true\nscc: [\n", 2, "not YAML", ""),
        ("untracked: true\n\tscc: 1\n", 2, "not YAML", ""),
        ("untracked: true\n---\nuntracked: true\n", 2, "not YAML", ""),
        ("untracked: true\nexclude: [\x01]\n", 2, "not YAML", ""),
        ("# x\n<<<<<<< HEAD\nuntracked: true\n=======\n>>>>>>> b\n", 2, "conflict marker", "resolve"),
        ("? [a]\n: b\n", 1, "a key is one word", ""),
        ("[" * 5000, 1, "nested too deeply", ""),
        ("- " * 5000, 1, "nested too deeply", ""),
    ],
)
def test_a_mistake_is_named_with_its_line_and_the_next_step(text, line, words, hint):
    message, next_step = refusal(text)
    assert message.startswith(f"{PATH}:{line}: ")
    assert words in message
    assert hint in next_step


def test_bytes_that_are_not_text_are_named():
    assert refusal(b"untracked: true\nexclude: [\xff]\n")[0] == f"{PATH}:2: not UTF-8 text"


@pytest.mark.parametrize("unit", ["[", "{", "- ", "a: ", "&a ", "*a ", "? ", "'", "|\n ", "!!a ", "a: {"])
def test_no_bomb_takes_long(unit):
    started = time.perf_counter()
    refusal((unit * 100_000)[:100_000])
    refusal("exclude: " + (unit * 10_000)[:90_000])
    assert time.perf_counter() - started < 5


@settings(deadline=None)
@given(st.binary(max_size=60) | st.text(alphabet="ab:-[]{}#&*!|>'\"%@\n \t,?~0.", max_size=40).map(str.encode))
def test_any_bytes_are_a_config_or_one_error(data):
    message = ""
    try:
        read_config(data, PATH)
    except ConfigError as problem:
        message = problem.message
    assert re.match(rf"$|{re.escape(PATH)}:\d+: ", message)


VALUES = {
    "requires": st.sampled_from([None, ">=0.1", "~=1.2, !=1.3"]),
    "exclude": st.lists(st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=5)).map(tuple),
    "untracked": st.booleans(),
    "project.tfm": st.sampled_from([None, "net8.0", "null", "true"]),
    "project.define": st.lists(st.sampled_from(["A", "yes", "null", "Ω"])).map(tuple),
    "scc.maxTypes": st.integers(1, 64),
    "scc.maxTokens": st.integers(500, 200_000),
    "index.detail": st.sampled_from(["identity", "full"]),
    "llm.command": st.lists(st.sampled_from(["ask", "--json", "a b", "$KEY"])).map(tuple),
    "llm.priceIn": st.none() | st.integers(0, 100) | st.decimals(0, 100, places=4),
}


@settings(deadline=None, max_examples=40)
@given(st.lists(st.sampled_from(sorted(VALUES)).flatmap(lambda key: st.tuples(st.just(key), VALUES[key]))), st.data())
def test_what_is_set_is_read_and_every_comment_stays(changes, data):
    changes = [(key, value) for key, value in changes if KEYS[key].rule.fits(value)]
    start = data.draw(st.sampled_from([b"", template_files()["config.yaml"], b"# a\r\nscc: # b\r\n  # c\r\n"]))
    text, wanted = start, {}
    for key, value in changes:
        text = set_config_value(text, key, value)
        wanted[key] = value
    assert read_config(text, PATH) == build_config(wanted)
    comments = [line for line in start.splitlines() if b"#" in line]
    assert [line for line in text.splitlines() if line in comments] == comments


@pytest.mark.parametrize(
    ("before", "key", "value", "after"),
    [
        ("", "untracked", True, "untracked: true\n"),
        ("# a", "scc.maxTypes", 3, "# a\nscc:\n  maxTypes: 3\n"),
        ("scc: # a\n  maxTypes: 4 # b\n  # c\n", "scc.maxTypes", 5, "scc: # a\n  maxTypes: 5 # b\n  # c\n"),
        ("scc:\n    maxTypes: 4 # b\n# c", "scc.maxTokens", 500, "scc:\n    maxTypes: 4 # b\n    maxTokens: 500\n# c"),
        ("scc: # a\nuntracked: true", "scc.maxTypes", 3, "scc: # a\n  maxTypes: 3\nuntracked: true"),
        ("exclude: # a\n- b # c\n- d\n# e\n", "exclude", ("f", "g"), 'exclude: # a\n- "f"\n- "g"\n# e\n'),
        ("exclude:\n- b\n# e\n", "exclude", (), "exclude: []\n# e\n"),
        ("exclude: [b] # a\n", "exclude", ("c",), 'exclude: ["c"] # a\n'),
        ("project: {tfm: net8.0}\r\n", "project.tfm", None, "project: {tfm: null}\r\n"),
        ("project:\n  tfm: # a\n", "project.tfm", "net9.0", 'project:\n  tfm: "net9.0" # a\n'),
        ("  untracked: true\n", "exclude", ("a",), '  untracked: true\n  exclude: ["a"]\n'),
    ],
)
def test_an_edit_changes_nothing_else(before, key, value, after):
    assert set_config_value(before.encode(), key, value).decode() == after


@pytest.mark.parametrize(
    ("before", "key", "value", "words"),
    [
        ("", "scc.maxTyps", 3, "unknown key scc.maxTyps"),
        ("", "scc", 3, "unknown key scc"),
        ("", "scc.maxTypes", 65, "scc.maxTypes: expected a whole number from 1 to 64; found 65"),
        ("", "exclude", ["a"], "exclude: expected a list"),
        ("", "llm.priceIn", -1, "llm.priceIn: expected an amount such as 2.50, or null; found -1"),
        ("", "llm.priceIn", 0.5, "llm.priceIn: expected an amount"),
        ("", "llm.baseUrl", "https://a@b/v1", "llm.baseUrl: expected an address"),
        ("", "llm.baseUrl", "https://b/${KEY}", "llm.baseUrl: expected an address"),
        ("", "llm.command", "ask me", "llm.command: expected a list of words"),
        ("untracked: maybe\n", "scc.maxTypes", 3, "untracked: expected"),
        ("{untracked: true}\n", "scc.maxTypes", 3, "cannot set scc.maxTypes without rewriting"),
        ("scc: {maxTypes: 3}\n", "scc.maxTokens", 600, "cannot set scc.maxTokens without rewriting"),
    ],
)
def test_an_edit_that_cannot_be_made_is_refused(before, key, value, words):
    with pytest.raises(ConfigError) as caught:
        set_config_value(before.encode(), key, value)
    assert words in caught.value.message
