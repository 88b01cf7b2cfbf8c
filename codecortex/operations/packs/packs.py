"""Defines, builds, lists, shows and removes packs."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from codecortex.context.filters.parse import parse_filter
from codecortex.git.lock import lock_repository
from codecortex.git.worktree.disk import Disk, read_file
from codecortex.git.worktree.writing import apply_writes
from codecortex.model.errors import StoreFormatError, UsageError
from codecortex.model.packs import (
    DEFAULT_BUDGET,
    LEAST_BUDGET,
    MOST_BUDGET,
    NAME_RULE,
    PackDefinition,
    is_budget,
    is_pack_name,
)
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.catalog.among import EVERYTHING, cut_files
from codecortex.operations.folder import require_folder
from codecortex.operations.packs.files import (
    Pack,
    PackState,
    find_stranger,
    inspect_pack,
    inspect_packs,
    is_ours,
    read_files,
)
from codecortex.operations.packs.text import make_text
from codecortex.operations.request import Count
from codecortex.store.committed.index_json import PackRow, decode_index, encode_index, list_pack_rows
from codecortex.store.config.config import drop_pack, read_config, set_pack
from codecortex.store.paths import CONFIG, INDEX, pack_path

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from codecortex.operations.catalog.among import Among, FilePage
    from codecortex.operations.catalog.workspace import Workspace

_SHOWN = 60


class PackList(NamedTuple):
    """All packs of a tree, sorted by name."""

    packs: tuple[Pack, ...]

    def as_json(self) -> dict[str, Any]:
        """The packs as JSON values, without their texts."""
        return {"packs": [describe_pack(pack) for pack in self.packs]}

    def as_text(self) -> str:
        """Two lines per pack: its state, and its filter."""
        if not self.packs:
            return "There are no packs. `codecortex pack build NAME --filter FILTER` makes one."
        wide = max(len(pack.name) for pack in self.packs)
        return "\n".join(line for pack in self.packs for line in _write_row(pack, wide))


class PackShown(NamedTuple):
    """A pack and its text."""

    pack: Pack

    @property
    def behind(self) -> bool:
        """Whether the file in the tree differs from the text."""
        return self.pack.state is not PackState.CURRENT

    @property
    def notice(self) -> str:
        """That the file is missing or out of date, and what to do; empty if it is current."""
        state = "is missing" if self.pack.state is PackState.MISSING else "is behind"
        return f"{self.pack.path} {state}; `codecortex refresh` brings it up to date" if self.behind else ""

    def as_json(self) -> dict[str, Any]:
        """The pack as JSON values with its text."""
        found = self.pack.built
        types = list(found.text.types) if found else []
        return {**describe_pack(self.pack), "behind": self.behind, "typeIds": types, "text": _text_of(self.pack)}

    def as_text(self) -> str:
        """The text."""
        return _text_of(self.pack).removesuffix("\n")


class PacksBuilt(NamedTuple):
    """Result of a build.

    Attributes:
        packs: The packs with their new state, including those that failed.
        written: Paths of the files in `.codecortex` that changed.
    """

    packs: tuple[Pack, ...]
    written: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """The packs as JSON values, and the files written."""
        return {"packs": [describe_pack(pack) for pack in self.packs], "written": list(self.written)}

    def as_text(self) -> str:
        """One or more lines per pack."""
        return "\n".join(line for pack in self.packs for line in self._write_pack(pack)) or "There are no packs."

    def _write_pack(self, pack: Pack) -> list[str]:
        if pack.built is None:
            return [f"failed     {pack.path}", f"           {_say_problem(pack)}"]
        text = pack.built.text
        done = "wrote    " if pack.path in self.written else "unchanged"
        counts = (
            f"{_count(len(text.types), text.total)} types, {text.tokens:,} of {pack.definition.token_budget:,} tokens"
        )
        idle = [f"           no type fits {condition}" for condition in pack.built.idle]
        return [f"{done}  {pack.path}  {counts}", *idle]


class PackRemoved(NamedTuple):
    """What was removed (definition, file, or both), and the paths in `.codecortex` that changed."""

    name: str
    changed: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """The name and the files as JSON values."""
        return {"name": self.name, "changed": list(self.changed)}

    def as_text(self) -> str:
        """The result as one line."""
        return f"removed  {self.name}  ({', '.join(self.changed)})"


def describe_pack(pack: Pack) -> dict[str, Any]:
    """A pack as JSON values, without its text."""
    text = pack.built.text if pack.built else None
    return {
        "name": pack.name,
        "filter": pack.definition.filter,
        "tokenBudget": pack.definition.token_budget,
        "path": pack.path,
        "state": pack.state,
        "tokens": text.tokens if text else None,
        "types": len(text.types) if text else None,
        "typesTotal": text.total if text else None,
        "typesMatched": text.matched if text else None,
        "noteSections": text.sections if text else None,
        "noteSectionsTotal": text.all_sections if text else None,
        "idleConditions": list(pack.built.idle) if pack.built else [],
        "problem": pack.problem.message if pack.problem else None,
    }


# -- read


def list_packs(workspace: Workspace) -> PackList:
    """All packs that the configuration of the workspace's tree defines."""
    return PackList(inspect_packs(workspace))


def show_pack(workspace: Workspace, name: str, among: Among = EVERYTHING) -> PackShown:
    """A pack's text, built for the workspace's tree, whatever its file contains.

    Args:
        workspace: The tree.
        name: Name of the pack.
        among: What the text is narrowed to; the state of the file is told all the same.

    Raises:
        UsageError: There is no such pack, or no such project.
        InvalidFilterError: Its filter is invalid.
        ConfigError: The configured tokenizer cannot be used.
    """
    definition = find_definition(workspace.tree.config.packs, name)
    path = pack_path(definition.name)
    pack = inspect_pack(workspace, definition, read_files(workspace, [path]).get(path))
    if pack.problem is not None:
        raise pack.problem
    if among != EVERYTHING:
        pack = pack._replace(built=make_text(workspace, definition, among))
    _count_tokens(workspace, pack)
    return PackShown(pack)


def pack_files(workspace: Workspace, name: str, among: Among = EVERYTHING) -> FilePage:
    """The files that declare the types in a pack's text, in the order of the text; raises as `show_pack`."""
    found = show_pack(workspace, name, among).pack.built
    known = workspace.catalog.by_id
    files = [path for each in found.text.types for path in known[each].files] if found is not None else []
    return cut_files(files, 0, len(files))


# -- write


def build_pack(
    workspace: Workspace, name: str, *, filter_text: str | None = None, budget: int | None = None
) -> PacksBuilt:
    """Write a pack's file; given a filter or a budget, first define or change the pack in config.yaml.

    Args:
        workspace: A workspace on the work tree.
        name: Name of the pack.
        filter_text: Selects the types; see `context/filters.py`.
        budget: Maximum tokens; 4,000 by default for a new pack.

    Raises:
        UsageError: The name or the budget is invalid; the pack is not defined and no filter is given; the workspace is
            not on the work tree.
        InvalidFilterError: The filter is invalid; nothing is written.
        ConfigError: config.yaml is written in a way that only a person should change.
        BusyError: Another process holds the lock.
    """
    root = _require_worktree(workspace)
    with lock_repository(workspace.repository):
        data, known = _read_config(root)
        if filter_text is None and budget is None:
            definition = find_definition(known, name)
        else:
            definition = _define(known, name, filter_text, budget)
        pack = _plan_pack(workspace, definition)
        if pack.problem is not None:
            raise pack.problem
        writes = _plan_definition(root, data, set_pack(data, definition)) | {pack.path: pack.data}
        written = apply_writes(root, writes).written
    _count_tokens(workspace, pack)
    return PacksBuilt((pack._replace(state=PackState.CURRENT),), written)


def build_packs(workspace: Workspace) -> PacksBuilt:
    """Write the files of all packs; one that cannot be built keeps its file and is reported as failed.

    Raises:
        UsageError: The workspace is not on the work tree.
        BusyError: Another process holds the lock.
    """
    root = _require_worktree(workspace)
    with lock_repository(workspace.repository):
        packs = [_plan_pack(workspace, each) for each in workspace.tree.config.packs]
        done = apply_writes(root, {pack.path: pack.data for pack in packs if pack.built})
    for pack in packs:
        _count_tokens(workspace, pack)
    states = (PackState.CURRENT if pack.built else PackState.FAILED for pack in packs)
    return PacksBuilt(tuple(p._replace(state=s) for p, s in zip(packs, states, strict=True)), done.written)


def remove_pack(workspace: Workspace, name: str) -> PackRemoved:
    """Remove a pack's definition from config.yaml, and its file if codecortex wrote it.

    Raises:
        UsageError: There is no such pack; or the workspace is not on the work tree.
        ConfigError: config.yaml is written in a way that only a person should change.
        BusyError: Another process holds the lock.
    """
    root = _require_worktree(workspace)
    with lock_repository(workspace.repository):
        data, known = _read_config(root)
        writes: dict[str, bytes] = {}
        if not _is_left_over(root, name, known):
            name = find_definition(known, name).name
            writes = _plan_definition(root, data, drop_pack(data, name))
        path = pack_path(name)
        stranger = find_stranger(path, Disk(root).read_all([path]).get(path))
        done = apply_writes(root, writes, [] if stranger else [path])
    return PackRemoved(name, done.written + done.removed)


def _plan_pack(workspace: Workspace, definition: PackDefinition) -> Pack:
    """A pack to be written; it has failed if it cannot be built or codecortex did not write the file in its place."""
    pack = inspect_pack(workspace, definition, b"")
    stranger = find_stranger(pack.path, read_files(workspace, [pack.path]).get(pack.path))
    if pack.problem is not None or stranger is None:
        return pack
    return pack._replace(built=None, state=PackState.FAILED, problem=stranger)


def _is_left_over(root: Path, name: str, known: Sequence[PackDefinition]) -> bool:
    """Whether codecortex wrote a file for a pack of this name that is no longer defined."""
    if not is_pack_name(name) or any(each.name == name for each in known):
        return False
    data = Disk(root).read(pack_path(name).encode())
    return isinstance(data, bytes) and is_ours(pack_path(name), data)


def _require_worktree(workspace: Workspace) -> Path:
    if not workspace.request.reads_worktree:
        raise UsageError("Packs are written in the work tree alone.", "Leave out --staged and --rev.")
    return require_folder(workspace.repository)


def find_definition(packs: Sequence[PackDefinition], name: str) -> PackDefinition:
    """The definition with a name, ignoring case.

    Raises:
        UsageError: There is none; similar names are suggested.
    """
    for each in packs:
        if each.name.lower() == name.lower():
            return each
    _check_name(name)
    names = [each.name for each in packs]
    near = get_close_matches(name, names, n=3)
    if near:
        hint = f"Did you mean {', '.join(near)}?"
    elif names:
        hint = "`codecortex pack list` names them all."
    else:
        hint = f"`codecortex pack build {name} --filter FILTER` makes one."
    raise UsageError(f"No pack is called {name!r}.", hint, suggestions=near)


def _check_name(name: str) -> None:
    if not is_pack_name(name):
        shown = repr(name if len(name) <= _SHOWN else f"{name[:_SHOWN]}...")
        raise UsageError(f"{shown} is no pack's name.", f"Take {NAME_RULE}.")


def _define(known: Sequence[PackDefinition], name: str, filter_text: str | None, budget: int | None) -> PackDefinition:
    """The new definition: the old one, if any, with the given changes."""
    _check_name(name)
    if budget is not None and not is_budget(budget):
        wanted = f"a whole number from {LEAST_BUDGET:,} to {MOST_BUDGET:,}"
        raise UsageError(f"A budget of {budget:,} tokens holds no pack.", f"Give {wanted}.")
    old = next((each for each in known if each.name.lower() == name.lower()), None)
    if old is None and filter_text is None:
        old = find_definition(known, name)  # which raises
    if filter_text is not None:
        parse_filter(filter_text)
        filter_text = " ".join(filter_text.split())
    before = old or PackDefinition(name, "", DEFAULT_BUDGET)
    return before._replace(
        filter=before.filter if filter_text is None else filter_text,
        token_budget=before.token_budget if budget is None else budget,
    )


def _read_config(root: Path) -> tuple[bytes, tuple[PackDefinition, ...]]:
    """The bytes of config.yaml, and the packs it defines."""
    data = read_file(root, CONFIG, "Put a regular file there.") or b""
    return data, read_config(data, CONFIG).packs


def _plan_definition(root: Path, before: bytes, after: bytes) -> dict[str, bytes]:
    """New bytes of config.yaml, and of the index if it can be read: its rows of packs follow the definitions."""
    if after == before:
        return {}
    data = Disk(root).read(INDEX.encode())
    if not isinstance(data, bytes):
        return {CONFIG: after}
    try:
        index = decode_index(data, INDEX)
    except StoreFormatError:
        return {CONFIG: after}  # a refresh rebuilds the index with its rows of packs
    rows = {name: PackRow(*row) for name, row in list_pack_rows(read_config(after, CONFIG)).items()}
    return {CONFIG: after, INDEX: encode_index(index._replace(packs=rows))}


def _count_tokens(workspace: Workspace, pack: Pack) -> None:
    """Count the tokens and the budget in the metrics."""
    if pack.built is not None:
        workspace.request.tally(Count.TOKENS, pack.built.text.tokens)
        workspace.request.tally(Count.TOKEN_BUDGET, pack.definition.token_budget)


def _text_of(pack: Pack) -> str:
    return pack.built.text.text if pack.built else ""


def _count(number: int, total: int) -> str:
    return f"{number:,}" if number == total else f"{number:,} of {total:,}"


def _say_problem(pack: Pack) -> str:
    return f"{pack.problem.message} {pack.problem.hint}".rstrip() if pack.problem else ""


def _write_row(pack: Pack, wide: int) -> list[str]:
    budget = f"{pack.definition.token_budget:,} tokens"
    filter_line = f"{'':<{wide}}  {' '.join(pack.definition.filter.split())}"
    if pack.built is None:
        return [f"{pack.name:<{wide}}  {pack.state:<7}  {_say_problem(pack)}", filter_line]
    text = pack.built.text
    counts = f"{_count(len(text.types), text.total)} types, {text.tokens:,} of {budget}"
    return [f"{pack.name:<{wide}}  {pack.state:<7}  {counts}", filter_line]
