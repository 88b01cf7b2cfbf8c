"""What syntax tells of a place where a name stands, and what came of looking the name up there."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from codecortex.model.code.types import TypeId


class Role(StrEnum):
    """What a name does at a place."""

    DECLARATION = "declaration"
    REFERENCE = "reference"


class Label(StrEnum):
    """How certain it is that a name means the symbol: by the language's rules, or by its letters alone."""

    EXACT = "exact"
    NAME = "name"


class Certainty(StrEnum):
    """What rows of usages are sorted and counted by, the most certain first; what surely means another is the last."""

    DECLARATION = "declaration"
    EXACT = "exact"
    NAME = "name"
    OTHER = "other"


class Context(StrEnum):
    """What the syntax around a name lets it be.

    `TYPE`: only a type. `VALUE`: an expression, so a value, a method or the type before a dot. `INVOKED`: the same
    before an argument list. `CREATED`: a type after `new`. `ATTRIBUTE`: an attribute's name. `IMPORT`: the target of a
    using directive. `NAMESPACE`: a part of a namespace's own name. `DECLARED`: a name that is given here. `ASSIGNED`: a
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
    """What the names before a name hang on.

    `NONE`: nothing stands before it. `NAMES`: names alone. `THIS`, `BASE`: names after that word, or none. `TYPED`: a
    value whose type is written there (`new T()`, a cast). `OTHER`: a value of which syntax tells nothing.
    """

    NONE = "none"
    NAMES = "names"
    THIS = "this"
    BASE = "base"
    TYPED = "typed"
    OTHER = "other"


class Receiver(NamedTuple):
    """What stands before a name and its dot.

    Attributes:
        root: See `Root`.
        names: The names between root and name, type arguments counted: ``List`1``.
        type: With a typed root, the type as written.
        start: Where it begins.
    """

    root: Root
    names: tuple[str, ...] = ()
    type: str = ""
    start: int = 0


class Site(NamedTuple):
    """One place where a name stands in code.

    Attributes:
        start: Offset of the name in the source as UTF-8.
        end: Just past it.
        line: From 1.
        column: From 1, in characters.
        text: The line, cut to a sane width, without the blanks around it.
        context: See `Context`.
        receiver: What stands before it.
        before: The token before the name, or before the receiver's first.
        arity: How many type arguments follow.
        following: The name after the next dot, or empty.
        arguments: How many arguments follow, where a list does; else -1.
        local: The type, as written, of a local variable or parameter that the first name of the receiver (the name
            itself, without one) is; empty where that type is not written; None where it is none.
        heads_type: Whether it stands in the head of a type's declaration: in its base list or before it.
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
    """What a name means at a place.

    Attributes:
        role: See `Role`.
        label: See `Label`.
        means: What it surely means instead, by its metadata name; empty where that is not known.
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
    """That a name surely means something else."""
    return Verdict(role, Label.NAME, fqn)


EXACT = Verdict(Role.REFERENCE, Label.EXACT)
BY_NAME = Verdict(Role.REFERENCE, Label.NAME)
DECLARATION = Verdict(Role.DECLARATION, Label.EXACT)


class Enclosing(NamedTuple):
    """What a place lies in; all empty outside of types.

    Attributes:
        type_id: The innermost type.
        fqn: Its metadata name.
        display: Its name as a reader writes it.
        member_id: The member.
        member: Its name, with parameter types where it takes any.
    """

    type_id: TypeId | None = None
    fqn: str = ""
    display: str = ""
    member_id: str = ""
    member: str = ""


class Usage(NamedTuple):
    """One place where a symbol, or something of its name, is named."""

    verdict: Verdict
    file: str
    line: int
    column: int
    end_column: int
    text: str
    enclosing: Enclosing
