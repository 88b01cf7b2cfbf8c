"""`codecortex semantic`: shows notes, writes them by hand, and lists them with their states."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from codecortex.cli.notes.agent import Answer, hand_in, next_
from codecortex.cli.notes.generate import generate, mend_note
from codecortex.cli.notes.prompt import prompt
from codecortex.cli.options import (
    Context,
    json_option,
    make_request,
    print_answer,
    provider_option,
    selection_options,
    symbol_argument,
    tree_options,
)
from codecortex.cli.output import echo, style
from codecortex.cli.progress import end_progress
from codecortex.cli.text import print_json, print_section
from codecortex.model.notes import LAST_SECTION, MEMBERS, Section
from codecortex.operations.wording import count_noun

if TYPE_CHECKING:
    from collections.abc import Mapping

    from codecortex.model.config_choices import ProviderName
    from codecortex.operations.generation.jobs.jobs import Selection
    from codecortex.operations.generation.put import NoteResult, PutResult, StatesResult
    from codecortex.operations.notes.states import NoteState

_COLOURS = {"cached": "green", "stale": "yellow", "pending": "cyan", "generating": "cyan", "failed": "red"}


_PUT_HELP = f"""Write the note of one type from FILE or standard input.

The sections {", ".join(list(Section)[:-1])} and {LAST_SECTION} that the text has replace those of the
note; the others stay as they are. With the ID of a prompt that `next` gave, the text is the answer to it, which is
checked first.
"""


@click.group()
def semantic() -> None:
    """Show, write and list semantic notes on types."""


semantic.add_command(generate)
semantic.add_command(next_)
semantic.add_command(prompt)


@semantic.command()
@symbol_argument
@click.option("--mend", is_flag=True, help="If it is missing or stale, have it written first, as `generate` does.")
@json_option
@tree_options
@click.pass_obj
def show(context: Context, /, symbol: str, *, mend: bool, as_json: bool, **options: Any) -> None:
    """Print the note of one type, with its state.

    SYMBOL may be the id of a group, too. Without --mend nobody is asked, and a stale note is printed as it is.
    """
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.generation.put import show as run_show

    if mend:
        if options["staged"] or options["rev"] is not None or options["session"] is not None:
            raise click.UsageError("--mend writes into the work tree and cannot mend another tree.")
        mend_note(context, symbol, options)
    with Workspace(make_request(context, options)) as workspace:
        _print_note(run_show(workspace, symbol), as_json=as_json)


@semantic.command("list")
@selection_options
@json_option
@tree_options
@click.pass_obj
def list_(context: Context, /, *, selection: Selection, as_json: bool, **options: Any) -> None:
    """List the notes that have to be written.

    Without SYMBOL, for the types that `semantics.types` selects and those that have a note. A SYMBOL may be a pattern
    or the id of a group.
    """
    from codecortex.operations.generation.jobs.jobs import list_work

    print_answer(context, options, lambda workspace: list_work(workspace, selection), as_json=as_json)


@semantic.command()
@selection_options
@provider_option("Who would be asked, whatever the configuration says.")
@click.option("--exact", is_flag=True, help="Make every prompt, however many there are.")
@json_option
@tree_options
@click.pass_obj
def plan(
    context: Context,
    /,
    *,
    selection: Selection,
    provider: ProviderName | None,
    exact: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Say what a model would be sent, and what that may cost.

    Nothing is sent, and nothing is written.
    """
    from codecortex.operations.generation.plan import plan as run_plan

    print_answer(
        context, options, lambda workspace: run_plan(workspace, selection, provider, exact=exact), as_json=as_json
    )


@semantic.command(help=_PUT_HELP)
@click.argument("symbol", metavar="SYMBOL|ID")
@click.argument("file", default="-")
@click.option("--generator", metavar="TEXT", default="", help="Who wrote the text; else `hand`, for an ID `agent`.")
@json_option
@click.pass_obj
def put(context: Context, /, symbol: str, *, file: str, generator: str, as_json: bool) -> None:
    """Write the note of one type from FILE or standard input; its help is `_PUT_HELP`."""
    from codecortex.operations.generation.put import MOST_BYTES, Body
    from codecortex.operations.generation.put import put as run_put
    from codecortex.store.local.agent_json import is_prompt_id

    standard = file == "-"
    with click.open_file("-" if standard else str(context.folder / file), "rb") as source:
        data = source.read(MOST_BYTES)
    where = "standard input" if standard else file
    if is_prompt_id(symbol):
        hand_in(context, Answer(symbol, data, where, generator), as_json=as_json)
        return
    body = Body(data, where, generator or "hand")
    _print_put(run_put(make_request(context, {}), symbol, body), as_json=as_json)


@semantic.command()
@click.option("--stale", is_flag=True, help="Only notes that no longer hold.")
@click.option("--exit-code", is_flag=True, help="Exit with 1 where a note no longer holds.")
@json_option
@tree_options
@click.pass_context
def states(click_context: click.Context, /, *, stale: bool, exit_code: bool, as_json: bool, **options: Any) -> None:
    """List every note with its state and why it is stale."""
    from codecortex.operations.generation.put import list_notes

    result = list_notes(make_request(click_context.obj, options))
    _print_states(result, stale=stale, as_json=as_json)
    if exit_code and any(each.causes for each in result.survey.notes):
        click_context.exit(1)


@semantic.command()
@click.option("--tests", is_flag=True, help="Also extracts on tests and benchmarks, unless `semantics.tests` is set.")
@click.option("-n", "--dry-run", is_flag=True, help="List what would be removed; remove nothing.")
@json_option
@click.pass_obj
def prune(context: Context, /, *, tests: bool, dry_run: bool, as_json: bool) -> None:
    """Remove the notes that are about no type.

    What they said is kept in .codecortex/local/replaced. A note stays that a refresh would move to a renamed type.
    """
    from codecortex.operations.generation.prune import prune as run_prune

    print_answer(context, {}, lambda workspace: run_prune(workspace, tests=tests, dry_run=dry_run), as_json=as_json)


def _print_note(result: NoteResult, *, as_json: bool) -> None:

    end_progress()
    if as_json:
        print_json(result.as_json())
        return
    note = result.note
    if note is None:
        echo(result.as_text())
        return
    found = note.found
    echo(f"{style(found.state, fg=_COLOURS[found.state])}  {found.path}{_explain(found, note.names)}\n")
    if note.own_sections != note.sections:
        echo(note.as_text().partition("\n\n")[2])
    else:
        echo(found.data.decode("utf-8", "replace").replace("\r\n", "\n"), nl=False)
    echo(result.write_next()[1:], nl=bool(note.causes))


def _print_put(result: PutResult, *, as_json: bool) -> None:
    from codecortex.operations.notes.states import list_sections

    if as_json:
        print_json({
            "owner": result.note.owner,
            "path": result.path,
            "created": not result.existed,
            "changed": result.changed,
            "given": list(result.given),
            "sections": list_sections(result.note),
            "members": list(result.lines),
            "removed": list(result.removed),
        })  # fmt: skip
        return
    end_progress()
    kept = [section for section in Section if section not in result.given]
    if not result.changed:
        echo(f"unchanged  {result.path}  {result.name}")
        return
    given = [section for section in Section if section in result.given] + [MEMBERS] * bool(result.lines)
    told = f"{', '.join(given)} written"
    if kept:
        told += f"; {', '.join(kept)} {'kept' if result.existed else 'empty'}"
    echo(f"wrote  {result.path}  {result.name}")
    echo(f"{told}.")


def _print_states(result: StatesResult, *, stale: bool, as_json: bool) -> None:
    from codecortex.operations.notes.states import describe_state

    survey = result.survey
    notes = [each for each in survey.notes if each.causes or not stale]
    if as_json:
        print_json({
            "head": result.head,
            "totals": dict(result.totals),
            "notes": [describe_state(each, result.names) for each in notes],
            "orphans": [orphan.as_json() for orphan in survey.orphans],
            "problems": list(survey.problems),
        })  # fmt: skip
        return
    end_progress()
    for each in notes:
        state = style(f"{each.state:<6}", fg=_COLOURS[each.state])
        echo(f"{state}  {each.owner}  {_name(each)}{_explain(each, result.names)}")
    print_section("Without a type", [f"{orphan.path}: {orphan.name} {orphan.advice}" for orphan in survey.orphans])
    print_section("Problems", list(survey.problems))
    totals = result.totals
    told = f"{totals['cached']:,} cached, {totals['stale']:,} stale, {totals['none']:,} without a note"
    told += "".join(f", {totals[each]:,} {each}" for each in ("pending", "generating", "failed") if totals.get(each))
    echo(f"{count_noun(sum(totals.values()), 'type')}: {told}.")


def _name(each: NoteState) -> str:
    return ", ".join(merged.fqn for merged in each.types)


def _explain(each: NoteState, names: Mapping[str, str]) -> str:
    """Why a note is stale, or how far it drifted; empty if neither applies."""
    from codecortex.analysis.notes.staleness import explain_cause, explain_drift

    told = [explain_cause(cause, names, each.drifts) for cause in each.causes]
    if not told:
        told = [explain_drift(drift) for drift in each.drifts.values()]
    return f"  ({'; '.join(told)})" if told else ""
