"""Types that sources declare."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING

from codecortex.analysis.binding.declarations.heads import (
    BY_REFERENCE,
    INTERFACE_NAME,
    OPERATORS,
    find_named,
    type_parameter_list,
)
from codecortex.analysis.binding.declarations.holding import Holding
from codecortex.analysis.binding.declarations.members import CALLS, MemberReader
from codecortex.analysis.binding.declarations.signatures import (
    copy_type_parameters,
    make_type_parameters,
    read_parameters,
)
from codecortex.analysis.binding.scopes.scopes import ParameterScope
from codecortex.analysis.binding.types.inspect import is_kind, is_opaque
from codecortex.analysis.binding.types.substitution import substitute, substitute_parameters
from codecortex.analysis.binding.types.symbols import (
    UNKNOWN,
    Bases,
    Member,
    MemberKind,
    Named,
    Parameter,
    Signature,
    TypeDefinition,
    TypeKind,
    TypeParameter,
)
from codecortex.model.code.syntax import Node
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from codecortex.analysis.binding.declarations.heads import TypeHead
    from codecortex.analysis.binding.declarations.source import Source
    from codecortex.analysis.binding.scopes.scopes import Scope, TypeScope
    from codecortex.analysis.binding.scopes.type_syntax import TypeSyntax
    from codecortex.analysis.binding.types.symbols import Type
    from codecortex.analysis.binding.types.wellknown import WellKnown

_PRIMARY = frozenset(("class_declaration", "struct_declaration", "record_declaration"))
_MOST_BASES = 100
_NO_INTERFACES = frozenset((TypeKind.CLASS, TypeKind.STRUCT, TypeKind.ENUM, TypeKind.DELEGATE))
_MADE_BY = compile_later(
    r"\bCollectionBuilder(?:Attribute)?\s*\(\s*typeof\s*\([^()]*\)\s*,\s*"
    r'(?:"(\w+)"|nameof\s*\(\s*(?:\w+\s*\.\s*)*(\w+)\s*\))'
)
_EQUATABLE = "System.IEquatable`1"
_BUILDER = "System.Text.StringBuilder"
_PARTIAL = b"partial"
_WITH_MEMBERS = frozenset((TypeKind.CLASS, TypeKind.STRUCT, TypeKind.INTERFACE))
_WORDS = {".ctor": b"", ".cctor": b"", "this[]": b"this"}
"""What stands in the declarations of members that are called otherwise; the name of their type where nothing does."""
_WRITTEN_BASE = "primary_constructor_base_type"


class Part:
    """One declaration of a type.

    Attributes:
        definition: What it is a part of.
        scope: The scope of its inside.
    """

    __slots__ = ("_find", "_head", "_node", "_source", "_written", "definition", "scope")

    def __init__(
        self, definition: SourceDefinition, head: TypeHead | None, scope: TypeScope, find: Callable[[], Node | None],
        source: Source,
    ) -> None:  # fmt: skip
        """Make it.

        Args:
            definition: What it is a part of.
            head: What is known of it without its syntax.
            scope: The scope of its inside.
            find: Gives its node.
            source: The source in which it stands.
        """
        self.definition = definition
        self.scope = scope
        self._head = head
        self._find = find
        self._source = source
        self._node: Node | None = None
        self._written: Node | None = None

    @property
    def node(self) -> Node:
        """Its syntax; nothing where the source declares it only for who reads it otherwise."""
        if self._node is None:
            self._node = self._find() or Node("class_declaration", 0, 0, None, self._source.text)
        return self._node

    @property
    def is_lost(self) -> bool:
        """Whether it shows in no syntax."""
        return not self.node.end

    @property
    def is_by_reference(self) -> bool:
        """Whether it declares a `ref struct`: the grammar has no word for that, so its text tells."""
        node, name = self.node, self.node.field("name")
        return name is not None and BY_REFERENCE.search(self._source.text, node.start, name.start) is not None

    @property
    def head(self) -> Node:
        """Its syntax, or that of a declaration with the same type parameters, bases and constraints."""
        written = self._head.written if self._head is not None else None
        if self._node is not None or written is None:
            return self.node
        if self._written is None:
            made = self._source.read_head(written) if written else Node("interface_declaration", 0, 0, None, b"")
            self._written = made or self.node
        return self._written

    def may_declare(self, name: str) -> bool:
        """Whether a member of a name may stand in it, explicit implementations included."""
        known = self._head.members if self._head is not None else None
        return known is None or name in known or (name.startswith(OPERATORS) and OPERATORS in known)

    @property
    def body(self) -> Node | None:
        """Where its members stand."""
        return self.node.field("body")

    @property
    def is_by_name(self) -> bool:
        """Whether members can be read from it by name, without those of other names."""
        if self._head is None or self._head.members is None:
            return False
        body = self.body
        return body is None or body.source.find(_PARTIAL, body.start, body.end) < 0

    def list_extensions(self) -> Iterable[str] | None:
        """The names of its extension members; None where only its syntax tells."""
        return self._head.extensions if self._head is not None else None


class DeclaredMember(NamedTuple):
    """What a declaration in a type declares, and the scope of its signature."""

    member: Member
    scope: Scope


class SourceDefinition(TypeDefinition):
    """A type that sources declare.

    Attributes:
        parts: Its declarations.
        extension_blocks: The blocks of extension members within it.
    """

    def __init__(
        self, environment: tuple[TypeSyntax, WellKnown], place: tuple[str, str], arity: int, kind: TypeKind,
        container: SourceDefinition | None,
    ) -> None:  # fmt: skip
        """Make a definition without parts.

        Args:
            environment: What binds types.
            place: Its namespace and its name.
            arity: The number of its own type parameters.
            kind: Its kind.
            container: The definition around it.
        """
        super().__init__(*place, arity, kind, container)
        self.syntax, self.types = environment
        self.parts: list[Part] = []
        self.extension_blocks: list[SourceDefinition] = []
        self._nested: dict[str, list[TypeDefinition]] = {}
        self._members: dict[str, list[Member]] | None = None
        self._into: dict[str, list[Member]] = {}  # what is read goes here
        self._read: dict[Node, dict[str, list[Member]]] = {}  # by declarations that were read before all were
        self._named: dict[str, Sequence[Member]] = {}  # of names that were asked for before all were read
        self._declared: dict[Node, DeclaredMember] = {}
        self._primary: dict[str, Type] | None = None

    def add_nested(self, definition: TypeDefinition) -> None:
        """Add a nested type."""
        self._nested.setdefault(definition.name, []).append(definition)

    def nested(self, name: str) -> Sequence[TypeDefinition]:
        """The nested types of a name."""
        return self._nested.get(name, ())

    # -- head

    def make_parameters(self) -> tuple[TypeParameter, ...]:
        """The type parameters, those of the types around it first."""
        around = self.container.parameters if self.container is not None else ()
        if not self.arity:
            return tuple(around)
        heads = [(each.head, each.scope.parent or each.scope) for each in self.parts]
        return (*around, *make_type_parameters(self.syntax, heads, len(around), of_method=False))

    def place_parameters(self, node: Node) -> None:
        """Tell where type parameters are declared: in the declaration that is about to be bound, as in every other."""
        for parameter, written in zip(self.own_parameters, type_parameter_list(node), strict=False):
            parameter.node = written.field("name")

    def head_scope(self, part: Part) -> Scope:
        """The scope of a base list: the type parameters are seen, the nested types are not."""
        around = part.scope.parent or part.scope
        return ParameterScope(self.own_parameters, around)

    def base_syntax(self, node: Node) -> Iterator[tuple[Node, Node]]:
        """The types of the base list of a declaration, each with the node that it stands in."""
        written = node.first("base_list")
        for each in written.nodes if written is not None else ():
            if each.kind != "argument_list":
                yield (each.field("type") or each) if each.kind == _WRITTEN_BASE else each, each

    def make_bases(self) -> Bases:
        """What it inherits, as written."""
        base = self._implied_base()
        if self.kind in (TypeKind.ENUM, TypeKind.DELEGATE, TypeKind.EXTENSION):
            return Bases(base)
        interfaces: list[Type] = []
        for part in self.parts:
            scope = self.head_scope(part)
            for position, (node, holder) in enumerate(self.base_syntax(part.head)):
                type_ = self.syntax.bind(node, scope)
                if self._is_base_class(type_, node, first=position == 0, called=holder.kind == _WRITTEN_BASE):
                    base = type_
                elif not (isinstance(type_, Named) and type_.definition.kind in _NO_INTERFACES):
                    interfaces.append(type_ if not is_opaque(type_) else UNKNOWN)
        if self.is_record:
            interfaces.append(self.types.get(_EQUATABLE, self.this))
        return Bases(base, tuple(interfaces))

    def lists(self, other: TypeDefinition) -> bool:
        """Whether its base lists name a type."""
        listed = (self.bases.base, *self.bases.interfaces)
        return any(isinstance(each, Named) and each.definition is other for each in listed)

    def _implied_base(self) -> Type | None:
        if self.kind is TypeKind.CLASS:
            return self.types.object if self.id != "System.Object" else None
        names = {TypeKind.ENUM: "Enum", TypeKind.DELEGATE: "MulticastDelegate", TypeKind.STRUCT: "ValueType"}
        return self.types.get(f"System.{names[self.kind]}") if self.kind in names else None

    def _is_base_class(self, type_: Type, node: Node, *, first: bool, called: bool) -> bool:
        """Whether a type in a base list is the base class; of an unknown one its name tells."""
        if not first or self.kind is not TypeKind.CLASS or is_kind(type_, TypeKind.INTERFACE):
            return False
        unknown = type_ is UNKNOWN or is_opaque(type_)
        return called or not unknown or INTERFACE_NAME.match(node.text) is None

    # -- members

    def primary_list(self, node: Node) -> Node | None:
        """The parameters of a part's primary constructor, or an extension block's receiver."""
        known = node.kind in _PRIMARY or self.kind is TypeKind.EXTENSION
        return node.first("parameter_list") if known else None

    def primary_parameters(self) -> Mapping[str, Type]:
        """The parameters of the primary constructor."""
        if self._primary is None:
            self._primary = {}
            for part in self.parts:
                written = self.primary_list(part.node)
                if written is not None:
                    parameters = read_parameters(self.syntax, written, part.scope)
                    self._primary = {each.name: each.type for each in parameters}
        return self._primary

    def primary_name(self, name: str) -> Node | None:
        """Where the primary constructor declares a parameter."""
        lists = (self.primary_list(part.node) for part in self.parts)
        return find_named(
            (each for listed in lists if listed is not None for each in listed.of_kind("parameter")), name
        )

    def receiver(self) -> Parameter:
        """The receiver of an extension block."""
        part = self.parts[0]
        parameters = read_parameters(self.syntax, self.primary_list(part.node), part.scope)
        return parameters[0] if parameters else Parameter("", UNKNOWN)

    def members(self, name: str) -> Sequence[Member]:
        """The members of a name."""
        if self._members is None:
            if name in self._named:
                return self._named[name]
            if not self.may_declare(name):
                return ()
            if self._reads_by_name and "." not in name[1:]:
                found = self._named[name] = self._read_named(name)
                return found
        return self.all_members().get(name, ())

    def hides(self, name: str) -> bool:
        """Whether it declares members of a name that do not show in its syntax."""
        return self.may_declare(name) and any(each.is_lost for each in self.parts)

    def may_declare(self, name: str) -> bool:
        """Whether a member of a name may be among its own, those included that the compiler adds."""
        if self.is_record or name == ".ctor" or "." in name[1:]:
            return True
        if self.kind is TypeKind.DELEGATE and name in CALLS:
            return True
        return any(each.may_declare(name) for each in self.parts)

    def list_extensions(self) -> Iterable[str]:
        """The names of its extension members, perhaps with others."""
        named = [each.list_extensions() for each in self.parts]
        known = [each for each in named if each is not None]
        if self.extension_blocks or len(known) < len(named):
            every = (*self.all_members(), *(name for each in self.extension_blocks for name in each.all_members()))
            return dict.fromkeys(every)
        return dict.fromkeys(name for each in known for name in each)

    def declared(self, node: Node) -> DeclaredMember | None:
        """What a declaration in one of the parts declares."""
        if self._members is None and self._reads_by_name:
            self._read_around(node)
        else:
            self.all_members()
        return self._declared.get(node)

    def list_declared(self) -> Iterable[tuple[Node, DeclaredMember]]:
        """What declarations in the parts declare."""
        self.all_members()
        return self._declared.items()

    def find_explicit_interface(self, member: Member) -> Type | None:
        """The interface that an explicit implementation names."""
        for node, declared in self._declared.items():
            written = node.first("explicit_interface_specifier") if declared.member is member else None
            if written is not None:
                return self.syntax.bind(next(iter(written.nodes), None), declared.scope)
        return None

    def find_underlying(self) -> Type | None:
        """The type of an enum's values; None of other types."""
        if self.kind is not TypeKind.ENUM:
            return None
        written = [node for part in self.parts for node, _ in self.base_syntax(part.head)]
        return self.syntax.bind(written[0], self.head_scope(self.parts[0])) if written else self.types.int

    def find_inline_element(self) -> Type | None:
        """The type of an inline array's elements: that of its only field; None of other types."""
        if not self.is_inline or self.kind is not TypeKind.STRUCT:
            return None
        members = (each for named in self.all_members().values() for each in named)
        fields = [each for each in members if each.kind is MemberKind.FIELD and not each.is_static]
        return fields[0].type if len(fields) == 1 else None

    def find_builder(self) -> tuple[Type, str] | None:
        """The type and the name of the method that its attribute names."""
        lists = ((part, each) for part in self.parts if self.builder for each in part.node.of_kind("attribute_list"))
        for part, attribute in ((part, each) for part, listed in lists for each in listed.of_kind("attribute")):
            given = _MADE_BY.search(attribute.text)
            named = next((each for each in attribute.walk() if each.kind == "typeof_expression"), None)
            if given is not None and named is not None:
                return self.syntax.bind(named.field("type"), part.scope), given[1] or given[2]
        return None

    def all_members(self) -> Mapping[str, Sequence[Member]]:
        """All members by their names."""
        if self._members is None:
            self._members = self._into = {}
            for part in self.parts:
                if self.kind is TypeKind.DELEGATE:
                    self._reader.read_delegate(part.node, part.scope, self.types)
                body = part.body
                for node in body.nodes if body is not None else ():
                    self._read_again(node, part.scope)
            self._add_implied()
            for block in self.extension_blocks:
                for member in [each for named in block.all_members().values() for each in named]:
                    self._add_classic(member, block)
        return self._members

    @cached_property
    def _reader(self) -> MemberReader:
        return MemberReader(self, self.syntax, self._add)

    def _read_again(self, node: Node, scope: Scope) -> None:
        """Read a declaration, or take what it was read as before all were."""
        known = self._read.get(node)
        if known is None:
            self._reader.read(node, scope)
            return
        for name, members in known.items():
            self._into.setdefault(name, []).extend(members)

    # -- some members alone

    @cached_property
    def _reads_by_name(self) -> bool:
        """Whether members can be read by name: each is declared by what stands in one place."""
        if self.is_record or self.extension_blocks or self.kind not in _WITH_MEMBERS:
            return False
        return all(each.is_by_name for each in self.parts)

    @cached_property
    def _bodies(self) -> Mapping[Node | None, Scope]:
        """The bodies of its parts, with their scopes."""
        return {part.body: part.scope for part in self.parts}

    @cached_property
    def _holding(self) -> Holding:
        return Holding([body for body in self._bodies if body is not None])

    def _read_named(self, name: str) -> Sequence[Member]:
        """The members of a name, from the declarations that hold it."""
        found: list[Member] = []
        word = _WORDS.get(name, b"operator" if name.startswith(OPERATORS) else name.encode())
        for body, node in self._holding.list_nodes(word or self.name.encode()):
            found += self._read_alone(node, self._bodies[body]).get(name, ())
        if name == ".ctor":
            self._into = {name: found}
            self._add_constructors()
        return found

    def _read_alone(self, node: Node, scope: Scope) -> Mapping[str, Sequence[Member]]:
        """What one declaration declares, by name."""
        known = self._read.get(node)
        if known is None:
            known = self._into = self._read[node] = {}
            self._reader.read(node, scope)
        return known

    def _read_around(self, node: Node) -> None:
        """Read the declaration of a member in which a node stands."""
        while node.parent is not None:
            if node.parent in self._bodies:
                self._read_alone(node, self._bodies[node.parent])
                return
            node = node.parent

    def _add(self, member: Member, node: Node | None, scope: Scope, *, again: bool = False) -> None:
        """Add a member, or another declaration of one."""
        if self.kind is TypeKind.EXTENSION:
            member.container, member.receiver = self.container, self.receiver
        if node is not None:
            self._declared[node] = DeclaredMember(member, scope)
        if not again:
            self._into.setdefault(member.name, []).append(member)

    def _add_classic(self, member: Member, block: SourceDefinition) -> None:
        """Add the static method that a method of an extension block is called as on its class."""
        if member.kind is not MemberKind.METHOD:
            return
        parameters, given = copy_type_parameters((*block.own_parameters, *member.type_parameters))

        def make() -> Signature:
            taken = member.parameters if member.is_static else (block.receiver(), *member.parameters)
            return Signature(substitute_parameters(taken, given), substitute(member.type, given))

        made = Member(member.name, MemberKind.METHOD, self, make)
        made.is_static, made.access, made.modifiers = True, member.access, member.modifiers
        made.type_parameters, made.is_extension = parameters, not member.is_static
        self._add(made, None, self.parts[0].scope)

    def _add_implied(self) -> None:
        """Add what the compiler adds: constructors, and the members of records."""
        if ".ctor" in self._named:
            self._into[".ctor"] = [*self._named[".ctor"]]
        else:
            self._add_constructors()
        if self.is_record:
            self._add_record_members()

    def _add_constructors(self) -> None:
        """Add those of primary constructors, with what these declare, and the one that needs no declaration."""
        positional: dict[str, Member] = {}
        for part in self.parts if self.kind is not TypeKind.EXTENSION else ():
            written = self.primary_list(part.node)
            if written is not None:  # of several, which is an error, each declares what it writes
                constructor = Member(".ctor", MemberKind.CONSTRUCTOR, self, partial(self._read_primary, written, part))
                constructor.node = part.node.field("name")
                self._add(constructor, None, part.scope)
                if self.is_record:
                    self._add_positional(written, part.scope, constructor, positional)
        constructors = [each for each in self._into.get(".ctor", ()) if not each.is_static]
        if (self.kind in (TypeKind.STRUCT, TypeKind.ENUM) and all(each.parameters for each in constructors)) or (
            self.kind is TypeKind.CLASS and not constructors and not self.is_static
        ):
            self._make(".ctor", MemberKind.CONSTRUCTOR, self.types.void)

    def _make(self, name: str, kind: MemberKind, returns: Type, parameters: tuple[Parameter, ...] = ()) -> Member:
        member = Member(name, kind, self, lambda: Signature(parameters, returns))
        self._add(member, None, self.parts[0].scope)
        return member

    def _read_primary(self, written: Node, part: Part) -> Signature:
        return Signature(read_parameters(self.syntax, written, part.scope), self.types.void)

    def _add_positional(self, written: Node, scope: Scope, constructor: Member, known: dict[str, Member]) -> None:
        """Add a property for each positional parameter of a record, and its deconstruction."""
        listed = written.of_kind("parameter")
        for node in listed:
            name = node.field("name")
            if name is not None and name.name in known:
                self._add(known[name.name], node, scope, again=True)
            elif name is not None and not self._has_value(name.name):
                member = Member(name.name, MemberKind.PROPERTY, self, partial(self._value, node.field("type"), scope))
                member.node = name
                self._add(member, node, scope)
                known[name.name] = member
        others = self.members("Deconstruct")
        if listed and not any(len(each.parameters) == len(listed) for each in others):
            member = Member(
                *("Deconstruct", MemberKind.METHOD, self),
                lambda: Signature(tuple(each._replace(mode="out") for each in constructor.parameters), self.types.void),
            )
            self._add(member, None, scope)

    def _value(self, typed: Node | None, scope: Scope) -> Signature:
        return Signature((), self.syntax.bind(typed, scope))

    def _has_value(self, name: str) -> bool:
        """Whether the record declares or inherits a property or a field of a name."""
        definition: TypeDefinition = self
        values = (MemberKind.PROPERTY, MemberKind.FIELD)
        for _ in range(_MOST_BASES):
            if any(each.kind in values for each in definition.members(name)):
                return True
            base = definition.bases.base
            if not isinstance(base, Named):
                return False
            definition = base.definition
        return False

    def _add_record_members(self) -> None:
        for name, returns in (("ToString", self.types.string), ("GetHashCode", self.types.int)):
            if not any(not each.parameters for each in self.members(name)):
                self._make(name, MemberKind.METHOD, returns).modifiers = frozenset(("override",))
        if not any(len(e.parameters) == 1 and e.parameters[0].type == self.this for e in self.members("Equals")):
            self._make("Equals", MemberKind.METHOD, self.types.bool, (Parameter("other", self.this),))
        self._make(
            "Equals", MemberKind.METHOD, self.types.bool, (Parameter("obj", self.types.object),)
        ).modifiers = frozenset(("override",))
        base = self.bases.base
        if isinstance(base, Named) and base.definition.is_record:
            self._make("Equals", MemberKind.METHOD, self.types.bool, (Parameter("other", base),)).modifiers = frozenset(
                ("override",)
            )
        for name in ("op_Equality", "op_Inequality"):
            both = Parameter("left", self.this), Parameter("right", self.this)
            self._make(name, MemberKind.OPERATOR, self.types.bool, both).is_static = True
        hidden = "private" if self.kind is TypeKind.STRUCT or self.is_sealed else "protected"
        self._make_unless_declared("PrintMembers", self.types.bool, self.types.get(_BUILDER), hidden)
        if self.kind is TypeKind.CLASS:
            self._make("EqualityContract", MemberKind.PROPERTY, self.types.type).access = "protected"
            self._make_unless_declared(".ctor", self.types.void, self.this, hidden)

    def _make_unless_declared(self, name: str, returns: Type, taken: Type, access: str) -> None:
        """Add a method or constructor of one parameter, if there is none like it."""
        if not any([each.type for each in one.parameters] == [taken] for one in self.members(name)):
            kind = MemberKind.METHOD if name != ".ctor" else MemberKind.CONSTRUCTOR
            self._make(name, kind, returns, (Parameter("", taken),)).access = access
