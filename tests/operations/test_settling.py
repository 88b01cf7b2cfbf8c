"""Notes that went stale with a dependency are asked about only where its change may concern them."""

from __future__ import annotations

import pytest

PARCEL = """namespace Shop;
public class Parcel
{
    public int Weight { get; set; }
    public void Seal() { }
    public void Stamp(int cents) { }
}
"""
POST = """namespace Shop;
public class Post
{
    public void Send(Parcel parcel)
    {
        parcel.Seal();
    }
}
"""


@pytest.fixture
def post(shop):
    """A repository with a note on `Shop.Post`, which takes `Shop.Parcel`s and seals them."""
    shop.write("src/Parcel.cs", PARCEL)
    shop.write("src/Post.cs", POST)
    shop.note("Shop.Post", b"ROLE: Brings things to people.\n")
    shop.commit()
    return shop


def change(shop, old, new):
    shop.edit(old, new, "src/Parcel.cs")
    return shop.ask("Shop.Post")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    public void Seal()", "    public void Open() { }\n    public void Seal()"),
        ("    public void Stamp(int cents) { }\n", ""),
        ("Stamp(int cents)", "Stamp(decimal euros)"),
        ("int Weight", "long Weight"),
        ("public class", "[System.Diagnostics.StackTraceHidden]\npublic class"),
        (
            "    public void Seal()",
            "    public Parcel(int weight) { }\n    public Parcel() { }\n    public void Seal()",
        ),
    ],
)
def test_members_that_neither_the_source_nor_the_text_names_concern_no_note(post, old, new):
    prompt = change(post, old, new)
    assert prompt.settled
    assert prompt.no_change
    assert "Structure-Dependency" in prompt.text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("Seal()", "Seal(int times = 1)", id="it calls a member that changed"),
        pytest.param("    public void Seal() { }\n", "", id="it calls a member that went"),
        pytest.param("{\n    public int", "{\n    public void Seal(int times) { }\n    public int", id="overload"),
        pytest.param("    public void Seal", "    public string send;\n    public void Seal", id="a word in a comment"),
        pytest.param("class Parcel", "class Parcel : IDisposable", id="bases"),
        pytest.param("public class", "public sealed class", id="modifiers"),
        pytest.param("public class", "public record", id="kind"),
        pytest.param("public class", "[Obsolete]\npublic class", id="attribute"),
        pytest.param("    public void Seal", "    public int this[int at] => at;\n    public void Seal", id="indexer"),
        pytest.param(
            "    public void Seal",
            "    public static implicit operator int(Parcel parcel) => 0;\n    public void Seal",
            id="conversion",
        ),
        pytest.param("    public void Seal", "    public class Lid { }\n    public void Seal", id="nested type"),
        pytest.param(
            "    public void Seal", "    public void Dispose() { }\n    public void Seal", id="called unnamed"
        ),
        pytest.param(
            "    public void Seal",
            '    public override string ToString() => "";\n    public void Seal',
            id="formatting",
        ),
    ],
)
def test_what_may_reach_the_type_is_asked_about(post, old, new):
    post.edit("public void Send", "// see send\n    public void Send", "src/Post.cs")
    assert not change(post, old, new).settled


@pytest.mark.parametrize("text", [b"ROLE: Brings a `Parcel` to people.\n", b"ROLE: Asks for the Weight.\n"])
def test_a_text_that_speaks_of_the_type_or_the_member_is_asked_about(post, text):
    post.note("Shop.Post", text)
    assert not change(post, "int Weight", "long Weight").settled


@pytest.mark.parametrize("made", ["new Parcel()", "new()", "new Shop.Parcel { }"])
def test_who_constructs_it_is_asked_about_constructors(post, made):
    post.edit("parcel.Seal();", f"parcel.Seal(); Parcel other = {made};", "src/Post.cs")
    post.note("Shop.Post", b"ROLE: Brings things to people.\n")
    post.commit()
    assert not change(post, "    public void Seal", "    public Parcel(int size) { }\n    public void Seal").settled


def test_an_enum_is_asked_about(post):
    post.write("src/Size.cs", "namespace Shop;\npublic enum Size { Small, Large }\n")
    post.edit("Parcel parcel", "Parcel parcel, Size size", "src/Post.cs")
    post.note("Shop.Post", b"ROLE: Brings things to people.\n")
    post.commit()
    post.edit("Small,", "Tiny, Small,", "src/Size.cs")
    assert not post.ask("Shop.Post").settled


def test_who_inherits_is_asked_about_whatever_comes(post):
    post.edit("class Post", "class Post : Parcel", "src/Post.cs")
    post.note("Shop.Post", b"ROLE: Brings things to people.\n")
    post.commit()
    assert not change(post, "    public void Seal", "    public void Open() { }\n    public void Seal").settled


def test_who_inherits_through_another_type_is_asked_too(post):
    post.write("src/Crate.cs", "namespace Shop;\npublic class Crate : Parcel { }\n")
    post.edit("class Post", "class Post : Crate", "src/Post.cs")
    post.note("Shop.Post", b"ROLE: Brings things to people.\n")
    post.commit()
    assert not change(post, "    public void Seal", "    public void Open() { }\n    public void Seal").settled


def test_a_type_that_changed_itself_is_asked_about(post):
    post.edit("parcel.Seal();", "parcel.Seal(); parcel.Seal();", "src/Post.cs")
    assert not change(post, "int Weight", "long Weight").settled


def test_what_the_dependency_was_has_to_be_known(post):
    post.edit("int Weight", "double Weight", "src/Parcel.cs")  # the note is made from what no commit ever holds
    post.note("Shop.Post", b"ROLE: Brings things to people.\n")
    assert not change(post, "double Weight", "long Weight").settled


def test_a_dependency_that_went_is_asked_about(post):
    post.git(post.root, "rm", "--quiet", "-f", "src/Parcel.cs")
    assert not post.ask("Shop.Post").settled
