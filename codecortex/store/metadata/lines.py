"""Rows of metadata as lines of text, and back.

A type is a line that begins with `=`, its members follow, one line each. Fields are separated by tabs, lists by `;`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.code.metadata import MemberRow, ParameterRow, TypeParameterRow, TypeRow
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

TYPE_MARK = "="
_KINDS = {
    "class": "c",
    "struct": "s",
    "interface": "i",
    "enum": "e",
    "delegate": "d",
    "extension": "x",
    "method": "m",
    "field": "f",
    "property": "p",
    "event": "v",
}
_ACCESS = {
    "public": "p",
    "protected": "o",
    "protected internal": "w",
    "internal": "n",
    "private protected": "q",
    "private": "r",
    "": "-",
}
_WORDS = {
    "static": "S",
    "abstract": "A",
    "virtual": "V",
    "override": "O",
    "sealed": "F",
    "this": "x",
    "obsolete": "o",
    "readonly": "r",
    "refs": "&",
    "refreadonly": "%",
    "operator": "*",
    "get": "g",
    "set": "s",
    "init": "i",
    "implicit": "I",
    "required": "q",
    "const": "c",
    "volatile": "v",
    "ref": "R",
    "record": "C",
    "handler": "h",
}
_PARAMETER_WORDS = {
    "ref": "&",
    "out": "^",
    "in": "<",
    "refreadonly": "%",
    "params": "*",
    "optional": "?",
    "scoped": "!",
}
_VARIANCE = {"in": "-", "out": "+"}
_LESS = "."  # before an accessor whose access is less than its member's
_ID_LETTERS = {"m": "M:", "f": "F:", "p": "P:", "v": "E:"}
_CONVERSIONS = ("op_Implicit", "op_Explicit", "op_CheckedExplicit")
_TUPLE_NAMES = compile_later(r"(?<=})<[^<>]*>")
_PART = r"[^`.#{}\[\],@*&|\s]+(?:`\d+)?"
_TYPE_ID = compile_later(rf"T:{_PART}(?:\.{_PART})*")
_DYNAMIC = compile_later(r"(?<![\w.])dynamic(?![\w.])")
_TYPE_FIELDS, _MEMBER_FIELDS = 8, 6


def _invert(table: Mapping[str, str]) -> dict[str, str]:
    return {letter: word for word, letter in table.items()}


_KIND_OF, _ACCESS_OF, _WORD_OF = _invert(_KINDS), _invert(_ACCESS), _invert(_WORDS)
_PARAMETER_WORD_OF = _invert(_PARAMETER_WORDS)


def can_write(row: TypeRow) -> bool:
    """Whether lines can hold a type: its texts have none of the characters that lines need, as no C# name has."""
    if "<>" in row.id or _TYPE_ID.fullmatch(row.id) is None:
        return False
    texts = [row.id, row.base, *row.interfaces, *_type_parameter_texts(row.type_parameters)]
    return _are_plain(texts) and _are_notes(row.notes)


def can_write_member(row: MemberRow) -> bool:
    """Whether a line can hold a member."""
    texts = [row.name, row.type]
    texts += [text for each in row.parameters for text in (each.name, each.type)]
    return _are_plain([*texts, *_type_parameter_texts(row.type_parameters)]) and _are_notes(row.notes)


def _type_parameter_texts(rows: Iterable[TypeParameterRow]) -> Iterator[str]:
    return (text for each in rows for text in (each.name, *each.constraints))


def _are_plain(texts: Sequence[str]) -> bool:
    return all(text.isprintable() and ";" not in text for text in texts) and texts[0][:1] not in ("=", "~")


def _are_notes(notes: Iterable[tuple[str, str]]) -> bool:
    return all(text.isprintable() and "|" not in text for _, text in notes)


# -- writing


def write_type(row: TypeRow, assembly: int) -> list[str]:
    """The lines of a type and its members."""
    receiver = _write_parameters((row.receiver,)) if row.receiver is not None else ""
    fields = (
        *(row.id[2:], _write_flags(row.kind, row.access, row.words), row.base, ";".join(row.interfaces)),
        *(_write_type_parameters(row.type_parameters), _write_notes(row.notes), receiver, str(assembly)),
    )
    return [TYPE_MARK + "\t".join(fields), *(_write_member(row.id[2:], m) for m in row.members if can_write_member(m))]


def _write_member(owner: str, row: MemberRow) -> str:
    notes = _write_notes(row.notes)
    if make_member_id(owner, row) != row.id:
        notes += f"|id={row.id}"
    flags = _write_flags(row.kind, row.access, row.words)
    generic = _write_type_parameters(row.type_parameters)
    return "\t".join((row.name, flags, row.type, _write_parameters(row.parameters), generic, notes)).rstrip("\t")


def _write_flags(kind: str, access: str, words: Iterable[str]) -> str:
    return _KINDS[kind] + _ACCESS[access] + "".join(map(_write_word, words))


def _write_word(word: str) -> str:
    access, _, accessor = word.rpartition(" ")
    return _LESS + _ACCESS[access] + _WORDS[accessor] if access else _WORDS[word]


def _write_parameters(rows: Iterable[ParameterRow]) -> str:
    return ";".join(f"{''.join(_PARAMETER_WORDS[word] for word in r.words)}{r.name} {r.type}" for r in rows)


def _write_type_parameters(rows: Iterable[TypeParameterRow]) -> str:
    return ";".join("&".join((_VARIANCE.get(r.variance, "") + r.name, *r.constraints)) for r in rows)


def _write_notes(notes: Iterable[tuple[str, str]]) -> str:
    return "|".join(f"{name}={text}" for name, text in notes)


# -- reading


def read_type(line: str) -> tuple[TypeRow, int]:
    """A type without its members from its line, and the number of its assembly."""
    fields = line[1:].split("\t")
    name, flags, base, interfaces, generic, notes, receiver, assembly = fields
    row = TypeRow(
        *(f"T:{name}", _KIND_OF[flags[0]], _ACCESS_OF[flags[1]], tuple(_read_words(flags[2:])), base),
        interfaces=tuple(interfaces.split(";")) if interfaces else (),
        type_parameters=_read_type_parameters(generic),
        members=(),
        notes=_read_notes(notes),
        receiver=_read_parameters(receiver)[0] if receiver else None,
    )
    return row, int(assembly)


def read_member(owner: str, line: str) -> MemberRow:
    """A member of a type, whose id without `T:` is given, from its line."""
    fields = line.split("\t")
    name, flags, text, parameters, generic, notes = fields + [""] * (_MEMBER_FIELDS - len(fields))
    said = _read_notes(notes)
    row = MemberRow(
        *(name, _KIND_OF[flags[0]], _ACCESS_OF[flags[1]], tuple(_read_words(flags[2:])), text),
        parameters=_read_parameters(parameters),
        type_parameters=_read_type_parameters(generic),
        id="",
        notes=tuple(note for note in said if note[0] != "id"),
    )
    return row._replace(id=next((value for key, value in said if key == "id"), "") or make_member_id(owner, row))


def _read_words(letters: str) -> Iterator[str]:
    at = 0
    while at < len(letters):
        if letters[at] == _LESS:
            yield f"{_ACCESS_OF[letters[at + 1]]} {_WORD_OF[letters[at + 2]]}"
            at += 3
        else:
            yield _WORD_OF[letters[at]]
            at += 1


def _read_parameters(text: str) -> tuple[ParameterRow, ...]:
    return tuple(map(_read_parameter, text.split(";"))) if text else ()


def _read_parameter(text: str) -> ParameterRow:
    head, _, written = text.partition(" ")
    name = head.lstrip("&^<%*?!")
    signs = head[: len(head) - len(name)]
    return ParameterRow(tuple(_PARAMETER_WORD_OF[sign] for sign in signs), name, written)


def _read_type_parameters(text: str) -> tuple[TypeParameterRow, ...]:
    return tuple(map(_read_type_parameter, text.split(";"))) if text else ()


def _read_type_parameter(text: str) -> TypeParameterRow:
    name, *constraints = text.split("&")
    variance = {"-": "in", "+": "out"}.get(name[:1], "")
    return TypeParameterRow(name[1:] if variance else name, variance, tuple(constraints))


def _read_notes(text: str) -> tuple[tuple[str, str], ...]:
    notes = (part.partition("=") for part in text.split("|") if part)
    return tuple((name, value) for name, _, value in notes)


# -- ids


def make_member_id(owner: str, row: MemberRow) -> str:
    """The documentation id of a member, as its row tells it; a few members have another one."""
    text = f"{_ID_LETTERS[_KINDS[row.kind]]}{owner.partition('#')[0]}.{row.name}"
    if row.type_parameters:
        text += f"``{len(row.type_parameters)}"
    if row.parameters:
        text += f"({','.join(map(_write_id_parameter, row.parameters))})"
    if row.name in _CONVERSIONS and "operator" in row.words:
        text += "~" + _write_id_type(row.type)
    return text


def _write_id_parameter(row: ParameterRow) -> str:
    reference = any(word in row.words for word in ("ref", "out", "in", "refreadonly"))
    return _write_id_type(row.type) + ("@" if reference else "")


def _write_id_type(text: str) -> str:
    """A type as ids write it: without `dynamic` and the names of tuple elements."""
    if "}<" in text:
        text = _TUPLE_NAMES.sub("", text)
    return _DYNAMIC.sub("System.Object", text) if "dynamic" in text else text
