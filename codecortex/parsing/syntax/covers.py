"""What the grammar cannot read, covered by what it can: `F(a) = b`, `*(p + 1)`, `from _ in a` and others.

A cover is as long as what it hides, and names are read from the text without covers. A name covers what stands before
a sign, another sign the one before a bracket: there the nodes are replaced by those of what is written.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.parsing.csharp.lexer import find_string_end
from codecortex.parsing.syntax.calls import read_expression, read_pattern, read_type
from codecortex.parsing.syntax.mend import put

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from codecortex.model.code.syntax import Node

_CONSTANT, _ATTRIBUTE = "constant_pattern", "attribute"
_GENERIC = frozenset(
    (
        *("object_creation_expression", "invocation_expression", "is_expression", "array_type"),
        *("declaration_pattern", "declaration_expression", "recursive_pattern", "parameter", _CONSTANT, _ATTRIBUTE),
    )
)
_ASSIGNMENT, _OPERATION = "assignment_expression", "prefix_unary_expression"
_SIZE, _DEFAULT = "sizeof_expression", "default_expression"
_ARGUMENT_LIST = "type_argument_list"
COVERED = frozenset((_ASSIGNMENT, _OPERATION, _ARGUMENT_LIST, _SIZE)) | _GENERIC
"""The kinds of nodes that may hold something else than what is written."""

_SIGN = rb"[ \t]*+(?:[-+*/%&|^]|<<|>>>?|\?\?)?=(?![=>])"
_CALL = compile_later(rb"\)(?=" + _SIGN + rb")")
_FLAT = rb"[^()\[\]{};\"'#]"
_INNER = rb"\((?>(?:" + _FLAT + rb"|\(" + _FLAT + rb"*+\))*)\)"
_GROUP = rb"(?>(?:" + _FLAT + rb"|" + _INNER + rb"|\[" + _FLAT + rb"*+\])*)"
_ASSIGNED = compile_later(
    rb"(?<!\*)\*[ \t*]*+(?:(?=[\w@.]*+(?>(?:->[\w@.]++)*)\()(?>(?:\("
    + _GROUP
    + rb"\)|\["
    + _GROUP
    + rb"\]|[\w@.!]|->)+)"
    rb"|[\w@.]++(?:\+\+|--)|(?:\+\+|--)[\w@.]++)(?=" + _SIGN + rb")"
)
_PREDEFINED = (
    rb"(?:bool|byte|char|decimal|double|float|int|long|nint|nuint|object|sbyte|short|string|uint|ulong|ushort)"
)
_FOLLOWED = compile_later(
    rb"(?:(?<=[-+*/%&|^!~<>=?:,;(\[{}])|(?<=\breturn)|(?<=\bcase)|\("
    + _PREDEFINED
    + rb"\))(?:\s*+)(?<!/)(\*)(?=[ \t]*+\()"
)
_CONVERTED = compile_later(rb"\boperator\s++[\w@.:<>,?\[\]*\s]++\Z")
"""The type that an operator converts to, before what it takes."""
_STEPPED = compile_later(rb"[-+%&|^!~<>=?:,(\[]\s*+(\*)(?=(?:\+\+|--)[\w@])")
"""What a pointer points to that is changed first."""
_BY_REFERENCE = compile_later(rb"(?:(?<=\bref)|(?<=\bout))[ \t]++(\*)(?![=/])")
"""What a pointer points to, given by reference."""
_DEFAULTED = compile_later(rb"(?<=[:;{}])\s*+(default)(?=\s*+\([^()]*+\)!?\.)")
"""The default of a type at the beginning of a statement, which would be a label."""
_REFERENCED = compile_later(rb"(?<!/)\*&(?![&=])")
"""What a pointer to something points to, which is that."""
_UNNAMED = compile_later(
    rb"\b(?:from|join|let|into)\s++(?:[\w@.<>?\[\]]++\s++)?(_)(?=\s++(?:in\b|=|where\b|select\b|from\b))"
)
_SLICE = compile_later(rb"\.\.(?=\s*+([\],]))")
_LISTED = compile_later(rb"(?:(?:\b(?:is|not|and|or|case)|[(,{:&|])\s*+\[|(,))\s*+\Z")
_NO_DECLARATION = rb")(?=\s*+[^\s\w@(\[/#])"
_WORDS = (
    *(re.compile(word + rb"(?<![\w@]" + word + _NO_DECLARATION) for word in (b"partial", b"required")),
    re.compile(rb"with(?<=[\w>?\]] with)(?=\s*+(?:=(?!=)|[;,)}\]?:]|&&|\|\||in\b))"),
)
_COMBINING = tuple(
    re.compile(word + b"(?<= " + word + rb")(?=\s*+(?:&&|\|\||=(?!=)|[);}\],?:]))") for word in (b"and", b"or")
)
"""Words that combine patterns, as the names of variables."""
_VERBATIM = compile_later(rb"(?:\$@|@\$)\"((?>(?:[^\"{}]|\"\"|\{\{|\}\}|\{[^{}\"]*+\})*))\"")
_INTERPOLATED = compile_later(rb"(?:\$++@?|@\$)\"")
_OF_TUPLE = rb"\([\w@.\s?<>\[\]]++,[\w@.\s,?<>\[\]]++\)"
_LISTED_TYPES = rb"[\w@.\s,?]*+(?>(?:(?:\[[,\s]*+\]|" + _OF_TUPLE + rb")[\w@.\s,?]*+)*)"
_WITHIN = rb"<" + _LISTED_TYPES + rb">" + _LISTED_TYPES
for _ in range(3):
    _WITHIN = rb"<" + _LISTED_TYPES + rb"(?>(?:" + _WITHIN + rb")*)>" + _LISTED_TYPES
_ARGUMENTS = rb"(?=[\s\w@(])" + _LISTED_TYPES + rb"(?>(?:" + _WITHIN + rb")*)>"
"""Type arguments, behind the `<` that opens them; within them there may be others, five deep."""
_SIMPLE_TEXT = rb"\"(?>(?:[^\"\\\n]|\\.)*)\"|'(?>(?:[^'\\\n]|\\.)+)'"
_PLAIN = rb"(?:[^()\[\]{};\"'#]|" + _SIMPLE_TEXT + rb")"
_BALANCED = rb"(?>(?:" + _PLAIN + rb"|\((?>(?:" + _PLAIN + rb")*)\)|\[(?>(?:" + _PLAIN + rb")*)\])*)"
"""Code of one statement in which brackets lie in one another once."""
_TRIVIA = rb"(?>(?:\s|/\*[^*]*+\*/)*)"
_INDEXES = rb"(?>(?:\[(?![\s,]*+\])" + _BALANCED + rb"\])*)"
_CALLED = compile_later(
    rb"<(?<=\w<)" + _ARGUMENTS + rb"(?=\s*+\(\s*+(?>(?:(?:ref|in)\s++)?)[\w@.]++"
    rb"(?>(?:<[\w@.,\s?]++>[\w@.]*+)?)" + _INDEXES
    + rb"\s*+\)\s*+(?:(?:!\s*+)?[-+&^\[(]|(?:!\s*+)?\*(?!=)|\.\.|(?:a|de)scending\b))"
)  # fmt: skip
_COMPARED = compile_later(
    rb"[<>](?<=[\w)\]]\s[<>])=?\s" + _TRIVIA + rb"(?>(?:new\s++)?)[\w@.]++(<" + _ARGUMENTS + rb")(?=\s*+\()"
)
"""What is called or created with type arguments behind a comparison's sign."""
_INVOKED = compile_later(
    rb"(?:(?:=>|[=(,:&|+*/%^~{\[-])\s*+|\s(?:\?\?|<<|>>>?|[<>?])\s++|!|[)\]?](?=\.)|\s(?=\.)"
    rb"|\b(?:new|return|await|in|when|throw|select|by|on|equals|where)\s++)"
    rb"[\w@.]++(<(?=[\w@.\s?<>]*+,|[\w@.\s?<]*+\()" + _ARGUMENTS + rb")(?=\s*+\()"
)
"""What is called or created with several type arguments, where it cannot be declared."""
_CALLED_BEHIND = compile_later(rb"<(?<=[\w@.]<)" + _ARGUMENTS + rb"(?=\s*+\()")
_VARIABLE = rb"(?=\s++@?\w++\s*+[,)\]}])"
_NAMED_BEHIND = compile_later(rb"<(?<=[\w@.]<)" + _ARGUMENTS + _VARIABLE)
"""How `_INVOKED` and how `_DESIGNATED` end: a text without that is told at once, since both begin with `<`."""
_ENDS = (b";", b"{", b"}")
_POINTED = compile_later(rb"[\w>]\*+\s\Z")
_DECLARING = compile_later(rb"\s*+(?:where\b|\{|=>)")
_DECLARED = compile_later(rb"\b(?:class|record|struct)\b[^;{}]*+\Z")
_OPERAND = compile_later(rb"(?:\)|[!~-]\s*+)[\w@.]++(<" + _ARGUMENTS + rb")(?=\s*+\()")
"""What is called with type arguments behind a cast or a sign; behind a space a bracket may be that of a tuple."""
_CREATED = compile_later(
    rb"new (?<![\w@]new )" + _TRIVIA
    + rb"[\w@.]++(<" + _ARGUMENTS + rb"(?=(?>(?:\s*+\(" + _BALANCED + rb"\))?)\s*+\{))"
)  # fmt: skip
_TESTED = compile_later(
    rb"is (?<=[ \t]is )" + _TRIVIA + rb"(?>(?:not\s++)?)" + _TRIVIA + rb"[\w@.]++"
    rb"(<[\w@.(),\s?\[\]]++>(?=\s*+&&)|<" + _ARGUMENTS + rb"(?=\s*+[({]|\s++(?!(?:and|or)\b)[\w@]))"
)  # fmt: skip
_PATTERN = compile_later(rb"(?:(\b(?:is|case|not|and|or)\s*+)|[{,][ \t]*+\r?\n\s*+|switch\s*+\{\s*+)(?=[(\[{])")
_ARM = compile_later(rb"\s*+(?:=>|when\b)")
_DESIGNATED = compile_later(rb"[(,:\[{]" + _TRIVIA + rb"[\w@.]++(<" + _ARGUMENTS + rb")" + _VARIABLE)
"""A type with type arguments and the variable of it, within a pattern."""
_NAMES = rb"[\w@.,\s?]*+"
_INNERMOST = rb"<" + _NAMES + rb">" + _NAMES
_NESTED = rb"<" + _NAMES + rb"(?>(?:" + _INNERMOST + rb")*)>" + _NAMES
_ARRAYS = compile_later(
    rb"(?:\b(?:as|is|not|case|or|and)\s++|[{,]\s*+)[\w@.]++(<" + _NAMES + rb"(?>(?:" + _NESTED + rb")*)>)\[[,\s]*+\]"
    rb"(?=\s*+(?:=>|&&|\|\||[:?;),}]|(?:or|and|when)\b))"
)
_ELEMENT = rb"\s*+[\w@.]++(?>(?:<[\w@.,\s?]*+>)?)[?\[\]]*+\s++@?\w++\s*+"
_TUPLE = compile_later(rb"<(\(" + _ELEMENT + rb"(?>(?:," + _ELEMENT + rb")+)\))(?=>)")
_COMMENT = rb"/\*[^*]*+\*/"
_BEHIND_GROUP = (
    rb"(?=(?>(?:" + _COMMENT + rb")*)(?:\[|\.\.)"
    rb"|(?>(?:\s|" + _COMMENT + rb"|//[^\n]*+\n)*)"
    rb"(?:-(?![-=>])|\+(?![+=])|[*^&](?!=)|(?:or|and|is)\b(?!\.(?!\.))|(?:\+\+|--)(?=\s*+[-+*/%&|^<>=!?:;,)\]}])))"
)
_GROUPED = compile_later(
    rb"\(" + _TRIVIA + rb"(?!" + _PREDEFINED + rb"\b)(?:(?>(?:global::)?)[\w@.]++|\([\w@.]++\)(?=\[))"
    rb"(?>(?:<[\w@.,\s?]++>\.[\w@.]++)?)"
    + _INDEXES + _TRIVIA + rb"\)" + _BEHIND_GROUP
)  # fmt: skip
_MULTIPLIED = compile_later(rb"\([\w@.]++(<[\w@.,\s?]++>)\)(?=\s*+\*(?![=*]))")
"""A group of methods with type arguments, which would be cast to."""
_OPENED_GROUP = compile_later(rb"\(" + _TRIVIA + rb"\Z")
_CLOSED_GROUP = compile_later(_TRIVIA + rb"\)")
_BEFORE_VALUE = compile_later(
    rb"(?:[-+*/%&|^!~=?:,;({\[]|=>|\s[<>]|<<|\s>>>?|(?<![\w@.])(?:and|await|by|case|equals|in|is|not|on|or|return|select|throw|when|where))\s*+"
    rb"(?>(?:\((?:global::)?[\w@.<>,?\[\]* ]++\)\s*+)*)\Z"
)
_SHIFTED = compile_later(rb"(?<=[\w)\]])\s<\s[^<>=;{}\"'#]{1,120}(>>)(?![>=])(?=\s*+[\w(@])")
_CLAUSES = (b"when", b"select", b"orderby", b"group", b"join", b"let", b"where", b"from")
_GUARDED = compile_later(rb"\](?= (?:" + b"|".join(_CLAUSES) + rb")\b)")
_BEFORE_PATTERN = compile_later(rb"(?:\b(?:case|is|not|and|or)|[{,])\s*+\Z")
_EMPTY = compile_later(rb"(?<![$@])\$(?=\"\"(?!\"))")
_LAMBDA = compile_later(rb"\) =>")
_PARAMETERS = compile_later(rb"\(([\w\s@,]*+)\Z")
_BEFORE_LAMBDA = compile_later(rb"(?:[(,?:{;]|[^<>=!]=|=>|\b(?:async|static|return))\s*+\Z")
_TYPED = compile_later(rb"\s*+((?:in|out)\s++)[\w@.<>?,\[\]\s]++\Z")
_PASSED = compile_later(rb"(?:\A|(?<=,))\s*+((?:(?:ref|in|out|readonly|scoped)\s++)+)(?=@?\w+\s*+(?:,|\Z))")
_NAME = compile_later(rb"(?<![\w@])(@?\w+)\Z")
_LONGEST_NAME, _LONGEST_LIST = 256, 1024
_NO_METHODS = frozenset(
    (
        *(b"and", b"as", b"await", b"by", b"case", b"catch", b"checked", b"do", b"else", b"equals", b"fixed", b"for"),
        *(b"if", b"in", b"is", b"let", b"lock", b"not", b"or", b"out", b"ref", b"return", b"scoped", b"select"),
        *(b"switch", b"throw", b"unchecked", b"using", b"var", b"when", b"where", b"while"),
    )
)
_ANGLE = compile_later(rb"[<>]")
_BEHIND_VALUE = compile_later(rb"[\w)\]!]")
_SQUARE = compile_later(rb"[\[\]]")
_BRACKET = compile_later(rb"[(){};#]")
_BRACKETS = compile_later(rb"[()\[\]{}]")
_NAMED = frozenset(
    (
        *("identifier", "member_access_expression", "member_binding_expression", "conditional_access_expression"),
        "qualified_name",
    )
)
_GROUPS = frozenset(("identifier", "generic_name", "member_access_expression", "element_access_expression"))
_QUOTES = (b'"', b"'")
_TYPE_ARGUMENTS = compile_later(rb"<[\w\s@,.?:*()\[\]<>]*>\Z")


class Cover(NamedTuple):
    """What the grammar is given for an extent.

    Attributes:
        start: Offset of the first byte.
        end: Offset after the last byte.
        text: Of the same length.
    """

    start: int
    end: int
    text: bytes


def cover(text: bytes) -> bytes:
    """The text as the grammar can read it, of the same length."""
    covers = find_covers(text)
    return apply_covers(text, covers) if covers else text


def find_covers(text: bytes) -> list[Cover]:
    """What to cover of a text, in order, no byte twice."""
    found: list[Cover] = []
    for marks, find in _RULES:
        for mark in marks:
            if mark in text:
                found += find(text)
                break
    kept, last = [], 0
    for each in sorted(found, key=lambda one: (one.start, -one.end)):
        if each.end > each.start >= last:
            kept.append(each)
            last = each.end
    return kept


def _name(start: int, end: int) -> Cover:
    return Cover(start, end, b"_" * (end - start))


def _blank(start: int, end: int) -> Cover:
    return Cover(start, end, b" " * (end - start))


def _cover_calls(text: bytes) -> Iterator[Cover]:
    """`F(a)`, to which something is assigned."""
    closed = [match.start() for match in _CALL.finditer(text)]
    openers = _find_openers(text) if closed else {}
    for close in closed:
        start = _find_arguments(text, openers[close], close) if close in openers else None
        if start is not None:
            yield _name(start, close + 1)


def _cover_words(words: Iterable[re.Pattern[bytes]], text: bytes) -> Iterator[Cover]:
    """Words that are modifiers or operators elsewhere, as names."""
    return (_name(*match.span()) for word in words for match in word.finditer(text))


def _cover_first(pattern: re.Pattern[bytes], text: bytes) -> Iterator[Cover]:
    """The first group of a pattern, as part of a name."""
    return (_name(*match.span(1)) for match in pattern.finditer(text))


def _cover_followed(text: bytes) -> Iterator[Cover]:
    """What a pointer in brackets points to; not the pointer that an operator converts to."""
    for match in _FOLLOWED.finditer(text):
        if _CONVERTED.search(text, max(0, match.start() - _LONGEST_NAME), match.start(1)) is None:
            yield Cover(*match.span(1), b"-")


def _cover_quotes(text: bytes) -> Iterator[Cover]:
    """Doubled quotes in verbatim interpolated texts, which the grammar takes for a raw text."""
    for match in _VERBATIM.finditer(text):
        start = match[1].find(b'""')
        while start >= 0:
            at = match.start(1) + start
            yield Cover(at, at + 2, b"__")
            start = match[1].find(b'""', start + 2)


def _cover_braces(text: bytes) -> Iterator[Cover]:
    """Braces of interpolated texts that stand beside those of a hole."""
    for match in _INTERPOLATED.finditer(text):
        holes: list[tuple[int, int]] = []
        find_string_end(text, match.start(), match.end(), holes)
        raw = text.startswith(b'""', match.end()) and b"@" not in match[0]
        count = match[0].count(b"$") if raw else 1
        for begin, end in holes:
            first, last = begin - count, end + count
            while text.startswith(b"{", first - 1):
                first -= 1
            while raw and text.startswith(b"}", last):
                last += 1
            yield _name(first, begin - count)
            yield _name(end + count, last)


def _cover_slices(text: bytes) -> Iterator[Cover]:
    """`..` at the start of a list pattern, or alone at its end."""
    for match in _SLICE.finditer(text):
        before = _LISTED.search(text, max(0, match.start() - _LONGEST_NAME), match.start())
        if before is None or (before[1] is not None and (match[1] != b"]" or _is_index(text, match.start(1)))):
            continue
        yield Cover(*match.span(), b"_ ")


def _is_index(text: bytes, close: int) -> bool:
    """Whether the square bracket that closes at an offset opens behind a value."""
    opened = _find_opened(text, close)
    return opened > 0 and _BEHIND_VALUE.match(text, opened - 1) is not None


def _find_opened(text: bytes, close: int) -> int:
    """Where the square bracket opens that closes at an offset; -1 if that is far away."""
    depth = 0
    for sign in reversed(list(_SQUARE.finditer(text, max(0, close - _LONGEST_LIST), close + 1))):
        depth += 1 if sign[0] == b"]" else -1
        if not depth:
            return sign.start()
    return -1


def _cover_lists(text: bytes) -> Iterator[Cover]:
    """A list pattern that a word follows, which would be its name."""
    for match in _GUARDED.finditer(text):
        start = _find_opened(text, match.start())
        if start >= 0 and _BEFORE_PATTERN.search(text, max(0, start - _LONGEST_NAME), start) is not None:
            yield _name(start, match.end())


def _cover_groups(text: bytes) -> Iterator[Cover]:
    """The brackets around a name that an index or an operator follows, which would be those of a cast."""
    match = _GROUPED.search(text)
    while match is not None:
        if _BEFORE_VALUE.search(text, max(0, match.start() - _LONGEST_NAME), match.start()) is not None:
            yield _blank(match.start(), match.start() + 1)
            yield _blank(match.end() - 1, match.end())
        match = _GROUPED.search(text, match.start() + 1)  # an index in it may hold others
    for match in _MULTIPLIED.finditer(text) if b">) *" in text else ():
        if _BEFORE_VALUE.search(text, max(0, match.start() - _LONGEST_NAME), match.start()) is not None:
            yield _blank(match.start(), match.start() + 1)
            yield _name(*match.span(1))
            yield _blank(match.end() - 1, match.end())


def _cover_invoked(text: bytes) -> Iterator[Cover]:
    """Several type arguments of what is called, which would be comparisons; not those of what is declared."""
    if not any(b"," in each[0] or b"(" in each[0] for each in _CALLED_BEHIND.finditer(text)):
        return
    for match in _INVOKED.finditer(text):
        start, sign = match.start(), match[0][:1]
        if sign == b":" and _DECLARED.search(text, 1 + max(text.rfind(each, 0, start) for each in _ENDS), start):
            continue  # of a base class
        if sign == b"*" and _is_pointer(text, start, match.end()):
            continue  # of a method that returns a pointer
        yield _name(*match.span(1))


def _is_pointer(text: bytes, start: int, end: int) -> bool:
    """Whether a sign is that of a pointer's type before the name of a function, whose parameters follow an offset."""
    if _POINTED.search(text, max(0, start - _LONGEST_NAME), start + 2) is not None:
        return True
    opened = text.find(b"(", end)
    return opened >= 0 and _DECLARING.match(text, _find_closed(text, opened)) is not None


def _cover_designated(text: bytes) -> Iterator[Cover]:
    """The type arguments of variables within patterns, which would be comparisons."""
    if _NAMED_BEHIND.search(text) is None or _DESIGNATED.search(text) is None:
        return
    for match in _PATTERN.finditer(text):
        close = _find_closed(text, match.end())
        if match[1] is None and _ARM.match(text, close) is None:
            continue  # of variables that are assigned to
        for each in _DESIGNATED.finditer(text, match.end(), close):
            yield _name(*each.span(1))


def _find_closed(text: bytes, start: int) -> int:
    """Where the bracket closes that opens at an offset; there itself if that is far away."""
    depth = 0
    for sign in _BRACKETS.finditer(text, start, start + _LONGEST_LIST):
        depth += 1 if sign[0] in b"([{" else -1
        if not depth:
            return sign.end()
    return start


def _cover_modifiers(text: bytes) -> Iterator[Cover]:
    """`in` and others before the names of a lambda's parameters without types; before the type of the first one."""
    for match in _LAMBDA.finditer(text):
        close = match.start()
        opened = text.rfind(b"(", max(0, close - _LONGEST_LIST), close)
        if opened < 0 or _BEFORE_LAMBDA.search(text, max(0, opened - _LONGEST_NAME), opened) is None:
            continue  # of a call, that an arm of a switch is guarded with
        if _CONVERTED.search(text, max(0, opened - _LONGEST_NAME), opened) is not None:
            continue  # of an operator
        typed = _TYPED.match(text, opened + 1, close)
        if typed is not None:
            yield _blank(*typed.span(1))
            continue
        listed = _PARAMETERS.match(text, opened, close)
        for each in _PASSED.finditer(listed[1]) if listed is not None else ():
            yield _blank(*(opened + 1 + at for at in each.span(1)))


_RULES: tuple[tuple[tuple[bytes, ...], Callable[[bytes], Iterable[Cover]]], ...] = (
    ((b"=",), _cover_calls),
    ((b"*",), lambda text: (_name(*each.span()) for each in _ASSIGNED.finditer(text))),
    ((b"*",), _cover_followed),
    ((b"*--", b"*++"), lambda text: (Cover(*each.span(1), b"~") for each in _STEPPED.finditer(text))),
    ((b"default(",), lambda text: (Cover(*each.span(1), b"sizeof ") for each in _DEFAULTED.finditer(text))),
    ((b"ref *", b"out *"), lambda text: (Cover(*each.span(1), b"-") for each in _BY_REFERENCE.finditer(text))),
    ((b"*&",), lambda text: (_blank(*each.span()) for each in _REFERENCED.finditer(text))),
    ((b" _ ",), lambda text: (Cover(*each.span(1), b"n") for each in _UNNAMED.finditer(text))),
    ((b"..",), _cover_slices),
    ((b"partial", b"required", b"with"), partial(_cover_words, _WORDS)),
    ((b'$@"', b'@$"'), _cover_quotes),
    ((b"{{{", b"}}}"), _cover_braces),
    ((b" and", b" or"), partial(_cover_words, _COMBINING)),
    ((b">(",), lambda text: (_name(*each.span()) for each in _CALLED.finditer(text))),
    ((b">(",), partial(_cover_first, _OPERAND)),
    ((b">(",), _cover_invoked),
    ((b" < ", b" <= ", b" > ", b" >= "), partial(_cover_first, _COMPARED)),
    ((b"<(",), partial(_cover_first, _TUPLE)),
    ((b">[",), partial(_cover_first, _ARRAYS)),
    ((b"new ",), partial(_cover_first, _CREATED)),
    ((b" is ", b"\tis "), partial(_cover_first, _TESTED)),
    ((b"> ",), _cover_designated),
    ((b'$""',), lambda text: (Cover(*each.span(), b"@") for each in _EMPTY.finditer(text))),
    ((b") =>",), _cover_modifiers),
    ((b"] ",), _cover_lists),
    ((b" >> ",), lambda text: (Cover(*each.span(1), b"<<") for each in _SHIFTED.finditer(text))),
    ((b")",), _cover_groups),
)
"""What a text holds where a rule may find something, and the rule."""


def apply_covers(text: bytes, covers: Iterable[Cover]) -> bytes:
    """The text with its covers."""
    made = bytearray(text)
    for start, end, instead in covers:
        made[start:end] = instead
    return bytes(made)


def mend_covered(suspects: Iterable[Node], parse: Callable[[bytes], Node | None]) -> None:
    """Replace what was made of covers, among nodes of `COVERED` kinds, by what is written."""

    def parse_covered(text: bytes) -> Node | None:
        return parse(cover(text))

    for node in suspects:
        target = node.field("left") if node.kind == _ASSIGNMENT else None
        if target is None and node.kind == _CONSTANT and node.source.startswith(b"[", node.start):
            _replace(node.parent, node, read_pattern(node.source, node.start, node.end, parse_covered), parse)
        elif target is None:
            _restore(node, parse)
        elif _is_covered(target):
            written = read_expression(target.source, target.start, target.end, parse_covered)
            _replace(node, target, written, parse)


def widen_operations(operations: Iterable[Node], parse: Callable[[bytes], Node | None]) -> None:
    """Let operations begin at the covered bracket of their first operand, whose type arguments show again."""
    for node in operations:
        first = node.field("left")
        while first is not None and first.kind == node.kind:
            first = first.field("left")
        if first is None or first.kind not in _GROUPS or _CLOSED_GROUP.match(first.source, first.end) is None:
            continue
        if first.parent is not None and first.source.endswith(b">", 0, first.end):
            typed = read_type(first.source, first.start, first.end, parse)
            if typed is not None:
                put(first.parent, first, typed)
        opened = _OPENED_GROUP.search(first.source, max(0, first.start - _LONGEST_NAME), first.start)
        if opened is not None:
            node.start = min(node.start, opened.start())


def _replace(parent: Node | None, old: Node, new: Node | None, parse: Callable[[bytes], Node | None]) -> None:
    if parent is not None and new is not None:
        put(parent, old, new)
        for each in list(new.walk()):
            _restore(each, parse)


def _restore(node: Node, parse: Callable[[bytes], Node | None]) -> None:
    """Give a node back its sign, its type arguments, or a tuple among them."""
    if node.kind in _GENERIC:
        _restore_generic(node, parse)
    elif node.kind == _ARGUMENT_LIST:
        for each in node.nodes:
            tuple_ = each.kind == "identifier" and each.source.startswith(b"(", each.start)
            typed = read_type(each.source, each.start, each.end, parse) if tuple_ else None
            if typed is not None:
                put(node, each, typed)
    elif node.kind == _OPERATION and node.source.startswith(b"*", node.start):
        node.children = ["*", *node.nodes]
    elif node.kind == _SIZE and node.source.startswith(b"default", node.start):
        node.kind = _DEFAULT


def _restore_generic(node: Node, parse: Callable[[bytes], Node | None]) -> None:
    """Give the name that a node calls, creates or tests for its type arguments back."""
    name = node.field("function") or node.field("type") or (node.nodes[-1] if node.nodes else None)
    name = node.field("name") if node.kind == _ATTRIBUTE else name
    if name is None or not name.source.endswith(b">", 0, name.end):
        return
    while name is not None and name.kind in _NAMED and name.kind != "identifier":
        name = name.field("name") or name.first("member_binding_expression")
    typed = read_type(name.source, name.start, name.end, parse) if name is not None and name.kind in _NAMED else None
    if typed is not None and name is not None and name.parent is not None:
        put(name.parent, name, typed)


def _is_covered(target: Node) -> bool:
    if target.kind not in _NAMED:
        return False
    return target.source.startswith(b"*", target.start) or target.source.endswith(b")", 0, target.end)


def _find_openers(text: bytes) -> dict[int, int]:
    """Where round brackets open, by where they close, of those between which no statement ends."""
    found: dict[int, int] = {}
    opened: list[int] = []
    for match in _BRACKET.finditer(text):
        sign = match[0]
        if sign == b"(":
            opened.append(match.start())
        elif sign != b")":
            opened.clear()
        elif opened:
            found[match.start()] = opened.pop()
    return found


def _find_arguments(text: bytes, start: int, close: int) -> int | None:
    """Where the arguments of a call begin, its type arguments too; None if something else stands between brackets."""
    inside = text[start:close]
    if any(inside.count(quote) % 2 for quote in _QUOTES) or b"//" in inside or b"/*" in inside:
        return None  # maybe a bracket in a text or a comment: only a reader of tokens could tell
    before: int | None = start
    head = text[max(0, start - _LONGEST_NAME) : start]
    if head.endswith(b">"):
        before = _find_type_arguments(text, start)
        head = text[max(0, before - _LONGEST_NAME) : before] if before is not None else b""
    name = _NAME.search(head)
    return before if name is not None and name[1] not in _NO_METHODS else None


def _find_type_arguments(text: bytes, end: int) -> int | None:
    """Where the type arguments begin that end at an offset."""
    first, depth = max(0, end - _LONGEST_NAME), 0
    for sign in reversed(list(_ANGLE.finditer(text, first, end))):
        depth += 1 if sign[0] == b">" else -1
        if not depth:
            return sign.start() if _TYPE_ARGUMENTS.match(text[sign.start() : end]) else None
    return None
