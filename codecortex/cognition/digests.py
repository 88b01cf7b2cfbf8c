"""What answers to names now: each is looked up once, and taken from records where no change has reached it."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from codecortex.model.cognition.records import WIDTH

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from codecortex.model.cognition.records import Name, Record

_SPACE = itemgetter(0)


class Digests:
    """The digests of what answers to names.

    Args:
        look_up: Looks up the digests of names in a space, in their order.
    """

    def __init__(self, look_up: Callable[[str, Sequence[str]], Iterable[bytes]]) -> None:
        self._look_up = look_up
        self._known: dict[str, dict[str, bytes]] = {}

    def find(self, space: str, names: Sequence[str]) -> dict[str, bytes]:
        """The digest of what answers to each name in a space."""
        known = self._known.setdefault(space, {})
        try:
            return {name: known[name] for name in names}
        except KeyError:
            missing = [name for name in dict.fromkeys(names) if name not in known]
        known.update(zip(missing, self._look_up(space, missing), strict=True))
        return {name: known[name] for name in names}

    def put(self, space: str, found: Mapping[str, bytes]) -> None:
        """Take in what answers to names."""
        self._known.setdefault(space, {}).update(found)

    def recall(self, record: Record, spaces: Collection[str], changed: Collection[Name] | None) -> list[Name]:
        """Take in what a record says of the names in some spaces that answer as they did when it was made.

        Args:
            record: The record.
            spaces: The spaces of whose names it is known which have changed.
            changed: These names; None where that is not known.

        Returns:
            The names that the record has read and of which nothing is known yet.
        """
        missing, known, digests = [], self._known, record.digests
        none: Mapping[str, bytes] = {}
        for at, name in enumerate(record.reads):
            space, text = name
            if text in known.get(space, none):
                continue
            if changed is None or name in changed or space not in spaces:
                missing.append(name)
            else:
                known.setdefault(space, {})[text] = digests[at * WIDTH : at * WIDTH + WIDTH]
        return missing

    def hold(self, record: Record, spaces: Collection[str]) -> bool:
        """Whether the inputs of a record, which are in some spaces, are what they were.

        Where that is not known of all, they are looked up in the order they were asked for, as later ones rest on
        earlier.
        """
        known = self._known
        try:
            return b"".join([known[space][name] for space, name in record.reads]) == record.digests
        except KeyError:
            pass
        at = 0
        for space, group in groupby(record.reads, key=_SPACE):
            names = [name for _, name in group]
            end = at + WIDTH * len(names)
            if space not in spaces:
                return False  # what it was made from is damaged
            if b"".join(self.find(space, names).values()) != record.digests[at:end]:
                return False
            at = end
        return True
