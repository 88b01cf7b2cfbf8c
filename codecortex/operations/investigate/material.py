"""Makes what a model is shown in an investigation: the context of the question, and what it asks for.

No file that `llm.exclude` matches is shown, and nothing that looks like a secret. The same tree and history give the
same texts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.context.prompts.parts import fit_lines
from codecortex.context.prompts.secrets import mask_secrets
from codecortex.model.errors import CodecortexError
from codecortex.operations.context.ask import Asking, ask
from codecortex.operations.generation.prompts.sources import is_withheld
from codecortex.operations.history.log import LogFilter, log
from codecortex.operations.queries.outline import OutlineView, outline
from codecortex.operations.queries.read import read_files
from codecortex.operations.queries.resolve import list_hits, read_query
from codecortex.operations.usages.usages import UsageQuery, usages

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from codecortex.operations.catalog.workspace import Workspace

_MOST_USAGES, _MOST_COMMITS = 40, 10
_LEAST = 100
_WITHHELD = "no model may be sent its files"


class Material:
    """Makes texts within budgets.

    Args:
        workspace: The tree.
        exclude: Globs of sources that are never sent.
        count: Counts tokens.
    """

    def __init__(self, workspace: Workspace, exclude: tuple[str, ...], count: Callable[[str], int]) -> None:
        self._workspace = workspace
        self._exclude = exclude
        self._count = count
        self._verbs: dict[str, Callable[[str, int], str]] = {
            "symbol": self._show_symbol,
            "usages": self._list_usages,
            "history": self._list_history,
            "read": self._read,
            "context": self._find_context,
        }

    def open(self, question: str, scope: Sequence[str], budget: int) -> str:
        """The context of a question, the symbols of its scope first."""
        asking = Asking(budget, mentions=tuple(scope), exclude=self._exclude)
        return self._mask(ask(self._workspace, question, asking).as_text())

    def answer(self, requests: Sequence[str], budget: int) -> str:
        """What a round asks for, each under its request; what cannot be shown says why."""
        texts = []
        for number, request in enumerate(requests):
            verb, _, what = request.partition(" ")
            room = max(_LEAST, budget // (len(requests) - number))
            try:
                text = self._verbs[verb](what, room)
            except CodecortexError as problem:
                text = f"{problem.message} {problem.hint}".rstrip()
            shown, more = fit_lines(self._mask(text), room, self._count)
            budget -= self._count(shown)
            texts.append(f"[{request}]\n{shown}" + (f"\n(LEFT OUT: {more:,} lines)" if more else ""))
        return "\n\n".join(texts)

    def _mask(self, text: str) -> str:
        return mask_secrets(text)[0]

    def _find_context(self, question: str, budget: int) -> str:
        return ask(self._workspace, question, Asking(budget, exclude=self._exclude)).as_text()

    def _show_symbol(self, symbol: str, _: int) -> str:
        if self._exclude:
            hits = list_hits(self._workspace, read_query(symbol))
            files = [path for hit in hits[:1] if hit.entry is not None for path in hit.entry.files]
            if any(is_withheld(path, self._exclude) for path in files):
                return _WITHHELD
        return outline(self._workspace, symbol, OutlineView(source=True)).as_text()

    def _list_usages(self, symbol: str, _: int) -> str:
        found = usages(self._workspace, UsageQuery(symbol), limit=_MOST_USAGES)
        rows = [row for row in found.as_json()["usages"] if not is_withheld(row["file"], self._exclude)]
        lines = [f"{row['file']}:{row['line']} ({row['label']}): {row['text'].strip()}" for row in rows]
        return "\n".join([f"{found.total:,} usages of {symbol}", *lines])

    def _list_history(self, symbol: str, _: int) -> str:
        return log(self._workspace.request, symbol, LogFilter(None, _MOST_COMMITS)).as_text()

    def _read(self, place: str, budget: int) -> str:
        found = read_files(self._workspace.request, self._workspace.repository, [place], budget=budget)
        rows = [row for row in found.rows if not is_withheld(row.file, self._exclude)]
        return "\n\n".join(row.as_text() for row in rows) or _WITHHELD
