"""Replaces syntax that the grammar cannot parse by stand-ins of the same length, so that offsets stay valid.

Names and signatures are read from the unrepaired text at the same offsets. Each entry has a test case in the
grammar-gap tests, which show when a new grammar makes it needless.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    import re

_ALLOWS = compile_later(rb"allows(?<=\ballows)(\s+)ref(\s+)struct\b")
_REF_PARTIAL = compile_later(rb"ref(?<=\bref)(?=\s+partial\s+struct\b)")
_SCOPED_PARAMS = compile_later(rb"scoped(?<=\bscoped)(\s+)params\b")
_DESTRUCTOR = compile_later(rb"\b(?:unsafe|static|partial|extern)(?=\s+~)")
_COMPOUND = compile_later(rb"(\boperator\s*(?:checked\s*)?)(>>>|<<|>>|[-+*/%^|&])=(?=\s*\()")
_UNION = compile_later(
    rb"union(?<=\bunion)(\s+@?[\w\x80-\xff]+\s*(?:<[^<>()]*>\s*)?)(\([^()]*+(?>(?:\([^()]*\)[^()]*+)*)\))"
    rb"(?=\s*(?:[;{:]|where\b))"
)
_TEXT = compile_later(rb"//|[\"]|\A\s*+/?\*")
"""What begins a comment or a text in the line before a word."""
_OPERATORS = rb"(?:is|as|switch|with|and|or|in|when|into)\b"
_ASYNC_NAME = compile_later(rb"async(?<=\basync)\b(?=\s*(?:[^\sA-Za-z_@(\x80-\xff/]|" + _OPERATORS + rb"|\Z))")
_CONTEXTUAL = compile_later(rb"\[(\s*)(method|field|type|property|param|typevar|assembly|module)(?=\s*[\],.])")


def restore_names(repaired: bytes, text: bytes) -> bytes:
    """The repaired text with the names as they are written in the text, for reading them from a tree."""
    if repaired == text:
        return repaired
    found = [match.start() for match in _ASYNC_NAME.finditer(text)]
    found += [match.start(2) for match in _CONTEXTUAL.finditer(text)]
    restored = bytearray(repaired)
    for each in found:
        if restored[each] == ord("_"):
            restored[each] = text[each]
    return bytes(restored)


def repair(text: bytes) -> bytes:
    """The text with these constructs replaced; its length is unchanged."""
    if b"async" in text:
        text = _ASYNC_NAME.sub(b"_sync", text)
    if b"[" in text:
        text = _CONTEXTUAL.sub(lambda m: b"[" + m[1] + b"_" + m[2][1:], text)
    if b"allows" in text:
        text = _ALLOWS.sub(lambda m: b"allows" + b"_" * len(m[1]) + b"ref" + b"_" * len(m[2]) + b"struct", text)
    if b"partial" in text:
        text = _REF_PARTIAL.sub(b"new", text)
    if b"params" in text:
        text = _SCOPED_PARAMS.sub(lambda m: b"params" + m[1] + b"scoped", text)
    if b"union" in text:
        text = _UNION.sub(_replace_union, text)
    if b"~" in text:
        text = _DESTRUCTOR.sub(lambda m: b" " * len(m[0]), text)
    if b"operator" in text:
        text = _COMPOUND.sub(lambda m: m[1] + m[2] + b" ", text)
    return text


def _replace_union(match: re.Match[bytes]) -> bytes:
    """A class in place of a union; the word may as well end a comment."""
    before = match.string[match.string.rfind(b"\n", 0, match.start()) + 1 : match.start()]
    if _TEXT.search(before) is not None:
        return match[0]
    return b"class" + match[1] + b" " * len(match[2])
