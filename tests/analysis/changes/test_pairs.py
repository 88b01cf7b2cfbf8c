"""Which removed and added types are compared because of the files they lie in."""

from collections.abc import Callable
from typing import Any

import pytest

from codecortex.analysis.changes.pairs import list_kin

FEW, VERY_MANY = 20, 501


@pytest.mark.parametrize("count", [FEW, VERY_MANY])
def test_of_very_many_types_in_one_file_only_those_of_one_name_are_kin(
    workspace: Callable[..., Any], count: int
) -> None:
    old = workspace("namespace A;" + "".join(f"class C{number} {{ }}" for number in range(count))).types
    twice = "".join(f"class C{number} {{ }} class C{number}<T> {{ }}" for number in range(0, count, 2))
    new = workspace(f"namespace B; {twice}").types
    every = {(i, j) for i in range(len(old)) for j in range(len(new))}
    same = {(i, j) for i, j in every if old[i].simple_name == new[j].simple_name}

    assert len(same) >= count
    assert list_kin(old, new, {}) == (every if count == FEW else same)
