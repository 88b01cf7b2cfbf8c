"""Semantic notes: the same note is the same bytes, texts are kept byte for byte, damage is named by its line."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codecortex.model.code.types import TypeId
from codecortex.model.errors import NewerFormatError, StoreFormatError
from codecortex.model.hashing import Digest
from codecortex.model.notes import Base, Dependency, MemberLine, Note, Section, hash_body
from codecortex.store.committed.semantic_md import MAX_BODY, decode_body, decode_note, encode_note, lay_out

PATH = ".codecortex/semantic/T_AB12CD34.md"
GROUP_PATH = ".codecortex/semantic/G_AB12CD34.md"
EXAMPLE = """# Semantic: MemoTree.Core.NodeStore T_AB12CD34
StructureHash: 9F2A441C
ImplHash: 5BC19F77 (public 11AA22BB, internal 33CC44DD)
Dependencies: T_EF56GH78@1A2B3C4D, T_GH56GH7812AB@AAAABBBB
Generator: openai:gpt-x prompt 3

ROLE:
Keeps nodes.

LIFECYCLE: until disposed
EDGE_CASES:
LIMITATIONS:
RECOMMENDATIONS:
"""
TEXTS = ("\nKeeps nodes.\n\n", " until disposed\n", "\n", "\n", "\n")
BASE = Base(
    TypeId("T_AB12CD34"), "MemoTree.Core.NodeStore", Digest("9F2A441C"), Digest("5BC19F77"), Digest("11AA22BB"),
    Digest("33CC44DD"), None,
)  # fmt: skip
NEEDED = (
    Dependency(TypeId("T_EF56GH78"), Digest("1A2B3C4D")),
    Dependency(TypeId("T_GH56GH7812AB"), Digest("AAAABBBB")),
)
NOTE = Note("T_AB12CD34", (BASE,), NEEDED, "openai:gpt-x prompt 3", None, TEXTS, hash_version=1)
GROUP = """# Semantic group: G_AB12CD34
Types:
- Ns.A`1+B T_AB12CD34: structure 9F2A441C, impl 5BC19F77 (public 11AA22BB, internal 33CC44DD), doc 00000000
- Ns.C T_AB12CD35: structure 9F2A441C, impl 5BC19F77 (public 11AA22BB, internal 33CC44DD)
Dependencies: none
Generator: hand
BodyHash: 01234567

ROLE:
LIFECYCLE:
EDGE_CASES:
LIMITATIONS:
RECOMMENDATIONS:
"""

HASHES = st.text("0123456789ABCDEFGHJKMNPQRSTVWXYZ", min_size=8, max_size=8).map(Digest)
TYPE_IDS = st.builds(lambda first, second: TypeId(f"T_{first}{second}"), HASHES, st.sampled_from(("", "0123", "ZZZZ")))
FQNS = st.text(st.characters(categories=("Lu", "Ll", "Nd"), include_characters="._+`"), min_size=1, max_size=12)
HEADINGS = re.compile(rf"^(?:{'|'.join(Section)}):", re.MULTILINE)
PROSE = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\r"), max_size=40)
TEXT = PROSE.map(lambda text: text + "\n").filter(
    lambda text: not HEADINGS.search("x" + text) and not re.search(r"^(?:[<>|]{7} |={7}$)", "x" + text, re.MULTILINE)
)
LINE = st.text(st.characters(categories=("L", "N", "P")), min_size=1, max_size=12)
BASES = st.builds(Base, TYPE_IDS, FQNS, HASHES, HASHES, HASHES, HASHES, st.none() | HASHES)


SAID = st.lists(LINE, min_size=1, max_size=3).map("\n  ".join)
MEMBERS = st.lists(
    st.builds(MemberLine, LINE, HASHES, SAID, HASHES) | st.builds(MemberLine, LINE, HASHES, st.just(""), st.just("")),
    max_size=3,
    unique_by=lambda each: each.name,
).map(tuple)


@st.composite
def notes(draw: st.DrawFn) -> Note:
    bases = draw(st.lists(BASES, min_size=1, max_size=4, unique_by=lambda base: base.type_id))
    group = draw(st.booleans())
    owner = f"G_{draw(HASHES)}" if group else bases[0].type_id
    members = draw(MEMBERS)
    return Note(
        owner=owner,
        types=tuple(bases if group else bases[:1]),
        dependencies=tuple(draw(st.lists(st.builds(Dependency, TYPE_IDS, HASHES), max_size=3))),
        generator=draw(LINE),
        body_hash=draw(st.none() | HASHES),
        texts=tuple(draw(TEXT) for _ in Section),
        members=members,
        rest=draw(HASHES) if members else "",
    )


def test_the_documented_example_is_read_and_written_as_it_stands() -> None:
    assert decode_note(EXAMPLE.encode(), PATH) == NOTE
    assert encode_note(NOTE) == EXAMPLE.encode()
    newer = NOTE._replace(hash_version=2)
    assert decode_note(encode_note(newer), PATH) == newer


def test_a_groups_note_has_a_line_for_each_type() -> None:
    note = decode_note(GROUP.encode(), GROUP_PATH)
    assert note.is_group
    assert [(base.fqn, base.type_id, base.xml_doc) for base in note.types] == [
        ("Ns.A`1+B", "T_AB12CD34", "00000000"),
        ("Ns.C", "T_AB12CD35", None),
    ]
    assert encode_note(note) == GROUP.encode()


@given(notes())
def test_what_is_written_is_read_back(note: Note) -> None:
    data = encode_note(note)
    path = f".codecortex/semantic/{note.owner}.md"
    assert decode_note(data, path) == note
    assert encode_note(decode_note(data, path)) == data


@given(notes(), st.sets(st.sampled_from(list(Section)), max_size=len(Section) - 1))
def test_a_section_that_a_note_does_not_have_is_not_written(note: Note, missing: set[Section]) -> None:
    laid_out = (lay_out(each, text) for each, text in zip(Section, note.texts, strict=True))
    texts = tuple("" if each in missing else text for each, text in zip(Section, laid_out, strict=True))
    data = encode_note(note._replace(texts=texts))
    assert {each for each in Section if re.search(rf"^{each}:", data.decode(), re.MULTILINE)} == set(Section) - missing
    assert not data.endswith(b"\n\n")
    assert (b"\nFormat: 2\n" in data) is bool(note.members)
    read = decode_note(data, f".codecortex/semantic/{note.owner}.md")
    assert read.texts == texts
    assert encode_note(read) == data
    assert hash_body(texts) == hash_body(text or "\n" for text in texts)


LINED = EXAMPLE.replace("\n\nROLE", "\nFormat: 2\nRest: AAAAAAAA\nMembers:\n- Find(int): BBBBBBBB CCCCCCCC\n\nROLE", 1)


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("MEMBERS:\n- `Find(int)`: a\nb\n", "'b' is no line on a member"),
        ("MEMBERS:\nx\n- `Find(int)`: a\n", "'x' is no line on a member"),
        ("MEMBERS:\n- `Find(int)`: a\n- `Find(int)`: b\n", "`Find(int)` stands twice"),
    ],
)
def test_what_is_no_line_on_a_member_is_named(lines: str, told: str) -> None:
    with pytest.raises(StoreFormatError, match=re.escape(told)):
        decode_note(f"{LINED}\n{lines}".encode(), PATH)


def test_a_line_that_a_person_adds_or_takes_out_is_theirs() -> None:
    (row,) = decode_note(LINED.encode(), PATH).members
    assert (row.text, row.by_hand) == ("", False)
    note = decode_note(f"{LINED}\nMEMBERS:\n- `Find(int)`: a\n- `Mine()`: b\n  c\n".encode(), PATH)
    assert [(each.name, each.text, each.by_hand) for each in note.members] == [
        ("Find(int)", "a", True),
        ("Mine()", "b\n  c", True),
    ]
    assert decode_note(encode_note(note), PATH) == note


@given(st.binary(max_size=60), st.integers(0, len(EXAMPLE)), st.integers(0, 30))
def test_damage_is_read_or_named(junk: bytes, at: int, length: int) -> None:
    data = EXAMPLE.encode()
    try:
        note = decode_note(data[:at] + junk + data[at + length :], PATH)
    except StoreFormatError as problem:
        assert problem.message.startswith(PATH)  # noqa: PT017 - either outcome is fine
    else:
        assert decode_note(encode_note(note), PATH) == note


def test_crlf_is_read_as_git_stores_it() -> None:
    assert decode_note(EXAMPLE.replace("\n", "\r\n").encode(), PATH) == NOTE


def test_a_lost_last_line_feed_and_a_byte_order_mark_are_forgiven() -> None:
    assert decode_note(b"\xef\xbb\xbf" + EXAMPLE.encode().rstrip(b"\n"), PATH) == NOTE


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("StructureHash: 9F2A441C\n", "", ":1: the header has no StructureHash"),
        ("9F2A441C", "9F2A441U", ":2: StructureHash is not of the expected form"),
        ("(public", "(pubic", ":3: ImplHash is not"),
        ("@1A2B3C4D", "", ":4: Dependencies is not"),
        ("Generator: openai:gpt-x prompt 3", "Generator: ", ":5: Generator is not"),
        ("Generator", "Author", ":5: unknown header line 'Author: openai"),
        ("Dependencies: T", "Generator: x\nDependencies: T", ":6: Generator stands twice"),
        ("T_AB12CD34\n", "T_AB12CD35\n", ":1: this is the note of T_AB12CD35"),
        ("# Semantic: ", "# semantic: ", ":1: expected `# Semantic"),
        ("EDGE_CASES:\nLIMITATIONS:", "LIMITATIONS:\nEDGE_CASES:", ":12: the section EDGE_CASES stands below LIMIT"),
        (EXAMPLE[EXAMPLE.index("\nROLE:") :], "\n", ":5: no section"),
        ("RECOMMENDATIONS:\n", "RECOMMENDATIONS:\n\nROLE: x\n", ":15: the section ROLE stands twice"),
        ("\nROLE:", "\nStray.\nROLE:", ":7: text before the section ROLE"),
        ("Keeps nodes.", "<<<<<<< HEAD\nKeeps nodes.", ":8: conflict marker"),
        ("Keeps nodes.", "Keeps \udcff nodes.", ":8: not UTF-8"),
    ],
)
def test_damage_is_named_by_its_line(before: str, after: str, told: str) -> None:
    assert before in EXAMPLE
    data = EXAMPLE.replace(before, after, 1).encode(errors="surrogateescape")
    with pytest.raises(StoreFormatError, match=re.escape(PATH + told)) as error:
        decode_note(data, PATH)
    assert error.value.hint or "UTF-8" in told


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("Types:\n", "", ":2: unknown header line"),
        ("T_AB12CD35", "T_AB12CD34", ":1: a group names each of its types once"),
        ("impl 5BC19F77", "impl 5BC19F7", ":3: unknown header line"),
        ("Generator: hand", "StructureHash: 9F2A441C", ":6: unknown header line"),
    ],
)
def test_damage_of_a_group_is_named_by_its_line(before: str, after: str, told: str) -> None:
    with pytest.raises(StoreFormatError, match=re.escape(GROUP_PATH + told)):
        decode_note(GROUP.replace(before, after, 1).encode(), GROUP_PATH)


def test_a_newer_format_is_told_from_damage() -> None:
    newer = EXAMPLE.replace("\nStructureHash", "\nFormat: 3\nNovelty: x\nStructureHash").encode()
    with pytest.raises(NewerFormatError, match="format 3 is newer"):
        decode_note(newer, PATH)
    assert decode_note(newer.replace(b"3\nNovelty: x", b"1"), PATH) == NOTE


def test_an_edit_of_the_text_shows_in_the_body_hash() -> None:
    note = NOTE._replace(body_hash=hash_body(NOTE.texts))
    assert not decode_note(encode_note(note), PATH).edited
    assert decode_note(encode_note(note).replace(b"Keeps nodes", b"Keeps trees"), PATH).edited
    assert not NOTE.edited


def test_a_body_may_hold_some_sections_in_any_order() -> None:
    body = decode_body(b"LIMITATIONS: slow  \n\n\n\nROLE:\nKeeps\r\n  nodes.\n", "note.txt")
    assert body == {Section.LIMITATIONS: " slow\n\n", Section.ROLE: "\nKeeps\n  nodes.\n\n"}


def test_of_a_whole_note_the_body_is_taken() -> None:
    assert tuple(decode_body(EXAMPLE.encode(), "x").values())[:1] == ("\nKeeps nodes.\n\n",)
    assert tuple(decode_body(EXAMPLE.encode(), "x")) == tuple(Section)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b"", "note.txt: no section"),
        (b"Keeps nodes.\n", "note.txt: no section"),
        (b"Keeps nodes.\nROLE: x\n", "note.txt:1: text before the first section"),
        (b"ROLE: x\nROLE: y\n", "note.txt:2: the section ROLE stands twice"),
        (b"ROLE: x\nSECURITY: y\n", "note.txt:2: unknown section SECURITY"),
        (b"ROLE: x\nPURPOSE:\n", "note.txt:2: unknown section PURPOSE"),
        (b"ROLE: x\n\x1b[31mred\n", "note.txt:2: control character U+001B"),
        (b"ROLE: x\n\n\xe2\x80\xae\n", "note.txt:3: control character U+202E"),
        (b"ROLE: x\ry\n", "note.txt:1: control character U+000D"),
        (b"ROLE: x\n>>>>>>> theirs\n", "note.txt:2: conflict marker"),
        (b"ROLE: \xff\n", "note.txt:1: not UTF-8"),
        (b"ROLE: " + b"x" * MAX_BODY, "note.txt: 65,539 bytes are more than"),
    ],
)
def test_a_body_that_is_none_is_refused(body: bytes, told: str) -> None:
    with pytest.raises(StoreFormatError, match=re.escape(told)) as error:
        decode_body(body, "note.txt")
    assert error.value.hint or "UTF-8" in told
