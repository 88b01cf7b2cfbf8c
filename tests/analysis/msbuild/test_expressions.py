import pytest
from hypothesis import given
from hypothesis import strategies as st

from codecortex.analysis.msbuild.expressions import (
    MOST_TEXT,
    Scope,
    UnevaluableError,
    check,
    expand,
    list_properties,
    unescape,
)
from codecortex.analysis.msbuild.functions import call_function


def call(owner: str, name: str, arguments: tuple[str, ...]) -> str:
    if (owner, name) == ("", "exists"):
        return str(arguments == ("here",))
    answer = call_function(owner, name, arguments)
    if answer is None:
        raise UnevaluableError(name)
    return answer


def scope(**values: str) -> Scope:
    return Scope(call, {name.lower(): value for name, value in values.items()}, {})


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("plain", "plain"),
        ("$(A)/$(b)/$(C)", "one/two/"),
        ("$( A )", "one"),
        ("$(A.ToUpperInvariant())", "ONE"),
        ("$(A.Replace('o', '(')).x", "(ne.x"),
        ("$(A.Replace('n', ','))", "o,e"),
        ("$(A.Length)", "3"),
        ("$(A.Trim('o'))", "ne"),
        ("$(A.StartsWith('on'))", "True"),
        ("$(A.Contains(`N`))", "False"),
        ("$(A.Replace('one', '$(B)').ToUpper())", "TWO"),
        ("$([System.String]::Copy('$(A)').EndsWith('ne'))", "True"),
        ("$([MSBuild]::GetTargetFrameworkIdentifier('net472'))", ".NETFramework"),
        ("$([MSBuild]::ValueOrDefault('$(C)', '8'))", "8"),
        ("$(A[1])", "n"),
        ("$(A.Split('n')[1])", "e"),
        ("$(A.Split('n'))", "o;e"),
        ("$(A.Split('n').Length)", "2"),
        ("$(A.Substring($(A.IndexOf('n'))))", "ne"),
        ("$(A.Substring(0, 1).ToUpper())$(A.Remove(0, 1))", "One"),
        ("$(A.LastIndexOf('x'))", "-1"),
        ("$(A.PadLeft(4, '0'))", "0one"),
        ("$(A.Equals('ONE', StringComparison.OrdinalIgnoreCase))", "True"),
        ("$([MSBuild]::Add($([System.Version]::Parse('9.1.2').Major), 1)).0", "10.0"),
        ("$([System.Version]::Parse('9.1.2').ToString(2))", "9.1"),
        ("$([System.String]::Concat('$(A)', '-', '$(B)'))", "one-two"),
        ("$([System.String]::IsNullOrEmpty('$(C)'))", "True"),
        ("$([System.Text.RegularExpressions.Regex]::Replace('v1.2-x', '^v(?<n>[0-9.]+)-.*$', '${n}'))", "1.2"),
        ("$([System.Text.RegularExpressions.Regex]::Match('v1.2-x', '([0-9]+)').Groups[1].Value)", "1"),
        ("$([System.Text.RegularExpressions.Regex]::IsMatch('A.Tests', '[.]Tests$'))", "True"),
        ("$([System.Text.RegularExpressions.Regex]::Match('a', 'b').Success)", "False"),
        ("$([MSBuild]::VersionGreaterThanOrEquals('$(C)', '7.0'))", "False"),
        ("$([MSBuild]::GetTargetPlatformIdentifier('$(C)'))", ""),
        ("$([MSBuild]::IsOSPlatform('Windows'))", "False"),
        ("$([System.OperatingSystem]::IsLinux())", "True"),
        ("$([System.Runtime.InteropServices.RuntimeInformation]::OSArchitecture)", "X64"),
    ],
)
def test_expansion(text, value):
    assert expand(text, scope(A="one", B="two")).text == value


@pytest.mark.parametrize(
    "text",
    [
        "$(A",
        "$()",
        "$(A.Nothing())",
        "$(A[9])",
        "$(A.Substring(9))",
        "$([System.Text.RegularExpressions.Regex]::Replace('$(A)', '(o+)+n', ''))",
        "$([MSBuild]::Add('$(A)', 1))",
        "$(Registry:HKEY)",
        "$([System.Guid]::NewGuid())",
        "$(A.Replace('open",
        "$(A.Replace(" * 40 + "))" * 40,
    ],
)
def test_what_cannot_be_expanded_says_so(text):
    with pytest.raises(UnevaluableError):
        expand(text, scope(A="one"))


def test_a_hostile_expression_is_refused_not_tried():
    for pattern in ("(a*)*b", "a*a*a*a*a*a*b"):
        with pytest.raises(UnevaluableError):
            expand(f"$([System.Text.RegularExpressions.Regex]::IsMatch('{'a' * 300}', '{pattern}'))", scope())


def test_values_cannot_grow_without_end():
    with pytest.raises(UnevaluableError):
        expand("$(A)$(A)", scope(A="x" * MOST_TEXT))
    with pytest.raises(UnevaluableError):
        expand("$(A.Replace('x', '$(A)'))", scope(A="x" * (MOST_TEXT // 2)))


def test_doubts_travel_with_the_properties_they_are_about():
    doubtful = scope(A="one", B="two")
    doubtful.doubts["b"] = ("b is a guess",)

    assert expand("$(A)", doubtful).doubts == ()
    assert expand("$(A)$(B)$(B)", doubtful).doubts == ("b is a guess",)
    assert check("'$(B)' == 'two'", doubtful) == (True, ("b is a guess",))


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("", True),
        ("'$(A)' == 'ONE'", True),
        ("'$(A)'!='one'", False),
        ("'$(None)' == ''", True),
        ("$(A) == one", True),
        ("'1.0' == '1'", True),
        ("'yes' == 'true'", True),
        ("'a b' == 'a b' And 'x' == 'x'", True),
        ("'a' == 'b' or 'b' == 'b' and 'c' == 'd'", False),
        ("('a' == 'b' Or 'b' == 'b') And !('c' == 'd')", True),
        ("'10' > '9'", True),
        ("'8.0.1' < '8.0.10'", True),
        ("'0x10' >= 16", True),
        ("Exists('here')", True),
        ("!Exists('there')", True),
        ("$(A.StartsWith('o')) and $(A.EndsWith('e'))", True),
        ("'$(A.Replace('o', 'x'))' == 'xne'", True),
        ("$([MSBuild]::IsTargetFrameworkCompatible('net9.0', 'net8.0'))", True),
        ("!$([MSBuild]::IsOSPlatform('Windows'))", True),
        ("$([MSBuild]::VersionGreaterThanOrEquals('8.0', '10.0'))", False),
        ("'$(Configuration)|$(Platform)' == 'Release|AnyCPU'", True),
        ("'%28' == '('", True),
        ("true", True),
        ("'a' == 'a' or $([Unknown]::Function())", True),
    ],
)
def test_conditions(condition, holds):
    assert check(condition, scope(A="one", Configuration="Release", Platform="AnyCPU")).holds is holds


@pytest.mark.parametrize(
    "condition",
    [
        "'a' ==",
        "'a' == 'b",
        "('a' == 'a'",
        "'a' 'b'",
        "'a' < 'b'",
        "one",
        "@(Compile)",
        "'%(X.Y)' == ''",
        "!" * 5000,
        "=",
        ")",
    ],
)
def test_what_cannot_be_decided_says_so(condition):
    with pytest.raises(UnevaluableError):
        check(condition, scope())


FRAGMENTS = [
    "'",
    "$(",
    ")",
    "(",
    "A",
    "==",
    "!=",
    " and ",
    " or ",
    "!",
    "[MSBuild]::",
    ".Replace(",
    ",",
    "%28",
    "Exists(",
    "<",
    "1",
    " ",
    "@(",
]


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=25).map("".join) | st.text(max_size=40))
def test_no_text_raises_anything_else(text):
    for ask in (expand, check):
        try:
            answer = ask(text, scope(A="one"))
        except UnevaluableError:
            continue
        assert isinstance(answer[0], str if ask is expand else bool)


def test_long_chains_do_not_exhaust_the_stack():
    assert check(" and ".join(["'a' == 'a'"] * 5000), scope()).holds


def test_the_properties_a_text_reads():
    assert list_properties("$(A)/$(B.Trim())/$([MSBuild]::F('$(C)'))") == ("a", "b")
    assert list_properties("$(") == ()


def test_escapes():
    assert unescape("a%3Bb%2a%zz") == "a;b*%zz"
