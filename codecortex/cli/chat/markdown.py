"""Shows an answer on a terminal: Markdown, each block as soon as it is whole, and what is not yet whole below."""

from __future__ import annotations

from rich.console import Console
from rich.live import Live
from rich.markdown import Markdown
from rich.text import Text

from codecortex.model.startup.patterns import compile_later
from codecortex.model.text.visible import show_text

_FENCE = compile_later(r" {0,3}(`{3,}|~{3,})")
_LEFT = 4
"""Rows of the screen that what is not whole yet leaves free."""


class Blocks:
    """Cuts a text that grows into blocks: at empty lines, and where fences begin and end."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._rest = ""
        self._fence = ""

    @property
    def rest(self) -> str:
        """What belongs to no whole block yet."""
        return "\n".join([*self._lines, self._rest])

    def feed(self, piece: str) -> list[str]:
        """The blocks that a piece makes whole."""
        *lines, self._rest = (self._rest + piece).split("\n")
        return [block for line in lines for block in self._take(line)]

    def _take(self, line: str) -> list[str]:
        fence = _FENCE.match(line)
        if self._fence:
            self._lines.append(line)
            is_end = fence is not None and fence[1].startswith(self._fence) and line.strip() == fence[1]
            return self._cut(next_fence="") if is_end else []
        if fence is not None:
            whole = self._cut(next_fence=fence[1])
            self._lines.append(line)
            return whole
        if not line.strip():
            return self._cut(next_fence="")
        self._lines.append(line)
        return []

    def _cut(self, next_fence: str) -> list[str]:
        block, self._lines, self._fence = "\n".join(self._lines), [], next_fence
        return [block] if block.strip() else []


class MarkdownView:
    """Shows one answer."""

    def __init__(self) -> None:
        self._console = Console(highlight=False)
        self._blocks = Blocks()
        self._live = Live(console=self._console, transient=True, auto_refresh=False)
        self._live.start()

    def end(self) -> None:
        """Show what is left."""
        rest = self._blocks.rest
        self._live.update("", refresh=True)
        self._live.stop()
        if rest.strip():
            self._console.print(Markdown(rest))

    def hear(self, piece: str) -> None:
        """Show one more piece; an empty one says that the answer begins anew."""
        if not piece:
            self._console.print(Text("(broken off; asked again)", style="dim"))
            self._blocks = Blocks()
            return
        for block in self._blocks.feed(show_text(piece.replace("\r", ""))):
            self._console.print(Markdown(block))
        lines = self._blocks.rest.split("\n")
        most = max(1, self._console.height - _LEFT)
        self._live.update(Text("\n".join(lines[-most:])), refresh=True)
