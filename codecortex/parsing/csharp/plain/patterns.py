"""Finds the declarations of a skeleton that holds common ones alone.

A text is taken as a whole or not at all: where the next declaration is none that a pattern here takes, the text is left
to the grammar, so that nothing is guessed. What patterns take is what the grammar takes, too; a law in the tests
compares the facts that both give.
"""

from __future__ import annotations

from functools import lru_cache
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


def _list(pattern: bytes, end: bytes) -> bytes:
    """Some with commas between, each with the white space around it, before an end; patterns stand once, as they are
    what costs time to compile."""
    return _any(pattern + rb"(?:,|(?=" + end + rb"))") + rb"(?<!,)"


_S = rb"\s*+"
_ID = rb"@?+[A-Za-z_\x80-\xff][\w\x80-\xff]*+"
_TUPLE = rb"\([\w\s.,?@<>\[\]\x80-\xff]++\)"
_INNER = rb"[\w.?:@\[\]\x80-\xff]++|,\s*+|" + _TUPLE + rb"|"


def _arguments(depth: int) -> bytes:
    """Type arguments with others in them, up to a depth."""
    return rb"<\s*+" + _any(_INNER[:-1] if not depth else _INNER + _arguments(depth - 1)) + rb"\s*+>"


_NAME = rb"[A-Za-z_@\x80-\xff][\w.:@\x80-\xff]*+" + _maybe(_arguments(3))
_TYPE = (
    rb"(?>(?:" + _NAME + rb"(?:\." + _NAME + rb")?|" + _TUPLE + rb")" + _any(rb"\?|\[[\s,]*+\]") + rb")"
)  # fmt: skip
_STRING = (
    rb"(?<![@$\"])\"" + _any(rb"[^\"\\\n]++|\\.") + rb"\"(?!\")|'" + _any(rb"[^'\\\n]++|\\.") + rb"'"
)  # fmt: skip
_ATTRIBUTES = _any(
    rb"\[" + _maybe(rb"(?:field|property|param|return|type|method|event|typevar)\s*+:")
    + _any(rb"[\w\s.,=()<>?|@\x80-\xff-]++|\[[\s,]*+\]|" + _STRING) + rb"\]" + _S
)  # fmt: skip
_DEFAULT = _any(rb"[\w\s.|+~@\x80-\xff-]++|" + _STRING + rb"|\([\w\s.,?@<>\x80-\xff-]*+\)")
_PARAMETERS = _list(
    _S + _ATTRIBUTES + _any(rb"(?:this|ref|out|in|params|readonly)\s++") + _TYPE + _S + _ID + _S
    + _maybe(rb"=" + _DEFAULT), rb"\)",
) + _S  # fmt: skip
_TYPE_PARAMETERS = rb"<(?!>)" + _list(_S + _ATTRIBUTES + _maybe(rb"(?:in|out)\s++") + _ID + _S, rb">") + rb">"
_CONSTRAINTS = _any(
    rb"where\s++" + _ID + _S + rb":" + _list(_S + _TYPE + _S + _maybe(rb"\(\s*+\)" + _S), rb"where\b|[{;=]")
)
_MODIFIERS = _any(
    rb"(?:public|private|static|protected|internal|override|readonly|virtual|async|abstract|sealed|new|const|partial"
    rb"|extern|unsafe|volatile|required)\s++"
)
_HEADS = rb"(?=(?:class|struct|interface|enum|record|delegate)\b)(?P<head>)"
_KEYS = rb"[\w\s.,?<>@\x80-\xff]++"
_INSIDE = compile_later(
    _S + rb"(?:\}(?P<close>)|(?P<modifiers>" + _MODIFIERS + rb")(?:" + _HEADS
    + rb"|(?P<before>" + _maybe(rb"(?:event|(?:implicit|explicit)\s++operator)\s++") + rb")"
    + rb"(?P<type>" + _maybe(rb"ref\s++" + _maybe(rb"readonly\s++")) + _TYPE + rb")"
    + _maybe(
        rb"(?P<explicit>" + _S + _any(_ID + _maybe(_arguments(2)) + rb"\.") + rb")"
        + rb"(?:operator" + _S + _maybe(rb"checked\b" + _S) + rb"(?P<sign>[+*/%&|^!~=<>-]++|true\b|false\b)|(?P<name>" + _ID + rb"))"
    ) + _S + rb"(?:"
    + rb"(?P<generic>" + _maybe(_TYPE_PARAMETERS) + rb")" + _S + rb"\((?P<parameters>" + _PARAMETERS + rb")\)" + _S
    + rb"(?P<clauses>" + _CONSTRAINTS + rb")(?P<initialiser>" + _maybe(rb":" + _S + rb"(?:base|this)" + _S + rb"\(\)" + _S)
    + rb")(?:\{\}|;|=> 0;)(?P<method>)"
    + rb"|(?P<declarators>" + _maybe(rb"= 0") + _any(_S + rb"," + _S + _ID + _S + _maybe(rb"= 0")) + _S
    + rb");(?P<fields>)"
    + rb"|" + _maybe(rb"\[(?P<keys>" + _KEYS + rb")\]" + _S) + rb"(?:(?P<accessors>\{" + _S
    + rb"(?>(?:" + _any(rb"(?:private|protected|internal|public|readonly)\s++") + rb"(?:get|set|init|add|remove)" + _S
    + rb"(?:;|\{\}|=> 0;)" + _S + rb")+)\})" + _maybe(_S + rb"= 0;") + rb"|=> 0;)(?P<property>)"
    + rb")))"
)  # fmt: skip
_OUTSIDE = compile_later(
    _S + rb"(?:(?P<text>" + _maybe(rb"global\s++") + rb"using\s++" + _maybe(rb"static\s++") + _maybe(_ID + _S + rb"=" + _S)
    + _TYPE + _S + rb");(?P<using>)|namespace\s++(?P<name>" + _ID + _any(rb"\." + _ID) + rb")" + _S
    + rb"(?P<opens>[{;])(?P<namespace>)|(?P<modifiers>" + _MODIFIERS + rb")" + _HEADS + rb"|\}(?P<close>)|\Z(?P<end>))"
)  # fmt: skip
_HEAD = compile_later(
    rb"(?:delegate\s++(?P<result>" + _TYPE + rb")|(?P<kind>class|struct|interface|enum|record"
    + _maybe(rb"\s++(?:class|struct)\b") + rb")\s)" + _S + rb"(?P<name>" + _ID + rb")" + _S
    + rb"(?P<generic>" + _maybe(_TYPE_PARAMETERS) + rb")" + _S + _maybe(rb"\((?P<parameters>" + _PARAMETERS + rb")\)")
    + rb"(?P<bases>" + _S
    + _maybe(rb":" + _list(_S + _TYPE + _S + _maybe(rb"\([\w\s.,?@<>\x80-\xff-]*+\)" + _S), rb"where\b|[{;]"))
    + rb")(?P<clauses>" + _CONSTRAINTS + rb")(?P<opens>[{;])"
)  # fmt: skip
_VALUE = rb"[\w\s.|&<>~+*()^@\x80-\xff-]++"
ENUM_MEMBER = compile_later(
    _S
    + rb"(?P<attributes>"
    + _ATTRIBUTES
    + rb")(?P<name>"
    + _ID
    + rb")"
    + _S
    + _maybe(rb"=(?P<value>" + _VALUE + rb")")
)
_ENUM_BODY = compile_later(_any(_S + _ATTRIBUTES + _ID + _S + _maybe(rb"=" + _VALUE) + rb"(?:,|(?=\}))") + _S + rb"\}")
DECLARATOR = compile_later(rb"(?P<name>" + _ID + rb")" + _S + _maybe(rb"(?P<value>= 0)"))
"""One of the names that a field declaration has, from the first name on."""

_PLAIN_NAME = compile_later(_ID)
_LISTED = compile_later(_PARAMETERS)
_ROUND = compile_later(rb"\([^()]*+\)\s*+(?=[,{;w]|\Z)")
_REF = compile_later(rb"\Aref\s++(?:readonly\s++)?")
_WORD = compile_later(rb"@?+[\w\x80-\xff]++")
_ODD = compile_later(
    rb"\?[\w@?]|\][\w@]|[<,]\s*+[,>]|\.(?![\w@\x80-\xff])|::[^\w@]"
    rb"|\b(?:bool|byte|char|decimal|double|float|int|long|object|sbyte|short|string|uint|ulong|ushort|void)<"
)

_RESERVED = frozenset(
    b"abstract as base break case catch checked class const continue default delegate do else enum event explicit "
    b"extern false finally fixed for foreach goto if implicit in interface internal is lock namespace new null operator "
    b"out override params private protected public readonly ref return sealed sizeof stackalloc static struct switch "
    b"this throw true try typeof unchecked unsafe using virtual volatile while".split()
)
"""The keywords, but for those that are types."""
_NO_TYPES = _RESERVED | frozenset(
    b"allows async await extension file partial record required scoped union where yield".split()
)
"""With words that are a type in none but odd code, which is left to the grammar."""
_NO_NAMES = _NO_TYPES | frozenset(
    b"bool byte char decimal double float int long object sbyte short string uint ulong ushort void".split()
)
_NOT_IN_PARAMETERS = _RESERVED - frozenset(b"base default false in new null out params readonly ref this true".split())
_NOT_IN_GENERIC = _NO_NAMES - {b"in", b"out"}
_NOT_IN_CLAUSES = _NO_TYPES - frozenset(b"class default new struct where".split())


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
            if head is None or not _is_head(head):
                return None
            at = head.end()
            body = head["opens"] == b"{"
            if head["kind"] == b"enum":
                members = _ENUM_BODY.match(text, at) if body else None
                if members is None:
                    return None
                start, at = at, members.end()
                if any(each["name"] in _NO_NAMES for each in ENUM_MEMBER.finditer(text, start, at - 1)):
                    return None
            elif head["kind"] is not None and body:
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
        else:
            if not (_is_using(match) if kind == "using" else _is_member(kind, match)):
                return None
            found.append(Found(kind, match))


# What the patterns leave open, for it is asked of each text once


@lru_cache(maxsize=16384)
def _is_type(text: bytes) -> bool:
    if b"(" in text:
        return _RESERVED.isdisjoint(_WORD.findall(text))
    return _NO_TYPES.isdisjoint(_WORD.findall(text)) and _ODD.search(text) is None


@lru_cache(maxsize=16384)
def _are_parameters(text: bytes) -> bool:
    return _NOT_IN_PARAMETERS.isdisjoint(_WORD.findall(text)) and _ODD.search(text) is None


@lru_cache(maxsize=4096)
def _are_clauses(text: bytes) -> bool:
    return _NOT_IN_CLAUSES.isdisjoint(_WORD.findall(text)) and _ODD.search(text) is None


def _is_using(match: re.Match[bytes]) -> bool:
    target = match["text"].partition(b"using")[2].removeprefix(b" static ")
    odd = _NO_TYPES if b"<" in target and b"=" in target else _NO_NAMES
    return (
        odd.isdisjoint(_WORD.findall(target)) and (b"?" not in target or odd is _NO_TYPES) and not _ODD.search(target)
    )


def _is_head(head: re.Match[bytes]) -> bool:
    kind, name, result, generic, parameters, bases, clauses, opens = head.group(
        "kind", "name", "result", "generic", "parameters", "bases", "clauses", "opens"
    )
    if name in _NO_NAMES or (parameters and not _are_parameters(parameters)) or (clauses and not _are_clauses(clauses)):
        return False
    if generic and not _NOT_IN_GENERIC.isdisjoint(_WORD.findall(generic)):
        return False
    if kind is None:
        return bool(opens == b";" and parameters is not None and not bases.strip() and _is_type(result))
    return (
        not bases
        or (b"?" not in bases or b"<" in bases)
        and _are_parameters(bases)
        and _is_type(_ROUND.sub(b"", bases))
    )


def _is_member(kind: str, match: re.Match[bytes]) -> bool:
    """Whether what looks like a member is one, and no other syntax with the same signs."""
    before, of, name = match.group("before", "type", "name")
    if not _is_type(_REF.sub(b"", of) if of.startswith(b"ref") else of):
        return False
    if kind == "fields":
        declarators = match["declarators"]
        others = b"," not in declarators or _NO_NAMES.isdisjoint(_WORD.findall(declarators))
        return name is not None and name not in _NO_NAMES and others and before[:1] in b"e"
    if kind == "property":
        keys = match["keys"]
        if keys is not None:
            return name == b"this" and not before and _are_parameters(keys) and _LISTED.fullmatch(keys) is not None
        return name is not None and name not in _NO_NAMES and (not before or before.startswith(b"ev"))
    return _is_method(match)


def _is_method(match: re.Match[bytes]) -> bool:
    before, of, name, sign = match.group("before", "type", "name", "sign")
    generic, parameters, clauses, initialiser = match.group("generic", "parameters", "clauses", "initialiser")
    if (parameters and not _are_parameters(parameters)) or (clauses and not (generic and _are_clauses(clauses))):
        return False
    if generic and not _NOT_IN_GENERIC.isdisjoint(_WORD.findall(generic)):
        return False
    if sign is not None or before:
        return not (generic or initialiser) and (sign is None) == (b"operator" in before) and name is None
    if name is not None:
        return name not in _NO_NAMES and not initialiser
    return of not in _NO_NAMES and not generic and _PLAIN_NAME.fullmatch(of) is not None
