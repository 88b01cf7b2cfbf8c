"""What ARCHITECTURE.md says of the tree holds: folders stay small, and tests lie where their packages lie."""

import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
MOST = 15


def test_no_folder_holds_more_modules_than_a_reader_keeps_in_mind():
    modules = Counter(file.parent for file in (ROOT / "codecortex").rglob("*.py") if file.name != "__init__.py")
    assert {str(folder.relative_to(ROOT)): count for folder, count in modules.items() if count > MOST} == {}


def test_every_package_says_what_it_is_for_and_nothing_else():
    for file in (ROOT / "codecortex").rglob("__init__.py"):
        if file.parent.name != "codecortex":  # which holds the version
            text = file.read_text("utf-8").strip()
            assert text.startswith('"""'), file
            assert text.index('"""', 3) == len(text) - 3, file


def test_tests_of_operations_lie_in_folders_named_like_packages():
    for room in ("analysis", "context", "editing", "git", "operations", "parsing", "store", "symbols"):
        for folder in {file.parent for file in (ROOT / "tests" / room).rglob("test_*.py")}:
            assert (ROOT / "codecortex" / folder.relative_to(ROOT / "tests")).is_dir(), folder


def test_no_pattern_repeats_a_group_possessively():
    """Python before 3.11.5 goes astray in `(?:...)*+` (its issue 106052); `(?>(?:...)*)` is right everywhere."""
    files = (ROOT / "codecortex").rglob("*.py")
    assert [str(file) for file in files if re.search(r"\)[*+?]\+", file.read_text("utf-8"))] == []


def test_what_every_module_is_made_with_costs_little_to_load():
    """See decision 0154."""
    slow = re.compile(r"^from typing import .*\bNamedTuple\b|^\w+(?:: .+)? = re\.compile\(", re.MULTILINE)
    startup = ROOT / "codecortex/model/startup"
    files = [file for file in (ROOT / "codecortex").rglob("*.py") if file.parent != startup]
    assert [str(file) for file in files if slow.search(file.read_text("utf-8"))] == []
