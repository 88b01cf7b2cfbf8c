"""Parses a query text: kinds, segments with arities, parameter types.

    query      = TypeId | MemberId | [ DocPrefix | "global::" ] path [ "(" types ")" [ "~" type ] ] | path "."
    DocPrefix  = "T:" | "M:" | "P:" | "F:" | "E:" | "N:"
    path       = segment ( ( "." | "+" ) segment )*
    segment    = [ "@" ] name [ "<" types ">" | "`" arity | "``" arity ]          names may contain `*` and `?`

Every text is read in one pass; a malformed one gives a query without segments and with a `problem`.
"""

from __future__ import annotations

import re

from codecortex.model.hashing import ID_PATTERN
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.symbols.parameters import BadTypeError, Shape, parse_parameters

LONGEST_QUERY = 2_000
"""The most characters of a query; names of symbols are far shorter."""

_ID = compile_later(rf"(T_{ID_PATTERN})(_[0-9A-HJKMNP-TV-Z]{{6,10}})?")
_DOC_ID = compile_later(r"([TMPFEN]):(?!:)\s*", re.IGNORECASE)
_OPERATOR = compile_later(r"(?:^|(?<=[.+]))(?:(implicit|explicit)\s+)?operator\b\s*(checked\b)?\s*([^\s(]+)?")
_ARITY = compile_later(r"``?([0-9]{1,3})")
_GLOBAL = "global::"
_NEXT = compile_later(r"[.+<>(`]|::")

METHOD_KINDS = frozenset({"method", "constructor", "destructor", "operator", "conversion", "invoke"})
TYPE_KINDS = frozenset({"class", "struct", "interface", "enum", "delegate", "record", "record struct"})
MEMBER_KINDS = METHOD_KINDS | {"property", "indexer", "event", "field", "constant", "enumMember"}
KINDS = TYPE_KINDS | MEMBER_KINDS | {"type", "member", "namespace"}
"""Every kind that a query can ask for."""

_PREFIX_KINDS = {
    "T": frozenset({"type"}),
    "M": METHOD_KINDS,
    "P": frozenset({"property", "indexer"}),
    "F": frozenset({"field", "constant", "enumMember"}),
    "E": frozenset({"event"}),
    "N": frozenset({"namespace"}),
}


class Segment(NamedTuple):
    """One name in a path.

    Attributes:
        name: As written, without `@` and type arguments.
        folded: The name in lower case, or None if that is the same.
        arity: The number of type parameters as written; 0 if there is none.
        generic: Whether it has angle brackets: `List<int>`, or `List<` and `List<>`, which state no number.
        sign: Whether it is the sign of an operator.
    """

    name: str
    folded: str | None = None
    arity: int = 0
    generic: bool = False
    sign: bool = False

    @property
    def lower(self) -> str:
        """The name in lower case."""
        return self.name if self.folded is None else self.folded

    @property
    def is_open(self) -> bool:
        """Whether any number of type parameters matches except zero."""
        return self.generic and not self.arity


class Query(NamedTuple):
    """A parsed query.

    Attributes:
        text: The query as it was given.
        kinds: Kinds allowed: of `HitKind`, of types, of members; empty for all.
        anchored: Whether the path begins at the global namespace.
        segments: The names of the path, outermost first; empty for an id or a malformed query.
        parameters: The parameter types as written, or None.
        returns: The return type in the documentation id of a conversion, or None.
        type_id: The TypeId, or the one in a MemberId; empty for a path.
        member_mark: The part of a MemberId after the TypeId, with its `_`; or empty.
        documentation: Whether it is a documentation id.
        children: Whether it ends with a dot and so means the direct content of the path.
        problem: Why it is malformed; empty if it is not.
    """

    text: str
    kinds: frozenset[str] = frozenset()
    anchored: bool = False
    segments: tuple[Segment, ...] = ()
    parameters: tuple[Shape, ...] | None = None
    returns: Shape | None = None
    type_id: str = ""
    member_mark: str = ""
    documentation: bool = False
    children: bool = False
    problem: str = ""

    @property
    def last_name(self) -> str:
        """Its last simple name; empty if it is a pattern, an id, or malformed."""
        return self.segments[-1].name if self.segments and not self.is_pattern else ""

    @property
    def is_pattern(self) -> bool:
        """Whether a segment contains `*` or `?`, but for the signs of operators."""
        return any(("*" in each.name or "?" in each.name) and not each.sign for each in self.segments)

    def allows(self, *kinds: str) -> bool:
        """Whether one of these kinds is asked for."""
        return not self.kinds or not self.kinds.isdisjoint(kinds)


def parse_query(text: str, kinds: frozenset[str] = frozenset()) -> Query:
    """Parse a query; the kind of a documentation id is allowed in addition to `kinds`."""
    given, text = text, text.strip()
    if len(text) > LONGEST_QUERY:
        return Query(given, problem=f"it is {len(text):,} characters long; {LONGEST_QUERY:,} are allowed")
    found = _ID.fullmatch(text)
    if found:
        return Query(given, kinds, type_id=found[1], member_mark=found[2] or "")
    prefix = _DOC_ID.match(text)
    path = text[prefix.end() :] if prefix else text
    own = _PREFIX_KINDS[prefix[1].upper()] if prefix else frozenset()
    rooted = path.startswith(_GLOBAL)
    query = Query(given, kinds | own, anchored=prefix is not None or rooted, documentation=prefix is not None)
    try:
        return _read_path(query, path.removeprefix(_GLOBAL))
    except BadTypeError as problem:
        return Query(given, problem=str(problem))


def _read_path(query: Query, path: str) -> Query:
    operator = _OPERATOR.search(path)
    if operator and (operator[1] or operator[3]):
        return _read_operator(query, path, operator)
    segments, at = _read_segments(path)
    children = at == len(path) and path.endswith((".", "+")) and bool(segments)
    query = query._replace(segments=tuple(segments), children=children and not query.documentation)
    return _read_signature(query, path[at:])


def _read_operator(query: Query, path: str, operator: re.Match[str]) -> Query:
    segments, at = _read_segments(path[: operator.start()])
    if at < operator.start():
        raise BadTypeError("a parameter list ends a path")
    rest = path[operator.end() :]
    if operator[1]:
        name, returns = f"{operator[2] or ''} {operator[1]}".strip(), operator[3] or ""
        query = query._replace(returns=parse_parameters(returns)[0] if returns else None)
    else:
        name = f"{operator[2] or ''} {operator[3]}".strip()
    query = query._replace(segments=(*segments, Segment(name, sign=True)), kinds=query.kinds or METHOD_KINDS)
    return _read_signature(query, rest.strip())


def _read_signature(query: Query, text: str) -> Query:
    if not text:
        return query
    text, tilde, returns = text.partition("~")
    if not text.rstrip().endswith(")"):
        raise BadTypeError("`(` is never closed, or something follows `)`")
    parameters = parse_parameters(text.strip()[1:-1])
    shapes = parse_parameters(returns) if tilde else ()
    return query._replace(parameters=parameters, returns=shapes[0] if shapes else query.returns)


def _read_segments(path: str) -> tuple[list[Segment], int]:
    """The segments of a path, and its end: the start of a parameter list, or the end of the text."""
    segments: list[Segment] = []
    start = at = 0
    while True:
        found = _NEXT.search(path, at)
        end = found.start() if found else len(path)
        sign = found[0] if found else ""
        name, arity, generic = path[start:end], 0, False
        if sign == "`":
            arity, end = _read_arity(path, end)
        elif sign == "<":
            arity, generic, end = _read_generic(path, end)
        elif sign == ">":
            raise BadTypeError(f"`>` at character {end + 1} closes nothing")
        name = name.strip().removeprefix("@")
        if name.startswith("this[") and name.endswith("]"):
            return [*segments, Segment("this")], _reject_indexer(path, start)
        if name:
            lower = name.lower()
            segments.append(Segment(name, lower if lower != name else None, arity, generic))
        elif sign in ("<", "`"):
            raise BadTypeError(f"a name is missing before character {start + 1}")
        if end >= len(path) or path[end] == "(":
            return segments, end
        step = 2 if path.startswith("::", end) else 1
        if step == 1 and path[end] not in ".+":
            raise BadTypeError(f"`.` is expected at character {end + 1}")
        start = at = end + step


def _reject_indexer(path: str, start: int) -> int:
    raise BadTypeError(f"write the indexer {path[start:]!r} as `this(...)`")


def _read_arity(path: str, at: int) -> tuple[int, int]:
    found = _ARITY.match(path, at)
    if found is None:
        raise BadTypeError(f"a number is expected after the backtick at character {at + 1}")
    return int(found[1]), found.end()


def _read_generic(path: str, start: int) -> tuple[int, bool, int]:
    """The number of type arguments in the list that begins at `<` (0 if empty or open), True, and its end."""
    if not path[start + 1 :].strip():
        return 0, True, len(path)
    depth, commas, inner = 0, 0, 0
    for at in range(start, len(path)):
        character = path[at]
        if character == "<":
            depth += 1
        elif character in "([":
            inner += 1
        elif character in ")]":
            inner -= 1
        elif character == "," and depth == 1 and not inner:
            commas += 1
        elif character == ">":
            depth -= 1
            if not depth:
                empty = not path[start + 1 : at].strip()
                return 0 if empty else commas + 1, True, at + 1
    raise BadTypeError(f"`<` at character {start + 1} is never closed")
