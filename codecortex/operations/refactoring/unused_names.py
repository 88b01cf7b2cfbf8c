"""Renamings to a name that nothing bears yet: what they leave to be judged.

Under such a name nothing is hidden, and nothing is taken for something else.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.editing.refactoring.names import is_plain, spell_name
from codecortex.model.code.bindings import BindingLabel
from codecortex.model.startup.patterns import compile_later
from codecortex.operations.queries.usage_sources import SourceSearch
from codecortex.parsing.occurrences.find import compile_names, list_written

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from codecortex.editing.refactoring.edits import Edit
    from codecortex.model.code.bindings import Binding, PlacedBinding
    from codecortex.operations.bindings.kept import KeptBindings
    from codecortex.operations.catalog.workspace import Workspace

_DECLARED = compile_later(r"[TMPFE]:(?!System\.ValueTuple\{)")


def are_unused(workspace: Workspace, kept: KeptBindings, names: Iterable[str]) -> bool:
    """Whether names are written nowhere: in no source, no project file's usings and no assembly, nor in the language.

    Args:
        workspace: The tree.
        kept: What names mean in it.
        names: The names.
    """
    wanted = sorted(names)
    if not all(map(is_plain, wanted)):
        return False
    word = re.compile("|".join(rf"\b{re.escape(each)}\b" for each in wanted))
    imported = (each for project in kept.plan.projects for each in project.usings)
    added = (each for usings in kept.plan.assemblies.usings.values() for each in usings)
    if any(map(word.search, (*imported, *added))):
        return False
    references = set(kept.plan.assemblies.references.values())  # most projects share theirs
    if not references or any(each.writes(wanted) for each in references):
        return False
    written, _ = SourceSearch(workspace).find(wanted)
    return not written


class NameFinder:
    """Finds names in the bytes of sources."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = sorted(names)
        self._pattern = compile_names(map(spell_name, self._names))

    def list_starts(self, source: bytes) -> list[int]:
        """Where they stand, in prose too."""
        return [match.start() for match in self._pattern.finditer(source)]

    def list_code(self, source: bytes) -> list[int] | None:
        """Where they stand in code; None where that is open."""
        return list_written(source, self._names) if self._pattern.search(source) is not None else []


class LeftNames:
    """Where the old name of a symbol is left after a renaming to a name that nothing bears yet.

    What a place means can change only where it says the old name still: as something that took its name from the symbol
    (a property of an anonymous type, an element of a tuple), as a parameter of a record that inherited a property, or
    as an overload. Whatever else is certainly another symbol stays that: where it was looked for, one thing less is
    found. Where nothing was known of it, as of a directive's unknown namespace, nothing can change.

    Args:
        names: The old name, or those that a type may be written by.
        follow: Gives the documentation id that a symbol has afterwards.
        methods: The documentation ids of the methods that are renamed.
    """

    def __init__(self, names: Iterable[str], follow: Callable[[str], str], methods: Iterable[str]) -> None:
        self._finder = NameFinder(names)
        self._follow = follow
        self._owners = {_read_owner(each) for each in methods}
        self._places: dict[str, frozenset[int] | None] = {}

    def look_for(self, path: str, source: bytes, edits: Iterable[Edit] = ()) -> bool:
        """Whether the old name may be left in the code of a file.

        Args:
            path: The file.
            source: What it says before the renaming.
            edits: What changes in it.
        """
        changed = list(edits)
        replaced = {place for each in changed for place in range(each.start, each.end)}
        if not any(self._finder.list_starts(each.text.encode()) for each in changed):
            if replaced.issuperset(self._finder.list_starts(source)):
                return False
            written = self._finder.list_code(source)
            if written is not None:
                self._places[path] = places = frozenset(written) - replaced
                return bool(places)
        self._places[path] = None
        return True

    def may_change(self, path: str, bindings: Iterable[PlacedBinding]) -> bool:
        """Whether a name that is left in a file that was looked at may mean something else.

        Args:
            path: The file.
            bindings: What its names mean before the renaming.
        """
        places = self._places[path]
        if places is None:
            return True
        return any(start in places and not self._stays(binding) for start, binding in bindings)

    def _stays(self, binding: Binding) -> bool:
        symbol = binding.symbol
        if binding.label is not BindingLabel.EXACT or not _DECLARED.match(symbol) or self._follow(symbol) != symbol:
            return False
        return not symbol.startswith("M:") or _read_owner(symbol) not in self._owners


def _read_owner(method: str) -> str:
    """The documentation id of the type that declares a method."""
    return method.partition("(")[0].rpartition(".")[0]
