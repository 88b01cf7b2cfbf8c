"""Determines what a name can be from the syntax around an occurrence."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.model.code.usages import Context, Receiver, Root, Site
from codecortex.model.startup.patterns import compile_later
from codecortex.parsing.occurrences.locals import find_local
from codecortex.parsing.occurrences.tokens import (
    KEYWORDS,
    TYPE_WORDS,
    angle_start,
    count_arguments,
    find_close,
    find_open,
    is_name,
    read_created,
    read_name_back,
    read_receiver,
    skip_back,
    take_arguments,
    token_after,
    token_before,
)

if TYPE_CHECKING:
    from codecortex.parsing.occurrences.find import Code, Location

_REACH = 4000
_DECLARING = frozenset((b"class", b"struct", b"interface", b"record", b"enum", b"delegate"))
_FIXED = {
    **dict.fromkeys(_DECLARING, Context.DECLARED), b"delegate": Context.TYPE, b"new": Context.CREATED,
}  # fmt: skip
"""The context of a name after a keyword."""
_TYPE_AFTER = frozenset((b"is", b"as", b"typeof", b"sizeof", b"default", b"stackalloc", b"operator"))
_INSIDE = frozenset((b"typeof", b"sizeof", b"default", b"catch"))
_OPERATORS = frozenset(
    b"is as in and or when switch with where on equals by into orderby select from join let group ascending descending"
    b" not".split()
)
_CASTABLE = compile_later(rb"\s*(?:[\w@(\x01\x80-\xff]|[!~](?!=))")
_NOT_CAST = frozenset(b"is as and or in when switch with on equals by into where select".split())
_HEAD = compile_later(
    rb"(?:\A|[;{}\]])[^;{}]*?\b(?:class|struct|interface|record|enum)\s+(?:struct\s+|class\s+)?@?[\w\x80-\xff]+[^;{}]*\Z"
)
_WHERE = compile_later(rb"\bwhere\s+@?[\w\x80-\xff]+\s*:[^;{}=]*\Z")
_IMPORT = compile_later(rb"\busing\s+(?:static\s+|unsafe\s+)*(?:@?[\w\x80-\xff]+\s*=\s*)?[\w\s.:@\x80-\xff]*\Z")
_BLOCKS = frozenset(
    (
        b"",
        b";",
        b"{",
        b"}",
        b":",
        *b"get set init add remove else try catch finally do checked unchecked unsafe".split(),
    )
)


def read_site(code: Code, spot: Location, extent: tuple[int, int], own: str = "") -> Site:
    """The syntax around an occurrence.

    Args:
        code: The file's code.
        spot: The occurrence.
        extent: The extent of the member around it, in which local variables are looked up.
        own: The member's name.
    """
    text = code.text
    start = spot.start - (text[spot.start - 1 : spot.start] == b"@")
    receiver = read_receiver(text, start)
    arity, end = take_arguments(text, spot.end)
    after, after_end = token_after(text, end)
    head = receiver.start if receiver.root is not Root.NONE else start
    before, _ = token_before(text, head)
    context = _judge(text, start, (spot.end, end), receiver)
    arguments = count_arguments(text, after_end - 1) if after == b"(" else -1
    if context is Context.ASSIGNED:
        owner = _find_owner(text, start, is_pattern=after == b":")
        context = Context.LABEL if owner is None else context
        receiver = owner or Receiver(Root.OTHER, (), "", start)
    following = b""
    if after in (b".", b"?.", b"::"):
        following = token_after(text, after_end)[0].lstrip(b"@")
    local = None
    if context in (Context.VALUE, Context.INVOKED, Context.ASSIGNED):
        head_name = _read_head(receiver, code.source[spot.start : spot.end])
        local = find_local(text, head_name, extent, own=head_name == own) if head_name else None
    return Site(
        spot.start, spot.end, spot.line, spot.column, spot.snippet, context, receiver,
        before.decode("utf-8", "replace"), arity, following.decode("utf-8", "replace"), arguments, local,
        _stands_in_head(text, start),
    )  # fmt: skip


def _read_head(receiver: Receiver, name: bytes) -> str:
    """The name that may be a variable's: the first of a chain; empty if the chain does not start with a name."""
    if receiver.root is Root.NAMES:
        return receiver.names[0].partition("`")[0]
    return name.decode("utf-8", "replace") if receiver.root is Root.NONE else ""


def _statement(text: bytes, at: int) -> bytes:
    """The code before an offset, from the end of the previous statement or the edge of the block."""
    low = max(0, at - _REACH)
    begin = max(text.rfind(sign, low, at) for sign in (b";", b"{", b"}"))
    return text[begin if begin >= 0 else low : at]


def _stands_in_head(text: bytes, start: int) -> bool:
    statement = _statement(text, start)
    words = (b"class", b"struct", b"interface", b"record", b"enum")
    return any(word in statement for word in words) and _HEAD.search(statement) is not None


def _judge(text: bytes, start: int, ends: tuple[int, int], receiver: Receiver) -> Context:
    """The context of a name.

    Args:
        text: Code.
        start: The start of the name, including its `@`.
        ends: The offsets after the name, and after its type arguments.
        receiver: The expression before it.
    """
    head = receiver.start if receiver.root is not Root.NONE else start
    before, where = token_before(text, head)
    after, _ = token_after(text, ends[1])
    if before in (b"using", b"static", b"=", b"namespace", b"unsafe"):
        context = _judge_directive(text, start, before, after)
        if context is not None:
            return context
    if receiver.root in (Root.THIS, Root.BASE, Root.TYPED, Root.OTHER):
        return Context.INVOKED if after == b"(" else Context.VALUE
    if before in _FIXED and (before == b"new" or receiver.root is Root.NONE):
        return _FIXED[before] if before != b"new" or after in (b"(", b"{") else Context.TYPE
    if after == b".":
        return Context.TYPE if before in _TYPE_AFTER or _is_written_type(text, before, where) else Context.VALUE
    if before in (b"[", b",", b":") and _is_attribute(text, head, before, after):
        return Context.ATTRIBUTE
    return _judge_pair(text, head, ends, receiver)


def _judge_directive(text: bytes, start: int, before: bytes, after: bytes) -> Context | None:
    if before == b"namespace":
        return Context.NAMESPACE
    if after in (b";", b".", b"::") and _IMPORT.search(_statement(text, start)) is not None:
        return Context.IMPORT
    if before == b"using" and after == b"=":
        return Context.DECLARED
    return None


def _is_written_type(text: bytes, before: bytes, where: int) -> bool:
    """Whether a type ends just before a name, so that the name is the interface of an explicit implementation."""
    if is_name(before):
        return before in TYPE_WORDS or before not in KEYWORDS
    return before == b">" and angle_start(text, where) >= 0 and text[where - 1 : where] != b"="


def _is_attribute(text: bytes, head: int, before: bytes, after: bytes) -> bool:
    """Whether a name is at an attribute's position: first in square brackets before a declaration."""
    if after not in (b"]", b"(", b","):
        return False
    opening = find_open(text, head)
    if opening < 0 or text[opening : opening + 1] != b"[":
        return False
    if before == b":" and not re.fullmatch(rb"\[\s*\w+\s*:\s*", text[opening:head]):
        return False
    earlier, _ = token_before(text, opening)
    if earlier not in (b"", b";", b"{", b"}", b"]", b"(", b",", b"=", b"<", b">", b"=>", b":") and not is_name(earlier):
        return False
    if is_name(earlier) and earlier not in (b"async", b"return", b"await", b"else", b"get", b"set"):
        return False
    close = find_close(text, opening)
    following, _ = token_after(text, close + 1) if close >= 0 else (b"", 0)
    return is_name(following) or following in (b"[", b"(", b"}", b"~", b"")


def _judge_pair(text: bytes, head: int, ends: tuple[int, int], receiver: Receiver) -> Context:
    """The context of a name without a dot after it, from the tokens on both sides."""
    before, where = token_before(text, head)
    after, after_end = token_after(text, ends[1])
    if receiver.root is Root.NONE and _is_given(text, before, where, after):
        return Context.DECLARED
    if (
        (before in _TYPE_AFTER and before != b"default")
        or _is_type_by_after(text, ends[1], after, after_end, before)
        or (before in (b"<", b",") and _is_type_argument(text, head, after))
        or (before == b"(" and after == b")" and _is_cast(text, where, after_end))
        or (before in (b":", b",") and _stands_in_clause(text, head))
        or (ends[1] > ends[0] and after != b"(")
    ):
        return Context.TYPE
    return _judge_value(text, head, before, after, receiver)


def _is_given(text: bytes, before: bytes, where: int, after: bytes) -> bool:
    """Whether a name is declared here: a type ends just before it."""
    if before == b"]":
        return _is_rank(text, where)
    if before == b"?":
        return _is_nullable(text, where) and after in _GIVEN
    return _is_written_type(text, before, where)


_GIVEN = frozenset((b"=", b";", b",", b")", b"{", b"=>", b"in", b"(", b"<"))


def _is_rank(text: bytes, closing: int) -> bool:
    return re.search(rb"[\w>?\]\x80-\xff]\s*\[[\s,]*\Z", text[max(0, closing - 40) : closing]) is not None


def _is_nullable(text: bytes, where: int) -> bool:
    """Whether a question mark belongs to the type before it: directly after the type, and before white space."""
    earlier = text[where - 1 : where]
    return (earlier.isalnum() or earlier in (b"_", b">", b"]", b")")) and text[where + 1 : where + 2].isspace()


def _is_type_by_after(text: bytes, end: int, after: bytes, after_end: int, before: bytes) -> bool:
    """Whether the token after a name (a name, a rank, a question mark) shows that it is a type."""
    if is_name(after):
        return after not in _OPERATORS and before != b"goto"
    if after == b"[":
        return re.match(rb"\s*\[[\s,]*\]", text[end : end + 40]) is not None
    if after != b"?" or text[end : end + 1] != b"?":
        return False
    following, following_end = token_after(text, after_end)
    if is_name(following):
        return token_after(text, following_end)[0] in _GIVEN and text[after_end : after_end + 1].isspace()
    return following in (b">", b"[") or (following in (b")", b",") and before in (b"(", b"<", b","))


def _is_type_argument(text: bytes, head: int, after: bytes) -> bool:
    """Whether a name is in a type argument list."""
    if after not in (b",", b">", b"?", b"["):
        return False
    low = max(0, head - 1000)
    depth, at = 0, head
    for match in reversed(list(re.finditer(rb"[<>(){};\[\]]", text[low:head]))):
        sign = match[0]
        if sign in b"{};":
            return False
        if sign in b">)]":
            depth += 1
        elif sign in b"([":
            depth -= 1
            if depth < 0:
                return False
        elif depth:
            depth -= 1
        else:
            at = low + match.start()
            name, _ = read_name_back(text, skip_back(text, at))
            return bool(name) and take_arguments(text, at)[1] > head
    return False


def _is_cast(text: bytes, opening: int, end: int) -> bool:
    """Whether brackets around a name are a cast, or those of `typeof` and the like."""
    before, where = token_before(text, opening)
    if before in _INSIDE:
        return True
    if (is_name(before) and before not in KEYWORDS) or before in (
        b")",
        b"]",
        b"nameof",
        b"if",
        b"while",
        b"switch",
        b"\1",
    ):
        return False
    if before == b">" and text[where - 1 : where] != b"=":
        return False
    return _CASTABLE.match(text, end) is not None and token_after(text, end)[0] not in _NOT_CAST


def _stands_in_clause(text: bytes, head: int) -> bool:
    """Whether a name is in a base list or in the constraints of a type parameter."""
    statement = _statement(text, head)
    if b"where" in statement and _WHERE.search(statement) is not None:
        return True
    match = _HEAD.search(statement)
    return match is not None and b":" in statement and statement.count(b"(") == statement.count(b")")


def _judge_value(text: bytes, head: int, before: bytes, after: bytes, receiver: Receiver) -> Context:
    if receiver.root is Root.NONE and before in (b"{", b",", b"(") and after in (b"=", b":"):
        opening = find_open(text, head)
        if opening >= 0 and text[opening : opening + 1] == b"{" and not _is_block(text, opening):
            return Context.ASSIGNED
        if after == b":" and before != b"{":
            return Context.LABEL
    if receiver.root is Root.NONE and after == b":" and before in (b";", b"{", b"}"):
        return Context.LABEL
    return Context.INVOKED if after == b"(" else Context.VALUE


def _is_block(text: bytes, opening: int) -> bool:
    """Whether braces contain statements: they follow the head of a statement or of a member, or have no head."""
    end = skip_back(text, opening)
    if text[end - 1 : end] == b")":
        pair = find_open(text, end - 1)
        return not read_created(text, pair) and token_before(text, pair)[0] not in (b"new", b"is", b"case")
    word, where = token_before(text, end)
    return word in _BLOCKS or (word == b">" and text[where - 1 : where] == b"=")


def _find_owner(text: bytes, start: int, *, is_pattern: bool) -> Receiver | None:
    """The owner of the members named in the surrounding braces; None for an anonymous type."""
    opening = find_open(text, start)
    end = skip_back(text, opening)
    if text[end - 1 : end] == b")":
        end = skip_back(text, find_open(text, end - 1))
    word, where = token_before(text, end)
    if word == b"new" and not is_pattern:
        return None
    if word in (b"with", b"is"):
        name, begin = read_name_back(text, skip_back(text, where))
        owner = read_receiver(text, begin)
        if owner.root in (Root.NONE, Root.NAMES) and name and name not in ("this", "base"):
            return Receiver(Root.NAMES, (*owner.names, name), "", owner.start if owner.names else begin)
        return Receiver(Root.OTHER, (), "", start)
    written = _read_pattern_type(text, end) if is_pattern else read_created(text, end)
    return Receiver(Root.TYPED, (), written, start) if written else Receiver(Root.OTHER, (), "", start)


def _read_pattern_type(text: bytes, end: int) -> str:
    """The type before the braces of a pattern; empty if it is not certain."""
    name, begin = read_name_back(text, end)
    if not name or name.encode() in KEYWORDS:
        return ""
    inner = read_receiver(text, begin)
    begin = inner.start if inner.root is Root.NAMES else begin
    before, _ = token_before(text, begin)
    return text[begin:end].decode("utf-8", "replace") if before in (b"is", b"case", b"and", b"or", b"not") else ""
