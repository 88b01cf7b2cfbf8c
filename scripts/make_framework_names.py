"""Writes `codecortex/analysis/types/framework.py`'s table from the shipped index of .NET 10.

python scripts/make_framework_names.py
"""

from __future__ import annotations

import base64
import re
import zlib
from collections import defaultdict
from pathlib import Path

from codecortex.store.metadata.frameworks import BASE, open_framework

TARGET = Path(__file__).resolve().parent.parent / "codecortex" / "analysis" / "types" / "framework.py"
_VALUES = ("struct", "enum")
_SECOND = "#"  # in the name of a type that another assembly declares too
_WIDTH = 110


def list_types() -> dict[str, bool]:
    """FQN, with `+` before nested types, to whether it is a value type, of every public type."""
    index = open_framework(BASE)
    found = {}
    for space in index.namespaces:
        for name in index.names(space):
            for inner in ("", *index.find_inner(space, name)):
                declared = index.find_type(space, name, inner)
                if declared is not None and _SECOND not in name:
                    fqn = f"{space}.{name}" if space else name
                    found[fqn + inner.replace(".", "+")] = declared.row.kind in _VALUES
    return found


def pack(names: dict[str, bool]) -> str:
    """The table as text: a line for each namespace with its types, `*` after value types."""
    spaces: dict[str, list[str]] = defaultdict(list)
    for fqn, value in sorted(names.items()):
        outermost, plus, inner = fqn.partition("+")
        space, _, own = outermost.rpartition(".")
        spaces[space].append(own + plus + inner + ("*" if value else ""))
    text = "\n".join(" ".join([space, *own]) for space, own in sorted(spaces.items()))
    return base64.b85encode(zlib.compress(text.encode(), 9)).decode()


def main() -> None:
    """Replace the table in the module."""
    packed = pack(list_types())
    pieces = [packed[at : at + _WIDTH] for at in range(0, len(packed), _WIDTH)]
    table = "_PACKED = (\n" + "".join(f'    b"{piece}"\n' for piece in pieces) + ")\n"
    text = TARGET.read_text("utf-8")
    TARGET.write_text(re.sub(r"_PACKED = \(\n(?:    .*\n)*\)\n", lambda _: table, text), "utf-8")


if __name__ == "__main__":
    main()
