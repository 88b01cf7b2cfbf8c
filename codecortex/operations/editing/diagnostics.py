"""Diagnostics of edits in four categories: lines in `local/logs/edit.log`, and those that are chosen on stderr too."""

from __future__ import annotations

import os
import time
import uuid
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from codecortex.editing.markdown import list_flags
from codecortex.git.worktree.folders import Folder
from codecortex.model.errors import GitStateError
from codecortex.operations.local_files import write_local
from codecortex.store.local.edit_log import EditRecord, append_edit, write_record
from codecortex.store.paths import LOGS

if TYPE_CHECKING:
    from pathlib import Path

    from codecortex.editing.values import Response
    from codecortex.operations.editing.results import EditRequest

VARIABLE = "CODECORTEX_DEBUG"
MATCH, PERSISTENCE, EXTERNAL, SCHEMA = "edit.match", "edit.persistence", "edit.external", "edit.schema"
_MOST_TEXT = 2000


class Diagnostics:
    """The diagnostics of one call."""

    def __init__(self, edit: EditRequest, root: Path, file: str, verb: str) -> None:
        self._edit, self._root, self._file, self._verb = edit, root, file, verb
        self._began = time.perf_counter()
        self._operation = uuid.uuid4().hex[:12]

    def tell(self, category: str, response: Response, **details: Any) -> None:
        """Write what happened; a log that cannot be written is warned of, the edit is done all the same."""
        record = EditRecord(
            at=datetime.now(UTC).isoformat(timespec="milliseconds"),
            operation=self._operation,
            category=category,
            verb=self._verb,
            session=self._edit.session,
            file=self._file,
            status=response.status,
            state=response.state,
            flags=tuple(list_flags(response.flags)),
            milliseconds=round((time.perf_counter() - self._began) * 1000, 1),
            details={"summary": response.summary[:_MOST_TEXT], **details},
        )
        if _is_chosen(category):
            self._edit.debug(f"{category} {write_record(record)}")
        try:
            self._append(record)
        except (OSError, GitStateError) as problem:
            self._edit.request.warn(f"{LOGS}: the edit is not logged: {problem}")

    def _append(self, record: EditRecord) -> None:
        folder = Folder(os.fsencode(self._root), LOGS.encode())
        if not os.path.lexists(folder.path):
            write_local(self._root, {})
            folder.make()
        append_edit(self._root / LOGS, record)


def _is_chosen(category: str) -> bool:
    return any(fnmatchcase(category, pattern.strip()) for pattern in os.environ.get(VARIABLE, "").split(","))
