"""Commits of a repository as questions for `fit_context.py`: its history in, CASES.json out.

    python benchmarks/mine_cases.py REPOSITORY [AMOUNT] [SINCE] > CASES.json

A case is a commit that changed one to eight product sources and at most 25 files, spread evenly over the time since a
date (2012-01-01). Its question is the message without numbers of issues, links, paths and trailers; commits that only
merge, bump, format or test are passed over. Wanted are the product sources that it changed; the tree is the one before.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import NamedTuple

from codecortex.analysis.test_code import is_aside_path, is_test_path

AMOUNT, SINCE = "50", "2012-01-01"
MOST_WANTED, MOST_FILES = 8, 25
SHORTEST, LEAST_WORDS, LONGEST = 20, 3, 600
PASSED_OVER = re.compile(
    r"(merge|bump|revert|release|version|update (dep|package|nuget|version|change)|\[?wip|clean ?up|formatting|"
    r"(fix )?(typo|build|tests?)\b|ci\b|docs?\b)",
    re.IGNORECASE,
)
LEFT_OUT = (
    re.compile(r"(?im)^(co-authored-by|signed-off-by|reviewed-by|change-id|git-svn-id).*$"),
    re.compile(r"https?://\S+"),
    re.compile(
        r"(?i)\b(fix(es|ed)?|clos(es|ed)?|resolv(es|ed)?|part of|see|refs?)?:?\s*\(?(gh-|[\w.-]+/[\w.-]+)?#\d+\)?"
    ),
    re.compile(r"[\w./\\-]+[/\\][\w.-]+\.\w+|\b[\w.]+\.cs\b"),
)
GENERATED = re.compile(r"\.(Designer|g|generated)\.cs$|(^|/)(obj|bin|Migrations)/|AssemblyInfo\.cs$", re.IGNORECASE)


class Commit(NamedTuple):
    """A commit: its id, its parent, what it says, and the product sources that it changed."""

    id: str
    parent: str
    query: str
    wanted: list[str]


def clean(text: str) -> str:
    """A text without what points at places outside of the code, on one line."""
    for pattern in LEFT_OUT:
        text = pattern.sub("", text)
    return " ".join(text.split())


def list_commits(folder: str, since: str) -> list[Commit]:
    """Those that make a case, the oldest first."""
    form = "--format=%x01%H %P%x02%B%x02"
    command = ["git", "-C", folder, "log", "--no-merges", "--reverse", "--name-status", f"--since={since}", form]
    told = subprocess.run([*command, "HEAD", "--", "*.cs"], check=True, capture_output=True).stdout
    commits = []
    for record in told.decode(errors="replace").split("\x01")[1:]:
        ids, message, changes = record.split("\x02")
        rows = [row.split("\t") for row in changes.strip().splitlines()]
        wanted = [row[1] for row in rows if row[0] == "M" and is_product(row[1])]
        title, _, text = message.strip().partition("\n")
        title, text = clean(title), clean(text)[:LONGEST]
        telling = len(title) >= SHORTEST and len(re.findall("[A-Za-z]{3,}", title)) >= LEAST_WORDS
        if telling and 0 < len(wanted) <= MOST_WANTED and len(rows) <= MOST_FILES and not PASSED_OVER.match(title):
            own, *parents = ids.split()
            commits += [Commit(own, parent, f"{title}. {text}" if text else title, wanted) for parent in parents[:1]]
    return commits


def is_product(path: str) -> bool:
    """Whether a file is a source that is shipped and written by hand."""
    return path.endswith(".cs") and not (is_test_path(path) or is_aside_path(path) or GENERATED.search(path))


def main(folder: str, amount: str = AMOUNT, since: str = SINCE) -> None:
    """Write the cases."""
    commits = list_commits(folder, since)
    count = min(int(amount), len(commits))
    chosen = [commits[at * len(commits) // count] for at in range(count)]
    cases = [
        {"id": each.id, "parent": each.parent, "query": each.query, "targets": [{"path": path} for path in each.wanted]}
        for each in chosen
    ]
    print(json.dumps({"cases": cases}, indent=1))


if __name__ == "__main__":
    main(*sys.argv[1:])
