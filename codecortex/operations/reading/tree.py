"""Lists a tree and reads its projects, facts and types."""

from __future__ import annotations

from hashlib import sha256
from itertools import count
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from codecortex import __version__
from codecortex.git.listing import Listing, list_again, list_index, list_revision, list_worktree
from codecortex.git.paths import encode_path
from codecortex.git.worktree.disk import read_file
from codecortex.git.worktree.look import Look, digest_index
from codecortex.model.code.facts import BINARY, is_generated_name
from codecortex.model.code.projects import MARKS, NO_GENERATED, Flavour, PackageUse, Project
from codecortex.model.config import Config, describe_sources_part
from codecortex.model.config_choices import GeneratedSources
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.versions import OUTLINE_VERSION, PARSER_VERSION
from codecortex.operations.gaps import refuse_gaps
from codecortex.operations.reading.known_index import load_index
from codecortex.operations.reading.sources import LISTED, SDK_CHOICE, Sources, select_sources
from codecortex.operations.request import Unread
from codecortex.operations.wording import tell_unread
from codecortex.store.cache.rows import load_row, pack_row
from codecortex.store.config.config import read_config
from codecortex.store.paths import CONFIG

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from codecortex.analysis.types.references import Resolver
    from codecortex.git.listing import Entry
    from codecortex.git.repository import Repository
    from codecortex.git.worktree.look import KnownIndex
    from codecortex.model.code.facts import FileFacts, Scope, Using
    from codecortex.model.code.types import CSharpType
    from codecortex.operations.reading.facts import FactsStore
    from codecortex.operations.request import Request
    from codecortex.store.cache.cache import Cache

PROJECTS_VERSION = "9"

_STEP = 100  # files between two progress reports
_PACKAGES = 15  # the place of a project's packages in a row


class Tree(NamedTuple):
    """One tree of a repository, listed but not yet read.

    Attributes:
        request: The request.
        repository: The repository.
        config: The configuration in the same tree.
        flavour: The build flavour to read for.
        listing: Every relevant file.
        sources: The files that are read.
    """

    request: Request
    repository: Repository
    config: Config
    flavour: Flavour
    listing: Listing
    sources: Sources


class Reading(NamedTuple):
    """One tree of a repository, read.

    Attributes:
        tree: The tree.
        projects: Sorted by path, the implicit one last.
        types: Sorted by id.
        usings: Each project's global usings, by its path.
        unread: Files that could not be read.
        generated: The number of generated files among those that are read.
        degraded: Path to reason of files that were parsed only in part.
    """

    tree: Tree
    projects: tuple[Project, ...]
    types: tuple[CSharpType, ...]
    usings: Mapping[str, tuple[Using, ...]]
    unread: tuple[Unread, ...]
    generated: int
    degraded: Mapping[str, str]


def open_tree(
    request: Request,
    repository: Repository,
    config: Config | None = None,
    *,
    cache: Cache | None = None,
    known: Tree | Look | None = None,
) -> Tree:
    """List a tree and read its configuration, unless one is given, which the local cache heeds.

    Args:
        request: Selects the tree.
        repository: Where it lies.
        config: The configuration, if it is known.
        cache: Parsed configurations.
        known: A tree that is likely much the same: of two commits what differs alone is listed; or what git says of the
            work tree.
    """
    if request.reads_worktree and repository.is_applying:
        from codecortex.git.sessions.applying import finish_applying

        finish_applying(repository, request.warn)
    told = None
    if request.rev is not None:
        near = known.listing if isinstance(known, Tree) and known.request.rev is not None else None
        listing = list_revision(repository, request.rev, LISTED, near=near)
    elif request.staged:
        listing = list_index(repository, LISTED)
    else:
        told = known if isinstance(known, Look) else _recall_index(repository, cache)
        listing = list_worktree(repository, LISTED, untracked=request.untracked, known=told)
    config = read_tree_config(request, repository, listing, cache) if config is None else config
    if cache is not None:
        heed_config(cache, config)
    if request.untracked and not config.untracked:
        config = config._replace(untracked=True)
    elif config.untracked and request.reads_worktree and not request.untracked:
        listing = list_worktree(repository, LISTED, untracked=True, known=told)
    flavour = Flavour(
        request.tfm or config.project.tfm,
        request.configuration or config.project.configuration,
        (*config.project.define, *request.define),
    )
    entries = [entry for entry in listing.entries if entry.path != CONFIG]
    if request.jobs is None and config.cache.builders is not None:
        request = request._replace(jobs=config.cache.builders)
    return Tree(request, repository, config, flavour, listing, select_sources(entries, config))


def _recall_index(repository: Repository, cache: Cache | None) -> KnownIndex | None:
    """What is known of git's index."""
    return load_index(repository, cache, digest_index(repository)) if cache is not None else None


def reopen_tree(tree: Tree, paths: AbstractSet[bytes]) -> Tree | None:
    """A work tree after nothing but some files of it may have changed.

    Returns:
        None if it has to be opened anew: others than sources are among them, or a source came or went.
    """
    repository, sources, last = tree.repository, tree.sources.sources, tree.listing
    if repository.is_applying or not sources.keys() >= {encode_path(path) for path in paths}:
        return None
    listing = list_again(repository, LISTED, last, paths)
    if listing is None or listing.skipped != last.skipped or len(listing.entries) != len(last.entries):
        return None
    pairs = [(new, old) for new, old in zip(listing.entries, last.entries, strict=True) if new is not old]
    changed = {new.path: new for new, old in pairs if new != old}
    if any(new.path != old.path for new, old in pairs) or not sources.keys() >= changed.keys():
        return None
    return tree._replace(listing=listing, sources=tree.sources._replace(sources={**sources, **changed}))


def heed_config(cache: Cache, config: Config) -> None:
    """Close the local cache where the configuration wants none: every later get on it is a miss."""
    if not config.cache.enabled:
        cache.close()


def read_tree_config(request: Request, repository: Repository, listing: Listing, cache: Cache | None = None) -> Config:
    """The configuration in the tree itself; in the work tree an untracked file counts too."""
    if request.reads_worktree and repository.root is not None:
        data = read_file(repository.root, CONFIG, "Put a regular file there, or remove what stands there.")
    else:
        entry = next((entry for entry in listing.entries if entry.path == CONFIG), None)
        data = _read_one(repository, entry) if entry is not None else None
    return Config() if data is None else read_config(data, CONFIG, version=__version__, cache=cache)


def read_config_alone(request: Request, repository: Repository) -> Config:
    """The configuration in a tree that is not listed."""
    listing = Listing((), (), None)
    if request.rev is not None:
        listing = list_revision(repository, request.rev, (CONFIG,), paths=(CONFIG.encode(),))
    elif request.staged:
        listing = list_index(repository, (CONFIG,), paths=(CONFIG.encode(),))
    return read_tree_config(request, repository, listing)


def _read_one(repository: Repository, entry: Entry) -> bytes | None:
    from codecortex.git.contents import read_contents

    return next(read_contents(repository, [entry])).data


def digest_tree(tree: Tree) -> str:
    """A digest of everything that outlines and the index's types depend on."""
    listed = map(itemgetter(0, 1), tree.listing.entries)  # path and blob, for every file
    entries = "\n".join(["\0".join(each) for each in listed if each[0] != CONFIG])
    settings = describe_sources_part(tree.config)
    state = sha256(f"{PARSER_VERSION}|{OUTLINE_VERSION}|{settings}|{tree.flavour}\0{entries}".encode())
    return state.hexdigest()


def read_projects(tree: Tree, cache: Cache) -> tuple[Project, ...]:
    """The projects of a tree, cached under a digest of everything they depend on.

    Raises:
        GitStateError: This clone lacks project files.
    """
    sources, key = tree.sources, digest_projects(tree)
    known = _load_projects(cache.get(f"projects/{key}"))
    if known is not None:
        return known
    from codecortex.analysis.msbuild.projects import evaluate_projects
    from codecortex.git.contents import read_contents
    from codecortex.parsing.project_xml import read_global_json, read_project

    facts = {}
    unread = []
    for content in read_contents(tree.repository, sources.projects.values()):
        path = content.entry.path
        if content.data is None:
            unread.append(Unread(path, str(content.problem)))
        else:
            chooses = path.lower().endswith(SDK_CHOICE)
            facts[path] = read_global_json(content.data) if chooses else read_project(content.data, path)
    refuse_gaps(unread)  # without its project, a type is another one
    for told in tell_unread(unread):
        tree.request.warn(f"{told}; the project is read without it")
    evaluated = evaluate_projects(facts, sorted(sources.sources), tree.flavour, sources.markers)
    projects = leave_out(tuple(map(_name_implicit, evaluated)), tree.config.sources.generated)
    cache.put(f"projects/{key}", pack_row([_pack_project(project) for project in projects]))
    return projects


def list_compiling(tree: Tree, cache: Cache, path: str) -> frozenset[str]:
    """The projects that compile a source, by path; of one that is not there, those that would."""
    if path not in tree.sources.sources:
        entry = next(iter(tree.sources.sources.values()))._replace(path=path)
        tree = tree._replace(sources=tree.sources._replace(sources={**tree.sources.sources, path: entry}))
    return frozenset(each.path for each in read_projects(tree, cache) if path in each.files)


def _load_projects(data: bytes | None) -> tuple[Project, ...] | None:
    return load_row(data, lambda rows: tuple(map(_unpack_project, rows)))


def digest_projects(tree: Tree) -> str:
    """A digest of what the projects depend on: project files by content, sources and markers by path, the flavour."""
    state = sha256(f"{PROJECTS_VERSION}|{tree.flavour}|{tree.config.sources.generated}\0".encode())
    state.update("\0".join(f"{path}|{entry.blob}" for path, entry in sorted(tree.sources.projects.items())).encode())
    state.update("\n".join(sorted(tree.sources.sources)).encode())
    state.update("\0".join(["", *sorted(tree.sources.markers)]).encode())
    return state.hexdigest()[:24]


def digest_settings(tree: Tree, projects: Iterable[Project]) -> str:
    """Digest of everything that outlines and the types in the index depend on, except the sources."""
    settings = describe_sources_part(tree.config)
    state = sha256(f"{PARSER_VERSION}|{OUTLINE_VERSION}|{settings}|{tree.flavour}\0".encode())
    for project in projects:
        told = (
            project.path, project.name, project.assembly, project.tfm, sorted(project.symbols), project.references,
            project.usings,
        )  # fmt: skip
        state.update(repr(told).encode("utf-8", "surrogatepass"))
    return state.hexdigest()


def leave_out(projects: Sequence[Project], generated: GeneratedSources) -> tuple[Project, ...]:
    """The projects without the generated code that is not read.

    Files of no project are taken for compiled only where there is no project at all. What only the content of a file
    tells, facts leave out, as marks among the symbols ask for.
    """
    if generated is GeneratedSources.ALL:
        return tuple(projects)
    marks = {NO_GENERATED} if generated is GeneratedSources.NONE else set()
    kept = []
    for project in projects:
        if project.path or len(projects) == 1:
            kept.append(project._replace(symbols=project.symbols | marks))
            continue
        files = tuple(path for path in project.files if not is_generated_name(path))
        if files:
            kept.append(project._replace(files=files, symbols=project.symbols | MARKS))
    return tuple(kept)


def list_unread(tree: Tree, projects: Sequence[Project]) -> set[str]:
    """The sources that no project reads: generated code by its name that none compiles."""
    return tree.sources.sources.keys() - {path for project in projects for path in project.files}


def _name_implicit(project: Project) -> Project:
    """Name the implicit project after the one top folder of all its files; `root` if there is none.

    It is never named after the checkout's folder: the same tree must give the same bytes wherever it is checked out.
    """
    if project.path:
        return project
    tops = {path.partition("/")[0] if "/" in path else "" for path in project.files}
    name = tops.pop() if len(tops) == 1 else ""
    name = name or "root"
    return project._replace(name=name, assembly=name, root_namespace=name)


def _pack_project(project: Project) -> tuple[Any, ...]:
    return (
        project.path, project.name, project.assembly, project.root_namespace, project.tfm, project.tfms,
        tuple(sorted(project.symbols)), project.files, project.references, project.usings, project.reports,
        project.test, project.nullable, project.language, project.implicit_usings,
        tuple(map(tuple, project.packages)), project.frameworks, project.friends, project.assemblies,
    )  # fmt: skip


def _unpack_project(row: tuple[Any, ...]) -> Project:
    values = list(row)
    values[6] = frozenset(values[6])
    values[_PACKAGES] = tuple(PackageUse(*each) for each in values[_PACKAGES])
    return Project(*values)


def read_facts(tree: Tree, projects: Sequence[Project], cache: Cache) -> FactsStore:
    """The facts of every source, under the symbols of each project that compiles it."""
    from codecortex.operations.reading.facts import extract

    wanted: dict[str, tuple[Entry, list[frozenset[str]]]] = {}
    for project in projects:
        for path in project.files:
            _, sets = wanted.setdefault(path, (tree.sources.sources[path], []))
            if project.symbols not in sets:
                sets.append(project.symbols)
    return extract(tree.request, tree.repository, wanted, cache)


def read_tree(tree: Tree, projects: tuple[Project, ...], cache: Cache) -> Reading:
    """Read every type of the projects."""
    store = read_facts(tree, projects, cache)
    from codecortex.analysis.types.assemble import assemble_types
    from codecortex.analysis.types.positions import settle_positions
    from codecortex.analysis.types.references import collect_usings, resolve_among
    from codecortex.operations.reading.facts import digest_symbols

    digests = {project.path: digest_symbols(project.symbols) for project in projects}
    asked, total = count(), sum(len(project.files) for project in projects)

    def facts_of(project: Project, path: str) -> FileFacts | None:
        done = next(asked)
        if done % _STEP == 0:
            tree.request.progress("Reading types", done, total)
        return store.get(path, digests[project.path])

    assembled = assemble_types(projects, facts_of)
    marks = _collect_marks(projects, store)
    scopes: dict[str, list[tuple[Scope, ...]]] = {}
    for project in projects:
        for path in project.files:
            facts = store.get(path, digests[project.path])
            if facts is not None and any(using.everywhere for using in facts.scopes[0].usings):
                scopes.setdefault(project.path, []).append(facts.scopes)
    usings = collect_usings(projects, scopes)
    types = settle_positions(assembled, lambda: resolve_among(assembled, projects, usings))
    return Reading(tree, projects, types, usings, tuple(store.unread), len(marks.generated), marks.degraded)


def make_resolver(reading: Reading) -> Resolver:
    """A resolver over all types of a reading."""
    from codecortex.analysis.types.references import resolve_among

    return resolve_among(reading.types, reading.projects, reading.usings)


def separate_binary(unread: Iterable[Unread], degraded: Mapping[str, str]) -> tuple[tuple[Unread, ...], dict[str, str]]:
    """The sources that were not read, binary ones among them, and path to reason of those that were read in part."""
    binary = [Unread(path, why) for path, why in degraded.items() if why == BINARY]
    return tuple(sorted({*unread, *binary})), {path: why for path, why in degraded.items() if why != BINARY}


class SourceMarks(NamedTuple):
    """Generated sources that are read; path to reason of sources left out, and of others that were read in part."""

    generated: set[str]
    left_out: dict[str, str]
    degraded: dict[str, str]


def read_marks(tree: Tree, projects: Sequence[Project], cache: Cache) -> tuple[SourceMarks, tuple[Unread, ...]]:
    """The marks of the sources of projects, and the sources that could not be read."""
    store = read_facts(tree, projects, cache)
    return _collect_marks(projects, store), tuple(store.unread)


def _collect_marks(projects: Sequence[Project], store: FactsStore) -> SourceMarks:
    from codecortex.operations.reading.facts import digest_symbols

    marks = SourceMarks(set(), {}, {})
    for project in projects:
        symbols = digest_symbols(project.symbols)
        for path in project.files:
            facts = store.get(path, symbols)
            if facts is not None and facts.left_out:
                marks.left_out[path] = facts.left_out
            elif facts is not None and (facts.generated or is_generated_name(path)):
                marks.generated.add(path)
            if facts is not None and facts.degraded:
                marks.degraded[path] = facts.degraded
    return marks
