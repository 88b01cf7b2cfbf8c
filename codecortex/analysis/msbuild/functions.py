"""Evaluates the functions and members that MSBuild allows in `$(...)`."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from codecortex.analysis.msbuild.frameworks import compare_versions, is_compatible, parse_framework
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Callable

    from codecortex.analysis.msbuild.frameworks import Framework

Value = str | tuple[str, ...]
"""A text, or a list of texts: the result of `Split`, or the groups of a match, with the whole match first."""

MOST_TEXT = 200_000
"""The most characters of a value; otherwise properties that double each other would fill the memory."""

_MOST_STEPS = 20_000_000
_REPEATS = compile_later(r"(?<!\\)(?:[*+]|\{\d*,)")
_REPEATED_GROUP = compile_later(r"(?<!\\)\)(?:[*+]|\{)")
_OLD_GROUP = compile_later(r"\(\?<(?=[A-Za-z_])")
_OLD_BACK_REFERENCE = compile_later(r"\$(?:\{(\w+)\}|(\d))")
_ESCAPE = compile_later(r"%([0-9A-Fa-f]{2})")
_ENUMERATIONS = frozenset({"stringcomparison", "stringsplitoptions", "runtime.interopservices.osplatform"})
_NUMBERS: dict[str, Callable[[float, float], float]] = {
    "add": lambda one, other: one + other,
    "subtract": lambda one, other: one - other,
    "multiply": lambda one, other: one * other,
}
_VERSION_TESTS: dict[str, Callable[[int], bool]] = {
    "versionequals": lambda sign: sign == 0,
    "versionnotequals": lambda sign: sign != 0,
    "versiongreaterthan": lambda sign: sign > 0,
    "versiongreaterthanorequals": lambda sign: sign >= 0,
    "versionlessthan": lambda sign: sign < 0,
    "versionlessthanorequals": lambda sign: sign <= 0,
}
_PARTS: dict[str, Callable[[Framework], str]] = {
    "gettargetframeworkidentifier": lambda framework: framework.identifier,
    "gettargetframeworkversion": lambda framework: framework.dotted,
    "gettargetplatformidentifier": lambda framework: framework.platform,
    "gettargetplatformversion": lambda framework: framework.platform_version or "0.0",
}
_NO_FRAMEWORK = {
    "gettargetframeworkidentifier": "Unsupported",
    "gettargetframeworkversion": "0.0",
    "gettargetplatformidentifier": "",
    "gettargetplatformversion": "0.0",
}
_MACHINE = {
    ("runtime.interopservices.runtimeinformation", "osarchitecture"): "X64",
    ("runtime.interopservices.runtimeinformation", "processarchitecture"): "X64",
    ("environment", "is64bitoperatingsystem"): "True",
    ("environment", "is64bitprocess"): "True",
    ("environment", "newline"): "\n",
    ("environment", "osversion"): "Unix",
    ("msbuild", "isosunixlike"): "True",
    ("msbuild", "isrunningfromvisualstudio"): "False",
    ("string", "empty"): "",
}
_STRING_TESTS: dict[str, Callable[[str, str], bool | int]] = {
    "startswith": str.startswith,
    "endswith": str.endswith,
    "contains": str.__contains__,
    "equals": str.__eq__,
    "indexof": str.find,
    "lastindexof": str.rfind,
}
_STRIPS: dict[str, Callable[[str, str | None], str]] = {
    "trim": str.strip,
    "trimstart": str.lstrip,
    "trimend": str.rstrip,
}
_PADS: dict[str, Callable[[str, int, str], str]] = {"padleft": str.rjust, "padright": str.ljust}
_COMPONENTS = ("major", "minor", "build", "revision")


def unescape(text: str) -> str:
    """A text with escapes such as `%3B` replaced by their characters."""
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text) if "%" in text else text


def call_function(owner: str, name: str, arguments: tuple[str, ...]) -> Value | None:
    """The value of `$([Owner]::Name(arguments))` if it depends only on the arguments and on building under Linux.

    Args:
        owner: The type in lower case, such as `msbuild` or `system.string`.
        name: The function in lower case.
        arguments: The arguments, expanded.

    Returns:
        The value, `True` or `False` for Booleans; None for an unknown function.
    """
    owner = owner.removeprefix("system.")
    if not arguments and owner == "operatingsystem":
        return str(name == "islinux")
    if not arguments:
        return name if owner in _ENUMERATIONS else _MACHINE.get((owner, name))
    answer: Value | None = None
    match owner:
        case "msbuild":
            answer = _call_msbuild(name, arguments)
        case "string":
            answer = _call_string(name, arguments)
        case "text.regularexpressions.regex":
            answer = _call_regex(name, arguments)
        case "version" if name in {"parse", "new"} and len(arguments) == 1:
            answer = arguments[0]
        case "environment" if name == "getenvironmentvariable":
            answer = ""
        case "operatingsystem" | "runtime.interopservices.runtimeinformation" if name == "isosplatform":
            answer = str(arguments[0].lower() == "linux")
    return answer


def _call_msbuild(name: str, arguments: tuple[str, ...]) -> str | None:
    answer = None
    match name, arguments:
        case "isosplatform", (platform,):
            answer = str(platform.lower() == "linux")
        case "istargetframeworkcompatible", (wanted, candidate):
            answer = str(is_compatible(wanted, candidate))
        case _, (moniker, *_) if name in _PARTS:
            framework = parse_framework(moniker)
            answer = _PARTS[name](framework) if framework else _NO_FRAMEWORK[name]
        case _, (left, right) if name in _VERSION_TESTS:
            sign = compare_versions(left or "0", right or "0")
            answer = None if sign is None else str(_VERSION_TESTS[name](sign))
        case _, (left, right) if name in _NUMBERS:
            answer = _calculate(name, left, right)
        case "valueordefault", (value, default):
            answer = value or default
        case (("escape" | "unescape"), (value,)):
            answer = unescape(value) if name == "unescape" else value
        case "arefeaturesenabled", _:
            answer = "True"
        case "getregistryvalue", _:
            answer = ""
    return answer


def _calculate(name: str, left: str, right: str) -> str | None:
    try:
        return f"{_NUMBERS[name](float(left), float(right)):.15g}"
    except ValueError:
        return None


def _call_string(name: str, arguments: tuple[str, ...]) -> str | None:
    match name, arguments:
        case (("copy" | "new"), (value,)):
            return value
        case "isnullorempty", (value,):
            return str(not value)
        case "isnullorwhitespace", (value,):
            return str(not value.strip())
        case "concat", _:
            return "".join(arguments)
        case "join", (separator, *values):
            return separator.join(values)
    return None


def _call_regex(name: str, arguments: tuple[str, ...]) -> Value | None:
    match name, arguments:
        case "ismatch", (text, pattern, *_):
            expression = _compile(pattern, len(text))
            return str(expression.search(text) is not None) if expression else None
        case "match", (text, pattern, *_):
            expression = _compile(pattern, len(text))
            if expression is None:
                return None
            found = expression.search(text)
            return (found[0], *found.groups("")) if found else ()
        case "replace", (text, pattern, by, *_):
            expression = _compile(pattern, len(text))
            return _replace(expression, by, text) if expression else None
    return None


@lru_cache(maxsize=256)
def _compile(pattern: str, length: int) -> re.Pattern[str] | None:
    """A .NET pattern for texts of this length; None if Python does not accept it, or it could be slow."""
    if _REPEATED_GROUP.search(pattern) or max(length, 2) ** len(_REPEATS.findall(pattern)) > _MOST_STEPS:
        return None
    try:
        return re.compile(_OLD_GROUP.sub("(?P<", pattern))
    except re.error:
        return None


def _replace(expression: re.Pattern[str], by: str, text: str) -> str | None:
    template = _OLD_BACK_REFERENCE.sub(lambda found: rf"\g<{found[1] or found[2]}>", by.replace("\\", r"\\"))
    try:
        return expression.sub(template, text)
    except (re.error, IndexError):
        return None


def call_member(value: Value, name: str, arguments: tuple[str, ...]) -> Value | None:
    """The value of a member of a text, a list, a match, a version or a folder; None for an unknown member.

    Args:
        value: The value whose member is called.
        name: The member in lower case, such as `startswith`; `[]` for an index.
        arguments: The arguments, expanded.
    """
    if not isinstance(value, str):
        return _call_list_member(value, name, arguments)
    answer: Value | None = None
    match name, arguments:
        case (("tolower" | "tolowerinvariant"), ()):
            answer = value.lower()
        case (("toupper" | "toupperinvariant"), ()):
            answer = value.upper()
        case "length", ():
            answer = str(len(value))
        case (("tostring" | "fullname" | "value" | "platform"), ()):
            answer = value
        case "parent", ():
            answer = value.rpartition("/")[0]
        case "name", ():
            answer = value.rpartition("/")[2]
        case _, () if name in _COMPONENTS:
            answer = _read_component(value, _COMPONENTS.index(name))
        case _, (() | (_,)) if name in _STRIPS:
            answer = _STRIPS[name](value, arguments[0] if arguments else None)
        case _, (part, *rest) if name in _STRING_TESTS:
            one, other = (value.lower(), part.lower()) if "ignorecase" in "".join(rest).lower() else (value, part)
            answer = str(_STRING_TESTS[name](one, other))
        case _:
            answer = _call_longer_member(value, name, arguments)
    return answer


def _call_longer_member(value: str, name: str, arguments: tuple[str, ...]) -> Value | None:
    answer: Value | None = None
    match name, arguments:
        case "replace", (old, new) if old and value.count(old) * len(new) <= MOST_TEXT:
            answer = value.replace(old, new)
        case "split", (marks, *_) if marks:
            answer = tuple(re.split(f"[{re.escape(marks)}]", value))
        case (("substring" | "remove"), (start, *rest)):
            answer = _cut(value, (start, *rest), kept=name == "substring")
        case "insert", (start, part) if start.isdecimal() and int(start) <= len(value):
            answer = value[: int(start)] + part + value[int(start) :]
        case _, (width, *rest) if name in _PADS and width.isdecimal() and int(width) <= MOST_TEXT:
            answer = _PADS[name](value, int(width), (rest[0] if rest else " ")[:1] or " ")
        case "tostring", (count,) if count.isdecimal():
            answer = ".".join(value.split(".")[: int(count)])
        case "[]", (index,) if index.isdecimal() and int(index) < len(value):
            answer = value[int(index)]
    return answer


def _call_list_member(value: tuple[str, ...], name: str, arguments: tuple[str, ...]) -> Value | None:
    match name, arguments:
        case "[]", (index,) if index.isdecimal():
            return value[int(index)] if int(index) < len(value) else ""
        case (("length" | "count"), ()):
            return str(len(value))
        case "groups", ():
            return value
        case "value", ():
            return value[0] if value else ""
        case "success", ():
            return str(bool(value))
    return None


def _read_component(version: str, index: int) -> str | None:
    parts = version.split(".")
    return parts[index] if index < len(parts) and parts[index].isdecimal() else None


def _cut(value: str, places: tuple[str, ...], *, kept: bool) -> str | None:
    """The substring at a start with an optional length, or the text without it; None if it is out of range."""
    if not all(place.isdecimal() for place in places):
        return None
    start, *rest = map(int, places)
    end = start + rest[0] if rest else len(value)
    if start > len(value) or end > len(value):
        return None
    return value[start:end] if kept else value[:start] + value[end:]
