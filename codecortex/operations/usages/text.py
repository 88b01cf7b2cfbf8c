"""Describes the usages of a symbol as text and as JSON values."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from codecortex.model.code.usages import Certainty
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.references.report import ReferenceReport
from codecortex.operations.result import find_next
from codecortex.operations.wording import tell_unread

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from codecortex.model.code.usages import Usage
    from codecortex.symbols.hits import Hit

_HEADINGS = {
    Certainty.DECLARATION: "declared",
    Certainty.EXACT: "exact",
    Certainty.LIKELY: "likely",
    Certainty.NAME: "by name",
    Certainty.OTHER: "by name, but surely another",
}
_COUNTED = {
    Certainty.LIKELY: "likely", Certainty.NAME: "by name", Certainty.OTHER: "other", Certainty.DECLARATION: "declared",
}  # fmt: skip
_WIDEST = 100


class Usages(NamedTuple):
    """The usages of a symbol.

    Attributes:
        hit: The symbol.
        rows: One page: declarations, then exact usages, likely ones, by name only, surely another; by path and line.
        total: Number of rows on all pages.
        offset: Number of rows before this page.
        totals: Number of rows by certainty.
        files: Number of rows on all pages, by file.
        unread: Files that could not be searched, with the reason.
        family: The documentation ids of all that counts as the member: what it overrides and implements, and so on.
        outside: Those of what assemblies declare and the family overrides or implements.
        references: How much is known of what the projects compile against.
    """

    hit: Hit
    rows: tuple[Usage, ...]
    total: int
    offset: int
    totals: Mapping[str, int]
    files: Mapping[str, int]
    unread: tuple[tuple[str, str], ...]
    family: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    references: ReferenceReport = ReferenceReport()

    def as_json(self) -> dict[str, Any]:
        """The usages as JSON values."""
        return _describe_usages(self)

    def as_text(self) -> str:
        """The usages as text."""
        return _write_usages(self)


def _describe_usages(found: Usages) -> dict[str, Any]:
    """The usages as JSON values."""
    shown = dict.fromkeys(row.file for row in found.rows)
    return {
        "symbol": _describe_symbol(found.hit),
        **({"family": list(found.family), "outside": list(found.outside)} if found.hit.member is not None else {}),
        "usages": [_describe_usage(row) for row in found.rows],
        "total": found.total,
        "totals": {**found.totals, "files": len(found.files)},
        "files": [{"file": file, "usages": found.files[file]} for file in shown],
        "nextOffset": find_next(found.offset, len(found.rows), found.total),
        "unread": [{"file": file, "reason": reason} for file, reason in found.unread],
        "references": found.references.as_json(),
    }


def _describe_symbol(hit: Hit) -> dict[str, Any]:
    record: dict[str, Any] = {"kind": str(hit.kind), "name": hit.name}
    if hit.entry is not None:
        record |= {"typeId": hit.entry.id, "fqn": hit.entry.fqn, "typeKind": hit.entry.kind}
    if hit.member is not None:
        record |= {"member": hit.member.name, "memberKind": hit.member.kind}
    if hit.redirected_from:
        record["redirectedFrom"] = hit.redirected_from
    return record


def _describe_usage(row: Usage) -> dict[str, Any]:
    inside = row.enclosing
    declared = row.certainty is Certainty.DECLARATION
    record: dict[str, Any] = {
        "file": row.file,
        "line": row.line,
        "column": row.column,
        "endColumn": row.end_column,
        "text": row.text,
        "role": row.role,
        "label": str(Certainty.EXACT if declared else row.certainty),
    }
    told = {"means": row.means, "why": row.why, "through": row.through}
    record |= {name: text for name, text in told.items() if text}
    if row.generated:
        record["generated"] = True
    if inside.fqn:
        record["enclosing"] = {"typeId": inside.type_id, "fqn": inside.fqn}
        if inside.member:
            record["enclosing"] |= {"memberId": inside.member_id, "member": inside.member}
    return record


def _write_usages(found: Usages) -> str:
    """The usages as text, grouped by certainty, then by file."""
    counts = [f"{found.totals['exact']:,} exact"]
    counts += [f"{found.totals[each]:,} {told}" for each, told in _COUNTED.items() if found.totals[each]]
    counted = ", ".join(counts)
    lines = [f"usages of {found.hit.name} ({counted})"]
    if found.hit.redirected_from:
        lines.append(f"redirected from {found.hit.redirected_from}")
    for heading, rows in groupby(found.rows, _heading):
        lines += ["", f"{heading}:", *_write_files(found, rows)]
    following = find_next(found.offset, len(found.rows), found.total)
    if following is not None:
        lines += ["", f"{found.total - following:,} more; go on with --offset {following}"]
    lines += tell_unread(found.unread)
    if found.totals[Certainty.LIKELY] or found.totals[Certainty.NAME]:
        lines += found.references.tell_missing()
    return "\n".join(lines)


def _heading(row: Usage) -> str:
    return _HEADINGS[row.certainty]


def _write_files(found: Usages, rows: Iterable[Usage]) -> list[str]:
    lines = []
    shown = Counter(row.file for row in found.rows)
    for file, group in groupby(rows, attrgetter("file")):
        inside = list(group)
        more = found.files[file] - shown[file]
        mark = " (generated)" if inside[0].generated else ""
        lines.append(f"{file}{mark}" + (f"  (and {more:,} more in this file)" if more > 0 else ""))
        places = [f"{row.line}:{row.column}" for row in inside]
        wide = max(map(len, places))
        texts = [row.text for row in inside]
        widest = min(max(map(len, texts)), _WIDEST)
        for place, row in zip(places, inside, strict=True):
            lines.append(f"  {place:<{wide}}  {row.text:<{widest}}{_write_end(row)}".rstrip())
    return lines


def _write_end(row: Usage) -> str:
    inside = row.enclosing
    own = inside.display.rpartition(".")[2] if "<" not in inside.display else inside.display
    name = f"{own}.{inside.member}" if inside.member else own
    end = f"   in {name}" if name else ""
    if row.through:
        return f"{end}   as {_cut_letter(row.through).partition('(')[0]}"
    told = f"means {_cut_letter(row.means)}" if row.certainty is Certainty.OTHER and row.means else row.why
    return f"{end}   {told}" if told else end


def _cut_letter(symbol: str) -> str:
    """A documentation id without the letter in front, for people."""
    return symbol.partition(":")[2]
