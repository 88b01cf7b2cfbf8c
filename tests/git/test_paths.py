import pytest
from hypothesis import given
from hypothesis import strategies as st

from codecortex.git.paths import decode_path, encode_path


@given(st.binary() | st.text().map(lambda text: text.encode(errors="ignore")))
def test_every_path_survives_the_round_trip(raw):
    encoded = encode_path(raw)
    encoded.encode()
    assert decode_path(encoded) == raw


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"src/A.cs", "src/A.cs"),
        ("é/日本.cs".encode(), "é/日本.cs"),
        (b"caf\xe9.cs", "caf%E9.cs"),
        (b"100%.cs", "100%25.cs"),
        (b"\xe9%E9\n.cs", "%E9%25E9%0A.cs"),
    ],
)
def test_only_percent_and_foreign_bytes_are_encoded(raw, text):
    assert encode_path(raw) == text
