"""Judges whether an occurrence of a name means a given type or namespace.

The verdict is exact if C#'s own lookup certainly leads there; if a value, a parameter or something outside the tree
could be meant as well, it is by name only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.usages.scope import BARE
from codecortex.model.code.types import cut_namespace, cut_simple_name
from codecortex.model.code.usages import BY_NAME, DECLARATION, EXACT, Context, Role, Root, mean_other

if TYPE_CHECKING:
    from codecortex.analysis.usages.scope import TypeScope, Where
    from codecortex.model.code.catalog import TypeEntry
    from codecortex.model.code.facts import Parameter
    from codecortex.model.code.types import TypeId
    from codecortex.model.code.usages import Site, Verdict

_NO_LOOKUP = frozenset((Context.LABEL, Context.ASSIGNED, Context.NAMESPACE, Context.DECLARED))
_AFTER_CONSTRUCTION = frozenset(("method", "operator", "conversion", "indexer", "destructor"))
_DECLARES_TYPE = frozenset(("class", "struct", "interface", "record", "enum"))


class TypeJudge:
    """Judges occurrences of a type's name.

    Args:
        type_scope: Name resolution for the tree.
        entry: The type.
    """

    def __init__(self, type_scope: TypeScope, entry: TypeEntry) -> None:
        self._type_scope = type_scope
        self._entry = entry
        self._given: set[tuple[object, ...]] = set()

    def judge(self, site: Site, name: str, where: Where) -> Verdict:
        """Judge one occurrence of a name: the type's own, its short form as an attribute, or an alias."""
        declared = self._judge_declaration(site, name, where)
        if declared is not None:
            return declared
        if site.context in _NO_LOOKUP or site.context is Context.INVOKED:
            return BY_NAME
        found = find_named_type(self._type_scope, site, name, where)
        if found is None or (site.context is Context.VALUE and not self._is_plain(site, name, where, found)):
            return BY_NAME
        return EXACT if found == self._entry.id else mean_other(self._type_scope.entries[found].fqn)

    # -- declarations

    def _judge_declaration(self, site: Site, name: str, where: Where) -> Verdict | None:
        """The verdict if the occurrence declares a type, a constructor, or another member; else None."""
        if not where.types or site.receiver.root is not Root.NONE:
            return None
        facts, type_id = where.types[0]
        own = cut_simple_name(facts.fqn) == name
        if own and site.context in (Context.DECLARED, Context.INVOKED) and self._declares(site, where):
            return self._name_type(type_id)
        member = where.member
        if site.context is Context.DECLARED and member is not None and member.name == name:
            key = (type_id, where.place.path, member.line, member.column, member.end_line, member.end_column)
            if key not in self._given and member.kind not in ("constructor", "destructor"):
                self._given.add(key)
                return mean_other(f"{facts.fqn}.{name}", Role.DECLARATION)
        return None

    def _declares(self, site: Site, where: Where) -> bool:
        facts, _ = where.types[0]
        if site.before in _DECLARES_TYPE or facts.kind == "delegate":
            return True
        return (
            where.member is not None
            and where.member.kind in ("constructor", "destructor")
            and site.context is Context.INVOKED
        )

    def _name_type(self, type_id: TypeId) -> Verdict:
        if type_id == self._entry.id:
            return DECLARATION
        return mean_other(self._type_scope.entries[type_id].fqn, Role.DECLARATION)

    # -- expressions

    def _is_plain(self, site: Site, name: str, where: Where, found: TypeId) -> bool:
        """Whether a name in an expression is the type, because no variable or member can be meant."""
        if site.local is not None:
            return False
        head = site.receiver.names[0] if site.receiver.names else name
        if site.arity and not site.receiver.names:
            return True
        static = bool(site.following) and not site.receiver.names and self._type_scope.is_static(found, site.following)
        return static or is_hidden_by_nothing(self._type_scope, head.partition("`")[0], where)


def is_hidden_by_nothing(type_scope: TypeScope, head: str, where: Where) -> bool:
    """Whether no member of the enclosing types has this name."""
    for _, type_id in where.types:
        owner = type_scope.find_owner(type_id, head)
        if owner.type_id is not None or not owner.sure:
            return False
    return not any(head == parameter.name for parameter in primary_parameters(where))


def primary_parameters(where: Where) -> list[Parameter]:
    """The parameters of the enclosing primary constructors; in a record's methods its properties hide them."""
    hidden = where.member is not None and where.member.kind in _AFTER_CONSTRUCTION
    return [
        parameter
        for facts, _ in where.types
        if not (hidden and facts.kind.startswith("record"))
        for member in facts.members
        if member.primary and member.kind == "constructor"
        for parameter in member.parameters
    ]


def find_named_type(type_scope: TypeScope, site: Site, name: str, where: Where) -> TypeId | None:
    """The type of the tree that a name with its receiver certainly means, if it means a type at all."""
    if site.receiver.root not in (Root.NONE, Root.NAMES):
        return None
    segments = (*site.receiver.names, f"{name}`{site.arity}" if site.arity else name)
    if where.names_type_parameter(segments[0]):
        return None
    place = where.place
    if site.context is Context.IMPORT:
        place = place._replace(scopes=BARE, scope=0, fqn="")
    elif site.heads_type and where.types and where.types[0][0].line <= site.line:
        place = place._replace(fqn=place.fqn.rpartition("+")[0])
    whole = ".".join(segments)
    found = type_scope.find_type("@" + whole if site.context is Context.ATTRIBUTE else whole, place)
    return found.id if found is not None else None


class NamespaceJudge:
    """Judges occurrences of the last segment of a namespace."""

    def __init__(self, type_scope: TypeScope, namespace: str) -> None:
        self._type_scope = type_scope
        self._namespace = namespace

    def judge(self, site: Site, name: str, where: Where) -> Verdict:
        """Judge one occurrence."""
        if site.receiver.root not in (Root.NONE, Root.NAMES) or site.arity:
            return BY_NAME
        written = ".".join((*site.receiver.names, name)).removeprefix("global.")
        if site.context is Context.NAMESPACE:
            return DECLARATION if written == self._namespace else BY_NAME
        if site.context is Context.IMPORT:
            return EXACT if written == self._namespace else BY_NAME
        if site.context not in (Context.VALUE, Context.TYPE, Context.CREATED) or not site.following:
            return BY_NAME
        if site.local is not None or not is_hidden_by_nothing(self._type_scope, written.partition(".")[0], where):
            return BY_NAME
        found = self._type_scope.find_type(f"{written}.{site.following}", where.place)
        namespace = cut_namespace(found.fqn) if found is not None else ""
        return EXACT if namespace == self._namespace and self._namespace.endswith(written) else BY_NAME
