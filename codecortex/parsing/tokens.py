"""C# text in, its canonical token stream and the names it mentions out."""

from __future__ import annotations

import re

from codecortex.parsing.lexer import OPAQUE, Holes, find_string_end

# Blanks next to a sign separate nothing, unless two signs would fuse into another token.
_NEEDLESS = re.compile(rb" (?:(?=[^\w\x80-\xff@])|(?<=[^\w\x80-\xff] ))")
_FUSING = (b"+ +", b"- -", b"& &", b"| |", b"? ?", b"? .", b". .", b"= =", b"= >", b"< <", b"< =", b"! =")
_SIGNS_ALIKE = bytes(ord("+") if c in b"+-&|?.=<>!" else c for c in range(256))
_ONLY_WORDS = bytes(c if chr(c).isalnum() or c in b"_." or c >= 0x80 else 0x20 for c in range(256))
_ANGLE = re.compile(rb"<(?<=[\w\x80-\xff]<)")
_FLAT_ARGUMENTS = re.compile(rb"[\w.,?\[\]*:\s\x80-\xff]*+>")
_ARGUMENT_TEXT = re.compile(rb"[\w.,?\[\]*:\s()\x80-\xff]*+")
_DOLLAR = ord("$")
_MAX_NESTING = 20
_AFTER_ARGUMENTS = frozenset(b"(){}[];:,.?=!|&^>< \n\t\0")


def _fold(code: bytes) -> bytes:
    words = code.split()
    if not words:
        return b""
    text = b" ".join(words)
    if b"+ +" in text.translate(_SIGNS_ALIKE):
        for pair in _FUSING:
            text = text.replace(pair, pair[:1] + b"\x01" + pair[2:])
    return _NEEDLESS.sub(b"", text)


def scan_tokens(text: bytes, comments: list[bytes] | None = None, depth: int = 0) -> tuple[bytes, bytes]:
    """The token stream of C# text as one canonical byte string, and its code alone, folded.

    Comments, directives and layout are gone; strings and characters stand exactly. Texts whose tokens are the same
    fold alike; texts whose tokens differ fold differently. Blanks inside interpolation holes count. The code alone
    has no literals but the contents of interpolation holes; names can be searched in it.

    Args:
        text: Source, or a whole number of its tokens.
        comments: Gets the comments and directives, when given.
        depth: How many interpolated strings enclose the text; code nested beyond a bound is not searched.
    """
    search = OPAQUE.search
    match = search(text)
    if match is None:
        folded = _fold(text)
        return folded, folded
    out: list[bytes] = []
    codes: list[bytes] = []
    pending = b""
    last = 0
    while match is not None:
        start, at, group = match.start(), match.end(), match.lastgroup
        if group == "c" or group == "d":
            pending += text[last:start] + b" "
            if comments is not None:
                comments.append(match[0])
        else:
            folded = _fold(pending + text[last:start])
            out.append(folded)
            codes.append(folded)
            if group == "i" or text[start] == _DOLLAR:
                at = _scan_interpolated(text, match, codes, depth)
            out.append(text[start:at])
            pending = b""
        last = at
        match = search(text, at)
    folded = _fold(pending + text[last:])
    out.append(folded)
    codes.append(folded)
    return b"\0".join(out), b" ".join(codes)


def fold_tokens(text: bytes) -> bytes:
    """The canonical token stream alone; see `scan_tokens`."""
    return scan_tokens(text)[0]


def _scan_interpolated(text: bytes, match: re.Match[bytes], codes: list[bytes], depth: int) -> int:
    """The end of an interpolated string; the code of its holes is added to `codes`."""
    start, end = match.span()
    if match.lastgroup != "i" and text.find(b"{", start, end) < 0:
        return end
    holes: Holes = []
    end = find_string_end(text, start, text.index(b'"', start) + 1, holes)
    if depth < _MAX_NESTING:
        codes.extend(scan_tokens(text[a:b], None, depth + 1)[1] for a, b in holes)
    return end


def find_arguments_end(code: bytes, at: int) -> tuple[int, int] | None:
    """Where a type argument list that may start at `at` (just past its `<`) ends, and how many arguments it has.

    None when it is a comparison. The rule is the language's own: what reads as types up to the closing angle, and
    then a sign that cannot follow a comparison's right side.
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
    if end < len(code) and code[end] not in _AFTER_ARGUMENTS:
        return None
    return end, arity


def _ranks(text: bytes) -> list[bytes]:
    return re.findall(rb"\[[, ]*\]", text) if b"[" in text else []


def _find_nested_end(code: bytes, at: int) -> tuple[int, int] | None:
    angles, brackets, commas, size = 1, 0, 0, len(code)
    limit = min(size, at + 2000)
    while at < limit:
        match = _ARGUMENT_TEXT.match(code, at)
        end = match.end() if match else at
        for sign in code[at:end]:
            if sign in b"([":
                brackets += 1
            elif sign in b")]":
                brackets -= 1
                if brackets < 0:
                    return None
            elif sign == 44 and angles == 1 and brackets == 0:
                commas += 1
        if end >= size:
            return None
        if code[end] == 60:
            angles += 1
        elif code[end] == 62:
            angles -= 1
            if angles == 0:
                return (end + 1, commas + 1) if brackets == 0 else None
        else:
            return None
        at = end + 1
    return None


def find_names(code: bytes) -> set[bytes]:
    """The dotted names in code without literals: ``A.B``, ``List`1``, ``global.N.T``.

    Names that follow a dot after something other than a name (a call, an index) are members, not types, and left out.
    """
    if b"::" in code:
        code = code.replace(b"::", b".")
    words = code.translate(_ONLY_WORDS)
    generics: list[bytes] = []
    if b"<" in code:
        words = _take_generics(code, words, generics)
    if b".." in words:
        words = words.replace(b"..", b" ")
    names = set(words.split())
    names.update(generics)
    return {name for name in names if name[0] != 46 and not 48 <= name[0] <= 57}


def _take_generics(code: bytes, words: bytes, generics: list[bytes]) -> bytes:
    """Move the names that have type arguments from the words to `generics`."""
    out: list[bytes] = []
    last = 0
    for match in _ANGLE.finditer(code):
        at = match.end()
        found = find_arguments_end(code, at)
        if found is not None:
            start = words.rfind(b" ", last, at - 1) + 1 or last
            generics.append(words[start : at - 1] + b"`%d" % found[1])
            out.append(words[last:start])
            last = at - 1
    out.append(words[last:])
    return b" ".join(out)
