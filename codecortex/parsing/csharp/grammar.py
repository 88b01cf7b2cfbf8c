"""The grammar's node kinds and fields as numbers. The only module that imports tree-sitter."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

import tree_sitter_c_sharp
from tree_sitter import Language, Node, Parser

from codecortex.model.startup.patterns import compile_later
from codecortex.model.work import DONE, Work

if TYPE_CHECKING:
    from codecortex.model.code.facts import MemberKind, TypeKind

_LANGUAGE = Language(tree_sitter_c_sharp.language())
_PARSER = Parser(_LANGUAGE)
LONG = 40_000
# A hundred parser steps advance by 80 bytes or more in the files of four large repositories, averaged over the file;
# where they advance by less, the parser tries many readings of broken text, each at ten times the cost. Steps are
# counted, and not seconds, so that every machine gives up at the same place.
_SHORT = 3000
_PACE = 72
_CREDIT = 4000
_TOKEN = compile_later(rb"\w+|[^\w\s]")
_TOKENS = 5
"""How many tokens a hundred steps pass at least where tokens are short: in long lists they take more steps a byte."""
_PACE_AT_END = 40
_MAX_OPEN_ANGLES = 300


def _kind(name: str) -> int:
    number = _LANGUAGE.id_for_node_kind(name, True)  # noqa: FBT003 - the binding takes it by position
    if number is None:
        raise LookupError(name)
    return number


def _field(name: str) -> int:
    number = _LANGUAGE.field_id_for_name(name)
    if number is None:
        raise LookupError(name)
    return number


ATTRIBUTE_LIST = _kind("attribute_list")
BRACKETED_ARGUMENTS = _kind("bracketed_argument_list")
BASE_LIST = _kind("base_list")
DECLARATION_LIST = _kind("declaration_list")
DELEGATE = _kind("delegate_declaration")
ENUM = _kind("enum_declaration")
ENUM_MEMBER = _kind("enum_member_declaration")
ERROR = 65535
FILE_NAMESPACE = _kind("file_scoped_namespace_declaration")
GLOBAL_STATEMENT = _kind("global_statement")
NAMESPACE = _kind("namespace_declaration")
PARAMETER_LIST = _kind("parameter_list")
TYPE_PARAMETER_LIST = _kind("type_parameter_list")
USING = _kind("using_directive")
VARIABLE_DECLARATION = _kind("variable_declaration")
VARIABLE_DECLARATOR = _kind("variable_declarator")

TYPES: dict[int, TypeKind] = {
    _kind("class_declaration"): "class",
    _kind("struct_declaration"): "struct",
    _kind("interface_declaration"): "interface",
    _kind("record_declaration"): "record",
    ENUM: "enum",
}
MEMBERS: dict[int, MemberKind] = {
    _kind("method_declaration"): "method",
    _kind("constructor_declaration"): "constructor",
    _kind("destructor_declaration"): "destructor",
    _kind("property_declaration"): "property",
    _kind("indexer_declaration"): "indexer",
    _kind("event_declaration"): "event",
    _kind("event_field_declaration"): "event",
    _kind("field_declaration"): "field",
    _kind("operator_declaration"): "operator",
    _kind("conversion_operator_declaration"): "conversion",
    ENUM_MEMBER: "enumMember",
}

FIELDS: frozenset[int] = frozenset({_kind("field_declaration"), _kind("event_field_declaration")})
"""Kinds of members whose declaration may have several names."""

ACCESSORS_FIELD = _field("accessors")
BODY_FIELD = _field("body")
NAME_FIELD = _field("name")
OPERATOR_FIELD = _field("operator")
PARAMETERS_FIELD = _field("parameters")
RETURNS_FIELD = _field("returns")
TYPE_FIELD = _field("type")
TYPE_PARAMETERS_FIELD = _field("type_parameters")
VALUE_FIELD = _field("value")


_KINDS: dict[int, str] = {}


def name_kind(number: int) -> str:
    """The name of a kind of nodes or tokens; one text for each kind."""
    known = _KINDS.get(number)
    if known is None:
        known = _KINDS[number] = _LANGUAGE.node_kind_for_id(number) or "ERROR"
    return known


def name_field(number: int) -> str | None:
    """The name of a field of nodes."""
    return _LANGUAGE.field_name_for_id(number)


def is_named(number: int) -> bool:
    """Whether a kind is one of nodes; all others are of tokens."""
    return number >= ERROR - 1 or _LANGUAGE.node_kind_is_named(number)


def parse(text: bytes) -> Node | None:
    """The root of the text's syntax tree; None if error recovery would take more than a fixed share for each byte."""
    opening = text.count(b"<") - 2 * text.count(b"<<") - text.count(b"<=")  # shifts and comparisons open nothing
    if opening > text.count(b">") + _MAX_OPEN_ANGLES:
        return None
    DONE[Work.PARSED] += 1
    if len(text) <= _SHORT:
        return _PARSER.parse(text).root_node
    reached, credit, at_end = 0, _CREDIT, len(text) // _PACE_AT_END + _CREDIT // _PACE
    last = len(text.rstrip()) - 2
    passed, rounds = 0, 0
    ends: list[int] = []

    def stop(offset: int, _damaged: object) -> bool:
        nonlocal reached, credit, at_end, passed, rounds
        if offset >= last:
            at_end -= 1  # the finished tree is balanced
            return at_end < 0
        credit = min(credit + max(offset - reached, 0) - _PACE, _CREDIT)
        reached, rounds = max(reached, offset), rounds + 1
        if credit >= 0:
            return False
        if not ends:
            ends.extend(match.end() for match in _TOKEN.finditer(text))
        before, passed = passed, bisect_right(ends, reached)
        lasted, rounds, credit = rounds, 0, _CREDIT
        return passed - before < _TOKENS * lasted

    try:
        return _PARSER.parse(lambda at, _: text[at : at + LONG], progress_callback=stop).root_node
    except ValueError:
        _PARSER.reset()
        return None
