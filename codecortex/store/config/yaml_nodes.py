"""Parses config.yaml into nodes with positions; errors name the line.

ruamel's nodes are used instead of its values, because nodes have positions and styles. Importing this takes 30 ms.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, TypeAlias

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from codecortex.model.config_keys import KEYS
from codecortex.model.errors import ConfigError
from codecortex.model.startup.patterns import compile_later
from codecortex.store.committed.text import find_conflict_marker, line_at

if TYPE_CHECKING:
    from collections.abc import Iterator

Node: TypeAlias = Any
"""A node of ruamel, whose types are not usable."""

SECTIONS = frozenset(name.rpartition(".")[0] for name in KEYS) - {""}
_TAG = "tag:yaml.org,2002:"
_MOST_CHARACTERS = 100_000
_DEEPEST = 4
_LONGEST_NUMBER = 15
_DECIMAL = compile_later(r"[0-9]{1,9}\.[0-9]{1,9}")
_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Source:
    """A config file being read: its path, for messages, and its text."""

    path: str
    text: str

    def error(self, node: Node, message: str, hint: str = "") -> ConfigError:
        """An error at the line of a node."""
        return ConfigError(f"{self.path}:{node.start_mark.line + 1}: {message}", hint)

    def quote(self, node: Node) -> str:
        """A node's source text, shortened, in backticks."""
        written = " ".join(self.text[node.start_mark.index : end_of(self.text, node)].split())
        if not written:
            return "nothing"
        return f"`{written}`" if len(written) <= _SHOWN else f"`{written[:_SHOWN]}...`"


def compose(source: Source) -> Node | None:
    """The root node of the file, or None if it is empty.

    Raises:
        ConfigError: The file is not YAML, or uses YAML features that settings do not need.
    """
    if len(source.text) > _MOST_CHARACTERS:
        raise ConfigError(f"{source.path}:1: longer than {_MOST_CHARACTERS} characters")
    try:
        _refuse_bombs(source, YAML(typ="safe", pure=True).parse(source.text))
        return YAML(typ="safe", pure=True).compose(source.text)
    except YAMLError as problem:
        marker = find_conflict_marker(source.text)
        if marker is not None:
            raise ConfigError(f"{source.path}:{marker}: conflict marker", "resolve the conflict first") from problem
        if isinstance(problem, MarkedYAMLError) and problem.problem_mark is not None:
            last = line_at(source.text, len(source.text.rstrip()))
            line, reason = min(problem.problem_mark.line + 1, last), problem.problem
        else:
            line, reason = line_at(source.text, getattr(problem, "position", 0)), getattr(problem, "reason", "")
        hint = "put text that begins with one of > | * & ! % @ ` [ { in quotes"
        raise ConfigError(f"{source.path}:{line}: not YAML: {reason or problem}", hint) from problem


def _refuse_bombs(source: Source, events: Iterator[Node]) -> None:
    depth = 0
    for event in events:
        kind = type(event).__name__
        depth += kind.endswith("StartEvent") - kind.endswith("EndEvent")
        # Stream and document are the two outermost levels.
        if depth > _DEEPEST + 2:
            raise source.error(event, "nested too deeply for a setting")
        if getattr(event, "anchor", None) is not None:
            raise source.error(event, "anchors and aliases are not allowed here", "write the value out")


def list_entries(source: Source, root: Node) -> Iterator[tuple[str, Node, Node]]:
    """Yield every setting of the file: dotted key, key node, value node, in the file's order.

    Raises:
        ConfigError: A key is unknown or occurs twice, or there is something else in place of keys.
    """
    seen: set[str] = set()
    pending = list(reversed(list(pairs_of(source, root, ""))))
    while pending:
        name, key, value = pending.pop()
        if name in seen:
            raise source.error(key, f"the key {name} stands twice", "keep one of the two")
        seen.add(name)
        if name in SECTIONS:
            pending.extend(reversed(list(pairs_of(source, value, f"{name}."))))
        elif name in KEYS and "." not in key.value:
            yield name, key, value
        else:
            raise source.error(key, f"unknown key {name}", near_key(name))


def pairs_of(source: Source, holder: Node, prefix: str) -> Iterator[tuple[str, Node, Node]]:
    """Yield the pairs of a mapping node with their dotted names; none for null.

    Raises:
        ConfigError: The node is neither, or one of its keys is not plain text.
    """
    if holder.tag == f"{_TAG}null":
        return
    if holder.tag != f"{_TAG}map":
        raise source.error(holder, f"expected `key: value` lines, found {source.quote(holder)}")
    for key, value in holder.value:
        if not isinstance(key.value, str):
            raise source.error(key, "a key is one word")
        yield prefix + key.value, key, value


def near_key(name: str) -> str:
    """A hint that names the nearest valid key, or all keys."""
    if name in KEYS:
        section, _, leaf = name.rpartition(".")
        return f"write {leaf}: indented under {section}:"
    known = {key.lower(): key for key in (*KEYS, *SECTIONS)}
    by_leaf = {key.rpartition(".")[2].lower(): key for key in KEYS}
    for table, word in ((known, name), (by_leaf, name.rpartition(".")[2])):
        near = get_close_matches(word.lower(), table, n=1, cutoff=0.7)
        if near:
            return f"did you mean {table[near[0]]}?"
    return "valid keys: " + ", ".join(KEYS)


def value_of(node: Node) -> object:
    """The bool, int, Decimal, str, None or tuple of str that a node represents; the node itself for any other value."""
    kind = node.tag.removeprefix(_TAG)
    written = node.value
    if kind == "seq":
        plain = all(item.tag == f"{_TAG}str" for item in written)
        return tuple(item.value for item in written) if plain else node
    if kind == "bool" and written.lower() in {"true", "false"}:
        return bool(written.lower() == "true")
    if kind == "int" and len(written) <= _LONGEST_NUMBER and written.removeprefix("-").isdecimal():
        return int(written)
    if kind == "float" and _DECIMAL.fullmatch(written):
        return Decimal(written)
    if kind == "null":
        return None
    return written if kind == "str" else node


def end_of(text: str, node: Node) -> int:
    """The index after a node's last character, without the comments that ruamel counts as part of a block."""
    while node.value and not isinstance(node.value, str) and not node.flow_style:
        last = node.value[-1]
        node = last[1] if isinstance(last, tuple) else last
    return len(text[: node.end_mark.index].rstrip())
