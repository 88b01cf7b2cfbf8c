"""Values for usages: what the syntax at an occurrence of a name tells, and what name resolution found there."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from codecortex.model.code.types import TypeId


class Role(StrEnum):
    """Whether an occurrence declares the symbol or refers to it."""

    DECLARATION = "declaration"
    REFERENCE = "reference"


class Label(StrEnum):
    """How certain it is that a name means the symbol: by the language's rules, or because the names are equal."""

    EXACT = "exact"
    NAME = "name"


class Certainty(StrEnum):
    """The order in which usages are sorted and counted, the most certain first; `OTHER` surely means another symbol."""

    DECLARATION = "declaration"
    EXACT = "exact"
    LIKELY = "likely"
    NAME = "name"
    OTHER = "other"


class Context(StrEnum):
    """What a name can be by the syntax around it.

    `TYPE`: only a type. `VALUE`: an expression, so a value, a method or the type before a dot. `INVOKED`: the same
    before an argument list. `CREATED`: a type after `new`. `ATTRIBUTE`: an attribute's name. `IMPORT`: the target of a
    using directive. `NAMESPACE`: a part of a namespace's own name. `DECLARED`: the name of a declaration. `ASSIGNED`: a
    member in an initialiser or a pattern, whose owner is `Site.receiver`. `LABEL`: a parameter's name before its
    argument, a statement's label, an anonymous type's member.
    """

    TYPE = "type"
    VALUE = "value"
    INVOKED = "invoked"
    CREATED = "created"
    ATTRIBUTE = "attribute"
    IMPORT = "import"
    NAMESPACE = "namespace"
    DECLARED = "declared"
    ASSIGNED = "assigned"
    LABEL = "label"


class Root(StrEnum):
    """What a chain of names before a dot starts with.

    `NONE`: there is no receiver. `NAMES`: a name. `THIS`, `BASE`: that keyword. `TYPED`: a value whose type is written
    there (`new T()`, a cast). `OTHER`: a value whose type the syntax does not tell.
    """

    NONE = "none"
    NAMES = "names"
    THIS = "this"
    BASE = "base"
    TYPED = "typed"
    OTHER = "other"


class Receiver(NamedTuple):
    """The expression before a name and its dot.

    Attributes:
        root: See `Root`.
        names: The names between root and the dot, with the number of type arguments: ``List`1``.
        type: For `Root.TYPED`, the type as written.
        start: Its offset in the source.
    """

    root: Root
    names: tuple[str, ...] = ()
    type: str = ""
    start: int = 0


class Site(NamedTuple):
    """One occurrence of a name in code.

    Attributes:
        start: Offset of the name in the UTF-8 source.
        end: Offset of its end.
        line: From 1.
        column: From 1, in UTF-16 units.
        text: The line, truncated to a maximum width, without leading and trailing white space.
        context: See `Context`.
        receiver: The expression before it.
        before: The token before the name, or before the receiver.
        arity: The number of type arguments that follow.
        following: The name after the next dot, or empty.
        arguments: The number of arguments if an argument list follows; otherwise -1.
        local: If the first name of the receiver (without a receiver, the name itself) is a local variable or
            parameter: its type as written, empty where the type is not written. None if it is neither.
        heads_type: Whether it is in the head of a type declaration: in its base list or before it.
    """

    start: int
    end: int
    line: int
    column: int
    text: str
    context: Context
    receiver: Receiver
    before: str
    arity: int
    following: str
    arguments: int
    local: str | None
    heads_type: bool


class Verdict(NamedTuple):
    """What a name means at an occurrence.

    Attributes:
        role: See `Role`.
        label: See `Label`.
        means: The FQN of the other symbol that it surely means; empty where none is known.
    """

    role: Role
    label: Label
    means: str = ""

    @property
    def certainty(self) -> Certainty:
        """How certain it is that the symbol is meant."""
        if self.label is Label.EXACT:
            return Certainty.DECLARATION if self.role is Role.DECLARATION else Certainty.EXACT
        return Certainty.OTHER if self.means else Certainty.NAME


def mean_other(fqn: str, role: Role = Role.REFERENCE) -> Verdict:
    """The verdict that a name surely means another symbol."""
    return Verdict(role, Label.NAME, fqn)


EXACT = Verdict(Role.REFERENCE, Label.EXACT)
BY_NAME = Verdict(Role.REFERENCE, Label.NAME)
DECLARATION = Verdict(Role.DECLARATION, Label.EXACT)


class Enclosing(NamedTuple):
    """The type and the member around an occurrence; all empty outside of types.

    Attributes:
        type_id: The innermost type.
        fqn: Its FQN.
        display: Its name in C# syntax.
        member_id: The member's id.
        member: Its name, with parameter types if it has parameters.
    """

    type_id: TypeId | None = None
    fqn: str = ""
    display: str = ""
    member_id: str = ""
    member: str = ""


class Usage(NamedTuple):
    """One place that uses a symbol, or bears its name.

    Attributes:
        file: Path of the file.
        line: From 1.
        column: From 1, in UTF-16 units.
        end_column: The column after the name; the same column where no name of the symbol stands.
        text: The line.
        certainty: Whether it declares the symbol, or how certain it is that it means it.
        role: What it is used for there: a `BindingRole`, or `reference` where that is not known.
        enclosing: The type and the member around.
        means: The documentation id of the other symbol that is meant, or may be; empty where none is known.
        why: Why it is not exact; empty where it is, and where `means` says it.
        through: The documentation id of the member of its family that it names; empty if it names the symbol itself.
        generated: Whether it is in generated code.
    """

    file: str
    line: int
    column: int
    end_column: int
    text: str
    certainty: Certainty
    role: str
    enclosing: Enclosing = Enclosing()
    means: str = ""
    why: str = ""
    through: str = ""
    generated: bool = False
