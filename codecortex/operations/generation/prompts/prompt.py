"""Makes the prompt for a job's note.

This module decides what is sent to a model: no file that `llm.exclude` matches, in the repository's configuration or
the user's own, and nothing that looks like a secret. The prompt depends on the tree, its notes and its history alone.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Any

from codecortex.analysis.notes.answers import NO_CHANGE
from codecortex.analysis.notes.jobs import MILD
from codecortex.analysis.notes.staleness import CauseKind
from codecortex.analysis.types.outline import write_outline
from codecortex.context.prompts.parts import Affected, join_names
from codecortex.context.prompts.prompts import Materials, Subject, Task, write_prompt
from codecortex.context.prompts.template import ALL_SLOTS, OF_MEMBERS, parse_template
from codecortex.git.hooks.staging import read_held
from codecortex.git.worktree.disk import Disk, Problem
from codecortex.model.code.facts import VISIBLE
from codecortex.model.code.types import WORD
from codecortex.model.errors import ExcludedError, GitStateError, StoreFormatError
from codecortex.model.notes import MEMBERS, Section
from codecortex.operations.catalog.describe import read_types
from codecortex.operations.generation.prompts.changes import TypePair, call_member, list_affected, sign_member
from codecortex.operations.generation.prompts.dependencies import compare_dependencies
from codecortex.operations.generation.prompts.lines import collect_lines, find_lines
from codecortex.operations.generation.prompts.notes import PromptContext, read_dependencies, read_past
from codecortex.operations.generation.prompts.past import find_then, fits_base
from codecortex.operations.generation.prompts.sources import cut_source, drop_excluded, read_source_text
from codecortex.operations.generation.prompts.still_valid import is_still_valid
from codecortex.operations.generation.prompts.wording import explain_change
from codecortex.operations.generation.providers.settings import read_settings
from codecortex.operations.tokens import make_counter
from codecortex.operations.wording import count_noun
from codecortex.store.paths import FOLDER, MEMBERS_PROMPT, NOTE_PROMPT, UPDATE_PROMPT
from codecortex.store.template import template_files

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from codecortex.analysis.changes.states import TypeAt
    from codecortex.analysis.notes.jobs import Job
    from codecortex.context.prompts.prompts import Previous, Prompt
    from codecortex.context.prompts.template import Template
    from codecortex.model.code.catalog import TypeEntry
    from codecortex.model.code.types import CSharpType
    from codecortex.model.notes import Base
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.generation.prompts.lines import LineCount, LineTask
    from codecortex.operations.generation.prompts.sources import SourceText

_NEW = "The whole of its source:"
_UNKNOWN = "What it was when the text was written is not known; the whole of its source as it is now:"
_MOST_NAMING = 12
_MOST_NAMES = 40
_NAMED = {"method", "property", "event", "field", "constant", "enumMember"}


def make_prompt(workspace: Workspace, job: Job) -> Prompt:
    """Make the prompt for the note of a job.

    Raises:
        ExcludedError: No model may be sent any of its types.
        GitStateError: The files of one of its types cannot be read.
        StoreFormatError: The template is damaged.
        ConfigError: The user's own configuration is invalid, or the configured tokenizer cannot be used.
    """
    context = _set_scene(workspace, job)
    exclude = context.exclude
    lines = find_lines(workspace, job, context.past.notes, exclude)
    if lines.alone:
        materials = collect_lines(workspace, job, context.past.notes[0], lines)
        return write_prompt(materials, read_template(workspace, MEMBERS_PROMPT), make_counter(workspace.tree.config))
    template = read_template(workspace, NOTE_PROMPT if context.past.whole else UPDATE_PROMPT)
    found = context.types
    subjects, withheld = [], []
    for type_id, name in zip(job.types, job.names, strict=True):
        if type_id not in found:
            raise GitStateError(f"The files that declare {name} cannot be read.", "`codecortex refresh` tells why.")
        shown = drop_excluded(found[type_id], exclude)
        if shown is None:
            withheld.append(f"All of {name}: no model may be sent its files.")
            continue
        if shown.type.files != found[type_id].type.files:
            withheld.append(f"Parts of {name}: no model may be sent the files that declare them.")
        subjects.append(_describe(context, found[type_id], shown))
    if not subjects:
        names = ", ".join(job.names)
        raise ExcludedError(f"No model may be sent the sources of {names}.", "`llm.exclude` says which are not sent.")
    dependencies, hidden = read_dependencies(context, _list_named(context, subjects))
    if hidden:
        told = "its files" if hidden == 1 else "their files"
        withheld.append(f"Notes on {count_noun(hidden, 'type')} that it depends on: no model may be sent {told}.")
    materials = Materials(
        owner=job.owner,
        subjects=tuple(subjects),
        previous=_tell_previous(context, lines),
        change=tuple(explain_change(context)),
        dependencies=dependencies,
        withheld=tuple(withheld),
        task=_set_task(context, lines),
    )
    prompt = write_prompt(materials, template, make_counter(workspace.tree.config))
    return prompt._replace(still_valid=is_still_valid(context))


def count_lines(workspace: Workspace, job: Job) -> LineCount:
    """How many members of a job's types have a line in its note, and how many lines would be asked for."""
    notes = read_past(workspace, job).notes
    return find_lines(workspace, job, notes, read_settings(workspace).exclude).measure(notes)


def holds_anyway(workspace: Workspace, job: Job) -> bool:
    """Whether the text of a stale note is certain to be still valid.

    Raises:
        ConfigError: The user's own configuration is invalid.
    """
    return is_still_valid(_set_scene(workspace, job))


def _set_scene(workspace: Workspace, job: Job) -> PromptContext:
    past, exclude = read_past(workspace, job), read_settings(workspace).exclude
    types = read_types(workspace, job.types)
    return PromptContext(
        workspace, job, types, past, exclude, compare_dependencies(workspace, job, past.dependencies, exclude)
    )


def read_templates(workspace: Workspace) -> tuple[Template, ...]:
    """The prompt templates of the tree: for a new note, for an update, and for lines on members.

    Raises:
        StoreFormatError: A template is invalid; the message names file and line.
    """
    return tuple(read_template(workspace, path) for path in (NOTE_PROMPT, UPDATE_PROMPT, MEMBERS_PROMPT))


def read_template(workspace: Workspace, path: str) -> Template:
    """A prompt template of the tree, or the built-in one if the tree has none.

    Raises:
        StoreFormatError: It is invalid; the message names file and line.
    """
    data, slots = _read_template(workspace, path), OF_MEMBERS if path == MEMBERS_PROMPT else ALL_SLOTS
    if data is None:
        text = template_files()[path.removeprefix(f"{FOLDER}/")].decode()
        return parse_template(text, "the built-in template", slots)
    try:
        return parse_template(data.decode("utf-8-sig"), path, slots)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise StoreFormatError(f"{path}:{line}: not UTF-8", "Save it as UTF-8.") from error


def _read_template(workspace: Workspace, path: str) -> bytes | None:
    request = workspace.request
    if request.rev is not None or request.staged:
        return read_held(workspace.repository, request.rev, path)
    data = Disk(workspace.repository.require_root()).read(path.encode())
    if data is Problem.MISSING:
        return None
    if isinstance(data, Problem):
        raise StoreFormatError(f"{path} cannot be read: {data}", "Put a regular file there, or remove it.")
    return data


def _tell_previous(context: PromptContext, lines: LineTask) -> tuple[Previous, ...]:
    """The old texts, and what they say of the members that want a line."""
    told, past = lines.write_previous(context.past.notes), context.past
    if not told or not past.texts:
        return past.texts
    own = past.texts[0]
    return (own._replace(texts=(*own.texts, (MEMBERS, f"\n{told}"))), *past.texts[1:])


def _set_task(context: PromptContext, lines: LineTask) -> Task:
    past = context.past
    no_change = NO_CHANGE if context.job.change_class in MILD and not past.whole else ""
    by_hand = (*map(str, past.by_hand), *lines.list_by_hand(past.notes))
    return Task(past.whole, no_change, by_hand, tuple(map(str, Section)), lines.names)


# -- types


def _describe(context: PromptContext, found: TypeAt, shown: TypeAt) -> Subject:
    workspace = context.workspace
    merged = shown.type
    links = workspace.graph.links_of(merged.id)
    outline = write_outline(merged, workspace.catalog.by_id[merged.id].assembly, shown.nested, links)
    subject = Subject(merged.fqn, *_condense(outline))
    base, note = context.past.bases.get(merged.id, (None, ""))
    fits = base is not None and fits_base(base)(found.prints)
    if fits and not context.past.whole:
        return subject._replace(outline=_sketch(subject.brief), affected=tuple(_list_naming(context, shown)))
    source_text = read_source_text(workspace.repository, shown, workspace.tree.sources.sources)
    # With some of its files excluded, a member that seems removed may have moved into one of these.
    whole = shown.type.files == found.type.files
    old = _read_old(context, found, base, note) if base is not None and whole and not fits else None
    if old is None or context.job.is_replaced:
        return subject._replace(source=cut_source(source_text, _NEW if base is None or fits else _UNKNOWN))
    outline = _sketch(subject.brief, merged)
    return subject._replace(outline=outline, affected=list_affected(TypePair(old, source_text), workspace.tree.config))


def _read_old(context: PromptContext, found: TypeAt, base: Base, note: str) -> SourceText | None:
    """A type in the state that its note was made from; None if that is unknown, or may not be sent."""
    workspace = context.workspace
    then = find_then(workspace, found, fits_base(base), note)
    shown = drop_excluded(then.found, context.exclude) if then is not None else None
    if then is None or shown is None:
        return None
    try:
        return read_source_text(workspace.repository, shown, then.blobs)
    except GitStateError as problem:  # its facts are cached, but this clone no longer has the blob
        workspace.request.warn(f"{found.type.fqn}: {problem.message} Its members are shown as they are.")
        return None


def _condense(outline: str) -> tuple[str, str]:
    """An outline without the documentation of members; and the same without members and all documentation."""
    lines = outline.rstrip("\n").split("\n")
    kept = [line for line in lines if not line.startswith("      ")]
    at = kept.index("") if "" in kept else len(kept)
    tail = [line for line in kept[at:] if line.startswith(("Overrides: ", "Implements: ", "DependsOn: "))]
    return "\n".join(kept), "\n".join([*kept[:at], *tail])


def _sketch(brief: str, merged: CSharpType | None = None) -> str:
    """The outline of a type of which only changes are shown: without dependencies, and with members by name only."""
    lines = [line for line in brief.split("\n") if not line.startswith("DependsOn: ")]
    if merged is not None:
        visible = (each.facts for each in merged.members if each.facts.accessibility in VISIBLE)
        names = list(dict.fromkeys(each.name for each in visible if each.kind in _NAMED and not each.implicit))
        lines += [f"Members: {join_names(names, _MOST_NAMES)}"] if names else []
    return "\n".join(lines).rstrip("\n")


def _list_named(context: PromptContext, subjects: Sequence[Subject]) -> set[str] | None:
    """Names that select the relevant dependencies: words of changed lines, and changed dependencies; None for all."""
    if any(each.source is not None for each in subjects):
        return None
    named = _name_dependencies(context)
    for member in (member for each in subjects for member in each.affected):
        lines = member.text.split("\n")
        changed = lines if member.language != "diff" else [line for line in lines if line.startswith(("+", "-"))]
        named.update(word for line in changed for word in WORD.findall(line))
    return named


def _list_naming(context: PromptContext, shown: TypeAt) -> Iterator[Affected]:
    """One entry that lists the visible members whose signatures mention a changed dependency."""
    names = _name_dependencies(context)
    if not names:
        return
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(names)))})\b")
    visible = (each for each in shown.type.members if each.facts.accessibility in VISIBLE and not each.facts.implicit)
    naming = (call_member(shown.type, each) for each in visible if pattern.search(sign_member(shown.type, each)))
    told = ", ".join(islice(naming, _MOST_NAMING))
    if told:
        yield Affected(f"Not changed, but naming what did: {told}", "", "", visible=True)


def _name_dependencies(context: PromptContext) -> set[str]:
    """Simple names of the dependencies that made the note stale."""
    known: Mapping[Any, TypeEntry] = context.workspace.catalog.by_id
    causes = (each for each in context.job.causes if each.kind is CauseKind.DEPENDENCY_STRUCTURE)
    return {known[each.type_id].simple_name for each in causes if each.type_id in known}
