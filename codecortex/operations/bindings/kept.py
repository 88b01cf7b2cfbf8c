"""What names mean, file by file: kept in the cognition graph, and bound anew only where something it rests on changed.

A node is a file as one project has it. It rests on the file's blob, on what holds in all files of the project, and on
every name that was looked up for it, those included that nothing declares. Nothing is declared as long as no source of
the projects at hand has changed. A question about a few names has nodes of its own for files that are not bound yet:
of their bodies, only those that hold the names.
"""

from __future__ import annotations

import os
import re
import zlib
from dataclasses import replace
from functools import cached_property, partial
from hashlib import sha256
from os import fsencode
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from codecortex.analysis.binding.types.asked import AskedName
from codecortex.cognition.engine import Engine
from codecortex.cognition.kinds import Inputs, Kind, LineName, Space
from codecortex.model.code.bindings import Binding, BindingLabel, BindingRole, PlacedBinding
from codecortex.model.cognition.records import digest_text
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.versions import BINDING_VERSION, PARSER_VERSION
from codecortex.operations.bindings.changed_names import list_changed_names
from codecortex.operations.bindings.memory import note_declared
from codecortex.operations.bindings.sources import (
    declare_planned,
    follow_usings,
    name_planned,
    plan_sources,
    redeclare,
)
from codecortex.operations.catalog.nodes import get_nodes
from codecortex.operations.references.references import Reach
from codecortex.operations.request import Count
from codecortex.operations.workers import Sharing, count_processes, share_out
from codecortex.parsing.occurrences.find import compile_names, find_escaped
from codecortex.store.cache.nodes import SqliteNodes
from codecortex.store.cache.rows import load_row, pack_row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from codecortex.analysis.binding.bind import FileBindings
    from codecortex.analysis.binding.declarations.pending import FileKey
    from codecortex.cognition.ask import Ask
    from codecortex.operations.bindings.sources import NamedSources, Sources, Texts
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.request import Request
    from codecortex.store.cache.cache import Cache

BINDINGS, AROUND = "bindings", "bindings-around"
"""The kinds: files, and files around some names."""
SOURCE, PROJECT, NAME = "source", "project", "declared"
"""The blob of a file; what holds in all files of a project; what a project sees declared under a name."""
_SETTINGS = "binding settings"  # all that the answers of projects and names rest on besides sources
_WORTH_FORKING = 24  # files
_WORTH_PARTING = 2  # files of a part, which may be large
_WORTH_LOADING = 100  # files: then the facts of all are read once, before processes share the work
_STEP = "Binding names"
_DAMAGED = b""  # the digest of a name that the cache garbled: what it was asked for does not hold
_BETWEEN = "\t"  # which no name holds
_AT_A_TIME = 1000  # files whose bindings are in memory together, packed, until they are stored
_BYTES_AT_A_TIME = 12_000_000  # the same of their texts: what binding them leaves grows with these
_AROUND_AT_A_TIME = 3000  # the same of files of which only what holds some names is bound
_LABELS = {str(each): each for each in BindingLabel}
_ROLES = {str(each): each for each in BindingRole}


class KeptFile(NamedTuple):
    """What the names of a file mean in one project.

    Attributes:
        bindings: By offset.
        truncated: Whether something was not bound since it nests too deep.
        damaged: Why the file was not read whole; empty if it was.
        aliases: The aliases that it may use, each with what it stands for as written.
    """

    bindings: Sequence[PlacedBinding]
    truncated: bool
    damaged: str
    aliases: Sequence[tuple[str, str]]


class FileSummary(NamedTuple):
    """What is told of the bindings of a file before any of them.

    Attributes:
        total: How many there are.
        truncated: As `KeptFile` has it.
        damaged: As `KeptFile` has it.
    """

    total: int
    truncated: bool
    damaged: str


class _Built(NamedTuple):
    """What the process that bound a file tells of it.

    Attributes:
        packed: What its node is to keep; None if the file could not be read.
        names: The names it rests on.
        digests: Those of the names that the process met first.
        unread: All files that the process could not read so far, with the reason.
        moved: Whether any file that it read so far was edited meanwhile.
    """

    packed: bytes | None
    names: Sequence[str]
    digests: Mapping[str, bytes]
    unread: Mapping[str, str]
    moved: bool


class KeptBindings:
    """The bindings of the files that some files can see.

    Attributes:
        plan: What they rest on.
    """

    def __init__(self, workspace: Workspace, asked: Iterable[str]) -> None:
        self.plan = plan_sources(workspace, asked, Reach.MACHINE)
        self._workspace = workspace
        self._keys = {
            write_key(path, project): (path, project)
            for path, projects in self.plan.files.items()
            for project in projects
        }
        self._followed: tuple[object, AbstractSet[str] | None] | None = None  # from what was given, which names changed
        self._asked = 0, 0  # how many files were asked for before those at hand, and how many are in all
        self._apart = False  # whether there are parts, each for other processes that end, where there may be several
        self._sizes: Mapping[FileKey, int] = {}  # of the texts of files, where they are told
        self._digests: dict[str, bytes] = {}  # of names that files asked for, whichever process bound them

    @cached_property
    def engine(self) -> Engine:
        """What tells which of the bindings hold."""
        return self.open_engine(self._workspace.cache)

    @cached_property
    def _named(self) -> NamedSources:
        return name_planned(self.plan)

    @cached_property
    def sources(self) -> Sources:
        """The sources, declared when they are needed; within `bind_deep` alone."""
        declared = declare_planned(self.plan, self._named)
        note_declared()
        return declared

    @property
    def _keeps(self) -> bool:
        """Whether nothing rests on other bytes than the blobs say, so far."""
        named = self.__dict__.get("_named")
        return named is None or named.whole

    def declare_edited(
        self,
        texts: Texts,
        follow: Callable[[str], str] | None = None,
        made: Mapping[str, Sequence[str]] = MappingProxyType({}),
        replaced: Mapping[str, AbstractSet[str]] = MappingProxyType({}),
    ) -> Sources:
        """The sources, some with other texts; within `bind_deep` alone.

        Args:
            texts: The texts, by path; None of files that go. Each of these files has a tree that nothing bound yet.
            follow: Gives what the using directives of project files import then; None where none changes.
            made: The projects that compile what is made anew, by path.
            replaced: As `redeclare` takes it.
        """
        sources = self.sources
        if follow is not None:
            sources = replace(sources, projects=[follow_usings(each, follow) for each in sources.projects])
        return redeclare(sources, texts, {each.path: each.symbols for each in self.plan.projects}, made, replaced)

    @cached_property
    def state(self) -> bytes:
        """A digest of all that the bindings rest on."""
        blobs = (f"{path} {blob}" for path, blob in sorted(self._blobs.items()))
        return digest_text("\n".join((self._settings, *blobs)))

    @cached_property
    def _settings(self) -> str:
        """All that the bindings rest on besides sources."""
        plan = self.plan
        parts = [repr((BINDING_VERSION, PARSER_VERSION))]
        for each in plan.projects:
            own = (each.path, each.files, each.assembly, each.language, each.tfm, sorted(each.usings))
            added = (sorted(each.symbols), sorted(each.friends), sorted(plan.assemblies.usings[each.path]))
            parts.append(repr((own, added, sorted(plan.visible[each.path]), plan.assemblies.marks[each.path])))
        return "\n".join(parts)

    @cached_property
    def _declared_state(self) -> bytes:
        """A digest of all that names may mean: of sources, only what they declare, whatever stands in their bodies."""

        def make() -> tuple[object, ...]:
            declared = sorted(self._named.declared.items())
            digests = (f"{path} {project} {each.digest.hex()}" for (path, project), each in declared)
            return (digest_text("\n".join((self._settings, *digests))),)

        (found,) = self.remember("declared", make)
        return found if self._keeps else self.state

    @cached_property
    def _blobs(self) -> Mapping[str, str]:
        entries = self._workspace.tree.sources.sources
        return {path: entries[path].blob for path in self.plan.files}

    @property
    def unread(self) -> Mapping[str, str]:
        """What could not be read when the sources were declared, with the reason."""
        return self.sources.unread if "sources" in self.__dict__ else {}

    def sees(self, project: str, other: str) -> bool:
        """Whether a project sees the sources of another one."""
        return other in self.plan.visible[project]

    def remember_declared(self, name: str, make: Callable[[], tuple[object, ...]]) -> tuple[Any, ...]:
        """As `remember`, of what rests on nothing but what the sources declare, whatever stands in their bodies."""
        return self.remember(name, make, state=self._declared_state)

    def remember(
        self,
        name: str,
        make: Callable[[], tuple[object, ...]],
        holds: Callable[[], bool] = lambda: True,
        state: bytes | None = None,
    ) -> tuple[Any, ...]:
        """Plain values that rest on nothing but the sources: from the local cache, or made, and kept if they hold."""
        key = sha256((self.state if state is None else state) + name.encode("utf-8", "surrogateescape")).digest()
        found = load_row(self._workspace.cache.get_many([key]).get(key), tuple)
        if found is None:
            found = make()
            if self._keeps and holds():
                self._workspace.cache.put_many([(key, pack_row(found))])
        return found

    # -- nodes

    def bind(
        self, keys: Iterable[FileKey], names: Sequence[str] = (), takes: Callable[[Binding], bool] | None = None
    ) -> Iterator[tuple[FileKey, KeptFile | None]]:
        """The bindings of files, in their order; None for what cannot be read.

        Args:
            keys: The files.
            names: If given, bodies that hold none of these names, nor an alias of one, may be left out.
            takes: If given, which bindings are wanted.
        """
        for key, packed in self.bind_packed(keys, names):
            yield key, None if packed is None else unpack_file(packed, takes)

    def bind_packed(
        self,
        keys: Iterable[FileKey],
        names: Sequence[str] = (),
        sizes: Mapping[FileKey, int] = MappingProxyType({}),
    ) -> Iterator[tuple[FileKey, bytes | None]]:
        """The bindings of files as bytes for `unpack_file`; as `bind` otherwise.

        Args:
            keys: As `bind` takes them.
            names: As `bind` takes them.
            sizes: How long the texts of files are, if that is known: then parts end by length, and this process need
                not read them.
        """
        todo = list(dict.fromkeys(keys))
        parts = list(_divide(todo, sizes, _AROUND_AT_A_TIME if names else _AT_A_TIME))
        self._apart, self._sizes = len(parts) > 1 and not names, sizes if len(parts) > 1 else {}
        done = 0
        for part in parts:
            chunk = [write_key(*each) for each in part]
            self._asked = done, len(todo)
            found = self._get_nodes(chunk, names)
            done += len(part)
            if len(parts) > 1:
                self._workspace.request.progress(_STEP, done, len(todo))
            if self._keeps and self.engine.save() and self._apart:
                del self.engine  # and with it what it holds of these files
            for key in chunk:
                yield self._keys[key], found.pop(key)

    def _get_nodes(self, keys: Sequence[str], names: Sequence[str]) -> dict[str, bytes | None]:
        """What nodes keep, by file; around names where files as a whole are not kept."""
        request = self._workspace.request
        if not names:
            return get_nodes(request, self.engine, BINDINGS, keys)
        whole = self.engine.get_kept(BINDINGS, keys)
        request.tally(Count.NODES_KEPT, len(whole))
        front = " ".join(sorted(names))
        asked = {f"{front}{_BETWEEN}{key}": key for key in keys if key not in whole}
        around = get_nodes(request, self.engine, AROUND, list(asked))
        return {**whole, **{asked[key]: packed for key, packed in around.items()}}

    def open_engine(self, cache: Cache) -> Engine:
        """An engine of its own that keeps its nodes in a cache."""
        request, plan = self._workspace.request, self.plan
        place = sha256(fsencode(self._workspace.repository.folder) + b"\0" + fsencode(repr(sorted(plan.visible))))
        tree = "work" if request.reads_worktree else "index" if request.staged else ""
        line = LineName(f"bindings {tree} {place.hexdigest()[:16]}" if tree else "")
        state = self._declared_state
        spaces = (
            Space(PROJECT, state, self._look_up_projects, self._find_moved_projects),
            Space(NAME, state, self._look_up_names, self._find_moved),
        )
        version = f"{BINDING_VERSION} {PARSER_VERSION}"
        reads = (SOURCE, PROJECT, NAME)
        kinds = [Kind(each, version, reads, partial(self._build, each)) for each in (BINDINGS, AROUND)]
        return Engine(SqliteNodes(cache), line, kinds, Inputs(self._given, spaces))

    @property
    def _given(self) -> Mapping[str, Mapping[str, str]]:
        return {SOURCE: self._blobs, _SETTINGS: {"": digest_text(self._settings).hex()}}

    def _find_moved_projects(self, before: Mapping[str, Mapping[str, str]]) -> Callable[[str], bool] | None:
        """As `_find_moved`, of projects: what holds in all of their files rests on no member."""
        return None if self._follow(before) is None else lambda _: False

    def _find_moved(self, before: Mapping[str, Mapping[str, str]]) -> Callable[[str], bool] | None:
        """What tells the names that may mean something else than before; None if any may."""
        followed = self._follow(before)
        return None if followed is None else lambda name: not followed.isdisjoint(_cut_names(name))

    def _follow(self, before: Mapping[str, Mapping[str, str]]) -> AbstractSet[str] | None:
        """The names of the members that changed since, if nothing else did."""
        if before.get(_SETTINGS) != self._given[_SETTINGS] or not self._named.whole:
            return None
        if self._followed is None or self._followed[0] is not before:
            names = list_changed_names(self._workspace, self.plan.projects, before.get(SOURCE, {}), self._blobs)
            self._followed = before, names
        return self._followed[1]

    def _look_up_projects(self, projects: Sequence[str]) -> Iterator[bytes]:
        symbols = {each.path: " ".join(sorted(each.symbols)) for each in self.plan.projects}
        for each in projects:
            marks = self.plan.assemblies.marks.get(each)
            if marks is None:
                yield _DAMAGED
                continue
            yield digest_text(f"{symbols[each]}\n{marks}\n{self.sources.described[each]}")

    def _look_up_names(self, names: Sequence[str]) -> Iterator[bytes]:
        for each in names:
            known = self._digests.get(each)
            if known is not None:
                yield known
                continue
            project, space, name = each.rsplit("\n", 2) if each.count("\n") > 1 else ("\n", "", "")
            if project not in self.plan.assemblies.marks:
                yield _DAMAGED
                continue
            yield digest_text(self.sources.program.digest(project, AskedName(space, name)))

    def _build(self, kind: str, asks: Mapping[str, Ask]) -> Iterator[tuple[str, bytes | None]]:
        program = self.sources.program
        split = {key: ("", key) if kind == BINDINGS else split_key(key) for key in asks}
        files = {key: self._keys[whole] for key, (_, whole) in split.items() if self._keys[whole] in program.names}
        keys, request = list(files), self._workspace.request
        if self._sizes:
            sizes = [self._sizes.get(each, 0) for each in files.values()]
        else:
            sizes = [len(each.source.text) for each in program.open(files.values())]
        work = partial(self._bind_all, _make_progress(request, len(keys), *self._asked), split)
        processes = count_processes(request)
        if processes > 1 and len(keys) >= _WORTH_LOADING:
            self.sources.reader.load_facts(path for path, _ in program.names)  # once, for all processes
        reader = self.sources.reader
        sharing = Sharing(processes, _WORTH_PARTING if self._apart else _WORTH_FORKING, self._apart)
        for key, made in zip(keys, share_out(work, keys, sharing, sizes), strict=True):
            reader.unread.update(made.unread)
            reader.moved |= made.moved
            self._digests.update(made.digests)
            if made.packed is not None:
                path, project = files[key]
                asks[key].digests(SOURCE, (path,))
                asks[key].digests(PROJECT, (project,))
                asks[key].digests(NAME, made.names)
                yield key, made.packed

    def _bind_all(
        self, progress: Callable[[int, int], None], split: Mapping[str, tuple[str, str]], keys: Sequence[str]
    ) -> list[_Built]:
        found: list[_Built] = []
        held: dict[str, str] = {}  # each name once: files ask for the same ones, and processes send them
        program, reader = self.sources.program, self.sources.reader
        files = program.open(self._keys[split[key][1]] for key in keys)
        for done, (key, file) in enumerate(zip(keys, files, strict=True), 1):
            names, whole = split[key]
            if self._keys[whole][0] in reader.unread:
                found.append(_Built(None, (), {}, reader.unread, reader.moved))
                continue
            aliases = list(program.list_aliases(file))
            around = _find_places(file.source.text, names.split(" "), aliases) if names else None
            bound = program.bind(file, around)
            asked = [f"{file.project}\n{space}\n{name}" for space, name in bound.asked]
            asked = [held.setdefault(each, each) for each in asked]
            new = [each for each in asked if each not in self._digests]  # what one process made serves all
            digests = dict(zip(new, self._look_up_names(new), strict=True))
            self._digests.update(digests)
            packed = _pack(bound, file.tree.damaged, aliases)
            found.append(_Built(packed, asked, digests, reader.unread, reader.moved))
            progress(done, len(keys))
        return found


def _divide(keys: Iterable[FileKey], sizes: Mapping[FileKey, int], most: int) -> Iterator[list[FileKey]]:
    """Files in parts of at most so many, that end once they hold enough bytes."""
    part: list[FileKey] = []
    size = 0
    for each in keys:
        part.append(each)
        size += sizes.get(each, 0)
        if len(part) == most or size >= _BYTES_AT_A_TIME:
            yield part
            part, size = [], 0
    if part:
        yield part


def _cut_names(asked: str) -> tuple[str, str]:
    """The name that a project asked for, whole and without the interface that a member implements explicitly."""
    name = asked.rpartition("\n")[2]
    return name, name.rpartition(".")[2]


def write_key(path: str, project: str) -> str:
    """The key of the node of a file as a project has it."""
    return f"{path}\n{project}"


def split_key(key: str) -> tuple[str, str]:
    """The names of a node around names, and the key of its file."""
    names, _, file = key.partition(_BETWEEN)
    return names, file


def list_aliases(names: Iterable[str], aliases: Iterable[tuple[str, str]]) -> Iterator[str]:
    """The aliases that may stand for a type of some names."""
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b")
    return (alias for alias, written in aliases if pattern.search(written) or "\\" in written)


def _find_places(text: bytes, names: Sequence[str], aliases: Iterable[tuple[str, str]]) -> list[int]:
    """Where names and their aliases stand in a text, in order."""
    words = {*names, *list_aliases(names, aliases)}
    found = [each.start() for each in compile_names(words).finditer(text)]
    escaped = [start for start, name in find_escaped(text) if name in words]
    return sorted(found + escaped)


def _make_progress(request: Request, count: int, before: int, total: int) -> Callable[[int, int], None]:
    """What tells of all files how far this process is with its share; other processes tell nothing."""
    process = os.getpid()

    def tell(done: int, share: int) -> None:
        if os.getpid() == process:
            request.progress(_STEP, before + done * count // share, total)

    return tell


# -- as bytes


def _pack(bound: FileBindings, damaged: str, aliases: Sequence[tuple[str, str]]) -> bytes:
    """Each binding once, and which of them stands where."""
    numbers: dict[Binding, int] = {}
    starts, which = [], []
    for start, binding in bound.bindings:
        starts.append(start)
        which.append(numbers.setdefault(binding, len(numbers)))
    every = [(*each[:2], str(each.label), str(each.role), *each[4:]) for each in numbers]
    return zlib.compress(pack_row((every, starts, which, bound.truncated, damaged, aliases)), 1)


def unpack_file(packed: bytes, takes: Callable[[Binding], bool] | None = None) -> KeptFile | None:
    """What a node keeps, or of its bindings those that are taken; None if it cannot be read."""
    return load_row(zlib.decompress(packed), partial(_read_file, takes))


def describe_file(packed: bytes) -> FileSummary | None:
    """What is told of a file that a node keeps; None if it cannot be read."""
    return load_row(zlib.decompress(packed), lambda row: FileSummary(len(row[1]), row[3], row[4]))


def _read_file(
    takes: Callable[[Binding], bool] | None,
    row: tuple[list[tuple[Any, ...]], list[int], list[int], bool, str, list[tuple[str, str]]],
) -> KeptFile:
    every, starts, which, truncated, damaged, aliases = row
    bindings = [Binding(each[0], each[1], _LABELS[each[2]], _ROLES[each[3]], *each[4:]) for each in every]
    wanted = {number: each for number, each in enumerate(bindings) if takes is None or takes(each)}
    placed = [
        PlacedBinding(start, wanted[number]) for start, number in zip(starts, which, strict=True) if number in wanted
    ]
    return KeptFile(placed, truncated, damaged, aliases)
