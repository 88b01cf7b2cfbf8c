"""config.yaml: every key has one default, every mistake one sentence, and an edit changes nothing else."""

from __future__ import annotations

import re
import subprocess
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codecortex.model.config import Config, SccConfig
from codecortex.model.config_choices import IndexDetail
from codecortex.model.config_keys import KEYS, build_config
from codecortex.model.errors import ConfigError
from codecortex.store.config.config import read_config
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
        *(
            (f"llm:\n  exclude: ['{each}']\n", 2, "llm.exclude: expected a list of globs", "Sources")
            for each in ("./src", "src/a.cs ", " src", "!src", "..", "../a", "src/../a", "src/.")
        ),
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
