"""Reads from the source text of a member what it throws, which parameters it checks, and whether it locks.

Only what is certain from the text: code in lambdas and local functions is left out, because it runs at another time or
never; so is what called methods throw.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from codecortex.model.code.bodies import BodyFacts, Throw
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.parsing.csharp.lexer import OPAQUE, find_string_end

if TYPE_CHECKING:
    import re

_DOLLAR, _BLANK, _FILLER, _FEED = b"$ _\n"
_OPENS = {b")": b"(", b"}": b"{", b"]": b"["}
_BODY_SIGN = compile_later(rb"[()\[\]{]|=>")
_ARGUMENT_SIGN = compile_later(rb"[(){}\[\],]")
_INTERESTING = compile_later(rb"\bthrow\b|\.ThrowIf|\block\b|\.\s*(?:NotNull|NotEmpty|NotDefault|Ensure|Require)")
_THROW = compile_later(rb"\bthrow\s+new\s+([A-Za-z_][\w.:]*(?:<[^<>()]*>)?)\s*(\(|\{)?")
_THROW_IF = compile_later(rb"\b((?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*Exception)\.(ThrowIf\w*)\s*\(")
_GUARD = compile_later(
    rb"(?<![\w.])((?:[A-Z]\w*\.)+(?:NotNull|NotEmpty|NotDefault|Ensure|Require)\w*(?:<[^<>()]*>)?)\s*\("
)
_LOCK = compile_later(rb"\block\s*\(")
_IF = compile_later(rb"\bif\Z")
_COALESCED = compile_later(rb"([A-Za-z_][\w.]*)\s*\?\?\s*\Z")
_BRACKET = compile_later(rb"[(){}\[\]]")
_CONTROL = compile_later(rb"\b(?:if|for|foreach|while|switch|using|lock|fixed|catch|when)\Z")
_PLAIN = compile_later(
    rb"(?:\A|[;{}:]|\b(?:else|do|try|catch|finally|checked|unchecked|unsafe|get|set|init|add|remove|switch))\Z"
)
_ACCESSOR = compile_later(rb"\s*(?:[a-z]+\s+)*(?:get|set|init|add|remove)\s*\Z")
_LITERAL = compile_later(rb'\A[$@]*"+((?:[^"\\{}\n]|\\.)*)"')
_RESOURCE = compile_later(rb"\A([A-Z]\w*(?:\.[A-Z]\w*)+)\s*(?:\(|\Z|,)")
_NAME = compile_later(rb"[A-Za-z_]\w*")
_MOST = 40
"""The most throws and guards examined in one member; each takes a pass over the whole member."""

_LONGEST_CONDITION = 140
_LONGEST_MESSAGE = 160


def read_body(text: bytes) -> BodyFacts:
    """The throws, guards and locks of a member's body.

    Args:
        text: The declaration from its modifiers to its end, with inactive preprocessor text blanked.
    """
    if _INTERESTING.search(text) is None:
        return BodyFacts()
    body = _Body(text)
    return BodyFacts(tuple(dict.fromkeys(body.list_throws())), tuple(dict.fromkeys(body.list_guards())), body.locks)


class _Open(NamedTuple):
    """A bracket that is open at some offset."""

    at: int
    sign: bytes


class _Body:
    """A declaration, and its mask: the same text with comments and literals blanked, of equal length."""

    def __init__(self, text: bytes) -> None:
        self._text = text
        self._mask = _mask(text)
        self._brackets = [(match.start(), match[0]) for match in _BRACKET.finditer(self._mask)]
        self._openings = self._pair()
        self._start = self._find_start()

    @property
    def locks(self) -> bool:
        return _LOCK.search(self._mask, self._start) is not None

    def list_guards(self) -> list[str]:
        found = []
        for match in islice(_GUARD.finditer(self._mask, self._start), _MOST):
            first = self._split(match.end() - 1)[:1]
            if first and _NAME.fullmatch(first[0].encode()) and self._is_own(match.start()):
                found.append(f"{match[1].decode('utf-8', 'replace')}({first[0]})")
        return found

    def list_throws(self) -> list[Throw]:
        found = [
            (match.start(), self._read_throw(match))
            for match in islice(_THROW.finditer(self._mask, self._start), _MOST)
        ]
        found += [
            (match.start(), self._read_check(match))
            for match in islice(_THROW_IF.finditer(self._mask, self._start), _MOST)
        ]
        return [throw for at, throw in sorted(found, key=lambda each: each[0]) if self._is_own(at)]

    def _read_check(self, match: re.Match[bytes]) -> Throw:
        name = match[1].rpartition(b".")[2].decode("utf-8", "replace")
        first = ", ".join(self._split(match.end() - 1)[:1])
        return Throw(name, _shorten(f"{name}.{match[2].decode()}({first})", _LONGEST_CONDITION))

    def _read_throw(self, match: re.Match[bytes]) -> Throw:
        name = match[1].rpartition(b".")[2].rpartition(b":")[2].decode("utf-8", "replace")
        message = self._find_message(match.end() - 1) if match[2] == b"(" else ""
        always = not self._mask[self._start : match.start()].strip()
        condition = "" if always else self._find_condition(match.start())
        return Throw(name, condition, message, always)

    def _find_condition(self, at: int) -> str:
        """The conditions of the enclosing `if`s, the outermost first, and that of a `??` before the offset."""
        before = self._mask[:at].rstrip()
        found = [self._read_if(self._mask[: bracket.at].rstrip()) for bracket in self._list_around(at) or ()]
        coalesced = _COALESCED.search(before)
        found.append(f"{coalesced[1].decode('utf-8', 'replace')} is null" if coalesced else self._read_if(before))
        return _shorten(" and ".join(filter(None, found)), _LONGEST_CONDITION)

    def _read_if(self, before: bytes) -> str:
        """The condition of the `if` that the text ends with; empty if it ends with something else."""
        opening = self._openings.get(len(before) - 1, -1) if before.endswith(b")") else -1
        if opening < 0 or _IF.search(before[:opening].rstrip()) is None:
            return ""
        return self._quote(opening + 1, len(before) - 1)

    def _find_message(self, opening: int) -> str:
        for argument in self._split(opening):
            data = argument.encode()
            literal = _LITERAL.match(data)
            if literal is not None:
                return _shorten(literal[1].decode("utf-8", "replace").replace('\\"', '"'), _LONGEST_MESSAGE)
            resource = _RESOURCE.match(data)
            if resource is not None:
                return resource[1].decode()
        return ""

    def _split(self, opening: int) -> list[str]:
        """The arguments after an opening bracket, as written with white space collapsed; none if it is not closed."""
        out: list[str] = []
        depth, last = 0, opening + 1
        for match in _ARGUMENT_SIGN.finditer(self._mask, opening):
            at, sign = match.start(), match[0]
            if sign in b"([{":
                depth += 1
            elif sign in b")]}":
                depth -= 1
                if depth == 0:
                    argument = self._quote(last, at)
                    return [*out, argument] if argument else out
            elif depth == 1:
                out.append(self._quote(last, at))
                last = at + 1
        return []

    def _quote(self, start: int, end: int) -> str:
        """Source text on one line, without comments."""
        text, mask = self._text[start:end], self._mask[start:end]
        kept = bytes(_BLANK if masked == _BLANK else own for own, masked in zip(text, mask, strict=True))
        return " ".join(kept.decode("utf-8", "replace").split())

    def _pair(self) -> dict[int, int]:
        """The offset of the opening bracket for the offset of each closing bracket."""
        waiting: list[tuple[int, bytes]] = []
        pairs = {}
        for at, sign in self._brackets:
            if sign in b"([{":
                waiting.append((at, sign))
            elif waiting and waiting[-1][1] == _OPENS[sign]:
                pairs[at] = waiting.pop()[0]
        return pairs

    def _list_around(self, at: int) -> list[_Open] | None:
        """The body's brackets that are open at an offset, the outermost first; None past the end of the body."""
        around: list[_Open] = []
        for place, sign in self._brackets:
            if place >= at:
                break
            if place < self._start:
                continue
            if sign in b"([{":
                around.append(_Open(place, sign))
            elif not around:
                return None
            else:
                around.pop()
        return around

    def _is_own(self, at: int) -> bool:
        """Whether the code at an offset is the member's own, not that of a lambda, local function or initialiser."""
        around = self._list_around(at)
        if around is None:
            return False
        if not self._is_plain(self._start, around[0].at if around else at):
            return False
        for number, bracket in enumerate(around):
            end = around[number + 1].at if number + 1 < len(around) else at
            before = self._mask[self._start : bracket.at].rstrip()
            if bracket.sign == b"{" and not self._is_statement(before):
                return False
            chooses = bracket.sign == b"{" and before.endswith(b"switch")
            if not chooses and not self._is_plain(bracket.at + 1, end):
                return False
        return True

    def _is_plain(self, start: int, end: int) -> bool:
        """Whether there is no arrow of a lambda or a local function between the two offsets."""
        text = self._mask[start:end]
        text = text[max(text.rfind(b";"), text.rfind(b"}")) + 1 :]
        head, arrow, _ = text.partition(b"=>")
        return not arrow or _ACCESSOR.match(head) is not None

    def _is_statement(self, before: bytes) -> bool:
        """Whether a block after this text of the body is part of a statement, not of a lambda or an initialiser."""
        if _PLAIN.search(before) is not None:
            return True
        opening = self._openings.get(self._start + len(before) - 1, -1) if before.endswith(b")") else -1
        return opening >= self._start and _CONTROL.search(self._mask[self._start : opening].rstrip()) is not None

    def _find_start(self) -> int:
        """The offset after the `{` or `=>` that opens the body: the first outside of all brackets."""
        depth = 0
        for match in _BODY_SIGN.finditer(self._mask):
            if match[0] in (b"(", b"["):
                depth += 1
            elif match[0] in (b")", b"]"):
                depth -= 1
            elif depth == 0:
                return match.end()
        return len(self._mask)


def _mask(text: bytes) -> bytes:
    out = bytearray(text)
    at, search = 0, OPAQUE.search
    while (match := search(text, at)) is not None:
        start, at = match.span()
        if match.lastgroup == "i" or text[start] == _DOLLAR:
            at = max(at, find_string_end(text, start, text.index(b'"', start) + 1))
        filler = _BLANK if match.lastgroup in ("c", "d") else _FILLER
        out[start:at] = bytes(byte if byte == _FEED else filler for byte in text[start:at])
    return bytes(out)


def _shorten(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 3].rstrip() + "..."
