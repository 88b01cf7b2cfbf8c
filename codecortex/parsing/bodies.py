"""The source text of a member in, what it throws, checks and locks out.

Only what the text says for certain: code in lambdas and local functions runs at another time, or never, and is left
out; what another method throws is that method's business.
"""

from __future__ import annotations

import re

from codecortex.model.bodies import BodyFacts, Throw
from codecortex.parsing.lexer import OPAQUE, find_string_end

_DOLLAR = ord("$")
_INTERESTING = re.compile(rb"\bthrow\b|\.ThrowIf|\block\b|\.\s*(?:NotNull|NotEmpty|NotDefault|Ensure|Require)")
_THROW = re.compile(rb"\bthrow\s+new\s+([A-Za-z_][\w.:]*(?:<[^<>()]*>)?)\s*(\(|\{)?")
_THROW_IF = re.compile(rb"\b((?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*Exception)\.(ThrowIf\w*)\s*\(")
_GUARD = re.compile(
    rb"(?<![\w.])((?:[A-Z]\w*\.)+(?:NotNull|NotEmpty|NotDefault|Ensure|Require)\w*(?:<[^<>()]*>)?)\s*\("
)
_LOCK = re.compile(rb"\block\s*\(")
_BEFORE_IF = re.compile(rb"\bif\s*\Z")
_COALESCED = re.compile(rb"([A-Za-z_][\w.]*)\s*\?\?\s*\Z")
_OWN_ARROW = re.compile(rb"=>\s*\Z")
_CONTROL = re.compile(
    rb"\b(?:if|for|foreach|while|switch|using|lock|fixed|catch|when)\s*\Z|"
    rb"\b(?:else|do|try|finally|checked|unchecked|unsafe|get|set|init|add|remove)\s*\Z|[;{}:]\s*\Z"
)
_SWITCH = re.compile(rb"\bswitch\s*\Z")
_LITERAL = re.compile(rb'\A[$@]*"+((?:[^"\\{}\n]|\\.)*)"')
_RESOURCE = re.compile(rb"\A([A-Z]\w*(?:\.[A-Z]\w*)+)\s*(?:\(|\Z|,)")
_NAME = re.compile(rb"[A-Za-z_]\w*")
_LONGEST_CONDITION = 100
_LONGEST_MESSAGE = 160
_PAIRS = {ord(")"): ord("("), ord("}"): ord("{"), ord("]"): ord("[")}


def read_body(text: bytes) -> BodyFacts:
    """What the body of a member does.

    Args:
        text: The declaration from its modifiers to its end, inactive text blanked.
    """
    if _INTERESTING.search(text) is None:
        return BodyFacts()
    body = _Body(text)
    return BodyFacts(tuple(dict.fromkeys(body.list_throws())), tuple(dict.fromkeys(body.list_guards())), body.locks)


class _Body:
    """A declaration, and its mask: the same without comments and the insides of literals, byte for byte in place."""

    def __init__(self, text: bytes) -> None:
        self._text = text
        self._mask = _mask(text)
        self._start = self._find_start()

    @property
    def locks(self) -> bool:
        return _LOCK.search(self._mask, self._start) is not None

    def list_guards(self) -> list[str]:
        found = []
        for match in _GUARD.finditer(self._mask, self._start):
            if self._is_own(match.start()):
                first = self._split(match.end() - 1)[:1]
                if first and _NAME.fullmatch(first[0].encode()):
                    found.append(f"{match[1].decode('utf-8', 'replace')}({first[0]})")
        return found

    def list_throws(self) -> list[Throw]:
        found = [(match.start(), self._read_throw(match)) for match in _THROW.finditer(self._mask, self._start)]
        found += [(match.start(), self._read_check(match)) for match in _THROW_IF.finditer(self._mask, self._start)]
        return [throw for at, throw in sorted(found, key=lambda each: each[0]) if self._is_own(at)]

    def _read_check(self, match: re.Match[bytes]) -> Throw:
        name = match[1].rpartition(b".")[2].decode("utf-8", "replace")
        first = ", ".join(self._split(match.end() - 1)[:1])
        return Throw(name, _shorten(f"{name}.{match[2].decode()}({first})", _LONGEST_CONDITION))

    def _read_throw(self, match: re.Match[bytes]) -> Throw:
        name = match[1].rpartition(b".")[2].rpartition(b":")[2].decode("utf-8", "replace")
        message = self._find_message(match.end() - 1) if match[2] == b"(" else ""
        before = self._mask[: match.start()].rstrip()
        always = len(before) <= self._start or (before.endswith(b"=>") and len(before) - 2 <= self._start)
        return Throw(name, "" if always else self._find_condition(before), message, always)

    def _find_condition(self, before: bytes) -> str:
        coalesced = _COALESCED.search(before)
        if coalesced is not None:
            return f"{coalesced[1].decode('utf-8', 'replace')} is null"
        before = before.removesuffix(b"{").rstrip()
        if not before.endswith(b")"):
            return ""
        opening = self._find_opening(len(before) - 1)
        if opening < 0 or _BEFORE_IF.search(before, 0, opening) is None:
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
        """The arguments after an opening bracket, as written with blanks folded; none where it is not closed."""
        depth, last, out = 0, opening + 1, []
        for at in range(opening, len(self._mask)):
            sign = self._mask[at]
            if sign in b"([{":
                depth += 1
            elif sign in b")]}":
                depth -= 1
                if depth == 0:
                    argument = self._quote(last, at)
                    return [*out, argument] if argument else out
            elif sign == ord(",") and depth == 1:
                out.append(self._quote(last, at))
                last = at + 1
        return []

    def _quote(self, start: int, end: int) -> str:
        """Source text on one line, its comments gone."""
        keep = bytes(m if m == ord(" ") and t != ord(" ") and t != ord("\n") else t for t, m in
                     zip(self._text[start:end], self._mask[start:end], strict=True))  # fmt: skip
        return _shorten(" ".join(keep.decode("utf-8", "replace").split()), _LONGEST_CONDITION)

    def _find_opening(self, closing: int) -> int:
        """The bracket that a closing one closes, or -1."""
        waiting: list[int] = []
        for at in range(closing, self._start - 1, -1):
            sign = self._mask[at]
            if sign in b")]}":
                waiting.append(_PAIRS[sign])
            elif sign in b"([{":
                if not waiting or waiting.pop() != sign:
                    return -1
                if not waiting:
                    return at
        return -1

    def _is_own(self, at: int) -> bool:
        """Whether what stands there runs when the member does: in no lambda, no local function."""
        depth, arrow = 0, self._mask.rfind(b"=>", self._start, at)
        while at > self._start:
            at -= 1
            sign = self._mask[at]
            if sign in b")]}":
                depth += 1
            elif sign in b"([{":
                if depth:
                    depth -= 1
                    continue
                before = self._mask[self._start : at].rstrip()
                if arrow > at and not (sign == ord("{") and _is_switch(self, before)):
                    return False  # `x => ...` inside this bracket
                arrow = self._mask.rfind(b"=>", self._start, at)
                if sign == ord("{") and not self._is_control(before):
                    return False
                if sign == ord("{") and before.endswith(b"=>"):
                    return False
        return arrow < 0 or arrow <= self._start

    def _is_control(self, before: bytes) -> bool:
        """Whether a block after this text is a part of the statements around it."""
        if not before or _CONTROL.search(before):
            return True
        if not before.endswith(b")"):
            return _is_switch(self, before)
        opening = self._find_opening(self._start + len(before) - 1)
        return opening >= 0 and _CONTROL.search(self._mask[self._start : opening].rstrip()) is not None

    def _find_start(self) -> int:
        """Just past the `{` or `=>` that opens the body: the first outside of all brackets."""
        depth = 0
        for at, sign in enumerate(self._mask):
            if sign in b"([":
                depth += 1
            elif sign in b")]":
                depth -= 1
            elif depth == 0 and sign == ord("{"):
                return at + 1
            elif depth == 0 and self._mask[at : at + 2] == b"=>":
                return at + 2
        return len(self._mask)


def _is_switch(body: _Body, before: bytes) -> bool:
    """Whether text ends in the head of a `switch`, expression or statement."""
    del body
    return _SWITCH.search(before) is not None


def _mask(text: bytes) -> bytes:
    out = bytearray(text)
    at, search = 0, OPAQUE.search
    while (match := search(text, at)) is not None:
        start, at = match.span()
        if match.lastgroup == "i":
            at = find_string_end(text, start, at)
        filler = b" " if match.lastgroup in ("c", "d") else b"_"
        out[start:at] = bytes(ord("\n") if byte == ord("\n") else filler[0] for byte in text[start:at])
    return bytes(out)


def _shorten(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 3].rstrip() + "..."
