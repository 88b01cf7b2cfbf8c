"""A declaration and a new text in; the one edit that replaces, removes or adds a member, fitted into its place, out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.editing.refactoring.declarations import find_body, find_line_end, list_declared, measure, name_kind
from codecortex.editing.refactoring.edits import Edit
from codecortex.editing.refactoring.layout import fit

if TYPE_CHECKING:
    from codecortex.editing.refactoring.declarations import Extent
    from codecortex.editing.refactoring.snippets import Snippet
    from codecortex.model.code.syntax import Node

_DOCUMENTED = ("///", "/**")
_CLOSE = frozenset(("field", "enum member"))
"""Kinds that may stand line below line."""
_STEP = "    "


def replace_member(extent: Extent, snippet: Snippet) -> Edit:
    """Put a text in place of a declaration and its attributes; documentation stays unless the text has its own."""
    new = snippet.trim()
    if extent.indent is None:
        return Edit(extent.start, extent.end, new.text)
    fitted = fit(new.text, extent.indent, new.fixed)
    if extent.kind == "enum member":
        fitted = fitted.removesuffix(",")
    if new.text.lstrip().startswith(_DOCUMENTED) and extent.documentation < extent.start:
        return Edit(extent.documentation, extent.end, fitted)
    return Edit(extent.start, extent.end, fitted.removeprefix(extent.indent))


def remove_member(source: bytes, extent: Extent) -> Edit:
    """Take a declaration away with its comments, its separator, and one of two blank lines around it."""
    end = _skip_separator(source, extent)
    start = extent.first
    if extent.kind == "enum member" and end == extent.end:
        start = _take_separator_before(source, extent)
        if start != extent.first:
            return Edit(start, end, "")
    last = find_line_end(source, end)
    if extent.indent is None or last is None:
        return _remove_inline(source, extent, end)
    start = source.rfind(b"\n", 0, start) + 1
    end = min(last + 1, len(source))
    above = source[:start].rstrip(b" \t")
    below = source[end:].lstrip(b" \t")
    opens = above.endswith((b"\n\n", b"{\n")) or not above
    if opens and below.startswith(b"\n"):
        end += len(source[end:]) - len(below) + 1
    elif above.endswith(b"\n\n") and (below.startswith(b"}") or not below.strip()):
        start = len(above) - 1
    return Edit(start, end, "")


def insert_beside(source: bytes, extent: Extent, snippet: Snippet, *, after: bool) -> Edit:
    """Put a new declaration before or after another one."""
    new = snippet.trim()
    if extent.indent is None:
        beside = _skip_separator(source, extent) if after else extent.start
        return Edit(beside, beside, f" {new.text}" if after else f"{new.text} ")
    fitted = fit(new.text, extent.indent, new.fixed)
    gap = "" if _is_close(source, extent, new) else "\n"
    if new.kind == "enum member":
        fitted = fitted.removesuffix(",")
        if after and _skip_separator(source, extent) == extent.end:
            return Edit(extent.end, extent.end, f",\n{gap}{fitted}")
        fitted += ","
    if not after:
        line = source.rfind(b"\n", 0, extent.first) + 1
        return Edit(line, line, f"{fitted}\n{gap}")
    end = _skip_separator(source, extent)
    place = find_line_end(source, end)
    if place is None:
        return Edit(end, end, f"\n{gap}{fitted}\n{extent.indent}")
    return Edit(place, place, f"\n{gap}{fitted}")


def insert_at_end(source: bytes, holder: Node, snippet: Snippet) -> Edit | None:
    """Put a new declaration behind the last member of a type; None where the type has no body."""
    body = find_body(holder)
    if body is None or source[body.end - 1 : body.end] != b"}":
        return None
    members = [each for each in body.nodes if name_kind(each)]
    last = measure(members[-1], source) if members else None
    if last is not None and last.indent is not None and b"#" not in source[last.end : body.end]:
        return insert_beside(source, last, snippet, after=True)
    new = snippet.trim()
    outer = _indent_of(source, holder.start)
    inner = _indent_of(source, members[-1].start) if members else outer + _find_step(holder, source, outer)
    fitted = fit(new.text, inner, new.fixed)
    close = body.end - 1
    line = source.rfind(b"\n", 0, close) + 1
    if source[line:close].strip():  # the brace stands behind something else in its line
        start = len(source[:close].rstrip(b" \t"))
        comma = "," if new.kind == "enum member" and members and source[start - 1 : start] != b"," else ""
        return Edit(start, close, f"{comma}\n{fitted}\n{outer}")
    gap = "\n" if members and not source[:line].rstrip(b" \t").endswith(b"\n\n") else ""
    return Edit(line, line, f"{gap}{fitted}\n")


def _skip_separator(source: bytes, extent: Extent) -> int:
    """Where a declaration ends with the comma behind it, if it is one that commas separate."""
    if extent.kind != "enum member":
        return extent.end
    rest = source[extent.end :]
    blank = len(rest) - len(rest.lstrip(b" \t"))
    return extent.end + blank + 1 if rest[blank : blank + 1] == b"," else extent.end


def _take_separator_before(source: bytes, extent: Extent) -> int:
    """Where the comma before the last member of an enum stands, if it directly precedes it."""
    before = source[: extent.first].rstrip()
    return len(before) - 1 if before.endswith(b",") else extent.first


def _remove_inline(source: bytes, extent: Extent, end: int) -> Edit:
    """Take a declaration out of a line that has others."""
    rest = source[end:]
    blank = len(rest) - len(rest.lstrip(b" \t"))
    return Edit(extent.start, end + blank, "")


def _is_close(source: bytes, extent: Extent, new: Snippet) -> bool:
    """Whether a member may stand directly below or above another one."""
    if new.kind not in _CLOSE or extent.kind != new.kind or "\n" in new.text:
        return False
    above = source[: source.rfind(b"\n", 0, extent.first) + 1].rstrip(b" \t")
    below = source[extent.end :].partition(b"\n")[2].lstrip(b" \t")
    return not (above.endswith(b"\n\n") and below.startswith(b"\n"))


def _indent_of(source: bytes, place: int) -> str:
    line = source[source.rfind(b"\n", 0, place) + 1 : place]
    return line[: len(line) - len(line.lstrip(b" \t"))].decode()


def _find_step(holder: Node, source: bytes, outer: str) -> str:
    """How much deeper members of this file stand than their types."""
    root = holder
    while root.parent is not None:
        root = root.parent
    for each in list_declared(root):
        body = find_body(each)
        inside = next((member for member in body.nodes if name_kind(member)), None) if body is not None else None
        if inside is not None:
            deep, flat = _indent_of(source, inside.start), _indent_of(source, each.start)
            if deep.startswith(flat) and len(deep) > len(flat):
                return deep[len(flat) :]
    return "\t" if "\t" in outer else _STEP
