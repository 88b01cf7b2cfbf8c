"""Reads the bytes of a C# file under a symbol set into a `SyntaxTree`. Every input gives a tree; nothing raises."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING

from codecortex.model.code.projects import NO_GENERATED
from codecortex.model.code.syntax import UNPARSED, Node, SyntaxTree
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.parsing.csharp.conditional import apply_conditions
from codecortex.parsing.csharp.grammar import parse
from codecortex.parsing.csharp.read import is_generated
from codecortex.parsing.csharp.repairs import repair, restore_names
from codecortex.parsing.decode import decode_source, is_binary
from codecortex.parsing.syntax.build import STAND_IN_NAME, build, find_error_nodes, parse_fragment
from codecortex.parsing.syntax.covers import cover
from codecortex.parsing.syntax.crefs import read_documentation
from codecortex.parsing.syntax.declarations import Read, build_declarations
from codecortex.parsing.syntax.parts import read_parts
from codecortex.parsing.syntax.stand_ins import stand_in

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codecortex.parsing.syntax.declarations import Reread

_EXTENSION = compile_later(
    rb"\bextension(?=\s*(?:<[^<>(){};]*(?:<[^<>;]*>[^<>(){};]*)*>)?\s*\()(?!\s*\([^(){};]*\)\s*[;,)=.])"
)
_STAND_IN = b"class " + STAND_IN_NAME
EXTENSION = "extension_declaration"
_MOST_HEADS = 4096
"""How many heads of types are kept that were read: many classes of a repository have the same bases."""


def read_syntax(raw: bytes, symbols: frozenset[str], *, by_member: bool = False) -> SyntaxTree:
    """The syntax of one file under one symbol set.

    Args:
        raw: The file.
        symbols: The symbol set.
        by_member: Whether members wait to be picked.
    """
    source = decode_source(raw)
    if is_binary(source):
        return _nothing(source, "binary content")
    generated = is_generated(source)
    if generated and NO_GENERATED in symbols:
        return _nothing(source, generated=True)
    active = apply_conditions(source, symbols).text
    text, names, extensions = _prepare(active)
    comments: list[tuple[int, int]] = []
    read_whole = partial(_read, text, names, []) if by_member and not extensions else None
    read = _read(text, names, comments, read_whole)
    if read is None:
        return _nothing(source, "too damaged to parse")
    root, bodies, damaged = read
    if extensions:
        _restore_extensions(root, frozenset(extensions))
    documentation = partial(read_documentation, active, comments)
    return SyntaxTree(
        root, source, read_documentation=documentation, generated=generated, damaged=damaged, bodies=bodies
    )


def _read(text: bytes, names: bytes, comments: list[tuple[int, int]], read_whole: Reread | None = None) -> Read | None:
    """The tree of a source by its declarations, or else as a whole; as `build_declarations` takes it."""
    built = build_declarations(text, names, comments, read_whole)
    if built is not None:
        return Read(*built)
    whole = _read_whole(text, names, comments)
    return Read(whole[0], None, whole[1]) if whole is not None else None


@lru_cache(maxsize=_MOST_HEADS)
def read_head(written: str) -> Node | None:
    """The only declaration of a text that was written to be read; None if the grammar cannot read it."""
    root = parse_fragment(repair(written.encode()))
    if root is None or any(node.kind == "ERROR" for node in root.walk()):
        return None
    return next(iter(root.nodes), None)


def find_errors(raw: bytes, symbols: frozenset[str]) -> tuple[int, ...]:
    """Where the syntax of a file is not understood, in bytes of the decoded text and in order."""
    source = decode_source(raw)
    text = cover(_prepare(apply_conditions(source, symbols).text).text)
    parsed = None if is_binary(source) else parse(text)
    if parsed is None:
        return (0,)
    return tuple(sorted(node.start_byte for node in find_error_nodes(parsed)))


class _Prepared(NamedTuple):
    """A source nearly as the grammar is given it: what is parsed of it is covered first.

    Attributes:
        text: What is parsed.
        names: A text of the same length that names are read from.
        extensions: Where extension blocks begin, for which the text has stand-ins.
    """

    text: bytes
    names: bytes
    extensions: list[int]


def _prepare(active: bytes) -> _Prepared:
    text = stand_in(repair(active))
    extensions = [match.start() for match in _EXTENSION.finditer(text)] if b"extension" in text else []
    text = _EXTENSION.sub(_STAND_IN, text) if extensions else text
    return _Prepared(text, restore_names(text, active), extensions)


def _nothing(source: bytes, damaged: str = "", *, generated: bool = False) -> SyntaxTree:
    return SyntaxTree(Node("compilation_unit", 0, 0, None, source), source, generated=generated, damaged=damaged)


def _read_whole(text: bytes, names: bytes, comments: list[tuple[int, int]]) -> tuple[Node, str] | None:
    """The tree of a source that is parsed as a whole, and what is wrong with it; None if there is no tree.

    Of one that does not parse whole it is the tree by parts, if that shows more declarations.
    """
    text = cover(text)
    parsed = parse(text)
    root = build(parsed, text, comments, source=names) if parsed is not None else None
    if parsed is not None and root is not None and next(find_error_nodes(parsed), None) is None:
        return root, ""
    others: list[tuple[int, int]] = []
    read = read_parts(text, names, others)
    if read is not None and (root is None or read[1] or _count_declarations(read[0]) > _count_declarations(root)):
        root, comments[:] = read[0], others
    return (root, UNPARSED) if root is not None else None


def _count_declarations(root: Node) -> int:
    return sum(each.kind.endswith("_declaration") for each in root.walk())


def _restore_extensions(root: Node, starts: Iterable[int]) -> None:
    """Call the stand-ins of extension blocks what they are."""
    known = {start + len(_STAND_IN) - len(STAND_IN_NAME) for start in starts}
    for node in root.walk():
        name = node.field("name")
        if node.kind == "class_declaration" and name is not None and name.start in known:
            node.kind = EXTENSION
