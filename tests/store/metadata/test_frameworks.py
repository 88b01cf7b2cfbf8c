"""The shipped frameworks, and the table of names that is made from one of them."""

import runpy
from pathlib import Path

from codecortex.analysis.types.framework import is_framework_type, is_value_type

SCRIPT = Path(__file__).parents[3] / "scripts" / "make_framework_names.py"


def test_the_table_of_names_is_that_of_the_index():
    types = runpy.run_path(str(SCRIPT))["list_types"]()

    assert len(types) == 3966
    assert all(map(is_framework_type, types))
    assert {name for name in types if is_value_type(name)} == {name for name, value in types.items() if value}
