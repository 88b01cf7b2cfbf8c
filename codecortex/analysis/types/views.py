"""Views: the levels of namespaces and usings in which the names at one place are looked up."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from codecortex.model.code.facts import Using
from codecortex.model.code.types import display_fqn
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from codecortex.analysis.types.symbol_table import Declared, Found, Namesakes, SymbolTable
    from codecortex.model.code.facts import Scope
    from codecortex.model.code.projects import Project


class NameContext(NamedTuple):
    """The context of a name: project, file scopes, scope index, the enclosing type's FQN, and the file."""

    project: str
    scopes: tuple[Scope, ...]
    scope: int
    fqn: str
    path: str = ""


class Level(NamedTuple):
    """One namespace around a place, and its usings.

    Attributes:
        namespace: Full name; empty for the global one.
        aliases: Alias to the segments of its target.
        imports: Full names of imported namespaces.
        statics: Segments of types whose nested types are imported.
        targets: Alias to its target as written.
    """

    namespace: str
    aliases: Mapping[str, tuple[str, ...]] = {}
    imports: tuple[str, ...] = ()
    statics: tuple[tuple[str, ...], ...] = ()
    targets: Mapping[str, str] = {}


class View:
    """What names at one place can refer to, apart from enclosing types.

    Attributes:
        project: Path of the project.
        path: Path of the file.
        scopes: The scopes of the file.
        levels: The levels, from the inside out.
        aliases: Every alias in scope.
        known: Cached results, by name or by name and enclosing type.
        plain: Cached results of lookups without inherited types.
        guessing: The same place with projects that no reference leads to; None if that adds nothing.
    """

    __slots__ = ("_visible", "aliases", "guessing", "known", "levels", "path", "plain", "project", "scopes")

    def __init__(self, place: NameContext, levels: tuple[Level, ...], visible: frozenset[str]) -> None:
        self.project = place.project
        self.path = place.path
        self.scopes = place.scopes
        self.levels = levels
        self.aliases = frozenset(alias for level in levels for alias in level.aliases)
        self.known: dict[str | tuple[str, str], Found] = {}
        self.plain: dict[str | tuple[str, str], Found] = {}
        self.guessing: View | None = None
        self._visible = visible

    def select(self, same: Namesakes | tuple[()]) -> tuple[Declared, ...]:
        """Select among types with one FQN: the file's own, else the project's, else other projects'."""
        if not same:
            return ()
        if len(same) == 1:
            (only,) = same
            seen = only.project == self.project or only.project in self._visible
            return (only,) if seen and only.file in ("", self.path) else ()
        places = same.by_place
        own = places.get((self.project, self.path)) or places.get((self.project, ""))
        return tuple(own or [d for d in same if d.project in self._visible and not d.file])


def open_view(place: NameContext, project: Level, table: SymbolTable) -> View:
    """The view of a context; `project` is the level of its project's global usings."""
    levels = (*_iter_levels(place, table), project)
    visible = table.list_visible(place.project)
    view = View(place, levels, visible)
    guessed = visible | table.list_guessed(place.project)
    if guessed - {place.project} != visible:
        view.guessing = View(place, levels, guessed)
    return view


def _iter_levels(place: NameContext, table: SymbolTable) -> Iterator[Level]:
    index = place.scope
    while index >= 0:
        scope = place.scopes[index]
        outer = place.scopes[scope.parent].namespace if scope.parent >= 0 else ""
        yield make_level(scope.namespace, scope.usings, table)
        namespace = scope.namespace.rpartition(".")[0]
        while len(namespace) > len(outer):
            yield Level(namespace)
            namespace = namespace.rpartition(".")[0]
        index = scope.parent


def make_level(namespace: str, usings: Sequence[Using], table: SymbolTable) -> Level:
    """The level of a namespace with its usings."""
    aliases: dict[str, tuple[str, ...]] = {}
    imports: dict[str, None] = {}
    statics: dict[tuple[str, ...], None] = {}
    targets: dict[str, str] = {}
    for using in usings:
        if using.alias:
            aliases[using.alias], targets[using.alias] = _split(using.target), using.target
        elif using.static:
            statics[_split(using.target)] = None
        else:
            imports[_complete(using.target, namespace, table)] = None
    return Level(namespace, aliases, tuple(imports), tuple(statics), targets)


def _split(target: str) -> tuple[str, ...]:
    return tuple(name_of_base(target).split("."))


def _complete(target: str, namespace: str, table: SymbolTable) -> str:
    """The full name of a namespace that a using directive inside another namespace names."""
    if target.startswith("global::"):
        return target.removeprefix("global::")
    while namespace:
        if f"{namespace}.{target}" in table.namespaces:
            return f"{namespace}.{target}"
        namespace = namespace.rpartition(".")[0]
    return target


@lru_cache(maxsize=65536)
def name_of_base(text: str) -> str:
    """The form of a type as written for lookup: `Ns.Base<A, B<C>>.Inner?` gives ``Ns.Base`2.Inner``."""
    text = text.replace("::", ".").replace("@", "").strip("? ")
    if "<" not in text:
        return text
    out: list[str] = []
    depth, commas, last = 0, 0, 0
    for at, sign in enumerate(text):
        if sign in "<([":
            if depth == 0:
                out.append(text[last:at])
                commas = 0
            depth += 1
        elif sign in ">)]":
            depth -= 1
            if depth == 0:
                out.append(f"`{commas + 1}" if sign == ">" else "")
                last = at + 1
        elif sign == "," and depth == 1:
            commas += 1
    if depth == 0:
        out.append(text[last:])
    return "".join(out).strip("? ")


def write_base(text: str, fqn: str) -> str:
    """A base type with its full name: `B<A>`, which means ``Ns.Outer`1+B`1``, gives `Ns.Outer<T>.B<A>`."""
    if "<" not in text:
        return display_fqn(fqn)
    levels = fqn.split("+")
    shown = [display_fqn(level) for level in levels]
    for back, piece in enumerate(reversed(_split_levels(text)[-len(levels) :]), 1):
        if "<" in piece and "`" in levels[-back]:
            shown[-back] = levels[-back].partition("`")[0] + piece[piece.index("<") :]
    return ".".join(shown)


def _split_levels(text: str) -> list[str]:
    """The pieces between dots outside of type arguments."""
    pieces, depth = [""], 0
    for sign in text:
        depth += (sign in "<([") - (sign in ">)]")
        if sign == "." and depth == 0:
            pieces.append("")
        else:
            pieces[-1] += sign
    return pieces


def collect_usings(
    projects: Sequence[Project], files: Mapping[str, Sequence[tuple[Scope, ...]]]
) -> dict[str, tuple[Using, ...]]:
    """Each project's global usings: those of its project file and those in its sources.

    Args:
        projects: All projects.
        files: For each project's path, the scopes of its files.
    """
    out: dict[str, tuple[Using, ...]] = {}
    for project in projects:
        declared = [u for scopes in files.get(project.path, ()) for u in scopes[0].usings if u.everywhere]
        out[project.path] = (*map(_read_project_using, project.usings), *declared)
    return out


def _read_project_using(text: str) -> Using:
    alias, equals, target = text.partition(" = ")
    if equals:
        return Using(target.strip(), alias.strip())
    static = text.startswith("static ")
    return Using(text.removeprefix("static "), static=static)
