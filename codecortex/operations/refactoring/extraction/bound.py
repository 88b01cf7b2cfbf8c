"""Binds the file around a selection: its variables, their types, and what its names mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.body.watching import Watch
from codecortex.analysis.binding.declarations.definitions import SourceDefinition
from codecortex.analysis.binding.scopes.type_names import is_pointer
from codecortex.analysis.binding.types.inspect import has_unknown, id_of, is_reference
from codecortex.analysis.binding.types.symbols import UNKNOWN, Named, TypeKind
from codecortex.analysis.flow.variables import Variable, read_variable
from codecortex.model.code.bindings import BindingRole
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.bindings.memory import bind_deep
from codecortex.operations.bindings.sources import declare_sources, redeclare
from codecortex.operations.references.references import Reach

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from codecortex.analysis.binding.declarations.declare import DeclaredFile
    from codecortex.analysis.binding.scopes.scopes import TypeScope
    from codecortex.analysis.binding.types.symbols import Type
    from codecortex.editing.refactoring.selections import Around, Selection
    from codecortex.model.code.bindings import Binding
    from codecortex.operations.bindings.sources import Sources
    from codecortex.operations.catalog.workspace import Workspace

VALUE = -2
"""The key of `value` in an accessor, which no name declares."""

_UNCHANGING = frozenset(
    f"System.{name}"
    for name in (
        *("Boolean", "Byte", "SByte", "Char", "Decimal", "Double", "Single", "Int16", "Int32", "Int64", "UInt16"),
        *(
            "UInt32",
            "UInt64",
            "IntPtr",
            "UIntPtr",
            "Int128",
            "UInt128",
            "Half",
            "DateTime",
            "DateTimeOffset",
            "DateOnly",
        ),
        *("TimeOnly", "TimeSpan", "Guid", "Index", "Range", "Nullable`1", "ReadOnlySpan`1", "Span`1", "Memory`1"),
        *(
            "ReadOnlyMemory`1",
            "Threading.CancellationToken",
            "Threading.Tasks.ValueTask",
            "Threading.Tasks.ValueTask`1",
        ),
        *(
            "Collections.Generic.KeyValuePair`2",
            "Collections.Immutable.ImmutableArray`1",
            "Text.Rune",
            "RuntimeTypeHandle",
        ),
    )
)
_BY_REFERENCE = frozenset(("System.Span`1", "System.ReadOnlySpan`1", "System.Text.Json.Utf8JsonReader"))


class Bound(NamedTuple):
    """A file around a selection, bound.

    Attributes:
        sources: What was bound.
        file: The file.
        definition: The type around the selection.
        scope: The scope of the type's inside.
        bindings: What names mean, by offset.
        watch: The types of locals and of the expression.
        variables: The variables of the member, by key.
        meanings: The variable that a name stands for, by the offset of the name.
        mutable: The variables that a call of a member may change.
        is_nullable: Whether the compiler asks which references may be null.
    """

    sources: Sources
    file: DeclaredFile
    definition: SourceDefinition
    scope: TypeScope
    bindings: Mapping[int, Binding]
    watch: Watch
    variables: Mapping[int, Variable]
    meanings: Mapping[int, int]
    mutable: frozenset[int]
    is_nullable: bool

    def find_type(self, key: int) -> Type:
        """The type of a variable; unknown where nothing tells or several things do."""
        known = self.watch.locals.get(key, ())
        return known[0] if len(known) == 1 else UNKNOWN

    def write_type(self, variable: Variable) -> str | None:
        """The type of a variable as it has to be written; None where it has no name."""
        if variable.typed is not None:
            return variable.typed.text
        return self.name_type(self.find_type(variable.key))

    def name_type(self, type_: Type) -> str | None:
        """A type as it has to be written in the type around; None where it has no name."""
        if has_unknown(type_) or is_pointer(type_):
            return None
        return self.sources.program.name_type(self.file.project, self.scope, type_)


def bind_around(workspace: Workspace, path: str, text: bytes, selection: Selection, around: Around) -> Sequence[Bound]:
    """Bind a file for each project that compiles it.

    Args:
        workspace: The tree.
        path: The file.
        text: What it says, a line feed for every line end.
        selection: The selection.
        around: What stands around it.
    """
    with bind_deep():
        declared = declare_sources(workspace, {path}, Reach.MACHINE)
        symbols = {each.path: each.symbols for each in workspace.projects}
        sources = redeclare(declared, {path: text}, symbols)
        nullable = {each.path for each in workspace.projects if each.nullable}
        found = [_bind(sources, file, selection, around) for file in sources.files.get(path, ())]
    return [each._replace(is_nullable=each.file.project in nullable or b"#nullable enable" in text) for each in found]


def _bind(sources: Sources, file: DeclaredFile, selection: Selection, around: Around) -> Bound:
    holder = next((node for node in file.types if node.start == around.holder.start), None)
    if holder is None:
        raise LookupError(file.path)
    part = file.types[holder]
    watch = Watch((selection.nodes[0].start, selection.nodes[0].end) if selection.is_expression else (-1, -1))
    placed = sources.program.bind(file, None, watch).bindings
    bindings = {each.start: each.binding for each in placed if each.binding.name}
    variables, meanings = _read_variables(bindings, around)
    mutable = frozenset(key for key in variables if _may_change(watch.locals.get(key, ())))
    return Bound(
        sources, file, part.definition, part.scope, bindings, watch, variables, meanings, mutable, is_nullable=False
    )


def _read_variables(bindings: Mapping[int, Binding], around: Around) -> tuple[dict[int, Variable], dict[int, int]]:
    member = around.member
    variables: dict[int, Variable] = {}
    meanings: dict[int, int] = {}
    for start, binding in bindings.items():
        is_variable = binding.local in ("local", "parameter") and binding.role is not BindingRole.ARGUMENT
        if not is_variable or not member.start <= start < member.end:
            continue
        key = binding.declared
        if key < 0 and binding.name == "value" and binding.local == "parameter":
            key = VALUE
            variables[key] = Variable(key, "value", "value", member.field("type"), is_parameter=True)
        elif not member.start <= key < member.end:
            continue
        elif key not in variables:
            read = read_variable(member, key)
            if read is None:
                continue
            variables[key] = read
        meanings[start] = key
    return variables, meanings


def _may_change(types: Sequence[Type]) -> bool:
    """Whether a call of a member may change what is in a variable."""
    if len(types) != 1:
        return True
    [type_] = types
    if is_reference(type_) is True:
        return False
    if isinstance(type_, Named):
        definition = type_.definition
        if definition.kind is TypeKind.ENUM or definition.id in _UNCHANGING:
            return False
        if isinstance(definition, SourceDefinition):
            return not any("readonly" in part.node.modifiers() for part in definition.parts)
    return True


def is_by_reference(type_: Type) -> bool:
    """Whether values of a type may only live on the stack."""
    if not isinstance(type_, Named):
        return False
    definition = type_.definition
    if isinstance(definition, SourceDefinition):
        return any(part.is_by_reference for part in definition.parts)
    return id_of(type_) in _BY_REFERENCE
