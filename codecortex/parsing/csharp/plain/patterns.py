"""What the declarations of a skeleton look like that nearly all files have, as regular expressions.

They are loose inside of types and expressions, where `checks` looks closer: texts there repeat, and small patterns
compile faster. Names are of ASCII letters, as nearly all are. No group that may repeat or be missing is possessive
itself: Python before 3.11.5 misreads those.
"""

from __future__ import annotations

from codecortex.model.startup.patterns import compile_later


def _maybe(pattern: bytes) -> bytes:
    return rb"(?>(?:" + pattern + rb")?)"


def _any(pattern: bytes) -> bytes:
    return rb"(?>(?:" + pattern + rb")*)"


def _list(pattern: bytes, end: bytes) -> bytes:
    """Some with commas between, each with the white space around it, before an end.

    The pattern stands there once: its size is what compiling takes time for.
    """
    return _any(pattern + rb"(?:,|(?=" + end + rb"))") + rb"(?<!,)"


_S = rb"\s*+"
_ID = rb"@?+[A-Za-z_]\w*+"
_ELEMENTS = rb"[\w\s.,?<>\[\]]++"
_TUPLE = rb"\((?>(?:" + _ELEMENTS + rb"|\(" + _ELEMENTS + rb"\))+)\)"
_INNER = rb"[\w.?:\[\]]++|(?<=[<,\s])@|,\s*+|\(" + _ELEMENTS + rb"\)|"


def _arguments(depth: int) -> bytes:
    """Type arguments with others in them, up to a depth."""
    return rb"<\s*+" + _any(_INNER[:-1] if not depth else _INNER + _arguments(depth - 1)) + rb"\s*+>"


_NAME = rb"@?+[A-Za-z_][\w.:]*+" + _any(_arguments(3) + _maybe(rb"\.[\w.]++"))
_TYPE = rb"(?>(?:" + _NAME + rb"|" + _TUPLE + rb")" + _any(rb"\?|\[[\s,]*+\]") + rb")"
_STRING = (
    rb"(?<![@$\"])\"" + _any(rb"[^\"\\\n]++|\\.") + rb"\"(?!\")|'" + _any(rb"[^'\\\n]++|\\.") + rb"'"
)  # fmt: skip
_ATTRIBUTES = _any(
    rb"\[(?!\s*+[\],])" + _maybe(rb"(?:field|property|param|return|type|method|event|typevar)\s*+:")
    + _any(rb"[\w\s.,=()<>?|-]++|\[[\s,]*+\]|" + _STRING) + rb"\]" + _S
)  # fmt: skip
_DEFAULT = _any(rb"[\w\s.|+~@-]++|" + _STRING + rb"|\([\w\s.,?@<>-]*+\)")
_BY = rb"(?:out|params|in)\s++|this\s++(?:(?:ref|in)\s++)?(?:readonly\s++)?|ref\s++(?:readonly\s++)?"
_PARAMETERS = _list(
    _S + _ATTRIBUTES + _maybe(rb"scoped\s++") + _maybe(_BY) + _TYPE + _S + _ID + _S
    + _maybe(rb"=" + _DEFAULT), rb"\)",
) + _S  # fmt: skip
_TYPE_PARAMETERS = rb"<(?!>)" + _list(_S + _ATTRIBUTES + _maybe(rb"(?:in|out)\s++") + _ID + _S, rb">") + rb">"
_CONSTRAINTS = _any(
    rb"where\s++" + _ID + _S + rb":" + _list(_S + _TYPE + _S + _maybe(rb"\(\s*+\)" + _S), rb"where\b|[{;=]")
)
_MODIFIERS = _any(
    rb"ref\s++(?=(?:partial\s++)?struct\b)|(?:public|private|static|protected|internal|override|readonly|virtual|async|abstract|sealed|new|const|partial"
    rb"|extern|unsafe|volatile|required)\s++"
)
_HEADS = rb"(?=(?:class|struct|interface|enum|record|delegate)\b)(?P<head>)"
_KEYS = rb"(?>(?:[\w\s.,:?<>@()]++|\[[\s,]*+\])+)"
_SIGN = rb"(?:\+\+|--|[+*/%&|^-]=?|>>>?=?|<<=?|[=!<>]=|[!~<>])(?![+*/%&|^!~=<>-])"
INSIDE = compile_later(
    _S + rb"(?:\}(?P<close>)|(?P<modifiers>" + _MODIFIERS + rb")(?:" + _HEADS
    + rb"|(?P<before>" + _maybe(rb"(?:event|(?:implicit|explicit)\s++operator(?:\s++checked\b)?)\s++") + rb")"
    + rb"(?P<type>" + _maybe(rb"ref\s++" + _maybe(rb"readonly\s++")) + _TYPE + rb")"
    + _maybe(
        rb"(?P<explicit>" + _S + _maybe(_ID + rb"::") + _any(_ID + _maybe(_arguments(2)) + rb"\.") + rb")"
        + rb"(?:operator\b" + _S + _maybe(rb"checked\b" + _S) + rb"(?P<sign>" + _SIGN + rb"|true\b|false\b)"
        + rb"|(?P<name>" + _ID + rb"))"
    ) + _S + rb"(?:"
    + rb"(?P<generic>" + _maybe(_TYPE_PARAMETERS) + rb")" + _S + rb"\((?P<parameters>" + _PARAMETERS + rb")\)" + _S
    + rb"(?P<clauses>" + _CONSTRAINTS + rb")"
    + rb"(?P<initialiser>" + _maybe(rb":" + _S + rb"(?:base|this)" + _S + rb"\(\)" + _S)
    + rb")(?:\{\}|;|=> 0;)(?P<method>)"
    + rb"|(?P<declarators>" + _maybe(rb"= 0") + _any(_S + rb"," + _S + _ID + _S + _maybe(rb"= 0")) + _S
    + rb");(?P<fields>)"
    + rb"|" + _maybe(rb"\[(?P<keys>" + _KEYS + rb")\]" + _S) + rb"(?:(?P<accessors>\{" + _S
    + rb"(?>(?:" + _any(rb"(?:private|protected|internal|public|readonly)\s++") + rb"(?:get|set|init|add|remove)" + _S
    + rb"(?:;|\{\}|=> 0;)" + _S + rb")+)\})(?P<value>" + _maybe(_S + rb"= 0;") + rb")|=> 0;)(?P<property>)"
    + rb")))"
)  # fmt: skip
OUTSIDE = compile_later(
    _S + rb"(?:(?P<text>" + _maybe(rb"global\s++") + rb"using\s++" + _maybe(rb"static\s++")
    + _maybe(_ID + _S + rb"=" + _S) + _TYPE + _S + rb");(?P<using>)"
    + rb"|namespace\s++(?P<name>" + _ID + _any(rb"\." + _ID) + rb")" + _S
    + rb"(?P<opens>[{;])(?P<namespace>)|(?P<modifiers>" + _MODIFIERS + rb")" + _HEADS + rb"|\}(?P<close>)|\Z(?P<end>))"
)  # fmt: skip
HEAD = compile_later(
    rb"(?:delegate\s++(?P<result>" + _TYPE + rb")|(?P<kind>class|struct|interface|enum|record"
    + _maybe(rb"\s++(?:class|struct)\b") + rb")\s)" + _S + rb"(?P<name>" + _ID + rb")" + _S
    + rb"(?P<generic>" + _maybe(_TYPE_PARAMETERS) + rb")" + _S + _maybe(rb"\((?P<parameters>" + _PARAMETERS + rb")\)")
    + rb"(?P<bases>" + _S
    + _maybe(rb":" + _list(_S + _TYPE + _S + _maybe(rb"\(\)" + _S), rb"where\b|[{;]"))
    + rb")(?P<clauses>" + _CONSTRAINTS + rb")(?P<opens>[{;])"
)  # fmt: skip
CHARACTER = rb"'(?:[^'\\\n]|\\['\"\\0abfnrtv])'"
_VALUE = rb"(?>(?:[\w\s.|&<>~+*()^@-]++|" + CHARACTER + rb")+)"
ENUM_MEMBER = compile_later(
    _S + rb"(?P<attributes>" + _ATTRIBUTES + rb")(?P<name>" + _ID + rb")" + _S
    + _maybe(rb"=(?P<value>" + _VALUE + rb")")
)  # fmt: skip
ENUM_END = compile_later(_S + rb"\}")
DECLARATOR = compile_later(rb"(?P<name>" + _ID + rb")" + _S + _maybe(rb"(?P<value>= 0)"))
"""One of the names that a field declaration has, from the first name on."""

IDENTIFIER = compile_later(_ID)
PARAMETERS = compile_later(_PARAMETERS + rb"\)")
