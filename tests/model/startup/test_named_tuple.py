"""Our `NamedTuple` does what the library's does."""

from __future__ import annotations

import copy
import pickle
import typing
from inspect import signature
from typing import Generic, TypeVar

import pytest

from codecortex.model.startup import named_tuple

T = TypeVar("T")


def make(base):
    """The same classes on one of the two."""

    class Point(base):
        """A place."""

        x: int
        y: Unknown  # noqa: F821 - nobody evaluates it
        name: str = "here"
        seen: tuple[str, ...] = ()

        @property
        def total(self) -> int:
            return self.x + self.y

        def move(self, by: int):
            return self._replace(x=self.x + by)

    class Held(base, Generic[T]):
        value: T

    class Empty(base):
        pass

    return Point, Held, Empty


OURS, THEIRS = make(named_tuple.NamedTuple), make(typing.NamedTuple)


def describe(classes):
    """All that can be seen of the classes and of their values."""
    point, held, empty = classes
    one = point(1, y=2, seen=("a",))
    return [
        *(one, repr(one), one.total, one.move(3), one._asdict(), one == (1, 2, "here", ("a",)), hash(one), [*one]),
        *(point._fields, point._field_defaults, point.__match_args__, point.__doc__),
        *(point._make([1, 2, 3, 4]), copy.copy(one), copy.deepcopy(one), one[1:], len(one), one < point(2, 0)),
        *(point.__name__, point.__module__, point.__qualname__, [*point.__annotations__], point.__mro__[-2:]),
        *(held(1).value, repr(held[int](2)), held.__orig_bases__[1:], repr(empty()), empty() == ()),
        *[(each.name, each.kind, each.default) for each in signature(point).parameters.values()],
        hasattr(one, "__dict__"),
    ]


def test_it_looks_and_works_as_the_library_does():
    assert describe(OURS) == describe(THEIRS)


@pytest.mark.parametrize(
    ("error", "go_wrong"),
    [
        (TypeError, lambda point: point(1)),
        (TypeError, lambda point: point(1, 2, 3, 4, 5)),
        (TypeError, lambda point: point(1, 2, z=3)),
        (TypeError, lambda point: point._make([1])),
        ((TypeError, ValueError), lambda point: point(1, 2)._replace(z=1)),
        (AttributeError, lambda point: setattr(point(1, 2), "x", 3)),
        (AttributeError, lambda point: setattr(point(1, 2), "z", 3)),
    ],
)
def test_what_the_library_refuses_is_refused(error, go_wrong):
    for point in (OURS[0], THEIRS[0]):
        with pytest.raises(error):
            go_wrong(point)


class Sent(named_tuple.NamedTuple):
    """What a worker process is sent."""

    path: str
    sizes: tuple[int, ...] = ()


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_it_comes_back_from_another_process_as_it_was(protocol):
    back = pickle.loads(pickle.dumps(Sent("a.cs", (1, 2)), protocol))  # noqa: S301 - our own
    assert (type(back), back, back.path, back.sizes) == (Sent, Sent("a.cs", (1, 2)), "a.cs", (1, 2))


def test_it_matches_as_a_pattern():
    match Sent("a.cs", (3,)):
        case Sent(path, (size,)):
            assert (path, size) == ("a.cs", 3)
        case _:
            pytest.fail("no match")
