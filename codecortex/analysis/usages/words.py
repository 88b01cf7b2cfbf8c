"""What stands in every file that uses a symbol, so that the others need not be looked at."""

from __future__ import annotations

from codecortex.model.startup.named_tuple import NamedTuple

_ATTRIBUTE = "Attribute"
_FOREACH, _AWAIT = ("foreach",), ("await",)
_IMPLIED = {
    **dict.fromkeys(("GetEnumerator", "MoveNext", "Current", "GetAsyncEnumerator", "MoveNextAsync"), _FOREACH),
    **dict.fromkeys(("GetAwaiter", "GetResult", "IsCompleted"), _AWAIT),
    "Deconstruct": ("(",),
    "Add": ("{",),
}
"""What stands where the language implies a call of a member of a name."""
_SIGNS = {
    "op_Addition": "+", "op_UnaryPlus": "+", "op_Subtraction": "-", "op_UnaryNegation": "-", "op_Multiply": "*",
    "op_Division": "/", "op_Modulus": "%", "op_BitwiseAnd": "&", "op_BitwiseOr": "|", "op_ExclusiveOr": "^",
    "op_LeftShift": "<<", "op_RightShift": ">>", "op_UnsignedRightShift": ">>>", "op_Equality": "==",
    "op_Inequality": "!=", "op_LessThan": "<", "op_GreaterThan": ">", "op_LessThanOrEqual": "<=",
    "op_GreaterThanOrEqual": ">=", "op_LogicalNot": "!", "op_OnesComplement": "~", "op_Increment": "++",
    "op_Decrement": "--",
    "op_AdditionAssignment": "+=", "op_SubtractionAssignment": "-=", "op_MultiplicationAssignment": "*=",
    "op_DivisionAssignment": "/=", "op_ModulusAssignment": "%=", "op_BitwiseAndAssignment": "&=",
    "op_BitwiseOrAssignment": "|=", "op_ExclusiveOrAssignment": "^=", "op_LeftShiftAssignment": "<<=",
    "op_RightShiftAssignment": ">>=", "op_UnsignedRightShiftAssignment": ">>>=", "op_IncrementAssignment": "++",
    "op_DecrementAssignment": "--",
}  # fmt: skip


class Words(NamedTuple):
    """What stands in every file that uses a symbol.

    Attributes:
        names: Names, any of which.
        phrases: Texts, any of which, besides the names.
        everywhere: Whether nothing has to stand there: every file may use it.
        own: The name of the symbol itself; empty where it is used without one.
    """

    names: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    everywhere: bool = False
    own: str = ""


def words_of_type(name: str) -> Words:
    """What stands where a type is named; an attribute also by its short name."""
    short = name.removesuffix(_ATTRIBUTE)
    return Words((name, short) if short not in ("", name) else (name,), own=name)


def words_of_member(name: str, owner: str) -> Words:
    """What stands where a member of a type is used."""
    if name == ".ctor":
        return Words(words_of_type(owner).names, ("new", "base", "["))
    if name == "this[]":
        return Words((), ("[",))
    if name.startswith("op_"):
        sign = _SIGNS.get(name.replace("op_Checked", "op_"))
        return Words((), (sign, "operator")) if sign is not None else Words(everywhere=True)
    return Words((name,), _IMPLIED.get(name, ()), own=name)
