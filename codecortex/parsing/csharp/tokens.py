"""Normalises C# text to tokens, and finds the names in it."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING

from codecortex.model.startup.patterns import compile_later
from codecortex.parsing.csharp.lexer import (
    COMMENT_MARK,
    DIRECTIVE_MARK,
    FILLER,
    LITERAL_MARK,
    OPAQUE,
    Holes,
    Masked,
    find_string_end,
    mask_opaque,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

# A space next to a sign separates nothing, unless two signs would fuse into another token.
_NEEDLESS = compile_later(rb" (?:(?=[^\w\x80-\xff@])|(?<=[^\w\x80-\xff] ))")
_FUSING = compile_later(
    rb" (?:(?<=\+ )(?=\+)|(?<=- )(?=-)|(?<=& )(?=&)|(?<=\| )(?=\|)|(?<=\? )(?=[?.])|(?<=\. )(?=\.)"
    rb"|(?<== )(?=[=>])|(?<=< )(?=[<=])|(?<=! )(?==))"
)
_SIGNS_ALIKE = bytes(ord("+") if c in b"+-&|?." else ord("=") if c in b"=<>!" else c for c in range(256))
_WORDS_AND_DOTS = bytes(c if c in b"_." or chr(c).isalnum() or not chr(c).isascii() else ord(" ") for c in range(256))
_WORDS = _WORDS_AND_DOTS.replace(b".", b" ")
# A type argument list; matched to its end if no argument has type arguments or brackets.
_ANGLE = compile_later(
    rb"<(?<=[\w\x80-\xff]<)(?:([\w.,?*:\s\x80-\xff]*+)>(?=\s*+(?:[\w@\x80-\xff(){}\[\];:,.?=!|&^><\0]|\Z)))?"
)
_FLAT_ARGUMENTS = compile_later(rb"[\w.,?\[\]*:\s\x80-\xff]*+>")
_ARGUMENT_SIGN = compile_later(rb"[\w.?*:\s\x80-\xff]*+([,<>()\[\]])")
_AFTER_ARGUMENTS = compile_later(rb"\s*+(?:[\w@\x80-\xff(){}\[\];:,.?=!|&^><\0]|\Z)")
_LOOSE = ((b"::", b"."), (b" .", b"."), (b". ", b"."), (b" <", b"<"))
_LITERAL = b"\0"
_OPENED = bytes(
    ord(" ") if byte in (COMMENT_MARK, DIRECTIVE_MARK) else 0 if byte == LITERAL_MARK else byte for byte in range(256)
)
_FILLERS = bytes([FILLER])
NOTHING_AROUND = b"", b""
_FUSED = b"\1"
_DOLLAR = ord("$")
_LAYOUT = compile_later(rb"\s|//|/\*")
_HOLE_SIGN = compile_later(rb"[()\[\]{}:/\"'@$#]")
_MAX_NESTING = 20


def _join(code: bytes) -> bytes:
    """Code with single spaces, and a mark in place of each space that keeps two signs apart."""
    text = b" ".join(code.split())
    alike = text.translate(_SIGNS_ALIKE)
    if b"+ +" in alike or b"= =" in alike:
        text = _FUSING.sub(_FUSED, text)
    return text


def fold_tokens(text: bytes) -> bytes:
    """The tokens of C# text with only the spaces they need; without comments, directives and layout."""
    code, literals, _ = (text, [], []) if OPAQUE.search(text) is None else _part(text, 0)
    return _fold(code, literals)


def _fold(code: bytes, literals: Sequence[bytes]) -> bytes:
    """Code with only the spaces it needs, and the literals where their marks are."""
    pieces = _NEEDLESS.sub(b"", _join(code)).replace(_FUSED, b" ").split(_LITERAL)
    return b"".join(piece for pair in zip(pieces, [*literals, b""], strict=True) for piece in pair)


def scan_tokens(text: bytes) -> tuple[bytes, bytes]:
    """The tokens of C# text in a form to digest, and its code with single spaces.

    Texts have the same form exactly if their tokens are equal: the form is the code without spaces, then its words,
    which show where words ended, then the literals. The returned code has no literals except the contents of
    interpolation holes; it is meant for searching names.

    Args:
        text: Source that begins and ends at token boundaries.
    """
    return scan_masked(mask_opaque(text), 0, len(text), [])


def scan_masked(
    masked: Masked, start: int, end: int, comments: list[bytes], around: tuple[bytes, bytes] = NOTHING_AROUND
) -> tuple[bytes, bytes]:
    """The same of a part of a text that is masked.

    Args:
        masked: The text.
        start: Where the part begins.
        end: Where it ends.
        comments: Receives its comments and directives.
        around: Code before and after it.
    """
    before, after = around
    code = masked.text[start:end]
    first = bisect_left(masked.starts, start)
    last = bisect_left(masked.starts, end, first)
    literals: list[bytes] = []
    holes: list[bytes] = []
    if first != last:
        code = code.translate(_OPENED, _FILLERS)
        literals = _list_literals(masked, (first, last), comments, holes)
    if before or after:
        code = before + code + after
    code = _join(code)
    form = b"\n".join([code.translate(None, b" "), b" ".join(code.translate(_WORDS).split()), *literals])
    return form, b" ; ".join([code, *map(_join, holes)]) if holes else code


def _list_literals(
    masked: Masked, items: tuple[int, int], comments: list[bytes], holes: list[bytes], depth: int = 0
) -> list[bytes]:
    """The literals among the items of a range, by number; comments and the code of interpolation holes are added.

    Interpolations nested beyond a limit are not searched.
    """
    source, text, starts, ends = masked
    literals = []
    for number in range(*items):
        start, end = starts[number], ends[number]
        literal = source[start:end]
        if text[start] != LITERAL_MARK:
            comments.append(literal)
        elif literal[0] == _DOLLAR or literal.startswith(b"@$"):
            literals.append(_part_interpolated(literal, holes, depth))
        else:
            literals.append(literal)
    return literals


def _part(text: bytes, depth: int) -> tuple[bytes, list[bytes], list[bytes]]:
    """The code with marks for literals and spaces for comments; the literals; the code of interpolation holes."""
    masked = mask_opaque(text)
    holes: list[bytes] = []
    literals = _list_literals(masked, (0, len(masked.starts)), [], holes, depth)
    return masked.text.translate(_OPENED, _FILLERS), literals, holes


def _part_interpolated(text: bytes, codes: list[bytes], depth: int) -> bytes:
    """An interpolated string with only the spaces in its holes that they need; their code is added to `codes`."""
    if depth >= _MAX_NESTING or b"{" not in text:
        return text
    pieces, at = [], 0
    holes: Holes = []
    find_string_end(text, 0, text.index(b'"') + 1, holes)
    for first, last in holes:
        pieces += [text[at:first], _part_hole(text[first:last], codes, depth)]
        at = last
    return b"".join([*pieces, text[at:]])


def _part_hole(hole: bytes, codes: list[bytes], depth: int) -> bytes:
    """Add the code of a hole and of those in it to `codes`.

    Returns:
        The hole with only the spaces that its code needs, and its format, in which all spaces count.
    """
    spaced = _LAYOUT.search(hole) is not None
    end = _find_format(hole) if spaced else len(hole)
    code, literals, inner = _part(hole[:end], depth + 1)  # once: what is nested in it is parted with it
    codes += [code + hole[end:], *inner]
    return _fold(code, literals) + hole[end:] if spaced else hole


def _find_format(hole: bytes) -> int:
    """The offset of the colon before a hole's format; the end if it has none."""
    depth = at = 0
    while (match := _HOLE_SIGN.search(hole, at)) is not None:
        sign, at = match[0], match.end()
        if sign in b"([{":
            depth += 1
        elif sign in b")]}":
            depth -= 1
        elif sign == b":":
            if depth == 0:
                return match.start()
        else:
            opaque = OPAQUE.match(hole, match.start())
            if opaque is not None:
                at = find_string_end(hole, match.start(), opaque.end()) if opaque.lastgroup == "i" else opaque.end()
    return len(hole)


def find_arguments_end(code: bytes, at: int) -> tuple[int, int] | None:
    """The end of the type argument list whose `<` is just before `at`, and the number of its arguments.

    None if the `<` is a comparison. The rule is the language's own: the text reads as types up to the closing angle
    bracket, and the sign after it cannot follow the right side of a comparison.
    """
    flat = _FLAT_ARGUMENTS.match(code, at)
    if flat is not None:
        end = flat.end()
        arity = code.count(b",", at, end) - sum(part.count(b",") for part in _ranks(code[at:end])) + 1
    else:
        nested = _find_nested_end(code, at)
        if nested is None:
            return None
        end, arity = nested
    return (end, arity) if _AFTER_ARGUMENTS.match(code, end) else None


def _ranks(text: bytes) -> list[bytes]:
    return re.findall(rb"\[[, ]*\]", text) if b"[" in text else []


def _find_nested_end(code: bytes, at: int) -> tuple[int, int] | None:
    angles, brackets, commas = 1, 0, 0
    while (match := _ARGUMENT_SIGN.match(code, at)) is not None:
        at, sign = match.end(), match[1]
        if sign == b"<":
            angles += 1
            if angles > _MAX_NESTING:
                return None
        elif sign == b">":
            angles -= 1
            if angles == 0:
                return (at, commas + 1) if brackets == 0 else None
        elif sign == b",":
            commas += angles == 1 and brackets == 0
        elif sign in b"([":
            brackets += 1
        else:
            brackets -= 1
            if brackets < 0:
                return None
    return None


def find_names(code: bytes, without: frozenset[bytes] = frozenset()) -> list[bytes]:
    """The distinct dotted names in the code from `scan_tokens`, sorted: ``A.B``, ``List`1``, ``global.N.T``.

    Names after a dot that follows something other than a name (a call, an index) are members, not types, and left out,
    and so are some words, if any are given.
    """
    for loose, tight in _LOOSE:
        if loose in code:
            code = code.replace(loose, tight)
    words = code.translate(_WORDS_AND_DOTS)
    generics: list[bytes] = []
    if b"<" in code:
        words = _take_generics(code, words, generics)
    if b".." in words:
        words = words.replace(b"..", b" ")
    names = sorted({*words.split(), *generics} - without)
    return names[bisect_left(names, b":") :]  # dots and digits sort before a colon, letters after it


def _take_generics(code: bytes, words: bytes, generics: list[bytes]) -> bytes:
    """Move the names with type arguments from the words to `generics`."""
    out: list[bytes] = []
    last = 0
    for match in _ANGLE.finditer(code):
        at, flat = match.start() + 1, match[1]
        found = (at, flat.count(b",") + 1) if flat is not None else find_arguments_end(code, at)
        if found is not None:
            start = words.rfind(b" ", last, at - 1) + 1 or last
            generics.append(words[start : at - 1] + b"`%d" % found[1])
            out.append(words[last:start])
            last = at - 1
    out.append(words[last:])
    return b" ".join(out)
