"""The code of a member, without comments and literals, in; the names of the functions declared inside out."""

from __future__ import annotations

from codecortex.model.startup.patterns import compile_later
from codecortex.model.text.terms import KEYWORDS

_MOST_PARAMETERS = 2000
_BUILT_IN = """
bool byte char decimal double float int long object sbyte short string uint ulong ushort void
"""
_NO_TYPES = (KEYWORDS - frozenset(_BUILT_IN.split())) | {"and", "not", "or", "when"}
_HEAD = compile_later(
    r"[{};]\s*(?:\[[^\[\]{};]{0,200}\]\s*)?(?:(?:static|async|unsafe|extern)\s+)*(?:ref\s+(?:readonly\s+)?)?"
    r"(?:(?P<type>[^\W\d][\w.:]{0,200})(?:\s*<[^{};()=]{0,400}>)?|\([^{};()=]{1,400}\))(?:\[[,\s]{0,20}\]|[?*])*\s+"
    r"(?P<name>[^\W\d]\w{0,200})\s*(?:<[^{};()=]{0,200}>)?\s*\("
)
_BODY = compile_later(r"\s*(?:where\b[^{};=]{0,400})?(?:\{|=>)")
_ROUND = compile_later(r"[()]")


def find_local_functions(code: str) -> tuple[str, ...]:
    """The names, in the order of the declarations, each once."""
    found: dict[str, None] = {}
    at, head = 0, _HEAD.search(code)
    while head is not None:
        at = head.end()
        named = head["name"] not in KEYWORDS and (head["type"] is None or head["type"] not in _NO_TYPES)
        if named and (end := _find_close(code, at)) and _BODY.match(code, end):
            found[head["name"]] = None
        head = _HEAD.search(code, at - 1)
    return tuple(found)


def _find_close(code: str, at: int) -> int:
    """Where a list of parameters ends that begins before an offset; 0 where it does not."""
    depth = 1
    for sign in _ROUND.finditer(code, at, at + _MOST_PARAMETERS):
        depth += 1 if sign[0] == "(" else -1
        if not depth:
            return sign.end()
    return 0
