"""A repository and a seed in; what `usages` misses or adds against a plain search, and rows to judge, out.

Run as `python -m benchmarks.judge_usages REPOSITORY [--seed N] [--symbols N] [--rows N]`, after `codecortex refresh`.

Comments, strings and text that `#if` switches off are passed over by a scanner of this file, which shares nothing with
the product's. The printed rows are a sample of those labelled exact, half of types and half of members, with the lines
around them, for a person to judge.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from bisect import bisect_right
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from codecortex.git.contents import read_contents
from codecortex.model.errors import CodecortexError
from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.request import Request
from codecortex.operations.usages.usages import UsageQuery, usages

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codecortex.model.code.usages import Usage

_EVERYTHING = 1 << 30
_RAW = 3  # quotes
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_HEAD = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/|#[^\n]*)*", re.DOTALL)
_NAMED = ("method", "property", "field", "event", "constant", "enumMember")
Spot = tuple[str, int, int]


def strip_inactive(text: str, symbols: frozenset[str]) -> str:
    """The text with directives and what they switch off as empty lines."""
    out: list[str] = []
    open_ifs: list[list[bool]] = []  # each: is this branch on, was one on before, is what surrounds it on
    for line in text.split("\n"):
        match = re.match(r"\s*#\s*(if|elif|else|endif)\b(.*)", line)
        active = not open_ifs or open_ifs[-1][0]
        if match is None:
            out.append(
                ""
                if not active
                or re.match(r"\s*#\s*(?:pragma|region|endregion|nullable|line|error|warning|define|undef)\b", line)
                else line
            )
            continue
        out.append("")
        word, condition = match[1], match[2]
        if word == "if":
            on = active and holds(condition, symbols)
            open_ifs.append([on, on, active])
        elif open_ifs and word == "endif":
            open_ifs.pop()
        elif open_ifs:
            _, before, around = open_ifs[-1]
            on = around and not before and (word == "else" or holds(condition, symbols))
            open_ifs[-1] = [on, before or on, around]
    return "\n".join(out)


def holds(condition: str, symbols: frozenset[str]) -> bool:
    """Whether a condition of `#if` holds."""
    text = condition.split("//", maxsplit=1)[0]
    text = _IDENTIFIER.sub(lambda m: str(m[0] in symbols or m[0] == "true"), text)
    text = text.replace("&&", " and ").replace("||", " or ").replace("!=", "<>").replace("!", " not ")
    try:
        return bool(eval(text.replace("<>", "!=").strip(), {"__builtins__": {}}))  # noqa: S307 - words of our own making
    except SyntaxError:
        return False


class Scanner:
    """Walks over C# text sign by sign and notes its identifiers."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.found: list[tuple[str, int]] = []

    def read_code(self, at: int, *, hole: bool = False) -> int:
        """Where code ends: at the end of the text, or at the brace or the format that ends a hole."""
        text, size, depth = self.text, len(self.text), 0
        while at < size:
            sign = text[at]
            if sign.isalpha() or sign == "_":
                end = at + 1
                while end < size and (text[end].isalnum() or text[end] == "_"):
                    end += 1
                self.found.append((text[at:end], at))
                at = end
            elif sign.isdigit():
                while at < size and (text[at].isalnum() or text[at] == "_"):
                    at += 1
            elif text.startswith("//", at):
                at = size if (end := text.find("\n", at)) < 0 else end
            elif text.startswith("/*", at):
                at = size if (end := text.find("*/", at + 2)) < 0 else end + 2
            elif sign == "'":
                at = self.skip_quoted(at + 1, "'")
            elif sign in '"$@':
                at = self.read_string(at)
            elif hole and depth == 0 and (sign == "}" or (sign == ":" and "::" not in text[at - 1 : at + 2])):
                return at
            else:
                depth += (sign in "([{") - (sign in ")]}")
                at += 1
        return at

    def skip_quoted(self, at: int, quote: str) -> int:
        """Just past a literal with backslashes; it ends with its line at the latest."""
        text = self.text
        while at < len(text) and text[at] not in (quote, "\n"):
            at += 2 if text[at] == "\\" else 1
        return at + 1

    def read_string(self, start: int) -> int:
        """Just past what begins with a quote, a dollar or an at sign; that may be a name."""
        text, at = self.text, start
        while at < len(text) and text[at] in "$@":
            at += 1
        dollars, verbatim = text.count("$", start, at), "@" in text[start:at]
        if not text.startswith('"', at):
            return at
        end = at
        while end < len(text) and text[end] == '"':
            end += 1
        quotes = end - at
        if quotes >= _RAW and not verbatim:
            return self.read_raw(end, quotes, dollars)
        if not dollars and not verbatim:
            return self.skip_quoted(at + 1, '"')
        return self.read_body(at + 1, verbatim=verbatim, holes=dollars > 0)

    def read_raw(self, at: int, quotes: int, dollars: int) -> int:
        """Just past a raw string."""
        text = self.text
        while at < len(text):
            if text.startswith('"' * quotes, at):
                at += quotes
                while text.startswith('"', at):
                    at += 1
                return at
            if dollars and text.startswith("{" * dollars, at):
                while text.startswith("{", at):
                    at += 1
                at = self.read_hole(at, dollars)
            else:
                at += 1
        return at

    def read_hole(self, at: int, braces: int) -> int:
        """Just past a hole and its format."""
        at = self.read_code(at, hole=True)
        while at < len(self.text) and self.text[at] != "}":
            at += 1
        return at + braces

    def read_body(self, at: int, *, verbatim: bool, holes: bool) -> int:
        """Just past a verbatim or interpolated string."""
        text = self.text
        while at < len(text):
            two = text[at : at + 2]
            if verbatim and two == '""':
                at += 2
            elif text[at] == '"' or (text[at] == "\n" and not verbatim):
                return at + 1
            elif (text[at] == "\\" and not verbatim) or (holes and two in ("{{", "}}")):
                at += 2
            elif holes and text[at] == "{":
                at = self.read_hole(at + 1, 1)
            else:
                at += 1
        return at


def list_identifiers(text: str) -> Iterator[tuple[str, int, int]]:
    """Name, line and column of every identifier."""
    scanner = Scanner(text)
    scanner.read_code(0)
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    for name, at in sorted(scanner.found, key=lambda each: each[1]):
        line = bisect_right(starts, at)
        yield name, line, at - starts[line - 1] + 1


def collect(workspace: Workspace, names: frozenset[str]) -> dict[str, set[Spot]]:
    """Where each name stands in the sources of a tree."""
    symbols = defaultdict(set)
    for project in workspace.projects:
        for path in project.files:
            symbols[path].add(project.symbols)
    found: dict[str, set[Spot]] = defaultdict(set)
    words = re.compile(r"(?<!\w)(?:" + "|".join(sorted(map(re.escape, names))) + r")(?!\w)")
    for entry, data, _ in read_contents(workspace.repository, list(workspace.tree.sources.sources.values())):
        text = (data or b"").decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")
        if words.search(text) is None or "auto-generated" in _HEAD.match(text)[0]:  # type: ignore[index]
            continue
        for each in symbols[entry.path]:
            for name, line, column in list_identifiers(strip_inactive(text, each)):
                if name in names:
                    found[name].add((entry.path, line, column))
    return found


def choose(workspace: Workspace, count: int, chance: random.Random) -> list[tuple[str, str]]:
    """Symbols to ask for, half types and half members, with the name each has in code."""
    catalog = workspace.catalog
    types = chance.sample(catalog.types, min(count, len(catalog.types)))
    chosen = [(str(entry.id), entry.simple_name) for entry in types]
    only = [
        entry
        for entry in catalog.types
        if sum(e.fqn == entry.fqn for e in catalog.by_simple_name[entry.simple_name.lower()]) == 1
    ]
    holders = chance.sample(only, min(count * 4, len(only)))
    for entry in holders:
        members = [m for m in catalog.members_of(entry.id) if m.kind in _NAMED and not m.explicit_interface]
        if members and len(chosen) < 2 * count:
            name = chance.choice(members).name
            chosen.append((f"{entry.fqn}.{name}", name))
    return chosen


def main() -> int:
    """Compare, and print what to judge."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("repository", type=Path)
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--symbols", type=int, default=60)
    reader.add_argument("--rows", type=int, default=100)
    arguments = reader.parse_args()
    chance = random.Random(arguments.seed)  # noqa: S311 - a sample
    with Workspace(Request(arguments.repository)) as workspace:
        chosen = choose(workspace, arguments.symbols, chance)
        expected = collect(workspace, frozenset(name for _, name in chosen))
        missed = added = places = asked = 0
        exact: list[tuple[str, Usage]] = []
        for symbol, name in chosen:
            try:
                found = usages(workspace, UsageQuery(symbol), limit=_EVERYTHING)
            except CodecortexError as problem:
                print(f"not asked: {symbol}: {problem.message.splitlines()[0]}")
                continue
            asked += 1
            spots = {(r.file, r.line, r.column) for r in found.rows if r.end_column - r.column == len(name)}
            places += len(expected[name])
            for spot in sorted(expected[name] - spots):
                missed += 1
                print(f"missed: {name} at {spot[0]}:{spot[1]}:{spot[2]}")
            for spot in sorted(spots - expected[name]):
                added += 1
                if added <= 50:  # noqa: PLR2004 - enough to see why
                    print(f"added: {name} at {spot[0]}:{spot[1]}:{spot[2]}")
            exact += [
                (f"{symbol} = {found.hit.name}", r)
                for r in found.rows
                if (r.verdict.label, r.verdict.role) == ("exact", "reference")
            ]
        print(f"{asked} symbols, {places:,} identifiers: {missed} missed, {added} added; {len(exact):,} exact rows")
        halves = [[each for each in exact if each[0].startswith("T_") == is_type] for is_type in (True, False)]
        shown = [each for half in halves for each in chance.sample(half, min(arguments.rows // 2, len(half)))]
        for number, (symbol, row) in enumerate(shown, 1):
            show(workspace, number, symbol, row)
    return 1 if missed else 0


def show(workspace: Workspace, number: int, symbol: str, row: Usage) -> None:
    """One row with the lines around it."""
    inside = f"{row.enclosing.fqn}.{row.enclosing.member}"
    print(f"\n[{number}] {symbol}\n    {row.file}:{row.line}:{row.column} in {inside}")
    root = workspace.repository.root
    if root is not None:
        lines = (root / row.file).read_text("utf-8", errors="replace").splitlines()
        for at in range(max(0, row.line - 4), min(len(lines), row.line + 2)):
            print(f"    {'>' if at + 1 == row.line else ' '} {lines[at][:150]}")


if __name__ == "__main__":
    sys.exit(main())
