"""Lists the assemblies that the configuration names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.store.packages.folders import ASSEMBLY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path


def list_named(root: Path, globs: Iterable[str], warn: Callable[[str], None]) -> list[Path]:
    """The files below a work tree that globs name, sorted; a glob without any is told."""
    found: set[Path] = set()
    for glob in globs:
        matched = {path for path in root.glob(glob) if path.suffix.lower() == ASSEMBLY}
        if not matched:
            warn(f"references.assemblies: {glob} names no {ASSEMBLY} in the work tree.")
        found |= matched
    return sorted(found)
