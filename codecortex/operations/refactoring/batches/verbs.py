"""The verbs of `refactor` by name, with what each takes: for batches and for servers, which have no command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.model.errors import UsageError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.refactoring.extraction.method import extract_method
from codecortex.operations.refactoring.interfaces.extract import Wanted, extract_interface
from codecortex.operations.refactoring.members import NewText, insert_one, remove_one, replace_one
from codecortex.operations.refactoring.moving.move import Destination, move
from codecortex.operations.refactoring.rename import rename
from codecortex.operations.refactoring.signatures.signature import NewParameter, change_signature, read_parameters
from codecortex.operations.refactoring.usings import tidy_usings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from codecortex.operations.refactoring.results import EditRequest, EditResult

_WORDS: Mapping[type, str] = {str: "a string", bool: "true or false", list: "a list of strings"}
_Names = tuple[str, ...]
_PLACES = ("before", "after", "end")


class Verb(NamedTuple):
    """A verb.

    Attributes:
        run: Makes its edit; what the verb takes besides the symbol goes by name.
        needs: What has to be given besides `symbol`, with its type.
        takes: What may be.
    """

    run: Callable[..., EditResult]
    needs: Mapping[str, type] = {}
    takes: Mapping[str, type] = {}


class Step(NamedTuple):
    """One edit: the verb, and what it is given."""

    verb: str
    given: Mapping[str, Any]

    @property
    def target(self) -> str:
        """What it is about, for people."""
        return f"{self.verb} {self.given['symbol']}"


def _rename(asked: EditRequest, symbol: str, *, name: str, include: _Names = ()) -> EditResult:
    return rename(asked, symbol, name, include)


def _extract_method(asked: EditRequest, symbol: str, *, name: str) -> EditResult:
    return extract_method(asked, symbol, name)


def _move(
    asked: EditRequest, symbol: str, *, file: str | None = None, namespace: str | None = None, include: _Names = ()
) -> EditResult:
    return move(asked, symbol, Destination(file, namespace), include)


def _extract_interface(
    asked: EditRequest, symbol: str, *, name: str, members: _Names = (), file: str | None = None
) -> EditResult:
    return extract_interface(asked, symbol, Wanted(name, members, file))


def _signature(
    asked: EditRequest, symbol: str, *, include: _Names = (), remove: _Names = (), order: str = "", **new: str
) -> EditResult:
    added = NewParameter(new.get("add"), new.get("argument", ""), new.get("before", ""), new.get("doc", ""))
    return change_signature(asked, symbol, read_parameters(added, remove, order), include)


def _replace(asked: EditRequest, symbol: str, *, text: str) -> EditResult:
    return replace_one(asked, symbol, NewText(text, "text"))


def _insert(asked: EditRequest, symbol: str, *, text: str, where: str = "end") -> EditResult:
    if where not in _PLACES:
        raise UsageError(f"{where!r} is no place.", f"Expected {', '.join(_PLACES)}.")
    return insert_one(asked, symbol, NewText(text, "text"), where)  # type: ignore[arg-type]  # it is one of them


def _usings(asked: EditRequest, symbol: str, *, sort: bool = False) -> EditResult:
    return tidy_usings(asked, symbol, is_sorted=sort)


VERBS: Mapping[str, Verb] = {
    "rename": Verb(_rename, {"name": str}, {"include": list}),
    "extract-method": Verb(_extract_method, {"name": str}),
    "member replace": Verb(_replace, {"text": str}),
    "member insert": Verb(_insert, {"text": str}, {"where": str}),
    "member remove": Verb(remove_one),
    "move": Verb(_move, {}, {"file": str, "namespace": str, "include": list}),
    "extract-interface": Verb(_extract_interface, {"name": str}, {"members": list, "file": str}),
    "signature": Verb(
        _signature,
        {},
        {"add": str, "argument": str, "before": str, "doc": str, "remove": list, "order": str, "include": list},
    ),
    "usings": Verb(_usings, {}, {"sort": bool}),
}


def make_step(verb: object, given: Mapping[str, object]) -> Step:
    """An edit, checked.

    Raises:
        UsageError: There is no such verb, or it is given what it does not take, or too little.
    """
    known = VERBS.get(verb) if isinstance(verb, str) else None
    if known is None or not isinstance(verb, str):
        raise UsageError(f"{verb!r:.60} is no verb.", f"The verbs are {', '.join(VERBS)}.")
    needs = {"symbol": str, **known.needs}
    takes = {**needs, **known.takes}
    for name in needs:
        if name not in given:
            raise UsageError(f"{verb} needs {name!r}.", f"It takes {', '.join(takes)}.")
    checked = {}
    for name, value in given.items():
        if name not in takes:
            raise UsageError(f"{verb} takes no {name[:60]!r}.", f"It takes {', '.join(takes)}.")
        if not _fits(value, takes[name]):
            raise UsageError(f"{name!r} of {verb} has to be {_WORDS[takes[name]]}.")
        checked[name] = tuple(value) if isinstance(value, list) else value
    return Step(verb, checked)


def _fits(value: object, wanted: type) -> bool:
    if wanted is list:
        return isinstance(value, list | tuple) and all(isinstance(each, str) for each in value)
    return isinstance(value, wanted)


def run_step(asked: EditRequest, step: Step) -> EditResult:
    """Make one edit.

    Raises:
        CodecortexError: As the verb says.
    """
    return VERBS[step.verb].run(asked, **step.given)
