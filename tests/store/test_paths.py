"""Paths of artefacts go from ids and back; only what is derived may be overwritten."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codecortex.store.paths import (
    ALIASES,
    CONFIG,
    FOLDER,
    INDEX,
    Layout,
    is_derived,
    outline_path,
    outlined_type,
    semantic_owner,
    semantic_path,
)

IDS = st.from_regex(r"\AT_[0-9A-HJKMNP-TV-Z]{8}(?:[0-9A-HJKMNP-TV-Z]{4})?\Z")


def test_the_documented_paths():
    assert outline_path("T_AB12CD34") == ".codecortex/types/T_AB12CD34.outline.md"
    assert outline_path("T_AB12CD34", Layout.FAN_OUT) == ".codecortex/types/AB/T_AB12CD34.outline.md"
    assert semantic_path("T_AB12CD34") == ".codecortex/semantic/T_AB12CD34.md"


@given(IDS, st.sampled_from(Layout))
def test_an_outline_path_leads_back_to_its_type(type_id, layout):
    path = outline_path(type_id, layout)
    assert outlined_type(path) == type_id
    assert is_derived(path)


def test_the_index_is_derived_and_the_alias_table_is_not():
    assert is_derived(INDEX)
    assert not is_derived(ALIASES)


@pytest.mark.parametrize(
    "path",
    [
        CONFIG,
        f"{FOLDER}/README.md",
        f"{FOLDER}/.gitattributes",
        f"{FOLDER}/prompts/role.md",
        f"{FOLDER}/semantic/T_AB12CD34.md",
        f"{FOLDER}/types/notes.md",
        f"{FOLDER}/types/T_AB12CD34.md",
        f"{FOLDER}/types/T_AB12CD3.outline.md",
        f"{FOLDER}/types/T_AB12CD34E.outline.md",
        f"{FOLDER}/types/T_AB12CD3I.outline.md",
        f"{FOLDER}/types/CD/T_AB12CD34.outline.md",
        f"{FOLDER}/types/AB/x/T_AB12CD34.outline.md",
        f"{FOLDER}/types/T_AB12CD34.outline.md\n",
        f"src/{FOLDER}/types/T_AB12CD34.outline.md",
        "index.json",
        f"{FOLDER}/local/index.json",
    ],
)
def test_everything_else_is_the_users(path):
    assert not is_derived(path)
    assert outlined_type(path) is None


@pytest.mark.parametrize(
    ("path", "owner"),
    [
        (".codecortex/semantic/T_AB12CD34.md", "T_AB12CD34"),
        (".codecortex/semantic/G_AB12CD34.md", "G_AB12CD34"),
        (".codecortex/semantic/T_AB12CD3456ZZ.md", "T_AB12CD3456ZZ"),
        (".codecortex/semantic/T_ab12cd34.md", None),
        (".codecortex/semantic/README.md", None),
        (".codecortex/semantic/more/T_AB12CD34.md", None),
        ("T_AB12CD34.md", None),
        (".codecortex/semantic/T_AB12CD34.outline.md", None),
    ],
)
def test_the_name_of_a_file_tells_whose_note_it_is(path, owner):
    assert semantic_owner(path) == owner
