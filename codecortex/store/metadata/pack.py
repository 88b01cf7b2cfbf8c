"""Packs assemblies into an index: rows in, the bytes of one file out. The same assemblies give the same bytes.

The file: 20 bytes (magic, length of the directory, CRC-32 of all that follows the head, CRC-32 of the index that it
differs from or 0), the directory and the chunks, each a zlib stream of text. The directory's lines, by their first
letter: `@` label, `A` assembly and version, `N` namespace and for each chunk its types, `X` extension method and its
classes, `-` a type that the other index has and this one has not, `C` the end of a chunk. A chunk holds types in the
form of `lines`, nested ones after the outermost. In a difference, a type that the other index has too is `~`, its
name, the numbers of the member lines to drop and its new first line, then the lines to add.
"""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.store.metadata.lines import can_write, can_write_member, write_type

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from codecortex.model.code.metadata import AssemblyRows

MAGIC = b"CCINDEX1"
HEAD = struct.Struct("<8sIII")
CHUNK = 48 << 10
DIFFERENCE_MARK = "~"

Blocks = dict[str, dict[str, list[str]]]


class Contents(NamedTuple):
    """What an index says.

    Attributes:
        label: What it is an index of.
        assemblies: Name and version of each assembly.
        blocks: The lines of each type by its id without `T:`, by the outermost type around it.
        extensions: The outermost classes that declare an extension method, or a member of an extension block.
    """

    label: str
    assemblies: tuple[tuple[str, str], ...]
    blocks: Blocks
    extensions: Mapping[str, Sequence[str]]


def collect(assemblies: Sequence[AssemblyRows], label: str) -> Contents:
    """What an index of these assemblies says."""
    ordered = sorted(assemblies, key=lambda each: each.name)
    blocks: Blocks = {}
    outermost: dict[str, str] = {}
    extensions: dict[str, set[str]] = {}
    for number, assembly in enumerate(ordered):
        for row in assembly.types:
            if not can_write(row):
                continue
            name = _name_apart(row.id[2:], outermost)
            outer = outermost[name] = _find_outermost(name, outermost)
            head, *members = write_type(row, number)
            blocks.setdefault(outer, {})[name] = [f"={name}\t{head.partition(chr(9))[2]}", *members]
            for member in row.members:
                if (row.kind == "extension" or "this" in member.words) and can_write_member(member):
                    extensions.setdefault(member.name, set()).add(outer)
    names = tuple((each.name, each.version) for each in ordered)
    return Contents(label, names, blocks, {name: sorted(each) for name, each in sorted(extensions.items())})


def _name_apart(name: str, known: Mapping[str, str]) -> str:
    """A name of its own for a type whose full name another assembly declares too: `Name#2`."""
    number, made = 1, name
    while made in known:
        number += 1
        made = f"{name}#{number}"
    return made


def _find_outermost(name: str, outermost: Mapping[str, str]) -> str:
    """The outermost type around one; compilers write outer types first."""
    at = len(name)
    while (at := name.rfind(".", 0, at)) > 0:
        outer = outermost.get(name[:at])
        if outer is not None:
            return outer
    return name


def pack(contents: Contents, base: Contents | None = None, base_check: int = 0) -> bytes:
    """The bytes of an index, whole or as what sets it apart from another, whose check is given."""
    blocks, gone = contents.blocks, []
    if base is not None:
        gone = [name for outer, each in base.blocks.items() for name in each if name not in blocks.get(outer, ())]
        blocks = _subtract(contents, base)
    chunks, namespaces = _cut(blocks)
    packed = [zlib.compress(f"\n{text}\n".encode(), 9) for text in chunks]
    lines = [f"@{contents.label}"]
    lines += [f"A{name}\t{version}" for name, version in contents.assemblies]
    for namespace, by_chunk in namespaces.items():
        places = "\t".join(f"{number} {' '.join(names)}" for number, names in by_chunk.items())
        lines.append(f"N{namespace}\t{places}")
    lines += [f"X{name}\t{' '.join(classes)}" for name, classes in contents.extensions.items()]
    lines += [f"-{name}" for name in gone]
    end = 0
    for chunk in packed:
        end += len(chunk)
        lines.append(f"C{end}")
    directory = zlib.compress("\n".join(lines).encode(), 9)
    body = directory + b"".join(packed)
    return HEAD.pack(MAGIC, len(directory), zlib.crc32(body), base_check) + body


def _cut(blocks: Blocks) -> tuple[list[str], dict[str, dict[int, list[str]]]]:
    """The text of each chunk, and the outermost types of each namespace by chunk."""
    chunks: list[list[str]] = [[]]
    namespaces: dict[str, dict[int, list[str]]] = {}
    size = 0
    for outer in sorted(blocks, key=lambda name: (name.rpartition(".")[0], name)):
        text = "\n".join(line for lines in blocks[outer].values() for line in lines)
        if size and size + len(text) > CHUNK:
            chunks.append([])
            size = 0
        namespace, _, name = outer.rpartition(".")
        namespaces.setdefault(namespace, {}).setdefault(len(chunks) - 1, []).append(name)
        chunks[-1].append(text)
        size += len(text)
    return ["\n".join(each) for each in chunks], namespaces


# -- differences


def _subtract(contents: Contents, base: Contents) -> Blocks:
    return {outer: changed for outer, changed in _find_changes(contents, base) if changed}


def _find_changes(contents: Contents, base: Contents) -> Iterator[tuple[str, dict[str, list[str]]]]:
    names = [name for name, _ in contents.assemblies]
    base_names = [name for name, _ in base.assemblies]
    for outer, each in contents.blocks.items():
        changed = {}
        for name, lines in each.items():
            was = base.blocks.get(outer, {}).get(name)
            made = lines if was is None else _compare(lines, was, names, base_names)
            if made:
                changed[name] = made
        yield outer, changed


def _compare(new: list[str], old: list[str], names: Sequence[str], old_names: Sequence[str]) -> list[str]:
    """The lines that turn a type's lines into others; none if they are equal."""
    known, wanted = set(old[1:]), set(new[1:])
    dropped = " ".join(str(number) for number, line in enumerate(old[1:]) if line not in wanted)
    added = [line for line in new[1:] if line not in known]
    head, _, assembly = new[0].rpartition("\t")
    old_head, _, old_assembly = old[0].rpartition("\t")
    same_head = head == old_head and names[int(assembly)] == old_names[int(old_assembly)]
    if same_head and not dropped and not added:
        return []
    name, _, fields = head[1:].partition("\t")
    return [f"{DIFFERENCE_MARK}{name}\t{dropped}\t{assembly}" + ("" if head == old_head else f"\t{fields}"), *added]
