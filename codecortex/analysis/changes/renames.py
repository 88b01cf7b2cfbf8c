"""Detects renamed types among removed and added ones, and lists doubtful cases.

Two types are compared by the signatures of their public members, normalised for what a rename itself changes: the
type's own name, namespaces before names, the names of type parameters, and the names of types already found renamed.
Signatures that types have everywhere say little about which type it is.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from codecortex.analysis.changes.likeness import (
    AKIN,
    ALIKE,
    Sketch,
    family_of,
    make_sketch,
    measure_share,
    measure_sketches,
    share_words,
    weigh_signatures,
)
from codecortex.analysis.changes.pairs import LEAST_MEMBERS, group_by_name, join_groups, list_alike, list_kin
from codecortex.model.code.aliases import Alias, AliasDoubt, AliasReason
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from codecortex.model.code.types import CSharpType


_MOST_COUNT_DIFFERENCE = 2
_FEW = 3
_MOST_ROUNDS = 8
_MOST_CANDIDATES = 3
_MOST_HOLDERS = 100
"""A signature that so many added or removed types have says nothing of where a type's members went."""


_ARITY = compile_later(r"`\d+")


class Renames(NamedTuple):
    """The result of rename detection.

    Attributes:
        aliases: One for each type whose successor is known, sorted by old FQN and id.
        doubts: One for each type that a person has to decide about, in the same order.
    """

    aliases: tuple[Alias, ...]
    doubts: tuple[AliasDoubt, ...]


class _Pair(NamedTuple):
    """A removed and an added type, by their indexes, and the evidence that they are the same type."""

    old: int
    new: int
    score: float
    sure: bool
    lineage: bool
    same_name: bool
    passes: bool


def detect_renames(
    vanished: Sequence[CSharpType], appeared: Sequence[CSharpType], lineage: Mapping[str, frozenset[str]]
) -> Renames:
    """Find the successors of removed types.

    Args:
        vanished: Removed types, in their last state; each id once.
        appeared: Added types. A type in both lists with the same id is one whose name may have gone to another type: it
            is never its own successor.
        lineage: Path today to the paths that git sees as its ancestors, itself included; a missing path is its own
            ancestor.
    """
    if not vanished or not appeared:
        return Renames((), ())
    return _Search(vanished, appeared, lineage).run()


def measure_likeness(old: CSharpType, new: CSharpType, renamed: Iterable[Alias]) -> float:
    """The similarity of two types, from 0 to 1, regardless of their names and those of other renamed types."""
    names = {_simple_name(alias.old_fqn): _simple_name(alias.new_fqn) for alias in renamed}
    return measure_sketches(make_sketch(old, names), make_sketch(new, {}))


def _simple_name(fqn: str) -> str:
    return _split(fqn)[1][-1].partition("`")[0]


def rank_successors(old: CSharpType, types: Iterable[CSharpType]) -> tuple[Alias, ...]:
    """The types that a single removed type may have become: at most three, the most likely first."""
    sketch = make_sketch(old, {})
    rated = []
    for new in types:
        if family_of(new) != family_of(old):
            continue
        score, same_name = measure_sketches(sketch, make_sketch(new, {})), new.simple_name == old.simple_name
        enough = sketch.telling >= _FEW or same_name
        if (score >= AKIN and enough) or same_name:
            alias = Alias(old.id, old.fqn, new.id, new.fqn, _name_reason(old, new, None), round(score, 2))
            rated.append(((-score, not same_name, new.fqn, new.id), alias))
    return tuple(alias for _, alias in sorted(rated)[:_MOST_CANDIDATES])


class _Search:
    """One search; types are identified by their indexes in the two sorted lists."""

    def __init__(
        self, vanished: Sequence[CSharpType], appeared: Sequence[CSharpType], lineage: Mapping[str, frozenset[str]]
    ) -> None:
        self._old = sorted(vanished, key=_order)
        self._new = sorted(appeared, key=_order)
        self._kin = list_kin(self._old, self._new, lineage)
        counts = Counter(old for old, _ in self._kin), Counter(new for _, new in self._kin)
        self._lone = {(old, new) for old, new in self._kin if counts[0][old] == 1 and counts[1][new] == 1}
        self._new_sketches = [make_sketch(merged, {}) for merged in self._new]
        self._found: dict[int, _Pair] = {}
        self._taken: dict[int, int] = {}
        self._pairs: list[_Pair] = []

    def run(self) -> Renames:
        """Match in rounds: each uses the renames found in the previous one."""
        last = None
        for _ in range(_MOST_ROUNDS):
            names = self._map_names()
            containers = {_place(self._old[p.old]): _place(self._new[p.new]) for p in self._found.values()}
            if (names, containers) == last:
                break
            last = names, containers
            self._pairs = sorted(self._compare(names, containers), key=_rank)
            passing = [pair for pair in self._pairs if pair.passes]
            for pair in passing:
                free = pair.old not in self._found and pair.new not in self._taken
                if free and (pair.sure or not self._has_rival(pair, passing)):
                    self._found[pair.old] = pair
                    self._taken[pair.new] = pair.old
        self._withdraw_spread()
        return Renames(tuple(self._list_aliases()), tuple(self._list_doubts()))

    def _has_rival(self, pair: _Pair, passing: Sequence[_Pair]) -> bool:
        """Whether one type became two, or two became one, as far as the evidence goes: then none is picked."""
        evidence = pair.score, pair.lineage, pair.same_name
        return any(
            (other.old == pair.old) != (other.new == pair.new)
            and (other.score, other.lineage, other.same_name) == evidence
            and other.old not in self._found
            and other.new not in self._taken
            for other in passing
        )

    def _map_names(self) -> dict[str, str]:
        """Old simple names to new ones: of renames found, and of types that are alone in a file that was renamed.

        A wrong guess does no harm: the old name is gone, so no current signature contains it.
        """
        found = self._lone | {(pair.old, pair.new) for pair in self._found.values()}
        meanings: dict[str, set[str]] = defaultdict(set)
        for old, new in found:
            meanings[self._old[old].simple_name].add(self._new[new].simple_name)
        return {old: next(iter(new)) for old, new in sorted(meanings.items()) if len(new) == 1 and old not in new}

    def _compare(
        self, names: Mapping[str, str], containers: Mapping[tuple[str, str], tuple[str, str]]
    ) -> Iterator[_Pair]:
        """Yield every plausible pair of unmatched types, and the pairs already found, with new ratings."""
        old = {place: make_sketch(merged, names) for place, merged in enumerate(self._old)}
        settled = {(pair.old, pair.new) for pair in self._found.values()}
        wanted = set(self._kin) | settled
        wanted.update(join_groups(group_by_name(self._old), group_by_name(self._new)))
        alike = list_alike(old, dict(enumerate(self._new_sketches)))
        wanted.update(pair for pair in alike if old[pair[0]].telling >= _FEW or self._is_within(*pair))
        for left, right in sorted(wanted):
            if (pair := self._rate(left, right, old[left], containers)) is not None:
                yield pair._replace(passes=True) if (left, right) in settled else pair

    def _rate(
        self, left: int, right: int, sketch: Sketch, containers: Mapping[tuple[str, str], tuple[str, str]]
    ) -> _Pair | None:
        old, new, other = self._old[left], self._new[right], self._new_sketches[right]
        if old.id == new.id or family_of(old) != family_of(new):
            return None
        score = measure_sketches(sketch, other)
        same_name = old.simple_name == new.simple_name
        lineage = (left, right) in self._kin
        moved = containers.get((old.project, old.container)) if old.container else None
        inside = same_name and moved == (new.project, new.container)
        same_fqn = self._is_same_name(left, right)
        same_type = old.fqn == new.fqn and old.kind == new.kind
        near = score >= AKIN or same_type
        if not near and not ((left, right) in self._lone and set(old.files).isdisjoint(new.files)):
            return None  # but report what git sees as the same file as a doubt
        alike = score >= ALIKE and abs(len(sketch.public) - len(other.public)) <= _MOST_COUNT_DIFFERENCE
        sure = same_fqn or inside or (same_name and lineage)
        if min(sketch.telling, other.telling) < _FEW:
            # So few members are no evidence, and the others, though invisible outside, must not contradict it.
            named = same_name or (sketch.telling >= LEAST_MEMBERS and self._is_within(left, right))
            alike &= (lineage or named) and measure_share(sketch.whole, other.whole) >= AKIN
            if sketch.public and not sketch.telling and set(old.files).isdisjoint(new.files):
                # Files that say nothing of their own look alike to git.
                alike &= named or share_words(old.simple_name, new.simple_name)
        if not (alike or sure or lineage or same_name or score >= ALIKE):
            return None
        return _Pair(left, right, score, sure, lineage, same_name, alike or (sure and near))

    def _is_within(self, left: int, right: int) -> bool:
        """Whether one simple name is part of the other."""
        old, new = self._old[left].simple_name, self._new[right].simple_name
        return old in new or new in old

    # -- result

    def _list_aliases(self) -> Iterator[Alias]:
        final = {(pair.old, pair.new): pair for pair in self._pairs}
        reasons: dict[tuple[str, str], AliasReason] = {}
        for place in sorted(self._found, key=lambda place: self._old[place].fqn.count("+")):
            old, new = self._old[place], self._new[self._found[place].new]
            reasons[_place(old)] = _name_reason(old, new, reasons.get((old.project, old.container)))
        for place, found in sorted(self._found.items()):
            yield self._make_alias(final.get((place, found.new), found), reasons[_place(self._old[place])])

    def _make_alias(self, pair: _Pair, reason: AliasReason | None = None) -> Alias:
        old, new = self._old[pair.old], self._new[pair.new]
        return Alias(old.id, old.fqn, new.id, new.fqn, reason or _name_reason(old, new, None), round(pair.score, 2))

    def _withdraw_spread(self) -> None:
        """Take back each type that kept its simple name while its other members went to another, or joined another's.

        What it is most like keeps too little of it to be certain. A type that kept its whole name stays that type.
        """
        rated = {(pair.old, pair.new): pair for pair in self._pairs}
        weak = {
            old: pair
            for old, pair in self._found.items()
            if rated.get((old, pair.new), pair).score < ALIKE and not self._is_same_name(old, pair.new)
        }
        if not weak:
            return
        spread = self._find_spread(weak)
        gone = {old for old, pair in weak.items() if pair.new in {each.new for each in spread.get(old, ())}}
        places = {_place(self._old[old]) for old in gone}
        for old in sorted(self._found, key=lambda old: self._old[old].fqn.count("+")):
            merged, pair = self._old[old], self._found[old]
            follows = (merged.project, merged.container) in places and pair.score < ALIKE
            if old in gone or follows:
                places.add(_place(merged))
                del self._found[old], self._taken[pair.new]

    def _is_same_name(self, left: int, right: int) -> bool:
        """Whether two types have one full name, whatever their arity."""
        return _ARITY.sub("", self._old[left].fqn) == _ARITY.sub("", self._new[right].fqn)

    def _list_doubts(self) -> Iterator[AliasDoubt]:
        spread = self._find_spread({})
        rivals: dict[int, list[_Pair]] = defaultdict(list)
        for pair in self._pairs:
            rivals[pair.old].append(pair)
        for place, old in enumerate(self._old):
            found = self._found.get(place)
            others = rivals.get(place, [])
            if found is not None:
                equal = [p for p in others if p.new not in self._taken and p.passes and p.score >= found.score]
                # A match by both name and file is certain.
                told = [found, *equal] if equal and not found.sure else []
                why = "taken, but another is as like it"
            elif place in spread:
                known = {pair.new for pair in spread[place]}
                like = (p for p in others if p.new not in known and p.new not in self._taken)
                told, why = [*spread[place], *(p for p in like if p.passes or p.lineage or p.same_name)], _SPLIT
            elif any(pair.passes for pair in others):
                told = [p for p in others if p.passes]
                free = any(p.new not in self._taken for p in told)
                why = _SPLIT if free else "what it is like became another type's successor"
            else:
                told = [p for p in others if p.new not in self._taken and (p.lineage or p.same_name)]
                why = "too little alike to be sure"
            if told:
                candidates = tuple(self._make_alias(pair) for pair in told[:_MOST_CANDIDATES])
                yield AliasDoubt(old.id, old.fqn, candidates, why)

    def _find_spread(self, weak: Mapping[int, _Pair]) -> dict[int, list[_Pair]]:
        """The removed types whose members are in several added ones now, or with those of others in one: who has them.

        Only types without a successor and added types that succeed nobody count, and those of the weak pairs; the most
        alike come first.
        """
        names = self._map_names()
        free = {pair.new for pair in weak.values()}
        old = {n: make_sketch(merged, names) for n, merged in enumerate(self._old) if n not in self._found or n in weak}
        new = {n: sketch for n, sketch in enumerate(self._new_sketches) if n not in self._taken or n in free}
        pairs: set[tuple[int, int]] = set()
        for family in {family_of(self._old[n]) for n in old}:
            before = {n: sketch for n, sketch in old.items() if family_of(self._old[n]) == family}
            after = {n: sketch for n, sketch in new.items() if family_of(self._new[n]) == family}
            pairs |= {(whole, part) for whole, parts in _list_spread(before, after) for part in parts}
            pairs |= {(part, whole) for whole, parts in _list_spread(after, before) for part in parts}
        found: dict[int, list[_Pair]] = defaultdict(list)
        for left, right in pairs:
            score = measure_sketches(old[left], new[right])
            found[left].append(_Pair(left, right, score, sure=False, lineage=False, same_name=False, passes=False))
        return {left: sorted(each, key=_rank) for left, each in found.items()}


_SPLIT = "one type became several or several became one: nothing says which"


def _order(merged: CSharpType) -> tuple[str, str]:
    return merged.fqn, merged.id


def _place(merged: CSharpType) -> tuple[str, str]:
    return merged.project, merged.fqn


def _rank(pair: _Pair) -> tuple[bool, float, bool, bool, int, int]:
    """Sort key, most likely first: certain pairs, then by similarity, file, name, and order of names."""
    return not pair.sure, -pair.score, not pair.lineage, not pair.same_name, pair.old, pair.new


def _name_reason(old: CSharpType, new: CSharpType, outer: AliasReason | None) -> AliasReason:
    """What changed; a nested type that kept its name has the reason of its container."""
    if old.fqn == new.fqn and old.kind == new.kind:
        return AliasReason.RENAME if old.project == new.project else AliasReason.PROJECT
    reason = name_reason(old.fqn, new.fqn)
    same_depth = old.fqn.count("+") == new.fqn.count("+")
    return outer if outer is not None and reason is AliasReason.NESTING and same_depth else reason


def name_reason(old: str, new: str) -> AliasReason:
    """The difference between two FQNs, as a reason."""
    (space, types), (space_now, types_now) = _split(old), _split(new)
    if types[-1] != types_now[-1] or old == new:
        return AliasReason.RENAME
    return AliasReason.NAMESPACE_MOVE if types == types_now and space != space_now else AliasReason.NESTING


def _split(fqn: str) -> tuple[str, list[str]]:
    """The namespace, and the names of the type and its containers, outermost first."""
    outermost, *inner = fqn.split("+")
    space, _, name = outermost.rpartition(".")
    return space, [name, *inner]


# -- similarity


def _list_spread(wholes: Mapping[int, Sketch], parts: Mapping[int, Sketch]) -> Iterator[tuple[int, list[int]]]:
    """Each type of which nearly all public members are spread over others that have hardly any beside them."""
    holders: dict[str, list[int]] = defaultdict(list)
    for place, sketch in parts.items():
        if sketch.telling >= _FEW:
            for signature in sketch.public:
                holders[signature].append(place)
    for place, sketch in wholes.items():
        known = [holders[each] for each in sketch.public if len(holders.get(each, ())) in range(1, _MOST_HOLDERS)]
        shared = Counter(part for each in known for part in each)
        within = [
            part
            for part, number in sorted(shared.items())
            if number >= _FEW
            and weigh_signatures(parts[part].public & sketch.public) >= ALIKE * weigh_signatures(parts[part].public)
        ]
        together = frozenset[str]().union(*(parts[part].public for part in within))
        if len(within) > 1 and weigh_signatures(together & sketch.public) >= ALIKE * weigh_signatures(sketch.public):
            yield place, within


# -- which pairs are worth comparing
