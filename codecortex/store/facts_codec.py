"""`FileFacts` to bytes and back, for the local cache and between processes; never committed.

The bytes are a marshalled tree of tuples: the fastest codec at hand, bound to the Python version, which is therefore
part of every cache key.
"""

from __future__ import annotations

import marshal
import sys
from typing import Any

from codecortex.model.facts import FileFacts, MemberFacts, Parameter, Scope, TypeFacts, Using

CODEC_VERSION = f"1/{marshal.version}/{sys.version_info[0]}.{sys.version_info[1]}"

_parameters: dict[tuple[Any, ...], tuple[Parameter, ...]] = {(): ()}
_MAX_REMEMBERED = 200_000


def encode_facts(facts: FileFacts) -> bytes:
    """The facts as bytes."""
    scopes = tuple(
        (s.namespace, s.parent, tuple((u.target, u.alias, u.static, u.everywhere) for u in s.usings))
        for s in facts.scopes
    )
    types = tuple(map(_pack_type, facts.types))
    return marshal.dumps((scopes, types, facts.conditional, facts.generated, facts.degraded))


def decode_facts(data: bytes) -> FileFacts:
    """The facts that `encode_facts` wrote.

    Raises:
        ValueError: The bytes are not such facts; also EOFError and TypeError.
    """
    scopes, types, conditional, generated, degraded = marshal.loads(data)  # noqa: S302 - our own cache, beside .git
    return FileFacts(
        tuple(Scope(name, parent, tuple(Using(*using) for using in usings)) for name, parent, usings in scopes),
        tuple(map(_unpack_type, types)),
        conditional,
        generated,
        degraded,
    )


def _pack_type(t: TypeFacts) -> tuple[Any, ...]:
    return (
        t.fqn, t.scope, t.kind, t.accessibility, t.modifiers, t.type_parameters, t.constraints, t.bases, t.attributes,
        tuple(map(_pack_member, t.members)), t.surface, t.inner, t.implicit, t.body, t.doc, t.doc_hash, t.cosmetic,
        t.line, t.end_line,
    )  # fmt: skip


def _pack_member(m: MemberFacts) -> tuple[Any, ...]:
    return (
        m.kind, m.name, m.type, m.arity, m.accessibility, m.modifiers, m.type_parameters, m.constraints,
        tuple([(p.type, p.modifier, p.name, p.default, p.attributes) for p in m.parameters]), m.accessors,
        m.explicit_interface, m.receiver, m.value, m.attributes, m.implicit, m.primary, m.body, m.doc, m.doc_hash,
        m.line, m.end_line,
    )  # fmt: skip


def _unpack_type(row: tuple[Any, ...]) -> TypeFacts:
    return TypeFacts(*row[:9], tuple(map(_unpack_member, row[9])), *row[10:])


def _unpack_member(row: tuple[Any, ...]) -> MemberFacts:
    packed = row[8]
    parameters = _parameters.get(packed)
    if parameters is None:
        if len(_parameters) > _MAX_REMEMBERED:
            _parameters.clear()
        parameters = _parameters[packed] = tuple(Parameter(*p) for p in packed)
    return MemberFacts(*row[:8], parameters, *row[9:])
