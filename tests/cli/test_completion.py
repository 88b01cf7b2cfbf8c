"""What TAB gets from the command, as the shell scripts of click ask for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable
    from pathlib import Path

    Process = Callable[..., subprocess.CompletedProcess[bytes]]


def complete(process: Process, folder: Path, *words: str) -> list[str]:
    """The words offered for the last one."""
    asked = {"_CODECORTEX_COMPLETE": "bash_complete", "COMP_WORDS": " ".join(words), "COMP_CWORD": str(len(words) - 1)}
    done = process(folder, **asked)
    assert (done.returncode, done.stderr) == (0, b"")
    return [line.partition(",")[2] for line in done.stdout.decode().splitlines() if line]


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("codecortex", "outl"), ["outline"]),
        (("codecortex", "outline", "--me"), ["--members"]),
        (("codecortex", "outline", "stor"), ["Store"]),
        (("codecortex", "usages", "Shop.Core.S"), ["Shop.Core.Store", "Shop.Core.Store.State"]),
        (("codecortex", "resolve", "Ord"), ["Order"]),
        (("codecortex", "outline", "Nope"), []),
    ],
)
def test_commands_options_and_types_are_completed(
    shop: Path, process: Process, words: tuple[str, ...], offered: list[str]
) -> None:
    assert complete(process, shop, *words) == offered


def test_another_folder_is_heeded(shop: Path, tmp_path: Path, process: Process) -> None:
    assert complete(process, tmp_path, "codecortex", "-C", str(shop), "outline", "stor") == ["Store"]


def test_no_repository_offers_nothing(tmp_path: Path, process: Process) -> None:
    assert complete(process, tmp_path, "codecortex", "outline", "stor") == []


def test_a_completion_is_no_run_to_remember(shop: Path, process: Process) -> None:
    complete(process, shop, "codecortex", "outline", "stor")
    assert not (shop / ".git/codecortex/metrics.log").exists()
