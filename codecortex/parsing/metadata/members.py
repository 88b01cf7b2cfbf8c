"""The members of a type: methods, fields, properties and events.

A member's words are its modifiers (`static abstract virtual override sealed readonly const volatile required`), `this`
of an extension method, `operator`, `obsolete`, `implicit` of a constructor that no table holds, `refs` and
`refreadonly` of what returns a reference, and its accessors: `get set init`, with an access in front where it is less.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from typing import TYPE_CHECKING

from codecortex.model.code.metadata import MemberRow, ParameterRow
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.parsing.metadata.attributes import Owner
from codecortex.parsing.metadata.names import REFERENCED, write_member_name
from codecortex.parsing.metadata.parameters import annotate, read_parameters
from codecortex.parsing.metadata.tables import Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from codecortex.parsing.metadata.parameters import Parts, TypeParameters
    from codecortex.parsing.metadata.signatures import Signature

ACCESS = ("", "private", "private protected", "internal", "protected", "protected internal", "public", "")
_ACCESS_BITS = 0x07
_STATIC, _FINAL, _VIRTUAL, _NEW_SLOT, _ABSTRACT, _SPECIAL_NAME = 0x10, 0x20, 0x40, 0x100, 0x400, 0x800
_READONLY, _CONSTANT, _RUNTIME_SPECIAL = 0x20, 0x40, 0x400
_SETTER, _GETTER = 0x1, 0x2
_IN_ATTRIBUTE = "System.Runtime.InteropServices.InAttribute"
_INIT_ONLY = "System.Runtime.CompilerServices.IsExternalInit"
_VOLATILE = "System.Runtime.CompilerServices.IsVolatile"
_CONVERSIONS = ("op_Implicit", "op_Explicit", "op_CheckedExplicit")


class Holder(NamedTuple):
    """The type whose members are read.

    Attributes:
        name: Its id without `T:`.
        kind: As in `TypeRow`.
        interfaces: The interfaces that it lists.
        context: Its nullable context.
    """

    name: str
    kind: str
    interfaces: frozenset[str]
    context: int


class _Accessor(NamedTuple):
    what: int
    access: str
    method: int


class Members:
    """Reads the members of the types of one assembly.

    Attributes:
        plain_accessors: Accessors that C# sees as methods are taken out of it while types are read.
    """

    def __init__(self, parts: Parts, type_parameters: TypeParameters, seen: frozenset[str]) -> None:
        self._parts = parts
        self._type_parameters = type_parameters
        self._seen = seen
        self._starts = [row[5] for row in parts.tables.rows[Table.TYPE_DEF]]
        self._semantics: dict[int, list[tuple[int, int]]] = defaultdict(list)
        self._accessors: set[int] = set()
        rows = parts.tables.rows
        for what, method, owner in rows[Table.METHOD_SEMANTICS]:
            self._semantics[owner].append((what, method))
            if not what & (_SETTER | _GETTER) or self._fits(what, method, owner >> 1):
                self._accessors.add(method)
        self._implements: dict[int, list[int]] = defaultdict(list)
        for _, body, declared in rows[Table.METHOD_IMPL]:
            if not body & 1:
                self._implements[body >> 1].append(declared)

    def _fits(self, what: int, method: int, property_row: int) -> bool:
        """Whether an accessor has as many parameters as its property; if not, C# sees a plain method."""
        rows, count = self._parts.tables.rows, self._parts.signatures.count_parameters
        taken = count(rows[Table.METHOD_DEF][method - 1][4]) - (what & _SETTER)
        return taken == count(rows[Table.PROPERTY][property_row - 1][2])

    def free_accessors(self, property_row: int, indexer: str) -> None:
        """Take the accessors of a property with parameters that is no indexer for methods, as C# does."""
        _, name, signature = self._parts.tables.rows[Table.PROPERTY][property_row - 1]
        if self._parts.tables.string(name) != indexer and self._parts.signatures.count_parameters(signature):
            self._accessors.difference_update(method for _, method in self._semantics[property_row << 1 | 1])

    # -- methods

    def method(self, row: int, holder: Holder) -> MemberRow | None:
        """A method; None of an accessor and of what is not seen."""
        if row in self._accessors:
            return None
        parts = self._parts
        _, _, flags, at, blob, _ = parts.tables.rows[Table.METHOD_DEF][row - 1]
        access = ACCESS[flags & _ACCESS_BITS]
        if access not in self._seen:
            return None
        name, tags = parts.tables.string(at), parts.attributes.of(row, Owner.METHOD)
        signature = parts.signatures.method(blob)
        words = self._method_words(flags, row, holder, name, signature)
        if "this" in tags and flags & _STATIC:
            words.add("this")
        words.update(word for word in ("obsolete", "readonly") if word in tags)
        parameters, returned = read_parameters(parts, row, blob, signature)
        result = self._read_result(blob, signature, returned, words)
        type_parameters = self._type_parameters.of_method(row, holder.context) if signature.arity else ()
        written = write_member_name(name)
        text = written + (f"``{signature.arity}" if signature.arity else "")
        text += f"({','.join(signature.written)})" if signature.written else ""
        if name.startswith("op_") and flags & _SPECIAL_NAME:
            words.add("operator")
            text += "~" + signature.returns if name in _CONVERSIONS else ""
        parts.budget.spend(len(holder.name) + len(text))
        return MemberRow(
            *(written, "method", access, tuple(sorted(words)), result, parameters, type_parameters),
            id=f"M:{holder.name}.{text}",
            notes=self._read_notes(tags),
        )

    def _method_words(self, flags: int, row: int, holder: Holder, name: str, signature: Signature) -> set[str]:
        bare = name == "Finalize" and not signature.types and not signature.arity
        finalizer = bare and holder.kind == "class" and flags & (_VIRTUAL | _NEW_SLOT) == _VIRTUAL
        if finalizer or (holder.name == "System.Object" and name == "Finalize"):
            flags &= ~_VIRTUAL
        return self._inheritance_words(flags, row, holder)

    def _inheritance_words(self, flags: int, row: int, holder: Holder) -> set[str]:
        words = {word for bit, word in ((_STATIC, "static"), (_ABSTRACT, "abstract")) if flags & bit}
        if not flags & _VIRTUAL:
            return words
        interface = holder.kind == "interface"
        if not interface and (not flags & _NEW_SLOT or self._overrides(row, holder)):
            words |= {"override", "sealed"} if flags & _FINAL else {"override"}
        elif not flags & (_FINAL | _ABSTRACT) and (not interface or flags & (_NEW_SLOT | _STATIC)):
            words.add("virtual")
        return words

    def _overrides(self, row: int, holder: Holder) -> bool:
        """Whether a method of a slot of its own stands for one of a base class: its return type is covariant."""
        return any(self._is_of_class(declared, holder) for declared in self._implements.get(row, ()))

    def _is_of_class(self, declared: int, holder: Holder) -> bool:
        parts = self._parts
        if declared & 1:
            parent = parts.tables.rows[Table.MEMBER_REF][(declared >> 1) - 1][0]
            kind = {0: 0, 1: REFERENCED, 4: 2}.get(parent & 7)
            return kind is not None and parts.signatures.type_at(parent >> 3 << 2 | kind) not in holder.interfaces
        owner = max(bisect_right(self._starts, declared >> 1), 1)
        return not parts.tables.rows[Table.TYPE_DEF][owner - 1][0] & 0x20

    def _read_result(self, at: int, signature: Signature, tags: Mapping[str, int], words: set[str]) -> str:
        """The type that is returned; that it is a reference becomes a word."""
        annotations, text = annotate(self._parts.attributes, tags), signature.returns
        if annotations is not None:
            text = self._parts.signatures.part(at, signature.starts[0], annotations)
        if text.endswith("@"):
            words.add("refreadonly" if "readonly" in tags or _IN_ATTRIBUTE in signature.modifiers else "refs")
        return text.removesuffix("@")

    def _read_notes(self, tags: Mapping[str, int]) -> tuple[tuple[str, str], ...]:
        attributes = self._parts.attributes
        notes = []
        if "priority" in tags:
            notes.append(("priority", str(attributes.number(tags["priority"]))))
        if "marker" in tags:
            notes.append(("marker", attributes.text(tags["marker"])))
        return tuple(notes)

    # -- fields

    def field(self, row: int, holder: Holder) -> MemberRow | None:
        """A field; None of one that is not seen."""
        parts = self._parts
        flags, at, blob = parts.tables.rows[Table.FIELD][row - 1]
        access, name = ACCESS[flags & _ACCESS_BITS], parts.tables.string(at)
        if access not in self._seen or (flags & _RUNTIME_SPECIAL and name == "value__"):
            return None
        tags = parts.attributes.of(row, Owner.FIELD)
        parts.budget.spend(len(holder.name) + len(name))
        text = parts.signatures.field(blob, annotate(parts.attributes, tags))
        modifiers = parts.signatures.modifiers
        words = []
        if text.endswith("@"):
            words.append("refreadonly" if "readonly" in tags or _IN_ATTRIBUTE in modifiers else "refs")
            text = text.removesuffix("@")
        if "buffer" in tags:
            text = parts.attributes.text(tags["buffer"]).partition(",")[0] + "*"
        bits = ((_STATIC, "static"), (_READONLY, "readonly"), (_CONSTANT, "const"))
        words += [word for bit, word in bits if flags & bit]
        words += [word for word in ("obsolete", "required") if word in tags]
        words += ["const"] * ("decimal" in tags) + ["volatile"] * (_VOLATILE in modifiers)
        return MemberRow(name, "field", access, tuple(words), text, (), (), f"F:{holder.name}.{name}")

    # -- properties and events

    def property(self, row: int, holder: Holder) -> MemberRow | None:
        """A property or an indexer; None of one that is not seen."""
        parts = self._parts
        access, words, accessors = self._read_accessors(row << 1 | 1, holder)
        if access not in self._seen:
            return None
        _, at, blob = parts.tables.rows[Table.PROPERTY][row - 1]
        tags = parts.attributes.of(row, Owner.PROPERTY)
        signature = parts.signatures.method(blob)
        parameters = tuple(ParameterRow((), "value", text) for text in signature.types)
        for accessor in accessors:
            if accessor.what & (_SETTER | _GETTER) and accessor.access in self._seen:
                words.update(self._name_accessor(accessor, access))
                parameters = self._read_index(accessor, len(parameters)) or parameters
        words.update(word for word in ("obsolete", "required") if word in tags)
        result = self._read_result(blob, signature, tags, words)
        name = write_member_name(parts.tables.string(at))
        text = name + (f"({','.join(signature.written)})" if signature.types else "")
        parts.budget.spend(len(holder.name) + len(text))
        return MemberRow(
            *(name, "property", access, tuple(sorted(words)), result, parameters, ()),
            id=f"P:{holder.name}.{text}",
            notes=self._read_notes(tags),
        )

    def _name_accessor(self, accessor: _Accessor, access: str) -> Iterable[str]:
        parts = self._parts
        blob = parts.tables.rows[Table.METHOD_DEF][accessor.method - 1][4]
        setter = "init" if _INIT_ONLY in parts.signatures.method(blob).modifiers else "set"
        word = "get" if accessor.what & _GETTER else setter
        yield word if accessor.access == access else f"{accessor.access} {word}"
        if "readonly" in parts.attributes.of(accessor.method, Owner.METHOD):
            yield "readonly"

    def _read_index(self, accessor: _Accessor, count: int) -> tuple[ParameterRow, ...]:
        """The parameters of an indexer, which its accessors name."""
        blob = self._parts.tables.rows[Table.METHOD_DEF][accessor.method - 1][4]
        signature = self._parts.signatures.method(blob)
        if not count or len(signature.types) < count:
            return ()
        return read_parameters(self._parts, accessor.method, blob, signature)[0][:count]

    def event(self, row: int, holder: Holder) -> MemberRow | None:
        """An event; None of one that is not seen."""
        parts = self._parts
        access, words, _ = self._read_accessors(row << 1, holder)
        if access not in self._seen:
            return None
        _, at, token = parts.tables.rows[Table.EVENT][row - 1]
        tags = parts.attributes.of(row, Owner.EVENT)
        words.update(word for word in ("obsolete",) if word in tags)
        name = write_member_name(parts.tables.string(at))
        parts.budget.spend(len(holder.name) + len(name))
        text = parts.signatures.type_at(token, 0, annotate(parts.attributes, tags))
        return MemberRow(name, "event", access, tuple(sorted(words)), text, (), (), f"E:{holder.name}.{name}")

    def _read_accessors(self, owner: int, holder: Holder) -> tuple[str, set[str], list[_Accessor]]:
        """The access of a property or an event (that of its most visible accessor), its words, its accessors."""
        accessors, words = [], []
        for what, method in self._semantics.get(owner, ()):
            flags = self._parts.tables.rows[Table.METHOD_DEF][method - 1][2]
            accessors.append(_Accessor(what, ACCESS[flags & _ACCESS_BITS], method))
            words.append(self._inheritance_words(flags, method, holder))
        if not accessors:
            return "", set(), []
        access = max((each.access for each in accessors), key=ACCESS.index)
        every = set().union(*words)
        if not all("static" in each for each in words):
            every.discard("static")
        if "override" in every or "abstract" in every:
            every.discard("virtual")
        return access, every, accessors
