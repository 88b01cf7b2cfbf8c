"""The command `codecortex`: its groups, its options, and the one place where errors reach people.

Imports wait inside the command bodies, so that `--help` and `--version` cost click alone.
"""

from __future__ import annotations

import gc
import io
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from codecortex import __version__
from codecortex.model.errors import CodecortexError

if TYPE_CHECKING:
    from collections.abc import Callable

    from codecortex.operations.request import Request

_REFUSED = 3
_INTERRUPTED = 130
_BUG = 70


class Context:
    """What every command shares: where to work."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="codecortex", message="%(prog)s %(version)s")
@click.option(
    "-C", "folder", metavar="PATH", default=".", type=click.Path(path_type=Path), help="Work as if started in PATH."
)
@click.pass_context
def cli(context: click.Context, folder: Path) -> None:
    """Keep a C# repository's own map inside the repository."""
    context.obj = Context(folder)


def _tree_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Options of every command that reads a tree."""
    options = (
        click.option("--staged", is_flag=True, help="Read what is staged instead of the work tree."),
        click.option("--rev", metavar="TREEISH", help="Read a commit, a tag or a tree instead of the work tree."),
        click.option("--tfm", metavar="TFM", help="Target framework to read for, such as net8.0."),
        click.option("--configuration", metavar="NAME", help="Build configuration to read for."),
        click.option("--define", metavar="SYMBOL", multiple=True, help="One more symbol for #if; may be repeated."),
        click.option("--jobs", type=click.IntRange(1, 256), help="Processes to read with."),
    )
    for option in reversed(options):
        command = option(command)
    return command


_json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")


def _make_request(context: Context, options: dict[str, Any]) -> Request:
    from codecortex.cli.progress import show_progress, warn_once
    from codecortex.model.errors import UsageError
    from codecortex.operations.request import Request

    if options["staged"] and options["rev"] is not None:
        raise UsageError("--staged and --rev name two trees.", "Give one of them.")
    return Request(context.folder, warn=warn_once(), progress=show_progress, **options)


@cli.command()
@click.pass_obj
def init(context: Context) -> None:
    """Make the .codecortex folder; safe to repeat."""
    from codecortex.cli.text import print_init
    from codecortex.operations.init import init as run_init

    print_init(run_init(context.folder))


@cli.command()
@click.option("--dry-run", is_flag=True, help="Say what would change; write nothing.")
@click.option("--full", is_flag=True, help="Read everything, whatever the last refresh left.")
@click.option("--upgrade", is_flag=True, help="Overwrite files that an older codecortex wrote.")
@_json_option
@_tree_options
@click.pass_obj
def refresh(context: Context, /, *, dry_run: bool, full: bool, as_json: bool, **options: Any) -> None:
    """Bring the outlines and the index up to date with the sources."""
    from codecortex.cli.text import print_refresh
    from codecortex.operations.refresh import refresh as run_refresh

    print_refresh(run_refresh(_make_request(context, options), dry_run=dry_run, full=full), as_json=as_json)


@cli.command()
@click.argument("symbol")
@_json_option
@_tree_options
@click.pass_obj
def outline(context: Context, /, symbol: str, *, as_json: bool, **options: Any) -> None:
    """Print the outline of one type, computed from the sources."""
    from codecortex.cli.text import print_outline
    from codecortex.operations.outline import outline as run_outline

    print_outline(run_outline(_make_request(context, options), symbol), as_json=as_json)


@cli.command()
@click.option("--members", is_flag=True, help="With --json: every member of every type.")
@_json_option
@_tree_options
@click.pass_obj
def index(context: Context, /, *, members: bool, as_json: bool, **options: Any) -> None:
    """List every type; with --json, the full record of each."""
    from codecortex.cli.text import print_index
    from codecortex.operations.index import index as run_index

    print_index(run_index(_make_request(context, options), members=members, records=as_json), as_json=as_json)


@cli.command()
@_json_option
@_tree_options
@click.pass_obj
def status(context: Context, /, *, as_json: bool, **options: Any) -> None:
    """Say what was read, what was left out and why, and whether the committed files are up to date."""
    from codecortex.cli.text import print_status
    from codecortex.operations.status import status as run_status

    print_status(run_status(_make_request(context, options)), as_json=as_json)


@cli.command()
@click.option("--keep", type=click.Path(path_type=Path), metavar="PATH", help="Make the repository there and keep it.")
def demo(keep: Path | None) -> None:
    """Show the main job on a small C# repository made for it."""
    from codecortex.cli.text import print_demo
    from codecortex.operations.demo import demo as run_demo

    print_demo(run_demo(keep))


def run() -> None:
    """The command's entry: run it, and turn what goes wrong into one message and an exit code."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a name the terminal cannot spell is no reason to fail
    gc.disable()  # a short life, values without cycles: the collector would only walk them
    sys.exit(main(sys.argv[1:]))


def main(arguments: list[str]) -> int:
    """Run the command and return its exit code."""
    try:
        cli.main(arguments, prog_name="codecortex", standalone_mode=False)
    except click.exceptions.Exit as done:
        return done.exit_code
    except Exception as problem:  # noqa: BLE001 - the boundary: every failure becomes an exit code here
        return _explain(problem, as_json="--json" in arguments)
    except KeyboardInterrupt:
        return _interrupt()
    except SystemExit:
        _abandon_output()  # how click says that nobody reads our output any more: nothing is wrong
    return 0


def _explain(problem: Exception, *, as_json: bool) -> int:
    """Tell people what went wrong; the exit code."""
    match problem:
        case click.Abort() if not isinstance(problem.__cause__, EOFError):
            return _interrupt()
        case click.ClickException():
            with suppress(OSError):  # as in `_say`
                problem.show()
            return problem.exit_code
        case CodecortexError():
            _report(problem, as_json=as_json)
            return problem.exit_code
        case OSError():
            return _report_refusal(problem)
        case _:
            return _report_bug(problem)


def _interrupt() -> int:
    from codecortex.cli.progress import end_progress

    end_progress()
    _say("interrupted")
    return _INTERRUPTED


def _say(text: str) -> None:
    with suppress(OSError):  # nobody can be told when stderr itself is gone
        click.echo(text, err=True)


def _report(error: CodecortexError, *, as_json: bool) -> None:
    from codecortex.cli.progress import end_progress

    end_progress()
    if as_json:
        from codecortex.cli.text import write_json

        told = {"code": error.code, "message": error.message, **({"hint": error.hint} if error.hint else {})}
        write_json({"error": told | error.details})
    _say(click.style("error: ", fg="red") + error.message)
    if error.hint:
        _say(click.style("hint: ", fg="cyan") + error.hint)


def _report_refusal(problem: OSError) -> int:
    """The operating system refused something that no room expected, such as room for our output."""
    where = f": {problem.filename}" if problem.filename else ""
    _say(click.style("error: ", fg="red") + f"{problem.strerror or problem}{where}")
    _abandon_output()
    return _REFUSED


def _report_bug(problem: Exception) -> int:
    import platform
    import traceback

    traceback.print_exception(problem)
    _say(f"codecortex {__version__}, Python {platform.python_version()}, {platform.platform()}")
    _say("This is a bug in codecortex. Please report it with the text above.")
    return _BUG


def _abandon_output() -> None:
    """Output cannot be written, and Python must not try to flush it again."""
    import os

    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
