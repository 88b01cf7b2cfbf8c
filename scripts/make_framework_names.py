"""Writes `codecortex/analysis/types/framework.py`'s table from a listing of the framework's public types.

    python scripts/make_framework_names.py LISTING.tsv.gz

The listing has a row for each type of the reference assemblies: `T`, the documentation id, the assembly, the kind, and
further columns, separated by tabs. Types nested in others are told by their prefix being a type too.
"""

from __future__ import annotations

import base64
import gzip
import re
import sys
import zlib
from collections import defaultdict
from pathlib import Path

TARGET = Path(__file__).resolve().parent.parent / "codecortex" / "analysis" / "types" / "framework.py"
_VALUES = ("struct", "enum")
_WIDTH = 110


def read_listing(path: Path) -> dict[str, bool]:
    """FQN to whether it is a value type, of every public type in the listing."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines if line.startswith("T\t")]
    kinds = {row[1].removeprefix("T:"): row[3] for row in rows}
    return {_nest(name, kinds): kind in _VALUES for name, kind in kinds.items()}


def _nest(name: str, kinds: dict[str, str]) -> str:
    """A documentation id as an FQN, with `+` before nested types."""
    outer, _, own = name.rpartition(".")
    return f"{_nest(outer, kinds)}+{own}" if outer in kinds else name


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
    packed = pack(read_listing(Path(sys.argv[1])))
    pieces = [packed[at : at + _WIDTH] for at in range(0, len(packed), _WIDTH)]
    table = "_PACKED = (\n" + "".join(f'    b"{piece}"\n' for piece in pieces) + ")\n"
    text = TARGET.read_text("utf-8")
    TARGET.write_text(re.sub(r"_PACKED = \(\n(?:    .*\n)*\)\n", lambda _: table, text), "utf-8")


if __name__ == "__main__":
    main()
