"""The prompts that a client offers to people: common tasks, each with the tools that serve it, in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_types import GetPromptResult, ListPromptsResult, Prompt, PromptArgument, PromptMessage, TextContent

from codecortex.mcp_server.arguments import Parameter, check_arguments
from codecortex.model.errors import UsageError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.wording import mend_halves

if TYPE_CHECKING:
    from collections.abc import Mapping


class Task(NamedTuple):
    """One prompt.

    Attributes:
        name: Name of the prompt.
        description: What it is for.
        parameters: What the person fills in; all of them texts.
        text: What is told to the agent, with the arguments in braces.
    """

    name: str
    description: str
    parameters: tuple[Parameter, ...]
    text: str


_LOCATE = """Find where in this repository the following is to be changed. Change nothing yet.

1. Call `context` with the whole text of the task as `question`.
2. Read what the answer only names and you need: `outline` for a type or a member, `read` for lines of files, all \
ranges in one call.
3. Call `usages` for each member that you would change, and `graph` with `reverse` for each type whose signatures you \
would change.
4. Call `note` for the types that matter; do not rely on a stale one.

Answer with the places to change (path, member, what changes), the callers and tests that are concerned, and what you \
are not certain of.

The task:
{task}
"""
_REVIEW = """Review what changed in this repository between two revisions: {revisions}.

1. Call `history` with action `changes` and revisions `{revisions}`: the types that changed, the gravest class first \
in your review: Structure, then PublicBehavior, then Internal.
2. For each of these types, call `history` with action `diff`, the type as `symbol` and revisions `{revisions}`.
3. Call `usages` for members that were removed or whose signatures changed, and see whether their callers follow.
4. Call `history` with action `check`: notes and generated files that the change left behind.

Answer with the defects you found (path, line, what fails and when), then the risks, then the notes to write anew. \
Name no matter of taste.
"""
_NOTES = """Write or mend {notes}.

1. Call `next`{argument}: it gives a prompt under an id.
2. Answer that prompt from the sources in it. Where they do not suffice, call `outline`, `usages` or `read`; invent \
nothing.
3. Call `put` with the id and your answer. If it is refused, mend what the error says and call `put` with the same id.
4. Go on with `next` until it gives no id.

Then say which notes you wrote and what you were not certain of.
"""
_TASKS = (
    Task(
        "find",
        "Find where to change something for a task",
        (Parameter("task", str, required=True, note="The task: an issue, a request, an error"),),
        _LOCATE,
    ),
    Task(
        "review",
        "Review a change between two revisions",
        (Parameter("revisions", str, "HEAD", note="A..B, A...B, or A for A and the files as they are; HEAD"),),
        _REVIEW,
    ),
    Task(
        "notes",
        "Write or mend notes",
        (
            Parameter("symbol", str, "", note="The note of this type; else the notes most in need of it"),
            Parameter("number", str, "5", note="How many at most; 5"),
        ),
        _NOTES,
    ),
)
_BY_NAME: Mapping[str, Task] = {task.name: task for task in _TASKS}


def list_prompts() -> ListPromptsResult:
    """The prompts as described to the client."""
    return ListPromptsResult(
        prompts=[Prompt(name=each.name, description=each.description, arguments=_describe(each)) for each in _TASKS]
    )


def _describe(task: Task) -> list[PromptArgument]:
    return [PromptArgument(name=each.name, description=each.note, required=each.required) for each in task.parameters]


def get_prompt(name: str, arguments: Mapping[str, str]) -> GetPromptResult:
    """The text of a prompt with its arguments filled in; an empty argument counts as left out.

    Raises:
        UsageError: There is no such prompt, or its arguments do not fit.
    """
    task = _BY_NAME.get(name)
    if task is None:
        raise UsageError(f"Unknown prompt {name[:80]!r}.", f"The prompts are: {', '.join(_BY_NAME)}.")
    given = check_arguments({key: text for key, text in arguments.items() if text.strip()}, task.parameters)
    if task.name == "notes":
        given |= _choose_notes(given["symbol"], given["number"])
    text = mend_halves(task.text.format_map(given))
    return GetPromptResult(
        description=task.description, messages=[PromptMessage(role="user", content=TextContent(text=text))]
    )


def _choose_notes(symbol: str, number: str) -> dict[str, str]:
    if symbol:
        return {"notes": f"the note on the type {symbol}", "argument": f" with `{symbol}` as `symbol`"}
    return {"notes": f"the notes of this repository that need it most, {number} at most", "argument": ""}
