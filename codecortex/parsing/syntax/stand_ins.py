"""Replaces what the grammar cannot parse in bodies by stand-ins of the same length that tell what stood there.

A mark is white space to the grammar, and stands in no source: of `[1, .. var a]` the dots become two of it, of
`a?.B = c` the question mark becomes one.
"""

from __future__ import annotations

from codecortex.model.code.syntax import CONDITIONAL, SLICE
from codecortex.model.startup.patterns import compile_later

_NO_TYPE = rb"(?!(?:await|new|from|ref|throw|stackalloc|checked|unchecked|default|typeof)\b)"
_NO_NAME = rb"(?!(?:is|as|switch|with|and|or)\b)"
_TYPE = rb"[\w.:]++(?:<[^<>(){};]*(?:<[^<>(){};]*>[^<>(){};]*)*>)?\??(?:\[,*\])*"
_SLICE = compile_later(
    rb"([\[,]\s*+)\.\.(?=\s*+(?:var\s+[@\w(]|[{\[]|not\s|"
    + _NO_TYPE
    + _TYPE
    + rb"\s+"
    + _NO_NAME
    + rb"@?[A-Za-z_]\w*+\s*+[\],]))"
)
_GAP = rb"(?>(?:\s|/\*[^*]*+\*/)*)"
_GROUP = rb"(?>(?:[^()\[\]{};]|\((?>(?:[^()\[\]{};]|\([^()\[\]{};]*+\)|\[[^()\[\]{};]*+\])*)\)|\[[^()\[\]{};]*+\])*)"
_STEP = (
    rb"(?:"
    + _GAP
    + rb"[?!]?+"
    + _GAP
    + rb"\."
    + _GAP
    + rb"@?\w++(?:<[\w\s,.?<>]{0,200}+>)?|[?!]?+\["
    + _GROUP
    + rb"\]|\("
    + _GROUP
    + rb"\))"
)
_CHAIN = compile_later(
    rb"\?(?=" + _GAP + rb"[.\[])(?>(?:" + _STEP + rb")+)(" + _GAP + rb"(?:[-+*/%&|^]|<<|>>>?|\?\?)?=(?![=>]))?"
)  # taken whole whether an assignment follows or not, so that no part of it is read again
_CONDITIONAL = compile_later(rb"\?(?=\s*[.\[])")
_OPENERS, _CLOSERS = b"([", b")]"


def stand_in(text: bytes) -> bytes:
    """The text with these constructs replaced; its length is unchanged."""
    if b".." in text:
        text = _SLICE.sub(lambda match: match[1] + SLICE, text)
    if b"?." in text or b"?[" in text:
        text = _CHAIN.sub(lambda match: _mark_chain(match[0]) if match[1] else match[0], text)
    return text


def _mark_chain(chain: bytes) -> bytes:
    """A chain of accesses with marks for its question marks, those in brackets left alone."""
    made, depth = bytearray(chain), 0
    for at, byte in enumerate(chain):
        if byte in _OPENERS:
            depth += 1
        elif byte in _CLOSERS:
            depth -= 1
        elif not depth and _CONDITIONAL.match(chain, at):
            made[at : at + 1] = CONDITIONAL
    return bytes(made)
