"""Ranked files with their members, and a budget, in; a text that never takes more than that, out.

Half of the budget goes to names: which files, which types, which members, as long as a name is worth its tokens. The
other half goes to bodies of the best members, and to signatures where no further body fits. Blocks stand in the order
of rank, so that whoever cuts the end off loses what is least likely wanted. A line of source is indented, every other
line is not, so that no source can pass for the text around it.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from math import sqrt
from typing import TYPE_CHECKING

from codecortex.context.retrieval.endings import choose_ending, name_further
from codecortex.model.hashing import base32, digest_bytes
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.text.visible import show_line

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from codecortex.context.retrieval.endings import EndLine
    from codecortex.context.retrieval.members import RankedMember
    from codecortex.context.retrieval.ranking import RankedFile
    from codecortex.model.code.units import Unit

MOST_FILES = 150
SOURCE_FILES = 18
_BODY_FILES = 16
_BODIES, _CARRIED = 0.48, 0.9
_FIRST_NAMES, _MEMBER_WORTH = 3, 0.5
_LONG_BODY, _HEAD_LINES, _BEFORE, _AFTER = 40, 4, 2, 3
_MOST_OVERLOADS, _LEAST_ROOM, _MOST_TYPES, _MOST_INNER = 2, 20, 40, 3
_HEADERS, _LONGEST_HEADER, _LONGEST_SIGNATURE, _LONGEST_LINE = 3, 100, 110, 400


class FileSource(NamedTuple):
    """What of a file is shown besides names.

    Attributes:
        lines: Its text.
        headers: Of its types, by first line.
        signatures: Of its members, by first line.
    """

    lines: Sequence[str]
    headers: Mapping[int, str]
    signatures: Mapping[int, Sequence[str]]


class Candidate(NamedTuple):
    """A file that may be shown.

    Attributes:
        file: It.
        types: Names and first lines of its types.
        members: Best first.
    """

    file: RankedFile
    types: Sequence[tuple[str, int]]
    members: Sequence[RankedMember]


class Wanted(NamedTuple):
    """How a text is to be made.

    Attributes:
        budget: The most tokens that it may take.
        count: What counts them.
        read: The source of a candidate, by its place; None where it cannot be read.
        rate: How much of the question a line of source holds.
        after: Lines that follow the files, the least important last.
        tests: Paths to be named behind them, the likeliest first.
        seen: By digest of a body that the reader has, the round of the conversation in which it was shown.
    """

    budget: int
    count: Callable[[str], int]
    read: Callable[[int], FileSource | None]
    rate: Callable[[str], float]
    after: Sequence[EndLine]
    tests: Sequence[str] = ()
    seen: Mapping[str, int] = {}


class Shown(NamedTuple):
    """What is shown of one file.

    Attributes:
        place: Its place among the candidates.
        bodies: Members shown whole.
        signatures: Members shown by signature.
        names: Further members.
        digests: Those of the bodies.
        seen: Members that an earlier round showed, and which.
    """

    place: int
    bodies: tuple[RankedMember, ...]
    signatures: tuple[RankedMember, ...]
    names: tuple[str, ...]
    digests: tuple[str, ...] = ()
    seen: tuple[tuple[RankedMember, int], ...] = ()


class Rendered(NamedTuple):
    """A text, the tokens it takes, and what is in it."""

    text: str
    tokens: int
    shown: tuple[Shown, ...]


def render(candidates: Sequence[Candidate], wanted: Wanted) -> Rendered:
    """The text."""
    candidates = candidates[:MOST_FILES]
    costs = _Costs(wanted.count)
    ending = choose_ending(wanted.after, wanted.tests, wanted.budget, costs.of)
    budget = max(wanted.budget - sum(costs.of(f"{line}\n") for line in ending), 0)
    core = budget * (1 - _BODIES)
    names, used = _choose_names(candidates, core, costs)
    left = budget - used
    chosen = sorted(names)
    bodies, rest = _choose_bodies(candidates, chosen, (min(budget * _BODIES, left), wanted), costs)
    signatures = _choose_signatures(candidates, chosen, bodies, (_CARRIED * rest, wanted), costs)
    blocks = [_write_block(candidates[place], place, (names[place], bodies, signatures), wanted) for place in chosen]
    return _fit(blocks, ending, [each.file.path for each in candidates], wanted)


class _Costs:
    """Tokens of pieces of text; each is counted once."""

    def __init__(self, count: Callable[[str], int]) -> None:
        self._count = count
        self._known: dict[str, int] = {}

    def of(self, text: str) -> int:
        found = self._known.get(text)
        if found is None:
            found = self._known[text] = self._count(text)
        return found


def _list_heads(candidate: Candidate, source: FileSource | None) -> list[str]:
    """The path, the headers of the first types, the names of the others."""
    headers = []
    for name, line in candidate.types[:_HEADERS]:
        place, header = (f"{line}: ", source.headers.get(line, name)) if source is not None else ("", name)
        headers.append(place + _cut(header, _LONGEST_HEADER))
    if source is None:
        headers = [", ".join(dict.fromkeys(headers))] if headers else []
    others = list(dict.fromkeys(show_line(name) for name, _ in candidate.types[_HEADERS:]))
    if others:
        headers.append("types: " + ", ".join(others[:_MOST_TYPES]))
    return [show_line(candidate.file.path), *headers]


def _choose_names(
    candidates: Sequence[Candidate], room: float, costs: _Costs
) -> tuple[dict[int, list[RankedMember]], float]:
    """By place of a file, the members that are named; greedy by worth for a token.

    Of a file's first step the root of the cost counts: a long path must not keep a likely file out, and a further file
    goes before further names. The first files begin with some names, the others with none.
    """
    listed = [list(_drop_overloads(each.members)) for each in candidates]
    heap: list[tuple[float, int, int]] = []
    for place, each in enumerate(candidates):
        first = listed[place][: _count_first(place)]
        cost = costs.of("\n".join(_list_heads(each, None)) + "\n") + _count_names(first, place, costs) + 2
        worth = each.file.sure * (1 + _MEMBER_WORTH * sum(one.sure for one in first))
        heap.append((-worth / sqrt(cost), place, cost))
    heapify(heap)
    chosen: dict[int, list[RankedMember]] = {}
    used = 0
    while heap:
        _, place, cost = heappop(heap)
        if used + cost > room:
            continue
        used += cost
        members = listed[place]
        if place not in chosen:
            chosen[place] = members[: _count_first(place)]
        else:
            chosen[place].append(members[len(chosen[place])])
        if len(chosen[place]) < len(members):
            one = members[len(chosen[place])]
            cost = _count_names([one], place, costs)
            heappush(heap, (-_MEMBER_WORTH * candidates[place].file.sure * one.sure / (cost + 0.3), place, cost))
    return chosen, used


def _count_first(place: int) -> int:
    """How many names a file begins with: those with lines help to read on, others are worth less than another file."""
    return _FIRST_NAMES if place < SOURCE_FILES else 0


def _drop_overloads(members: Sequence[RankedMember]) -> Sequence[RankedMember]:
    return list({member.unit.called: member for member in reversed(members)}.values())[::-1]


def _count_names(members: Sequence[RankedMember], place: int, costs: _Costs) -> int:
    return sum(costs.of(f", {_name_member(member, place)}") for member in members)


def _name_member(member: RankedMember, place: int) -> str:
    """The name of a member; in the first files with its lines, so that they can be read in one step, and functions."""
    unit = member.unit
    name = show_line(unit.called)
    return f"{name} {_write_range(unit.line, unit.end_line)}{_name_inner(unit)}" if place < SOURCE_FILES else name


def _name_inner(unit: Unit) -> str:
    """The names of the first functions in a member, behind its own."""
    return f" (local {' '.join(map(show_line, unit.inner[:_MOST_INNER]))})" if unit.inner else ""


def _write_range(first: int, last: int) -> str:
    return f"{first}-{last}" if last > first else f"{first}"


class _Body(NamedTuple):
    """The lines of a member, their digest, and the round that showed them, so that the lines only say so; else 0."""

    lines: list[str]
    digest: str
    round: int


def _choose_bodies(
    candidates: Sequence[Candidate], chosen: Sequence[int], how: tuple[float, Wanted], costs: _Costs
) -> tuple[dict[tuple[int, int], _Body], float]:
    """By place of a file and first line of a member, its body; and what room is left."""
    room, wanted = how
    rows = []
    for place in chosen[:_BODY_FILES]:
        for member in candidates[place].members:
            lines = member.unit.end_line - member.unit.line + 1
            worth = candidates[place].file.sure * member.sure / (min(lines, _LONG_BODY) + 3) ** 0.35
            rows.append((-worth, place, member.unit.line, member))
    rows.sort(key=lambda row: row[:3])
    bodies: dict[tuple[int, int], _Body] = {}
    overloads: dict[tuple[int, str], int] = {}
    for _, place, line, member in rows:
        key = (place, member.unit.called)
        if overloads.get(key, 0) >= _MOST_OVERLOADS or (place, line) in bodies or room < _LEAST_ROOM:
            continue
        source = wanted.read(place)
        if source is None:
            continue
        body = _recall(candidates[place], member, _write_body(member, source, wanted.rate), wanted.seen)
        cost = costs.of("\n".join(body.lines) + "\n")
        if body.lines and cost <= room:
            room -= cost
            bodies[place, line] = body
            overloads[key] = overloads.get(key, 0) + 1
    return bodies, room


def _recall(candidate: Candidate, member: RankedMember, lines: list[str], seen: Mapping[str, int]) -> _Body:
    """The body of a member; where the reader has it, a line that says so. Where it stands in its file is no matter."""
    unit = member.unit
    text = (line if line.startswith("  ") else "" for line in lines)
    parts = (part.encode("utf-8", "surrogatepass") for part in (candidate.file.path, unit.owner, unit.name, *text))
    digest = base32(digest_bytes("body", parts), 10)
    number = seen.get(digest, 0)
    return _Body(
        [f"{unit.line}: {show_line(unit.called)}: shown in round {number}"] if number else lines, digest, number
    )


def _write_body(member: RankedMember, source: FileSource, rate: Callable[[str], float]) -> list[str]:
    """The lines of a member below where it stands; of a long one, its head and what is near the question."""
    unit = member.unit
    numbers = range(unit.line, min(unit.end_line, len(source.lines)) + 1)
    spans = [(unit.line, min(unit.end_line, len(source.lines)))]
    if len(numbers) > _LONG_BODY:
        spans = _choose_windows(unit.line, numbers[-1], source.lines, rate)
    lines = [source.lines[number - 1] for first, last in spans for number in range(first, last + 1)]
    filled = [line for line in lines if line.strip()]
    indented = [line for line in filled if not line.lstrip().startswith("#")] or filled
    indent = min((len(line) - len(line.lstrip()) for line in indented), default=0)
    out = []
    for first, last in spans:
        out.append(f"{_write_range(first, last)}:")
        shown = (source.lines[number - 1] for number in range(first, last + 1))
        out += [f"  {_cut(_dedent(line, indent), _LONGEST_LINE)}" for line in shown if line.strip()]
    return out


def _dedent(line: str, indent: int) -> str:
    """A line without an indent that it may have less of, as directives do."""
    return line[min(indent, len(line) - len(line.lstrip())) :].rstrip()


def _cut(text: str, most: int) -> str:
    """A text on one line; of a long one, its beginning and a sign that it goes on."""
    shown = show_line(text)
    return shown if len(shown) <= most else f"{shown[: most - 1]}…"


def _choose_windows(first: int, last: int, lines: Sequence[str], rate: Callable[[str], float]) -> list[tuple[int, int]]:
    rated = [(-rate(lines[number - 1]), number) for number in range(first + _HEAD_LINES, last + 1)]
    taken = set(range(first, first + _HEAD_LINES))
    for worth, number in sorted(rated):
        if worth == 0 or len(taken) >= _LONG_BODY - _BEFORE - _AFTER:
            break
        taken |= set(range(max(number - _BEFORE, first), min(number + _AFTER, last) + 1))
    spans: list[tuple[int, int]] = []
    for number in sorted(taken):
        if spans and spans[-1][1] == number - 1:
            spans[-1] = (spans[-1][0], number)
        else:
            spans.append((number, number))
    return spans


def _choose_signatures(
    candidates: Sequence[Candidate],
    chosen: Sequence[int],
    bodies: Collection[tuple[int, int]],
    how: tuple[float, Wanted],
    costs: _Costs,
) -> dict[tuple[int, int], list[str]]:
    room, wanted = how
    rows = [
        (-candidates[place].file.sure * member.sure, place, member.unit.line, member.unit)
        for place in chosen[:SOURCE_FILES]
        for member in candidates[place].members
        if (place, member.unit.line) not in bodies
    ]
    signatures: dict[tuple[int, int], list[str]] = {}
    for _, place, line, unit in sorted(rows, key=lambda row: row[:3]):
        source = wanted.read(place) if room > 0 and (place, line) not in signatures else None
        if source is None:
            continue
        told = source.signatures.get(line, ())[:1]
        text = [f"{line}: {_cut(one, _LONGEST_SIGNATURE)}{_name_inner(unit)}" for one in told]
        cost = costs.of("\n".join(text) + "\n")
        if text and cost <= room:
            room -= cost
            signatures[place, line] = text
    return signatures


class _Block(NamedTuple):
    shown: Shown
    lines: list[str]


def _write_block(
    candidate: Candidate,
    place: int,
    parts: tuple[Sequence[RankedMember], Mapping[tuple[int, int], _Body], Mapping[tuple[int, int], list[str]]],
    wanted: Wanted,
) -> _Block:
    named, bodies, signatures = parts
    source = wanted.read(place) if place < SOURCE_FILES else None
    lines = _list_heads(candidate, source)
    whole, brief, again, told = [], [], [], set()
    for member in sorted(candidate.members, key=lambda each: (each.unit.line, each.unit.called)):
        key = (place, member.unit.line)
        if key in bodies and member.unit.line not in told:
            lines += bodies[key].lines
            if bodies[key].round:
                again.append((member, bodies[key].round))
            else:
                whole.append((member, bodies[key].digest))
        elif key in signatures and member.unit.line not in told:
            lines += signatures[key]
            brief.append(member)
        if key in bodies or key in signatures:
            told.add(member.unit.line)
    listed = {member.unit.called for member in (*(each for each, _ in (*whole, *again)), *brief)}
    others = [member for member in named if member.unit.called not in listed]
    names = tuple(show_line(member.unit.called) for member in others)
    if others:
        lines.append("members: " + ", ".join(_name_member(member, place) for member in others))
    bodied, digests = tuple(each for each, _ in whole), tuple(digest for _, digest in whole)
    return _Block(Shown(place, bodied, tuple(brief), names, digests, tuple(again)), lines)


def _fit(blocks: Sequence[_Block], ending: Sequence[str], paths: Sequence[str], wanted: Wanted) -> Rendered:
    """The text of as many blocks as the budget has room for, from the first on; what is left names further files."""

    def write(amount: int, last: Sequence[str]) -> str:
        return "\n".join([*(line for block in blocks[:amount] for line in block.lines), *last])

    low, high, last = 0, len(blocks), list(ending)
    if wanted.count(write(high, last)) > wanted.budget:
        while low < high:
            middle = (low + high + 1) // 2
            if wanted.count(write(middle, last)) <= wanted.budget:
                low = middle
            else:
                high = middle - 1
    shown = tuple(block.shown for block in blocks[:high])
    while last and wanted.count(write(high, last)) > wanted.budget:
        last.pop()
    text = write(high, last)
    held = {each.place for each in shown}
    left = [path for place, path in enumerate(paths) if place not in held]
    more = write(high, [*last, *name_further(left, wanted.budget, wanted.count(text), wanted.count)])
    text = more if wanted.count(more) <= wanted.budget else text
    return Rendered(text, wanted.count(text), shown)
