import pytest
from hypothesis import given
from hypothesis import strategies as st

from codecortex.analysis.msbuild.versions import choose_version, order_version, parse_range

KNOWN = ["1.0.0", "1.2.0", "2.0.0-rc.1", "2.0.0", "4.2.1"]


def test_versions_are_ordered_by_number_then_release():
    ordered = ["1.0", "1.0.1-alpha.2", "1.0.1-alpha.10", "1.0.1-beta", "1.0.1", "1.10.0", "2.0.0.1"]

    assert sorted(set(ordered), key=order_version) == ordered
    assert order_version("1.0") == order_version("1.0.0.0+build.7")


@pytest.mark.parametrize(
    ("wanted", "chosen"),
    [
        ("1.0", "1.0.0"),
        ("1.1", "1.2.0"),
        ("[1.0,2.0)", "1.0.0"),
        ("(1.0,2.0)", "1.2.0"),
        ("[1.0]", "1.0.0"),
        ("[1.1]", "1.0.0"),
        ("(,1.1]", "1.0.0"),
        ("2.0.0-rc.1", "2.0.0-rc.1"),
        ("1.*", "1.2.0"),
        ("*", "4.2.1"),
        ("4.3", "4.2.1"),
        ("5.0", None),
        ("", None),
        ("$(Unknown)", None),
    ],
)
def test_the_version_that_stands_for_a_reference(wanted, chosen):
    assert choose_version(wanted, KNOWN) == chosen


@given(st.text(alphabet="[]()*,.-0123456789 a"), st.text(alphabet=".-+0123456789a"))
def test_any_text_is_a_range_or_none(text, version):
    asked = parse_range(text)

    assert asked is None or asked.holds(version) in (True, False)
    assert choose_version(text, [version, "1.0"]) in (None, version, "1.0")
