"""Options shared by commands, and the request that they make up."""

from __future__ import annotations

from contextlib import nullcontext
from functools import cached_property, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from codecortex.cli.progress import ProgressBar
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.request import Request
    from codecortex.operations.result import Result
    from codecortex.operations.trace import Trace


class Context:
    """State shared by all commands: where to work, and data for the metrics.

    Attributes:
        folder: The folder of `-C`.
        command: Name of the command, once it is known.
        metrics: Whether to record the run.
        caches: Whether the local cache is read and written.
        quiet: Whether to show neither progress nor hints.
        verbose: Whether to say what was counted and how long it took.
        counts: What operations counted, by name.
    """

    def __init__(self) -> None:
        self.folder = Path()
        self.command = ""
        self.metrics = True
        self.caches = True
        self.quiet = False
        self.verbose = False
        self.counts: dict[str, int] = {}
        self._bar: ProgressBar | None = None

    @cached_property
    def trace(self) -> Trace:
        """What its JSON says of itself."""
        from codecortex.operations.trace import Trace

        return Trace()

    def show_progress(self, text: str, done: int, total: int) -> None:
        """Show how much of something is done, on a bar that appears once it lasts."""
        if self.quiet:
            return
        if self._bar is None:
            from codecortex.cli.progress import ProgressBar

            self._bar = ProgressBar()
        self._bar.show(text, done, total)

    def end_progress(self) -> None:
        """Take the bar off the screen, if there is one."""
        if self._bar is not None:
            self._bar.end()

    def count(self, what: str, number: int) -> None:
        """Add a number to a count."""
        self.counts[what] = self.counts.get(what, 0) + number


_FLAVOUR = (
    click.option("--tfm", metavar="TFM", help="Target framework to read for, such as net8.0."),
    click.option("--configuration", metavar="NAME", help="Build configuration to read for."),
    click.option("--define", metavar="SYMBOL", multiple=True, help="One more symbol for #if; may be repeated."),
    click.option("--jobs", type=click.IntRange(1, 256), help="Processes to read with."),
)
session_option = click.option(
    "--session", metavar="NAME", help="Read the latest version of a session instead of the work tree."
)
_TREE = (
    click.option("--staged", is_flag=True, help="Read what is staged instead of the work tree."),
    click.option("--rev", metavar="TREEISH", help="Read a commit, a tag or a tree instead of the work tree."),
    session_option,
)

_SELECTION = (
    click.argument("symbols", metavar="[SYMBOL]...", nargs=-1),
    click.option("--all", "every", is_flag=True, help="Every type, whatever `semantics` selects, tests too."),
    click.option("--stale", is_flag=True, help="Only notes that no longer hold, none that are missing."),
    click.option("--replace", metavar="WRITER", default="", help="Also notes that hold, if WRITER wrote them."),
    click.option("--limit", type=click.IntRange(1), metavar="N", help="The N most urgent notes alone."),
)

_AMONG = (
    click.option("--tests/--no-tests", "tests", default=None, help="Only code of tests; none of it."),
    click.option("--path", "paths", metavar="GLOB", multiple=True,
                 help="Only what lies in such files, as `exclude` names them; may be repeated."),
    click.option("--project", "projects", metavar="NAME", multiple=True,
                 help="Only what such a project compiles; * and ? stand for any text; may be repeated."),
    click.option("--files", is_flag=True, help="Print the paths of files alone, best first."),
)  # fmt: skip

_MOST_COMPLETED = 100


def complete_symbol(context: click.Context, _parameter: click.Parameter, start: str) -> list[str]:
    """Names of types for TAB: those whose simple or full name begins so; none where no tree can be read."""
    import re

    from codecortex.model.errors import CodecortexError
    from codecortex.operations.queries.index import list_types
    from codecortex.operations.request import Request

    try:
        types = list_types(Request(Path(context.find_root().params.get("folder") or ".")))
    except CodecortexError:  # a shell that completes has no place for a message
        return []
    full = {re.sub(r"<[^<>]*>", "", each.display) for each in types}
    names = full if "." in start else {name.rpartition(".")[2] for name in full} | full
    found = sorted(name for name in names if name.lower().startswith(start.lower()))
    return found[:_MOST_COMPLETED]


symbol_argument = click.argument("symbol", shell_complete=complete_symbol)

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")


def flavour_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a command that reads sources, from whatever tree."""
    for option in reversed(_FLAVOUR):
        command = option(command)
    return command


def tree_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a command that reads one tree as a build would; git lists it while the command is loaded."""

    @wraps(command)
    def read_early(*arguments: Any, staged: bool, rev: str | None, session: str | None, **others: Any) -> Any:
        whole = not staged and rev is None and session is None
        with _begin_listing(click.get_current_context().obj.folder) if whole else nullcontext():
            return command(*arguments, staged=staged, rev=rev, session=session, **others)

    return tree_options_under_lock(read_early)


def tree_options_under_lock(command: Callable[..., Any]) -> Callable[..., Any]:
    """As `tree_options`, of a command that lists the tree once it has a lock."""
    return revision_options(flavour_options(command))


def _begin_listing(folder: Path) -> AbstractContextManager[None]:
    from codecortex.git.head_start import head_start
    from codecortex.git.repository import open_repository
    from codecortex.model.errors import GitStateError

    try:
        return head_start(open_repository(folder, again=True))
    except GitStateError:
        return nullcontext()  # the command will meet it, and can tell what it needs


def revision_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that choose which tree is read."""
    for option in reversed(_TREE):
        command = option(command)
    return command


def among_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """What narrows an answer; the command takes it as one `among`, and `files`."""

    @wraps(command)
    def narrow(
        *arguments: Any, tests: bool | None, paths: tuple[str, ...], projects: tuple[str, ...], **others: Any
    ) -> Any:
        from codecortex.operations.catalog.among import Among

        return command(*arguments, among=Among(tests, paths, projects), **others)

    for option in reversed(_AMONG):
        narrow = option(narrow)
    return narrow


def selection_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that select notes; the command gets them as one `selection`."""

    @wraps(command)
    def select(
        *arguments: Any, symbols: tuple[str, ...], every: bool, stale: bool, replace: str, limit: int | None,
        **others: Any,
    ) -> Any:  # fmt: skip
        from codecortex.operations.generation.jobs.jobs import Selection

        selection = Selection(symbols, every=every, limit=limit, replace=replace, stale=stale)
        return command(*arguments, selection=selection, **others)

    for option in reversed(_SELECTION):
        select = option(select)
    return select


def provider_option(doc: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The option `--provider`: a `ProviderName`, or None if it is not given."""
    from codecortex.model.config_choices import ProviderName

    def convert(_context: click.Context, _option: click.Parameter, name: str | None) -> ProviderName | None:
        return None if name is None else ProviderName(name)

    names = [each.value for each in ProviderName]
    return click.option("--provider", type=click.Choice(names), callback=convert, help=doc)


def require_worktree(context: Context) -> None:
    """Refuse to run without a work tree; for commands that can read no other tree.

    Raises:
        GitStateError: There is no work tree.
    """
    from codecortex.operations.reading.committed_files import find_root

    find_root(context.folder)


def print_answer(
    context: Context, options: dict[str, Any], ask: Callable[[Workspace], Result], *, as_json: bool
) -> None:
    """Print what an operation answers, as JSON or as the text that agents get too; `options` as for `make_request`."""
    from codecortex.cli.text import print_result
    from codecortex.operations.catalog.workspace import Workspace

    if "rev" not in options:
        require_worktree(context)
    with Workspace(make_request(context, options)) as workspace:
        result = ask(workspace)
    print_result(result, as_json=as_json)


def name_session_range(
    context: Context, session: str, since: str | None, *, others: bool = False, whole: bool = False
) -> str:
    """The range that ends in a session, as `name_range` has it; `others` says whether another tree is named too.

    Raises:
        UsageError: Another tree is named, or there is no such session.
    """
    from codecortex.operations.sessions.versions import name_range

    return name_range(_find_session_commit(context, session, others=others), since, whole=whole)


def _find_session_commit(context: Context, session: str, *, others: bool) -> str:
    from codecortex.model.errors import UsageError
    from codecortex.operations.sessions.versions import find_commit

    if others:
        raise UsageError("--session and another tree are named.", "Give one of them.")
    return find_commit(context.folder, session)


def _prints_json() -> bool:
    running = click.get_current_context(silent=True)
    asked = running.params if running is not None else {}
    return bool(asked.get("as_json")) or asked.get("form") == "json"


def make_request(context: Context, options: dict[str, Any]) -> Request:
    """The request that a command's options make up."""
    from codecortex.cli.progress import warn_once
    from codecortex.model.errors import UsageError
    from codecortex.operations.request import Request, say_nothing

    if options.get("staged") and options.get("rev") is not None:
        raise UsageError("--staged and --rev name two trees.", "Give one of them.")
    session = options.pop("session", None)
    if session is not None:
        others = bool(options.get("staged")) or options.get("rev") is not None
        options = {**options, "rev": _find_session_commit(context, session, others=others)}
    return Request(
        context.folder,
        caches=context.caches,
        warn=warn_once(),
        progress=context.show_progress,
        tally=context.count,
        asked=context.trace.note_asked if _prints_json() else say_nothing,
        **options,
    )
