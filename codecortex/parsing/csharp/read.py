"""Reads the bytes of a C# file under a symbol set into `FileFacts`. Every input gives facts; nothing raises.

If the file does not parse cleanly, it is read with every symbol it tests defined; if that fails too, whatever can be
read is returned, marked degraded with the reason.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.model.code.facts import BINARY, FileFacts, Scope, TypeFacts
from codecortex.model.code.projects import MARKS, NO_GENERATED, NO_LISTINGS
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.parsing.csharp.brackets import blank_literals, find_open_string, pair_brackets
from codecortex.parsing.csharp.conditional import Conditioned, apply_conditions, list_symbols
from codecortex.parsing.csharp.cursor import short_digest
from codecortex.parsing.csharp.declarations import DeclarationReader
from codecortex.parsing.csharp.grammar import GLOBAL_STATEMENT, LONG, parse
from codecortex.parsing.csharp.lexer import TRIVIA
from codecortex.parsing.csharp.outer import blank_expressions, blank_loose, blank_others, keep_types
from codecortex.parsing.csharp.plain.find import find_declarations
from codecortex.parsing.csharp.plain.reader import PlainReader
from codecortex.parsing.csharp.repairs import repair
from codecortex.parsing.csharp.skeleton import EMPTY, Extent, Skeleton, cut_skeleton
from codecortex.parsing.csharp.tokens import scan_tokens
from codecortex.parsing.decode import decode_source, is_binary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Node

    from codecortex.parsing.csharp.plain.find import Found

_HEAD = compile_later(TRIVIA)
_MARKERS = compile_later(rb"^(?:<<<<<<<|=======|>>>>>>>|\|{7})(?: [^\n]*)?$", re.MULTILINE)
_TOO_DAMAGED = "line 1: too damaged to be read in full in reasonable time"
_FRIENDS = b"InternalsVisibleTo"
_FRIEND = compile_later(rb'InternalsVisibleTo(?:Attribute)?\s*\(\s*"([^",]+)')
_NULL = frozenset({b"throw null;", b"throw null"})
_ABSENT = _NULL | {b""}
_NOTHING = (Scope("", -1, ()),)


class _Attempt(NamedTuple):
    """A parsed skeleton, why it may be incomplete, and whether it was beyond a file's share of work."""

    skeleton: Skeleton
    inactive: tuple[Extent, ...]
    root: Node | None
    problem: str = ""
    beyond: bool = False
    found: Sequence[Found] | None = None


def read_csharp(raw: bytes, symbols: frozenset[str], *, patterns: bool = True) -> FileFacts:
    """The facts of one file under one symbol set.

    Args:
        raw: The bytes of the file.
        symbols: The symbols that are defined, and marks.
        patterns: Whether common declarations are read by patterns, with the same result: to compile these takes as long
            as to parse some forty files.
    """
    source = decode_source(raw)
    if is_binary(source):
        return FileFacts(_NOTHING, (), degraded=BINARY)
    facts, friends = _read_source(source, symbols, patterns=patterns), list_friends(source)
    return facts._replace(friends=friends) if friends else facts


def list_friends(source: bytes) -> tuple[str, ...]:
    """The assemblies that a source lets see the internals of its project."""
    if _FRIENDS not in source:
        return ()
    return tuple(found[1].decode("utf-8", "replace") for found in _FRIEND.finditer(source))


def _read_source(source: bytes, symbols: frozenset[str], *, patterns: bool) -> FileFacts:
    generated = is_generated(source)
    if generated and NO_GENERATED in symbols:
        return FileFacts(_NOTHING, (), conditional=True, generated=True, left_out="generated head")
    source, marked = _blank_markers(source)
    conditioned = apply_conditions(source, symbols)
    attempt = _attempt(conditioned, patterns=patterns)
    if attempt.problem and conditioned.conditional and not attempt.beyond:
        everything = apply_conditions(source, symbols | list_symbols(source))
        skeleton = cut_skeleton(everything.text)
        other = attempt if skeleton is None else _parse_skeleton(skeleton, everything.inactive)
        if not other.problem:
            reason = "reads clean only with every symbol of the file defined: " + attempt.problem
            return _read(other, source)._replace(conditional=True, generated=generated, degraded=reason)
    listing = is_listing(attempt.skeleton)
    if listing and NO_LISTINGS in symbols:
        return FileFacts(_NOTHING, (), conditional=True, generated=generated, left_out="listing")
    facts = _read(attempt, source)
    if attempt.problem or marked:
        facts = facts._replace(degraded=marked or attempt.problem, types=_coarsen(facts.types, source))
    if conditioned.conditional or generated or listing:
        facts = facts._replace(conditional=True, generated=generated)
    return facts


def list_tested(raw: bytes) -> frozenset[str]:
    """The symbols and marks that the facts of a file may depend on."""
    return list_symbols(decode_source(raw)) | MARKS


def is_listing(skeleton: Skeleton) -> bool:
    """Whether a source lists the surface of a library: each body throws null or is empty, and one throws null."""
    found = False
    for start, end, form in skeleton.bodies:
        if form in ("block", "expr"):
            body = skeleton.source[start:end].strip()
            if body not in _ABSENT:
                return False
            found = found or body in _NULL
    return found


def _blank_markers(source: bytes) -> tuple[bytes, str]:
    """The source with the lines of git's conflict markers blanked, and a message about the first of them."""
    # With the space, which is common, the search is slower: it is looked for where signs stand that few sources have.
    first = _MARKERS.search(source) if b"<<<<<<<" in source and b"<<<<<<< " in source else None
    if first is None:
        return source, ""
    line = source.count(b"\n", 0, first.start()) + 1
    return _MARKERS.sub(lambda match: b" " * len(match[0]), source), f"line {line}: merge conflict"


def is_generated(source: bytes) -> bool:
    """Whether the comment at the top of a source marks it as generated."""
    head = _HEAD.match(source)
    return head is not None and (b"<auto-generated" in head[0] or b"<autogenerated" in head[0])


def _attempt(conditioned: Conditioned, *, patterns: bool) -> _Attempt:
    skeleton = cut_skeleton(conditioned.text)
    if skeleton is not None:
        inactive = conditioned.inactive
        attempt = _match_skeleton(skeleton, inactive) if patterns else None
        if attempt is None:
            attempt = _parse_skeleton(skeleton, inactive)
            if attempt.beyond and not patterns:  # it may be long and sound
                attempt = _match_skeleton(skeleton, inactive) or attempt
        return attempt
    text, line = pair_brackets(conditioned.text)
    skeleton = cut_skeleton(text, damaged=True) or EMPTY
    skeleton = skeleton._replace(text=blank_expressions(skeleton.text))
    attempt = _parse_skeleton(skeleton, ())  # inactive text would no longer be in its place
    return attempt._replace(problem=f"line {line}: brackets do not pair")


def _match_skeleton(skeleton: Skeleton, inactive: tuple[Extent, ...]) -> _Attempt | None:
    found = None if skeleton.extensions else find_declarations(skeleton.text)
    if found is None:
        return None
    return _Attempt(skeleton, inactive, None, _find_open_string(skeleton.source), found=found)


def _parse_skeleton(skeleton: Skeleton, inactive: tuple[Extent, ...]) -> _Attempt:
    whole = repair(skeleton.text)
    part = blank_loose(blank_others(whole), skeleton.loose)
    root = parse(blank_literals(part) if len(part) > LONG else part)
    if root is None or part != whole:
        root = root or parse(keep_types(blank_literals(part)))
        return _Attempt(skeleton, inactive, root, _TOO_DAMAGED, beyond=True)
    problem = _find_problem(root, skeleton) if root.has_error else ""
    return _Attempt(skeleton, inactive, root, problem or _find_open_string(skeleton.source))


def _find_open_string(text: bytes) -> str:
    """The line of the first string that does not end, as a message; empty if there is none."""
    if text.count(b'"') % 2 == 0:
        return ""
    line = find_open_string(text)
    return f"line {line}: a string does not end" if line else ""


def _read(attempt: _Attempt, source: bytes) -> FileFacts:
    if attempt.found is not None:
        return PlainReader(attempt.skeleton, source, attempt.inactive).read_found(attempt.found)
    if attempt.root is None:
        return FileFacts(_NOTHING, ())
    return DeclarationReader(attempt.skeleton, source, attempt.inactive).read(attempt.root)


def _find_problem(root: Node, skeleton: Skeleton) -> str:
    """The line and kind of the first error in a declaration; empty for errors in statements, which are not read."""
    pending = [root]
    while pending:
        node = pending.pop()
        if node.kind_id == GLOBAL_STATEMENT or not node.has_error:
            continue
        if node.is_error or node.is_missing or node.start_byte == node.end_byte:
            line = skeleton.source.count(b"\n", 0, skeleton.to_source(node.start_byte)) + 1
            what = "syntax not understood" if node.is_error else f"missing {node.type}"
            return f"line {line}: {what}"
        # If no child has an error, a hidden token such as a line end is missing; every visible node is intact.
        pending.extend(child for child in reversed(node.children) if child.has_error or child.is_missing)
    return ""


def _coarsen(types: tuple[TypeFacts, ...], source: bytes) -> tuple[TypeFacts, ...]:
    """The types of a damaged file: the damage may affect each of them, so all tokens enter each digest."""
    tokens = short_digest([scan_tokens(source)[0]]).encode()
    return tuple(facts._replace(body=short_digest([facts.body.encode(), tokens])) for facts in types)
