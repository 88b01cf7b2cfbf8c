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
    name_of_type_parameter,
    read_constraints,
    read_parameters,
    read_type_parameters,
    split_base,
    split_commas,
    take_attributes,
    tidy,
)
from codecortex.parsing.csharp.plain.patterns import CHARACTER

if TYPE_CHECKING:
    import re

_TYPES = PREDEFINED | {"nint", "nuint"}
_RESERVED = KEYWORDS - PREDEFINED
_NO_TYPES = _RESERVED.union((
    "allows", "and", "ascending", "async", "await", "by", "descending", "equals", "extension", "file", "from", "group",
    "into", "join", "let", "not", "on", "or", "orderby", "partial", "record", "required", "scoped", "select", "union",
    "when", "where", "with", "yield",
))  # fmt: skip
"""Keywords, and words that are a type in none but odd code, which is left to the grammar."""
_KEYWORDS = frozenset(map(str.encode, KEYWORDS | _TYPES))
_NO_NAMES = frozenset(map(str.encode, _NO_TYPES | _TYPES))
_UNKNOWN = (_TYPES | _NO_TYPES) - {"default", "false", "null", "true"}
"""Words that mean nothing in the expressions that are known here, but for types before a dot and `new()`."""
_CONSTRAINTS = frozenset(("class", "class?", "struct", "unmanaged", "notnull", "default", "new()"))

_NAMED, _SIGNS = frozenset("xy"), frozenset("xyp")
_IDENTIFIER = compile_later(r"@?[^\W\d]\w*")
_ALIAS = compile_later(r"(?:^|(?<=[<(])|(?<=, ))x::(?=x)")
_ELEMENT = compile_later(r"[xyp?\]>)] x\.")
_QUALIFIED = compile_later(r"x(?:\.x)+")
_CONTAINER = compile_later(r"y\.(?=[xy])")
_GENERIC = compile_later(r"x<[xyp](?:, [xyp])*>")
_SUFFIXED = compile_later(r"[xyp](?:\?|\[,*\])+")
_TUPLE = compile_later(r"\([xyp](?: x)?(?:, [xyp](?: x)?)+\)")

_NUMBER = r"(?:0[xX][0-9a-fA-F]+|\d+(?:\.\d+)?(?:[eE]-?\d+)?)[uUlLfFdDmM]{0,2}(?!\w)"
_NAME = r"@?[^\W\d]\w*(?:\.[^\W\d]\w*)*(?:<" + r"[^\W\d][\w.]*(?:, [^\W\d][\w.]*)*>)?"
_OPERAND = compile_later(r"[-~]?(?:" + _NUMBER + r"|" + _NAME + r"(?:\((?:" + _NAME + r")?\))?)")
_ATTRIBUTE = compile_later(r"(?:\w+: )?" + _NAME)
_ARGUMENT = compile_later(r"[^\W\d]\w* ?(?:=|:(?!:)) ?")
_ESCAPE = r"\\(?:['\"\\0abfnrtv]|u[0-9a-fA-F]{4})"
_LITERAL = compile_later(r'"(?:[^"\\\n]|' + _ESCAPE + r")*\"|'(?:[^'\\\n]|" + _ESCAPE + r")'")
_OF_TYPE = compile_later(r"\b(?:typeof|sizeof|default)\([^()]+\)")
_STAND_IN = " 0 "
_SIGN = compile_later(r"[|+]")
_GAP = compile_later(rb"\s\.|[.@]\s")

_VALUE_NUMBER = rb"(?:0[xX][0-9a-fA-F]++|0[bB][01]++|\d++)(?>(?:_++[0-9a-fA-F]++)*)[uUlL]{0,2}(?![\w.])"
_VALUE_OPERAND = (
    rb"(?>(?:[~+-]\s*+)?)(?:\(\w++\)\s*+)?(?:" + _VALUE_NUMBER + rb"|[A-Za-z_]\w*+(?>(?:\.[A-Za-z_]\w*+)*)|"
    + CHARACTER + rb")"
)  # fmt: skip
_VALUE_SIGN = rb"(?:<<|>>|[|&^*]|\+(?!\+)|-(?!-))\s*+"
_VALUE_GROUP = (
    rb"(?:" + _VALUE_OPERAND + rb"|\(\s*+" + _VALUE_OPERAND + rb"\s*+(?:" + _VALUE_SIGN + _VALUE_OPERAND + rb"\s*+)*\))"
)  # fmt: skip
_VALUE = compile_later(rb"\s*+" + _VALUE_GROUP + rb"\s*+(?:" + _VALUE_SIGN + _VALUE_GROUP + rb"\s*+)*")
_NO_WORD = compile_later(rb"\(\w++\)|\b(?:s?byte|u?short|u?int|u?long|char)\.|" + CHARACTER)
"""A cast, a type of numbers before its member, and a character."""
_WORD = compile_later(rb"[A-Za-z_]\w*+")
_REF = compile_later(rb"ref\s++(?:readonly\s++)?")


@lru_cache(maxsize=32768)
def _reduce(text: str) -> str:
    """What a text from `tidy` is: `x` a name, `y` one with type arguments, `p` any other type; else not one sign."""
    if text.isidentifier():
        return _sign(text)
    left, last = _ALIAS.sub("", _IDENTIFIER.sub(lambda match: _sign(match[0]), text)), ""
    if "??" in left or _ELEMENT.search(left):
        return "!"
    while left != last:
        last = left
        left = _GENERIC.sub("y", _QUALIFIED.sub("x", _CONTAINER.sub("", left)))
        left = _TUPLE.sub("p", _SUFFIXED.sub("p", left))
    return left


def _sign(word: str) -> str:
    return "!" if word in _NO_TYPES else "p" if word in _TYPES else "x"


def is_type(text: bytes) -> bool:
    """Whether a text is a type, which may follow `ref`."""
    return _reduce(tidy(_REF.sub(b"", text, 1) if text.startswith(b"ref") else text)) in _SIGNS


def is_name(name: bytes) -> bool:
    """Whether an identifier is no keyword, nor a word that is one in some places."""
    return name not in _NO_NAMES


@lru_cache(maxsize=16384)
def are_parameters(text: bytes) -> bool:
    """Whether a text is a list of parameters."""
    return _GAP.search(text) is None and all(
        _reduce(each.type) in _SIGNS
        and ((name := each.name.encode()) not in _KEYWORDS or b"@" + name in text)
        and each.name.isidentifier()
        and (each.default is None or _is_value(each.default))
        and _are_attributes(each.attributes)
        for each in read_parameters(text).items
    )


def _is_value(text: str) -> bool:
    """Whether a text is an expression of the kinds that default values are."""
    told = _LITERAL.sub(_STAND_IN, text)
    return all(_OPERAND.fullmatch(piece.strip()) is not None for piece in _SIGN.split(told)) and _is_free(told)


def _is_free(text: str) -> bool:
    """Whether an expression without literals holds no keyword that the patterns here do not know."""
    left = _OF_TYPE.sub("", text).replace("new()", "")
    return all(
        each[0] not in _UNKNOWN or (each[0] in PREDEFINED and left.startswith(".", each.end()))
        for each in _IDENTIFIER.finditer(left)
    )


def _are_arguments(text: str) -> bool:
    """Whether a text from the bracket on is a list of arguments."""
    inner = _LITERAL.sub(_STAND_IN, text)[1:-1].strip()
    pieces = inner.split(",") if inner else []
    return all(
        _is_value(_ARGUMENT.sub("", piece.strip(), 1) if "=" in piece or ":" in piece else piece.strip())
        for piece in pieces
    )


def _are_attributes(attributes: tuple[str, ...]) -> bool:
    for each in attributes:
        name, bracket, rest = each.partition("(")
        if _ATTRIBUTE.fullmatch(name) is None or not _is_free(name.partition(": ")[2] or name):
            return False
        if bracket and not (rest.endswith(")") and _are_arguments(bracket + rest)):
            return False
    return True


@lru_cache(maxsize=4096)
def are_type_parameters(text: bytes) -> bool:
    """Whether a text is a list of type parameters in angle brackets."""
    names = map(name_of_type_parameter, read_type_parameters(text))
    attributes = tuple(each for _, each in attributes_of_type_parameters(text))
    return _GAP.search(text) is None and all(_reduce(name) == "x" for name in names) and _are_attributes(attributes)


@lru_cache(maxsize=4096)
def are_clauses(text: bytes) -> bool:
    """Whether a text is `where` clauses."""
    wanted = [each.partition(" : ") for each in read_constraints(text)]
    return all(
        _reduce(name) == "x"
        and rest.strip()
        and all(
            (word := tidy(piece)) in _CONSTRAINTS or _reduce(word) in _SIGNS for piece in split_commas(rest.encode())
        )
        for name, _, rest in wanted
    )


@lru_cache(maxsize=4096)
def are_bases(text: bytes, *, enum: bool = False) -> bool:
    """Whether a text is a list of base types, of which the first may have arguments, cut out; an enum has a keyword."""
    pieces = split_commas(text)
    for number, piece in enumerate(pieces):
        base, arguments = split_base(piece)
        if not (base in PREDEFINED if enum else _reduce(base) in _NAMED):
            return False
        if arguments and (number or arguments.strip() != b"()"):
            return False
    return bool(pieces) and not (enum and len(pieces) > 1)


def is_using(text: bytes) -> bool:
    """Whether a text is a using directive."""
    alias, sign, target = text.rpartition(b"=")
    if not sign:
        target = text.partition(b"using")[2].strip().removeprefix(b"static ")
        return b"<" not in target and _reduce(tidy(target)) == "x"
    return b"static" not in alias.split() and is_name(alias.split()[-1]) and _reduce(tidy(target)) in _NAMED


def is_enum_member(member: re.Match[bytes]) -> bool:
    """Whether a match is a member of an enum."""
    attributes, name, value = member.group("attributes", "name", "value")
    if attributes:
        listed, rest = take_attributes(attributes)
        if rest.strip() or _GAP.search(attributes) or not _are_attributes(listed):
            return False
    if value is None:
        return is_name(name)
    words = _WORD.findall(_NO_WORD.sub(b"", value))
    return is_name(name) and _VALUE.fullmatch(value) is not None and _NO_NAMES.isdisjoint(words)
