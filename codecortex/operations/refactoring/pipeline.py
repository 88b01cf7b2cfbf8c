"""A plan in; a patch, the next version of a session or changed files out. Every verb of `refactor` ends here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.analysis.binding.types.ids import id_of_symbol
from codecortex.editing.drafts import decode_draft
from codecortex.editing.refactoring.snippets import outline
from codecortex.git.contents import read_contents
from codecortex.git.objects.opening import open_objects
from codecortex.git.paths import decode_path
from codecortex.git.sessions.applying import FileChange, apply_changes
from codecortex.git.worktree.disk import Disk
from codecortex.model.errors import UsageError
from codecortex.operations.catalog.declared_types import read_plain_types
from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.editing.allowed import read_edit_config, require_allowed
from codecortex.operations.editing.held import read_entry
from codecortex.operations.queries.left_out import HINT, find_directive
from codecortex.operations.refactoring.candidates import add_texts
from codecortex.operations.refactoring.compiling.plans import judge_plan
from codecortex.operations.refactoring.patches import write_patch
from codecortex.operations.refactoring.results import EditRefusedError, EditResult
from codecortex.operations.refactoring.undo import refresh_after
from codecortex.operations.request import Count
from codecortex.operations.sessions.versions import add_version, find_commit, find_session, open_worktree
from codecortex.parsing.decode import decode_source
from codecortex.parsing.syntax.read import find_errors, read_syntax

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from codecortex.editing.drafts import Draft
    from codecortex.editing.refactoring.edits import FileEdits
    from codecortex.git.repository import Repository
    from codecortex.model.code.syntax import SyntaxTree
    from codecortex.operations.refactoring.results import EditRequest, Plan
    from codecortex.operations.request import Request
    from codecortex.operations.usages.search import Found
    from codecortex.symbols.hits import Hit

_REGULAR = 0o100644
_BY_TEXT = "Edit it by its text, with `codecortex edit replace`."


def edit_sources(asked: EditRequest, make: Callable[[Workspace], Plan]) -> EditResult:
    """Work out an edit, judge it, and carry it out where that was asked for.

    Raises:
        UsageError: Both a session and the work tree are to change, or there is no such session.
        NotAllowedError: The configuration does not allow it.
        EditRefusedError: The edit cannot be made; nothing is changed.
        ChangedFileError: A file was changed meanwhile; nothing is changed.
        BusyError: Another process is at work; nothing is changed.
        GitStateError: There is no work tree, or a file cannot be written; nothing is changed.
    """
    if asked.write and asked.session is not None:
        raise UsageError("--write and --session name two places.", "Give one of them.")
    allowed = read_edit_config(open_worktree(asked.request.folder))
    request = asked.request
    if asked.session is not None:
        request = request._replace(rev=find_commit(request.folder, asked.session))
    request.tally(Count.EDITS, int(asked.write or asked.session is not None))
    with Workspace(request._replace(untracked=asked.session is None)) as workspace:  # a compiler sees them too
        plan, compiled = judge_plan(workspace, allowed, make(workspace), alone=asked.compiles)
        changed = [each for each in plan.files if _changes(each)]
        require_allowed(allowed, plan.verb, [path for each in changed for path in (each.path, each.target)])
        rows = tuple(row for each in changed for row in each.list_rows())
        patch = write_patch(changed)
        result = EditResult(plan.verb, plan.target, "planned", rows, plan.candidates, patch, compiled)
        if plan.candidates:
            return result._replace(state="choose", candidates=add_texts(workspace, plan.candidates))
        if asked.session is not None:
            _add_to_session(workspace, asked.session, plan, changed)
            where = f"in session {asked.session}; `codecortex session merge {asked.session}` writes it."
        elif asked.write:
            write_changes(request, workspace.repository, plan, list_changes(changed))
            where = "in the work tree; `codecortex refactor undo` takes it back."
        else:
            return result
    request.tally(Count.APPLIED, 1)
    return result._replace(state="done", where=where)


def read_draft(workspace: Workspace, path: str) -> Draft:
    """The text of a source or a project file as the tree of a workspace has it, byte for byte.

    Raises:
        EditRefusedError: It cannot be edited.
    """
    files = workspace.tree.sources
    entry = files.sources.get(path) or files.projects.get(path)
    data: bytes | None = None
    if entry is not None and entry.from_disk:
        found = Disk(workspace.repository.require_root()).read(decode_path(path))
        data = found if isinstance(found, bytes) else None
    elif entry is not None:
        data = next(read_contents(workspace.repository, [entry])).data
    if data is None:
        raise EditRefusedError(f"{path} cannot be read.", "`codecortex status` says which files are left out.")
    draft = decode_draft(data)
    if isinstance(draft, str):
        raise EditRefusedError(f"{path} {draft}.", "Only files of text are edited.")
    shown = draft.shown.encode() if path in files.sources else b""
    if not shown.startswith(decode_source(shown)):
        hint = "Replace them by plain line ends first."
        raise EditRefusedError(f"{path} has line ends that only C# knows, such as U+2028.", hint)
    return draft


def refuse_left_out(where: str, source: bytes, symbols: frozenset[str], place: int) -> None:
    """Refuse a place in code that is not compiled.

    Raises:
        EditRefusedError: It is left out.
    """
    directive = find_directive(source, symbols, place)
    if directive:
        raise EditRefusedError(f"{where} is not compiled ({directive}).", HINT)


def refuse_entry_point(workspace: Workspace, hit: Hit, found: Found) -> None:
    """Refuse what a program begins with: the method that is found by its name, or the class around its statements.

    Raises:
        EditRefusedError: It is that.
    """
    for each in found.target.members:
        is_main = each.name == "Main" and each.is_static and not each.type_parameters
        if is_main and (not each.parameters or id_of_symbol(each).endswith("(System.String[])")):
            raise EditRefusedError(f"{hit.name} may be where a program begins.", _BY_TEXT)
    if hit.entry is not None and hit.member is None:
        merged = read_plain_types(workspace.inputs, workspace.catalog, (hit.entry.id,)).get(hit.entry.id)
        if merged is not None and any(part.facts.implicit for part in merged.parts):
            raise EditRefusedError(f"{hit.name} is the class around the statements of a program.", _BY_TEXT)


def find_symbols(workspace: Workspace, path: str) -> frozenset[str]:
    """The symbols that a file is read under: those of the first project that compiles it."""
    return next((each.symbols for each in workspace.projects if path in each.files), frozenset())


def read_tree(path: str, draft: Draft, symbols: frozenset[str]) -> SyntaxTree:
    """The syntax of a text, its offsets those of `FileEdits.source`.

    Raises:
        EditRefusedError: Nothing can be located in it.
    """
    source = draft.shown.encode()
    tree = read_syntax(source, symbols)
    if tree.generated and not tree.root.nodes:
        raise EditRefusedError(f"{path} is generated.", "Change what it is generated from.")
    return tree


def judge_layout(file: FileEdits, symbols: frozenset[str]) -> None:
    """Refuse edits after which a file parses worse, or declares something else outside of what was edited.

    Raises:
        EditRefusedError: It does.
    """
    if file.before is None or file.after is None or not file.edits:
        return
    after = file.after.shown.encode()
    errors = find_errors(after, symbols)
    if len(errors) > len(find_errors(file.source, symbols)):
        line = after.count(b"\n", 0, errors[0]) + 1
        raise EditRefusedError(
            f"{file.path}:{line} would not parse any more.", "Look at the text around that line.", file=file.path
        )
    ranges = [(each.start, each.end) for each in file.edits]
    before = outline(read_syntax(file.source, symbols).root, ranges)
    moved = [(file.move(start), file.move(end, is_end=True), kind) for start, end, kind in before]
    if moved != outline(read_syntax(after, symbols).root, file.list_ranges()):
        raise EditRefusedError(
            f"The edit would change what {file.path} declares elsewhere.", "Look for brackets and directives in it."
        )


def _changes(file: FileEdits) -> bool:
    return file.removed or bool(file.moved_to) or file.before is None or file.after != file.before


def _encode(file: FileEdits) -> bytes | None:
    if file.after is None:
        return None
    try:
        return file.after.encode()
    except UnicodeEncodeError as problem:
        sign, form = problem.object[problem.start], file.after.form.name
        raise EditRefusedError(f"{file.path} is {form}, which cannot write {sign!r}.", "Save it as UTF-8.") from None


def list_changes(files: Iterable[FileEdits]) -> list[FileChange]:
    """What becomes of each file that edits touch."""
    changes = []
    for file in files:
        before = file.before.encode() if file.before is not None else None
        after = _encode(file)
        if file.moved_to:
            changes += [FileChange(file.path, before, None), FileChange(file.moved_to, None, after)]
        else:
            changes.append(FileChange(file.path, before, after))
    return changes


def _describe(plan: Plan, paths: Collection[str]) -> dict[str, Any]:
    facts = {"op": "refactor", "verb": plan.verb, "target": plan.target, "status": "Success"}
    return facts | {"file": next(iter(paths)) if len(paths) == 1 else None}


def _add_to_session(workspace: Workspace, name: str, plan: Plan, files: list[FileEdits]) -> None:
    if not files:
        return
    session = find_session(workspace.repository, name)
    objects = open_objects(workspace.repository)
    entries: dict[bytes, tuple[int, str] | None] = {}
    for path, before, after, *_ in list_changes(files):
        found = read_entry(workspace.repository, session.tree, path)
        if found.blob != (objects.write_blob(before) if before is not None else None):
            raise EditRefusedError(f"{path} was changed in session {name} meanwhile.", "Run the command again.")
        entry = (found.mode or _REGULAR, objects.write_blob(after)) if after is not None else None
        entries[decode_path(path)] = entry
    add_version(
        workspace.repository,
        session,
        entries,
        f"{plan.verb} {plan.target}",
        _describe(plan, {each.target for each in files}),
    )


def write_changes(request: Request, repository: Repository, plan: Plan, changes: Sequence[FileChange]) -> None:
    """Change the files of the work tree, all or none; the generated files follow, and `refactor undo` takes it back.

    Raises:
        ChangedFileError: A file was changed meanwhile; nothing is changed.
        CodecortexError: As `edit_sources` says.
    """
    if not changes:
        return
    paths = {each.path for each in changes}
    apply_changes(repository, changes, f"{plan.verb} {plan.target}", _describe(plan, paths), tracks=True)
    refresh_after(request, repository)
