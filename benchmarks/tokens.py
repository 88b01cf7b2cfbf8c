"""Measure how near the estimate of tokens comes to a real vocabulary: `python benchmarks/tokens.py VOCABULARY REPO...`.

The vocabulary is a file of the npm package js-tiktoken, which carries the common ones:

    npm pack js-tiktoken && tar xzf js-tiktoken-*.tgz package/dist/ranks
    python benchmarks/tokens.py package/dist/ranks/o200k_base.js ../efcore ../Humanizer

It needs the extra `tokens`. For each repository the C# files, the outlines that codecortex writes and the Markdown
files are counted: the error of the total, and the errors of single files at the median, at 90 % and at worst.
"""

from __future__ import annotations

import base64
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import tiktoken
from common import codecortex, copy_sources

from codecortex.context.tokens import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Iterable


def load_vocabulary(file: Path) -> tiktoken.Encoding:
    """The tokenizer of a ranks file of js-tiktoken."""
    text = file.read_text()
    rows = _read_field(text, "bpe_ranks").split("\n")
    ranks: dict[bytes, int] = {}
    for row in filter(None, rows):
        _, first, *tokens = row.split(" ")
        ranks.update({base64.b64decode(token): int(first) + number for number, token in enumerate(tokens)})
    return tiktoken.Encoding(file.stem, pat_str=_read_field(text, "pat_str"), mergeable_ranks=ranks, special_tokens={})


def _read_field(text: str, name: str) -> str:
    match = re.search(rf'"?{name}"?\s*:\s*("(?:[^"\\]|\\.)*")', text)
    if match is None:
        sys.exit(f"no {name} in the vocabulary: is it a file of js-tiktoken's dist/ranks?")
    return str(json.loads(match[1]))


def measure(name: str, files: Iterable[Path], vocabulary: tiktoken.Encoding) -> None:
    """Print one row of the table."""
    counted: list[tuple[int, int]] = []
    size, taken = 0, 0.0
    for file in files:
        try:
            text = file.read_text(encoding="utf-8-sig")
        except (UnicodeDecodeError, OSError):
            continue
        started = time.perf_counter()
        estimate = estimate_tokens(text)
        taken += time.perf_counter() - started
        size += len(text)
        if text:
            counted.append((estimate, len(vocabulary.encode_ordinary(text))))
    if not counted:
        return
    estimated, real = (sum(column) for column in zip(*counted, strict=True))
    errors = sorted(abs(estimate - true) / true for estimate, true in counted)
    middle, most = errors[len(errors) // 2], errors[len(errors) * 9 // 10]
    print(
        f"{name:28}{len(counted):7,}{real:12,}{estimated:12,}{estimated / real - 1:+9.1%}"
        f"{middle:9.1%}{most:8.1%}{errors[-1]:8.1%}{size / taken / 1e6:8.1f}"
    )


def main() -> None:
    """Print the table."""
    vocabulary = load_vocabulary(Path(sys.argv[1]))
    heads = f"{'files':>7}{'tokens':>12}{'estimate':>12}{'error':>9}{'median':>9}{'90 %':>8}{'worst':>8}{'MB/s':>8}"
    print(f"{vocabulary.name:28}{heads}")
    for repository in map(Path, sys.argv[2:]):
        with tempfile.TemporaryDirectory() as folder:
            target = Path(folder) / repository.name
            target.mkdir()
            measure(f"{repository.name} C#", copy_sources(repository, target), vocabulary)
            codecortex(target, "init")
            codecortex(target, "refresh")
            measure(f"{repository.name} outlines", target.glob(".codecortex/types/**/*.md"), vocabulary)
        listed = subprocess.run(
            ["git", "-C", repository, "ls-files", "-z", "*.md", ":!.codecortex"], check=True, capture_output=True
        )
        names = os.fsdecode(listed.stdout).split("\0")[:-1]
        measure(f"{repository.name} Markdown", [repository / name for name in names], vocabulary)


if __name__ == "__main__":
    main()
