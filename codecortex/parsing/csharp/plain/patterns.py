"""Finds the declarations of a skeleton that holds common ones alone.

A text is taken as a whole or not at all: where the next declaration is none that a pattern here takes, the text is left
to the grammar, so that nothing is guessed. What patterns take is what the grammar takes, too; a law in the tests
compares the facts that both give.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.model.work import DONE, Work

if TYPE_CHECKING:
    import re


def _maybe(pattern: bytes) -> bytes:
    return rb"(?>(?:" + pattern + rb")?)"


def _any(pattern: bytes) -> bytes:
    return rb"(?>(?:" + pattern + rb")*)"


def _list(pattern: bytes) -> bytes:
    """One or more, with commas between; each takes the white space around it."""
    return pattern + _any(rb"," + pattern)


_S = rb"\s*+"
_ID = rb"@?+[A-Za-z_\x80-\xff][\w\x80-\xff]*+"
_TUPLE = rb"\([\w\s.,?@<>\[\]\x80-\xff]++\)"


def _arguments(depth: int) -> bytes:
    """Type arguments that hold others up to a depth."""
    inner = rb"[\w\s.,?:@\[\]\x80-\xff]++|" + _TUPLE
    return rb"<" + _any(inner + (rb"|" + _arguments(depth - 1) if depth else b"")) + rb">"


_NAME = _ID + _maybe(_arguments(3))
_TYPE = (
    rb"(?>(?:" + _maybe(_ID + rb"::") + _NAME + _any(rb"\." + _NAME) + rb"|" + _TUPLE + rb")"
    + _any(rb"\?|\[[\s,]*+\]") + rb")"
)  # fmt: skip
_STRING = (
    rb"(?<![@$\"])\"" + _any(rb"[^\"\\\n]++|\\.") + rb"\"(?!\")|'" + _any(rb"[^'\\\n]++|\\.") + rb"'"
)  # fmt: skip
_ATTRIBUTES = _any(rb"\[" + _any(rb"[\w\s.,:=()<>?|@\x80-\xff-]++|\[[\s,]*+\]|" + _STRING) + rb"\]" + _S)
_DEFAULT = _any(rb"[\w\s.|+~@\x80-\xff-]++|" + _STRING + rb"|\([\w\s.,?@<>\x80-\xff-]*+\)")
_PARAMETER = (
    _S + _ATTRIBUTES + _any(rb"(?:this|ref|out|in|params|readonly)\s++") + _TYPE + _S + _ID + _S
    + _maybe(rb"=" + _DEFAULT)
)  # fmt: skip
_PARAMETERS = _maybe(_list(_PARAMETER)) + _S
_TYPE_PARAMETERS = rb"<" + _list(_S + _maybe(rb"(?:in|out)\s++") + _ID + _S) + rb">"
_CONSTRAINTS = _any(rb"where\s++" + _ID + _S + rb":" + _list(_S + _TYPE + _S + _maybe(rb"\(\s*+\)" + _S)))
_MODIFIERS = _any(
    rb"(?:public|private|static|protected|internal|override|readonly|virtual|async|abstract|sealed|new|const|partial"
    rb"|extern|unsafe|volatile|required)\s++"
)
_END = rb"(?:\{\}|;|=> 0;)"
_HEADS = rb"(?P<modifiers>" + _MODIFIERS + rb")(?=(?:class|struct|interface|enum|record|delegate)\b)(?P<head>)"

_MEMBER = (
    rb"(?P<event>" + _maybe(rb"event\s++") + rb")(?P<type>" + _TYPE + rb")(?P<explicit>" + _S + _any(_NAME + rb"\.")
    + rb")(?P<name>" + _ID + rb")" + _S + rb"(?:"
    + rb"\((?P<parameters>" + _PARAMETERS + rb")\)" + _S + _END + rb"(?P<method>)"
    + rb"|(?P<accessors>\{" + _S
    + rb"(?>(?:" + _any(rb"(?:private|protected|internal|public|readonly)\s++") + rb"(?:get|set|init|add|remove)" + _S
    + rb"(?:;|\{\}|=> 0;)" + _S + rb")+)\})" + _maybe(_S + rb"= 0;") + rb"(?P<property>)"
    + rb"|(?P<declarators>" + _maybe(rb"= 0") + _any(_S + rb"," + _S + _ID + _S + _maybe(rb"= 0")) + _S
    + rb");(?P<fields>)"
    + rb"|=> 0;(?P<getter>)"
    + rb"|(?P<generic>" + _TYPE_PARAMETERS + rb")" + _S + rb"\((?P<taken>" + _PARAMETERS + rb")\)(?P<clauses>" + _S
    + _CONSTRAINTS + rb")" + _END + rb"(?P<generic_method>)"
    + rb")"
)  # fmt: skip
_CONSTRUCTOR = (
    rb"(?P<own>" + _ID + rb")" + _S + rb"\((?P<given>" + _PARAMETERS + rb")\)" + _S
    + _maybe(rb":" + _S + rb"(?:base|this)" + _S + rb"\(\)" + _S) + _END + rb"(?P<constructor>)"
)  # fmt: skip
_INSIDE = compile_later(
    _S + rb"(?:\}(?P<close>)|" + _HEADS + rb"|(?P<words>" + _MODIFIERS + rb")(?:" + _MEMBER + rb"|" + _CONSTRUCTOR + rb"))"
)
_OUTSIDE = compile_later(
    _S + rb"(?:(?P<text>" + _maybe(rb"global\s++") + rb"using\s++" + _maybe(rb"static\s++") + _maybe(_ID + _S + rb"=" + _S)
    + _TYPE + _S + rb");(?P<using>)|namespace\s++(?P<name>" + _ID + _any(rb"\." + _ID) + rb")" + _S
    + rb"(?P<opens>[{;])(?P<namespace>)|" + _HEADS + rb"|\}(?P<close>)|\Z(?P<end>))"
)  # fmt: skip
_HEAD = compile_later(
    rb"(?:delegate\s++(?P<result>" + _TYPE + rb")|(?P<kind>class|struct|interface|enum|record" + _maybe(rb"\s++(?:class|struct)\b")
    + rb")\s)" + _S + rb"(?P<name>" + _ID + rb")" + _S + rb"(?P<generic>" + _maybe(_TYPE_PARAMETERS) + rb")" + _S
    + _maybe(rb"\((?P<parameters>" + _PARAMETERS + rb")\)") + rb"(?P<bases>" + _S
    + _maybe(rb":" + _list(_S + _TYPE + _S + _maybe(rb"\([\w\s.,?@<>\x80-\xff-]*+\)" + _S))) + rb")(?P<clauses>" + _CONSTRAINTS
    + rb")(?P<opens>[{;])"
)
_VALUE = rb"[\w\s.|&<>~+*()^@\x80-\xff-]++"
ENUM_MEMBER = compile_later(
    _S + rb"(?P<attributes>" + _ATTRIBUTES + rb")(?P<name>" + _ID + rb")" + _S + _maybe(rb"=(?P<value>" + _VALUE + rb")")
)
_ENUM_BODY = compile_later(
    _any(_S + _ATTRIBUTES + _ID + _S + _maybe(rb"=" + _VALUE) + rb"(?:,|(?=\}))") + _S + rb"\}"
)
DECLARATOR = compile_later(rb"(?P<name>" + _ID + rb")" + _S + _maybe(rb"(?P<value>= 0)"))
"""One of the names that a field declaration has, from the first name on."""

_KEYWORDS = frozenset(
    b"abstract as base break case catch checked class const continue default delegate do else enum event explicit "
    b"extern false finally fixed for foreach goto if implicit in interface internal is lock namespace new null operator "
    b"out override params private protected public readonly ref return sealed sizeof stackalloc static struct switch "
    b"this throw true try typeof unchecked unsafe using virtual volatile while "
    b"allows async await extension file partial record required scoped union where yield".split()
)
"""Words that are no type; those of the second line may be one by their spelling, and are then left to the grammar."""
_NO_NAMES = _KEYWORDS | frozenset(
    b"bool byte char decimal double float int long object sbyte short string uint ulong ushort void".split()
)


class Found(NamedTuple):
    """One declaration, or the end of a type or namespace.

    Attributes:
        kind: The name of the pattern's last group.
        match: Where its parts stand.
        head: Of a type, where the parts of the rest of its head stand.
        end: Its end; of a type or namespace with a body, the end of that.
    """

    kind: str
    match: re.Match[bytes]
    head: re.Match[bytes] | None = None
    end: int = 0


def find_declarations(text: bytes) -> list[Found] | None:
    """The declarations of a skeleton's text, in order; None if it holds others than common ones."""
    found: list[Found] = []
    waiting: list[tuple[int, bool]] = []  # the types and namespaces around, and whether a type is around each
    at, inside = 0, False
    while True:
        match = (_INSIDE if inside else _OUTSIDE).match(text, at)
        if match is None:
            return None
        kind, at = match.lastgroup or "", match.end()
        if kind == "close":
            if not waiting:
                return None
            number, inside = waiting.pop()
            found[number] = found[number]._replace(end=at)
            found.append(Found(kind, match))
        elif kind == "head":
            head = _HEAD.match(text, at)
            if head is None or head["name"] in _NO_NAMES:
                return None
            at = head.end()
            body = head["opens"] == b"{"
            if head["kind"] == b"enum":
                members = _ENUM_BODY.match(text, at) if body else None
                if members is None:
                    return None
                at = members.end()
            elif head["kind"] is None:
                if body or head["parameters"] is None or head["bases"].strip():
                    return None
            elif body:
                waiting.append((len(found), inside))
                inside = True
            found.append(Found(kind, match, head, at))
        elif kind == "namespace":
            if match["opens"] == b"{":
                waiting.append((len(found), False))
            found.append(Found(kind, match, None, at))
        elif kind == "end":
            if waiting:
                return None
            DONE[Work.PARSED] += 1
            return found
        elif kind == "constructor":
            if match["own"] in _NO_NAMES:
                return None
            found.append(Found(kind, match))
        else:
            if kind != "using":
                event, of, name = match.group("event", "type", "name")
                if of in _KEYWORDS or name in _NO_NAMES or (event and kind not in ("fields", "property")):
                    return None
            found.append(Found(kind, match))
