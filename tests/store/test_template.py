"""The template is a folder that git treats as intended."""

from __future__ import annotations

import subprocess

import pytest

from codecortex.store.template import template_files


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    root = tmp_path_factory.mktemp("repository")
    subprocess.run(["git", "init", "-q", root], check=True)
    for name, data in template_files().items():
        path = root / ".codecortex" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return root


def test_the_template_is_complete_and_in_canonical_form():
    files = template_files()
    assert {".gitattributes", ".gitignore", "README.md", "config.yaml"} <= set(files)
    assert list(files) == sorted(files)
    for data in files.values():
        assert data.decode().endswith("\n")
        assert not data.endswith(b"\n\n")
        assert b"\r" not in data


def attributes(repository, path):
    command = ["git", "-C", repository, "check-attr", "-z", "-a", ".codecortex/" + path]
    words = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\0")
    return dict(zip(words[1::3], words[2::3], strict=False))


@pytest.mark.parametrize("path", ["index.json", "aliases.json", "types/T_1.outline.md", "types/AB/T_1.outline.md"])
def test_generated_files_are_merged_by_union_and_hidden_in_reviews(repository, path):
    found = attributes(repository, path)
    wanted = {"text": "set", "eol": "lf", "merge": "union", "linguist-generated": "set", "gitlab-generated": "set"}
    assert found == wanted


@pytest.mark.parametrize("path", ["semantic/T_1.md", "semantic/G_1.md"])
def test_notes_are_reviewed_as_prose_and_merged_by_a_driver_where_there_is_one(repository, path):
    found = attributes(repository, path)
    assert found.pop("merge") == "codecortex"
    assert found == {"text": "set", "eol": "lf", "linguist-generated": "unset", "gitlab-generated": "unset"}


@pytest.mark.parametrize("path", ["semantic/README.md", "config.yaml", "README.md", "prompts/index.json"])
def test_prose_is_reviewed_and_merged_as_prose(repository, path):
    found = attributes(repository, path)
    assert (found["text"], found["eol"]) == ("set", "lf")
    assert "merge" not in found
    assert found.get("linguist-generated", "unset") == "unset"


@pytest.mark.parametrize(("path", "ignored"), [("local/access.json", True), ("semantic/local/a.md", False)])
def test_only_the_local_folder_is_ignored(repository, path, ignored):
    command = ["git", "-C", repository, "check-ignore", "-q", ".codecortex/" + path]
    assert (subprocess.run(command, check=False).returncode == 0) is ignored
