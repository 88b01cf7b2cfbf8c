"""Reads the headers of the members that a pattern took; None for what only looks like a member."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING

from codecortex.parsing.csharp.headers import (
    NO_PARAMETERS,
    attributes_of_type_parameters,
    read_constraints,
    read_name,
    read_parameters,
    read_type_parameters,
    tidy,
)
from codecortex.parsing.csharp.members import (
    GETTER,
    NO_DETAILS,
    Details,
    Head,
    Header,
    list_modifiers,
    name_by_words,
    read_accessors,
    read_explicit,
    read_head,
)
from codecortex.parsing.csharp.plain.checks import (
    are_clauses,
    are_parameters,
    are_type_parameters,
    is_name,
    is_type,
)
from codecortex.parsing.csharp.plain.patterns import DECLARATOR, IDENTIFIER, PARAMETERS

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Mapping

    from codecortex.model.code.facts import MemberKind
    from codecortex.parsing.csharp.headers import ParameterList

Headers = tuple[tuple[Header, int], ...]
"""Each header with its end in the text."""
_make_header = partial(tuple.__new__, Header)  # at half of what the class costs, for every member
_PLAIN = Header("field", "", "", Head((), "", ()))[4:]
"""The rest of the header of a field."""


@lru_cache(maxsize=8192)
def _read_type(text: bytes) -> str | None:
    return tidy(text) if is_type(text) else None


@lru_cache(maxsize=8192)
def _read_name(text: bytes) -> str | None:
    return read_name(text) if is_name(text) else None


@lru_cache(maxsize=8192)
def _read_listed(text: bytes) -> ParameterList | None:
    return read_parameters(text) if are_parameters(text) else None


def _read_fields(match: re.Match[bytes]) -> Headers | None:
    words, before, of, explicit, first = match.group("modifiers", "before", "type", "explicit", "name")
    result = _read_type(of)
    if first is None or explicit.strip() or result is None or (before and not before.startswith(b"event")):
        return None
    head = read_head(words + before)
    if before and "const" in head.modifiers:
        return None
    kind: MemberKind = "event" if before else "constant" if "const" in head.modifiers else "field"
    found = []
    for each in DECLARATOR.finditer(match.string, match.start("name"), match.end("declarators")):
        own, value = each.groups()
        name = _read_name(own)
        if name is None:
            return None
        found.append((_make_header((kind, name, result, head, *_PLAIN)), each.end(1 if value is None else 2)))
    return tuple(found)


def _read_property(match: re.Match[bytes]) -> Headers | None:
    """Of a property, an indexer, or an event with accessors."""
    words, before, of, explicit, name, keys, listed, value = match.group(
        "modifiers", "before", "type", "explicit", "name", "keys", "accessors", "value"
    )
    result = _read_type(of)
    if name is None or result is None or not _is_explicit(explicit):
        return None
    if before and (listed is None or value or not before.startswith(b"event")):
        return None
    kind: MemberKind = "event" if before else "property"
    parameters = NO_PARAMETERS
    if keys is not None:
        listing = PARAMETERS.fullmatch(keys + b")")  # first, for it bounds how deep types are nested
        if name != b"this" or before or value or listing is None or not are_parameters(keys):
            return None
        kind, parameters = "indexer", read_parameters(keys)
    elif not is_name(name):
        return None
    accessors, details = GETTER, NO_DETAILS
    if listed is not None:
        accessors = read_accessors(listed)
        modifiers = list_modifiers(accessors)
        details = Details("", (), modifiers) if modifiers else NO_DETAILS
    head = read_head(words + before)
    own = read_explicit(explicit)
    header = (kind, read_name(name), result, head, own, parameters, (), (), accessors, "", details)
    return ((_make_header(header), match.end()),)


def _read_method(match: re.Match[bytes]) -> Headers | None:
    """Of a method, a constructor, an operator or a conversion."""
    words, before, of, explicit, name, generic, listed, clauses, initialiser = match.group(
        "modifiers", "before", "type", "explicit", "name", "generic", "parameters", "clauses", "initialiser"
    )
    parameters = _read_listed(listed) if listed else NO_PARAMETERS
    if parameters is None:
        return None
    if name is None or before:
        special = None if generic or clauses else _read_special(match, parameters)
        return None if special is None else ((special, match.end()),)
    own, result = _read_name(name), _read_type(of)
    if initialiser or own is None or result is None or not _is_explicit(explicit):
        return None
    header: Header = _make_header(
        ("method", own, result, read_head(words), read_explicit(explicit), parameters, (), (), (), "", NO_DETAILS)
    )
    if generic or clauses:
        if not (generic and are_type_parameters(generic) and are_clauses(clauses)):
            return None
        attributes = attributes_of_type_parameters(generic)
        header = header._replace(
            type_parameters=read_type_parameters(generic),
            constraints=read_constraints(clauses),
            details=Details("", attributes) if attributes else NO_DETAILS,
        )
    return ((header, match.end()),)


def _is_explicit(text: bytes) -> bool:
    """Whether what stands before a name is blank, or an interface."""
    return not text.strip() or (text.endswith(b".") and is_type(text[:-1]))


def _read_special(match: re.Match[bytes], parameters: ParameterList) -> Header | None:
    """Of a constructor, an operator or a conversion, without type parameters and clauses."""
    words, before, of, explicit, name, sign, initialiser = match.group(
        "modifiers", "before", "type", "explicit", "name", "sign", "initialiser"
    )
    if not before and sign is None:
        if not is_name(of) or IDENTIFIER.fullmatch(of) is None:
            return None
        return _make_header(
            ("constructor", read_name(of), "", read_head(words), "", parameters, (), (), (), "", NO_DETAILS)
        )
    kind: MemberKind = "conversion" if sign is None else "operator"
    converts = b"operator" in before
    if name is not None or initialiser or (sign is None) != converts or (before and not converts) or not is_type(of):
        return None
    if explicit and not _is_explicit(explicit):
        return None
    middle = match.string[match.end("type") : match.start("parameters") - 1]
    named = name_by_words(kind, words + before, middle)
    if named is None:
        return None
    own, interface, head = named
    return Header(kind, own, tidy(of), read_head(head), interface, parameters)


MEMBERS: Mapping[str, Callable[[re.Match[bytes]], Headers | None]] = {
    "fields": _read_fields,
    "method": _read_method,
    "property": _read_property,
}
"""By the name of a pattern's last group."""
