"""Draws the picture of README: `python scripts/picture.py` writes it, `--check` says whether it is up to date.

Standard library alone, no time, no machine: the same script gives the same bytes. Text stands on filled boxes, so that
it can be read on a light page and on a dark one.
"""

from __future__ import annotations

import argparse
import sys
from html import escape
from pathlib import Path

PICTURE = Path(__file__).parents[1] / "docs/images/codecortex.svg"

WIDTH, HEIGHT = 1000, 400
SANS = "system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif"
MONO = "ui-monospace, 'SFMono-Regular', Consolas, 'Noto Sans Mono', 'DejaVu Sans Mono', monospace"
INK, SOFT, LINE = "#17212f", "#475467", "#7d8a9c"
# Fill, edge and heading of a box.
SOURCES = ("#eaf1fb", "#5b8def", "#1d4f9c")
MAP = ("#fdf6e3", "#d9a406", "#7a5600")
READERS = ("#e9f7ef", "#3aa76d", "#17683d")


def draw_text(at: tuple[float, float], text: str, classes: str = "", *, size: float = 13) -> str:
    """One line of text at (x, y), in classes of the picture's style sheet."""
    return f'<text x="{at[0]:g}" y="{at[1]:g}" font-size="{size:g}" class="{classes}">{escape(text)}</text>'


def draw_box(at: tuple[float, float, float, float], colours: tuple[str, str, str], *, radius: float = 10) -> str:
    """A box at (x, y) with a width and a height."""
    x, y, width, height = at
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius:g}" fill="{colours[0]}"'
        f' stroke="{colours[1]}" stroke-width="1.5"/>'
    )


def draw_arrow(path: str) -> str:
    """A line along an SVG path that ends in a head."""
    return f'<path d="{path}" fill="none" stroke="{LINE}" stroke-width="2.5" marker-end="url(#head)"/>'


def draw_label(x: float, y: float, text: str) -> str:
    """Words on a plate of their own, in the middle of an arrow."""
    width = 7.1 * len(text) + 18
    plate = f'<rect x="{x - width / 2:g}" y="{y - 15:g}" width="{width:g}" height="22" rx="11" fill="#5a6677"/>'
    return plate + draw_text((x, y), text, "label", size=12.5)


def draw_sources() -> list[str]:
    """What is read: any tree that git knows."""
    parts = [draw_box((20, 70, 220, 214), SOURCES)]
    parts.append(draw_text((38, 98), "A git tree", "sources bold", size=17))
    parts.append(draw_text((38, 119), "commit, index or work tree", "soft"))
    for row, (name, indent) in enumerate(
        [("src/Demo.Core/", 0), ("INoteStore.cs", 1), ("Note.cs", 1), ("NoteStore.cs", 1), ("NoteStore.Adding.cs", 1)]
    ):
        parts.append(draw_text((38 + 16 * indent, 150 + 22 * row), name, "mono"))
    parts.append(draw_text((38, 268), "*.csproj and .props as data", "soft"))
    return parts


def draw_map() -> list[str]:
    """What is kept: the folder that is committed, and one outline out of it."""
    parts = [draw_box((350, 28, 330, 298), MAP)]
    parts.append(draw_text((370, 58), ".codecortex/", "map bold mono", size=17))
    parts.append(draw_text((505, 58), "committed text files", "soft"))
    rows = [
        ("types/", "an outline of every type"),
        ("semantic/", "notes: what code omits"),
        ("index.json", "every type, one row each"),
        ("aliases.json", "old names of renamed types"),
        ("packs/", "texts within a token budget"),
    ]
    for row, (name, meaning) in enumerate(rows):
        parts.append(draw_text((370, 86 + 22 * row), name, "mono"))
        parts.append(draw_text((477, 86 + 22 * row), meaning, "soft"))
    parts.append(draw_box((370, 190, 290, 118), ("#ffffff", "#d9c58a", ""), radius=6))
    outline = [
        ("# Demo.Core.NoteStore T_WP5D9D9M", "bold"),
        ("Keeps notes in memory, newest first.", ""),
        ("  + public int Count { get; }", ""),
        ("  + public void Add(Note note)", ""),
        ("Implements: Demo.Core.INoteStore", ""),
    ]
    for row, (line, weight) in enumerate(outline):
        parts.append(draw_text((384, 212 + 20 * row), line, f"mono {weight}", size=12))
    return parts


def draw_readers() -> list[str]:
    """Who reads it, and by what."""
    parts = []
    for row, (who, what, how) in enumerate(
        [
            ("People", "read a page, not a folder", "outline  changes  log"),
            ("Coding agents", "get what they need in one call", "mcp  window  pack"),
            ("CI", "says what no longer holds", "check --against main"),
        ]
    ):
        top = 28 + 104 * row
        parts.append(draw_box((756, top, 226, 90), READERS))
        parts.append(draw_text((774, top + 27), who, "readers bold", size=16))
        parts.append(draw_text((774, top + 49), what, "soft", size=12.5))
        parts.append(draw_text((774, top + 73), how, "mono", size=12.5))
    return parts


def draw() -> str:
    """The whole picture as SVG."""
    arrows = [draw_arrow("M 242 177 H 342"), draw_arrow("M 682 177 H 748")]
    arrows += [draw_arrow("M 682 150 L 748 82"), draw_arrow("M 682 204 L 748 272")]
    arrows.append(draw_arrow("M 60 286 V 344 Q 60 362 78 362 H 597 Q 615 362 615 346 V 334"))
    labels = [
        draw_label(292, 160, "refresh"),
        draw_label(337, 367, "git hooks: each commit carries the map that fits it"),
    ]
    head = (
        '<marker id="head" viewBox="0 0 10 10" refX="7" refY="5" markerWidth="6" markerHeight="6" orient="auto">'
        f'<path d="M 0 0 L 10 5 L 0 10 z" fill="{LINE}"/></marker>'
    )
    title = "A git tree of C# becomes .codecortex: outlines, notes and an index, which people, agents and CI read."
    style = (
        f"text {{ fill: {INK}; white-space: pre }} .soft {{ fill: {SOFT} }} .bold {{ font-weight: 700 }}"
        f" .mono {{ font-family: {MONO} }} .label {{ fill: #ffffff; text-anchor: middle }}"
        f" .sources {{ fill: {SOURCES[2]} }} .map {{ fill: {MAP[2]} }} .readers {{ fill: {READERS[2]} }}"
    )
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
        f' role="img" aria-labelledby="title" font-family="{SANS}">'
    )
    lines = [
        opening,
        f'<title id="title">{escape(title)}</title>',
        f"<style>{style}</style>",
        f"<defs>{head}</defs>",
        *arrows, *draw_sources(), *draw_map(), *draw_readers(), *labels,
        "</svg>",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def main() -> int:
    """Write the picture, or compare."""
    parser = argparse.ArgumentParser(description="Draw the picture of README.")
    parser.add_argument("--check", action="store_true", help="compare only; exit with 1 where it differs")
    drawn = draw().encode()
    if not parser.parse_args().check:
        PICTURE.parent.mkdir(parents=True, exist_ok=True)
        PICTURE.write_bytes(drawn)
        return 0
    if PICTURE.is_file() and PICTURE.read_bytes() == drawn:
        return 0
    sys.stderr.write(f"{PICTURE.name} is not what this script draws: run it without --check\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
