"""Decides what a new method takes, returns and is called as."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.analysis.binding.declarations.definitions import SourceDefinition
from codecortex.analysis.binding.types.inspect import id_of, is_reference
from codecortex.analysis.binding.types.symbols import Array, MemberKind, Named, Pointer, TypeKind
from codecortex.analysis.flow.passing import NotProvedError, Passing, Place, decide, find_exit
from codecortex.analysis.flow.region import read_region
from codecortex.analysis.flow.variables import find_function
from codecortex.editing.refactoring.extraction import Extracted, Passed
from codecortex.editing.refactoring.selections import FUNCTIONS, is_static, list_own
from codecortex.model.code.bindings import BindingRole
from codecortex.model.startup.patterns import compile_later
from codecortex.operations.refactoring.extraction.bound import is_by_reference
from codecortex.operations.refactoring.extraction.nullable import Nullability
from codecortex.operations.refactoring.extraction.syntax import (
    CALLERS,
    has_caller,
    is_await,
    is_fixed_member,
    is_place,
    is_receiver,
    list_above,
    list_constraints,
    refuse_place,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codecortex.analysis.binding.types.symbols import Type, TypeDefinition
    from codecortex.editing.refactoring.selections import Around, Selection
    from codecortex.model.code.bindings import Binding
    from codecortex.model.code.syntax import Node
    from codecortex.operations.refactoring.extraction.bound import Bound

_EXPRESSION_TREE = "System.Linq.Expressions.Expression`1"
_TASK = "System.Threading.Tasks.Task"
_CONFIGURED = compile_later(r"\.ConfigureAwait\((true|false)\)$")
_ACCESSES = ("member_access_expression", "element_access_expression")
_SELF_AWARE = (
    "M:System.Reflection.MethodBase.GetCurrentMethod",
    "M:System.Reflection.Assembly.GetCallingAssembly",
    "M:System.Diagnostics.StackTrace.#ctor",
    "M:System.Diagnostics.StackFrame.#ctor",
)


def find_shape(bound: Bound, selection: Selection, around: Around, name: str) -> Extracted:
    """What the method has to be.

    Raises:
        NotProvedError: None would surely do the same.
    """
    return _Shape(bound, selection, around).find(name)


class _Shape:
    """The method of one selection, as one project compiles it."""

    def __init__(self, bound: Bound, selection: Selection, around: Around) -> None:
        self._bound, self._selection, self._around = bound, selection, around
        self._nullability = Nullability(bound, selection, around)
        self._own = list(list_own(selection.nodes))
        self._inside = {start: each for start, each in bound.bindings.items() if self._has(start)}
        self._awaits = any(is_await(each) for each in self._own)
        self._place = Place(
            selection.nodes[0].start,
            selection.nodes[-1].end,
            find_function(selection.nodes[0], around.member),
            self._awaits,
        )

    def _has(self, start: int) -> bool:
        return self._selection.nodes[0].start <= start < self._selection.nodes[-1].end

    def find(self, name: str) -> Extracted:
        self._refuse_taken(name)
        self._refuse_syntax()
        self._refuse_names()
        static = is_static(self._around, self._selection)
        region = read_region(
            self._around.body, self._selection.ends, self._bound.variables, self._bound.meanings, self._bound.mutable
        )
        if region is None:
            raise NotProvedError("it is no part of what the member does")
        leaves = find_exit(region)
        passing = decide(region, self._bound.variables, self._place)
        if self._selection.is_expression:
            returns = self._check_expression(passing)
        else:
            returns = self._find_returned() if leaves != "end" else ""
        extracted = self._describe(passing, name, returns, static=static)
        if leaves == "either":
            extracted = self._tell_returned(extracted)
        used = self._list_type_parameters(extracted)
        names = [each.name for each, _ in used]
        constraints = [text for each, holder in used for text in list_constraints(each, holder)]
        return extracted._replace(type_parameters=names, constraints=constraints)

    # -- what is refused

    def _refuse_taken(self, name: str) -> None:
        definition, program = self._bound.definition, self._bound.sources.program
        taken = program.find_members(self._bound.file.project, definition.this, name)
        if definition.name == name or definition.nested(name) or any(True for _ in taken):
            raise NotProvedError(f"{definition.name} has {name} already")
        if any(each.name == name for each in self._bound.variables.values()):
            raise NotProvedError(f"{name} is a variable there")
        if any(each.name == name for each in definition.parameters):
            raise NotProvedError(f"{name} is a type parameter there")

    def _refuse_syntax(self) -> None:
        for each in self._own:
            if each.kind == "yield_statement":
                raise NotProvedError("a yield stands in it")
            if each.kind == "throw_statement" and not each.nodes and not self._is_caught(each):
                raise NotProvedError("it throws again what is caught outside")
            if each.kind in ("stackalloc_expression", "makeref_expression") or (
                each.kind == "prefix_unary_expression" and each.has("&")
            ):
                raise NotProvedError("it works with places in memory")
        first = self._selection.nodes[0].parent
        block = first.nodes if first is not None else []
        if self._selection.nodes[-1] is not (block[-1] if block else None):
            for each in self._selection.nodes:
                if each.kind == "local_declaration_statement" and each.has("using"):
                    raise NotProvedError("what it uses would be disposed of before the end of the block")

    def _is_caught(self, node: Node) -> bool:
        each: Node | None = node.parent
        while each is not None and self._has(each.start):
            if each.kind == "catch_clause":
                return True
            each = each.parent
        return False

    def _refuse_names(self) -> None:
        in_constructor = self._around.member.kind == "constructor_declaration" or self._is_init()
        caller_aware = self._list_caller_aware()
        for each in self._inside.values():
            if each.local == "local function" and not self._has(each.declared):
                raise NotProvedError(f"it uses the local function {each.name}")
            if each.name == "field" and each.local == "local" and each.declared < 0:
                raise NotProvedError("it uses the keyword field")
            if each.local == "parameter" and self._is_primary(each) and self._is_initializer():
                raise NotProvedError(f"it uses {each.name} of the primary constructor")
            if each.symbol in caller_aware or each.symbol.partition("(")[0] in _SELF_AWARE:
                raise NotProvedError(f"{each.name} asks who calls it")
            if in_constructor and each.role is BindingRole.WRITE and each.symbol and self._is_fixed(each):
                raise NotProvedError(f"{each.name} can only be assigned there")
        for start, each in self._bound.bindings.items():
            declared_inside = each.local == "local function" and self._has(each.declared)
            if (
                declared_inside
                and not self._has(start)
                and self._around.member.start <= start < self._around.member.end
            ):
                raise NotProvedError(f"the local function {each.name} is used outside of it")
        if self._around.holder.kind in ("struct_declaration", "record_struct_declaration") and in_constructor:
            raise NotProvedError("it stands in the constructor of a struct")

    def _is_primary(self, binding: Binding) -> bool:
        member = self._around.member
        return binding.declared >= 0 and not member.start <= binding.declared < member.end

    def _is_initializer(self) -> bool:
        kinds = ("field_declaration", "property_declaration", "event_field_declaration")
        return self._around.member.kind in kinds and is_static(self._around, self._selection)

    def _is_init(self) -> bool:
        name = self._around.body.field("name")
        return self._around.body.kind == "accessor_declaration" and name is not None and name.text == "init"

    def _is_fixed(self, binding: Binding) -> bool:
        """Whether a member may only be assigned in constructors; so is what is not found."""
        written = binding.symbol[2:].rpartition(".")[2].partition("(")[0]
        members = [each for each in self._bound.definition.members(written) if each.kind is not MemberKind.METHOD]
        return not members or any(is_fixed_member(each) for each in members)

    def _list_caller_aware(self) -> set[str]:
        """The ids of methods of the sources that ask for the caller's name or place."""
        files = [each for declared in self._bound.sources.files.values() for each in declared[:1]]
        if not any(word in each.tree.source for each in files for word in CALLERS):
            return set()
        called = {each.symbol for each in self._inside.values()
                  if each.symbol.startswith("M:") and each.project is not None}  # fmt: skip
        return {symbol for symbol in called if self._asks_caller(symbol)}

    def _asks_caller(self, symbol: str) -> bool:
        head = symbol[2:].partition("(")[0].partition("``")[0]
        owner, _, name = head.rpartition(".")
        for definition in self._bound.sources.program.find_types(owner):
            named = definition.members(".ctor" if name == "#ctor" else name)
            return any(has_caller(each) for each in named)
        return True

    # -- expressions

    def _check_expression(self, passing: Passing) -> str:
        """The type of the expression that is selected."""
        [node] = self._selection.nodes
        if passing.results or passing.later:
            raise NotProvedError("a variable that it assigns is used afterwards")
        refuse_place(node)
        self._refuse_tree(node)
        values = self._bound.watch.values
        value = values[0] if values else None
        if value is None or not value.certain or any(each is None or each.type != value.type for each in values):
            raise NotProvedError("it has no type of its own")
        if value.constant is not None or self._may_be_constant():
            raise NotProvedError("it may be a constant")
        if value.interpolated and node.parent is not None and node.parent.kind == "argument":
            raise NotProvedError("a handler may take the string apart")
        if is_receiver(node) and is_place(node) and is_reference(value.type) is not True:
            raise NotProvedError("its members would be called on a copy")
        program, project = self._bound.sources.program, self._bound.file.project
        if value.type == program.find_type(project, "System.Void"):
            raise NotProvedError("it has no value")
        written = self._bound.name_type(value.type)
        if written is None:
            raise NotProvedError("its type has no name that is known")
        if is_by_reference(value.type):
            raise NotProvedError("its value may only live on the stack")
        self._refuse_hidden(value.type)
        return self._nullability.write_result(node, value.type, written)

    def _refuse_tree(self, node: Node) -> None:
        """Refuse what may be a part of an expression tree."""
        each: Node | None = node
        while each is not None and each is not self._around.member:
            if each.kind in FUNCTIONS and each is not node and each.kind != "local_function_statement":
                body = each.field("body")
                target = self._bound.watch.targets.get(each.start)
                is_block = body is None or body.kind == "block"
                known = isinstance(target, Named) and target.definition.kind is TypeKind.DELEGATE
                if not is_block and (not known or id_of(target) == _EXPRESSION_TREE):
                    raise NotProvedError("it may be a part of an expression tree")
            each = each.parent

    def _may_be_constant(self) -> bool:
        kinds = {each.kind for each in self._own}
        if not kinds.isdisjoint(("invocation_expression", "object_creation_expression", "this", "await_expression")):
            return False
        names = [each for each in self._inside.values() if each.local or each.symbol[:2] in ("F:", "P:", "M:", "E:")]
        return all(not each.local and each.symbol.startswith("F:") for each in names)

    # -- what the function around returns

    def _find_returned(self) -> str:
        """The type that the function around returns; `void` where it returns nothing."""
        function = self._around.function
        if function is not None and function.kind != "local_function_statement":
            return self._find_lambda_returned(function)
        if any(each.kind == "yield_statement" for each in self._around.body.walk()):
            raise NotProvedError("it ends an iterator")
        if any(each.kind == "finally_clause" for each in list_above(self._selection.nodes[0], self._around.member)):
            raise NotProvedError("it ends in a finally block")
        holder = function or self._around.member
        if holder.kind in ("constructor_declaration", "destructor_declaration"):
            return "void"
        if self._around.body.kind == "accessor_declaration" and function is None:
            name = self._around.body.field("name")
            if name is None or name.text != "get":
                return "void"
        typed = holder.field("returns") or holder.field("type")
        if typed is None:
            raise NotProvedError("what it returns is not written")
        if typed.kind == "ref_type":
            raise NotProvedError("it returns a reference")
        if "async" in holder.modifiers():
            arguments = next((each for each in typed.walk() if each.kind == "type_argument_list"), None)
            return arguments.nodes[0].text if arguments is not None and len(arguments.nodes) == 1 else "void"
        return typed.text

    def _find_lambda_returned(self, function: Node) -> str:
        """The same of a lambda: what the delegate returns that it becomes."""
        target = self._bound.watch.targets.get(function.start)
        program, project = self._bound.sources.program, self._bound.file.project
        invoke = program.find_delegate(project, target) if target is not None else None
        if invoke is None:
            raise NotProvedError("it ends a lambda, whose type is not known")
        if invoke == program.find_type(project, "System.Void"):
            return "void"
        if "async" in function.modifiers() or function.has("async"):
            if not isinstance(invoke, Named) or len(invoke.arguments) != 1:
                return "void"
            [invoke] = invoke.arguments
        written = self._bound.name_type(invoke)
        if written is None:
            raise NotProvedError("it ends a lambda, whose type has no name that is known")
        return written

    def _tell_returned(self, extracted: Extracted) -> Extracted:
        """The method where it returns on some paths only: it tells whether the caller has to return."""
        if extracted.results or extracted.later:
            raise NotProvedError("it returns on some paths, and on others assigns what is used afterwards")
        if extracted.returns == "void":
            return extracted._replace(returned="")
        if self._awaits:
            raise NotProvedError("it is asynchronous and returns on some paths only")
        taken = {each.name for each in self._around.member.walk() if each.kind == "identifier"}
        name = next(each for each in ("returned", *(f"returned{number}" for number in range(1, 1000)))
                    if each not in taken)  # fmt: skip
        return extracted._replace(returned=name, fallback="default!" if self._bound.is_nullable else "default")

    def _describe(self, passing: Passing, name: str, returns: str, *, static: bool) -> Extracted:
        modifiers = ["private", "static"] if static else ["private"]
        if not static and self._is_readonly():
            modifiers.append("readonly")
        results = [self._pass(key, "") for key in passing.results]
        parameters = [self._pass(key, mode) for key, mode in passing.parameters]
        for key in (*passing.results, *(key for key, mode in passing.parameters if mode or self._awaits)):
            if is_by_reference(self._bound.find_type(key)):
                raise NotProvedError(f"{self._bound.variables[key].name} may only live on the stack")
        return Extracted(
            name,
            modifiers,
            parameters=parameters,
            results=results,
            returns=returns,
            locals=[self._pass(key, "") for key in passing.locals],
            constants=self._copy_constants(passing),
            later=[self._pass(key, "") for key in passing.later],
            awaits=self._find_configured() if self._awaits else None,
            task=self._name_task() if self._awaits else "Task",
        )

    def _pass(self, key: int, mode: str) -> Passed:
        variable = self._bound.variables[key]
        self._refuse_hidden(self._bound.find_type(key))
        written = self._bound.write_type(variable)
        if written is None or "*" in written:
            raise NotProvedError(f"the type of {variable.name} has no name that is known")
        written = self._nullability.write_variable(key, written)
        return Passed(variable.written, written, mode, self._place.has(key), is_inferred=variable.typed is None)

    def _refuse_hidden(self, type_: Type) -> None:
        """Refuse a type of the file alone where others see the method's type."""
        if "file" not in self._around.holder.modifiers() and any(map(_is_of_file, _list_definitions(type_))):
            raise NotProvedError("a type that it needs is seen in this file alone")

    def _copy_constants(self, passing: Passing) -> list[str]:
        statements = {}
        for key in passing.constants:
            node = self._bound.variables[key].constant
            if node is not None:
                statements[node.start] = node
        for node in statements.values():
            for each in node.walk():
                known = self._bound.meanings.get(each.start) if each.kind == "identifier" else None
                if known is not None and known not in passing.constants:
                    raise NotProvedError("it uses a constant that is made of another one")
        return [statements[start].text for start in sorted(statements)]

    def _is_readonly(self) -> bool:
        if "struct" not in self._around.holder.kind and not self._around.holder.has("struct"):
            return False
        return any("readonly" in each.modifiers() for each in (self._around.member, self._around.body))

    def _find_configured(self) -> str:
        """What follows each awaited task, where all agree."""
        awaited = [each.nodes[-1].text for each in self._own if each.kind == "await_expression" and each.nodes]
        found = {match[0] if (match := _CONFIGURED.search(each)) else "" for each in awaited}
        return found.pop() if len(found) == 1 else ""

    def _name_task(self) -> str:
        program, project = self._bound.sources.program, self._bound.file.project
        written = self._bound.name_type(program.find_type(project, _TASK))
        if written is None:
            raise NotProvedError("Task is not known")
        return written

    # -- type parameters

    def _list_type_parameters(self, extracted: Extracted) -> list[tuple[Node, Node]]:
        """The names of type parameters of functions around that it needs, each with the function."""
        typed = (*extracted.parameters, *extracted.results, *extracted.locals)
        texts = " ".join((*(each.type for each in typed), extracted.returns, *extracted.constants))
        found = []
        for holder in self._list_generic():
            for each in holder.walk():
                if each.kind != "type_parameter" or each.parent is None or each.parent.parent is not holder:
                    continue
                named = each.field("name")
                if named is None:
                    continue
                used = any(
                    one.local == "type parameter" and one.declared == named.start for one in self._inside.values()
                )
                if used or re.search(rf"(?<!\w){re.escape(named.name)}(?!\w)", texts):
                    found.append((named, holder))
        return found

    def _list_generic(self) -> Iterator[Node]:
        member = self._around.member
        above = [each for each in list_above(self._selection.nodes[0], member) if each.kind in FUNCTIONS]
        return (each for each in (member, *reversed(above)) if each.first("type_parameter_list") is not None)


def _list_definitions(type_: Type) -> Iterator[TypeDefinition]:
    """The types that a type is made of, with those around them."""
    if isinstance(type_, (Array, Pointer)):
        yield from _list_definitions(type_.element)
    if isinstance(type_, Named):
        definition: TypeDefinition | None = type_.definition
        while definition is not None:
            yield definition
            definition = definition.container
        for each in type_.arguments:
            yield from _list_definitions(each)


def _is_of_file(definition: TypeDefinition) -> bool:
    return isinstance(definition, SourceDefinition) and "file" in definition.parts[0].node.modifiers()
