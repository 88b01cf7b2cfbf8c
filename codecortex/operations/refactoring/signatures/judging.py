"""Binds the files of a changed signature again, and refuses what cannot be told from the calls alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.analysis.binding.types.ids import id_of_symbol
from codecortex.analysis.binding.types.symbols import Parameter as BoundParameter
from codecortex.editing.refactoring.signatures.change import Added, Parameter, find_list, read_modes
from codecortex.model.code.bindings import BindingLabel
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.operations.bindings.memory import bind_deep
from codecortex.operations.queries.usage_sources import SourceSearch
from codecortex.operations.refactoring.candidates import INACTIVE, make_candidate
from codecortex.operations.refactoring.overlay import Passage, Renaming, compare, tell_changes
from codecortex.operations.refactoring.results import EditRefusedError
from codecortex.parsing.occurrences.find import find_inactive, read_code

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from codecortex.analysis.binding.types.symbols import Member
    from codecortex.editing.refactoring.edits import Edit, FileEdits
    from codecortex.editing.refactoring.signatures.calls import Rewritten
    from codecortex.editing.refactoring.signatures.change import Asked, Item
    from codecortex.model.code.syntax import Node
    from codecortex.operations.bindings.sources import Sources
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.refactoring.results import Candidate
    from codecortex.operations.refactoring.signatures.sites import Declared, Files
    from codecortex.operations.usages.search import Found
    from codecortex.symbols.hits import Hit

_NAME = compile_later(rb"(?<!\w)@?[^\W\d]\w*")
_WORDS = frozenset(
    (
        *(
            "bool",
            "byte",
            "sbyte",
            "char",
            "decimal",
            "double",
            "float",
            "int",
            "uint",
            "nint",
            "nuint",
            "long",
            "ulong",
        ),
        *("object", "short", "ushort", "string", "void", "dynamic", "new", "null", "true", "false", "default"),
        *("this", "base", "params", "ref", "out", "in", "scoped", "readonly", "typeof", "nameof"),
    )
)


def refuse_uses(found: Found, files: Files, declared: tuple[Hit, Declared], items: Sequence[Item]) -> None:
    """Refuse a constructor where types that derive from its type alone would call another one, or none.

    Raises:
        EditRefusedError: There is such a type.
    """
    hit, first = declared
    if hit.member is None or hit.member.kind != "constructor" or found.sources is None:
        return
    own = found.target.members[0]
    owners = {each.owner for each in found.target.members if each.owner is not None}
    after = [first.parameters[each] if isinstance(each, int) else each for each in items]
    if _find_called(own, own.parameters) is _find_called(own, after):
        return
    for definition in found.sources.program.list_below(owners):
        base = definition.bases.base
        if getattr(base, "definition", None) not in owners:
            continue
        if _calls_by_deriving([each.node for each in definition.parts]):
            part = definition.parts[0]
            line = files.open(part.scope.file).starts.find_place(part.node.start)[0]
            hint = "Write the call out first: `: base()`."
            raise EditRefusedError(f"{part.scope.file}:{line} calls {hit.name} without saying so.", hint)


def _find_called(own: Member, parameters: Sequence[BoundParameter | Parameter | Added]) -> Member | None:
    """The constructor beside one, or that itself with some parameters, that is called without arguments."""
    others = own.owner.members(".ctor") if own.owner is not None else ()
    lists = {each: parameters if each is own else each.parameters for each in others if not each.is_static}
    fit = [each for each, listed in lists.items() if not any(map(_needs_argument, listed))]
    empty = [each for each in fit if not lists[each]]
    chosen = empty or fit
    return chosen[0] if len(chosen) == 1 else None


def _needs_argument(parameter: BoundParameter | Parameter | Added) -> bool:
    if isinstance(parameter, BoundParameter):
        return not (parameter.optional or parameter.is_params)
    modes = parameter.modes if isinstance(parameter, Parameter) else read_modes(parameter.text)
    return not parameter.default and "params" not in modes


def _calls_by_deriving(parts: Sequence[Node]) -> bool:
    """Whether the declarations of a type call a constructor of its base class without saying so."""
    bodies = [body for each in parts if (body := each.field("body")) is not None]
    made = [each for body in bodies for each in body.nodes if each.kind == "constructor_declaration"]
    own = [each for each in made if "static" not in each.modifiers()]
    if any(find_list(each) is not None for each in parts):
        return False
    return not own or any(not each.first("constructor_initializer") for each in own)


def list_inactive(workspace: Workspace, hit: Hit) -> Iterator[Candidate]:
    """Places of the name in code that is compiled under other symbols only: nothing edits them."""
    name = hit.member.name if hit.member is not None else ""
    if hit.entry is not None and hit.member is not None and hit.member.kind == "constructor":
        name = hit.entry.simple_name
    sources = SourceSearch(workspace)
    paths, _ = sources.find([name])
    for content in sources.read(sorted(paths)):
        symbols = {each.symbols for each in sources.projects_of(content.entry.path)}
        for spot in find_inactive(content.data or b"", symbols, name):
            yield make_candidate(content.entry.path, spot.line, spot.column, INACTIVE)


class Done(NamedTuple):
    """The edits, and how lists were rewritten by file."""

    files: tuple[FileEdits, ...]
    rewritten: Mapping[str, Sequence[Rewritten]]


def judge(workspace: Workspace, found: Found, done: Done, declared: Sequence[Declared], asked: Asked) -> None:
    """Bind again, and refuse what would mean something else.

    Raises:
        EditRefusedError: A name would, or what is new is not known.
    """
    kept = found.kept
    if kept is None:
        return
    member = found.target.members[0]
    name = member.owner.name if member.name == ".ctor" and member.owner is not None else member.name.rpartition(".")[2]
    with bind_deep():
        texts = {each.path: each.after.shown.encode() for each in done.files if each.after is not None}
        after = kept.declare_edited(texts)
        ids = _find_ids(after, done.files, declared)
        if asked.added is not None:
            _refuse_unknown(after, done.files, asked.added)
    _refuse_doubles(found, declared, ids)
    renaming = Renaming(
        frozenset({name} | ({asked.added.name} if asked.added is not None else set())),
        lambda symbol: ids.get(symbol, symbol),
        frozenset(each.project for each in declared if each.project is not None),
        passages=_list_passages(done),
        without=_list_gone(done, declared, asked),
    )
    changes = compare(workspace, kept, done.files, renaming)
    if changes:
        hint = "Choose another signature, or change these places first."
        raise EditRefusedError(f"{name} cannot change: {tell_changes(changes)}.", hint)


def _list_placed(file: FileEdits) -> list[tuple[Edit, int]]:
    """The edits of a file, each with where its text begins afterwards."""
    return [(each, start) for each, (start, _) in zip(file.edits, file.list_ranges(), strict=True)]


def _list_passages(done: Done) -> dict[str, list[Passage]]:
    """What changes places, by file."""
    passages: dict[str, list[Passage]] = {}
    for file in done.files:
        slots = {each.start: at for each, at in _list_placed(file) if each.end > each.start}
        for each in (swap for one in done.rewritten.get(file.path, ()) for swap in one.swaps):
            passage = Passage(each.start, each.end, file.path, slots[each.slot])
            passages.setdefault(file.path, []).append(passage)
    return passages


def _list_gone(done: Done, declared: Sequence[Declared], asked: Asked) -> dict[str, list[tuple[int, int]]]:
    """The ranges that go, by file."""
    gone = {
        path: [(node.start, node.end) for each in found for node in each.gone] for path, found in done.rewritten.items()
    }
    own = next((each.parameters for each in declared if any(one.name in asked.removed for one in each.parameters)), ())
    numbers = [number for number, each in enumerate(own) if each.name in asked.removed]
    for each in declared:
        ranges = [(each.parameters[number].start, each.parameters[number].end) for number in numbers]
        gone.setdefault(each.path, []).extend(ranges)
    return gone


def _find_ids(after: Sources, files: Sequence[FileEdits], declared: Sequence[Declared]) -> dict[str, str]:
    """The documentation ids that the declarations have afterwards."""
    ids: dict[str, str] = {}
    edited = {each.path: each for each in files}
    for one in declared:
        name = one.node.field("name")
        if one.path not in edited or name is None:
            continue
        place = edited[one.path].move(name.start)
        if one.is_primary:
            ids.update((one.symbol, each) for each in _find_primary(after, one, place))
            continue
        for file in after.files[one.path]:
            if file.project == one.project:
                rows = after.program.bind(file, [place]).bindings
                ids.update((one.symbol, row.binding.symbol) for row in rows if row.start == place and row.binding.name)
    return ids


def _find_primary(after: Sources, declared: Declared, place: int) -> Iterator[str]:
    """The id that the constructor of a type's own list has afterwards."""
    owner = declared.symbol[2:].partition(".#ctor")[0]
    for definition in after.program.find_types(owner):
        for member in definition.members(".ctor") if definition.project == declared.project else ():
            if member.node is not None and member.node.start == place and member.node.source == _text(after, declared):
                yield id_of_symbol(member)


def _text(after: Sources, declared: Declared) -> bytes:
    return next(each.source.text for each in after.files[declared.path] if each.project == declared.project)


def _refuse_doubles(found: Found, declared: Sequence[Declared], ids: Mapping[str, str]) -> None:
    """Refuse a signature that another member of a type has already."""
    for member in found.target.members:
        others = member.owner.members(member.name) if member.owner is not None else ()
        new = ids.get(id_of_symbol(member), "")
        if any(other is not member and id_of_symbol(other) == new for other in others):
            place = next((each for each in declared if each.symbol == id_of_symbol(member)), declared[0])
            line = place.node.source.count(b"\n", 0, place.extent.start) + 1
            raise EditRefusedError(f"{place.path}:{line}: there is {new} already.", "Choose another signature.")


def _blank(text: bytes) -> bytes:
    """A piece of code without its literals and comments, of equal length."""
    code = read_code(text, frozenset())
    return code.text if code is not None else text


def _refuse_unknown(after: Sources, files: Sequence[FileEdits], added: Added) -> None:
    """Refuse a type, a default value or an argument whose names are not known where they are written."""
    written = _blank(f"{added.type} {added.default} {added.argument}".encode())
    names = {match[0].decode() for match in _NAME.finditer(written)} - _WORDS
    for file in files if names else ():
        for declared in after.files[file.path]:
            known = {row.start for row in after.program.bind(declared).bindings
                     if row.binding.name and row.binding.label is BindingLabel.EXACT}  # fmt: skip
            for edit, at in _list_placed(file):
                data = _blank(edit.text.encode())
                for match in _NAME.finditer(data) if edit.start == edit.end and "<param" not in edit.text else ():
                    is_plain = not re.match(rb"\s*(?:[.:]|=(?![=>]))", data[match.end() :])
                    if match[0].decode() in names and is_plain and at + match.start() not in known:
                        hint = "Write it with its namespace."
                        raise EditRefusedError(f"{match[0].decode()} is not known in {file.path}.", hint)
