"""What a conversation gains: the second of two questions, with the first one's round and without.

    python benchmarks/rounds.py [--classic] REPOSITORY [PAIRS]

A pair is two consecutive commits of one author within ten days whose product files overlap; as a control, pairs whose
files do not. The first question is the title of the first commit, asked at its parent. Then the work tree gets the
first commit's files, while HEAD stays, so that no history tells of them; the second question is the title of the second
commit. Wanted are the product files that it changes. A third commit makes a third round, which shows whether edits from
before the last round are worth as much. `--classic` asks with `context.inheritance: classic`. The repository is cloned,
and the clone thrown away.
"""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from codecortex.analysis.test_code import is_test_path

PAIRS, CONTROLS = 30, 15
DAYS = 10 * 86_400
MOST_FILES, LEAST_WORDS = 25, 3
BUDGET = "10000000"


class Commit(NamedTuple):
    """A commit: its id, author, time, title and the product files it changes."""

    id: str
    author: str
    time: int
    title: str
    files: frozenset[str]


class Case(NamedTuple):
    """Consecutive commits of one author: two, or three."""

    commits: tuple[Commit, ...]


class Ranks(NamedTuple):
    """The rank of the first wanted file, 0 for none, without a conversation and with one."""

    alone: int
    within: int


def run_git(folder: Path, *arguments: str) -> str:
    """What a git command prints."""
    done = subprocess.run(["git", "-C", folder, *arguments], check=True, capture_output=True)
    return done.stdout.decode(errors="replace")


def list_commits(folder: Path) -> list[Commit]:
    """The commits that are questions: oldest first."""
    log = run_git(folder, "log", "--no-merges", "--reverse", "--name-only", "--format=%x00%H%x01%ae%x01%ct%x01%s")
    found = []
    for record in log.split("\0")[1:]:
        head, _, names = record.partition("\n")
        name, author, time, title = head.split("\1", 3)
        files = frozenset(each for each in names.split() if each.endswith(".cs") and not is_test_path(each))
        if 0 < len(files) <= MOST_FILES and len(title.split()) >= LEAST_WORDS and "[bot]" not in author:
            found.append(Commit(name, author, int(time), title, files))
    return found


def find_cases(commits: list[Commit], length: int, *, overlapping: bool, most: int) -> list[Case]:
    """Cases of some commits each, spread over the history."""
    by_author: dict[str, list[Commit]] = {}
    cases = []
    for each in commits:
        row = by_author.setdefault(each.author, [])
        row.append(each)
        last = row[-length:]
        near = all(0 <= two.time - one.time <= DAYS for one, two in itertools.pairwise(last))
        shared = all(bool(one.files & two.files) is overlapping for one, two in itertools.pairwise(last))
        if len(last) == length and near and shared:
            cases.append(Case(tuple(last)))
            row.clear()  # cases share no commit
    step = max(len(cases) // most, 1)
    return cases[::-step][:most][::-1]


def ask(folder: Path, question: str, *options: str) -> list[str]:
    """The files that a question brings, best first."""
    command = [sys.executable, "-m", "codecortex", "-C", str(folder), "context", "ask", "--json", "--budget", BUDGET]
    done = subprocess.run([*command, *options, "--", question], check=True, capture_output=True)
    told = json.loads(done.stdout)
    return list(told["files"])


def stand_at(folder: Path, commit: str) -> None:
    """HEAD, index and work tree at a commit."""
    run_git(folder, "checkout", "--quiet", "--force", "--detach", commit)


def put_files(folder: Path, commit: str) -> None:
    """Index and work tree as in a commit, HEAD where it was."""
    run_git(folder, "read-tree", "--reset", "-u", commit)


def find_rank(files: list[str], wanted: frozenset[str]) -> int:
    """The rank of the first wanted file, 0 for none."""
    return next((rank for rank, path in enumerate(files, 1) if path in wanted), 0)


def measure(folder: Path, name: str, commits: tuple[Commit, ...], *, skip: bool = False) -> Ranks | None:
    """Ask all commits but the last in one conversation, then the last with and without it.

    Args:
        folder: The clone.
        name: Of the conversation.
        commits: Two or more.
        skip: Leave out all rounds but the first, so that everything edited since counts as edited.
    """
    *earlier, last = commits
    stand_at(folder, f"{earlier[0].id}^")
    for at, each in enumerate(earlier):
        if at == 0 or not skip:
            ask(folder, each.title, "--conversation", name)
        put_files(folder, each.id)
    present = frozenset(run_git(folder, "ls-files").split("\n")) & last.files
    if not present:
        return None
    return Ranks(
        find_rank(ask(folder, last.title), present),
        find_rank(ask(folder, last.title, "--conversation", name), present),
    )


def show(name: str, rows: list[Ranks]) -> None:
    """A line of the table."""
    if not rows:
        return
    cells = []
    for ranks in ([each.alone for each in rows], [each.within for each in rows]):
        mrr = sum(1 / rank for rank in ranks if rank) / len(ranks)
        hits = [sum(1 for rank in ranks if 0 < rank <= most) / len(ranks) for most in (1, 5)]
        cells.append(f"MRR {mrr:.3f}  hit@1 {hits[0]:.3f}  hit@5 {hits[1]:.3f}")
    print(f"{name:<34}{len(rows):>4}   {cells[0]}   {cells[1]}", flush=True)


def main(arguments: list[str]) -> None:
    """Measure one repository."""
    classic = arguments[:1] == ["--classic"]
    source, *rest = arguments[classic:]
    most = int(rest[0]) if rest else PAIRS
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "repository"
        subprocess.run(["git", "clone", "--quiet", "--shared", "--no-checkout", source, folder], check=True)
        commits = list_commits(folder)
        pairs = find_cases(commits, 2, overlapping=True, most=most)
        controls = find_cases(commits, 2, overlapping=False, most=CONTROLS)
        threes = find_cases(commits, 3, overlapping=True, most=most // 2)
        if pairs:
            stand_at(folder, f"{pairs[0].commits[0].id}^")
            subprocess.run([sys.executable, "-m", "codecortex", "-C", folder, "init"], check=True, capture_output=True)
            if classic:
                with (folder / ".codecortex/config.yaml").open("a", encoding="utf-8") as config:
                    config.write("context:\n  inheritance: classic\n")
        rows: dict[str, list[Ranks]] = {}
        jobs = [("overlapping", each, False) for each in pairs] + [("control", each, False) for each in controls]
        jobs += [(name, each, skip) for each in threes for name, skip in
                 (("third, edited since the second", False), ("third, edited since the first", True))]  # fmt: skip
        jobs.sort(key=lambda job: job[1].commits[0].time)
        for number, (name, case, skip) in enumerate(jobs):
            found = measure(folder, f"c{number}", case.commits, skip=skip)
            if found is not None:
                rows.setdefault(name, []).append(found)
        print(f"{'':<38}   {'without':<40}   with the conversation")
        for name, found_rows in sorted(rows.items()):
            show(name, found_rows)


if __name__ == "__main__":
    main(sys.argv[1:])
