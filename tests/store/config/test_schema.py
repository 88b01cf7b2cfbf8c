"""The JSON Schema of config.yaml agrees with the reader: editors refuse nothing valid, and find what is wrong."""

import json

import jsonschema
import pytest
from ruamel.yaml import YAML

from codecortex.model.config_keys import KEYS
from codecortex.model.errors import ConfigError
from codecortex.store.config.config import read_config
from codecortex.store.config.schema import write_schema
from codecortex.store.template import template_files

SCHEMA = json.loads(json.dumps(write_schema()))
GOOD = [
    "",
    "scc:\n",
    "packs:\n",
    'requires: ">=0.1,<1"\n',
    "requires: null\n",
    "exclude: [gen/**, a/*.cs]\n",
    "untracked: true\nmetrics: false\n",
    "project:\n  tfm: net8.0\n  define: [DEBUG, GRÖSSE]\n",
    "hash:\n  cosmeticAttributes: [A.B, Größe]\n",
    "references:\n  assemblies: [lib/*.dll]\n",
    "semantics:\n  types: namespace:Shop.*\n  driftLimit: 100\n",
    "check:\n  semantic: off\n",
    "llm:\n  provider: openai\n  baseUrl: http://localhost:8080/v1\n  model: m m\n  priceIn: 2.50\n  priceOut: 3\n",
    "llm:\n  provider: command\n  command: [cat, -]\n  concurrency: null\n",
    "packs:\n  core:\n    filter: access:public\n  more.1:\n    filter: a\n    tokenBudget: 200\n",
]
BAD = [
    "nothing: 1\n",
    "scc: 8\n",
    "scc:\n  maxTypes: 0\n",
    "scc:\n  maxTypes: 65\n",
    "scc:\n  maxTypes: many\n",
    "scc:\n  maxTypes: null\n",
    "scc:\n  maxtypes: 8\n",
    "requires: newest\n",
    "exclude: gen/**\n",
    "exclude: [1]\n",
    'exclude: ["a\\\\b"]\n',
    "untracked: 1\n",
    "project:\n  tfm: 8.0\n",
    "references:\n  assemblies: [../lib.dll]\n",
    "references:\n  assemblies: [/lib.dll]\n",
    "check:\n  semantic: never\n",
    "semantics:\n  types: ''\n",
    "llm:\n  baseUrl: ftp://example.com\n",
    "llm:\n  priceIn: -1\n",
    "llm:\n  hosts: [example.com]\n",
    "packs:\n  core: {}\n",
    "packs:\n  core:\n    filter: a\n    tokenBudget: 1\n",
    "packs:\n  -core:\n    filter: a\n",
    "packs: []\n",
    "- a\n",
]


def accepts(text):
    value = YAML(typ="safe", pure=True).load(text)
    return jsonschema.Draft7Validator(SCHEMA).is_valid(value)


def reads(text):
    try:
        read_config(text.encode(), "config.yaml")
    except ConfigError:
        return False
    return True


def test_it_is_a_schema():
    jsonschema.Draft7Validator.check_schema(SCHEMA)


def test_the_template_is_valid_also_with_every_default_written_out():
    text = template_files()["config.yaml"].decode()
    assert accepts(text)
    lines = [line for line in text.splitlines() if line.startswith("#") and not line.startswith("# ")]
    written = "\n".join(line.removeprefix("#") for line in lines)
    assert reads(written)
    assert accepts(written)


@pytest.mark.parametrize("text", GOOD)
def test_what_the_reader_takes_is_valid(text):
    assert reads(text)
    assert accepts(text)


@pytest.mark.parametrize("text", BAD)
def test_what_is_wrong_is_wrong_for_both(text):
    assert not reads(text)
    assert not accepts(text)


def test_every_key_says_what_it_is_for_and_has_a_default_that_fits():
    for name, key in KEYS.items():
        entry = SCHEMA
        for part in name.split("."):
            entry = entry["properties"][part]
        assert entry["description"] == key.rule.doc
        if "default" in entry:
            jsonschema.validate(entry["default"], entry)
