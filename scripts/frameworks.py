"""Makes the shipped indexes of frameworks from their reference assemblies: `frameworks.py FOLDER...`.

Each folder holds the reference assemblies of one framework and is given as `NAME=FOLDER`, such as
`net10.0=packs/Microsoft.NETCore.App.Ref/10.0.12/ref/net10.0`. The first is packed whole; the others as what sets them
apart from it, unless their name begins with `+`, which packs them whole, too: `+aspnetcore10.0=FOLDER`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from codecortex.parsing.metadata.image import BadMetadataError
from codecortex.parsing.metadata.read import read_assembly
from codecortex.store.metadata.frameworks import FOLDER, SUFFIX
from codecortex.store.metadata.index import Index
from codecortex.store.metadata.pack import Contents, collect, pack


def main(arguments: list[str]) -> None:
    """Write one file for each argument."""
    base: tuple[Contents, int] | None = None
    for argument in arguments:
        name, _, folder = argument.partition("=")
        contents = collect([read for path in sorted(Path(folder).glob("*.dll")) if (read := _read(path))], name)
        whole = base is None or name.startswith("+")
        contents = contents._replace(label=name.removeprefix("+"))
        data = pack(contents) if whole else pack(contents, *base)
        if base is None:
            base = contents, Index(data).check
        path = FOLDER / f"{contents.label}{SUFFIX}"
        path.write_bytes(data)
        sys.stdout.write(f"{path}: {len(contents.assemblies)} assemblies, {len(data):,} bytes\n")


def _read(path: Path):  # noqa: ANN202 - rows
    try:
        return read_assembly(path.read_bytes())
    except BadMetadataError as problem:
        sys.stdout.write(f"{path}: {problem}\n")
        return None


main(sys.argv[1:])
