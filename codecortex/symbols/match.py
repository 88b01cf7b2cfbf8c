"""A query and the names of all types in, the types it means out."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from codecortex.model.aliases import Alias

_GENERIC = re.compile(r"<([^<>]*(?:<[^<>]*>[^<>]*)*)>")
_MOST_SUGGESTIONS = 5


class Name(NamedTuple):
    """A type that a query may mean: its id and its metadata name."""

    id: str
    fqn: str


class _Segment(NamedTuple):
    name: str
    arity: int | None


def match_types(query: str, names: Sequence[Name]) -> tuple[Name, ...]:
    """The types a query means, by metadata name: an id, a full name, the end of one, or a pattern with `*` and `?`.

    The first way that finds anything decides: the id; the full name as written, then without regard to case; the end
    of a name, likewise. A name that states no arity means the plain type where there is one, else the generic ones.
    """
    text = query.strip().removeprefix("T:").removeprefix("global::")
    if not text:
        return ()
    by_id = tuple(name for name in names if name.id == text)
    if by_id:
        return by_id
    if "*" in text or "?" in text:
        pattern = _compile(text)
        return _order(name for name in names if pattern.fullmatch(_plain(name.fqn)))
    wanted = _split(text)
    split = [(name, _split(name.fqn)) for name in names]
    for whole in (True, False):
        for fold in (False, True):
            found = [name for name, segments in split if _fits(wanted, segments, whole=whole, fold=fold)]
            if found:
                return _prefer_plain(wanted, found)
    return ()


def match_aliases(query: str, aliases: Iterable[Alias]) -> tuple[Alias, ...]:
    """The aliases whose old name or id a query means, in order of the old name; a pattern means none."""
    if "*" in query or "?" in query:
        return ()
    known = {alias.old_id: alias for alias in aliases}
    return tuple(known[name.id] for name in match_types(query, [Name(key, known[key].old_fqn) for key in known]))


def suggest_names(query: str, names: Iterable[Name]) -> tuple[str, ...]:
    """Full names of types whose own name is near the query's last segment."""
    simple: dict[str, list[str]] = {}
    for name in names:
        simple.setdefault(_split(name.fqn)[-1].name.lower(), []).append(name.fqn)
    segments = _split(query.strip())
    near = get_close_matches(
        segments[-1].name.lower() if segments else "", list(simple), n=_MOST_SUGGESTIONS, cutoff=0.6
    )
    return tuple(fqn for key in near for fqn in sorted(simple[key]))[:_MOST_SUGGESTIONS]


def _split(text: str) -> list[_Segment]:
    """Segments with arities; what stands between angles is counted, not read."""
    while "<" in text:
        shorter = _GENERIC.sub(lambda m: f"`{m[1].count(',') + 1 if m[1].strip(' ,') or ',' in m[1] else 1}", text)
        if shorter == text:
            break
        text = shorter
    segments = []
    for part in re.split(r"[.+]", text):
        name, tick, arity = part.partition("`")
        segments.append(_Segment(name.strip().lstrip("@"), int(arity) if tick and arity.isdecimal() else None))
    return [segment for segment in segments if segment.name]


def _fits(wanted: list[_Segment], segments: list[_Segment], *, whole: bool, fold: bool) -> bool:
    if not wanted or len(wanted) > len(segments) or (whole and len(wanted) != len(segments)):
        return False
    for query, own in zip(reversed(wanted), reversed(segments), strict=False):
        same = query.name.lower() == own.name.lower() if fold else query.name == own.name
        if not same or (query.arity is not None and query.arity != (own.arity or 0)):
            return False
    return True


def _prefer_plain(wanted: list[_Segment], found: list[Name]) -> tuple[Name, ...]:
    if wanted[-1].arity is None:
        plain = [name for name in found if "`" not in re.split(r"[.+]", name.fqn)[-1]]
        found = plain or found
    return _order(found)


def _order(names: Iterable[Name]) -> tuple[Name, ...]:
    return tuple(sorted(names, key=lambda name: (name.fqn, name.id)))


def _plain(fqn: str) -> str:
    return re.sub(r"`\d+", "", fqn).replace("+", ".")


def _compile(text: str) -> re.Pattern[str]:
    """Without regard to case; `*` stands for anything, so that `App.*.Node*` spans namespaces."""
    first, *others = [re.escape(piece).replace(r"\?", ".") for piece in re.split(r"\*+", _plain(text))]
    # What stands between two stars is taken where it first fits and never tried again: no query takes long.
    middle = "".join(f"(?>.*?{piece})" for piece in others[:-1])
    last = f".*{others[-1]}" if others else ""
    return re.compile(first + middle + last, re.IGNORECASE | re.DOTALL)
