"""What a file declares, whatever stands in its bodies: as a digest, and what differs between two versions of it."""

from __future__ import annotations

import marshal
from hashlib import sha256
from operator import itemgetter
from typing import TYPE_CHECKING

from codecortex.analysis.binding.declarations.heads import INLINE, OPERATORS, name_member, read_facts
from codecortex.model.code.facts import MemberFacts, TypeFacts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from codecortex.model.code.facts import FileFacts

_LENGTH = 16
_PLACES = ("line", "end_line", "column", "end_column")
_INSIDE = ("doc", "doc_hash", *_PLACES)
"""What changes with bodies, documentation and layout, of types and members."""
_WHOLE = frozenset(("record", "record struct", "delegate"))
"""Kinds of types of which members say more than what bears their name: what the compiler adds, what calls a value."""
_PLAIN = 0  # the version of marshal that writes equal values as equal bytes, interned or not


def _keep(fields: Sequence[str], left_out: Sequence[str]) -> Callable[[Any], tuple[Any, ...]]:
    return itemgetter(*(at for at, name in enumerate(fields) if name not in left_out))


_keep_of_type = _keep(TypeFacts._fields, ("members", "surface", "inner", "cosmetic", *_INSIDE))
_keep_of_member = _keep(MemberFacts._fields, ("parameters", "body", "extension", *_INSIDE))


def list_changed_members(old: FileFacts, new: FileFacts) -> set[str] | None:
    """The names of members that a file declares otherwise than before, as the binder calls them.

    Args:
        old: The facts of the file before.
        new: The facts now.

    Returns:
        None if anything else may mean something else too: types, directives, operators, or what facts do not tell.
    """
    if read_facts(old) is None or read_facts(new) is None or (old.scopes, old.friends) != (new.scopes, new.friends):
        return None
    if list(map(_keep_of_type, old.types)) != list(map(_keep_of_type, new.types)):
        return None
    changed = set()
    for before, after in zip(old.types, new.types, strict=True):
        was, now = _group_members(before), _group_members(after)
        names = {name for name in was.keys() | now.keys() if was.get(name) != now.get(name)}
        inline = any(INLINE in each for each in after.attributes)  # converts by the type of its field
        if names and (after.kind in _WHOLE or OPERATORS in names or inline):
            return None
        changed |= names
    return changed


def _group_members(declared: TypeFacts) -> dict[str, list[object]]:
    found: dict[str, list[object]] = {}
    for each in declared.members:
        found.setdefault(name_member(each), []).append((_keep_of_member(each), each.parameters))
    return found


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
