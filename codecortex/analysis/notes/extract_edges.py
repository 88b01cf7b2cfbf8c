"""Lists the edge cases of a type that its documentation and its code show."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from codecortex.analysis.notes.extract_docs import list_entries, list_sentences, split_doc
from codecortex.model.code.bodies import BodyFacts
from codecortex.model.code.facts import VISIBLE
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from codecortex.model.code.bodies import Throw
    from codecortex.model.code.types import CSharpType, Member

_MOST_NAMES = 8
_BOOLEANS = ("bool", "Boolean", "Task<bool>", "ValueTask<bool>")
_ALIKE = 40
_NULL = "ArgumentNullException"
_UNSUPPORTED = ("NotSupportedException", "NotImplementedException")
_SPECIAL = compile_later(r"\b(?:null|empty|otherwise|if|unless|default|zero|absent|not found)\b|-1", re.IGNORECASE)
_CHECK = compile_later(r"\w+\.ThrowIfNull\((\w+)\)|(\w+) is null|(\w+) == null")
_RESOURCE = compile_later(r"[A-Z]\w*(?:\.\w+)+")


class _Fact(NamedTuple):
    """An exception that a member throws, and when, as a clause."""

    member: str
    exception: str
    clause: str


def list_edges(merged: CSharpType, bodies: Mapping[int, BodyFacts]) -> Iterator[str]:
    """Yield lines about the exceptions that members throw, and about their special return values."""
    facts, nulls = _collect(merged, bodies)
    said: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
    for fact in facts:
        said[fact.exception, fact.clause][f"`{fact.member}`"] = None
    for (exception, clause), names in said.items():
        yield f"{_join(list(names))}: `{exception}`{f' {clause}' if clause else ''}".rstrip(".") + "."
    if nulls:
        yield f"`{_NULL}` where an argument is null: {_join_arguments(nulls)}."
    yield from _list_guards(merged, bodies)
    yield from _list_returns(merged)


def list_unsupported(merged: CSharpType, bodies: Mapping[int, BodyFacts]) -> Iterator[str]:
    """Yield lines about the visible members that only throw that they are not supported."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for number, member in _list_visible(merged):
        for throw in bodies.get(number, BodyFacts()).throws:
            if throw.exception in _UNSUPPORTED and throw.always:
                found[throw.exception][f"`{name_short(merged, member)}`"] = None
    for exception, names in sorted(found.items()):
        yield f"{_join(list(names))} always throw{'s' if len(names) == 1 else ''} `{exception}`."


def _collect(merged: CSharpType, bodies: Mapping[int, BodyFacts]) -> tuple[list[_Fact], dict[str, dict[str, None]]]:
    """What visible members throw; and separately, which of them refuse null, with the arguments if known."""
    facts: list[_Fact] = []
    nulls: dict[str, dict[str, None]] = {}
    for number, member in _list_visible(merged):
        name, documented = name_short(merged, member), set[str]()
        for entry in list_entries(split_doc(member.facts.doc).get("Exceptions", "")):
            exception = entry.name.strip("[]`").rpartition(".")[2]
            documented.add(exception)
            if exception == _NULL:
                nulls.setdefault(name, {})
            else:
                facts.append(_Fact(name, exception, f"— {entry.text}" if entry.text else ""))
        for throw in bodies.get(number, BodyFacts()).throws:
            if throw.exception == _NULL:
                checked = _CHECK.fullmatch(throw.condition)
                nulls.setdefault(name, {}).update(
                    {each: None for each in (checked.groups() if checked else ()) if each}
                )
            elif throw.exception not in documented and not (throw.always and throw.exception in _UNSUPPORTED):
                facts.append(_Fact(name, throw.exception, _explain(throw)))
    return facts, nulls


def _explain(throw: Throw) -> str:
    """When an exception is thrown, and with which message, as a clause."""
    when = (
        "always"
        if throw.always
        else f"if `{throw.condition}`"
        if throw.condition and "`" not in throw.condition
        else ""
    )
    if not throw.message:
        return when
    message = f"`{throw.message}`" if _RESOURCE.fullmatch(throw.message) else f'"{throw.message.rstrip(".")}"'
    return f"{when} ({message})" if when else f"({message})"


def _list_guards(merged: CSharpType, bodies: Mapping[int, BodyFacts]) -> Iterator[str]:
    found: dict[str, dict[str, dict[str, None]]] = defaultdict(dict)
    for number, member in _list_visible(merged):
        parameters = {each.name for each in member.facts.parameters} | {"value"}
        for guard in bodies.get(number, BodyFacts()).guards:
            call, _, argument = guard.rstrip(")").partition("(")
            if argument in parameters:
                found[call].setdefault(name_short(merged, member), {})[argument] = None
    for call, members in found.items():
        yield f"`{call}` checks arguments: {_join_arguments(members)}."


def _list_returns(merged: CSharpType) -> Iterator[str]:
    """Yield what documentation says about special results, except for Boolean ones."""
    known: dict[tuple[str, str], str] = {}  # overloads often repeat each other with a word more
    said: dict[str, dict[str, None]] = {}
    for _, member in _list_visible(merged):
        if member.facts.type.rstrip("?") in _BOOLEANS:
            continue
        sentences = list_sentences(split_doc(member.facts.doc).get("Returns", ""))
        text = " ".join(sentence for sentence in sentences if _SPECIAL.search(sentence))
        if text:
            text = known.setdefault((member.facts.name, text[:_ALIKE]), text)
            said.setdefault(text, {})[f"`{name_short(merged, member)}`"] = None
    for text, names in said.items():
        yield f"{_join(list(names))} return{'s' if len(names) == 1 else ''}: {text}"


def _join(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return ", ".join(names[:_MOST_NAMES]) + more


def _join_arguments(members: Mapping[str, Mapping[str, None]]) -> str:
    """Members, each with its arguments if they are known."""
    return _join(
        [
            f"`{name}` ({', '.join(f'`{each}`' for each in arguments)})" if arguments else f"`{name}`"
            for name, arguments in members.items()
        ]
    )


def _list_visible(merged: CSharpType) -> Iterator[tuple[int, Member]]:
    for number, member in enumerate(merged.members):
        if member.facts.accessibility in VISIBLE and not member.facts.implicit:
            yield number, member


def name_short(merged: CSharpType, member: Member) -> str:
    """A member's name as it is called, without its parameters."""
    facts = member.facts
    match facts.kind:
        case "constructor":
            return merged.simple_name
        case "destructor":
            return f"~{merged.simple_name}"
        case "operator":
            return f"operator {facts.name}"
        case "conversion":
            return f"{facts.name} operator {facts.type}"
        case _:
            return facts.name
