"""A file and directives that it needs in; the one edit that adds them, where its others stand, out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.editing.refactoring.declarations import find_line_end, measure, name_kind
from codecortex.editing.refactoring.directives import list_directives, rank
from codecortex.editing.refactoring.edits import Edit
from codecortex.editing.refactoring.moves.units import FILE_SCOPED, find_depth
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from codecortex.editing.refactoring.directives import Directive
    from codecortex.model.code.syntax import Node

_TEXT = compile_later(r"using\s+(?:(static)\s+)?(?:(\w+)\s*=\s*)?(.*?)\s*;")


def write_directive(target: str) -> str:
    """The directive that imports a namespace."""
    return f"using {target};"


def add_directives(source: bytes, root: Node, written: Iterable[str], *, is_everywhere: bool) -> Iterator[Edit]:
    """The edits that add directives, each in its place among those that stand in order.

    Args:
        source: The text of the file.
        root: Its syntax.
        written: The directives, as they are to stand.
        is_everywhere: Whether they have to hold in all of the file, where its others may stand in a namespace.
    """
    own = [each for each in list_directives(root) if not each.is_global and not find_depth(source, each.start)]
    if is_everywhere or len(root.of_kind("namespace_declaration")) > 1:
        own = [each for each in own if _parent_of(root, each)[0] < 0]
    first = own[0].start if own else 0
    near = [each for each in own if _parent_of(root, each) == _parent_of(root, own[0])] if own else []
    there = {_write_plainly(source[each.start : each.end].decode()) for each in near}
    wanted = sorted({each for each in written if _write_plainly(each) not in there}, key=order)
    if not wanted:
        return
    if not near:
        yield _add_first(source, root, wanted)
        return
    indent = _indent_of(source, first)
    places: dict[int, list[str]] = {}
    for each in wanted:
        places.setdefault(_find_place(source, near, each), []).append(each)
    for place, lines in places.items():
        yield Edit(place, place, "".join(f"{indent}{each}\n" for each in lines))


def _write_plainly(directive: str) -> str:
    return re.sub(r"\s+", " ", directive.strip())


def _find_place(source: bytes, near: Sequence[Directive], written: str) -> int:
    """The beginning of the line before which a directive is to stand."""
    is_ordered = [rank(each) for each in near] == sorted(map(rank, near))
    if is_ordered:
        for each in near:
            if order(written) < rank(each):
                return source.rfind(b"\n", 0, each.start) + 1
    plain = [each for each in near if not each.alias and not each.is_static] or near
    end = find_line_end(source, (near if is_ordered else plain)[-1].end)
    return min(end + 1, len(source)) if end is not None else source.rfind(b"\n", 0, near[-1].start) + 1


def _add_first(source: bytes, root: Node, wanted: Sequence[str]) -> Edit:
    """Directives where there are none: before all that the file declares."""
    text = "".join(f"{each}\n" for each in wanted)
    others = root.of_kind("extern_alias_directive", "using_directive")
    if others:
        end = find_line_end(source, others[-1].end)
        place = min(end + 1, len(source)) if end is not None else others[-1].end
        return Edit(place, place, text)
    first = next(iter(root.nodes), None)
    place = 0
    if first is not None:
        place = first.start
        if name_kind(first):
            extent = measure(first, source)
            place = extent.documentation
        place = source.rfind(b"\n", 0, place) + 1
    while find_depth(source, place):
        place = source.rfind(b"\n", 0, place - 1) + 1
    return Edit(place, place, f"{text}\n")


def _parent_of(root: Node, directive: Directive) -> tuple[int, bool]:
    """What tells the lists of directives of a file from each other."""
    scoped = root.first(FILE_SCOPED)
    block = next((each for each in root.nodes if each.start <= directive.start < each.end and each.nodes), None)
    at = block.start if block is not None and block.kind == "namespace_declaration" else -1
    return at, scoped is not None and directive.start > scoped.start


def order(written: str) -> tuple[bool, bool, bool, str]:
    """What the text of a directive is put in order by, as `rank`."""
    match = _TEXT.fullmatch(written)
    if match is None:
        return False, False, False, written
    is_system = re.match(r"(?:global::)?System(?:\.|\Z)", match[3]) is not None
    return bool(match[2]), bool(match[1]), not is_system, match[2] or match[3].removeprefix("global::")


def _indent_of(source: bytes, place: int) -> str:
    line = source[source.rfind(b"\n", 0, place) + 1 : place]
    return line.decode() if not line.strip() else ""
