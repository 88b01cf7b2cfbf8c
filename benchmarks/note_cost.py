"""What keeping notes true costs in prompt tokens, commit by commit, against asking anew about whatever a commit touched.

python benchmarks/note_cost.py ~/src/Polly [--commits 300]

The last first-parent commits are replayed in a clone, each with its notes, as a team would commit them: refresh, list
the notes that do not hold, make their prompts, write them (with `extract`, which asks nobody). Against that: a prompt
about the whole of (a) every type in a touched file, (b) those and every type that names one. Only types that have a
note count there, too.

Every type whose structure or public behaviour a commit changed has to be among the jobs of that commit; what changed
comes from `changes`, which knows nothing of notes.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from dataclasses import astuple
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from codecortex.analysis.extracts import GENERATOR
from codecortex.analysis.jobs import Job, JobKind
from codecortex.git.repository import open_repository
from codecortex.git.revisions import Range
from codecortex.model.changes import ChangeClass, Status
from codecortex.operations.desk import Desk
from codecortex.operations.extracting import extract_notes
from codecortex.operations.init import init
from codecortex.operations.jobs import Selection, list_jobs
from codecortex.operations.note_writing import Answered, write_outcomes
from codecortex.operations.prints import read_prints
from codecortex.operations.prompting import make_prompt
from codecortex.operations.refresh import refresh
from codecortex.operations.request import Request
from codecortex.operations.walk import walk
from codecortex.store.cache import open_cache
from codecortex.store.paths import FOLDER, semantic_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from codecortex.operations.walk import Step

GOAL = 0.2
WANTED = (".cs", ".csproj", ".props", ".targets", ".projitems", "global.json")
GRAVE = (ChangeClass.STRUCTURE, ChangeClass.PUBLIC_BEHAVIOR)
BATCH = 256


class Cost(NamedTuple):
    """Of some prompts: how many types they are about, and how many tokens they take."""

    types: int
    tokens: int


class Row(NamedTuple):
    """One commit that touched sources.

    Attributes:
        commit: Its id.
        files: C# files that it touched.
        stale: What its stale notes take.
        new: What the notes on types that it brought take.
        touched: Every type in a touched file.
        around: Those, and every type that names one.
        missed: Types that changed in public but whose notes count as holding.
        classes: What the notes take, by what happened to their types.
    """

    commit: str
    files: int
    stale: Cost
    new: Cost
    touched: Cost
    around: Cost
    missed: tuple[str, ...]
    classes: Mapping[str, Cost]


class Replay:
    """A clone in which commits are made again, each with its notes."""

    def __init__(self, repository: Path, folder: Path, commits: int) -> None:
        self.work = folder / "work"
        run(repository, "clone", "-q", "--shared", "--no-checkout", str(repository), str(self.work))
        tip = self.git("rev-parse", "HEAD")
        base = self.git("rev-parse", f"{tip}~{commits}")
        self.span = Range(base, tip)
        self.git("checkout", "-q", "-b", "replay", base)
        self.noted: set[str] = set()
        self._whole: dict[object, int] = {}
        init(self.work)

    def git(self, *arguments: str, **environment: str) -> str:
        """Ask git in the clone."""
        return run(self.work, *arguments, **environment)

    def request(self) -> Request:
        """What is read: the work tree of the clone."""
        return Request(self.work, warn=lambda text: print(f"  {text}", file=sys.stderr))

    def start(self) -> int:
        """Write the notes on all public types of the first commit; how many."""
        refresh(self.request())
        with Desk(self.request()) as desk:
            self.write(desk, list_jobs(desk, Selection()).jobs)
        self.commit("notes")
        return len(self.noted)

    def steps(self) -> Iterator[Step]:
        """What each commit changed about types."""
        repository = open_repository(self.work)
        with open_cache(repository.shared_dir, warn=print) as cache:
            yield from walk(Request(self.work), repository, self.span, cache)

    def take(self, step: Step) -> Row:
        """Make one commit again and say what its notes take."""
        self.check_out(step.commit.id)
        refresh(self.request())
        with Desk(self.request()) as desk:
            jobs = list_jobs(desk, Selection()).jobs
            classes = measure(desk, jobs)
            paths = {change.path for change in step.commit.changes if change.path.lower().endswith(".cs")}
            touched = {each.id for each in desk.catalog.types if not paths.isdisjoint(each.files)}
            dependents = {other for each in touched for other in desk.graph.dependents_of(each)}
            wanted = self.noted.union(*(job.types for job in jobs))
            row = Row(
                commit=step.commit.id,
                files=len(paths),
                stale=add(cost for name, cost in classes.items() if name != JobKind.NEW),
                new=classes.get(JobKind.NEW, Cost(0, 0)),
                touched=self.measure_whole(desk, touched & wanted),
                around=self.measure_whole(desk, (touched | dependents) & wanted),
                missed=tuple(self.find_missed(step, {each for job in jobs for each in job.types})),
                classes=classes,
            )
            self.write(desk, jobs)
        self.commit(step.commit.id, GIT_COMMITTER_DATE=str(step.commit.time), GIT_AUTHOR_DATE=str(step.commit.time))
        return row

    def check_out(self, commit: str) -> None:
        """The sources of a commit, with what `.codecortex` holds now."""
        index = str(self.work.parent / "index")
        Path(index).unlink(missing_ok=True)
        self.git("read-tree", commit, GIT_INDEX_FILE=index)
        self.git("read-tree", f"--prefix={FOLDER}/", f"HEAD:{FOLDER}", GIT_INDEX_FILE=index)
        tree = self.git("write-tree", GIT_INDEX_FILE=index)
        self.git("read-tree", "-m", "-u", "HEAD", tree)

    def commit(self, message: str, **environment: str) -> None:
        """Commit the sources with their notes."""
        self.git("add", "-A", "-f", FOLDER, f":!{FOLDER}/local")
        self.git("commit", "-q", "--no-verify", "--allow-empty", "-m", message, **environment)

    def write(self, desk: Desk, jobs: Sequence[Job]) -> None:
        """Write the notes of jobs."""
        for start in range(0, len(jobs), BATCH):
            some = jobs[start : start + BATCH]
            outcomes = extract_notes(desk, some)
            answers = [Answered(job, outcome, GENERATOR) for job, outcome in zip(some, outcomes, strict=True)]
            for job, told in zip(some, write_outcomes(desk, answers), strict=True):
                if told.problem:
                    print(f"  {told.path}: {told.problem}", file=sys.stderr)
                else:
                    self.noted.update(job.types)

    def measure_whole(self, desk: Desk, types: Iterable[str]) -> Cost:
        """What prompts about the whole of types take; counted once for each version of a type."""
        prints = read_prints(desk, types)
        for type_id, own in prints.items():
            if (type_id, astuple(own)) not in self._whole:
                name = desk.catalog.by_id[type_id].fqn
                job = Job(type_id, JobKind.NEW, (type_id,), (name,), "", (), 0.0, semantic_path(type_id))
                self._whole[type_id, astuple(own)] = make_prompt(desk, job).tokens
        return Cost(len(prints), sum(self._whole[type_id, astuple(own)] for type_id, own in prints.items()))

    def find_missed(self, step: Step, open_types: set[str]) -> Iterator[str]:
        """Types with a note whose structure or public behaviour a commit changed, and which are no part of any job."""
        for change in step.comparison.changes:
            noted = bool({change.type_id, change.old_id} & self.noted) and change.status is not Status.REMOVED
            if noted and change.own_class in GRAVE and change.type_id not in open_types:
                yield f"{change.fqn} ({change.own_class})"


def measure(desk: Desk, jobs: Sequence[Job]) -> dict[str, Cost]:
    """What the prompts of jobs take, by what happened to their types."""
    costs: dict[str, Cost] = {}
    for job in jobs:
        own = Cost(len(job.types), make_prompt(desk, job).tokens)
        name = job.change_class or str(job.kind)
        costs[name] = add([costs.get(name, Cost(0, 0)), own])
    return costs


def run(folder: Path, *arguments: str, **environment: str) -> str:
    """Run git; what it says."""
    settings = ("-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "core.autocrlf=false")
    command = ["git", "-C", str(folder), *settings, "-c", "core.hooksPath=/dev/null", *arguments]
    done = subprocess.run(command, check=True, capture_output=True, env=os.environ | environment)
    return os.fsdecode(done.stdout).strip()


def add(costs: Iterable[Cost]) -> Cost:
    """Several together."""
    listed = list(costs)
    return Cost(sum(each.types for each in listed), sum(each.tokens for each in listed))


def main(repository: Path, commits: int) -> int:
    """Replay and print; 1 where a goal is missed."""
    with tempfile.TemporaryDirectory() as folder:
        replay = Replay(repository, Path(folder), commits)
        print(f"{repository.name}: {replay.start():,} types have a note at the start\n")
        print(f"{'commit':<12}{'files':>6}{'stale':>7}{'tokens':>10}{'new':>6}{'tokens':>10}", end="")
        print(f"{'(a)':>7}{'tokens':>10}{'(b)':>7}{'tokens':>10}")
        rows, seen = [], 0
        for step in replay.steps():
            seen += 1
            if any(path.lower().endswith(WANTED) for each in step.commit.changes for path in (each.path, each.old_path)):
                rows.append(replay.take(step))
                print_row(rows[-1].commit[:10], rows[-1])
        total = Row(
            "", sum(row.files for row in rows), add(row.stale for row in rows), add(row.new for row in rows),
            add(row.touched for row in rows), add(row.around for row in rows), (), {},
        )  # fmt: skip
        print_row("together", total)
        print(f"\n{seen:,} commits, {len(rows):,} of them touched sources or projects.")
        for name in sorted({name for row in rows for name in row.classes}):
            cost = add(row.classes[name] for row in rows if name in row.classes)
            print(f"{name:<22}{cost.types:>7,} types{cost.tokens:>12,} tokens")
        missed = [f"{row.commit[:10]}: {each}" for row in rows for each in row.missed]
        return judge(total, missed)


def print_row(name: str, row: Row) -> None:
    """One line of the table."""
    print(f"{name:<12}{row.files:>6,}", end="")
    for wide, cost in zip((7, 6, 7, 7), (row.stale, row.new, row.touched, row.around), strict=True):
        print(f"{cost.types:>{wide},}{cost.tokens:>10,}", end="")
    print(flush=True)


def judge(total: Row, missed: Sequence[str]) -> int:
    """The sums beside their goals."""
    spent = total.stale.tokens + total.new.tokens
    old = total.touched.tokens - total.new.tokens
    print(f"stale and new against (a): {spent / max(1, total.touched.tokens):7.1%}   goal {GOAL:.0%}")
    print(f"stale alone against (a) without what is new: {total.stale.tokens / max(1, old):7.1%}")
    print(f"stale and new against (b): {spent / max(1, total.around.tokens):7.1%}")
    print(f"types left cached whose structure or public behaviour changed: {len(missed)}   goal 0")
    for each in missed:
        print(f"  MISSED {each}")
    return int(bool(missed) or spent > GOAL * total.touched.tokens)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--commits", type=int, default=300)
    given = parser.parse_args()
    sys.exit(main(given.repository.expanduser().resolve(), given.commits))
