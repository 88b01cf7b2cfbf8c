"""`requires:` is judged as pip would judge it, for releases."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packaging.specifiers import SpecifierSet

from codecortex.model.config_keys import KEYS, build_config
from codecortex.model.errors import ConfigError
from codecortex.store.committed.requires import check_requires
from codecortex.store.config.config import read_config

RELEASES = st.lists(st.integers(0, 3), min_size=1, max_size=3).map(lambda numbers: ".".join(map(str, numbers)))
PARTS = st.one_of(
    st.tuples(st.sampled_from([">=", "<=", ">", "<", "==", "!="]), RELEASES).map("".join),
    st.tuples(st.sampled_from(["==", "!="]), RELEASES, st.just(".*")).map("".join),
    st.tuples(st.just("~="), RELEASES.filter(lambda release: "." in release)).map("".join),
)


@given(st.lists(PARTS, min_size=1, max_size=3), RELEASES)
def test_ranges_mean_what_pip_takes_them_to_mean(parts, version):
    text = " , ".join(parts)
    assert KEYS["requires"].rule.fits(text)
    try:
        check_requires(build_config({"requires": text}), version)
        fits = True
    except ConfigError:
        fits = False
    assert fits == SpecifierSet(text).contains(version)


@pytest.mark.parametrize("text", ["", "1.2", "=1", "===1", ">=1.x", "~=1", ">1,", ">1,,<2", ">=1.*", ">" + "9" * 5000])
def test_what_is_no_range_is_refused(text):
    assert not KEYS["requires"].rule.fits(text)


def test_the_refusal_names_the_version_to_install():
    with pytest.raises(ConfigError) as caught:
        check_requires(build_config({"requires": ">=0.3, <1"}), "0.1.0")
    assert caught.value.message == "this repository requires codecortex >=0.3,<1, and this is 0.1.0"
    assert caught.value.hint == 'install that version: pip install "git-codecortex>=0.3,<1"'


def test_no_range_fits_every_version():
    check_requires(build_config({}), "0.1.0")


def test_a_development_version_is_judged_by_its_release():
    check_requires(build_config({"requires": ">=1.2"}), "1.2.dev3")


def test_the_version_to_install_comes_before_a_key_of_that_version():
    data = b'newKey: 1\nrequires: ">=9"\n'
    with pytest.raises(ConfigError, match="requires codecortex >=9"):
        read_config(data, "config.yaml", version="0.1.0")
    with pytest.raises(ConfigError, match=r"config\.yaml:1: unknown key newKey"):
        read_config(data, "config.yaml", version="9.0")
