"""Follows what happens in a run, from any process."""

from __future__ import annotations

import time
from contextlib import closing
from typing import TYPE_CHECKING

from codecortex.git.repository import open_repository
from codecortex.git.worktree.folders import attempt
from codecortex.model.runs import RunStatus
from codecortex.operations.notes.run_events import describe_end
from codecortex.operations.notes.runs import find_run
from codecortex.store.local.json_lines import LogFollower
from codecortex.store.local.run_events import RunEvent, make_row, read_row
from codecortex.store.paths import events_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from codecortex.store.local.run_events import Row

_LOOK = 0.1
"""Interval, in seconds, at which a stream looks for what happened since."""


def follow_run(
    folder: Path, name: str, first: int = 1, *, pause: Callable[[float], None] = time.sleep
) -> Iterator[Row]:
    """What happened and happens in a run, each event once and in order, until it ends.

    A run that is over without having told so, because it was killed, gets a last event that says so; if it is resumed,
    that event stands in its log under the same number.

    Args:
        folder: Any folder of the work tree.
        name: The id of the run, the beginning of it, or `latest`.
        first: The number of the first event that is wanted.
        pause: Called with the seconds to wait before the next look; may raise to end the stream.

    Raises:
        UsageError: There is no such run, or none any more.
        StoreFormatError: Its record cannot be read.
        GitStateError: The log cannot be read.
    """
    repository = open_repository(folder)
    run = find_run(repository, name)
    path, last = events_path(run.id), None
    with closing(LogFollower(repository.require_root() / path)) as log:
        over = False
        while True:
            for row in filter(None, map(read_row, attempt(path, log.read))):
                last, over = row, False
                if row["number"] >= first:
                    yield row
            if last is not None and last["event"] == RunEvent.DONE:
                return
            if over:
                break
            run = find_run(repository, run.id)
            over = run.status is not RunStatus.RUNNING
            if not over:
                pause(_LOOK)
    end = make_row(last, run.updated, RunEvent.DONE, run.progress, describe_end(run))
    if end["number"] >= first:
        yield end
