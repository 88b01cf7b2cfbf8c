"""Cuts the source text of types and their members for prompts.

A member that contains what looks like a secret is replaced by a comment. Excluded files are dropped from a type before
anything else is done with it.
"""

from __future__ import annotations

from textwrap import dedent
from typing import TYPE_CHECKING

from codecortex.analysis.types.outline import name_member
from codecortex.context.prompts.parts import Chunk, Source
from codecortex.context.prompts.secrets import find_secrets, name_kinds
from codecortex.git.contents import read_contents
from codecortex.git.listing import Entry
from codecortex.model.code.facts import VISIBLE
from codecortex.model.errors import GitStateError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.catalog.describe import find_head
from codecortex.operations.reading.sources import matches_globs
from codecortex.parsing.decode import decode_source

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from codecortex.analysis.changes.states import TypeAt
    from codecortex.git.repository import Repository
    from codecortex.model.code.types import Member, Part

_HEAD_RANK, _VISIBLE_RANK, _BETWEEN_RANK, _HIDDEN_RANK = range(4)
_MOST_HEAD = 60
"""Maximum number of lines of a type's declaration, up to its opening brace."""


class SourceText(NamedTuple):
    """A type and the lines of its files.

    Attributes:
        found: The type.
        lines: Path to lines of the file.
    """

    found: TypeAt
    lines: Mapping[str, Sequence[str]]


class _Span(NamedTuple):
    """The lines of a member: first, last, name, and rank (lower is kept first)."""

    start: int
    end: int
    name: str
    rank: int
    nested: bool = False


def is_withheld(path: str, patterns: tuple[str, ...]) -> bool:
    """Whether no model may be sent a file."""
    return bool(patterns) and matches_globs(path, patterns)


def drop_excluded(found: TypeAt, patterns: tuple[str, ...]) -> TypeAt | None:
    """A type without its parts and members in excluded files; None if nothing is left."""
    return found.without(lambda path: is_withheld(path, patterns))


def read_source_text(repository: Repository, found: TypeAt, entries: Mapping[str, Entry | str]) -> SourceText:
    """Read the lines of a type's files.

    Args:
        repository: The repository.
        found: The type.
        entries: Path to tree entry or blob id, for at least the type's files.

    Raises:
        GitStateError: A file cannot be read.
    """
    lines: dict[str, Sequence[str]] = {}
    wanted = [entries[path] for path in found.type.files]
    asked = [
        Entry(path, each) if isinstance(each, str) else each
        for path, each in zip(found.type.files, wanted, strict=True)
    ]
    for content in read_contents(repository, asked):
        if content.data is None:
            raise GitStateError(f"{content.entry.path} cannot be read: {content.problem}.")
        lines[content.entry.path] = decode_source(content.data).decode("utf-8", "replace").split("\n")
    return SourceText(found, lines)


def clear_text(text: str, name: str) -> str:
    """The text, or a comment in its place if it contains what looks like a secret."""
    secrets = find_secrets(text)
    return f"// {name}: not shown, it holds what looks like {', '.join(name_kinds(secrets))}" if secrets else text


def cut_member(source_text: SourceText, member: Member) -> str:
    """The dedented text of a member with its documentation and attributes; empty for an implicit member."""
    facts = member.facts
    if facts.implicit or member.path not in source_text.lines:
        return ""
    lines = source_text.lines[member.path]
    text = dedent("\n".join(lines[find_head(lines, facts.line) - 1 : facts.end_line]))
    return clear_text(text, name_member(source_text.found.type, facts))


def cut_declarations(source_text: SourceText) -> str:
    """The declaration of each part: documentation, attributes, name and bases, up to the opening brace."""
    texts = []
    for part in source_text.found.type.parts:
        lines = source_text.lines[part.path]
        start, end = find_head(lines, part.facts.line), _find_brace(lines, part)
        texts.append(clear_text(dedent("\n".join(lines[start - 1 : end])), "the declaration"))
    return "\n".join(texts)


def cut_source(source_text: SourceText, why: str) -> Source:
    """The whole text of a type in chunks; nested types are named but not shown."""
    merged = source_text.found.type
    chunks: list[Chunk] = []
    for part in merged.parts:
        if len(merged.files) > 1:
            chunks.append(Chunk("", f"// {part.path}", _HEAD_RANK))
        chunks += _cut_part(source_text, part)
    return Source(why, tuple(chunks), sum(not member.facts.implicit for member in merged.members))


def _cut_part(source_text: SourceText, part: Part) -> Iterator[Chunk]:
    lines = source_text.lines[part.path]
    first, last = find_head(lines, part.facts.line), part.facts.end_line
    at = first
    for span in _merge(_list_spans(source_text, part, lines)):
        yield from _cut_between(lines, at, span.start - 1, is_head=at == first)
        text = "\n".join(lines[span.start - 1 : span.end])
        if span.nested:
            yield Chunk("", f"    // {span.name}: a type of its own", _BETWEEN_RANK)
        else:
            yield Chunk(span.name, clear_text(text, span.name), span.rank)
        at = span.end + 1
    yield from _cut_between(lines, at, last, is_head=at == first)


def _cut_between(lines: Sequence[str], start: int, end: int, *, is_head: bool) -> Iterator[Chunk]:
    """The text between two members; the first such text contains the declaration."""
    text = "\n".join(line for line in lines[start - 1 : end] if line.strip())
    if text:
        name = "the declaration" if is_head else "between members"
        rank = _HEAD_RANK if is_head or not any(map(str.isalnum, text)) else _BETWEEN_RANK
        yield Chunk("", clear_text(text, name), rank)


def _list_spans(source_text: SourceText, part: Part, lines: Sequence[str]) -> Iterator[_Span]:
    merged, facts = source_text.found.type, part.facts
    for member in merged.members:
        own = member.facts
        inside = member.path == part.path and facts.line <= own.line and own.end_line <= facts.end_line
        if inside and not own.implicit and not own.primary:
            rank = _VISIBLE_RANK if own.accessibility in VISIBLE else _HIDDEN_RANK
            start = max(find_head(lines, own.line), facts.line)
            yield _Span(start, own.end_line, name_member(merged, own), rank)
    for nested in source_text.found.nested:
        for inner in nested.parts:
            if inner.path == part.path and facts.line < inner.facts.line <= facts.end_line:
                yield _Span(
                    find_head(lines, inner.facts.line),
                    inner.facts.end_line,
                    nested.own_name,
                    _BETWEEN_RANK,
                    nested=True,
                )


def _merge(spans: Iterator[_Span]) -> list[_Span]:
    """Spans in order; those that share a line are merged."""
    out: list[_Span] = []
    for span in sorted(spans):
        if out and span.start <= out[-1].end:
            last = out[-1]
            names = ", ".join(dict.fromkeys((last.name, span.name)))
            out[-1] = _Span(
                last.start, max(last.end, span.end), names, min(last.rank, span.rank), last.nested and span.nested
            )
        else:
            out.append(span)
    return out


def _find_brace(lines: Sequence[str], part: Part) -> int:
    """The line of a part's opening brace or semicolon."""
    start, depth = part.facts.line, 0
    for number in range(start, min(part.facts.end_line, start + _MOST_HEAD) + 1):
        for sign in lines[number - 1].partition("//")[0]:
            depth += (sign in "([<") - (sign in ")]>")
            if sign in "{;" and depth <= 0:
                return number
    return min(part.facts.end_line, start + _MOST_HEAD)
