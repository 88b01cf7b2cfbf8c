"""The command `codecortex`: its groups, its global options, and the one place where errors are reported.

Imports are inside the command bodies, so that `--help` and `--version` load click alone.
"""

from __future__ import annotations

import gc
import io
import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from codecortex import __version__
from codecortex.cli.elsewhere import ELSEWHERE
from codecortex.cli.interrupts import raise_lost_interrupts
from codecortex.cli.options import (
    Context,
    json_option,
    make_request,
    tree_options,
    tree_options_under_lock,
)
from codecortex.cli.output import echo, style
from codecortex.model.errors import CodecortexError
from codecortex.model.text.visible import show_line

_REFUSED = 3
_INTERRUPTED = 130
_BUG = 70
_BROKEN_PIPE = 141
"""What shells tell of a program that SIGPIPE ended: never 0, which would tell of a `check` that found nothing."""


_COMPLETING = "_CODECORTEX_COMPLETE"
"""Set by a shell that wants words for TAB."""


class _Commands(click.Group):
    """The commands of this module and those in `ELSEWHERE`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), *ELSEWHERE])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        elsewhere = ELSEWHERE.get(cmd_name)
        if elsewhere is None:
            return super().get_command(ctx, cmd_name)
        from importlib import import_module

        found = import_module(f"codecortex.cli.{elsewhere.module}")
        command: click.Command = getattr(found, cmd_name.replace("-", "_"))
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List all commands, importing none for it."""
        elsewhere = {
            name: click.Command(name, help=each.summary, hidden=not each.summary) for name, each in ELSEWHERE.items()
        }
        click.Group(commands={**self.commands, **elsewhere}).format_commands(ctx, formatter)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if self.get_command(ctx, args[0]) is None:
            self._suggest(ctx, args[0])
        name, command, rest = super().resolve_command(ctx, args)
        inner = rest[0] if isinstance(command, click.Group) and rest and rest[0] in command.commands else ""
        ctx.obj.command = f"{name} {inner}".strip()
        return name, command, rest

    def _suggest(self, ctx: click.Context, word: str) -> None:
        """Refuse an unknown word; suggest the group that has it as a command, or a similar command."""
        from difflib import get_close_matches

        groups = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        inside = [f"{name} {word}" for name, each in groups if isinstance(each, click.Group) and word in each.commands]
        if inside:
            ctx.fail(f"No such command {word!r}. Did you mean {' or '.join(map(repr, inside))}?")
        near = get_close_matches(word, self.list_commands(ctx), n=1)
        if near:
            ctx.fail(f"No such command {word!r}. Did you mean {near[0]!r}?")


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="codecortex", message="%(prog)s %(version)s")
@click.option(
    "-C", "folder", metavar="PATH", default=".", type=click.Path(path_type=Path), help="Work as if started in PATH."
)
@click.option("--no-metrics", is_flag=True, help="Leave no record of how long this took.")
@click.option("--no-cache", is_flag=True, help="Work without the local cache; slower, with the same answers.")
@click.option("-q", "--quiet", is_flag=True, help="Show no progress and no hints.")
@click.option("-v", "--verbose", is_flag=True, help="Say on stderr what was counted and how long it took.")
@click.pass_obj
def cli(context: Context, /, folder: Path, **flags: bool) -> None:
    """Keep a C# repository's own map inside the repository."""
    context.folder = folder
    context.quiet, context.verbose = flags["quiet"], flags["verbose"]
    if context.quiet and context.verbose:
        raise click.UsageError("--quiet and --verbose exclude each other.")
    context.metrics = not flags["no_metrics"]
    context.caches = not flags["no_cache"]


@cli.command()
@click.option("--ci", type=click.Choice(["github"]), help="Make workflows that check pull requests and refresh notes.")
@click.pass_obj
def init(context: Context, *, ci: str | None) -> None:
    """Make the .codecortex folder; safe to repeat."""
    from codecortex.cli.text import print_init
    from codecortex.operations.refresh.init import init as run_init

    print_init(run_init(context.folder, github=ci == "github"))


@cli.command()
@click.option("--dry-run", is_flag=True, help="Say what would change; write nothing.")
@click.option("--full", is_flag=True, help="Read everything, whatever the last refresh left.")
@click.option("--relayout", is_flag=True, help="Choose anew how outlines are spread over folders.")
@click.option("--upgrade", is_flag=True, help="Overwrite files that an older codecortex wrote.")
@json_option
@tree_options_under_lock
@click.pass_obj
def refresh(context: Context, /, *, dry_run: bool, full: bool, relayout: bool, as_json: bool, **options: Any) -> None:
    """Make the outlines and the index say what the sources say.

    Exits with 1 if a source could not be read now, so that its outlines are those of what was last read.
    """
    from codecortex.cli.text import print_refresh
    from codecortex.operations.refresh.refresh import refresh as run_refresh

    result = run_refresh(make_request(context, options), dry_run=dry_run, full=full, relayout=relayout)
    print_refresh(result, as_json=as_json)
    if result.kept:
        raise click.exceptions.Exit(1)


@cli.command()
@click.option("--members", is_flag=True, help="With --json: every member of every type.")
@json_option
@tree_options
@click.pass_obj
def index(context: Context, /, *, members: bool, as_json: bool, **options: Any) -> None:
    """List every type; with --json, all that is known of each."""
    from codecortex.cli.text import print_index, print_types
    from codecortex.operations.queries.index import index as run_index
    from codecortex.operations.queries.index import list_types

    request = make_request(context, options)
    if as_json:
        print_index(run_index(request, members=members, records=True))
    else:
        print_types(list_types(request))


@cli.command()
@click.option("--keep", type=click.Path(path_type=Path), metavar="PATH", help="Make the repository there and keep it.")
def demo(keep: Path | None) -> None:
    """Show the main job on a small C# repository made for it."""
    from codecortex.cli.text import print_demo
    from codecortex.operations.refresh.demo import demo as run_demo

    print_demo(run_demo(keep))


def run() -> None:
    """Run the command, the entry point; every failure becomes one message and an exit code."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a name that the terminal cannot encode must not fail
    raise_lost_interrupts()
    gc.disable()  # a short process without cyclic garbage: collecting would only cost time
    code = main(sys.argv[1:])
    gc.freeze()  # nor at the end, when the interpreter would look for it among all that was declared
    sys.exit(code)


def main(arguments: list[str]) -> int:
    """Run the command and return its exit code."""
    started = time.perf_counter()
    context = Context()
    code = _run(arguments, context)
    if context.verbose and context.command:
        from codecortex.model.work import DONE

        counts = "".join(f", {number:,} {what}" for what, number in (context.counts | DONE).items())
        _say(f"{context.command}: {(time.perf_counter() - started) * 1000:,.0f} ms{counts}")
    # Neither a request for help nor an unknown command is recorded.
    if context.command and context.metrics and not {"-h", "--help"} & set(arguments):
        from codecortex.operations.metrics import measure_command

        taken = time.perf_counter() - started
        measure_command(context.folder, context.command, taken, context.counts, exit_code=code)
    return code


def _run(arguments: list[str], context: Context) -> int:
    try:
        try:
            code = cli.main(arguments, prog_name="codecortex", standalone_mode=False, obj=context)
        finally:
            context.end_progress()
    except Exception as problem:  # noqa: BLE001 - the boundary: every failure becomes an exit code here
        as_json = _asks_for_json(arguments)
        code = _explain(problem, context, as_json=as_json)
        if as_json and code != _INTERRUPTED:
            _say(f"trace: {context.trace.id}")  # as the error object has it
        return code
    except KeyboardInterrupt:
        return _interrupt()
    except SystemExit as end:
        if _COMPLETING in os.environ:
            context.metrics = False
            return int(end.code or 0)
        _abandon_output()  # click exits like this when the reader of our output is gone
        return _BROKEN_PIPE
    return code if isinstance(code, int) else 0  # the code of a command's Exit; commands themselves return nothing


def _asks_for_json(arguments: list[str]) -> bool:
    """Whether a command line, which need not be a right one, asks for JSON; `check --format json` does too."""
    words = " ".join(arguments)
    return "--json" in arguments or "--format json" in words or "--format=json" in arguments


def _explain(problem: Exception, context: Context, *, as_json: bool) -> int:
    """Report an error; return the exit code."""
    match problem:
        case click.Abort() if not isinstance(problem.__cause__, EOFError):
            return _interrupt()
        case click.ClickException():
            if as_json:
                _write_error({"code": "UsageError", "message": problem.format_message()}, context)
            shown = io.StringIO()
            problem.show(file=shown)
            _say(shown.getvalue().rstrip("\n"))
            return problem.exit_code
        case CodecortexError():
            if as_json:
                _write_error(problem.as_json(), context)
            _report(problem, hints=not context.quiet)
            return problem.exit_code
        case OSError():
            return _report_refusal(problem, context, as_json=as_json)
        case _:
            return _report_bug(problem, context, as_json=as_json)


def _interrupt() -> int:
    _say("interrupted")
    return _INTERRUPTED


def _say(text: str) -> None:
    with suppress(OSError):  # if stderr itself is gone, nobody can be told
        echo(text, err=True)


def _report(error: CodecortexError, *, hints: bool) -> None:
    _say(style("error: ", fg="red") + show_line(error.message))
    for row in error.rows:
        _say(f"  {show_line(row)}")
    if error.hint and hints:
        _say(style("hint: ", fg="cyan") + show_line(error.hint))


def _write_error(told: dict[str, Any], context: Context) -> None:
    from codecortex.cli.text import print_error

    with suppress(OSError):  # as in `_say`
        print_error(told, context.trace)


def _report_refusal(problem: OSError, context: Context, *, as_json: bool) -> int:
    """Report a refusal by the operating system that no other code handles, such as a full disk; return exit code."""
    where = f": {problem.filename}" if problem.filename else ""
    message = f"{problem.strerror or problem}{where}"
    if as_json:
        _write_error({"code": "SystemError", "message": message}, context)
    _say(style("error: ", fg="red") + show_line(message))
    _abandon_output()
    return _REFUSED


def _report_bug(problem: Exception, context: Context, *, as_json: bool) -> int:
    import platform
    import traceback

    if as_json:
        message = f"A bug in codecortex: {type(problem).__name__}."
        hint = "Please report it with what stderr tells."
        told = CodecortexError(message, hint, traceId=context.trace.id).as_json()
        _write_error(told, context)
    _say("".join(traceback.format_exception(problem)).rstrip("\n"))
    _say(f"codecortex {__version__}, Python {platform.python_version()}, {platform.platform()}")
    _say("This is a bug in codecortex. Please report it with the text above.")
    return _BUG


def _abandon_output() -> None:
    """Redirect stdout to nowhere: it cannot be written, and Python must not try to flush it again."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
