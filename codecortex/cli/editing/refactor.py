"""`codecortex refactor`: edits of sources that are located by symbol and judged before anything changes."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from codecortex.cli.editing.sources import read_source
from codecortex.cli.options import Context, flavour_options, json_option

if TYPE_CHECKING:
    from collections.abc import Callable

    from codecortex.operations.refactoring.members import NewText
    from codecortex.operations.refactoring.results import EditRequest, EditResult


def _text_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--from FILE` and `--text TEXT`; the command gets a `NewText`."""

    @click.option("--from", "path", metavar="FILE", help="Where the text is; without it and --text, on stdin.")
    @click.option("--text", metavar="TEXT", help="The text itself.")
    @wraps(command)
    def read(*arguments: Any, path: str | None, text: str | None, **others: Any) -> Any:
        from codecortex.model.errors import UsageError
        from codecortex.operations.refactoring.members import NewText

        if path is not None and text is not None:
            raise UsageError("--from and --text are two texts.", "Give one of them.")
        new = NewText(text) if text is not None else NewText(read_source(path or "-"), path or "-")
        return command(*arguments, new=new, **others)

    return read


def _verb(command: Callable[..., Any]) -> Callable[..., Any]:
    """A command about one symbol: it gets an `EditRequest` first, and its result is printed."""

    @json_option
    @click.option("--write", is_flag=True, help="Change the files of the work tree.")
    @click.option("--session", metavar="NAME", help="Make it the next version of a session instead.")
    @click.argument("symbol")
    @flavour_options
    @click.pass_obj
    @wraps(command)
    def run(
        context: Context, /, *, symbol: str, session: str | None, write: bool, as_json: bool, **options: Any
    ) -> None:
        from codecortex.cli.options import make_request
        from codecortex.cli.text import print_result
        from codecortex.operations.refactoring.results import EditRequest

        flavour = {name: options.pop(name) for name in ("tfm", "configuration", "define", "jobs")}
        asked = EditRequest(make_request(context, flavour), session, write)
        result: EditResult = command(asked, symbol, **options)
        print_result(result, as_json=as_json)
        if result.exit_code:
            raise click.exceptions.Exit(result.exit_code)

    return run


@click.group()
def refactor() -> None:
    """Change sources by symbol, safely.

    What is to change is printed as a patch, and nothing else happens, unless --write or --session says where it is to
    be done. All files change or none, and `refactor undo` takes the latest edit back.
    """


@refactor.command()
@_verb
@click.argument("new")
@click.option(
    "--include",
    multiple=True,
    metavar="ID",
    help="Rename this candidate too and leave the others; or all, or none.",
)
def rename(asked: EditRequest, symbol: str, new: str, include: tuple[str, ...]) -> EditResult:
    """Give a symbol another name, everywhere.

    Every place that is bound to the symbol is edited, with all that overrides or implements a member; a file follows
    the type that it is called as. Where something may mean the symbol, nothing is changed and candidates are shown.
    What would make any name mean something else is refused.
    """
    from codecortex.operations.refactoring.rename import rename as run

    return run(asked, symbol, new, include)


@refactor.command()
@_verb
@click.option("--to-file", "file", metavar="FILE", help="The file that it goes to, which need not be there.")
@click.option("--to-namespace", "namespace", metavar="NAME", help="The namespace that it goes to.")
@click.option(
    "--include",
    multiple=True,
    metavar="ID",
    help="Let the file of this candidate see the type too; or all, or none.",
)
def move(
    asked: EditRequest, symbol: str, file: str | None, namespace: str | None, include: tuple[str, ...]
) -> EditResult:
    """Move a type to another file or namespace.

    Its documentation, the head of its file and the directives that it needs go along; files that use it get the
    directive of its new namespace. Every name has to mean what it meant, or nothing is changed.
    """
    from codecortex.operations.refactoring.moving.move import Destination
    from codecortex.operations.refactoring.moving.move import move as run

    return run(asked, symbol, Destination(file, namespace), include)


@refactor.command("extract-method")
@_verb
@click.argument("name")
def extract_method(asked: EditRequest, symbol: str, name: str) -> EditResult:
    """Move statements or an expression into a method of their own.

    SYMBOL is FILE:LINE:COLUMN-LINE:COLUMN. What the statements read becomes parameters, what they assign for later is
    returned. Where it cannot be proved that the program does the same, nothing is changed, and the reason is told.
    """
    from codecortex.operations.refactoring.extraction.method import extract_method as run

    return run(asked, symbol, name)


@refactor.command("extract-interface")
@_verb
@click.argument("name")
@click.argument("members", nargs=-1)
@click.option("--to-file", "file", metavar="FILE", help="Where it goes; by default to NAME.cs beside the type.")
def extract_interface(
    asked: EditRequest, symbol: str, name: str, members: tuple[str, ...], file: str | None
) -> EditResult:
    """Declare an interface with members of a type.

    MEMBERS are their names, `this[]` for an indexer; without any, all public members of instances. Documentation,
    constraints and the directives that its names need come along, and the type implements it.
    """
    from codecortex.operations.refactoring.interfaces.extract import Wanted
    from codecortex.operations.refactoring.interfaces.extract import extract_interface as run

    return run(asked, symbol, Wanted(name, members, file))


@refactor.command()
@_verb
@click.option("--add-parameter", "text", metavar="TEXT", help="A new parameter, such as `int count = 0`.")
@click.option("--argument", default="", metavar="TEXT", help="What callers pass for it; by default nothing.")
@click.option("--before", default="", metavar="NAME", help="The parameter that it goes before; by default to the end.")
@click.option("--doc", "said", default="", metavar="TEXT", help="What documentation says of it, where it says any.")
@click.option("--remove-parameter", multiple=True, metavar="NAME", help="A parameter that goes.")
@click.option("--order", default="", metavar="NAMES", help="All parameters in their new order, with commas.")
@click.option(
    "--include", multiple=True, metavar="ID", help="Edit this candidate too and leave the others; or all, or none."
)
def signature(
    asked: EditRequest, symbol: str, include: tuple[str, ...], remove_parameter: tuple[str, ...], order: str, **new: str
) -> EditResult:
    """Add, remove or reorder parameters of a member.

    The member is a method or a constructor. All that it overrides or implements, what overrides or implements it, calls
    and references in documentation follow.
    An argument goes only where evaluating it does nothing else, and what is evaluated keeps its order.
    """
    from codecortex.operations.refactoring.signatures.signature import NewParameter, read_parameters
    from codecortex.operations.refactoring.signatures.signature import change_signature as run

    return run(asked, symbol, read_parameters(NewParameter(**new), remove_parameter, order), include)


@refactor.command()
@_verb
@click.option("--sort", "is_sorted", is_flag=True, help="Put those that stay in order, System first.")
def usings(asked: EditRequest, symbol: str, *, is_sorted: bool) -> EditResult:
    """Take away using directives that nothing needs.

    SYMBOL is a file. A directive stays wherever a name could need it that is not certain.
    """
    from codecortex.operations.refactoring.usings import tidy_usings as run

    return run(asked, symbol, is_sorted=is_sorted)


@refactor.group()
def member() -> None:
    """Replace, remove or add one declaration."""


@member.command()
@_verb
@_text_options
def replace(asked: EditRequest, symbol: str, new: NewText) -> EditResult:
    """Put a text in place of a declaration.

    The text has to be one declaration of the same kind, with its attributes. Documentation stays unless the text has
    its own; indentation and line ends are fitted; everything else keeps its bytes. SYMBOL may also be FILE:LINE.
    """
    from codecortex.operations.refactoring.members import replace_one

    return replace_one(asked, symbol, new)


@member.command()
@_verb
@_text_options
@click.option("--before", "where", flag_value="before", help="Before the declaration of SYMBOL.")
@click.option("--after", "where", flag_value="after", help="After it.")
def insert(asked: EditRequest, symbol: str, new: NewText, where: str | None) -> EditResult:
    """Add a declaration to a type or beside another."""
    from codecortex.operations.refactoring.members import insert_one

    return insert_one(asked, symbol, new, where or "end")  # type: ignore[arg-type]  # click knows the words


@member.command()
@_verb
def remove(asked: EditRequest, symbol: str) -> EditResult:
    """Take a declaration away, with all that is its own."""
    from codecortex.operations.refactoring.members import remove_one

    return remove_one(asked, symbol)


@refactor.command()
@json_option
@click.option("--write", is_flag=True, help="Change the files of the work tree.")
@click.option("--session", metavar="NAME", help="Make them versions of a session, which begins if there is none.")
@click.option("--edit", "edits", multiple=True, metavar="JSON", help="An edit, instead of FILE; repeatable.")
@click.argument("file", default="-")
@flavour_options
@click.pass_obj
def batch(
    context: Context, /, *, file: str, edits: tuple[str, ...], session: str | None, write: bool, **options: Any
) -> None:
    """Make several edits as one.

    FILE, or stdin, is a JSON list of edits, or an object on each line: {"verb": "rename", "symbol": "Store.Find",
    "name": "Look"}. Each edit is made on what the one before it left; all are compiled together, and written at once.
    Where one cannot be made, nothing is written and it is named; with --write or --session the others are kept in a
    session. With both, all that the session changed is written.
    """
    from codecortex.cli.options import make_request
    from codecortex.cli.text import print_result
    from codecortex.operations.refactoring.batches.reading import read_batch
    from codecortex.operations.refactoring.batches.run import run_batch
    from codecortex.operations.refactoring.results import EditRequest

    as_json = options.pop("as_json")
    steps = read_batch("\n".join(edits), "--edit") if edits else read_batch(read_source(file), file)
    print_result(run_batch(EditRequest(make_request(context, options), session, write), steps), as_json=as_json)


@refactor.command()
@json_option
@click.pass_obj
def undo(context: Context, /, *, as_json: bool) -> None:
    """Take the latest edit of the work tree back.

    Edits of other places since then stay; where the same lines were edited again, nothing is written.
    """
    from codecortex.cli.options import make_request
    from codecortex.cli.text import print_result
    from codecortex.operations.refactoring.undo import undo as run

    print_result(run(make_request(context, {})), as_json=as_json)
