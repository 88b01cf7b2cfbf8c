"""Files of a program that are declared once something of them is looked for."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Generic, TypeVar

from codecortex.analysis.binding.declarations.file_names import ESCAPE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from codecortex.analysis.binding.declarations.file_names import FileNames

_File = TypeVar("_File")
_Key = TypeVar("_Key")
_Value = TypeVar("_Value")
FileKey = tuple[str, str]
"""The path of a file, and of a project that compiles it."""
TypeName = tuple[str, str]
"""A namespace, and the name of a type that lies in no other one."""


class PendingFiles(Generic[_File]):
    """The files of a program by the names of what they declare.

    All files of a project that declare a type of one name are declared together, in the order of files: whatever is
    looked for first, a type has the same parts in the same order.

    Attributes:
        ranks: The number of each file among all.
    """

    def __init__(self, declare: Callable[[Sequence[FileKey]], Sequence[_File]]) -> None:
        """Make it without files; `declare` declares some, in order."""
        self._declare = declare
        self._names: dict[FileKey, FileNames] = {}
        self._declared: dict[FileKey, _File] = {}
        self.ranks: dict[FileKey, int] = {}

    def add(self, key: FileKey, names: FileNames) -> None:
        """Add a file; what was looked for before is not looked for again."""
        self.ranks.setdefault(key, len(self.ranks))
        self._names[key] = names
        for name in ("_by_type", "_by_word", "_by_extension", "_by_base", "_by_namespace"):
            self.__dict__.pop(name, None)

    @property
    def names(self) -> Mapping[FileKey, FileNames]:
        """All files, in order."""
        return self._names

    def list_types(self, namespace: str) -> AbstractSet[str]:
        """The names of the types of a namespace."""
        return self._by_namespace.get(namespace, frozenset())

    # -- what is looked for

    def open(self, keys: Iterable[FileKey]) -> list[_File]:
        """Some files, declared."""
        wanted = list(keys)
        missing = {each for each in wanted if each not in self._declared}
        if missing:
            group = sorted(self._close(missing), key=self.ranks.__getitem__)
            for key, file in zip(group, self._declare(group), strict=True):
                self._declared[key] = file
        return [self._declared[each] for each in wanted]

    def open_types(self, names: Iterable[TypeName]) -> None:
        """Declare all types of some names."""
        self._open_all(self._by_type.get(each, ()) for each in names)

    def open_named(self, word: str) -> None:
        """Declare all types of a simple name, nested ones too."""
        self._open_all([self._by_word.get(word, ())])

    def open_extending(self, name: str) -> Sequence[FileKey]:
        """Declare all classes that may declare an extension member of a name; the files."""
        found = [*self._by_extension.get(name, ()), *self._by_extension.get("", ())]
        self._open_all([found])
        return found

    def open_derived(self, names: Iterable[str]) -> dict[FileKey, set[str]]:
        """Declare all types whose base list may name one of some names; their simple names, by file."""
        found: dict[FileKey, set[str]] = {}
        for word in (*names, ESCAPE):
            for key, name in self._by_base.get(word, ()):
                found.setdefault(key, set()).add(name)
        self.open(found)
        return found

    def open_all(self) -> None:
        """Declare all."""
        self._open_all([self._names])

    def open_id(self, id_: str) -> None:
        """Declare the type of a documentation id without `T:`, and those that share its outermost type."""
        parts = [each.partition("`")[0] for each in id_.split(".")]
        self.open_types((".".join(parts[:at]), name) for at, name in enumerate(parts))

    def _open_all(self, found: Iterable[Iterable[FileKey]]) -> None:
        missing = [key for keys in found for key in keys if key not in self._declared]
        if missing:
            self.open(missing)

    def _close(self, keys: Iterable[FileKey]) -> set[FileKey]:
        """Files that wait, and all others of their projects that declare types of the same names."""
        todo, found = list(keys), set()
        while todo:
            key = todo.pop()
            if key not in found and key not in self._declared:
                found.add(key)
                same = (each for name in self._names[key].types for each in self._by_type[name])
                todo += [each for each in same if each[1] == key[1]]
        return found

    # -- by what

    @cached_property
    def _by_type(self) -> Mapping[TypeName, Sequence[FileKey]]:
        return _index((name, key) for key, names in self._names.items() for name in names.types)

    @cached_property
    def _by_namespace(self) -> Mapping[str, AbstractSet[str]]:
        found: dict[str, set[str]] = {}
        for namespace, name in self._by_type:
            found.setdefault(namespace, set()).add(name)
        return found

    @cached_property
    def _by_word(self) -> Mapping[str, Sequence[FileKey]]:
        return _index(
            (word, key)
            for key, names in self._names.items()
            for word in (*(name for _, name in names.types), *names.nested)
        )

    @cached_property
    def _by_extension(self) -> Mapping[str, Sequence[FileKey]]:
        """Those that may declare any are found under an empty name."""
        return _index(
            (name, key)
            for key, names in self._names.items()
            for name in (names.extensions if names.extensions is not None else ("",))
        )

    @cached_property
    def _by_base(self) -> Mapping[str, Sequence[tuple[FileKey, str]]]:
        return _index(
            (word, (key, name)) for key, names in self._names.items() for name, words in names.derived for word in words
        )


def _index(pairs: Iterable[tuple[_Key, _Value]]) -> Mapping[_Key, Sequence[_Value]]:
    found: dict[_Key, list[_Value]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found
