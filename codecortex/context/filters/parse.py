"""Parses the text of a pack's filter into a tree, and writes a tree as text.

    expr    = term { "OR" term }
    term    = factor { [ "AND" ] factor }
    factor  = "!" factor | "(" expr ")" | field ":" token
    field   = "namespace" | "type" | "access" | "tag" | "depends" | "test" | "generated"

`or`, `||`, `and`, `&&` and `not` are the same words; case is ignored in them and in the fields. A token consists of
letters and digits of any language, `_ . * + ? - , < >` and backticks, without spaces.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NoReturn, TypeAlias

from codecortex.context.filters.patterns import ACCESS, compile_pattern, fold_word
from codecortex.model.errors import InvalidFilterError
from codecortex.model.packs import LONGEST_FILTER
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

DEEPEST = 32
"""The most levels of nested parentheses and negations."""

_LEXEME = compile_later(
    r"(?P<blank>\s+)|(?P<open>\()|(?P<close>\))|(?P<or>\|\|)|(?P<and>&&)|(?P<not>!)|(?P<colon>:)"
    r"|(?P<word>(?:[\w.*+?\-`<>,]|[^\x00-\x7f\s])+)"
)
_WORDS = {"or": "or", "and": "and", "not": "not"}
_SHOWN = 40
_EXAMPLE = "A condition is one of namespace:, type:, access:, tag:, depends:, test:, generated:, with a pattern."
_PATTERN = "Write the pattern right behind the colon, such as namespace:Shop.Core.*"


class Field(StrEnum):
    """The property of a type that a condition tests."""

    NAMESPACE = "namespace"
    TYPE = "type"
    ACCESS = "access"
    TAG = "tag"
    DEPENDS = "depends"
    TEST = "test"
    GENERATED = "generated"


_SWITCHES = frozenset({Field.TEST, Field.GENERATED})


@dataclass(frozen=True, slots=True)
class Condition:
    """One field matches a pattern, in which `*` stands for any characters and `?` for one."""

    field: Field
    pattern: str


@dataclass(frozen=True, slots=True)
class Not:
    """The inner filter does not match."""

    inner: Filter


@dataclass(frozen=True, slots=True)
class And:
    """All parts match; there are at least two."""

    parts: tuple[Filter, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """At least one part matches; there are at least two."""

    parts: tuple[Filter, ...]


Filter: TypeAlias = Condition | Not | And | Or


class _Lexeme(NamedTuple):
    kind: str
    text: str
    position: int


def parse_filter(text: str) -> Filter:
    """Parse a filter.

    Raises:
        InvalidFilterError: It is malformed; `position` counts characters from 0, `hint` says what is valid.
    """
    if len(text) > LONGEST_FILTER:
        said = f"a filter takes at most {LONGEST_FILTER:,} characters; this one has {len(text):,}"
        _refuse(LONGEST_FILTER, said, "Say it shorter.")
    lexemes = _cut(text)
    parser = _Parser(lexemes)
    found = parser.read_or(0)
    rest = parser.next
    if rest.kind != "end":
        hint = "Each ) needs a ( before it." if rest.kind == "close" else _EXAMPLE
        _refuse(rest.position, f"expected AND, OR or the end, found {_quote(rest)}", hint)
    return found


def write_filter(tree: Filter) -> str:
    """The text of a filter; parsing it gives the same tree."""
    match tree:
        case Condition(field, pattern):
            return f"{field}:{pattern}"
        case Not(inner):
            return f"!{_enclose(inner)}"
        case And(parts):
            return " ".join(map(_enclose, parts))
        case Or(parts):
            return " OR ".join(write_filter(part) if isinstance(part, And) else _enclose(part) for part in parts)


def list_conditions(tree: Filter) -> tuple[Condition, ...]:
    """The distinct conditions of a filter, in the order of its text."""
    found: dict[Condition, None] = {}
    waiting = [tree]
    while waiting:
        each = waiting.pop()
        match each:
            case Condition():
                found[each] = None
            case Not(inner):
                waiting.append(inner)
            case And(parts) | Or(parts):
                waiting.extend(reversed(parts))
    return tuple(found)


def _enclose(tree: Filter) -> str:
    text = write_filter(tree)
    return f"({text})" if isinstance(tree, And | Or) else text


def _refuse(position: int, message: str, hint: str) -> NoReturn:
    raise InvalidFilterError(f"The filter makes no sense at character {position}: {message}.", hint, position=position)


def _quote(lexeme: _Lexeme) -> str:
    if lexeme.kind == "end":
        return "the end"
    text = lexeme.text
    return f"`{text}`" if len(text) <= _SHOWN else f"`{text[:_SHOWN]}...`"


def _cut(text: str) -> list[_Lexeme]:
    found = []
    at = 0
    while at < len(text):
        match = _LEXEME.match(text, at)
        if match is None:
            said = f"`{text[at]}`" if text[at].isprintable() else f"character U+{ord(text[at]):04X}"
            hint = "Use || or OR, && or AND, !, parentheses, and names." if text[at] in "|&" else _EXAMPLE
            _refuse(at, f"{said} has no meaning here", hint)
        kind = str(match.lastgroup)
        if kind == "word" and not match[0].isprintable():
            odd = next(n for n, character in enumerate(match[0]) if not character.isprintable())
            _refuse(at + odd, f"character U+{ord(match[0][odd]):04X} has no meaning here", "Take it out.")
        if kind != "blank":
            found.append(_Lexeme(kind, match[0], at))
        at = match.end()
    return [*found, _Lexeme("end", "", len(text))]


class _Parser:
    """A recursive-descent parser over the lexemes of a filter."""

    def __init__(self, lexemes: list[_Lexeme]) -> None:
        self._lexemes = lexemes
        self._at = 0

    @property
    def next(self) -> _Lexeme:
        """The next lexeme."""
        return self._lexemes[self._at]

    def _take(self) -> _Lexeme:
        taken = self.next
        self._at += 1
        return taken

    def _meaning(self) -> str:
        """The kind of the next lexeme; a word without a colon after it may be an operator."""
        lexeme = self.next
        if lexeme.kind == "word" and self._lexemes[self._at + 1].kind != "colon":
            return _WORDS.get(lexeme.text.lower(), "word")
        return lexeme.kind

    def read_or(self, depth: int) -> Filter:
        """Read the whole filter, or the content of parentheses."""
        parts = [self._read_and(depth)]
        while self._meaning() == "or":
            self._take()
            parts.append(self._read_and(depth))
        return Or(tuple(parts)) if len(parts) > 1 else parts[0]

    def _read_and(self, depth: int) -> Filter:
        parts = [self._read_one(depth)]
        while (meaning := self._meaning()) in ("and", "not", "open", "word"):
            if meaning == "and":
                self._take()
            parts.append(self._read_one(depth))
        return And(tuple(parts)) if len(parts) > 1 else parts[0]

    def _read_one(self, depth: int) -> Filter:
        meaning, first = self._meaning(), self._take()
        if meaning in ("not", "open") and depth == DEEPEST:
            _refuse(first.position, f"nested more than {DEEPEST} deep", "Take out parentheses that change nothing.")
        if meaning == "not":
            return Not(self._read_one(depth + 1))
        if meaning == "open":
            inner = self.read_or(depth + 1)
            if self.next.kind != "close":
                _refuse(
                    self.next.position, f"expected ), AND or OR, found {_quote(self.next)}", "Close each ( with a )."
                )
            self._take()
            return inner
        if meaning != "word":
            _refuse(first.position, f"expected a condition, found {_quote(first)}", _EXAMPLE)
        return self._read_condition(first)

    def _read_condition(self, name: _Lexeme) -> Condition:
        fields = [str(each) for each in Field]
        known = name.text.lower()
        if known not in fields:
            from difflib import get_close_matches

            near = get_close_matches(known, fields, n=1)
            hint = f"Did you mean {near[0]}:? {_EXAMPLE}" if near else _EXAMPLE
            _refuse(name.position, f"expected a condition, found {_quote(name)}", hint)
        end = name.position + len(name.text)
        if self.next.kind != "colon" or self.next.position != end:
            _refuse(end, f"expected a colon behind {known}", _PATTERN)
        colon = self._take()
        token = self.next
        if token.kind != "word" or token.position != colon.position + 1:
            _refuse(colon.position + 1, f"expected a pattern behind {known}:, found {_quote(token)}", _PATTERN)
        self._take()
        field = Field(known)
        if field is Field.ACCESS:
            _check_access(token)
        if field in _SWITCHES and token.text.lower() not in {"true", "false"}:
            hint = f"Write {field}:true or {field}:false."
            _refuse(token.position, f"{_quote(token)} is neither true nor false", hint)
        return Condition(field, token.text)


def _check_access(token: _Lexeme) -> None:
    word = fold_word(token.text)
    if any(map(compile_pattern(word), ACCESS)):
        return
    from difflib import get_close_matches

    near = get_close_matches(word, ACCESS, n=1)
    hint = f"Did you mean {near[0]}? " if near else ""
    _refuse(token.position, f"{_quote(token)} is no accessibility", f"{hint}It is one of {', '.join(ACCESS)}.")
