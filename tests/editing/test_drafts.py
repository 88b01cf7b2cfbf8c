"""Bytes become text and the same bytes again; an edit keeps what stands outside it."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codecortex.editing.drafts import Draft, Form, decode_as, decode_draft, fold_ends, read_form

FORMS = [
    Form("utf-8"),
    Form("utf-8", codecs.BOM_UTF8),
    Form("utf-16-le", codecs.BOM_UTF16_LE),
    Form("utf-16-be", codecs.BOM_UTF16_BE),
    Form("utf-32-le", codecs.BOM_UTF32_LE),
    Form("utf-32-be", codecs.BOM_UTF32_BE),
]
PIECES = st.sampled_from(["a", "é", "→", "\n", "\r\n", "\r\n", " ", "line"])
TEXTS = st.lists(PIECES).map("".join)


@pytest.mark.parametrize("form", FORMS)
@given(text=TEXTS)
def test_bytes_come_back(form, text):
    data = form.mark + text.encode(form.encoding)
    assert decode_draft(data) == Draft(text, form)
    assert decode_draft(data).encode() == data


def test_what_is_no_utf8_is_read_as_the_compiler_reads_it():
    draft = decode_draft("café\r\n".encode("cp1252"))
    assert draft == Draft("café\r\n", Form("cp1252"))
    assert draft.splice(0, 1, "k").encode() == "kafé\r\n".encode("cp1252")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"a\0b", "is binary: it holds NUL characters"),
        (b"\xff\xfea", "is not valid UTF-16-LE at byte 2"),
        (codecs.BOM_UTF8 + b"a\xff", "is not valid UTF-8 at byte 4"),
        (b"\xe9\x01", "is binary: it is no UTF-8 and holds control characters"),
        (b"caf\xe9 \x81", "is neither valid UTF-8 (byte 3) nor Windows-1252"),
    ],
)
def test_what_cannot_be_edited_says_why(data, reason):
    assert decode_draft(data) == reason


@given(text=TEXTS, new=TEXTS, places=st.tuples(st.integers(0, 40), st.integers(0, 40)))
def test_an_edit_is_one_of_the_text_as_shown_and_keeps_the_rest(text, new, places):
    draft = Draft(text)
    start, end = sorted(min(place, len(draft.shown)) for place in places)
    edited = draft.splice(start, end, new)
    assert edited.shown == draft.shown[:start] + fold_ends(new) + draft.shown[end:]
    head, tail = _cut(text, start)[0], _cut(text, end)[1]
    assert edited.raw == head + draft.fit(new) + tail


def _cut(text: str, place: int) -> tuple[str, str]:
    """The text before and after a number of characters as shown, counted one by one."""
    position = 0
    for _ in range(place):
        position += 2 if text[position : position + 2] == "\r\n" else 1
    return text[:position], text[position:]


@pytest.mark.parametrize(
    ("text", "expected"), [("", "\n"), ("a\r\nb\nc\r\n", "\r\n"), ("a\rb\r", "\r"), ("a\r\nb\n", "\n")]
)
def test_inserted_text_takes_the_line_ends_that_are_most_frequent(text, expected):
    assert Draft(text).splice(0, 0, "x\r\ny\n").raw == f"x{expected}y{expected}{text}"


@pytest.mark.parametrize("form", [*FORMS, Form("cp1252")])
def test_a_form_has_a_name_and_texts_are_read_in_it(form):
    assert read_form(form.name) == form
    draft = Draft("e\r\n", form)
    assert decode_as(draft.encode(), form) == draft


def test_what_is_no_text_of_a_form_is_none():
    assert decode_as(b"\xff", Form()) is None
    assert decode_as(b"e", Form("utf-8", codecs.BOM_UTF8)) is None
    with pytest.raises(ValueError, match="utf-7"):
        read_form("utf-7")
