"""What must not matter: order of files and members, how parts are cut, the hash seed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

MEMBERS = (
    "public int A(int x) => x;",
    "public int A(string x) => 1;",
    "int A() { return 2; }",
    "public static implicit operator int(C c) => 1;",
    "public static implicit operator long(C c) => 2;",
    "public C() { }",
    "static C() { A(); }",
    "/// <summary>Doc</summary>\npublic int P { get; private set; } = 3;",
    "[X] protected event E F;",
    "void I.A(int x) { }",
    "public class D : I { }",
    "private enum G { A, B }",
    "public int this[int i] => i;",
    "~C() { }",
    "public const int K = 1, L = 2;",
)
OTHERS = (
    "namespace N; interface I { C P { get; } }",
    "namespace N; delegate void E(D d, C.D e);",
    "class XAttribute { }",
)


def write_part(members, base=""):
    return "namespace N; public partial class C " + base + "{\n" + "\n".join(members) + "\n}\n"


def describe(found):
    """Everything that later steps and files are made from, but for places and layout."""
    out = {}
    for merged in found.types:
        hashes = found.hash(merged.fqn)
        out[merged.id] = (
            merged.fqn,
            [m.signature for m in merged.members],
            hashes.structure, hashes.impl, hashes.xml_doc,
            found.outline(merged.fqn).partition("| Assembly")[2],
            found.edges(merged.fqn),
        )  # fmt: skip
    return out


@given(st.data())
def test_order_of_files_is_nothing(workspace, data):
    files = {f"{name}.cs": text for name, text in zip("abc", OTHERS, strict=True)} | {"d.cs": write_part(MEMBERS)}
    mixed = data.draw(st.permutations(list(files.items())))
    one, two = workspace(files), workspace(dict(mixed))
    assert [(t.id, t.files) for t in one.types] == [(t.id, t.files) for t in two.types]
    assert describe(one) == describe(two)


@given(st.permutations(MEMBERS))
def test_order_of_members_is_nothing(workspace, members):
    texts = [{"a.cs": write_part(each), "b.cs": OTHERS[0], "c.cs": OTHERS[1]} for each in (MEMBERS, members)]
    assert describe(workspace(texts[0])) == describe(workspace(texts[1]))


@given(st.lists(st.integers(0, 2), min_size=len(MEMBERS), max_size=len(MEMBERS)))
def test_how_members_are_spread_over_parts_is_nothing(workspace, places):
    whole = [write_part(MEMBERS, ": I"), write_part(()), write_part(())]
    spread = [
        write_part([member for member, at in zip(MEMBERS, places, strict=True) if at == number], ": I" * (number == 1))
        for number in range(3)
    ]
    one, two = (
        workspace({"x.cs": OTHERS[0]} | {f"{number}.cs": text for number, text in enumerate(parts)})
        for parts in (whole, spread)
    )
    assert describe(one) == describe(two)


PROGRAM = """
import sys
sys.path[:0] = {paths!r}
from conftest import Workspace
from test_laws import OTHERS, MEMBERS, write_part, describe
files = dict(zip("abc", OTHERS)) | {{"d.cs": write_part(MEMBERS), "e.cs": "using M; using O; class Z : A {{ }}"}}
files |= {{"f.cs": "namespace M; class A {{ }}", "g.cs": "namespace O; class A {{ }}"}}
print(describe(Workspace(files)))
"""


@pytest.mark.slow
def test_the_hash_seed_is_nothing():
    here = Path(__file__).resolve()
    program = PROGRAM.format(paths=[str(here.parent), str(here.parents[2])])
    texts = {
        subprocess.run(
            [sys.executable, "-c", program], env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in "012"
    }
    assert len(texts) == 1
    assert b"N.C" in texts.pop()
