"""Converts a documentation reference (`cref`) to the name to display.

Sources contain two spellings: documentation ids (`M:N.C.Add(System.Int32)`) and C# with braces (`List{T}.Add(T)`). An
id is displayed without namespace and owner, C# with the path its author chose. Type names between brackets lose their
namespaces in both.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    import re

_KEYWORDS = {
    "System.Boolean": "bool",
    "System.Byte": "byte",
    "System.Char": "char",
    "System.Decimal": "decimal",
    "System.Double": "double",
    "System.Int16": "short",
    "System.Int32": "int",
    "System.Int64": "long",
    "System.Object": "object",
    "System.SByte": "sbyte",
    "System.Single": "float",
    "System.String": "string",
    "System.UInt16": "ushort",
    "System.UInt32": "uint",
    "System.UInt64": "ulong",
    "System.Void": "void",
}
_ID_KINDS = frozenset("TMPFEO")
_CONSTRUCTORS = frozenset(("#ctor", "#cctor"))
_BRACES = str.maketrans("{}@", "<>&")

_BRACKET = compile_later(r"[({<\[]")
# A dotted name that does not continue a path: `.Add` after `List{T}` is a member, not a namespace.
_QUALIFIED = compile_later(r"(?<![\w.])(?>(?:\w++(?:\.|::))+)(\w++)")
_COMMA = compile_later(r" ?,(?![,\]]) ?")
_ARRAY_BOUNDS = compile_later(r"(?<=[\[,])\d*:\d*(?=[,\]])")
_NULLABLE = compile_later(r"(?<![\w.])(?:System\.)?Nullable\{([\w.]+)\}")
# Real arities and nesting depths stay below these limits; they bound the output for a hostile reference.
_MAX_LEVELS = 8
_TICKS = compile_later(r"(`{1,2})(1?\d)(?!\d)")


@lru_cache(maxsize=4096)
def display_cref(cref: str) -> str:
    """A reference in C# syntax.

    Args:
        cref: The attribute's value, entities decoded: a documentation id, or C# with braces for angle brackets.

    Returns:
        A one-line name such as `Add(int, string)` or `List<T>.Add(T)`; `''` for a blank reference.
    """
    text = " ".join(cref.split()).replace(" .", ".").removeprefix("global::")
    kind, body = text[:1], text[2:]
    if text[1:2] != ":" or body.startswith(":"):
        return _display_source(text)
    if kind in _ID_KINDS:
        return _display_id(kind, body)
    return body if kind == "N" else _display_source(body)


def display_type_cref(cref: str) -> str:
    """A reference that is known to name a type, such as an exception's, without its namespace."""
    text = cref.strip()
    return display_cref(text if text[1:2] == ":" else "T:" + text.removeprefix("global::"))


def _display_source(text: str) -> str:
    return _KEYWORDS.get(text) or _expand_ticks(_tidy(text))


def _display_id(kind: str, body: str) -> str:
    if body in _KEYWORDS:
        return _KEYWORDS[body]
    # The text after the last parenthesis is a conversion's return type.
    body = body[: body.rfind(")") + 1] or body
    text = _expand_ticks(_tidy(_NULLABLE.sub(r"\1?", body)))
    path, parenthesis, arguments = text.partition("(")
    owner, _, name = path.rpartition(".")
    if name in _CONSTRUCTORS:
        name = owner.rpartition(".")[2]
    name = name.rpartition("#")[2]
    if kind == "P" and name == "Item" and parenthesis:
        return f"this[{arguments[:-1]}]"
    return name + parenthesis + arguments


def _tidy(text: str) -> str:
    """Replaces braces by angle brackets, adds spaces after commas, and shortens the type names between brackets."""
    opened = _BRACKET.search(text)
    if opened is None:
        return text
    at = opened.start()
    inside = _ARRAY_BOUNDS.sub("", _QUALIFIED.sub(_shorten, text[at:]))
    return text[:at] + _COMMA.sub(", ", inside).translate(_BRACES)


def _shorten(name: re.Match[str]) -> str:
    return _KEYWORDS.get(name[0]) or name[1]


def _expand_ticks(text: str) -> str:
    """Gives names to type parameters that an id only counts or numbers: `` List`1.Add(`0) `` gives `List<T>.Add(T)`."""
    if "`" not in text:
        return text
    path, parenthesis, arguments = text.partition("(")
    ticks = [(len(mark), int(count)) for mark, count in _TICKS.findall(path)[:_MAX_LEVELS]]
    of_type = _name_parameters("T", sum(count for level, count in ticks if level == 1))
    of_method = _name_parameters("U" if of_type else "T", sum(count for level, count in ticks if level > 1))
    waiting = {1: iter(of_type), 2: iter(of_method)}

    def declare(tick: re.Match[str]) -> str:
        names = waiting[len(tick[1])]
        return f"<{', '.join(next(names) for _ in range(int(tick[2])))}>"

    def refer(tick: re.Match[str]) -> str:
        names, index = (of_type if len(tick[1]) == 1 else of_method), int(tick[2])
        return names[index] if index < len(names) else f"T{index + 1}"

    return _TICKS.sub(declare, path, count=_MAX_LEVELS) + parenthesis + _TICKS.sub(refer, arguments)


def _name_parameters(letter: str, count: int) -> list[str]:
    return [letter] if count == 1 else [f"{letter}{number}" for number in range(1, count + 1)]
