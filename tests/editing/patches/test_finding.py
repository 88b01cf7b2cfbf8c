"""Patches found in prose, as answers show them."""

import json

import pytest

from codecortex.editing.patches.finding import find_patches

DIFF = "--- a/x.cs\n+++ b/x.cs\n@@ -1 +1 @@\n-a\n+b\n"
BLOCK = "*** Begin Patch\n*** Update File: x.cs\n-a\n+b\n*** End Patch\n"
LIST = json.dumps([{"file": "x.cs", "old": "a", "new": "b"}]) + "\n"


@pytest.mark.parametrize("patch", [DIFF, f"diff --git a/x.cs b/x.cs\n{DIFF}", BLOCK, LIST])
@pytest.mark.parametrize("fence", ["```", "~~~~"])
def test_a_patch_in_a_fence_is_found(patch, fence):
    assert find_patches(f"Like this:\n\n{fence}diff\n{patch}{fence}\n\nDone.") == (patch,)
    assert find_patches(f"Like this:\n{fence}\n{patch}") == (patch,), "a fence that the answer did not close"


@pytest.mark.parametrize("patch", [DIFF, BLOCK])
def test_a_bare_patch_is_found(patch):
    assert find_patches(f"Like this:\n\n{patch}") == (patch,)


def test_several_are_found_in_their_order():
    assert find_patches(f"```\n{DIFF}```\nor\n\n{BLOCK}\nor\n```json\n{LIST}```") == (DIFF, BLOCK, LIST)


@pytest.mark.parametrize(
    "text", ["", "Nothing.", "```cs\nvar a = new[] { 1 };\n```", "A list:\n---\n- one\n", '```json\n[{"name": 1}]\n```']
)
def test_what_is_no_patch_is_not_found(text):
    assert find_patches(text) == ()
