"""Writes a method of its own and its call, from what moves and what goes through it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.editing.refactoring.names import write_name
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


class Passed(NamedTuple):
    """A variable: its name and its type as written, how it is passed, whether the statements that move declare it."""

    name: str
    type: str
    mode: str = ""
    is_declared: bool = False
    is_inferred: bool = False


class Style(NamedTuple):
    """How a file is laid out.

    Attributes:
        member: The indentation of members.
        body: That of what stands in them.
        is_open: Whether braces stand on lines of their own.
    """

    member: str
    body: str
    is_open: bool = True


class Extracted(NamedTuple):
    """What the new method is.

    Attributes:
        name: Its name.
        modifiers: Its modifiers without `async`.
        type_parameters: The type parameters that it takes over.
        constraints: Their constraints, as written.
        parameters: What it takes.
        results: What it returns.
        returns: The type that is returned on all paths instead: empty for none, `void` where nothing is.
        locals: What it declares first.
        constants: Statements that declare constants again, without indentation.
        later: What the caller declares first.
        awaits: What stands behind the call where it is awaited, such as `.ConfigureAwait(false)`; None where not.
        task: How `Task` is written.
        returned: Where it returns on some paths only, and then tells so: the variable that gets what is returned, empty
            where nothing is; None where it does not.
        fallback: What stands for no value of that variable.
    """

    name: str
    modifiers: Sequence[str]
    type_parameters: Sequence[str] = ()
    constraints: Sequence[str] = ()
    parameters: Sequence[Passed] = ()
    results: Sequence[Passed] = ()
    returns: str = ""
    locals: Sequence[Passed] = ()
    constants: Sequence[str] = ()
    later: Sequence[Passed] = ()
    awaits: str | None = None
    task: str = "Task"
    returned: str | None = None
    fallback: str = "default"


def write_call(extracted: Extracted) -> str:
    """The call as an expression."""
    given = [f"{each.mode} {each.name}".lstrip() for each in extracted.parameters]
    arguments = ", ".join([*given, *([f"out var {extracted.returned}"] if extracted.returned else [])])
    call = f"{write_name(extracted.name)}{_angle(extracted.type_parameters)}({arguments})"
    return call if extracted.awaits is None else f"await {call}{extracted.awaits}"


def write_statements(extracted: Extracted, step: str = "    ", *, is_open: bool = True) -> list[str]:
    """The statements that call the method, line by line.

    Args:
        extracted: The method.
        step: How much deeper a block stands.
        is_open: Whether braces stand on lines of their own.
    """
    call, results = write_call(extracted), extracted.results
    if extracted.returned is not None:
        head = [f"if ({call})", "{"] if is_open else [f"if ({call}) {{"]
        return [*head, f"{step}return {extracted.returned}".rstrip() + ";", "}"]
    if extracted.returns:
        return [f"{call};", "return;"] if extracted.returns == "void" else [f"return {call};"]
    first = list(extracted.later)
    if len(results) == 1:
        [only] = results
        front = f"{_declare(only)} = " if only.is_declared else f"{only.name} = "
    elif results and all(each.is_declared for each in results):
        if all(each.is_inferred for each in results):
            front = f"var ({', '.join(each.name for each in results)}) = "
        else:
            front = f"({', '.join(map(_declare, results))}) = "
    else:
        first += [each for each in results if each.is_declared]
        front = f"({', '.join(each.name for each in results)}) = " if results else ""
    return [*(f"{each.type} {each.name};" for each in first), f"{front}{call};"]


def _declare(result: Passed) -> str:
    return f"{'var' if result.is_inferred else result.type} {result.name}"


def write_method(extracted: Extracted, style: Style, body: str) -> str:
    """The method; `body` has its indentation already.

    Args:
        extracted: What it is.
        style: The layout.
        body: The statements that moved.
    """
    words = [*extracted.modifiers, *(["async"] if extracted.awaits is not None else []), _write_return(extracted)]
    taken = [f"{each.mode} {each.type} {each.name}".lstrip() for each in extracted.parameters]
    if extracted.returned:
        taken.append(f"out {extracted.returns} {extracted.returned}")
    head = f"{' '.join(words)} {write_name(extracted.name)}{_angle(extracted.type_parameters)}({', '.join(taken)})"
    head += "".join(f" {each}" for each in extracted.constraints)
    lines = [f"{style.body}{each.type} {each.name};" for each in extracted.locals]
    lines += [style.body + each for each in extracted.constants]
    lines.append(body)
    if extracted.returned is not None:
        lines += [f"{style.body}{extracted.returned} = {extracted.fallback};"] if extracted.returned else []
        lines.append(f"{style.body}return false;")
    names = ", ".join(each.name for each in extracted.results)
    if names:
        lines.append(
            f"{style.body}return {names};" if len(extracted.results) == 1 else f"{style.body}return ({names});"
        )
    opening = f"\n{style.member}{{" if style.is_open else " {"
    return "\n".join([f"{style.member}{head}{opening}", *lines, f"{style.member}}}"])


def _write_return(extracted: Extracted) -> str:
    if extracted.returned is not None:
        plain = "bool"
    elif extracted.returns:
        plain = extracted.returns
    elif not extracted.results:
        plain = "void"
    elif len(extracted.results) == 1:
        plain = extracted.results[0].type
    else:
        plain = f"({', '.join(f'{each.type} {each.name}' for each in extracted.results)})"
    if extracted.awaits is None:
        return plain
    return extracted.task if plain == "void" else f"{extracted.task}<{plain}>"


def _angle(names: Sequence[str]) -> str:
    return f"<{', '.join(map(write_name, names))}>" if names else ""


class Piece(NamedTuple):
    """A part of a text that moves: what it says, and where it stood; -1 of what is written anew."""

    text: str
    start: int = -1


def move_lines(text: str, before: str, after: str, fixed: Collection[int] = ()) -> str:
    """A text whose lines, but for the first, give up an indentation for another; the first has none.

    Args:
        text: The text.
        before: The indentation of the line that it begins in.
        after: The new one; the first line gets it too.
        fixed: The lines, from 0, whose white space counts.
    """
    lines = text.split("\n")
    for number, line in enumerate(lines[1:], 1):
        if number not in fixed and line.startswith(before) and line.strip():
            lines[number] = after + line[len(before) :]
    return after + "\n".join(lines)
