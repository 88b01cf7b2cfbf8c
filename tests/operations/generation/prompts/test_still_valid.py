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
    ],
)
def test_members_that_neither_the_source_nor_the_text_names_concern_no_note(post, old, new):
    prompt = change(post, old, new)
    assert prompt.still_valid
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
        pytest.param("    public void Seal", "    public Parcel(int size) { }\n    public void Seal", id="constructor"),
        pytest.param(
            "public int Weight", "public required int Height { get; set; }\n    public int Weight", id="required"
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
    assert not change(post, old, new).still_valid


@pytest.mark.parametrize(
    "text",
    [
        b"ROLE: Brings a `Parcel` to people.\n",
        b"ROLE: Asks for the Weight.\n",
        b"EDGE_CASES: Sums the weights.\n",
        b"LIMITATIONS: Lost parcels are not looked for.\n",
    ],
)
def test_a_text_that_speaks_of_the_type_or_the_member_is_asked_about(post, text):
    post.note("Shop.Post", text)
    assert not change(post, "int Weight", "long Weight").still_valid


def note_anew(post, *edits):
    """Edit the two types (`path: old -> new`), and write the note on them as they are then."""
    for path, old, new in edits:
        post.edit(old, new, path)
    post.note("Shop.Post", b"ROLE: Brings things to people.\n")
    post.commit()


BODY, DECLARED, SEAL = "parcel.Seal();", "public class Parcel", "    public void Seal()"


@pytest.mark.parametrize("kind", ["struct", "record", "record struct"])
def test_data_that_is_compared_and_copied_as_a_whole_is_asked_about(post, kind):
    note_anew(post, ("src/Parcel.cs", DECLARED, f"public {kind} Parcel"))
    assert not change(post, SEAL, f"    public int Height {{ get; set; }}\n{SEAL}").still_valid


@pytest.mark.parametrize(
    "body",
    [
        "JsonSerializer.Serialize(parcel);",
        "typeof(Parcel).GetProperties();",
        "var all = typeof(List< /* of */ Parcel>);",
        "parcel.GetType().GetProperties();",
        "dynamic any = parcel;",
    ],
)
def test_what_is_looked_up_at_run_time_is_asked_about(post, body):
    note_anew(post, ("src/Post.cs", BODY, f"{BODY} {body}"))
    assert not change(post, SEAL, f"    public int Height {{ get; set; }}\n{SEAL}").still_valid


def test_other_types_may_be_looked_up(post):
    note_anew(post, ("src/Post.cs", BODY, f"{BODY} var name = typeof(int).Name;"))
    assert change(post, SEAL, f"    public int Height {{ get; set; }}\n{SEAL}").still_valid


def test_a_member_that_an_attribute_of_its_type_names_is_asked_about(post):
    builder = '[CollectionBuilder(typeof(Parcel), "Make")]\npublic class Parcel'
    note_anew(post, ("src/Parcel.cs", DECLARED, builder), ("src/Post.cs", BODY, f"{BODY} Parcel some = [1];"))
    assert not change(post, SEAL, f"    public static Parcel Make(int[] all) => null;\n{SEAL}").still_valid


@pytest.mark.parametrize(
    ("declared", "named"),
    [
        ("Weight", r"\u0057eight"),
        (r"\u0057eight", "Weight"),
        ("Weight", "We\u200dight"),
        ("Gr\u00f6sse", "Gro\u0308sse"),
        ("Gro\u0308sse", "Gr\u00f6sse"),
        ("@class", "@class"),
    ],
)
def test_one_name_may_be_spelt_in_several_ways(post, declared, named):
    note_anew(
        post,
        ("src/Parcel.cs", "int Weight", f"int {declared}"),
        ("src/Post.cs", BODY, f"{BODY} parcel.{named} = 3;"),
    )
    assert not change(post, f"int {declared}", f"long {declared}").still_valid


def test_internal_members_are_structure_where_the_configuration_says_so(post):
    post.configure("hash: {includeInternalInStructureHash: true}\n")
    note_anew(post, ("src/Parcel.cs", "public void Seal", "internal void Seal"))
    assert not change(post, "Seal()", "Seal(int times = 1)").still_valid


def test_who_stands_inside_of_it_is_asked_about_whatever_comes(post):
    post.edit("class Post\n{", "class Post\n{\n    public class Stamp { public Post Whole; }\n", "src/Post.cs")
    post.note("Shop.Post.Stamp", b"ROLE: Pays.\n")
    post.commit()
    post.edit("    public void Send", "    public void Return() { }\n    public void Send", "src/Post.cs")
    assert not post.ask("Shop.Post.Stamp").still_valid


def test_who_holds_a_type_that_inherits_is_asked_about_whatever_comes(post):
    note_anew(post, ("src/Post.cs", "class Post\n{", "class Post\n{\n    private class Crate : Parcel { }\n"))
    assert not change(post, SEAL, f"    public void Open() {{ }}\n{SEAL}").still_valid


def test_a_type_that_changed_inside_is_asked_about_lest_its_drift_be_forgotten(post):
    note_anew(post, ("src/Post.cs", "class Post\n{", "class Post\n{\n    private int _sent = 0;\n"))
    post.edit("_sent = 0", "_sent = 1", "src/Post.cs")
    assert not change(post, "int Weight", "long Weight").still_valid


@pytest.mark.parametrize(
    ("declared", "old", "new"),
    [
        pytest.param("delegate void Other(int place);", "int place", "long place", id="delegate"),
        pytest.param("enum Other { Small, Large }", "Small,", "Tiny, Small,", id="enum"),
    ],
)
def test_a_delegate_or_an_enum_is_asked_about(post, declared, old, new):
    post.write("src/Other.cs", f"namespace Shop;\npublic {declared}\n")
    note_anew(post, ("src/Post.cs", "Parcel parcel)", "Parcel parcel, Other other)"))
    post.edit(old, new, "src/Other.cs")
    assert not post.ask("Shop.Post").still_valid


def test_who_inherits_is_asked_about_whatever_comes(post):
    note_anew(post, ("src/Post.cs", "class Post", "class Post : Parcel"))
    assert not change(post, "    public void Seal", "    public void Open() { }\n    public void Seal").still_valid


def test_who_inherits_through_another_type_is_asked_too(post):
    post.write("src/Crate.cs", "namespace Shop;\npublic class Crate : Parcel { }\n")
    note_anew(post, ("src/Post.cs", "class Post", "class Post : Crate"))
    assert not change(post, "    public void Seal", "    public void Open() { }\n    public void Seal").still_valid


def test_a_type_that_changed_itself_is_asked_about(post):
    post.edit("parcel.Seal();", "parcel.Seal(); parcel.Seal();", "src/Post.cs")
    assert not change(post, "int Weight", "long Weight").still_valid


def test_what_the_dependency_was_has_to_be_known(post):
    post.edit("int Weight", "double Weight", "src/Parcel.cs")  # the note is made from what no commit ever holds
    post.note("Shop.Post", b"ROLE: Brings things to people.\n")
    assert not change(post, "double Weight", "long Weight").still_valid


def test_a_dependency_that_went_is_asked_about(post):
    post.git(post.root, "rm", "--quiet", "-f", "src/Parcel.cs")
    assert not post.ask("Shop.Post").still_valid
