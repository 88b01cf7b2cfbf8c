"""Of types with one name a file means its own, else those of its project, else those that its project sees."""

import random
import sys

import pytest

from codecortex.analysis.types.references import NameContext
from codecortex.analysis.types.symbol_table import Namesakes, SymbolTable
from codecortex.analysis.types.views import Level, View
from codecortex.model.code.types import TypeId

PROJECTS, FILES = ("a.csproj", "b.csproj", "c.csproj"), ("1.cs", "2.cs", "3.cs", "")
VISIBLE = frozenset(PROJECTS[1:2])


def choose_plainly(same, project, path):
    own = [each for each in same if each.project == project and each.file in ("", path)]
    if own:
        return tuple([each for each in own if each.file] or own)
    return tuple(each for each in same if each.project in VISIBLE and not each.file)


def make_table(rows):
    return SymbolTable([(TypeId(f"T_{number}"), fqn, project, owner) for number, (fqn, project, owner) in rows], ())


@pytest.mark.parametrize("seed", range(40))
def test_a_file_means_what_is_its_own(seed):
    chance = random.Random(seed)  # noqa: S311 - a law, not a secret
    rows = [("A.N", project, chance.choice((project, *FILES[:3]))) for project in chance.choices(PROJECTS, k=6)]
    same = make_table(enumerate(rows)).find("A.N")
    assert len(same) == len(rows)
    for project in PROJECTS:
        for path in FILES:
            view = View(NameContext(project, (), 0, "", path), (Level(""),), VISIBLE)
            assert view.select(same) == choose_plainly(same, project, path)


def test_types_with_one_name_are_found_in_proportion_to_them():
    """By FQN and by file: the lines that are run for twice as many are twice as many."""

    def count_lines(size):
        lines = 0

        def trace(*_):
            nonlocal lines
            lines += 1
            return trace

        nested = [(f"A.Node{number}+Builder", PROJECTS[0], PROJECTS[0]) for number in range(size)]
        local = [("A.Local", PROJECTS[0], f"{number}.cs") for number in range(size)]
        table = make_table(enumerate([*nested, *local]))
        views = [View(NameContext(PROJECTS[0], (), 0, "", path), (), VISIBLE) for _, _, path in local]
        before = sys.gettrace()
        sys.settrace(trace)
        try:
            found = [len(table.find(fqn)) for fqn, _, _ in nested]
            found += [len(view.select(table.find("A.Local"))) for view in views]
        finally:
            sys.settrace(before)
        assert found == [1] * 2 * size
        return lines

    few, many = count_lines(50), count_lines(400)
    assert many < 9 * few


def test_nothing_has_no_namesakes():
    view = View(NameContext(PROJECTS[0], (), 0, ""), (), VISIBLE)
    assert view.select(make_table(()).find("A.N")) == view.select(Namesakes()) == view.select(()) == ()
