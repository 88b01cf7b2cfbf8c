"""Processes that read sources side by side, on systems that start them afresh."""

import json
import os
import subprocess
import sys
from pathlib import Path

import codecortex

# Started like the console script: by a file that stands elsewhere, in the repository as the current folder.
START = """import sys
if __name__ == "__main__":
    import multiprocessing
    multiprocessing.get_all_start_methods = lambda: ["spawn"]  # what Windows says
    from codecortex.cli.main import main
    sys.exit(main(sys.argv[1:]))
"""
HOSTILE = ("multiprocessing", "json", "pickle", "click", "sitecustomize", "encodings/__init__", "codecortex/__init__")


def test_workers_take_no_module_from_the_repository(tmp_path, git):
    root = tmp_path / "repo"
    root.mkdir()
    for number in range(100):
        (root / f"C{number}.cs").write_text(f"namespace N;\npublic class C{number} {{ }}\n")
    marker = tmp_path / "marker"
    for name in HOSTILE:
        file = root / f"{name}.py"
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"open({str(marker)!r}, 'a').write({name!r} + ' ')\nraise SystemExit(9)\n")
    git(root, "init", "--quiet")
    git(root, "add", ".")
    start = tmp_path / "elsewhere" / "start.py"
    start.parent.mkdir()
    start.write_text(START)
    environment = {**os.environ, "PYTHONPATH": str(Path(codecortex.__file__).parents[1])}
    environment.pop("PYTHONSAFEPATH", None)
    done = subprocess.run(
        [sys.executable, str(start), "index", "--json", "--jobs", "2"],
        cwd=root, env=environment, capture_output=True, check=False, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert len(json.loads(done.stdout)["types"]) == 100
    assert not marker.exists()
