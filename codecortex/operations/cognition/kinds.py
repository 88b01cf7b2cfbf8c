"""Every kind of node that there is, and what nodes are called."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from codecortex.analysis.types.fingerprints import Fingerprints
from codecortex.cognition.kinds import Kind, Space, one_by_one
from codecortex.model.code.types import TypeId
from codecortex.model.cognition.records import ABSENT, digest_text
from codecortex.model.errors import UsageError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.catalog.fingerprints import ask_prints, ask_tokens
from codecortex.operations.catalog.nodes import LINKS, make_inputs, make_kind, open_engine
from codecortex.operations.generation.silent import SILENT
from codecortex.operations.notes.texts import list_needed
from codecortex.operations.packs.packs import find_definition
from codecortex.operations.packs.text import OUTLINE, PACK, SELECTED, list_spaces, name_pack
from codecortex.operations.packs.text import list_kinds as list_pack_kinds
from codecortex.operations.queries.named_files import find_source
from codecortex.operations.queries.resolve import find_type
from codecortex.store.cache.rows import load_row, pack_row

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from codecortex.cognition.ask import Ask
    from codecortex.cognition.engine import Engine
    from codecortex.model.cognition.records import Name
    from codecortex.operations.bindings.kept import KeptBindings
    from codecortex.operations.catalog.workspace import Workspace

HEADER, BINDINGS, AROUND = "header", "bindings", "bindings-around"
OF_FILES = (BINDINGS, AROUND)
"""The kinds whose nodes are on files, as one project has them, rather than on types."""
NEEDED = "needed"
_DECLARED = "declared"  # as `operations/bindings/kept.py` calls what a project declares under a name
_BETWEEN = "\t"  # what stands there between the names of a question and a file
_DIGITS = 8

MEANINGS = {
    "prints": "the six fingerprints of a type",
    "shape": "the fingerprints of a type without layout and comments",
    "structure": "what a type looks like from outside",
    HEADER: "what a note on a type is held against: its shape, and the structure of what it needs",
    "tokens": "how many tokens the outline of a type has",
    "silent": "whether the sources say nothing of a type besides its outline",
    OUTLINE: "the outline of a type, as packs and the window show it",
    PACK: "the text of a pack",
    BINDINGS: "what the names of a file mean in a project",
    AROUND: "the same, of bodies alone that hold the names of a question",
}
"""By kind, what its nodes hold."""


class Node(NamedTuple):
    """A node on a type, or on a file as one project has it.

    Attributes:
        kind: Its kind.
        key: The TypeId; of a file its path and that of the project, on two lines; of a pack its definition.
        label: The node as people name it.
    """

    kind: str
    key: str
    label: str


def open_nodes(workspace: Workspace) -> Engine:
    """The engine of a workspace with every kind of node on types."""
    return open_engine(workspace, list_kinds(workspace), make_all_inputs(workspace))


@contextmanager
def open_node(workspace: Workspace, text: str) -> Iterator[tuple[Node, Engine]]:
    """The node that a text names (`find_node`), and the engine that knows it."""
    node = find_node(workspace, text)
    if node.kind != BINDINGS:
        yield node, open_nodes(workspace)
        return
    with open_bindings(workspace, [node.key.partition("\n")[0]]) as kept:
        yield node, kept.engine


@contextmanager
def open_bindings(workspace: Workspace, paths: Iterable[str]) -> Iterator[KeptBindings]:
    """What the names of some files mean."""
    from codecortex.operations.bindings.kept import KeptBindings
    from codecortex.operations.bindings.memory import bind_deep

    with bind_deep():
        yield KeptBindings(workspace, paths)


def make_all_inputs(workspace: Workspace) -> Any:
    """What the nodes of every kind are brought up to."""
    inputs = make_inputs(workspace)
    top = next(space.top for space in inputs.spaces if space.name == LINKS)

    def look_up(ids: Sequence[str]) -> Iterator[bytes]:
        known: Any = workspace.catalog.by_id
        for each in ids:
            yield digest_text(" ".join(list_needed(workspace, [TypeId(each)]))) if each in known else ABSENT

    return inputs._replace(spaces=(*inputs.spaces, Space(NEEDED, top, look_up), *list_spaces(workspace)))


def list_kinds(workspace: Workspace) -> list[Kind]:
    """Every kind, each after those that it reads."""

    def build_header(ask: Ask, key: str) -> bytes | None:
        if ask.digests(NEEDED, (key,))[key] == ABSENT:
            return None
        needed: list[Any] = list_needed(workspace, [TypeId(key)])
        structures = ask.get_many("structure", needed)
        return pack_row((load_row(ask.get("shape", key), tuple), {i: load_row(s, str) for i, s in structures.items()}))

    return [
        make_kind(workspace, ask_prints(workspace)),
        Kind("shape", "1", ("prints",), one_by_one(_build_shape)),
        Kind("structure", "1", ("shape",), one_by_one(_build_structure)),
        Kind(HEADER, "1", (NEEDED, "shape", "structure"), one_by_one(build_header)),
        make_kind(workspace, ask_tokens(workspace)),
        make_kind(workspace, SILENT),
        *list_pack_kinds(workspace),
    ]


def _build_shape(ask: Ask, key: str) -> bytes | None:
    prints = load_row(ask.get("prints", key), lambda row: Fingerprints(*row))
    if prints is None:
        return None
    return pack_row((prints.structure, prints.public_impl, prints.internal_impl, prints.xml_doc))


def _build_structure(ask: Ask, key: str) -> bytes | None:
    shape = load_row(ask.get("shape", key), tuple)
    return None if shape is None else pack_row(str(shape[0]))


def find_node(workspace: Workspace, text: str) -> Node:
    """The node that `KIND:SYMBOL`, a symbol alone (`header:SYMBOL`), `bindings:FILE` or `pack:NAME` names.

    Raises:
        UsageError: There is no such kind, or no project compiles the file.
    """
    kind, colon, symbol = text.partition(":")
    kinds = [each for each in MEANINGS if each != AROUND]  # whose nodes nobody asks for by a file alone
    if not colon or kind not in kinds:
        if colon and len(kind) > 1:  # one letter begins a documentation-comment id
            raise UsageError(f"There is no kind {kind!r} of nodes.", f"One of {', '.join(kinds)}.")
        kind, symbol = HEADER, text
    if kind == BINDINGS:
        return _find_file(workspace, symbol)
    if kind == PACK:
        return Node(kind, name_pack(find_definition(workspace.tree.config.packs, symbol)), f"{kind}:{symbol}")
    entry, _ = find_type(workspace, symbol)
    return Node(kind, entry.id, f"{kind}:{entry.fqn}")


def _find_file(workspace: Workspace, text: str) -> Node:
    """The names of a file in the project that compiles it; of several, `FILE in PROJECT` says which."""
    asked, _, project = text.partition(" in ")
    path = find_source(workspace, asked) or asked
    projects = [each.path for each in workspace.projects if path in each.files]
    if project in projects or (projects and not project):
        key = f"{path}\n{project or projects[0]}"
        return Node(BINDINGS, key, _label_file(BINDINGS, key))
    if path not in workspace.tree.sources.sources:
        raise UsageError(f"{path} is none of the sources of this tree.", "Write bindings:FILE, the path of a source.")
    known = f"It is compiled by {', '.join(projects)}." if projects else "No project compiles it."
    raise UsageError(f"{path} is not compiled by {project or 'any project'}.", known)


def split_file(kind: str, key: str) -> tuple[str, str]:
    """The path and the project of a node on a file."""
    path, _, project = (key.partition(_BETWEEN)[2] if kind == AROUND else key).partition("\n")
    return path, project


def _label_file(space: str, key: str) -> str:
    path, _, project = key.partition("\n")
    return f"{space}:{path} in {project}"


def label_name(workspace: Workspace, name: Name) -> str:
    """A space and a name in it, as people read it."""
    space, key = name
    if space == BINDINGS:
        return _label_file(space, key)
    if space in (PACK, SELECTED):
        return f"{space}:{key.partition(chr(10))[0]}"
    if space == AROUND:
        names, _, file = key.partition(_BETWEEN)
        return f"{_label_file(BINDINGS, file)} around {names}"
    if space == _DECLARED:
        project, where, asked = key.split("\n")
        return f"{space}:{where} {asked or '(bases)'} in {project}"
    entry = workspace.catalog.by_id.get(key)  # type: ignore[call-overload]
    return f"{space}:{entry.fqn if entry is not None else key or '(none)'}"


def label_digest(digest: bytes) -> str:
    """A digest as people read it."""
    return "absent" if digest == ABSENT else digest.hex()[:_DIGITS]
