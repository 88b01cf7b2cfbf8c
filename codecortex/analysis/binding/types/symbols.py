"""Type definitions, their members, and the types that are constructed from them."""

from __future__ import annotations

from contextlib import contextmanager
from enum import Enum
from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from codecortex.model.code.syntax import Node


MOST_WEIGHT = 500
"""How many types one may be made of; what is made of more is not looked at."""


class TypeKind(Enum):
    """The kinds of definitions; `EXTENSION` is a block of extension members, `OPAQUE` what no known assembly has."""

    CLASS = "class"
    STRUCT = "struct"
    INTERFACE = "interface"
    ENUM = "enum"
    DELEGATE = "delegate"
    EXTENSION = "extension"
    OPAQUE = "opaque"


class MemberKind(Enum):
    """The kinds of members."""

    METHOD = "method"
    CONSTRUCTOR = "constructor"
    DESTRUCTOR = "destructor"
    OPERATOR = "operator"
    PROPERTY = "property"
    INDEXER = "indexer"
    FIELD = "field"
    EVENT = "event"


BY_REFERENCE = "allows ref struct"
"""The flag of type parameters that take types whose values live on the stack alone."""

MODES = ("ref", "out", "in")
"""How parameters are passed by reference."""


class TypeParameter:
    """A type parameter; equal to itself alone.

    Attributes:
        name: Its name.
        index: Its place among those of the method, or of the type and the types around it.
        of_method: Whether a method declares it.
        flags: Of `class`, `struct`, `notnull`, `new`, `unmanaged`, and `BY_REFERENCE`.
        variance: `in`, `out` or empty.
        node: Where a source declares it.
        in_signature: Whether the signature is being made of a method that inherits its constraints.
    """

    __slots__ = (
        "_constraints",
        "_flags",
        "_inherit",
        "_make",
        "in_signature",
        "index",
        "name",
        "node",
        "of_method",
        "variance",
    )

    def __init__(self, name: str, index: int, *, of_method: bool, variance: str = "") -> None:
        self.name = name
        self.index = index
        self.of_method = of_method
        self.variance = variance
        self.node: Node | None = None
        self.in_signature = False
        self._flags: set[str] = set()
        self._make: Callable[[], Sequence[Type]] | None = None
        self._inherit: Callable[[], tuple[set[str], Sequence[Type]]] | None = None
        self._constraints: Sequence[Type] = ()

    def __repr__(self) -> str:
        return self.name

    def constrain(self, make: Callable[[], Sequence[Type]]) -> None:
        """Set what makes its constraints when they are asked for."""
        self._make = make

    def inherit(self, make: Callable[[], tuple[set[str], Sequence[Type]]]) -> None:
        """Set what makes more flags and constraints of those of another one when they are asked for."""
        self._inherit = make

    @contextmanager
    def within_signature(self) -> Iterator[None]:
        """While the signature is made of a method that inherits its constraints, only what is written counts."""
        before = self._inherit, self.in_signature
        self._inherit, self.in_signature = None, self.in_signature or self._inherit is not None
        try:
            yield
        finally:
            self._inherit, self.in_signature = before

    def _complete(self) -> None:
        if self._inherit is not None:
            inherit, self._inherit = self._inherit, None
            self.in_signature = True  # nothing else is looked at until the other method is found
            flags, constraints = inherit()
            self.in_signature = False
            self._flags |= flags
            self._constraints = (*self._constraints, *constraints)

    @property
    def flags(self) -> set[str]:
        """The words among its constraints."""
        if self._inherit is not None:
            self._complete()
        return self._flags

    @property
    def constraints(self) -> Sequence[Type]:
        """The types that it is constrained to."""
        if self._make is not None:
            make, self._make = self._make, None
            self._constraints = make()
        if self._inherit is not None:
            self._complete()
        return self._constraints


class Named:
    """A definition with type arguments, those of the types around it first.

    Attributes:
        definition: The definition.
        arguments: As many as the definition has type parameters.
        names: What counts for nothing in comparisons: the names of a tuple's elements; of a type that nothing
            declares, the namespace that its place tells.
        is_open: Whether a type parameter stands in one of its arguments.
        weight: How many types it is made of.
        has_names: Whether it or one of its arguments has such names: equal types may differ in them then.
    """

    __slots__ = ("_hash", "arguments", "definition", "has_names", "is_open", "names", "weight")

    def __init__(
        self, definition: TypeDefinition, arguments: tuple[Type, ...] = (), names: tuple[str | None, ...] | None = None
    ) -> None:
        self.definition = definition
        self.arguments = arguments
        self.names = names
        named = names is not None and definition.kind is not TypeKind.OPAQUE
        self.has_names = named
        self.is_open = False
        if arguments:
            self.has_names = named or any(map(has_names, arguments))
            self.is_open = any(map(is_open, arguments))
        self.weight = 1 + sum(map(weigh, arguments)) if arguments else 1
        self._hash = 0

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return other.__class__ is Named and self.definition is other.definition and self.arguments == other.arguments

    def __hash__(self) -> int:
        if not self._hash:
            self._hash = hash((id(self.definition), self.arguments)) or 1
        return self._hash

    def __repr__(self) -> str:
        return self.definition.id + (f"<{','.join(map(repr, self.arguments))}>" if self.arguments else "")


FUNCTION = "*()"
"""The sign of pointers to functions."""


class Array(NamedTuple):
    """An array."""

    element: Type
    rank: int = 1


class Pointer(NamedTuple):
    """A pointer, or one to a function: then its element is the delegate type that takes and returns the same."""

    element: Type
    sign: str = "*"  # so that it never equals an array

    @property
    def is_function(self) -> bool:
        """Whether it points to a function."""
        return self.sign == FUNCTION


class Anonymous(NamedTuple):
    """An anonymous type, by the names and types of its properties."""

    properties: tuple[tuple[str, Type], ...]


class Special(Enum):
    """What is no type that a definition gives."""

    UNKNOWN = "?"
    DYNAMIC = "dynamic"
    NULL = "null"


UNKNOWN, DYNAMIC, NULL = Special.UNKNOWN, Special.DYNAMIC, Special.NULL


def has_names(type_: Type) -> bool:
    """Whether equal types may differ in the names of tuples' elements."""
    if type_.__class__ is Named:
        return type_.has_names
    return (type_.__class__ is Array or type_.__class__ is Pointer) and has_names(type_.element)


def is_open(type_: Type) -> bool:
    """Whether a type parameter stands somewhere in a type."""
    if type_.__class__ is Named:
        return type_.is_open
    if type_.__class__ is Array or type_.__class__ is Pointer:
        return is_open(type_.element)
    if type_.__class__ is Anonymous:
        return any(is_open(each) for _, each in type_.properties)
    return type_.__class__ is TypeParameter


def weigh(type_: Type) -> int:
    """How many types a type is made of."""
    if type_.__class__ is Named:
        return type_.weight
    return 1 + weigh(type_.element) if type_.__class__ is Array or type_.__class__ is Pointer else 1


def bound_weight(type_: Named) -> Type:
    """A type; the unknown in place of one that is made of more types than any that people write.

    Each step of a chain can double a type, as a member of type `A<(T, T)>` of an `A<T>` does.
    """
    return type_ if type_.weight <= MOST_WEIGHT else UNKNOWN


Type = Named | Array | Pointer | Anonymous | TypeParameter | Special
Substitution = dict[TypeParameter, Type]


class Parameter(NamedTuple):
    """A parameter.

    Attributes:
        name: Its name.
        type: Its type.
        mode: `ref`, `out`, `in` or empty.
        optional: Whether it needs no argument.
        is_params: Whether it takes what is left of the arguments.
        is_this: Whether it is the receiver of an extension method.
    """

    name: str
    type: Type
    mode: str = ""
    optional: bool = False
    is_params: bool = False
    is_this: bool = False


class Signature(NamedTuple):
    """What a member takes and returns."""

    parameters: tuple[Parameter, ...]
    returns: Type


class Member:
    """A member; its signature is made when it is asked for.

    Attributes:
        name: Its name; `.ctor`, `this[]`, `op_Addition`, and with the interface in front where it is explicit.
        kind: Its kind.
        owner: The definition that declares it; None of a local function and of a property of an anonymous type.
        access: As C# writes it.
        modifiers: Its modifiers.
        is_static: Whether it is called without an instance.
        is_extension: Whether it is static and its first parameter a receiver; also of one that stands for a member of
            an extension block, which has no `node`.
        type_parameters: Its own.
        priority: Of overload resolution.
        container: The class around the extension block that declares it.
        receiver: Makes the receiver of a member of an extension block.
        id: Its documentation id, once it is made.
        metadata_name: The name that an attribute gives an indexer in assemblies; empty where it is no plain literal.
        node: Where a source declares it.
        value: What a constant is, as written.
    """

    __slots__ = (
        *("_make", "_signature", "access", "container", "id", "is_extension", "is_static", "kind", "metadata_name"),
        *("modifiers", "name", "node", "owner", "priority", "receiver", "type_parameters", "value"),
    )

    def __init__(
        self, name: str, kind: MemberKind, owner: TypeDefinition | None, make: Callable[[], Signature]
    ) -> None:
        self.name = name
        self.kind = kind
        self.owner = owner
        self.access = "public"
        self.modifiers: frozenset[str] = frozenset()
        self.value = ""
        self.is_static = False
        self.is_extension = False
        self.type_parameters: tuple[TypeParameter, ...] = ()
        self.priority = 0
        self.container: TypeDefinition | None = None
        self.receiver: Callable[[], Parameter] | None = None
        self.id: str | None = None
        self.metadata_name: str | None = None
        self.node: Node | None = None
        self._make = make
        self._signature: Signature | None = None

    def __repr__(self) -> str:
        return f"{self.owner}.{self.name}"

    @property
    def signature(self) -> Signature:
        """What it takes and returns; while that is being made, nothing and the unknown."""
        if self._signature is None:
            self._signature = _CIRCULAR
            self._signature = self._make()
        return self._signature

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Its parameters."""
        return self.signature.parameters

    @property
    def parameters_after_receiver(self) -> tuple[Parameter, ...]:
        """Those of an extension method that a call on its receiver gives arguments to."""
        return self.parameters if self.receiver is not None else self.parameters[1:]

    @property
    def type(self) -> Type:
        """What it returns or holds."""
        return self.signature.returns


_CIRCULAR = Signature((), UNKNOWN)


class Bases(NamedTuple):
    """What a definition inherits.

    Attributes:
        base: Its base class; None without one, unknown where it is not known.
        interfaces: The interfaces that it lists, unknown ones included.
    """

    base: Type | None
    interfaces: tuple[Type, ...] = ()


_NOT_YET = Bases(None)


class Unfinished:
    """Counts how often something was read that is still being made: what was made meanwhile is not remembered.

    A base list may name types within the type that it stands on, so that what a type inherits is asked for while that
    is being found out. Without this it would depend on what is asked for first.
    """

    reads = 0


class TypeDefinition:
    """A type's declaration; the parts that cost are made when they are asked for.

    Attributes:
        namespace: Its namespace.
        name: Its simple name.
        arity: The number of its own type parameters.
        container: The definition around it.
        kind: Its kind.
        id: Its documentation id without `T:`.
        project: The project that declares it; None of a type from metadata.
        access: As C# writes it; empty where nothing is written.
        is_static, is_abstract, is_sealed, is_record, is_handler: What its modifiers and attributes say.
        is_ref: Whether it is a `ref struct`.
        ancestors: What it inherits, once that is found; see `ancestors`.
        builder: Whether a collection expression can become it by a method that an attribute names.
        is_inline: Whether it is an inline array of the sources.
        has_promises: Whether it is an interface of the sources with static members that its types have to implement.
        order: Where it stands among all types of the sources.
    """

    def __init__(
        self, namespace: str, name: str, arity: int, kind: TypeKind, container: TypeDefinition | None = None
    ) -> None:
        self.namespace = namespace
        self.name = name
        self.arity = arity
        self.container = container
        self.kind = kind
        around = container.id if container is not None else namespace
        tick = f"{name}`{arity}" if arity else name
        self.id: str = f"{around}.{tick}" if around else tick
        self.project: str | None = None
        self.access = ""
        self.is_static = self.is_abstract = self.is_sealed = self.is_ref = self.is_record = self.is_handler = False
        self.builder = self.is_inline = self.has_promises = False
        self.order = (0, 0)
        self.ancestors: object = None
        self._bases: Bases | None = None
        self._parameters: tuple[TypeParameter, ...] | None = None
        self._this: Named | None = None

    def __repr__(self) -> str:
        return self.id

    def make_parameters(self) -> tuple[TypeParameter, ...]:
        """The type parameters, those of the types around it first."""
        return ()

    def make_bases(self) -> Bases:
        """What it inherits, as written."""
        return Bases(UNKNOWN)

    def members(self, name: str) -> Sequence[Member]:
        """The members of a name."""
        del name
        return ()

    def hides(self, name: str) -> bool:
        """Whether it declares members of a name that cannot be read."""
        del name
        return False

    def find_underlying(self) -> Type | None:
        """The type of an enum's values; None if that is not known, and of other types."""
        return None

    def find_inline_element(self) -> Type | None:
        """The type of an inline array's elements, in terms of its own type parameters; None of other types."""
        return None

    def find_builder(self) -> tuple[Type, str] | None:
        """The type and the name of the method that makes it of a collection expression; None if sources tell none."""
        return None

    def nested(self, name: str) -> Sequence[TypeDefinition]:
        """The nested types of a name."""
        del name
        return ()

    def primary_parameters(self) -> Mapping[str, Type]:
        """The parameters of the primary constructor, by name."""
        return {}

    def find_explicit_interface(self, member: Member) -> Type | None:
        """The interface that an explicit implementation names."""
        del member
        return None

    def primary_name(self, name: str) -> Node | None:
        """Where the primary constructor declares a parameter."""
        del name
        return None

    @property
    def is_value(self) -> bool:
        """Whether its values are no references."""
        return self.kind is TypeKind.STRUCT or self.kind is TypeKind.ENUM

    @property
    def parameters(self) -> tuple[TypeParameter, ...]:
        """The type parameters, those of the types around it first."""
        if self._parameters is None:
            self._parameters = self.make_parameters()
        return self._parameters

    @property
    def own_parameters(self) -> tuple[TypeParameter, ...]:
        """The type parameters that its own head declares."""
        return self.parameters[len(self.parameters) - self.arity :] if self.arity else ()

    @property
    def this(self) -> Named:
        """The type that it is inside of itself."""
        if self._this is None:
            self._this = Named(self, self.parameters)
        return self._this

    @property
    def bases(self) -> Bases:
        """What it inherits, as written; while that is being made, nothing."""
        if self._bases is None:
            self._bases = _NOT_YET
            self._bases = self.make_bases()
        elif self._bases is _NOT_YET:
            Unfinished.reads += 1
        return self._bases


class OpaqueDefinition(TypeDefinition):
    """A type that no known source or assembly declares: equal to itself alone, its members and bases unknown."""

    def __init__(self, namespace: str, name: str, arity: int) -> None:
        super().__init__(namespace, name, arity, TypeKind.OPAQUE)

    def make_parameters(self) -> tuple[TypeParameter, ...]:
        """As many as it has arguments."""
        return tuple(TypeParameter(f"T{index}", index, of_method=False) for index in range(self.arity))
