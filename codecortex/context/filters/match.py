"""Selects the types of a tree that match a filter.

What a condition means:

- `namespace:X` is the namespace X alone, `namespace:X.*` X and all below it.
- `type:X` is a type by its FQN, its name in C# syntax (`Outer<T>.Inner`), either of them without its namespace or
  without its arity, its simple name, or its TypeId.
- `access:X` is the effective accessibility: the narrowest of the type's own and its containers'.
- `tag:X` is its kind, a modifier, an attribute's simple name (with or without `Attribute`), its assembly, its project.
- `test:true` is code of tests, `test:false` all other.
- `generated:true` is a type that generated code alone declares, `generated:false` any other.
- `depends:X` is a type that itself references one of the types of `type:X` with certainty.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, assert_never

from codecortex.context.filters.parse import And, Condition, Field, Not, Or, list_conditions
from codecortex.context.filters.patterns import compile_namespace, compile_pattern, fold_word
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from codecortex.context.filters.parse import Filter
    from codecortex.model.code.catalog import TypeEntry
    from codecortex.model.code.types import TypeId

_ARITY = compile_later(r"`\d+")
_ATTRIBUTE = "Attribute"


class Selection(NamedTuple):
    """What a filter selects.

    Attributes:
        types: The types that match it, in the order given.
        idle: Its conditions that match no type, most often because a word in them is misspelled.
    """

    types: list[TypeEntry]
    idle: list[str]


def select_types(
    tree: Filter, entries: Sequence[TypeEntry], list_dependents: Callable[[TypeId], Iterable[TypeId]]
) -> Selection:
    """Find the types that match a filter.

    Args:
        tree: The filter.
        entries: Every type of the tree.
        list_dependents: Returns the types that reference a type.
    """
    found = {each: _find(each, entries, list_dependents) for each in list_conditions(tree)}
    chosen = _evaluate(tree, found, frozenset(entry.id for entry in entries))
    idle = [each for each, ids in found.items() if not ids and each.field not in (Field.DEPENDS, Field.GENERATED)]
    return Selection(
        [entry for entry in entries if entry.id in chosen], [f"{each.field}:{each.pattern}" for each in idle]
    )


def _evaluate(
    tree: Filter, found: Mapping[Condition, frozenset[TypeId]], every: frozenset[TypeId]
) -> frozenset[TypeId]:
    match tree:
        case Condition():
            return found[tree]
        case Not(inner):
            return every - _evaluate(inner, found, every)
        case And(parts):
            return frozenset.intersection(*(_evaluate(part, found, every) for part in parts))
        case Or(parts):
            return frozenset.union(*(_evaluate(part, found, every) for part in parts))
        case _:
            assert_never(tree)


def _find(
    condition: Condition, entries: Sequence[TypeEntry], list_dependents: Callable[[TypeId], Iterable[TypeId]]
) -> frozenset[TypeId]:
    """The types that match one condition."""
    pattern = condition.pattern
    match condition.field:
        case Field.NAMESPACE:
            fits = compile_namespace(pattern)
            known = {name: fits(name) for name in {entry.namespace for entry in entries}}
            return frozenset(entry.id for entry in entries if known[entry.namespace])
        case Field.ACCESS:
            fits = compile_pattern(fold_word(pattern))
            return frozenset(entry.id for entry in entries if fits(fold_word(entry.accessibility)))
        case Field.TAG:
            return _find_tagged(pattern, entries)
        case Field.TYPE:
            return _find_named(pattern, entries)
        case Field.TEST | Field.GENERATED:
            wanted, which = pattern.lower() == "true", attrgetter(str(condition.field))
            return frozenset(entry.id for entry in entries if which(entry) is wanted)
        case Field.DEPENDS:
            named = _find_named(pattern, entries)
            return frozenset(each for target in named for each in list_dependents(target))
        case _:
            assert_never(condition.field)


def _find_named(pattern: str, entries: Sequence[TypeEntry]) -> frozenset[TypeId]:
    fits = compile_pattern(_join_levels(pattern))
    return frozenset(entry.id for entry in entries if any(map(fits, _list_names(entry))))


def _list_names(entry: TypeEntry) -> Iterator[str]:
    """Every name by which `type:` can match a type."""
    yield entry.simple_name
    yield entry.id
    shown, metadata = entry.display.replace(" ", ""), _join_levels(entry.fqn)
    start = len(entry.namespace) + 1 if entry.namespace else 0
    for name in dict.fromkeys((metadata, _ARITY.sub("", metadata), shown)):
        yield name
        yield name[start:]


def _join_levels(name: str) -> str:
    """A name with dots before nested types."""
    return name.replace("+", ".")


def _find_tagged(pattern: str, entries: Sequence[TypeEntry]) -> frozenset[TypeId]:
    fits = compile_pattern(fold_word(pattern))
    known: dict[str, bool] = {}

    def has(word: str) -> bool:
        if word not in known:
            known[word] = fits(fold_word(word))
        return known[word]

    return frozenset(entry.id for entry in entries if any(map(has, _list_tags(entry))))


def _list_tags(entry: TypeEntry) -> Iterator[str]:
    yield entry.kind
    for word in entry.tags.split(" "):
        yield word
        if word.endswith(_ATTRIBUTE):
            yield word.removesuffix(_ATTRIBUTE)
    yield entry.assembly
    yield entry.project.rpartition("/")[2].rpartition(".")[0]
