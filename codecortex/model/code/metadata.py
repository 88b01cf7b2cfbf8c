"""Values for what an assembly declares, as its metadata says it.

Types are texts, written as in documentation ids: ``System.Collections.Generic.List{`0}``. Two things are added that
ids lack: `dynamic`, and after a tuple the names of its elements, `System.ValueTuple{`0,`1}<First,Second>`.
"""

from __future__ import annotations

from codecortex.model.startup.named_tuple import NamedTuple


class ParameterRow(NamedTuple):
    """A parameter.

    Attributes:
        words: Of `ref`, `out`, `in`, `refreadonly`, `params`, `scoped`, `optional`, in this order.
        name: Its name; `value` where it has none.
        type: Its type, without the reference that `ref` and its like add.
    """

    words: tuple[str, ...]
    name: str
    type: str


class TypeParameterRow(NamedTuple):
    """A type parameter.

    Attributes:
        name: Its name.
        variance: `in`, `out` or empty.
        constraints: `class`, `struct`, `unmanaged`, `notnull`, `new`, then types, then `allows ref struct`.
    """

    name: str
    variance: str
    constraints: tuple[str, ...]


class MemberRow(NamedTuple):
    """A member.

    Attributes:
        name: Its name as in ids, such as `#ctor`.
        kind: `method`, `field`, `property` or `event`; constructors and operators are methods.
        access: As C# writes it, such as `protected internal`.
        words: Modifiers, accessors and the like; see `codecortex.parsing.metadata.members`.
        type: What it returns or holds.
        parameters: Its parameters.
        type_parameters: Its own type parameters.
        id: Its documentation id.
        notes: `priority` (of overload resolution) and `marker` (of an extension block), where there are any.
    """

    name: str
    kind: str
    access: str
    words: tuple[str, ...]
    type: str
    parameters: tuple[ParameterRow, ...]
    type_parameters: tuple[TypeParameterRow, ...]
    id: str
    notes: tuple[tuple[str, str], ...] = ()


class TypeRow(NamedTuple):
    """A type.

    Attributes:
        id: Its documentation id.
        kind: `class`, `struct`, `interface`, `enum`, `delegate` or `extension` (a block of extension members).
        access: As C# writes it.
        words: `static`, `abstract`, `sealed`, `ref`, `readonly`, `this`, `obsolete`, `required`, `handler`, `record`.
        base: Its base class; empty without one.
        interfaces: The interfaces that it lists.
        type_parameters: Its own type parameters, without those of the types around it.
        members: Its members.
        notes: `indexer` (its name), `builder`, `coclass`, `inline`, `usage`, `underlying`.
        receiver: Of an extension block, its receiver.
    """

    id: str
    kind: str
    access: str
    words: tuple[str, ...]
    base: str
    interfaces: tuple[str, ...]
    type_parameters: tuple[TypeParameterRow, ...]
    members: tuple[MemberRow, ...]
    notes: tuple[tuple[str, str], ...] = ()
    receiver: ParameterRow | None = None


class AssemblyRows(NamedTuple):
    """An assembly.

    Attributes:
        name: Its simple name.
        version: Four numbers, separated by dots.
        references: Names and versions of the assemblies that it references.
        forwards: Types that it leaves to another assembly, with that assembly's name.
        friends: The assemblies that see its internals, as its attributes name them.
        types: Its types in the order of its tables.
    """

    name: str
    version: str
    references: tuple[tuple[str, str], ...]
    forwards: tuple[tuple[str, str], ...]
    friends: tuple[str, ...]
    types: tuple[TypeRow, ...]
