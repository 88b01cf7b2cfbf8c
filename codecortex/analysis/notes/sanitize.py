"""Sanitizes text of any origin, so that it is safe to store, to show and to give to an agent.

Notes are read by people in browsers and by agents with tools. So a sanitized text has no HTML, images, invisible
characters, conflict markers, or instructions to a machine. Code stays readable: `List<int>` in backticks is code for
every Markdown parser, because every span ends on its line and every fence is at the beginning of a line.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterable

LEFT_OUT = "(left out: words to the reader's tools)"
"""Replaces a sentence that tells the reader to do something with a machine."""

_BREAKS = compile_later("\r\n?")
_SPACES = compile_later("[\x0b\x0c\x85\u2028\u2029]")
# Control characters, zero-width characters, direction marks, tags, noncharacters, lone surrogates.
_HIDDEN = compile_later(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\ud800-\udfff"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_CONFLICT = compile_later(r"^(?=(?:<{7}|>{7}|\|{7}|={7})(?:[ \r]|$))", re.MULTILINE)
_LINE = compile_later(r"[^\n]*\n|[^\n]+")
_FENCE = compile_later(r"(`{3,}|~{3,})[^`\n]*\n?")
_FENCE_END = compile_later(r" {0,3}(`{3,}|~{3,})[ \t]*\n?")
_TICKS = compile_later(r"\\.|`+", re.DOTALL)
_RUN = compile_later(r"`+")
_TILDES = compile_later(r"~{3,}")
_TAG = compile_later(r"<(?=[A-Za-z/!?|])")
_LINK = compile_later(r"\](?=\((?!https?://[^\s()<>\"'`\\]*\)))|(?<=\])(?=:)|!(?=\[)")
_TEMPLATE = compile_later(
    r"<(?=\||/?(?:antml:|tool_|function|invoke\b|system\b|assistant\b|user\b|s>|INST|SYS|think))|\|(?=>)"
    r"|\[(?=/?(?:INST|TOOL_CALLS)\])",
    re.IGNORECASE,
)
_SPEAKER = compile_later(r"^([ \t>*-]*)(system|assistant|human|user)[ \t]*:", re.MULTILINE | re.IGNORECASE)
_SENTENCE = compile_later(r"[^\n]+?(?:[.!?]+[)\]\"']*(?=\s)|$)", re.MULTILINE)

_PROMPT = r"(?:instruction|prompt|rule|guideline|direction|directive|command|context|message)s?"
_SHELL = (
    r"(?:curl|wget|bash|zsh|powershell|pwsh|cmd\.exe|sudo|chmod|npm|npx|pip|ssh|iex|codecortex|rm\s+-|"
    r"git\s+(?:push|config|clone|reset)|dotnet\s+[a-z]\w*|(?:following|this|these)\s+scripts?|"
    r"(?:shell|terminal|bash|following|these)\s+commands?|"
    r"(?:in|from|into|at|on)\s+(?:a|the|your)\s+(?:shell|terminal|console|command[ -]?(?:line|prompt)))"
)
_ORDERS = compile_later(
    rf"""\b(?:ignore|disregard|forget|override|bypass)\b.{{0,60}}\b(?:previous|prior|above|earlier|preceding|all|any|
        your|system|these|those)\b.{{0,60}}\b{_PROMPT}\b
    |\b(?:new|updated|revised|real|actual)\s+(?:system\s+)?(?:instructions?|prompt)\s*:
    |\b(?:system|developer)\s+prompt\b
    |\byou\s+are\s+(?:now\s+)?(?:an?|the)\s+(?:\w+\s+)?(?:ai|assistant|agent|language\s+model|llm|chatbot)\b
    |\bas\s+an?\s+(?:ai|assistant|language\s+model|llm|chatbot)\b
    |\b(?:attention|dear|hey|note\s+(?:to|for))\s*,?\s+(?:the\s+)?(?:ai|assistants?|agents?|llms?|language\s+models?|
        claude|chatgpt|copilot|cursor)\b
    |\b(?:ai|coding)\s+(?:agents?|assistants?)\b.{{0,20}}\b(?:must|should|have\s+to|need\s+to|shall)\b
    |\bif\s+you\s+are\s+an?\s+(?:ai|assistant|agent|language\s+model|llm)\b
    |\b(?:use|call|invoke)\s+(?:the|your)\s+\W?\w+\W?\s+tool\b
    |^\W*(?:(?:please|now|first|then|next|always|also|you\s+(?:must|should|need\s+to|have\s+to|can|may)|
        (?:before|after|to)\b[^,]{{1,80}},)[\s,]*)*
        (?:run|execute|invoke|launch|type|paste)\b.{{0,80}}?(?<![\w.]){_SHELL}(?!\.?[\w(])
    |\b(?:curl|wget|iwr)\b.{{0,200}}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b
    |(?<![\w.])(?:sudo\s+)?rm\s+-[a-z]*[rf]""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)


class Code(NamedTuple):
    """The code in a text.

    Attributes:
        spans: The contents of code spans outside of fences.
        pieces: The whole text in pieces, each with whether it is code (a span with its backticks, a line of a fence).
            In prose, backticks are escaped by backslashes.
        open: The mark of an unclosed fence, or empty.
    """

    spans: tuple[str, ...]
    pieces: tuple[tuple[str, bool], ...]
    open: str


def drop_controls(text: str) -> str:
    """A text without invisible characters, with LF line ends."""
    return _HIDDEN.sub("", _SPACES.sub(" ", _BREAKS.sub("\n", text)))


def sanitize(text: str) -> str:
    """A text that is safe to store as a section of a note, to show, and to give to an agent."""
    code = split_code(_silence(drop_controls(text)))
    sanitized = "".join(_sanitize_code(piece) if is_code else _sanitize_prose(piece) for piece, is_code in code.pieces)
    closing = f"\n{code.open}" if code.open else ""
    return _CONFLICT.sub(r"\\", sanitized + closing)


def tell_altered(text: str, sanitized: Iterable[str]) -> tuple[str, ...]:
    """What was sanitized in a text, as clauses.

    Args:
        text: The original text.
        sanitized: The parts of it that were used, as returned by `sanitize`.
    """
    plain, parts = drop_controls(text), tuple(sanitized)
    joined = "\n".join(parts)
    told = ["characters that cannot be seen were dropped"] if _HIDDEN.search(text) else []
    silent, html = joined.count(LEFT_OUT) > plain.count(LEFT_OUT), joined.count("&lt;") > plain.count("&lt;")
    told += ["words to the reader's tools were left out"] if silent else []
    told += ["HTML became plain text"] if html else []
    if not told and any(part not in plain for part in parts):
        told.append("links or signs that a reader might obey were escaped")
    return tuple(told)


def _sanitize_prose(text: str) -> str:
    text = _TAG.sub("&lt;", _TILDES.sub(lambda match: "\\~" * len(match[0]), text))
    text = _LINK.sub(lambda match: match[0] + "\\", text)
    return _TEMPLATE.sub(lambda match: match[0] + " ", text)


def _sanitize_code(text: str) -> str:
    return _TEMPLATE.sub(lambda match: match[0] + " ", text)


def _silence(text: str) -> str:
    """A text without sentences that give instructions to the reader's tools."""
    text = _SPEAKER.sub(r"\1\2 -", text)
    if _ORDERS.search(" ".join(text.split())) is None and not any(map(_ORDERS.search, _SENTENCE.findall(text))):
        return text
    return "\n\n".join(map(_silence_paragraph, text.split("\n\n")))


def _silence_paragraph(text: str) -> str:
    kept = _SENTENCE.sub(_silence_sentence, text)
    # An instruction may extend over a line end or an apparent sentence end: then drop the paragraph.
    return LEFT_OUT if _ORDERS.search(" ".join(kept.split())) else kept


def _silence_sentence(match: re.Match[str]) -> str:
    sentence = match[0]
    if _ORDERS.search(sentence) is None:
        return sentence
    return sentence[: len(sentence) - len(sentence.lstrip())] + LEFT_OUT


def split_code(text: str) -> Code:
    """Separate a text's code from its prose."""
    spans: list[str] = []
    pieces: list[tuple[str, bool]] = []
    fence = ""
    for line in _LINE.findall(text):
        if fence:
            pieces.append((line, True))
            end = _FENCE_END.fullmatch(line)
            if end is not None and end[1].startswith(fence):
                fence = ""
            continue
        begin = _FENCE.fullmatch(line)
        if begin is not None:
            fence = begin[1]
            pieces.append((line, True))
        else:
            _split_line(line, spans, pieces)
    return Code(tuple(spans), tuple(pieces), fence)


def _split_line(line: str, spans: list[str], pieces: list[tuple[str, bool]]) -> None:
    """Add the pieces of a line outside of fences."""
    last = at = 0
    while (mark := _TICKS.search(line, at)) is not None:
        at, size = mark.end(), len(mark[0])
        if mark[0][0] == "\\":
            continue
        closing = next((run for run in _RUN.finditer(line, at) if len(run[0]) == size), None)
        if closing is None:
            pieces.append((line[last : mark.start()] + "\\`" * size, False))
            last = at
            continue
        pieces += [(line[last : mark.start()], False), (line[mark.start() : closing.end()], True)]
        spans.append(line[at : closing.start()])
        last = at = closing.end()
    pieces.append((line[last:], False))
