"""Reads pieces of declaration headers into values. Headers repeat, so the results are cached."""

from __future__ import annotations

import re
from functools import lru_cache

from codecortex.model.code.facts import Parameter
from codecortex.model.code.syntax import KEYWORDS, resolve_escapes
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.parsing.csharp.lexer import OPAQUE, find_string_end
from codecortex.parsing.csharp.tokens import find_arguments_end, find_names, fold_tokens, scan_tokens

_LEADING_MODIFIERS = compile_later(rb"\s*((?>(?:(?:ref|out|in|readonly|params|this|scoped)\b\s*+)*))")
_TYPE_AND_NAME = compile_later(rb"(.*[\s>\])?*])(@?[\w\x80-\xff]+)\s*$", re.DOTALL)
# A space next to an operator separates nothing, except between two equal operators.
_NEEDLESS = compile_later(
    rb" (?:(?=[^\w\x80-\xff+\-&|])|(?<=[^\w\x80-\xff+\-&|] )|(?=[+\-&|])(?<![+\-&|] )|(?<=[+\-&|] )(?![+\-&|]))"
)
_SIMPLE_LIST = compile_later(rb"[^<(\[{\"'/#=@$]*+\Z")
_SIGN = compile_later(rb"[,<(\[{)\]}/\"'@$#]")
_TYPEOF = compile_later(rb"\btypeof *\(([^()]*(?:\([^()]*\)[^()]*)*)\)")
_ANGLE, _PARENTHESIS = b"<("
_KEYWORDS = frozenset(map(str.encode, KEYWORDS)).union(
    b"var dynamic nint nuint await async get set value yield when where nameof and or not with notnull unmanaged scoped"
    b" global _".split()
)


@lru_cache(maxsize=65536)
def tidy(text: bytes) -> str:
    """Text of a type or clause, normalised: no comments, one space after a comma, no other needless spaces."""
    folded = fold_tokens(text)
    if b"," in folded:
        folded = re.sub(rb",(?![,\]>])", b", ", folded)
    if b" " in text:
        folded = re.sub(rb"(?<=[>\])?*])(?=@?[\w\x80-\xff])", b" ", folded)
    return folded.decode("utf-8", "replace")


@lru_cache(maxsize=65536)
def read_name(text: bytes) -> str:
    """An identifier without `@`, escapes decoded; equal names are the same object."""
    return resolve_escapes(text.decode("utf-8", "replace").lstrip("@"))


@lru_cache(maxsize=65536)
def read_words(text: bytes) -> tuple[str, ...]:
    """The words of a run of modifiers."""
    return tuple(text.decode("utf-8", "replace").split())


def split_commas(text: bytes) -> list[bytes]:
    """The pieces between commas that are outside of brackets, type arguments and literals."""
    if b"," not in text:
        return [text] if text.strip() else []
    if _SIMPLE_LIST.match(text):
        return text.split(b",")
    pieces, depth, last, at = [], 0, 0, 0
    while (match := _SIGN.search(text, at)) is not None:
        sign, start, at = match[0], match.start(), match.end()
        if sign == b",":
            if depth == 0:
                pieces.append(text[last:start])
                last = at
        elif sign == b"<":
            found = find_arguments_end(text, at)
            at = found[0] if found else at
        elif sign in b"([{":
            depth += 1
        elif sign in b")]}":
            depth -= 1
        else:
            at = _skip_opaque(text, start)
    pieces.append(text[last:])
    return [piece for piece in pieces if piece.strip()]


def _skip_opaque(text: bytes, start: int) -> int:
    """The offset after the literal or comment that may begin at `start`."""
    match = OPAQUE.match(text, start)
    if match is None:
        return start + 1
    return find_string_end(text, start, match.end()) if match.lastgroup == "i" else match.end()


def _find_default(text: bytes) -> int:
    """The offset of a parameter's `=`, or -1."""
    at = text.find(b"=")
    while at >= 0 and (text[at + 1 : at + 2] in (b"=", b">") or text[at - 1] in b"<>!="):
        at = text.find(b"=", at + 2)
    return at


class ParameterList(NamedTuple):
    """Parameters, the type names in their types and attributes, and the names in their attributes' arguments."""

    items: tuple[Parameter, ...]
    names: tuple[str, ...]
    arguments: tuple[str, ...]


NO_PARAMETERS = ParameterList((), (), ())


@lru_cache(maxsize=16384)
def read_parameters(text: bytes) -> ParameterList:
    """The parameters between the brackets of a list."""
    items = tuple(read_parameter(piece) for piece in split_commas(text))
    if not items:
        return NO_PARAMETERS
    names: list[str] = []
    arguments: list[str] = []
    for item in items:
        names.extend(name_types(item.type))
        for attribute in item.attributes:
            own, inside = name_attribute(attribute)
            names.extend(own)
            arguments.extend(inside)
    return ParameterList(items, tuple(names), tuple(arguments))


@lru_cache(maxsize=32768)
def read_parameter(text: bytes) -> Parameter:
    """One parameter: attributes, modifiers, type, name, default."""
    attributes, text = take_attributes(text)
    default = None
    if b"=" in text and (at := _find_default(text)) >= 0:
        default = fold_blanks(text[at + 1 :])
        text = text[:at]
    head = _LEADING_MODIFIERS.match(text)
    modifier = b"" if head is None else head[1]
    rest = text[head.end() if head else 0 :].strip()
    if not rest:  # the parameter's name is itself a modifier word, such as an untyped `scoped`
        return Parameter("", "", modifier.decode().strip(), default, attributes)
    match = _TYPE_AND_NAME.match(rest)
    type_text, name = (match[1], match[2].lstrip(b"@").decode("utf-8", "replace")) if match else (rest, "")
    return Parameter(tidy(type_text), " ".join(modifier.decode().split()), name, default, attributes)


def fold_blanks(text: bytes) -> str:
    """An expression on one line: literals unchanged, code without comments and needless spaces."""
    code: list[bytes] = []
    literals: list[bytes] = []
    last = at = 0
    while (match := OPAQUE.search(text, at)) is not None:
        start, at, group = match.start(), match.end(), match.lastgroup
        if group == "i":
            at = find_string_end(text, start, at)
        code.append(text[last:start])
        if group in ("c", "d"):
            code.append(b" ")
        else:
            code.append(b"\0")
            literals.append(text[start:at].replace(b"\n", b" "))
        last = at
    code.append(text[last:])
    first, *rest = _NEEDLESS.sub(b"", b" ".join(b"".join(code).split())).replace(b",", b", ").split(b"\0")
    pieces = [first, *(part for pair in zip(literals, rest, strict=False) for part in pair)]
    return b"".join(pieces).strip().decode("utf-8", "replace")


def take_attributes(text: bytes) -> tuple[tuple[str, ...], bytes]:
    """The attribute lists at the beginning of a text, and the rest."""
    out: list[str] = []
    text = text.lstrip()
    while text[:1] == b"[":
        end = _close_bracket(text)
        out.extend(read_attributes(text[:end]))
        text = text[end:].lstrip()
    return tuple(out), text


def _close_bracket(text: bytes) -> int:
    depth, at = 0, 0
    while (match := _SIGN.search(text, at)) is not None:
        sign, at = match[0], match.end()
        if sign in b"([{":
            depth += 1
        elif sign in b")]}":
            depth -= 1
            if depth == 0:
                return at
        elif sign not in b",<":
            at = _skip_opaque(text, match.start())
    return len(text)


@lru_cache(maxsize=16384)
def read_attributes(text: bytes) -> tuple[str, ...]:
    """The attributes of one bracketed list, each with the list's target, such as `return:`, before it."""
    inner = text.strip()[1:-1]
    target, rest = b"", inner
    match = re.match(rb"\s*(assembly|module|field|event|method|param|property|return|type|typevar)\s*:(?!:)", inner)
    if match:
        target, rest = match[1] + b":", inner[match.end() :]
    return tuple(_tidy_attribute(target + b" " + piece if target else piece) for piece in split_commas(rest))


def _tidy_attribute(text: bytes) -> str:
    head, bracket, rest = text.partition(b"(")
    name = tidy(head)
    if not bracket:
        return name.replace(":", ": ", 1) if ":" in name and "::" not in name else name
    arguments = fold_blanks(bracket + rest)
    name = name.replace(":", ": ", 1) if ":" in name and "::" not in name else name
    return name if arguments == "()" else name + arguments


@lru_cache(maxsize=32768)
def name_types(text: str) -> tuple[str, ...]:
    """The names in the text of a type: `Dictionary<A.B, C[]>` gives ``Dictionary`2``, `A.B` and `C`."""
    folded = text.encode().replace(b", ", b",")
    if b"(" in folded:
        folded = re.sub(rb"(?:(?<=[\w\x80-\xff]) |(?<=[>\])?*]) ?)@?[\w\x80-\xff]+(?=[,)])", b"", folded)
    return tuple(list_names(folded))


@lru_cache(maxsize=32768)
def name_attribute(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """An attribute's own name (with `@` before it) and the types it names; and the names in its arguments.

    Types in a `typeof` have `~` before them.
    """
    head, _, arguments = text.partition("(")
    if ": " in head:
        head = head.partition(": ")[2]
    names = name_types(head)
    own = head.partition("<")[0].strip().lstrip("@").replace("::", ".")
    marked = tuple("@" + name if name.partition("`")[0] == own else name for name in names)
    if not arguments:
        return marked, ()
    code = scan_tokens(arguments.encode())[1]
    typed = (found.decode("utf-8", "replace") for found in _TYPEOF.findall(code))
    named = tuple("~" + name for text in typed for name in name_types(text))
    return marked + named, tuple(list_names(code))


def list_names(code: bytes) -> list[str]:
    """The names in code, as in `find_names`, without keywords."""
    return b" ".join(find_names(code, _KEYWORDS)).decode("utf-8", "replace").split()


@lru_cache(maxsize=16384)
def read_constraints(text: bytes) -> tuple[str, ...]:
    """`where` clauses as `T : class, new()`."""
    if b"where" not in text:
        return ()
    pieces = re.split(rb"\bwhere\b", text)[1:]
    return tuple(" : ".join(tidy(part) for part in piece.split(b":", 1)) for piece in pieces)


@lru_cache(maxsize=16384)
def read_type_parameters(text: bytes) -> tuple[str, ...]:
    """The type parameters in angle brackets, with variance, without attributes."""
    return tuple(tidy(take_attributes(piece)[1]) for piece in split_commas(text.strip()[1:-1]))


@lru_cache(maxsize=16384)
def attributes_of_type_parameters(text: bytes) -> tuple[tuple[int, str], ...]:
    """The attributes in a list of type parameters, each with the position of its parameter, from 0."""
    if b"[" not in text:
        return ()
    pieces = enumerate(split_commas(text.strip()[1:-1]))
    return tuple((place, attribute) for place, piece in pieces for attribute in take_attributes(piece)[0])


def name_of_type_parameter(text: str) -> str:
    """A type parameter without its variance: `in T` gives `T`."""
    return text.rpartition(" ")[2]


@lru_cache(maxsize=16384)
def split_base(text: bytes) -> tuple[str, bytes]:
    """A base type, normalised, and the constructor arguments after it."""
    at, size = 0, len(text)
    while at < size:
        if text[at] == _ANGLE:
            found = find_arguments_end(text, at + 1)
            at = found[0] - 1 if found else at
        elif text[at] == _PARENTHESIS:
            return tidy(text[:at]), text[at:]
        at += 1
    return tidy(text), b""
