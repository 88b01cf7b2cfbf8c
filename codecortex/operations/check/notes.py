"""Checks semantic notes: damaged, stale, or without a type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.notes.jobs import is_by_hand
from codecortex.analysis.notes.staleness import CauseKind, explain_cause
from codecortex.model.config_choices import ProviderName, SemanticCheck
from codecortex.model.errors import GitStateError, StoreFormatError, UnmergedError
from codecortex.model.notes import SemanticState
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.check.files import tell_format
from codecortex.operations.check.findings import GENERATE, NEXT, PUT, Code, Finding, Level
from codecortex.operations.history.compare import compare
from codecortex.operations.notes.states import judge_tree_notes
from codecortex.operations.notes.writing import list_by_hand
from codecortex.operations.reading.tree import open_tree, read_projects, read_tree
from codecortex.operations.wording import count_noun
from codecortex.store.committed.semantic_md import check_controls, check_headings, check_size, decode_note
from codecortex.store.paths import semantic_owner

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from codecortex.model.code.types import Part
    from codecortex.model.config import Config
    from codecortex.operations.check.files import Question
    from codecortex.operations.notes.states import NoteState, Orphan
    from codecortex.store.cache.cache import Cache


class _Stale(NamedTuple):
    """A stale note, its gravest cause as text, and the part that declares the first of its types."""

    note: NoteState
    why: str
    part: Part


def judge_notes(question: Question, blobs: Mapping[str, str], cache: Cache) -> Iterator[Finding]:
    """Findings about the notes of a tree.

    Args:
        question: The state to check.
        blobs: Blob id of every file in `.codecortex`, by path.
        cache: Facts, also of the commits along which drift is counted.
    """
    paths = [path for path in blobs if semantic_owner(path)]
    if not paths:
        return
    contents = question.files.read(paths)
    for path in paths:
        yield from _judge_file(path, contents.get(path), _name_writer(question))
    if question.semantic is SemanticCheck.OFF:
        return
    tree = question.tree
    reading = read_tree(tree, read_projects(tree, cache), cache)
    survey = judge_tree_notes(reading, cache)
    yield from map(_tell_orphan, survey.orphans)
    names = {str(merged.id): merged.fqn for merged in reading.types}
    parts = {merged.id: merged.parts[0] for merged in reading.types}
    stale = [
        _Stale(each, explain_cause(each.causes[0], names, each.drifts), parts[each.types[0].id])
        for each in survey.notes
        if each.state is SemanticState.STALE and each.note is not None
    ]
    yield from _judge_stale(question, stale, cache)


def _judge_file(path: str, data: bytes | None, writer: str) -> Iterator[Finding]:
    """Findings about a note that cannot be read, or whose text `semantic put` would refuse.

    Args:
        path: Path of the note.
        data: Bytes of the note; None if they cannot be read.
        writer: The command that has a note written.
    """
    if data is None:
        yield Finding(Code.NOTE_DAMAGED, Level.ERROR, path, 1, "this note cannot be read", "")
        return
    try:
        note = decode_note(data, path)
    except StoreFormatError as error:
        told = tell_format(error, path, Code.NOTE_DAMAGED, "")
        if isinstance(error, UnmergedError):
            then = f"resolve it, `git add` it, then `{writer} {semantic_owner(path)}`"
            told = told._replace(message=f"{told.message}: {then}")
        yield told
        return
    rules: tuple[tuple[Level, Callable[[], None]], ...] = (
        (Level.ERROR, lambda: check_size(note.texts, path)),
        (Level.ERROR, lambda: check_controls(data, path)),
        (Level.WARNING, lambda: check_headings(data, path, list_by_hand((note,)))),
    )
    for level, rule in rules:
        try:
            rule()
        except StoreFormatError as error:
            told = tell_format(error, path, Code.NOTE_TEXT, "")
            hint = error.hint[:1].lower() + error.hint[1:].rstrip(".")
            yield told._replace(level=level, message=f"{told.message}: {hint}")


def _tell_orphan(orphan: Orphan) -> Finding:
    said = f"a note on {orphan.name}, which is no type; say what it became, or remove the note"
    if orphan.excluded:
        said = f"a note on {orphan.name}, which {orphan.reason}"
    return Finding(Code.NOTE_ORPHAN, Level.WARNING, orphan.path, 1, said, orphan.command)


def _judge_stale(question: Question, stale: list[_Stale], cache: Cache) -> Iterator[Finding]:
    """Findings about stale notes; with a base, each note that the changes concern, and the others summed up."""
    if not stale:
        return
    if question.semantic is SemanticCheck.STRICT or question.base is None:
        level = Level.ERROR if question.semantic is SemanticCheck.STRICT else Level.WARNING
        yield from (_tell_stale(question, each, level) for each in stale)
        return
    try:
        touched = _list_touched(question, question.base, cache)
    except GitStateError:
        if not question.own:
            raise
        touched = set()  # the base was not named, and this clone lacks some of its objects
    own = [each for each in stale if any(merged.id in touched for merged in each.note.types)]
    yield from (_tell_stale(question, each, Level.ERROR) for each in own)
    told = {each.note.path for each in own}
    others = [each for each in stale if each.note.path not in told]
    if question.own:
        yield from (_tell_stale(question, each, Level.WARNING) for each in others)
    elif others:
        said = f"{count_noun(len(others), 'stale note')} that this range does not touch"
        first = min(each.note.path for each in others)
        yield Finding(Code.NOTE_STALE, Level.WARNING, first, 1, said, "codecortex semantic states --stale")


def _list_touched(question: Question, base: str, cache: Cache) -> set[str]:
    """The types that differ from the base in more than layout, and those whose structural dependencies differ."""
    tree = question.tree
    before = open_tree(tree.request._replace(rev=base, staged=False), tree.repository, tree.config)
    changes = compare(before, tree, cache).changes
    return {change.type_id for change in changes if str(change.change_class) in _list_classes(tree.config)}


def _list_classes(config: Config) -> set[str]:
    """The change classes after which the author of a change has to renew the note."""
    classes = {"Structure", "PublicBehavior", "Internal", "Structure-Dependency"}
    return classes | {"Docs"} if config.semantics.semantic_docs_affect else classes


def _tell_stale(question: Question, each: _Stale, level: Level) -> Finding:
    """The finding for a stale note, placed where its type is declared."""
    note, line = each.note, each.part.facts.line
    said = f"the note on {', '.join(merged.fqn for merged in note.types)} is stale: {each.why}"
    return Finding(Code.NOTE_STALE, level, each.part.path, line, said, _mend(question, note), note.path)


def _mend(question: Question, state: NoteState) -> str:
    """The command that renews a stale note: the configured way, or `put` if only a person can judge the text."""
    provider, note = question.tree.config.llm.provider, state.note
    extracted = note is not None and note.writer == ProviderName.EXTRACT and not is_by_hand(note)
    own = any(cause.kind is not CauseKind.DEPENDENCY_STRUCTURE for cause in state.causes)
    if provider is ProviderName.EXTRACT and own and not extracted:
        return f"{PUT} {state.owner} {state.path}"  # which confirms the text as it is
    return f"{_name_writer(question)} {state.owner}"


def _name_writer(question: Question) -> str:
    """The command that has a note written."""
    return NEXT if question.tree.config.llm.provider is ProviderName.AGENT else GENERATE
