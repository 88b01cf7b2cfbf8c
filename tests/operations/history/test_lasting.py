"""A process that lasts, and asks libgit2, tells what one that asks git's processes tells."""

import pytest

from codecortex.git.objects import opening
from codecortex.git.objects.in_process import InProcess
from codecortex.git.repository import open_repository
from codecortex.operations.history.changes import list_changes, list_each
from codecortex.operations.history.type_diff import diff_type
from codecortex.operations.request import Request

BEFORE = {
    "src/Store.cs": "namespace Shop;\npublic class Store { public int Count; public void Add(int one) {} }\n",
    "src/Order.cs": "namespace Shop;\npublic record Order(string Key, int Number);\n",
}
AFTER = {
    "src/Keep.cs": "namespace Shop;\npublic class Keep { public int Count; public void Add(int one) {} }\n",
    "lib/Order.cs": "namespace Shop;\npublic record Order(string Key, int Number);\n",
    "src/New.cs": "namespace Shop;\nclass New;\n",
}


@pytest.fixture
def shop(tmp_path, git):
    root = tmp_path / "shop"
    git(tmp_path, "init", "--quiet", "shop")
    for files in (BEFORE, AFTER):
        for path in BEFORE.keys() if files is AFTER else ():
            (root / path).unlink()
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, "utf-8")
        git(root, "add", "--all")
        git(root, "commit", "--quiet", "-m", "one")
    return root


def test_comparisons_are_the_same(shop):
    once = Request(shop)
    lasting = once._replace(lasting=True)
    assert isinstance(opening.open_objects(open_repository(shop, lasting=True)), InProcess)
    found = list_changes(lasting, "HEAD~1..HEAD")
    assert {change.fqn for change in found.comparison.changes} >= {"Shop.Keep", "Shop.New", "Shop.Order"}
    assert found == list_changes(once, "HEAD~1..HEAD")
    assert list(list_each(lasting, "HEAD~1..HEAD")) == list(list_each(once, "HEAD~1..HEAD"))
    for symbol in ("Keep", "Store", "Order"):
        assert diff_type(lasting, symbol, "HEAD~1..HEAD") == diff_type(once, symbol, "HEAD~1..HEAD")
