"""A response as Markdown in four parts, and back.

The text is for models and for the log; `write_response` reads back what it wrote, and what does not come back the same
is answered by a response that says so.
"""

from __future__ import annotations

import re

from codecortex.editing.values import (
    OPTIONAL_FLAGS,
    REQUIRED_FLAGS,
    Candidate,
    Flag,
    Language,
    Metrics,
    Response,
    State,
    Status,
)
from codecortex.editing.wording import Say, write
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later


class SchemaViolationError(ValueError):
    """A text is no response; the message says which line is wrong and what was expected there."""


class _Words(NamedTuple):
    overview: str
    metrics: str
    metric: str
    value: str
    candidates: str
    empty: str


_WORDS = {
    Language.ENGLISH: _Words("Overview", "Metrics", "Metric", "Value", "Candidates", "(empty)"),
    Language.CHINESE: _Words("概览", "指标", "指标", "值", "候选选区", "\uff08留空\uff09"),
}
_ICONS = {
    Status.SUCCESS: "OK",
    Status.NO_OP: "OK",
    Status.NO_MATCH: "Warning",
    Status.MULTI_MATCH: "Warning",
    Status.EXTERNAL_CONFLICT: "Warning",
    Status.PERSIST_FAILURE: "Fail",
    Status.EXCEPTION: "Fail",
}
_RULE = "| --- | --- |"
_COLUMNS = "| Id | MarkerStart | MarkerEnd | Preview | Occurrence | ContextStart | ContextEnd |"
_COLUMNS_RULE = "| --- | --- | --- | --- | --- | --- | --- |"
_LINE = str.maketrans({"\\": "\\\\", "\n": "\\n", "\r": "\\r"})
_CELL = _LINE | str.maketrans({"|": "\\|", "`": "\\`"})
_ESCAPE = compile_later(r"\\(.)")
_UNESCAPES = {"n": "\n", "r": "\r"}
_METRIC_ROWS = (
    ("delta", "[+-][0-9]+"),
    ("new_length", "[0-9]+"),
    ("selection_count", "[0-9]+|-"),
)
_ROW = r"\| ([0-9]+) \| `([^`]*)` \| `([^`]*)` \| `((?:[^`\\]|\\.)*)` \| ([0-9]+) \| ([0-9]+) \| ([0-9]+) \|"


def write_response(response: Response, language: Language) -> tuple[Response, str]:
    """The response and its Markdown; where that does not read back as the same, one that tells of the violation."""
    text = format_response(response, language)
    try:
        if parse_response(text) == response:
            return response, text
    except SchemaViolationError:
        pass
    flags = REQUIRED_FLAGS[response.state] | Flag.SchemaViolation
    metrics = Metrics(0, max(response.metrics.new_length, 0))
    told = Response(Status.EXCEPTION, response.state, flags, write(language, Say.VIOLATION), None, metrics)
    return told, format_response(told, language)


def format_response(response: Response, language: Language) -> str:
    """A response as Markdown, without a line end behind it."""
    words = _WORDS[language]
    metrics = response.metrics
    count = "-" if metrics.selection_count is None else str(metrics.selection_count)
    lines = [
        f"status: `{response.status}`",
        f"state: `{response.state}`",
        f"flags: {', '.join(f'`{name}`' for name in list_flags(response.flags)) or '-'}",
        "",
        f"### [{_ICONS[response.status]}] {words.overview}",
        f"- summary: {_write_text(response.summary, words.empty)}",
        f"- guidance: {words.empty if response.guidance is None else _write_text(response.guidance, words.empty)}",
        "",
        f"### [Metrics] {words.metrics}",
        f"| {words.metric} | {words.value} |",
        _RULE,
        f"| delta | {metrics.delta:+d} |",
        f"| new_length | {metrics.new_length} |",
        f"| selection_count | {count} |",
    ]
    if response.candidates:
        lines += ["", f"### [Target] {words.candidates}", _COLUMNS, _COLUMNS_RULE]
        lines += map(_format_candidate, response.candidates)
    return "\n".join(lines)


def list_flags(flags: Flag) -> list[str]:
    """The names of flags, in the order of their bits."""
    return [str(flag.name) for flag in Flag if flag in flags]


def _format_candidate(each: Candidate) -> str:
    cells = (f"`{text}`" for text in (each.marker_start, each.marker_end, each.preview.translate(_CELL)))
    return f"| {each.id} | {' | '.join(cells)} | {each.occurrence} | {each.context_start} | {each.context_end} |"


def _write_text(text: str, empty: str) -> str:
    """A text on one line; one that would read as an empty one begins with a backslash."""
    return f"\\{text}" if text == empty else text.translate(_LINE)


def _unescape(text: str) -> str:
    return _ESCAPE.sub(lambda match: _UNESCAPES.get(match[1], match[1]), text)


class _Lines:
    """The lines of a text, each asked for once."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._next = 0

    def is_at_end(self) -> bool:
        return self._next == len(self._lines)

    def take(self, pattern: str, expected: str) -> re.Match[str]:
        """The next line, which a pattern has to fit."""
        line = "" if self.is_at_end() else self._lines[self._next]
        match = re.fullmatch(pattern, line)
        if match is None:
            raise self.refuse(expected)
        self._next += 1
        return match

    def take_exactly(self, line: str) -> None:
        """The next line, which has to be this one."""
        self.take(re.escape(line), line or "an empty line")

    def refuse(self, expected: str) -> SchemaViolationError:
        return SchemaViolationError(f"line {self._next + 1}: expected {expected}")


def parse_response(text: str) -> Response:
    """The response that a text in either language tells.

    Raises:
        SchemaViolationError: The text is no response, or tells of what cannot be.
    """
    lines = _Lines(text)
    status = Status(_take_word(lines, "status", tuple(Status)))
    state = State(_take_word(lines, "state", tuple(State)))
    flags = _take_flags(lines, state)
    lines.take_exactly("")
    icon = re.escape(_ICONS[status])
    overview = lines.take(rf"### \[{icon}\] (.+)", f"### [{_ICONS[status]}] and a heading")[1]
    words = next((each for each in _WORDS.values() if each.overview == overview), None)
    if words is None:
        raise SchemaViolationError(f"line 5: {overview!r} is no heading")
    summary = lines.take("- summary: (.+)", "- summary: and a text")[1]
    guidance = lines.take("- guidance: (.+)", "- guidance: and a text")[1]
    if summary == words.empty:
        raise SchemaViolationError("line 6: the summary is empty")
    lines.take_exactly("")
    metrics = _take_metrics(lines, words)
    candidates = _take_candidates(lines, words)
    if (state is State.SELECTION_PENDING) != bool(candidates) or bool(candidates) != (
        metrics.selection_count is not None
    ):
        raise SchemaViolationError("candidates, their count and the state do not fit each other")
    told = None if guidance == words.empty else _unescape(guidance)
    return Response(status, state, flags, _unescape(summary), told, metrics, candidates)


def _take_word(lines: _Lines, key: str, known: tuple[str, ...]) -> str:
    word = lines.take(rf"{key}: `(\w+)`", f"{key}: and a word in backticks")[1]
    if word not in known:
        raise SchemaViolationError(f"{word} is no {key}")
    return word


def _take_flags(lines: _Lines, state: State) -> Flag:
    names = re.findall(r"\w+", lines.take(r"flags: (-|`\w+`(?:, `\w+`)*)", "flags: and names, or -")[1])
    if not set(names) <= Flag.__members__.keys():
        raise SchemaViolationError(f"line 3: {', '.join(names)} are not all flags")
    flags = Flag(sum(Flag[name] for name in names))
    if names != list_flags(flags):
        raise SchemaViolationError("line 3: flags stand twice, or in another order than that of their bits")
    required = REQUIRED_FLAGS[state]
    if flags & required != required or flags & ~(required | OPTIONAL_FLAGS[state]):
        raise SchemaViolationError(f"line 3: a response in state {state} has other flags")
    return flags


def _take_metrics(lines: _Lines, words: _Words) -> Metrics:
    lines.take_exactly(f"### [Metrics] {words.metrics}")
    lines.take_exactly(f"| {words.metric} | {words.value} |")
    lines.take_exactly(_RULE)
    values = [lines.take(rf"\| {name} \| ({value}) \|", f"the row {name}")[1] for name, value in _METRIC_ROWS]
    return Metrics(int(values[0]), int(values[1]), None if values[2] == "-" else int(values[2]))


def _take_candidates(lines: _Lines, words: _Words) -> tuple[Candidate, ...]:
    if lines.is_at_end():
        return ()
    for line in ("", f"### [Target] {words.candidates}", _COLUMNS, _COLUMNS_RULE):
        lines.take_exactly(line)
    found: list[Candidate] = []
    while not found or not lines.is_at_end():
        cells = lines.take(_ROW, "a row of seven cells")
        numbers = [int(cells[place]) for place in (5, 6, 7)]
        each = Candidate(int(cells[1]), _unescape(cells[4]), *numbers)
        if (cells[2], cells[3]) != (each.marker_start, each.marker_end) or each.id != len(found) + 1:
            raise lines.refuse("markers with the number of their candidate, which counts from 1")
        found.append(each)
    return tuple(found)
