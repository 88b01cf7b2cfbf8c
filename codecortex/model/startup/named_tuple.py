"""`typing.NamedTuple` for classes that every command makes anew: the same to its users, made in an eighth of the time.

The library's compiles each annotation, which nobody evaluates here, and the text of a `__new__` for each class; a short
command has more than a hundred such classes. Here all classes with as many fields share one compiled `__new__`, under
other names of its parameters, and all share the other methods.
"""

from __future__ import annotations

from _collections import _tuplegetter  # type: ignore[import-not-found]  # as `collections.namedtuple` reads fields
from functools import cache
from types import FunctionType
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import NamedTuple

__all__ = ["NamedTuple"]


class _Fields(tuple[Any, ...]):
    """What all named tuples have, as `collections.namedtuple` describes it."""

    __slots__ = ()

    _fields: tuple[str, ...]

    @classmethod
    def _make(cls, values: Iterable[Any]) -> Self:
        made = tuple.__new__(cls, values)
        if len(made) != len(cls._fields):
            raise TypeError(f"{cls.__name__} has {len(cls._fields)} fields, and not {len(made)}.")
        return made

    def _replace(self, /, **changes: Any) -> Self:
        made = self._make(map(changes.pop, self._fields, self))
        if changes:
            raise ValueError(f"{type(self).__name__} has no fields {', '.join(changes)}.")
        return made

    __replace__ = _replace  # what `copy.replace` calls

    def _asdict(self) -> dict[str, Any]:
        return dict(zip(self._fields, self, strict=True))

    def __repr__(self) -> str:
        told = ", ".join([f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True)])
        return f"{type(self).__name__}({told})"

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self)


@cache
def _compile_new(count: int) -> FunctionType:
    taken = "".join(f"_{at}, " for at in range(count))
    made: FunctionType = eval(f"lambda _cls, {taken}: _new(_cls, ({taken}))", {"_new": tuple.__new__})  # noqa: S307
    return made


class _Maker(type):
    """Makes what a class statement with `NamedTuple` as a base describes."""

    def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> type:
        if not bases:
            return super().__new__(cls, name, bases, namespace)
        fields = (*namespace.get("__annotations__", ()),)
        defaults = {field: namespace.pop(field) for field in fields if field in namespace}
        model = _compile_new(len(fields))
        code = model.__code__.replace(co_varnames=("_cls", *fields), co_name="__new__")
        new = FunctionType(code, model.__globals__, "__new__", (*defaults.values(),))
        new.__qualname__ = f"{name}.__new__"
        namespace |= {field: _tuplegetter(at, None) for at, field in enumerate(fields)}
        namespace |= {"__slots__": (), "__new__": new, "__match_args__": fields}
        namespace |= {"_fields": fields, "_field_defaults": defaults}
        return type(name, tuple(_Fields if isinstance(base, _Maker) else base for base in bases), namespace)


if not TYPE_CHECKING:

    class NamedTuple(metaclass=_Maker):
        """The base that a class statement names."""
