"""Tells whether what a pattern took is what it looks like: patterns are loose inside of types and expressions.

Names and types repeat, so each text is looked at once.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from codecortex.model.code.syntax import KEYWORDS, PREDEFINED
from codecortex.model.startup.patterns import compile_later
from codecortex.parsing.csharp.headers import (
    attributes_of_type_parameters,
    fold_blanks,
    name_of_type_parameter,
    read_constraints,
    read_parameters,
    read_type_parameters,
    split_base,
    split_commas,
    take_attributes,
    tidy,
)

if TYPE_CHECKING:
    import re

_RESERVED = KEYWORDS - PREDEFINED
_NO_TYPES = _RESERVED.union((
    "allows", "async", "await", "extension", "file", "partial", "record", "required", "scoped", "union", "where",
    "yield",
))  # fmt: skip
"""Keywords, and words that are a type in none but odd code, which is left to the grammar."""
_KEYWORDS = frozenset(map(str.encode, KEYWORDS))
_NO_NAMES = frozenset(map(str.encode, _NO_TYPES | PREDEFINED))
_UNKNOWN = _RESERVED - frozenset(("base", "default", "false", "new", "null", "sizeof", "this", "true", "typeof"))
_CONSTRAINTS = frozenset(("class", "class?", "struct", "unmanaged", "notnull", "default", "new()"))

_NAMED, _SIGNS = frozenset("xy"), frozenset("xyp")
_IDENTIFIER = compile_later(r"@?[^\W\d]\w*")
_QUALIFIED = compile_later(r"x(?:(?:\.|::)x)+")
_CONTAINER = compile_later(r"y\.(?=[xy])")
_GENERIC = compile_later(r"x<[xyp](?:, [xyp])*>")
_SUFFIXED = compile_later(r"[xyp](?:\?|\[,*\])")
_TUPLE = compile_later(r"\([xyp](?: x)?(?:, [xyp](?: x)?)+\)")
_NAME = r"@?[^\W\d]\w*(?:\.@?[^\W\d]\w*)*"
_OPERAND = (
    r"(?:[-+~]?(?:\d[\w.]*|" + _NAME + r"(?:<[\w., ]*>)?(?:\((?:" + _NAME + r"(?:<[\w., ]*>)?)?\))?)"
    r'|"(?:[^"\\\n]|\\.)*"|' + r"'(?:[^'\\\n]|\\.)*')"
)  # fmt: skip
_EXPRESSION = _OPERAND + r"(?: ?[|+] ?" + _OPERAND + r")*"
_LITERAL = compile_later(r'"(?:[^"\\\n]|\\.)*"|' + r"'(?:[^'\\\n]|\\.)*'")
_DEFAULT = compile_later(_EXPRESSION)
_ARGUMENTS = r"\((?:(?:\w+ ?[=:] ?)?" + _EXPRESSION + r"(?:, ?(?:\w+ ?[=:] ?)?" + _EXPRESSION + r")*)?\)"
_CALL = compile_later(_ARGUMENTS)
_ATTRIBUTE = compile_later(r"(?:\w+: )?" + _NAME + r"(?:<[\w., ]*>)?(?:" + _ARGUMENTS + r")?")
_NUMBER = rb"(?>(?:[~+-]\s*+)?)(?:\(\w++\)\s*+)?[\w.@]++"
_GROUP = rb"(?:" + _NUMBER + rb"|\(\s*+" + _NUMBER + rb"\s*+(?:(?:<<|>>|[|&^+*-])\s*+" + _NUMBER + rb"\s*+)*\))"
_VALUE = compile_later(rb"\s*+" + _GROUP + rb"\s*+(?:(?:<<|>>|[|&^+*-])\s*+" + _GROUP + rb"\s*+)*")
_CAST = compile_later(rb"\(\w++\)")
_WORD = compile_later(rb"@?+[A-Za-z_]\w*+")
_REF = compile_later(rb"ref\s++(?:readonly\s++)?")


@lru_cache(maxsize=32768)
def _reduce(text: str) -> str:
    """What a text from `tidy` is: `x` a name, `y` one with type arguments, `p` any other type; else not one sign."""
    if text.isidentifier():
        return "" if text in _NO_TYPES else "p" if text in PREDEFINED else "x"
    left, last = _IDENTIFIER.sub(_sign, text), ""
    while left != last and "??" not in left:
        last = left
        left = _GENERIC.sub("y", _QUALIFIED.sub("x", _CONTAINER.sub("", left)))
        left = _TUPLE.sub("p", _SUFFIXED.sub("p", left))
    return left


def _sign(match: re.Match[str]) -> str:
    word = match[0]
    return "" if word in _NO_TYPES else "p" if word in PREDEFINED else "x"


def is_type(text: bytes) -> bool:
    """Whether a text is a type, which may follow `ref`."""
    return _reduce(tidy(_REF.sub(b"", text, 1) if text.startswith(b"ref") else text)) in _SIGNS


def is_name(name: bytes) -> bool:
    """Whether an identifier is no keyword, nor a word that is one in some places."""
    return name not in _NO_NAMES


@lru_cache(maxsize=16384)
def are_parameters(text: bytes) -> bool:
    """Whether a text is a list of parameters."""
    return all(
        _reduce(each.type) in _SIGNS
        and ((name := each.name.encode()) not in _KEYWORDS or b"@" + name in text)
        and (each.default is None or _is_value(each.default))
        and _are_attributes(each.attributes)
        for each in read_parameters(text).items
    )


def _is_value(text: str) -> bool:
    return _DEFAULT.fullmatch(text) is not None and _is_free(text)


def _is_free(text: str) -> bool:
    """Whether an expression holds no keyword that the patterns here do not know."""
    return _UNKNOWN.isdisjoint(_IDENTIFIER.findall(_LITERAL.sub("", text)))


def _are_attributes(attributes: tuple[str, ...]) -> bool:
    return all(_ATTRIBUTE.fullmatch(each) is not None and _is_free(each) for each in attributes)


@lru_cache(maxsize=4096)
def are_type_parameters(text: bytes) -> bool:
    """Whether a text is a list of type parameters in angle brackets."""
    names = map(name_of_type_parameter, read_type_parameters(text))
    attributes = tuple(each for _, each in attributes_of_type_parameters(text))
    return all(_reduce(name) == "x" for name in names) and _are_attributes(attributes)


@lru_cache(maxsize=4096)
def are_clauses(text: bytes) -> bool:
    """Whether a text is `where` clauses."""
    wanted = [each.partition(" : ") for each in read_constraints(text)]
    return all(
        _reduce(name) == "x"
        and all(
            (word := tidy(piece)) in _CONSTRAINTS or _reduce(word) in _SIGNS for piece in split_commas(rest.encode())
        )
        for name, _, rest in wanted
    )


@lru_cache(maxsize=4096)
def are_bases(text: bytes) -> bool:
    """Whether a text is a list of base types, of which some may have arguments."""
    for piece in split_commas(text):
        base, arguments = split_base(piece)
        if base.endswith("?") or _reduce(base) not in _SIGNS:
            return False
        call = fold_blanks(arguments) if arguments else ""
        if call and not (_CALL.fullmatch(call) and _is_free(call)):
            return False
    return True


def is_using(text: bytes) -> bool:
    """Whether a text is a using directive."""
    alias, sign, target = text.rpartition(b"=")
    if not sign:
        target = text.partition(b"using")[2].strip().removeprefix(b"static ")
        return b"<" not in target and _reduce(tidy(target)) == "x"
    return is_name(alias.split()[-1]) and _reduce(tidy(target)) in _NAMED


def is_enum_member(member: re.Match[bytes]) -> bool:
    """Whether a match is a member of an enum."""
    attributes, name, value = member.group("attributes", "name", "value")
    if attributes and not _are_attributes(take_attributes(attributes)[0]):
        return False
    if value is None:
        return is_name(name)
    words = _WORD.findall(_CAST.sub(b"", value))
    return is_name(name) and _VALUE.fullmatch(value) is not None and _KEYWORDS.isdisjoint(words)
