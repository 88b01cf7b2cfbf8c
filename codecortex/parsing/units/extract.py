"""Bytes of a C# file and its facts in; its units with the terms of each field out."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from typing import TYPE_CHECKING

from codecortex.model.code.types import cut_simple_name
from codecortex.model.code.units import FIELD_BITS, GLOBAL_USINGS, MOST_COUNTED, BlobUnits, DeclaredType, Field, Unit
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.model.text.terms import KEYWORDS, WORD, split_name
from codecortex.parsing.csharp.lexer import OPAQUE, find_string_end
from codecortex.parsing.decode import decode_source
from codecortex.parsing.occurrences.find import LineStarts
from codecortex.parsing.units.local_functions import find_local_functions

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from codecortex.model.code.facts import FileFacts, MemberFacts, TypeFacts

_MOST_UNITS = 0xFFFF
_MOST_LITERAL = 2000
_ABOVE = (b"///", b"//", b"[")
_TAG = compile_later(r"<[^<>\n]{0,400}>")
_NAMED = compile_later(r"\b(?:cref|name|langword)\s*=\s*[\"']([^\"'<>]*)[\"']")


class _Place(NamedTuple):
    """A member with the bytes that are its own; none where another member has them."""

    owner: TypeFacts
    member: MemberFacts
    start: int
    end: int


class _Parts(NamedTuple):
    """A source taken apart: its code with blanks for all else, and comments and literals by their offset."""

    code: bytes
    comments: list[tuple[int, str]]
    literals: list[tuple[int, str]]


def extract_units(raw: bytes, facts: FileFacts) -> BlobUnits:
    """The units of a file."""
    source = decode_source(raw)
    places = _place_members(source, facts)
    parts = _take_apart(source)
    tally = _Tally(len(places) + 1)
    local = {each.fqn for each in facts.types if each.accessibility == "file"}
    types = tuple(
        DeclaredType(each.fqn, each.kind, each.line, each.fqn.partition("+")[0] in local)
        for each in facts.types
        if not each.implicit
    )
    for name in (cut_simple_name(each.fqn) for each in types):
        tally.add_names(0, Field.TYPE, [name])
        tally.add_exact(0, Field.TYPE, name)
    if facts.scopes and any(using.everywhere for using in facts.scopes[0].usings):
        tally.add_exact(0, Field.TYPE, GLOBAL_USINGS)
    header = Counter[str]()
    for declared in facts.types:
        words = WORD.findall(" ".join([*declared.bases, *declared.type_parameters, *declared.constraints]))
        header.update([*words, cut_simple_name(declared.fqn)])
        tally.add_names(0, Field.SIGNATURE, words)
    rest = []
    inner: dict[int, tuple[str, ...]] = {}
    last = 0
    for number, place in enumerate(places, 1):
        told = _tell_member(tally, number, place)
        if place.end > place.start:
            rest.append(parts.code[last : place.start])
            last = place.end
            code = parts.code[place.start : place.end]
            _count_body(tally, number, code, told)
            inner[number] = find_local_functions(code.decode(errors="replace"))
            tally.add_names(number, Field.MEMBER, inner[number])
            for name in inner[number]:
                tally.add_exact(number, Field.MEMBER, name)
    rest.append(parts.code[last:])
    _count_body(tally, 0, b"\n".join(rest), header)
    owners = _Owners(places)
    for start, text in parts.comments:
        if text.startswith("///"):
            tally.add_words(owners.find(start), Field.DOCUMENTATION, _strip_tags(text))
        else:
            tally.add_words(owners.find(start), Field.COMMENT, text)
    for start, text in parts.literals:
        tally.add_words(owners.find(start), Field.LITERAL, text)
    return tally.close(len(source), types, [(each, inner.get(at, ())) for at, each in enumerate(places, 1)])


def _place_members(source: bytes, facts: FileFacts) -> list[_Place]:
    """The members in the order of the source, each with its lines, and of a line that several share with its part."""
    starts = LineStarts(source)
    found = [(owner, each) for owner in facts.types for each in owner.members if not each.implicit]
    found.sort(key=lambda each: (each[1].line, each[1].column, each[1].end_line, each[1].end_column))
    opened = [starts.find((each.line, each.column)) for _, each in found]
    begins = sorted({*opened, *(starts.find((each.line, each.column)) for each in facts.types)})
    places: list[_Place] = []
    free = 0  # the first byte that no member has
    following = [*opened[1:], len(source)]
    for (owner, member), own, later in zip(found[: _MOST_UNITS - 1], opened, following, strict=False):
        begin, end = max(free, own), starts.find((member.end_line, member.end_column))
        if end <= begin:
            places.append(_Place(owner, member, 0, 0))
            continue
        first, at = bisect_left(begins, begin), bisect_left(begins, end)
        if later >= end:  # what stands behind it in its line is its own, unless another begins there
            end = min(starts.find((member.end_line + 1, 1)), begins[at] if at < len(begins) else len(source))
        places.append(_Place(owner, member, _widen(source, free, begins[first - 1] if first else -1, begin), end))
        free = end
    return places


def _widen(source: bytes, free: int, before: int, begin: int) -> int:
    """Where what belongs to a member begins: its line, and attributes and comments above, unless others have them.

    Args:
        source: The source.
        free: The first byte that no member has.
        before: Where the last type or member before it begins, or -1.
        begin: Where it begins itself.
    """
    line = source.rfind(b"\n", 0, begin) + 1
    if line < max(free, before + 1):
        return begin
    while line > free:
        above = source.rfind(b"\n", free, line - 1) + 1
        if above < free or not source[above:line].lstrip().startswith(_ABOVE):
            break
        line = above
    return line


def _take_apart(source: bytes) -> _Parts:
    out: list[bytes] = []
    comments: list[tuple[int, str]] = []
    literals: list[tuple[int, str]] = []
    last, match = 0, OPAQUE.search(source)
    while match is not None:
        start, at, group = match.start(), match.end(), match.lastgroup
        out.append(source[last:start])
        if group == "c":
            comments.append((start, source[start:at].decode(errors="replace")))
        elif group != "d":
            if group == "i":
                at = find_string_end(source, start, source.index(b'"', start) + 1)
            literals.append((start, source[start : min(at, start + _MOST_LITERAL)].decode(errors="replace")))
        out.append(b" " * (at - start))
        last, match = at, OPAQUE.search(source, at)
    out.append(source[last:])
    return _Parts(b"".join(out), comments, literals)


def _strip_tags(text: str) -> str:
    """Documentation without its tags, but with the names that they hold."""
    return _TAG.sub(lambda tag: " " + " ".join(_NAMED.findall(tag[0])) + " ", text)


def _tell_member(tally: _Tally, number: int, place: _Place) -> Counter[str]:
    """Count the name and the signature; the words in them."""
    member = place.member
    pieces = [member.type, member.explicit_interface, member.receiver, *member.type_parameters, *member.constraints]
    for parameter in member.parameters:
        pieces += (parameter.type, parameter.name)
    words = WORD.findall(" ".join(pieces))
    tally.add_names(number, Field.MEMBER, [member.name])
    tally.add_exact(number, Field.MEMBER, member.name)
    tally.add_names(number, Field.SIGNATURE, words)
    return Counter([*words, member.name])


def _count_body(tally: _Tally, number: int, code: bytes, told: Counter[str]) -> None:
    """Count the names in code, but for those that were counted already."""
    names = Counter(WORD.findall(code.decode(errors="replace")))
    for name, count in told.items():
        names[name] -= count
    tally.add_counted(number, Field.BODY, names)


class _Owners:
    """Which unit has a byte."""

    def __init__(self, places: Sequence[_Place]) -> None:
        found = sorted((place.start, place.end, number) for number, place in enumerate(places, 1) if place.end)
        self._starts = [start for start, _, _ in found]
        self._found = found

    def find(self, offset: int) -> int:
        at = bisect_right(self._starts, offset) - 1
        return self._found[at][2] if at >= 0 and offset < self._found[at][1] else 0


class _Tally:
    """Counts of terms by unit and field."""

    def __init__(self, units: int) -> None:
        self._counts: list[list[Counter[str]]] = [[Counter() for _ in Field] for _ in range(units)]
        self._exact: dict[str, set[tuple[int, int]]] = {}

    def add_exact(self, unit: int, field: Field, name: str) -> None:
        self._exact.setdefault(f"#{name}", set()).add((unit, field))

    def add_names(self, unit: int, field: Field, names: Iterable[str]) -> None:
        self.add_counted(unit, field, Counter(names))

    def add_words(self, unit: int, field: Field, text: str) -> None:
        self.add_counted(unit, field, Counter(WORD.findall(text)))

    def add_counted(self, unit: int, field: Field, names: Counter[str]) -> None:
        counts, pairs = self._counts[unit][field], self._counts[unit][Field.PAIR]
        for name, count in names.items():
            if count <= 0 or name in KEYWORDS:
                continue
            split = split_name(name)
            for part in split.parts:
                counts[part] += count
            if split.whole:
                counts[split.whole] += count
                for pair in split.pairs:
                    pairs[pair] += count

    def close(
        self, size: int, types: tuple[DeclaredType, ...], places: Sequence[tuple[_Place, tuple[str, ...]]]
    ) -> BlobUnits:
        lengths = [0] * len(Field)
        totals: list[int] = []
        postings: dict[str, bytearray] = {}
        for unit, fields in enumerate(self._counts):
            total = 0
            place = unit.to_bytes(2, "little")
            for field, counts in enumerate(fields):
                amount = counts.total()
                lengths[field] += amount
                total += amount if field != Field.PAIR else 0
                for term, count in counts.items():
                    code = field << FIELD_BITS | min(count, MOST_COUNTED)
                    postings.setdefault(term, bytearray()).extend((*place, code))
            totals.append(total)
        for name, found in self._exact.items():
            rows = (bytes((*unit.to_bytes(2, "little"), field << FIELD_BITS | 1)) for unit, field in sorted(found))
            postings[name] = bytearray(b"".join(rows))
        units = [Unit("", "", 0, 0, "", abstract=False, inner=(), length=totals[0])]
        for (place_, inner), total in zip(places, totals[1:], strict=True):
            member, owner = place_.member, place_.owner
            abstract = owner.kind == "interface"
            name = cut_simple_name(owner.fqn)
            units.append(Unit(member.name, member.kind, member.line, member.end_line, name, abstract, inner, total))
        return BlobUnits(size, types, tuple(units), tuple(lengths), {k: bytes(v) for k, v in postings.items()})
