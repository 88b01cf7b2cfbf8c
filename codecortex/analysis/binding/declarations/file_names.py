"""Under which names other files may look for what a file declares: enough to leave it alone until one of them does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from codecortex.analysis.binding.declarations.heads import FileHead, TypeHead
    from codecortex.analysis.binding.declarations.source import Source
    from codecortex.model.code.syntax import Node

PROGRAM = ("", "Program")
"""The namespace and the name of the class around statements that stand outside of types."""
ESCAPE = "\\"
"""Among the words of a base list: that one of them may be any name, since it is written with escapes."""
_WORD = compile_later(r"[^\W\d]\w*|\\")
_BLOCK = "extension_declaration"


class FileNames(NamedTuple):
    """The names of what a file declares.

    Attributes:
        namespaces: Those that it opens.
        types: The types that lie in no other one, by namespace and name.
        nested: The simple names of the others.
        extensions: The names that its extension members may have; None of any.
        derived: The types that list bases, by their simple names, each with all words of its list, and with those
            that aliases of the file put for them.
        everywhere: Whether it has directives that hold in the whole project.
    """

    namespaces: Sequence[str]
    types: Sequence[tuple[str, str]]
    nested: Sequence[str]
    extensions: Sequence[str] | None
    derived: Sequence[tuple[str, Sequence[str]]]
    everywhere: bool

    def mention(self, words: AbstractSet[str]) -> bool:
        """Whether any of some words is part of them."""
        qualified = (*self.namespaces, *(namespace for namespace, _ in self.types))
        parts = {part for each in qualified for part in each.split(".")}
        parts.update((name for _, name in self.types), self.nested, self.extensions or ())
        return not words.isdisjoint(parts.union(*((name, *bases) for name, bases in self.derived)))


def list_names(head: FileHead, source: Source | None = None) -> FileNames:
    """The names of what a source declares.

    Args:
        head: Its head.
        source: It; facts tell the head so that nothing else is needed.
    """
    namespaces = _list_namespaces(head)
    tops = [(namespaces[each.scope], each.name) for each in head.types if each.outer < 0]
    tops += [PROGRAM] if head.is_program else []
    nested = {each.name for each in head.types if each.outer >= 0}
    return FileNames(
        tuple(dict.fromkeys(namespaces[1:])),
        tuple(dict.fromkeys(tops)),
        tuple(sorted(nested - {""})),
        _list_extensions(head, source),
        tuple(_list_derived(head)),
        any(each.everywhere for each in head.scopes[0].usings),
    )


def _list_namespaces(head: FileHead) -> list[str]:
    """The full name of each scope."""
    names: list[str] = []
    for each in head.scopes:
        around = names[each.parent] if each.parent >= 0 else ""
        names.append(f"{around}.{each.namespace}".strip("."))
    return names


def _list_derived(head: FileHead) -> Iterator[tuple[str, Sequence[str]]]:
    aliases: dict[str, set[str]] = {}
    for scope in head.scopes:
        for using in scope.usings:
            if using.alias:
                aliases.setdefault(using.alias, set()).update(_WORD.findall(using.text))
    for each in head.types:
        if each.bases and each.name:
            yield each.name, tuple(sorted(_follow(set(_WORD.findall(each.bases)), aliases)))


def _follow(words: set[str], aliases: Mapping[str, set[str]]) -> set[str]:
    """Words, and those of the aliases among them."""
    return words.union(*(aliases[each] for each in words if each in aliases))


def _list_extensions(head: FileHead, source: Source | None) -> Sequence[str] | None:
    """The names that extension members may have: of what only syntax tells, those of all methods."""
    named: set[str] = set()
    unknown: list[TypeHead] = []
    for each in head.types:
        if each.outer < 0 and each.extensions is None:
            unknown.append(each)
        elif each.outer < 0:
            named.update(each.extensions or ())
    if unknown and source is not None:
        for node in source.declared.types:
            body = node.field("body")
            for inner in _list_members(body) if body is not None else ():
                name = inner.field("name")
                if inner.kind == _BLOCK:
                    return None
                named.update([name.name] if name is not None and inner.kind == "method_declaration" else ())
    return tuple(sorted(named))


def _list_members(body: Node) -> Iterator[Node]:
    for each in body.nodes:
        if each.kind == "ERROR":
            yield from _list_members(each)
        else:
            yield each
