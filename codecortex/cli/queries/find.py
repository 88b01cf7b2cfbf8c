"""`codecortex resolve` and `codecortex search`: symbols by name, and symbols by words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from codecortex.cli.options import Context, among_options, complete_symbol, json_option, print_answer, tree_options

if TYPE_CHECKING:
    from collections.abc import Callable

    from codecortex.operations.catalog.among import Among
    from codecortex.operations.result import Result

_PAGE = (
    click.option("--kind", "kinds", metavar="KIND", multiple=True,
                 help="Only type, member, namespace, or a kind of them such as interface or method; may be repeated."),
    click.option("--limit", type=click.IntRange(1, 10_000), default=20, show_default=True, help="Hits to print."),
    click.option("--offset", type=click.IntRange(0), default=0, help="Hits to leave out before."),
)  # fmt: skip


def _page_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(_PAGE):
        command = option(command)
    return command


@click.command()
@click.argument("query", shell_complete=complete_symbol)
@_page_options
@json_option
@tree_options
@click.pass_obj
def resolve(context: Context, /, query: str, *, as_json: bool, **options: Any) -> None:
    """Print what a name means, best first.

    QUERY is a full name or the end of one, such as Store, Core.Store<T>, Store.Find or Store.Find(string); a pattern
    with * and ?; a name with a dot at its end for what is directly in it; an id; or a documentation id.
    """
    from codecortex.operations.queries.resolve import resolve as run_resolve

    kinds = frozenset(options.pop("kinds"))
    page = {name: options.pop(name) for name in ("limit", "offset")}
    print_answer(
        context, options, lambda workspace: run_resolve(workspace, query, kinds=kinds, **page), as_json=as_json
    )


@click.command()
@click.argument("words", nargs=-1, required=True)
@_page_options
@among_options
@json_option
@tree_options
@click.pass_obj
def search(
    context: Context, /, words: tuple[str, ...], *, among: Among, files: bool, as_json: bool, **options: Any
) -> None:
    """Print the symbols that some words are about, best first.

    One word is looked for in names: the name, its beginning, the initials of its parts, any part of it, then in
    documentation. Of several words or a sentence, what holds all goes before what holds some, the rarest first.
    """
    from codecortex.operations.queries.search import SearchQuery, search_files
    from codecortex.operations.queries.search import search as run_search

    query = SearchQuery(" ".join(words), frozenset(options.pop("kinds")), among)
    page = {name: options.pop(name) for name in ("limit", "offset")}
    operation: Callable[..., Result] = search_files if files else run_search
    print_answer(context, options, lambda workspace: operation(workspace, query, **page), as_json=as_json)
