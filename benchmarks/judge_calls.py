"""Which calls lead to which methods, judged by what a compiler binds them to: this tool, a plain name match, CodeGraph.

    python benchmarks/judge_calls.py TABLE.tsv.gz REPOSITORY [--codegraph REPOSITORY/.codegraph/codegraph.db]

TABLE holds a compiler's answers: `P path`, `S id documentationId assembly kind file line column`, `D id file line
column` for each declaration, `R file line column length id flags` for each reference. Judged are calls by name of
methods that the repository declares, in files that the compiler saw: for each tool, how many of the pairs of a line and
a method that it calls certain are true (a method that is named
without being called is no error), and how many of the calls it has. The plain match takes every `Name(` for a
call of every method of that name. CodeGraph's `calls` edges count where a declaration of the called method lies in what
it takes for the method.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sqlite3
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

NO_CALL = set("cukaxopv")
CALLED = re.compile(r"\s*(<[^;{}()]*>)?\s*\(")
CALL = re.compile(r"\b(\w+)\s*(?:<[^;{}()]*>)?\s*\(")
GENERATED = re.compile(r"^\?|(^|/)obj/")
AT_ONCE = 100

Pair = tuple[str, int, str]
"""A file, a line, and the documentation id of a method; several assemblies may hold one that has the id."""


class Truth(NamedTuple):
    """What the compiler said.

    Attributes:
        files: Files that it saw.
        declared: Where each method is declared, by its documentation id: files and lines.
        named: Every place that means a method, by its line.
        calls: Those of them that are called.
    """

    files: set[str]
    declared: dict[str, list[tuple[str, int]]]
    named: set[Pair]
    calls: set[Pair]


def read_truth(table: str, folder: Path) -> Truth:
    """The calls of methods that the repository declares."""
    paths: list[str] = []
    truth = Truth(set(), defaultdict(list), set(), set())
    methods: dict[str, str] = {}
    lines: dict[str, list[str]] = {}
    with gzip.open(table, "rt", encoding="utf-8", newline="\n") as rows:
        for row in (line.rstrip("\n").split("\t") for line in rows):
            if row[0] == "P":
                paths.append(row[1])
                if not GENERATED.search(row[1]):
                    truth.files.add(row[1])
            elif row[0] == "S" and row[4] == "Method" and "#" not in row[2] and row[5]:
                if not GENERATED.search(paths[int(row[5])]):
                    methods[row[1]] = row[2]
                    truth.declared[row[2]].append((paths[int(row[5])], int(row[6])))
            elif row[0] == "D" and row[1] in methods:
                truth.declared[methods[row[1]]].append((paths[int(row[2])], int(row[3])))
            elif row[0] == "R" and row[5] in methods and not NO_CALL & set(row[6]):
                path = paths[int(row[1])]
                if path in truth.files:
                    if path not in lines:
                        lines[path] = (folder / path).read_text("utf-8-sig").split("\n")
                    end = int(row[3]) - 1 + int(row[4])
                    truth.named.add((path, int(row[2]), methods[row[5]]))
                    if CALLED.match(lines[path][int(row[2]) - 1], end):
                        truth.calls.add((path, int(row[2]), methods[row[5]]))
    return truth


def match_names(truth: Truth, folder: Path) -> set[Pair]:
    """Every call of a name, for every method of that name."""
    named: dict[str, list[str]] = defaultdict(list)
    for symbol in truth.declared:
        named[symbol.partition("(")[0].rpartition(".")[2].partition("`")[0]].append(symbol)
    found = set()
    for path in truth.files:
        for line, text in enumerate((folder / path).read_text("utf-8-sig").split("\n"), 1):
            for call in CALL.finditer(text):
                found |= {(path, line, symbol) for symbol in named.get(call[1], ())}
    return found - {(*place, symbol) for symbol, places in truth.declared.items() for place in places}


def ask_codecortex(truth: Truth, folder: Path) -> set[Pair]:
    """What this tool calls exact."""
    found = set()
    files = sorted(path for path in truth.files if (folder / path).exists())
    for start in range(0, len(files), AT_ONCE):
        asked = ("bindings", *files[start : start + AT_ONCE], "--json")
        command = [sys.executable, "-m", "codecortex", "-C", folder, *asked]
        for row in json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["bindings"]:
            if row["label"] == "exact" and row["role"] == "call" and row["symbol"] in truth.declared:
                found.add((row["file"], row["line"], row["symbol"]))
    return found


def read_codegraph(truth: Truth, database: str) -> set[Pair]:
    """CodeGraph's edges; one that leads to no method that the compiler knows has no id."""
    declared: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for symbol, places in truth.declared.items():
        for path, line in places:
            declared[path].append((line, symbol))
    rows = sqlite3.connect(database).execute(
        "SELECT s.file_path, e.line, t.file_path, t.start_line, t.end_line, t.name FROM edges e "
        "JOIN nodes s ON s.id = e.source JOIN nodes t ON t.id = e.target WHERE e.kind = 'calls'"
    )
    found = set()
    for path, line, target, first, last, name in rows:
        if path in truth.files:
            inside = [each for at, each in declared[target] if first <= at <= last and f".{name}" in each]
            found |= {(path, line, symbol) for symbol in inside or [""]}
    return found


def tell(name: str, found: set[Pair], truth: Truth) -> None:
    """A line of the table."""
    precision = len(found & truth.named) / max(len(found), 1)
    recall = len(found & truth.calls) / max(len(truth.calls), 1)
    print(f"{name:<14}{len(found):>9,} pairs   precision {precision:.4f}   recall {recall:.4f}")


def main() -> None:
    """Judge and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table")
    parser.add_argument("repository", type=Path)
    parser.add_argument("--codegraph")
    options = parser.parse_args()
    truth = read_truth(options.table, options.repository)
    print(f"{len(truth.calls):,} calls of {len(truth.declared):,} methods in {len(truth.files):,} files")
    tell("codecortex", ask_codecortex(truth, options.repository), truth)
    tell("plain names", match_names(truth, options.repository), truth)
    if options.codegraph:
        tell("CodeGraph", read_codegraph(truth, options.codegraph), truth)


if __name__ == "__main__":
    main()
