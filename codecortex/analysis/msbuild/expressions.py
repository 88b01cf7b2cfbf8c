"""Evaluates MSBuild expressions and conditions under given properties; nothing is executed."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from codecortex.analysis.msbuild.frameworks import compare_versions
from codecortex.analysis.msbuild.functions import MOST_TEXT, call_member, unescape
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from codecortex.analysis.msbuild import functions

_MOST_NESTING = 16
_MOST_SHOWN = 120
_NAME = compile_later(r"\s*([A-Za-z_][\w-]*)\s*")
_STATIC = compile_later(r"\s*(\[[\w.]+\])::(\w+)")
_MEMBER = compile_later(r"\s*\.\s*([A-Za-z]\w*)|\s*\[\s*(\d{1,6})\s*\]")
_BRACKET_OR_QUOTE = compile_later(r"[()'\"`]")
_ARGUMENT_MARK = compile_later(r"[(),'\"`]")
_TOKEN = compile_later(r"\s*(==|!=|<=|>=|[<>()!,]|'|\$\(|[@%]\(|[^\s()=!<>,'$]+)")
_NUMBER = compile_later(r"[+-]?\d{1,30}(?:\.\d{0,30})?|0[xX][0-9A-Fa-f]{1,8}")
_TRUTHS = {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}
_ORDERINGS: dict[str, Callable[[int], bool]] = {
    "<": lambda sign: sign < 0,
    "<=": lambda sign: sign <= 0,
    ">": lambda sign: sign > 0,
    ">=": lambda sign: sign >= 0,
}


class UnevaluableError(ValueError):
    """A text needs more than property expansion; the message says what."""


class Scope(NamedTuple):
    """The properties at one point of a project's evaluation.

    Attributes:
        values: The values by lower-case name.
        doubts: For each property that depends on something that could not be evaluated: one sentence per cause.
        call: Evaluates `$([Type]::Function(...))` and the functions in conditions: type in lower case or empty,
            function in lower case, arguments. Raises `UnevaluableError` for unknown functions.
    """

    call: Callable[[str, str, tuple[str, ...]], functions.Value]
    values: dict[str, str]
    doubts: dict[str, tuple[str, ...]]


class Value(NamedTuple):
    """An expanded text, and the doubts about the properties in it."""

    text: str
    doubts: tuple[str, ...] = ()


class Verdict(NamedTuple):
    """Whether a condition is true, and the doubts about the properties in it."""

    holds: bool
    doubts: tuple[str, ...] = ()


class _PropertyCall(NamedTuple):
    name: str
    arguments: tuple[Template, ...] | None


class _Reference(NamedTuple):
    owner: str
    steps: tuple[_PropertyCall, ...]


Template = tuple[str | _Reference, ...]
_Condition = Callable[[Scope, dict[str, None]], bool]


def expand(text: str, scope: Scope) -> Value:
    """Expand every `$(...)` in a text; a property that is not set is empty.

    Raises:
        UnevaluableError: The text contains something other than properties, string members and known functions.
    """
    if "$(" not in text:
        return Value(text)
    doubts: dict[str, None] = {}
    return Value(_render(parse_template(text), scope, doubts), tuple(doubts))


def check(condition: str, scope: Scope) -> Verdict:
    """Evaluate a condition; an empty one is true.

    Raises:
        UnevaluableError: The condition is malformed, or depends on something unknown.
    """
    if not condition:
        return Verdict(holds=True)
    doubts: dict[str, None] = {}
    return Verdict(_parse_condition(condition)(scope, doubts), tuple(doubts))


def list_properties(text: str) -> tuple[str, ...]:
    """The lower-case names of the properties that a text reads directly: `$(Name)` or `$(Name.Member())`."""
    try:
        parts = parse_template(text)
    except UnevaluableError:
        return ()
    return tuple(part.owner for part in parts if isinstance(part, _Reference) and not part.owner.startswith("["))


def shorten(text: str) -> str:
    """A text on one line, truncated for a report."""
    line = " ".join(text.split())
    return line if len(line) <= _MOST_SHOWN else line[: _MOST_SHOWN - 1] + "…"


@lru_cache(maxsize=8192)
def parse_template(text: str, depth: int = 0) -> Template:
    """Split a text into literal parts and references."""
    parts: list[str | _Reference] = []
    at = 0
    while (start := text.find("$(", at)) >= 0:
        if start > at:
            parts.append(text[at:start])
        end = _find_close(text, start + 2)
        parts.append(_parse_reference(text[start + 2 : end], depth))
        at = end + 1
    if at < len(text):
        parts.append(text[at:])
    return tuple(parts)


def _find_close(text: str, at: int) -> int:
    """The offset of the bracket that closes the one before `at`; brackets in quotes are ignored."""
    depth, quote = 1, ""
    for mark in _BRACKET_OR_QUOTE.finditer(text, at):
        char = mark[0]
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"`":
            quote = char
        else:
            depth += 1 if char == "(" else -1
            if depth == 0:
                return mark.start()
    raise UnevaluableError("a bracket or a quote is left open")


def _parse_reference(body: str, depth: int) -> _Reference:
    if depth > _MOST_NESTING:
        raise UnevaluableError("functions are nested too deeply")
    steps: list[_PropertyCall] = []
    if found := _NAME.match(body):
        owner, at = found[1].lower(), found.end()
    elif found := _STATIC.match(body):
        owner = found[1].lower()
        arguments, at = _parse_arguments(body, found.end(), depth)
        steps.append(_PropertyCall(found[2].lower(), arguments))
    else:
        raise UnevaluableError(f"`$({body})` is neither a property nor a known function")
    while len(steps) < _MOST_NESTING and (found := _MEMBER.match(body, at)):
        if found[2]:
            steps.append(_PropertyCall("[]", ((found[2],),)))
            at = found.end()
            continue
        arguments, at = _parse_arguments(body, found.end(), depth)
        steps.append(_PropertyCall(found[1].lower(), arguments))
    if body[at:].strip():
        raise UnevaluableError(f"`$({body})` is not understood")
    return _Reference(owner, tuple(steps))


def _parse_arguments(text: str, at: int, depth: int) -> tuple[tuple[Template, ...] | None, int]:
    """The arguments of the call that opens at `at`, or None if there is no call; and the offset after it."""
    if not text.startswith("(", at):
        return None, at
    end = _find_close(text, at + 1)
    parts = _split_arguments(text[at + 1 : end])
    return tuple(parse_template(_unquote(part), depth + 1) for part in parts), end + 1


def _split_arguments(text: str) -> list[str]:
    if not text.strip():
        return []
    parts: list[str] = []
    start, depth, quote = 0, 0, ""
    for mark in _ARGUMENT_MARK.finditer(text):
        char = mark[0]
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"`":
            quote = char
        elif char == ",":
            if depth == 0:
                parts.append(text[start : mark.start()])
                start = mark.end()
        else:
            depth += 1 if char == "(" else -1
    return [*parts, text[start:]]


def _unquote(text: str) -> str:
    text = text.strip()
    quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "'\"`"
    return text[1:-1] if quoted else text


def _render(template: Template, scope: Scope, doubts: dict[str, None]) -> str:
    text = "".join([part if isinstance(part, str) else _resolve(part, scope, doubts) for part in template])
    if len(text) > MOST_TEXT:
        raise UnevaluableError(f"the value is longer than {MOST_TEXT} characters")
    return text


def _resolve(reference: _Reference, scope: Scope, doubts: dict[str, None]) -> str:
    steps = reference.steps
    value: functions.Value | None
    if reference.owner.startswith("["):
        arguments = tuple(_render(each, scope, doubts) for each in steps[0].arguments or ())
        value = scope.call(reference.owner[1:-1], steps[0].name, arguments)
        steps = steps[1:]
    else:
        value = scope.values.get(reference.owner, "")
        if scope.doubts:
            doubts.update(dict.fromkeys(scope.doubts.get(reference.owner, ())))
    for step in steps:
        value = call_member(value, step.name, tuple(_render(each, scope, doubts) for each in step.arguments or ()))
        if value is None:
            raise UnevaluableError(f"the member `{step.name}` is not known here")
    return value if isinstance(value, str) else ";".join(value)


@lru_cache(maxsize=4096)
def _parse_condition(text: str) -> _Condition:
    reader = _ConditionReader(text)
    condition = reader.read_any(0)
    if reader.here:
        raise UnevaluableError(f"`{reader.here}` is not expected there")
    return condition


class _ConditionReader:
    """A condition's text and a position in it; `here` is the current token, empty at the end."""

    __slots__ = ("_at", "_start", "_text", "here")

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._start = 0
        self.here = ""
        self._advance()

    def _advance(self) -> None:
        found = _TOKEN.match(self._text, self._at)
        if found is None:
            if self._text[self._at :].strip():
                raise UnevaluableError("it is malformed")
            self.here = ""
            return
        self.here, self._start, self._at = found[1], found.start(1), found.end()

    def read_any(self, depth: int) -> _Condition:
        parts = [self._read_all(depth)]
        while self.here.lower() == "or":
            self._advance()
            parts.append(self._read_all(depth))
        if len(parts) == 1:
            return parts[0]
        return lambda scope, doubts: any(part(scope, doubts) for part in parts)

    def _read_all(self, depth: int) -> _Condition:
        parts = [self._read_one(depth)]
        while self.here.lower() == "and":
            self._advance()
            parts.append(self._read_one(depth))
        if len(parts) == 1:
            return parts[0]
        return lambda scope, doubts: all(part(scope, doubts) for part in parts)

    def _read_one(self, depth: int) -> _Condition:
        if depth > _MOST_NESTING:
            raise UnevaluableError("it is nested too deeply")
        if self.here == "!":
            self._advance()
            turned = self._read_one(depth + 1)
            return lambda scope, doubts: not turned(scope, doubts)
        if self.here == "(":
            self._advance()
            inner = self.read_any(depth + 1)
            if self.here != ")":
                raise UnevaluableError("a bracket is left open")
            self._advance()
            return inner
        return self._read_comparison()

    def _read_comparison(self) -> _Condition:
        bare = self.here
        left = self._read_operand()
        if self.here == "(" and bare.isalpha():
            arguments, self._at = _parse_arguments(self._text, self._start, 0)
            self._advance()
            return lambda scope, doubts: _is_true(
                str(scope.call("", bare.lower(), tuple(_render(each, scope, doubts) for each in arguments or ())))
            )
        operator = self.here
        if operator not in {"==", "!=", "<", "<=", ">", ">="}:
            return lambda scope, doubts: _is_true(_render(left, scope, doubts))
        self._advance()
        right = self._read_operand()
        return lambda scope, doubts: _compare(_render(left, scope, doubts), operator, _render(right, scope, doubts))

    def _read_operand(self) -> Template:
        here, start = self.here, self._start
        if here == "'":
            end = self._find_quote(self._at)
            operand, self._at = self._text[start + 1 : end], end + 1
        elif here == "$(":
            self._at = _find_close(self._text, self._at) + 1
            operand = self._text[start : self._at]
        elif here in {"@(", "%("}:
            raise UnevaluableError("it asks for items or their metadata")
        elif not here or here in "()!,<>===!=<=>=":
            raise UnevaluableError("an operand is missing")
        else:
            operand = here
        if "@(" in operand or "%(" in operand:
            raise UnevaluableError("it asks for items or their metadata")
        self._advance()
        return parse_template(operand)

    def _find_quote(self, at: int) -> int:
        """The end of the quoted operand; quotes inside `$(...)` do not end it."""
        while (end := self._text.find("'", at)) >= 0:
            inner = self._text.find("$(", at, end)
            if inner < 0:
                return end
            at = _find_close(self._text, inner + 2) + 1
        raise UnevaluableError("a quote is left open")


def _is_true(text: str) -> bool:
    plain = text.strip().lower()
    turned = plain.startswith("!")
    truth = _TRUTHS.get(plain[1:] if turned else plain)
    if truth is None:
        raise UnevaluableError(f"`{text}` is neither true nor false")
    return truth is not turned


def _compare(left: str, operator: str, right: str) -> bool:
    left, right = unescape(left), unescape(right)
    one, other = _read_number(left), _read_number(right)
    if operator in {"==", "!="}:
        if one is not None and other is not None:
            same = one == other
        else:
            same = left.lower() == right.lower() or _TRUTHS.get(left.lower(), left) == _TRUTHS.get(right.lower(), right)
        return same is (operator == "==")
    if one is not None and other is not None:
        return _ORDERINGS[operator]((one > other) - (one < other))
    sign = compare_versions(left, right)
    if sign is None:
        raise UnevaluableError(f"`{left}` and `{right}` have no order")
    return _ORDERINGS[operator](sign)


def _read_number(text: str) -> float | None:
    if _NUMBER.fullmatch(text) is None:
        return None
    return float(int(text, 16)) if text[:2].lower() == "0x" else float(text)
