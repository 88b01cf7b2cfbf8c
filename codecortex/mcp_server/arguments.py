"""Describes the parameters of tools: writes their input schemas and checks the arguments of calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.model.errors import UsageError
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MAX_TEXT = 100_000
_WORDS = {str: "string", int: "integer", bool: "boolean"}
_LARGEST = 1_000_000_000


class Parameter(NamedTuple):
    """One parameter of a tool.

    Attributes:
        name: Name in the schema.
        type: `str`, `int` or `bool`.
        default: Value if it is omitted; may be None.
        choices: The allowed values; empty for any.
        required: Whether it must be given.
        note: Description, if the name does not suffice.
        least: Smallest number.
        repeated: Whether it is a list of such values.
    """

    name: str
    type: type
    default: object = None
    choices: tuple[str, ...] = ()
    required: bool = False
    note: str = ""
    least: int = 0
    repeated: bool = False


def write_schema(parameters: Sequence[Parameter]) -> dict[str, Any]:
    """The JSON schema of an object with these properties; that others are refused is left to `check_arguments`."""
    schema: dict[str, Any] = {"type": "object", "properties": {each.name: _describe(each) for each in parameters}}
    required = [each.name for each in parameters if each.required]
    return schema | ({"required": required} if required else {})


def _describe(parameter: Parameter) -> dict[str, Any]:
    one: dict[str, Any] = {"type": _WORDS[parameter.type]}
    if parameter.choices:
        one["enum"] = list(parameter.choices)
    whole: dict[str, Any] = {"type": "array", "items": one} if parameter.repeated else one
    if parameter.default:
        whole["default"] = parameter.default
    if parameter.note:
        whole["description"] = parameter.note
    return whole


def check_arguments(given: Mapping[str, object], parameters: Sequence[Parameter]) -> dict[str, Any]:
    """Check the arguments of a call; return the value of every parameter, by name.

    Raises:
        UsageError: An argument is missing, unknown, of the wrong type or out of range.
    """
    known = {each.name for each in parameters}
    if strange := sorted(set(given) - known):
        message = f"Unknown argument {strange[0][:80]!r}."
        raise UsageError(message, f"The arguments are: {', '.join(each.name for each in parameters) or 'none'}.")
    values = {}
    for each in parameters:
        value = given.get(each.name)
        if value is None and each.required:
            raise UsageError(f"The argument {each.name!r} is missing.")
        values[each.name] = each.default if value is None else _check(each, value)
    return values


def _check(parameter: Parameter, value: object) -> object:
    if not parameter.repeated:
        return _check_one(parameter, value)
    if not isinstance(value, list):
        raise UsageError(f"{parameter.name!r} must be an array.")
    return tuple(_check_one(parameter, each) for each in value)


def _check_one(parameter: Parameter, value: object) -> object:
    name = parameter.name
    if not isinstance(value, parameter.type) or (parameter.type is int and isinstance(value, bool)):
        raise UsageError(f"{name!r} must be of type {_WORDS[parameter.type]}.")
    if isinstance(value, int) and not parameter.least <= value <= _LARGEST:
        raise UsageError(f"{name!r} must lie between {parameter.least} and {_LARGEST:,}.")
    if isinstance(value, str) and len(value) > MAX_TEXT:
        raise UsageError(f"{name!r} holds {len(value):,} characters; at most {MAX_TEXT:,} are taken.")
    if parameter.choices and value not in parameter.choices:
        raise UsageError(f"{name!r} must be one of: {', '.join(parameter.choices)}.")
    return value
