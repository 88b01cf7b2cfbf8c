"""Digests what a file declares, whatever stands in its bodies."""

from __future__ import annotations

import marshal
from hashlib import sha256
from operator import itemgetter
from typing import TYPE_CHECKING

from codecortex.model.code.facts import MemberFacts, TypeFacts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from codecortex.model.code.facts import FileFacts

_LENGTH = 16
_PLACES = ("line", "end_line", "column", "end_column")
_INSIDE = ("doc", "doc_hash", *_PLACES)
"""What changes with bodies, documentation and layout, of types and members."""
_PLAIN = 0  # the version of marshal that writes equal values as equal bytes, interned or not


def _keep(fields: Sequence[str], left_out: Sequence[str]) -> Callable[[Any], tuple[Any, ...]]:
    return itemgetter(*(at for at, name in enumerate(fields) if name not in left_out))


_keep_of_type = _keep(TypeFacts._fields, ("members", "surface", "inner", "cosmetic", *_INSIDE))
_keep_of_member = _keep(MemberFacts._fields, ("parameters", "body", "extension", *_INSIDE))


def digest_declarations(facts: FileFacts) -> bytes:
    """A digest of what the facts of a file say outside of bodies: with it, all that other files may ask of it is equal.

    Args:
        facts: Of a file whose head they tell, see `read_facts`: no other one has extension blocks among its members.
    """
    scopes = [(*each[:2], [tuple(using) for using in each.usings]) for each in facts.scopes]
    types = [
        (*_keep_of_type(each), [(_keep_of_member(m), [tuple(p) for p in m.parameters]) for m in each.members])
        for each in facts.types
    ]
    return sha256(marshal.dumps((scopes, types, facts.friends), _PLAIN)).digest()[:_LENGTH]
