"""What a config.yaml sets is read from the local cache as it was from the file, and mistakes are told each time."""

from __future__ import annotations

import subprocess
import sys

import pytest

from codecortex.model.errors import ConfigError
from codecortex.store.cache.cache import open_cache
from codecortex.store.config.config import read_config

PATH = ".codecortex/config.yaml"
EVERY_KIND = b"""requires: ">=0.1,<9"
exclude: ["samples/**", old]
index: {detail: full}
promptWindow: {pinnedShare: 0.25}
project:
  tfm: net8.0
semantics: {tests: true, driftLimit: 7}
llm: {provider: command, command: [model, --fast], priceIn: 3, priceOut: 0.5, maxCostPerRun: null}
packs:
  core:
    filter: "namespace:Shop"
    tokenBudget: 900
  app: {filter: "name:App*"}
"""


@pytest.fixture
def cache(tmp_path):
    with open_cache(tmp_path, warn=pytest.fail) as opened:
        yield opened


def count_rows(cache):
    return cache.read("SELECT count(*) FROM facts")[0][0]


def test_settings_of_every_kind_come_back_from_the_cache(cache):
    plain = read_config(EVERY_KIND, PATH, version="1.0")
    for _ in range(2):
        kept = read_config(EVERY_KIND, PATH, version="1.0", cache=cache)
        assert kept == plain
        assert repr(kept) == repr(plain), "digests are made of it"
    assert count_rows(cache) == 1


def test_another_version_and_other_bytes_are_read_anew(cache):
    read_config(EVERY_KIND, PATH, version="1.0", cache=cache)
    with pytest.raises(ConfigError, match="9"):
        read_config(EVERY_KIND, PATH, version="9.0", cache=cache)
    assert read_config(EVERY_KIND + b"untracked: true\n", PATH, version="1.0", cache=cache).untracked
    assert count_rows(cache) == 2


def test_a_mistake_is_told_each_time(cache):
    for _ in range(2):
        with pytest.raises(ConfigError, match=r"config.yaml:2: unknown key"):
            read_config(b"untracked: true\nuntrackt: true\n", PATH, version="1.0", cache=cache)
    assert count_rows(cache) == 0


def test_nothing_is_kept_where_no_cache_is_wanted(cache):
    read_config(b"cache: {enabled: false}\n", PATH, version="1.0", cache=cache)
    assert count_rows(cache) == 0


def test_kept_settings_load_no_yaml_parser(cache):
    read_config(EVERY_KIND, PATH, version="1.0", cache=cache)
    code = (
        "import sys; from pathlib import Path; from codecortex.store.cache.cache import open_cache\n"
        "from codecortex.store.config.config import read_config\n"
        f"cache = open_cache(Path({str(cache.folder)!r}), warn=print)\n"
        f"read_config({EVERY_KIND!r}, {PATH!r}, version='1.0', cache=cache)\n"
        "print('ruamel.yaml' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
