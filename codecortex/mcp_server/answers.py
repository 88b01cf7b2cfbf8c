"""Makes tool results from results and errors of operations: bounded, with warnings, as JSON and as text."""

from __future__ import annotations

import json
import sys
import traceback
from typing import TYPE_CHECKING, Any

from mcp_types import CallToolResult, TextContent

from codecortex import __version__
from codecortex.model.errors import CodecortexError
from codecortex.model.text.visible import show_line, show_text
from codecortex.operations.wording import mend_halves

if TYPE_CHECKING:
    from codecortex.mcp_server.open_workspace import Call
    from codecortex.operations.result import Result

MAX_CHARS = 40_000
"""Maximum size of each form of an answer, unless the call sets another."""

_ADVICE = "ask for less (limit) or raise maxChars"


def write_answer(answer: Result, call: Call, max_chars: int) -> CallToolResult:
    """A result of a call, with its warnings, as a tool result."""
    warnings = call.warnings
    values = {"traceId": call.trace.id, **_spell(answer.as_json() | call.trace.asked)}
    text = show_text(_spell(answer.as_text()))
    own = values.get("warnings", [])
    counted = isinstance(own, int)  # how many findings of `check` are warnings; what could not be read is among them
    told = list(dict.fromkeys([*([] if counted else own), *map(_spell, warnings)]))
    if told and not counted:
        values["warnings"] = told
    values, cut = _cut_values(values, max_chars)
    if cut:
        values["cut"] = cut
        values.pop("nextOffset", None)  # it would skip what was cut
    if len(text) > max_chars:
        text = f"{text[:max_chars]}\n[cut at {max_chars:,} of {len(text):,} characters; {_ADVICE}]"
    lines = [text, *(f"warning: {each}" for each in told if each not in text)]
    return CallToolResult(content=[TextContent(text=show_text("\n".join(lines)))], structured_content=values)


def write_error(error: CodecortexError, call: Call) -> CallToolResult:
    """An error that the agent can act on as a tool result; the text repeats its details if they are short."""
    told = describe_error(error)
    more = {"warnings": list(map(_spell, call.warnings))} if call.warnings else {}
    values = {"traceId": call.trace.id, "error": told, **more}
    lines = [f"error: {told['code']}: {told['message']}"]
    lines += [f"  {show_line(row)}" for row in error.rows]
    lines += [f"hint: {told['hint']}"] if "hint" in told else []
    lines += [f"{name}: {told[name]}" for name in error.details if isinstance(told[name], (str, int))]
    lines += [f"warning: {each}" for each in values.get("warnings", ())]
    shown = show_text("\n".join(lines))
    return CallToolResult(content=[TextContent(text=shown)], structured_content=values, is_error=True)


def describe_error(error: CodecortexError) -> dict[str, Any]:
    """An error as JSON values, without lone surrogates."""
    return dict(_spell(error.as_json()))


def explain(problem: Exception, trace_id: str) -> CodecortexError:
    """Turn any exception into an error to report; a bug is logged on stderr under the id of the call."""
    if isinstance(problem, CodecortexError):
        return problem
    if isinstance(problem, OSError):
        where = f": {problem.filename}" if problem.filename else ""
        return SystemRefusalError(f"{problem.strerror or problem}{where}.")
    report = "".join(traceback.format_exception(problem))
    sys.stderr.write(f"codecortex {__version__}: bug {trace_id}\n{report}")
    sys.stderr.flush()
    hint = f"The server goes on; its log (stderr) tells more under {trace_id}."
    return CodecortexError(f"A bug in codecortex: {type(problem).__name__}.", hint, traceId=trace_id)


class SystemRefusalError(CodecortexError):
    """The operating system refused something that no other code handles."""

    code = "SystemError"


def _spell(value: Any) -> Any:
    """The value without lone surrogates, which UTF-8 cannot encode: file names may contain any bytes."""
    return json.loads(mend_halves(json.dumps(value, ensure_ascii=False, default=list)))  # rows may come one by one


def _cut_values(values: dict[str, Any], room: int) -> tuple[dict[str, Any], str]:
    """Cut the longest lists and texts until the JSON fits; return the values, and what was cut or an empty text."""
    size = _measure(values)
    told = []
    while size > room:
        name = max(values, key=lambda each: _measure(values[each]))
        value, others = values[name], size - _measure(values[name])
        if isinstance(value, str):
            kept: Any = value[: max(0, room - others)]
            unit = "characters"
        elif isinstance(value, list):
            kept, unit = _take(value, room - others), "entries"
        else:
            break  # nothing that can sensibly be cut
        if len(kept) == len(value):
            break
        told.append(f"{name}: {len(kept):,} of {len(value):,} {unit}")
        values = values | {name: kept}
        size = _measure(values)
    return values, f"{'; '.join(told)}; {_ADVICE}" if told else ""


def _take(entries: list[Any], room: int) -> list[Any]:
    kept, used = [], 0
    for each in entries:
        used += _measure(each) + 1
        if used > room:
            break
        kept.append(each)
    return kept


def _measure(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False))
