"""Reads the pack definitions in config.yaml, and adds, changes or removes one in its text.

Edits cut the text: everything else in the file stays byte for byte. A file written in a way that such an edit does not
handle is refused, with a hint that says what to write by hand.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from codecortex.model.errors import ConfigError
from codecortex.model.packs import (
    DEFAULT_BUDGET,
    LEAST_BUDGET,
    LONGEST_FILTER,
    MOST_BUDGET,
    MOST_PACKS,
    NAME_RULE,
    PackDefinition,
    is_budget,
    is_filter_text,
    is_pack_name,
)
from codecortex.model.startup.patterns import compile_later
from codecortex.store.config.yaml_nodes import Source, compose, end_of, pairs_of, value_of
from codecortex.store.paths import CONFIG

if TYPE_CHECKING:
    from collections.abc import Mapping

    from codecortex.store.config.yaml_nodes import Node

    Pairs = Mapping[str, tuple[Node, Node]]

SECTION = "packs"
_FILTER, _BUDGET = "filter", "tokenBudget"
_COMMENT = compile_later(r"\r?\n([ \t]*)#")
_EXAMPLE = "write `filter: namespace:Shop.Core.*` and, if need be, `tokenBudget: 4000` below the pack's name"


def read_packs(source: Source, holder: Node) -> tuple[PackDefinition, ...]:
    """The definitions in a node, sorted by name.

    Raises:
        ConfigError: A definition is not valid; the message names file, line and key.
    """
    found: dict[str, PackDefinition] = {}
    for name, key, node in pairs_of(source, holder, ""):
        if not is_pack_name(name):
            raise source.error(key, f"{SECTION}: {_show(name)} is no pack's name", f"take {NAME_RULE}")
        if name.lower() in found:
            other = found[name.lower()].name
            said = f"the key {SECTION}.{name} stands twice"
            if other != name:
                said = f"the packs {other} and {name} of {SECTION} differ in case alone, which not every disk can tell"
            raise source.error(key, said, "rename one of the two, or take it out")
        if len(found) == MOST_PACKS:
            raise source.error(key, f"{SECTION}: more than {MOST_PACKS} packs", "take out what nobody reads")
        found[name.lower()] = _read_pack(source, name, key, node)
    return tuple(sorted(found.values()))


def _read_pack(source: Source, name: str, key: Node, node: Node) -> PackDefinition:
    values: dict[str, object] = {}
    for field, at, written in pairs_of(source, node, ""):
        where = f"{SECTION}.{name}.{field}"
        if field not in (_FILTER, _BUDGET):
            from difflib import get_close_matches

            near = get_close_matches(field, (_FILTER, _BUDGET), n=1)
            raise source.error(at, f"unknown key {where}", f"did you mean {near[0]}?" if near else _EXAMPLE)
        if field in values:
            raise source.error(at, f"the key {where} stands twice", "keep one of the two")
        values[field] = value_of(written)
        if field == _FILTER and not is_filter_text(values[field]):
            wanted = f"text of at most {LONGEST_FILTER:,} characters"
            raise source.error(at, f"{where}: expected {wanted}; found {source.quote(written)}", _EXAMPLE)
        if field == _BUDGET and not is_budget(values[field]):
            wanted = f"a whole number from {LEAST_BUDGET} to {MOST_BUDGET}"
            raise source.error(at, f"{where}: expected {wanted}; found {source.quote(written)}", _EXAMPLE)
    if _FILTER not in values:
        raise source.error(key, f"{SECTION}.{name} has no filter", _EXAMPLE)
    budget = values.get(_BUDGET, DEFAULT_BUDGET)
    return PackDefinition(name, str(values[_FILTER]), int(str(budget)))


def _show(name: str) -> str:
    return json.dumps(name if len(name) <= len(NAME_RULE) else f"{name[: len(NAME_RULE)]}...")


def locate_pack(source: Source, name: str) -> int:
    """The line of a pack's definition, from 1; 1 if there is none."""
    pairs = _list_packs(source)
    return int(pairs[name][0].start_mark.line) + 1 if name in pairs else 1


def _list_packs(source: Source) -> Pairs:
    section = _find_section(source)
    return {} if section is None else {name: (key, node) for name, key, node in pairs_of(source, section[1], "")}


def _find_section(source: Source) -> tuple[Node, Node] | None:
    root = compose(source)
    pairs = () if root is None else pairs_of(source, root, "")
    return next(((key, node) for name, key, node in pairs if name == SECTION), None)


def cut_in(source: Source, pack: PackDefinition) -> str:
    """The text with a definition added or changed."""
    section = _find_section(source)
    if section is None:
        return _append_section(source, pack)
    key, holder = section
    pairs = _list_packs(source)
    if pack.name in pairs:
        return _change(source, pairs[pack.name], pack)
    if not isinstance(holder.value, list) or not holder.value:
        # Empty, null or {}: replace it by the definitions, on the lines below the key.
        start = source.text.index(":", key.end_mark.index) + 1
        end = max(start, end_of(source.text, holder)) if holder.value != "" else start
        if "#" in source.text[start:end]:
            raise _refuse(pack)  # a comment is where the definitions would go
        return _insert_lines(source.text[:start] + source.text[end:], start, key.start_mark.column + 2, pack)
    if holder.flow_style:
        raise _refuse(pack)
    return _insert_lines(source.text, end_of(source.text, holder), holder.start_mark.column, pack)


def cut_out(source: Source, name: str) -> str:
    """The text without the lines of a definition; comments above it stay."""
    key, node = _list_packs(source)[name]
    start = source.text.rfind("\n", 0, key.start_mark.index) + 1
    if source.text[start : key.start_mark.index].strip():
        raise ConfigError(f"{CONFIG}: cannot remove {SECTION}.{name} without rewriting the file", "remove it by hand")
    last = max(end_of(source.text, node), key.end_mark.index)
    end = source.text.find("\n", last) + 1 or len(source.text)
    return source.text[:start] + source.text[end:]


def _refuse(pack: PackDefinition) -> ConfigError:
    name, *values = (line.strip() for line in _write_lines(pack, 0))
    hint = f"write it by hand: {name} {{{', '.join(values)}}}"
    return ConfigError(f"{CONFIG}: cannot write {SECTION}.{pack.name} without rewriting the file", hint)


def _write_lines(pack: PackDefinition, column: int) -> list[str]:
    """The lines of a definition: its name, then one per key."""
    inside = " " * (column + 2)
    return [
        f"{' ' * column}{pack.name}:",
        f"{inside}{_FILTER}: {json.dumps(pack.filter, ensure_ascii=False)}",
        f"{inside}{_BUDGET}: {pack.token_budget}",
    ]


def _line_break(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _append_section(source: Source, pack: PackDefinition) -> str:
    text, line_break = source.text, _line_break(source.text)
    root = compose(source)
    column = root.start_mark.column if root is not None and root.value else 0
    gap = line_break if text and not text.endswith("\n") else ""
    lines = [f"{' ' * column}{SECTION}:", *_write_lines(pack, column + 2)]
    return text + gap + line_break.join([*lines, ""])


def _insert_lines(text: str, after: int, column: int, pack: PackDefinition) -> str:
    """Insert a definition after the line with the character before `after`, and after that entry's comments."""
    end = _end_of_line(text, after)
    while (comment := _COMMENT.match(text, end)) and len(comment[1]) > column:
        end = _end_of_line(text, comment.end())
    line_break = _line_break(text)
    return text[:end] + "".join(line_break + line for line in _write_lines(pack, column)) + text[end:]


def _end_of_line(text: str, at: int) -> int:
    """The index of the next line break, or the text's length."""
    end = text.find("\n", at)
    return len(text) if end < 0 else end - (text[end - 1 : end] == "\r")


def _change(source: Source, old: tuple[Node, Node], pack: PackDefinition) -> str:
    """Replace the values that differ in place; a new budget is inserted before the filter."""
    text, known = source.text, _read_pack(source, pack.name, *old)
    fields = {name: (key, node) for name, key, node in pairs_of(source, old[1], "")}
    at, written = fields[_FILTER]
    if pack.filter != known.filter:
        block = written.style in ("|", ">")
        start = text.index(":", at.end_mark.index) + 1 if block else written.start_mark.index
        if block and "#" in text[start:].splitlines()[0]:
            raise _refuse(pack)  # a comment follows the block indicator
        quoted = json.dumps(pack.filter, ensure_ascii=False)
        text = text[:start] + (f" {quoted}" if block else quoted) + text[end_of(text, written) :]
    if pack.token_budget == known.token_budget:
        return text
    if _BUDGET not in fields:
        between = ", " if old[1].flow_style else _line_break(text) + " " * at.start_mark.column
        start = at.start_mark.index
        return f"{text[:start]}{_BUDGET}: {pack.token_budget}{between}{text[start:]}"
    node = fields[_BUDGET][1]
    moved = len(text) - len(source.text) if node.start_mark.index > written.start_mark.index else 0
    start, end = node.start_mark.index + moved, end_of(source.text, node) + moved
    return f"{text[:start]}{pack.token_budget}{text[end:]}"
