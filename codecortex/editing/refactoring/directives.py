"""The using directives of a file: which there are, and the edits that take some away or put them in order."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.editing.refactoring.declarations import find_line_end
from codecortex.editing.refactoring.edits import Edit
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from codecortex.model.code.syntax import Node

_BEHIND = compile_later(rb"@?\w+\s*\.\s*")
_NOISE = compile_later(r"\s+|global::")
_SYSTEM = compile_later(r"System(?:\.|\Z)")


_NAMING = frozenset(("argument", "attribute_argument", "name_colon", "tuple_element"))
_LABELLED = frozenset(("goto_statement", "labeled_statement", "type_parameter_constraints_clause"))
_WORDS = frozenset(("var", "nameof", "_", "global", "notnull", "unmanaged", "dynamic", "value", "field"))
_CALLED = {
    "query_expression": ("Cast", "Select", "SelectMany", "Where", "OrderBy", "OrderByDescending", "ThenBy",
                         "ThenByDescending", "Join", "GroupJoin", "GroupBy"),
    "fixed_statement": ("GetPinnableReference",),
}  # fmt: skip
_CREATIONS = ("object_creation_expression", "implicit_object_creation_expression", "assignment_expression")


class Directive(NamedTuple):
    """A using directive.

    Attributes:
        start: Where it begins.
        end: Where it ends.
        target: The namespace or the type that it names, without white space and `global::`.
        alias: The name that it gives; empty of others.
        is_static: Whether it imports the static members of a type.
        is_global: Whether it holds in all files of the project.
    """

    start: int
    end: int
    target: str
    alias: str = ""
    is_static: bool = False
    is_global: bool = False


def list_directives(root: Node) -> list[Directive]:
    """The using directives of a file, those in namespaces too, in order."""
    found: list[Directive] = []
    todo = [root]
    while todo:
        node = todo.pop()
        found += [_read(each) for each in node.of_kind("using_directive")]
        todo += [each for each in node.nodes if "namespace" in each.kind or each.kind == "declaration_list"]
    return sorted(found)


def _read(node: Node) -> Directive:
    name = node.field("name")
    rest = node.without(name)
    target = rest[-1] if rest else name
    written = _NOISE.sub("", target.text) if target is not None else ""
    alias = name.name if name is not None and rest else ""
    return Directive(node.start, node.end, written, alias, node.has("static"), node.has("global"))


def list_names(root: Node) -> Iterator[Node]:
    """The names of a file that could be found by a directive: no labels, names of arguments or of namespaces.

    Nor what constraints are of.
    """
    todo = [root]
    while todo:
        node = todo.pop()
        if node.kind == "using_directive":
            continue
        skipped = node.field("name") if "namespace" in node.kind or node.kind in _NAMING else None
        if node.kind in _LABELLED:
            skipped = node.first("identifier")
        if node.kind == "identifier" and node.name not in _WORDS:
            yield node
        todo += node.without(skipped)


def list_qualifying(source: bytes, names: Iterable[int], known: Collection[int]) -> set[int]:
    """The names in front of names that are known: namespaces, which no directive finds.

    Args:
        source: The text.
        names: Where the names stand that are not known.
        known: Where those stand that are.
    """
    found: set[int] = set()
    for start in sorted(names, reverse=True):
        match = _BEHIND.match(source, start)
        if match is not None and (match.end() in known or match.end() in found):
            found.add(start)
    return found


def list_unnamed(root: Node) -> Iterator[str]:
    """The names of methods that a file calls without naming them, and that could be extension methods."""
    for node in root.walk():
        yield from _CALLED.get(node.kind, ())
        parent = node.parent
        if node.kind == "initializer_expression" and parent is not None and parent.kind in _CREATIONS:
            yield from ("Add" for each in node.nodes if each.kind != "assignment_expression")


def remove_directives(source: bytes, removed: Sequence[Directive]) -> Iterator[Edit]:
    """The edits that take directives away, each with its line, and the blank line behind the last of all.

    Args:
        source: The text of the file.
        removed: The directives, in order.
    """
    ranges: list[tuple[int, int]] = []
    for each in removed:
        start = source.rfind(b"\n", 0, each.start) + 1
        end = find_line_end(source, each.end)
        if source[start : each.start].strip() or end is None:
            ranges.append((each.start, each.end))
        elif ranges and ranges[-1][1] == start:
            ranges[-1] = (ranges[-1][0], min(end + 1, len(source)))
        else:
            ranges.append((start, min(end + 1, len(source))))
    for start, end in ranges:
        yield Edit(start, _skip_blank(source, start, end), "")


def _skip_blank(source: bytes, start: int, end: int) -> int:
    """Where a blank line ends that would be left over behind what goes."""
    above = source[:start].rstrip(b" \t")
    first = not above or above.endswith((b"\n\n", b"{\n"))
    blank = re.compile(rb"[ \t]*\n").match(source, end)
    return blank.end() if first and blank is not None and source[end - 1 : end] == b"\n" else end


def sort_directives(source: bytes, kept: Sequence[Directive], removed: Collection[Directive]) -> Iterator[Edit]:
    """The edits that put directives in order which stand on consecutive lines: namespaces, static ones, aliases.

    Those of `System` come first, the others follow by their names. Lines with more than a directive stay.
    """
    run: list[Directive] = []
    for each in [*kept, None]:
        if each is not None and (not run or _follows(source, run[-1], each, removed)):
            run.append(each)
            continue
        ordered = sorted(run, key=rank)
        for old, new in zip(run, ordered, strict=True):
            if old is not new:
                yield Edit(old.start, old.end, source[new.start : new.end].decode())
        run = [each] if each is not None else []


def _follows(source: bytes, one: Directive, other: Directive, removed: Collection[Directive]) -> bool:
    """Whether nothing but line ends and directives that go stand between two directives."""
    between = bytearray(source[one.end : other.start])
    for each in removed:
        if one.end <= each.start and each.end <= other.start:
            between[each.start - one.end : each.end - one.end] = b" " * (each.end - each.start)
    lines = bytes(between).split(b"\n")
    is_blank = not bytes(between).strip()
    gone = sum(one.end <= each.start < other.start for each in removed)
    return is_blank and len(lines) <= 2 + gone and one.is_global == other.is_global


def rank(directive: Directive) -> tuple[bool, bool, bool, str]:
    """What directives are put in order by."""
    return (
        bool(directive.alias),
        directive.is_static,
        not _SYSTEM.match(directive.target),
        directive.alias or directive.target,
    )
