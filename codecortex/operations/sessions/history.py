"""The versions of a session, read only as far as somebody looks: a long session answers as fast as a short one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.git.sessions.chains import read_chain
from codecortex.model.errors import StoreFormatError
from codecortex.operations.sessions.versions import FIRST, list_versions, make_version, read_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codecortex.git.repository import Repository
    from codecortex.model.sessions import Version
    from codecortex.operations.sessions.versions import Session

_FIRST_READ = 32
"""Versions that are read at once to begin with; four times as many each further time."""
_HINT = "No session wrote it: `codecortex session list` shows whose it is, `codecortex session drop` removes that."


class History:
    """The versions of one session as it was found, the newest first.

    Attributes:
        newest: The newest version.
    """

    def __init__(self, repository: Repository, session: Session) -> None:
        self.newest = session.tip
        self._repository, self._next = repository, _FIRST_READ
        number = read_number(session.tip)
        self._read = [session.tip] if number else list_versions(repository, session)
        self._number = number or len(self._read)

    def __iter__(self) -> Iterator[Version]:
        place = 0
        while place < self._number:
            if place == len(self._read):
                self._read_on()
            yield self._read[place]
            place += 1

    def count(self) -> int:
        """How many versions there are."""
        return self._number

    def find_first(self) -> Version:
        """The version that the session was opened with."""
        first = self.newest.facts.get(FIRST)
        if len(self._read) == self._number or not isinstance(first, str):
            return list(self)[-1]
        (link,) = read_chain(self._repository, first, None, most=1)
        return make_version(link)

    def _read_on(self) -> None:
        """Read further ones, none beyond the first: to be told where to stop costs git the whole chain.

        Raises:
            StoreFormatError: There are none.
        """
        most = min(self._next, self._number - len(self._read))
        links = read_chain(self._repository, self._read[-1].id, None, skip=1, most=most)
        if len(links) < most:
            raise StoreFormatError(f"Version {self.newest.id[:12]} counts more versions than there are.", _HINT)
        self._read += map(make_version, links)
        self._next *= 4
