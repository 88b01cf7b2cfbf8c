"""Draws boxes and arrows as a mermaid flowchart or as a Graphviz digraph.

Boxes are numbered in the drawing, so that no name can be a keyword of the language; in labels every character that the
language could interpret is written as a number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codecortex.analysis.graph.view import Arrow

_PLAIN_MARKS = frozenset(" _.,+-()[]/@|~$=")


class Box(NamedTuple):
    """A node of a drawing.

    Attributes:
        id: Its id, used by arrows.
        label: Its text, on one line.
        root: Whether the question was about it.
        cycle: Whether it depends on itself through others.
    """

    id: str
    label: str
    root: bool
    cycle: bool


def write_mermaid(boxes: Sequence[Box], arrows: Sequence[Arrow], remarks: Sequence[str]) -> str:
    """A flowchart: thick arrows lead to base types, dotted arrows are references in bodies only; `?` marks a guess."""
    names = {box.id: f"n{number}" for number, box in enumerate(boxes)}
    lines = ["flowchart LR", *(f"%% {_flatten(remark)}" for remark in remarks)]
    lines += [f'  {names[box.id]}["{escape_mermaid(box.label)}"]' for box in boxes]
    for arrow in arrows:
        line = "==>" if arrow.base else "-->" if arrow.structural else "-.->"
        guess = "" if arrow.exact else "|?|"
        lines.append(f"  {names[arrow.source]} {line}{guess} {names[arrow.target]}")
    for style, look, chosen in (
        ("root", "stroke-width:3px", [names[box.id] for box in boxes if box.root]),
        ("cycle", "stroke-dasharray:4", [names[box.id] for box in boxes if box.cycle]),
    ):
        if chosen:
            lines += [f"  classDef {style} {look}", f"  class {','.join(chosen)} {style}"]
    return "\n".join(lines)


def write_dot(boxes: Sequence[Box], arrows: Sequence[Arrow], remarks: Sequence[str]) -> str:
    """A digraph: thick arrows lead to base types, dotted arrows are references in bodies only; `?` marks a guess."""
    names = {box.id: f"n{number}" for number, box in enumerate(boxes)}
    lines = ["digraph codecortex {", *(f"  // {_flatten(remark)}" for remark in remarks)]
    lines += ["  rankdir=LR;", "  node [shape=box];"]
    for box in boxes:
        style = [word for word, is_so in (("bold", box.root), ("dashed", box.cycle)) if is_so]
        look = f', style="{",".join(style)}"' if style else ""
        lines.append(f'  {names[box.id]} [label="{escape_dot(box.label)}"{look}];')
    for arrow in arrows:
        looks = ["style=bold"] if arrow.base else [] if arrow.structural else ["style=dotted"]
        looks += [] if arrow.exact else ['label="?"']
        look = f" [{', '.join(looks)}]" if looks else ""
        lines.append(f"  {names[arrow.source]} -> {names[arrow.target]}{look};")
    return "\n".join([*lines, "}"])


def escape_mermaid(text: str) -> str:
    """A label for use in quotes: letters, digits and harmless marks stay, other characters become `#number;`.

    An empty label, which flowcharts do not allow, becomes a space.
    """
    return (
        " "
        if not text
        else "".join(each if (each.isalnum() or each in _PLAIN_MARKS) else f"#{ord(each)};" for each in _flatten(text))
    )


def escape_dot(text: str) -> str:
    """A label for use in quotes, without escapes, entities and quotes."""
    flat = _flatten(text).replace("&", "&amp;")
    return flat.replace("\\", "\\\\").replace('"', '\\"')


def _flatten(text: str) -> str:
    """A text with line ends, other control characters and lone surrogates replaced by `?`."""
    return "".join("?" if ord(each) < ord(" ") or "\x7f" <= each <= "\x9f" or _is_odd(each) else each for each in text)


def _is_odd(each: str) -> bool:
    return "\ud800" <= each <= "\udfff" or each in "\u2028\u2029\ufeff"
