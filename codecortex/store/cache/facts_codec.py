"""Converts `FileFacts` to bytes and back, for the local cache and between processes; never committed.

The bytes are a marshalled tree of tuples: the fastest codec available, but bound to the Python version, which is
therefore part of every cache key.
"""

from __future__ import annotations

import marshal
import re
import sys
from typing import Any

from codecortex.model.code.facts import Extension, FileFacts, MemberFacts, Parameter, Scope, TypeFacts, Using

CODEC_VERSION = f"4/{marshal.version}/{sys.version_info[0]}.{sys.version_info[1]}"

_Packed = dict[int, tuple[Any, ...]]  # parameters by the id() of their tuple, which members share
_parameters: dict[tuple[Any, ...], tuple[Parameter, ...]] = {(): ()}
_MAX_REMEMBERED = 200_000


def encode_facts(facts: FileFacts) -> bytes:
    """The facts as bytes."""
    scopes: Any = tuple([(name, parent, tuple(map(tuple, usings))) for name, parent, usings in facts.scopes])
    packed: _Packed = {}
    types = tuple([_pack_type(one, packed) for one in facts.types])
    return marshal.dumps((scopes, types, *facts[2:]))


def decode_facts(data: bytes, *, members: bool = True) -> FileFacts:
    """The facts that `encode_facts` encoded.

    Args:
        data: The bytes.
        members: Whether types have their members; most of the time goes into them.

    Raises:
        ValueError: The bytes are not such facts; also EOFError and TypeError.
    """
    scopes, types, *flags = marshal.loads(data)  # noqa: S302 - our own cache, beside .git
    return FileFacts(
        tuple(Scope(name, parent, tuple(Using(*using) for using in usings)) for name, parent, usings in scopes),
        tuple(map(_unpack_type if members else _unpack_head, types)),
        *flags,
    )


def compile_type_name(word: str) -> re.Pattern[bytes]:
    """A pattern for lower-cased bytes of facts that may declare a type with this simple name (ASCII, any case).

    A type's row begins with its FQN and the number of its scope, or a reference to a number written before.
    """
    needle = word.lower().encode()
    lengths = bytes([(len(needle) + more) & 0xFF for more in (0, 2, 3)]).lower()  # of an FQN that is only this name
    return re.compile(b"[.+" + re.escape(lengths) + b"]" + needle + rb"(?:`\d+)?[i\xe9r]...\x00", re.DOTALL)


def _pack_type(facts: TypeFacts, packed: _Packed) -> tuple[Any, ...]:
    return (*facts[:9], tuple([_pack_member(member, packed) for member in facts.members]), *facts[10:])


def _pack_member(facts: MemberFacts, packed: _Packed) -> tuple[Any, ...]:
    row: tuple[Any, ...] = tuple(facts)
    if facts.extension is not None:
        row = (*row[:-1], tuple(facts.extension))
    if not facts.parameters:
        return row
    parameters = packed.get(id(facts.parameters))
    if parameters is None:
        parameters = packed[id(facts.parameters)] = tuple(map(tuple, facts.parameters))
    return (*row[:8], parameters, *row[9:])


def _unpack_type(row: tuple[Any, ...]) -> TypeFacts:
    return TypeFacts(*(*row[:9], tuple(map(_unpack_member, row[9])), *row[10:]))


def _unpack_head(row: tuple[Any, ...]) -> TypeFacts:
    return TypeFacts(*(*row[:9], (), *row[10:]))


def _unpack_member(row: tuple[Any, ...]) -> MemberFacts:
    packed = row[8]
    if row[-1] is not None:
        row = (*row[:-1], Extension._make(row[-1]))
    parameters = _parameters.get(packed)
    if parameters is None:
        if len(_parameters) > _MAX_REMEMBERED:
            _parameters.clear()
        parameters = _parameters[packed] = tuple(Parameter(*p) for p in packed)
    return MemberFacts(*(*row[:8], parameters, *row[9:]))
