"""Checks evidence against the tree: each symbol resolves, and each quoted line says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.git.contents import read_contents
from codecortex.model.errors import CodecortexError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.catalog.describe import read_types
from codecortex.operations.queries.resolve import explain_nothing, list_hits, read_query
from codecortex.parsing.decode import decode_source
from codecortex.symbols.hits import Flag

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codecortex.model.code.types import TypeId
    from codecortex.model.investigations.values import Evidence
    from codecortex.operations.catalog.workspace import Workspace

_LEAST_WORDS = 3
_MOST_NAMED = 4


class Checked(NamedTuple):
    """Evidence held against a tree.

    Attributes:
        evidence: It, with the line where the words stand now.
        types: The types that it rests on.
        problem: What is wrong with it, as a sentence; empty if it holds.
    """

    evidence: Evidence
    types: tuple[TypeId, ...] = ()
    problem: str = ""


def check_evidence(workspace: Workspace, evidence: Sequence[Evidence]) -> list[Checked]:
    """Hold each piece of evidence against the tree."""
    lines = _read_lines(workspace, [each.path for each in evidence if each.path])
    return [_check_symbol(workspace, each) if each.symbol else _check_line(workspace, each, lines) for each in evidence]


def _check_symbol(workspace: Workspace, evidence: Evidence) -> Checked:
    try:
        query = read_query(evidence.symbol)
        hits = list_hits(workspace, query)
    except CodecortexError as problem:
        return Checked(evidence, problem=problem.message)
    if not hits or Flag.FUZZY in hits[0].flags:
        missing = explain_nothing(workspace, query, hits)
        return Checked(evidence, problem=f"No such symbol: `{evidence.symbol}`. {missing.hint}")
    best = [hit for hit in hits if hit.score == hits[0].score and hit.kind is hits[0].kind]
    places = {(hit.entry.id if hit.entry else "", hit.member.name if hit.member else ""): hit for hit in best}
    if len(places) > 1:
        named = [hit.entry.fqn if hit.entry else hit.name for hit in places.values()]
        names = ", ".join(f"`{name}`" for name in named[:_MOST_NAMED])
        return Checked(evidence, problem=f"`{evidence.symbol}` means {len(places)} symbols: {names}. Name one of them.")
    entry = hits[0].entry
    return Checked(evidence, (entry.id,) if entry is not None else ())


def _check_line(workspace: Workspace, evidence: Evidence, lines: dict[str, list[str]]) -> Checked:
    path, quote = evidence.path, _fold(evidence.quote)
    if path not in lines:
        return Checked(evidence, problem=f"No source `{path}` is read here.")
    if len(quote) < _LEAST_WORDS:
        return Checked(evidence, problem=f"{evidence.place}: quote more of the line than `{evidence.quote}`.")
    found = [number for number, line in enumerate(lines[path], 1) if quote in _fold(line)]
    if not found:
        total = len(lines[path])
        says = f" It says `{lines[path][evidence.line - 1].strip()}`." if evidence.line <= total else ""
        return Checked(evidence, problem=f"{evidence.place} does not say `{evidence.quote}`, nor any other line.{says}")
    line = min(found, key=lambda number: (abs(number - evidence.line), number))
    owner = _find_owner(workspace, path, line)
    return Checked(evidence._replace(line=line), (owner,) if owner is not None else ())


def _fold(text: str) -> str:
    return " ".join(text.split())


def _read_lines(workspace: Workspace, paths: Sequence[str]) -> dict[str, list[str]]:
    sources = workspace.tree.sources.sources
    entries = [sources[path] for path in dict.fromkeys(paths) if path in sources]
    return {
        content.entry.path: decode_source(content.data).decode("utf-8", "replace").split("\n")
        for content in read_contents(workspace.repository, entries)
        if content.data is not None
    }


def _find_owner(workspace: Workspace, path: str, line: int) -> TypeId | None:
    """The innermost type whose declaration contains a line."""
    near = [entry.id for entry in workspace.catalog.types if path in entry.files]
    found: tuple[int, TypeId] | None = None
    for type_id, declared in read_types(workspace, near).items():
        for part in declared.type.parts:
            facts = part.facts
            inside = part.path == path and facts.line <= line <= facts.end_line
            if inside and (found is None or facts.line > found[0]):
                found = (facts.line, type_id)
    return found[1] if found is not None else None
