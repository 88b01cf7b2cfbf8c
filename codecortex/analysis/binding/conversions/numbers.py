"""Numeric conversions and promotions of the language."""

from __future__ import annotations

_SIGNED_FLOATS = "Single Double Decimal"
_IMPLICIT = {
    "SByte": f"Int16 Int32 Int64 {_SIGNED_FLOATS} IntPtr",
    "Byte": f"Int16 UInt16 Int32 UInt32 Int64 UInt64 {_SIGNED_FLOATS} IntPtr UIntPtr",
    "Int16": f"Int32 Int64 {_SIGNED_FLOATS} IntPtr",
    "UInt16": f"Int32 UInt32 Int64 UInt64 {_SIGNED_FLOATS} IntPtr UIntPtr",
    "Int32": f"Int64 {_SIGNED_FLOATS} IntPtr",
    "UInt32": f"Int64 UInt64 {_SIGNED_FLOATS} UIntPtr",
    "Int64": _SIGNED_FLOATS,
    "UInt64": _SIGNED_FLOATS,
    "Char": f"UInt16 Int32 UInt32 Int64 UInt64 {_SIGNED_FLOATS} IntPtr UIntPtr",
    "Single": "Double",
    "IntPtr": f"Int64 {_SIGNED_FLOATS}",
    "UIntPtr": f"UInt64 {_SIGNED_FLOATS}",
    "Double": "",
    "Decimal": "",
}
WIDENING = {
    f"System.{source}": frozenset(f"System.{target}" for target in targets.split())
    for source, targets in _IMPLICIT.items()
}
"""The numeric types, and to which others each converts implicitly."""

_RANGES = {
    "SByte": (-(2**7), 2**7 - 1),
    "Byte": (0, 2**8 - 1),
    "Int16": (-(2**15), 2**15 - 1),
    "UInt16": (0, 2**16 - 1),
    "UInt32": (0, 2**32 - 1),
    "UInt64": (0, 2**64 - 1),
    "IntPtr": (-(2**31), 2**31 - 1),
    "UIntPtr": (0, 2**32 - 1),
}
SIZES = {
    f"System.{name}": size
    for size, names in ((1, "Boolean Byte SByte"), (2, "Char Int16 UInt16"), (4, "Int32 UInt32 Single"))
    for name in names.split()
} | {"System.Int64": 8, "System.UInt64": 8, "System.Double": 8, "System.Decimal": 16}
"""How many bytes values take, of the types of which the language tells it."""
LARGEST: dict[str, int] = {f"System.Int{bits}": 2 ** (bits - 1) - 1 for bits in (16, 32, 64)}
"""The types that have a constant `MaxValue`, and what it is."""
RANGES = {f"System.{name}": extent for name, extent in _RANGES.items()}
"""The types to which a constant of `int` converts, and which constants do."""

SIGNED = frozenset(f"System.{name}" for name in ("SByte", "Int16", "Int32", "Int64", "IntPtr"))
UNSIGNED = frozenset(f"System.{name}" for name in ("Byte", "UInt16", "UInt32", "UInt64", "UIntPtr"))
SMALL = frozenset(f"System.{name}" for name in ("SByte", "Byte", "Int16", "UInt16", "Char"))
_ORDER = tuple(f"System.{name}" for name in ("Decimal", "Double", "Single", "UInt64", "Int64", "UInt32"))
_SHIFTED = frozenset(f"System.{name}" for name in ("Int64", "UInt64", "UInt32", "IntPtr", "UIntPtr"))
SHIFTS = frozenset(("<<", ">>", ">>>"))
_INT, _UINT, _LONG, _NUINT = "System.Int32", "System.UInt32", "System.Int64", "System.UIntPtr"


def promote(sign: str, left: str, right: str) -> str | None:
    """The type of an operation on two numbers, by the ids of their types; None if one is no number."""
    if left not in WIDENING or right not in WIDENING:
        return None
    if sign in SHIFTS:
        return left if left in _SHIFTED else _INT
    if {left, right} == {_UINT, _NUINT}:
        return _NUINT
    for name in _ORDER:
        if name in (left, right):
            mixed = name == _UINT and (left in SIGNED or right in SIGNED)
            return _LONG if mixed else name
    native = next((name for name in ("System.IntPtr", _NUINT) if name in (left, right)), None)
    return native or _INT
