"""How time and memory of a cold refresh grow with the input: a repository once, twice, four and eight times.

    python benchmarks/growth.py ~/src/Polly

Each copy stands in a folder and under a namespace of its own, so that no two types share a name.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from pathlib import Path

from common import codecortex, commit_all, copy_sources

_NAMESPACE = re.compile(rb"^(\s*namespace\s+)(?=[A-Za-z_])", re.MULTILINE)
_TIMES = (1, 2, 4, 8)


def main(repository: Path) -> None:
    """Measure and print."""
    print(f"{'copies':>6} {'files':>7} {'wall s':>8} {'CPU s':>8} {'CPU ms/file':>12} {'peak MB':>8}")
    with tempfile.TemporaryDirectory() as folder:
        once = Path(folder) / "once"
        once.mkdir()
        sources = [file.relative_to(once) for file in copy_sources(repository, once)]
        shutil.rmtree(once / ".git")
        for times in _TIMES:
            work = Path(folder) / f"x{times}"
            for copy in range(times):
                replicate(once, work / f"copy{copy}", f"Copy{copy}.", sources)
            commit_all(work)
            codecortex(work, "init")
            cost = codecortex(work, "refresh", "--jobs", "1")
            files = len(sources) * times
            each = cost.cpu / files * 1000
            print(f"{times:>6} {files:>7,} {cost.wall:>8.2f} {cost.cpu:>8.2f} {each:>12.3f} {cost.peak:>8.0f}")
            shutil.rmtree(work)


def replicate(once: Path, target: Path, prefix: str, sources: list[Path]) -> None:
    """Copy a source tree and put a name before every namespace."""
    shutil.copytree(once, target)
    for name in sources:
        file = target / name
        file.write_bytes(_NAMESPACE.sub(rb"\g<1>" + prefix.encode(), file.read_bytes()))


if __name__ == "__main__":
    main(Path(sys.argv[1]).expanduser().resolve())
