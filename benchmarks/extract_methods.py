"""Extracts methods from random ranges, and compiles what was applied.

    python benchmarks/extract_methods.py REPOSITORY COUNT SEED FOLDER... [--compile ARGUMENTS.rsp...] [--expressions]

REPOSITORY is a checkout; ranges of whole statements, or expressions, are drawn from the C# files below the folders
(relative to it). For each range the reason of a refusal is told; at last the share that was applied. A response file
holds the arguments of `csc` of one project, a line each, as `dotnet msbuild -t:Compile -p:SkipCompilerExecution=true
-p:ProvideCommandLineArgs=true -p:NonExistentFile=none -getItem:CscCommandLineArgs` gives them, with absolute paths;
`CSC` in the environment is the command that takes them. Edits of different files are compiled together, and alone
where that fails: errors that the project has without edits do not count.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shlex
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from codecortex.editing.refactoring.selections import open_all
from codecortex.model.errors import CodecortexError
from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.refactoring.extraction import bound
from codecortex.operations.refactoring.extraction.method import SPAN, plan_method
from codecortex.operations.request import Request
from codecortex.parsing.syntax.read import read_syntax

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from codecortex.operations.bindings.sources import Sources
    from codecortex.operations.references.references import Reach

NAME = "ExtractedHere"
_ERROR = re.compile(r"error (CS\d+): .*")
_LISTS = ("block", "switch_section")
_OUTPUTS = ("/out:", "/refout:", "/doc:", "/errorlog", "/pdb", "/generatedfilesout", "/noconfig")
_MOST_STATEMENTS = 5


class Range(NamedTuple):
    """A part of a file, in bytes."""

    path: Path
    start: int
    end: int


class Applied(NamedTuple):
    """An edit: where it was asked for, and what its file says afterwards."""

    where: str
    path: Path
    text: bytes


def list_ranges(path: Path, text: bytes, *, expressions: bool) -> Iterator[Range]:
    """Every run of up to five statements of a file, or every expression."""
    root = read_syntax(text, frozenset()).root
    open_all(root)
    for node in root.walk():
        if expressions and node.kind.endswith("_expression") and node.kind != "lambda_expression":
            yield Range(path, node.start, node.end)
        if expressions or node.kind not in _LISTS:
            continue
        rows = [each for each in node.nodes if each.kind.endswith("_statement") or each.kind == "block"]
        for first, begin in enumerate(rows):
            yield from (Range(path, begin.start, last.end) for last in rows[first : first + _MOST_STATEMENTS])


def place(text: bytes, offset: int) -> str:
    """Line and column of an offset."""
    start = text.rfind(b"\n", 0, offset) + 1
    line = text.count(b"\n", 0, offset) + 1
    return f"{line}:{len(text[start:offset].decode()) + 1}"


def compile_with(arguments: Sequence[str], texts: Mapping[str, bytes], work: Path) -> Counter[str]:
    """The errors of a project with other texts for some files."""
    rows = []
    for number, row in enumerate(arguments):
        found = texts.get(row.strip('"'))
        if found is not None:
            target = work / f"{number}.cs"
            target.write_bytes(found)
            row = f'"{target}"'  # noqa: PLW2901 - the same argument
        rows.append(row)
    response = work / "csc.rsp"
    kept = [row for row in rows if not row.startswith(_OUTPUTS)]
    response.write_text("\n".join([*kept, f"/out:{work / 'out.dll'}", "/warnaserror-"]))
    command = [*shlex.split(os.environ["CSC"]), "/noconfig", f"@{response}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return Counter(match[0] for line in done.stdout.splitlines() if (match := _ERROR.search(line)))


def judge(edits: Sequence[Applied], response: Path) -> Iterator[tuple[str, str]]:
    """The edits after which a project no longer compiles, with the first error."""
    arguments = response.read_text().splitlines()
    compiled = {row.strip('"') for row in arguments}
    todo = [each for each in edits if str(each.path) in compiled]
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        base = compile_with(arguments, {}, work)
        print(f"{response.name}: {sum(base.values())} errors before, {len(todo)} edits", flush=True)
        while todo:
            batch = {each.path: each for each in todo}
            todo = [each for each in todo if batch[each.path] is not each]
            if compile_with(arguments, {str(path): each.text for path, each in batch.items()}, work) - base:
                for each in batch.values():
                    errors = compile_with(arguments, {str(each.path): each.text}, work) - base
                    if errors:
                        yield each.where, next(iter(errors))


def declare_once(declare: Callable[..., Sources]) -> Callable[[Workspace, set[str], Reach], Sources]:
    """Declare a project's sources once for all ranges of its files."""
    known: dict[tuple[str, ...], Sources] = {}

    def run(workspace: Workspace, paths: set[str], reach: Reach) -> Sources:
        [path] = paths
        projects = tuple(each.path for each in workspace.projects if path in each.files)
        if projects not in known:
            known[projects] = declare(
                workspace, {file for each in workspace.projects if each.path in projects for file in each.files}, reach
            )
        return known[projects]

    return run


def extract(root: Path, chosen: Sequence[Range], texts: Mapping[Path, bytes]) -> list[Applied]:
    """Extract each range; tell what was refused, and why."""
    applied, reasons = [], Counter[str]()
    started = time.process_time()
    with Workspace(Request(root)) as workspace:
        for path, start, end in chosen:
            where = f"{path.relative_to(root)}:{place(texts[path], start)}-{place(texts[path], end)}"
            placed = SPAN.fullmatch(where)
            if placed is None:
                raise ValueError(where)
            try:
                [file] = plan_method(workspace, placed, NAME).files
            except CodecortexError as problem:
                why = str(problem).partition("cannot become a method: ")[2] or str(problem)
                reasons[re.sub(r"\S+:\d+:\d+: ", "", why)] += 1
                print(f"- {where} {why}", flush=True)
                continue
            if file.after is not None:
                applied.append(Applied(where, path, file.after.encode()))
            print(f"+ {where}", flush=True)
    took = time.process_time() - started
    print(f"{len(applied)} of {len(chosen)} applied, {len(applied) / len(chosen):.3f}; {took:.0f} s of CPU")
    for why, count in reasons.most_common():
        print(f"{count:5} {why}")
    return applied


def main() -> None:
    """Draw ranges, extract them, compile what was applied."""
    parser = argparse.ArgumentParser()
    parser.add_argument("repository", type=Path)
    parser.add_argument("count", type=int)
    parser.add_argument("seed", type=int)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--compile", nargs="*", default=[], type=Path)
    parser.add_argument("--expressions", action="store_true")
    given = parser.parse_args()
    root = given.repository.resolve()
    found = (path for folder in given.folders for path in (root / folder).rglob("*.cs"))
    files = sorted(path for path in found if "obj" not in path.parts)
    texts = {path: path.read_bytes().removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n") for path in files}
    ranges = [each for path in files for each in list_ranges(path, texts[path], expressions=given.expressions)]
    chosen = random.Random(given.seed).sample(ranges, min(given.count, len(ranges)))  # noqa: S311 - repeatable
    bound.declare_sources = declare_once(bound.declare_sources)  # type: ignore[assignment]
    applied = extract(root, chosen, texts)
    broken = [each for response in given.compile for each in judge(applied, response)]
    for where, error in broken:
        print(f"! {where} {error}")
    print(f"{len(broken)} of {len(applied)} do not compile")


if __name__ == "__main__":
    main()
