"""Runs the compiler, and keeps what it made by a digest of all that it was made from."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from codecortex.dotnet.process import run_program
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codecortex.dotnet.sdk import Sdk

_MOST_KEPT = 60  # outputs
_PRINTED = "printed.json"


class Compiled(NamedTuple):
    """What a compilation made.

    Attributes:
        printed: What the compiler printed.
        assembly: The assembly; empty where errors prevented it.
        reference: What of it other projects compile against; the assembly itself where nothing else was asked for.
    """

    printed: str
    assembly: str
    reference: str


def compile_project(sdk: Sdk, lines: Sequence[str], folder: str, target: Path, seconds: float) -> Compiled:
    """Run the compiler.

    Args:
        sdk: The SDK.
        lines: The arguments, a line of a response file each, without what is to be written.
        folder: Where it is called.
        target: The assembly to write; what others compile against is written beside it.
        seconds: How long it may take.

    Raises:
        NotCompiledError: It cannot be run, or takes too long.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    reference = target.parent / "ref" / target.name
    reference.parent.mkdir(exist_ok=True)
    only = "/refonly" in lines
    written = [f'/out:"{target}"', *([] if only else [f'/refout:"{reference}"'])]
    call = target.parent / "call.rsp"
    call.write_text("\n".join([*lines, *written]), "utf-8")
    ended = run_program([sdk.program, "exec", sdk.compiler, "/noconfig", f"@{call}"], Path(folder), seconds)
    made = target if target.is_file() and not ended.code else None
    seen = target if only else reference
    return Compiled(ended.output, str(made or ""), str(seen) if made is not None and seen.is_file() else "")


class KeptOutputs:
    """What compilations made, in a folder of the repository's own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find(self, key: str) -> Compiled | None:
        """What is kept under a digest."""
        try:
            row = json.loads((self._folder / key / _PRINTED).read_text("utf-8"))
            printed, assembly, reference = (str(each) for each in row)
        except (OSError, ValueError):
            return None
        with suppress(OSError):
            os.utime(self._folder / key)
        place = self._folder / key
        return Compiled(printed, *(str(place / each) if each else "" for each in (assembly, reference)))

    def keep(self, key: str, made: Compiled, folder: Path) -> Compiled:
        """Keep what was made in a folder, which goes; a folder that is there already stays."""
        names = [os.path.relpath(each, folder) if each else "" for each in (made.assembly, made.reference)]
        (folder / _PRINTED).write_text(json.dumps([made.printed, *names]), "utf-8")
        with suppress(OSError):
            folder.rename(self._folder / key)
        shutil.rmtree(folder, ignore_errors=True)
        self._forget()
        return self.find(key) or made

    def make_folder(self) -> Path:
        """A new folder for what is to be kept."""
        self._folder.mkdir(parents=True, exist_ok=True)
        return Path(tempfile.mkdtemp(prefix="making-", dir=self._folder))

    def _forget(self) -> None:
        """Let go of what was not asked for longest."""
        with suppress(OSError):
            kept = sorted(self._folder.iterdir(), key=lambda each: each.stat().st_mtime, reverse=True)
            for each in kept[_MOST_KEPT:]:
                shutil.rmtree(each, ignore_errors=True)
