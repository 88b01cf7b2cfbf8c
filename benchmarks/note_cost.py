"""What keeping notes true costs in prompt tokens, against asking anew about whatever a commit touched.

python benchmarks/note_cost.py ~/src/Polly [--commits 300]

The last first-parent commits are replayed in a clone of their sources, each with its notes on public types, as a team
would commit them: refresh, list the notes that do not hold, make their prompts, write them (with `extract`, which asks
nobody). Against that: a prompt about the whole of (a) every type in a touched file, (b) every type in a touched file
or naming one of those; and (a'), (a) without the types that have no note, which is a harder rival.

Every type whose structure or public behaviour a commit changed has to be among the jobs of that commit; what changed
comes from `changes`, which knows nothing of notes.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from codecortex.analysis.notes.extract import GENERATOR
from codecortex.analysis.notes.jobs import Job, JobKind
from codecortex.git.repository import open_repository
from codecortex.git.revisions import Range
from codecortex.model.code.changes import ChangeClass, Status
from codecortex.operations.catalog.fingerprints import read_prints
from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.generation.extract import extract_notes
from codecortex.operations.generation.jobs.jobs import Selection, list_jobs
from codecortex.operations.generation.prompts.prompt import make_prompt
from codecortex.operations.history.commit_walk import walk
from codecortex.operations.notes.writing import JobAnswer, write_outcomes
from codecortex.operations.reading.sources import SUFFIXES
from codecortex.operations.refresh.init import init
from codecortex.operations.refresh.refresh import refresh
from codecortex.operations.request import Request
from codecortex.store.cache.cache import open_cache
from codecortex.store.paths import FOLDER, semantic_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from codecortex.model.code.changes import TypeChange
    from codecortex.operations.history.commit_walk import CommitChanges

GOAL = 0.2
WANTED = (*SUFFIXES, "global.json")
GRAVE = (ChangeClass.STRUCTURE, ChangeClass.PUBLIC_BEHAVIOR)
BATCH = 256


class Cost(NamedTuple):
    """How many types some prompts are about, and how many tokens they take."""

    types: int
    tokens: int


NOTHING = Cost(0, 0)


class Row(NamedTuple):
    """One commit that touched sources.

    Attributes:
        commit: Its id.
        files: C# files that it touched.
        stale: What its stale notes take.
        new: What the notes on types that it brought take.
        noted: What the whole of every type in a touched file takes that has a note.
        touched: What the whole of every type in a touched file takes.
        around: The same with every type that names one of those.
        missed: Types that changed in public but whose notes count as holding.
        classes: What the notes take, by what happened to their types.
    """

    commit: str
    files: int
    stale: Cost
    new: Cost
    noted: Cost
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
        self.git("symbolic-ref", "HEAD", "refs/heads/replay")
        self.noted: set[str] = set()
        self._whole: dict[object, int] = {}
        self.git("read-tree", "--reset", "-u", self.compose(base))
        self.commit("sources", "-a")
        init(self.work)

    def git(self, *arguments: str) -> str:
        """Ask git in the clone."""
        return run(self.work, *arguments)

    def request(self) -> Request:
        """What is read: the work tree of the clone."""
        return Request(self.work, warn=lambda text: print(f"  {text}", file=sys.stderr))

    def start(self) -> int:
        """Write the notes on all public types of the first commit; how many."""
        refresh(self.request())
        with Workspace(self.request()) as workspace:
            self.write(workspace, list_jobs(workspace, Selection()).jobs)
        self.commit("notes")
        return len(self.noted)

    def steps(self) -> Iterator[CommitChanges]:
        """What each commit changed about types."""
        repository = open_repository(self.work)
        with open_cache(repository.shared_dir, warn=print) as cache:
            yield from walk(Request(self.work), repository, self.span, cache)

    def take(self, step: CommitChanges) -> Row:
        """Make one commit again and say what its notes take."""
        self.check_out(step.commit.id)
        refresh(self.request())
        with Workspace(self.request()) as workspace:
            jobs = list_jobs(workspace, Selection()).jobs
            classes = measure(workspace, jobs)
            paths = {change.path for change in step.commit.changes if change.path.lower().endswith(".cs")}
            touched = {each.id for each in workspace.catalog.types if not paths.isdisjoint(each.files)}
            dependents = {other for each in touched for other in workspace.graph.dependents_of(each)}
            wanted = self.noted.union(*(job.types for job in jobs))
            row = Row(
                commit=step.commit.id,
                files=len(paths),
                stale=add(cost for name, cost in classes.items() if name != JobKind.NEW),
                new=classes.get(JobKind.NEW, NOTHING),
                noted=self.measure_whole(workspace, touched & wanted),
                touched=self.measure_whole(workspace, touched),
                around=self.measure_whole(workspace, touched | dependents),
                missed=tuple(self.find_missed(step, {each for job in jobs for each in job.types})),
                classes=classes,
            )
            self.write(workspace, jobs)
        self.commit(step.commit.id, time=step.commit.time)
        return row

    def check_out(self, commit: str) -> None:
        """The sources of a commit, with what `.codecortex` holds now."""
        self.git("read-tree", "-m", "-u", "HEAD", self.compose(commit, "HEAD"))

    def compose(self, commit: str, kept: str = "") -> str:
        """The id of a tree of the sources of a commit and what `.codecortex` holds in another."""
        rows = [row for row in self.git("ls-tree", "-r", "-z", commit).split("\0") if row.lower().endswith(WANTED)]
        rows += self.git("ls-tree", "-r", "-z", kept, "--", FOLDER).split("\0") if kept else []
        index = self.work.parent / "index"
        index.unlink(missing_ok=True)
        variables = {"GIT_INDEX_FILE": str(index)}
        fed = "".join(f"{row}\0" for row in rows if row)
        run(self.work, "update-index", "-z", "--index-info", text=fed, variables=variables)
        return run(self.work, "write-tree", variables=variables)

    def commit(self, message: str, *options: str, time: int = 0) -> None:
        """Commit what is there, `.codecortex` too."""
        if (self.work / FOLDER).exists():
            self.git("add", "-A", "-f", FOLDER, f":!{FOLDER}/local")
        dates = {"GIT_COMMITTER_DATE": f"{time} +0000", "GIT_AUTHOR_DATE": f"{time} +0000"} if time else {}
        options = ("-q", "--no-verify", "--allow-empty", *options)
        run(self.work, "commit", *options, "-m", message, variables=dates)

    def write(self, workspace: Workspace, jobs: Sequence[Job]) -> None:
        """Write the notes of jobs."""
        for start in range(0, len(jobs), BATCH):
            some = jobs[start : start + BATCH]
            outcomes = extract_notes(workspace, some)
            answers = [JobAnswer(job, outcome, GENERATOR) for job, outcome in zip(some, outcomes, strict=True)]
            for job, told in zip(some, write_outcomes(workspace, answers), strict=True):
                if told.problem:
                    print(f"  {told.path}: {told.problem}", file=sys.stderr)
                else:
                    self.noted.update(job.types)

    def measure_whole(self, workspace: Workspace, types: Iterable[str]) -> Cost:
        """What prompts about the whole of types take; counted once for each version of a type."""
        prints = read_prints(workspace, types)
        for type_id, own in prints.items():
            if (type_id, tuple(own)) not in self._whole:
                name = workspace.catalog.by_id[type_id].fqn
                job = Job(type_id, JobKind.NEW, (type_id,), (name,), "", (), 0.0, semantic_path(type_id))
                self._whole[type_id, tuple(own)] = make_prompt(workspace, job).tokens
        return Cost(len(prints), sum(self._whole[each, tuple(own)] for each, own in prints.items()))

    def find_missed(self, step: CommitChanges, open_types: set[str]) -> Iterator[str]:
        """Types with a note whose structure or public behaviour a commit changed, and which are no part of any job."""
        for change in step.comparison.changes:
            noted = bool({change.type_id, change.old_id} & self.noted) and change.status is not Status.REMOVED
            if noted and changed_in_public(change) and change.type_id not in open_types:
                yield f"{change.fqn} ({change.own_class})"


def changed_in_public(change: TypeChange) -> bool:
    """Whether the structure or the public behaviour of a type differs; a new name alone changes neither."""
    if change.status is not Status.RENAMED:
        return change.own_class in GRAVE
    bodies = (each.visible and (each.signature_changed or each.body_changed) for each in change.members.changed)
    return bool(change.reasons) or any(bodies)


def measure(workspace: Workspace, jobs: Sequence[Job]) -> dict[str, Cost]:
    """What the prompts of jobs take, by what happened to their types; those that hold for certain take none."""
    costs: dict[str, Cost] = {}
    for job in jobs:
        prompt = make_prompt(workspace, job)
        own = Cost(len(job.types), 0 if prompt.still_valid else prompt.tokens)
        name = f"{job.change_class or job.kind}{', settled' * prompt.still_valid}"
        costs[name] = add([costs.get(name, NOTHING), own])
    return costs


def run(folder: Path, *arguments: str, text: str = "", variables: Mapping[str, str] | None = None) -> str:
    """Run git; what it says."""
    settings = ("user.name=bench", "user.email=bench@localhost", "core.autocrlf=false", "core.hooksPath=/dev/null")
    command = ["git", "-C", str(folder), *(part for each in settings for part in ("-c", each)), *arguments]
    environment = os.environ | (variables or {})
    done = subprocess.run(command, check=False, capture_output=True, input=os.fsencode(text), env=environment)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {os.fsdecode(done.stderr)}")
    return os.fsdecode(done.stdout).strip("\n")


def add(costs: Iterable[Cost]) -> Cost:
    """Several together."""
    listed = list(costs)
    return Cost(*(sum(numbers) for numbers in zip(*listed, strict=True))) if listed else NOTHING


def main(repository: Path, commits: int) -> int:
    """Replay and print; 1 where a goal is missed."""
    with tempfile.TemporaryDirectory() as folder:
        replay = Replay(repository, Path(folder), commits)
        print(f"{repository.name}: {replay.start():,} types have a note at the start\n")
        print(f"{'commit':<12}{'files':>6}", end="")
        print("".join(f"{name:>7}{'tokens':>10}" for name in ("stale", "new", "(a')", "(a)", "(b)")))
        rows, seen = [], 0
        for step in replay.steps():
            seen += 1
            paths = [path for each in step.commit.changes for path in (each.path, each.old_path)]
            if any(path.lower().endswith(WANTED) for path in paths):
                rows.append(replay.take(step))
                print_row(step.commit.id[:10], rows[-1])
        print(f"\n{seen:,} commits, {len(rows):,} of them touched sources or projects.")
        return judge(rows)


def print_row(name: str, row: Row) -> None:
    """One line of the table."""
    costs = (row.stale, row.new, row.noted, row.touched, row.around)
    print(f"{name:<12}{row.files:>6,}", *(f"{cost.types:>7,}{cost.tokens:>10,}" for cost in costs), sep="", flush=True)


def judge(rows: Sequence[Row]) -> int:
    """The sums beside their goals."""
    stale, new = add(row.stale for row in rows), add(row.new for row in rows)
    noted, touched, around = (add(found) for found in zip(*(row[4:7] for row in rows), strict=True))
    print_row("together", Row("", sum(row.files for row in rows), stale, new, noted, touched, around, (), {}))
    for name in sorted({name for row in rows for name in row.classes}):
        cost = add(row.classes[name] for row in rows if name in row.classes)
        print(f"  {name:<30}{cost.types:>7,} types{cost.tokens:>12,} tokens")
    spent = add([stale, new])
    print(f"\ntokens{'':<10}stale and new   stale alone")
    for name, cost in (("(a)", touched), ("(a')", noted), ("(b)", around)):
        shares = spent.tokens / max(1, cost.tokens), stale.tokens / max(1, cost.tokens - new.tokens)
        told = f"{shares[0]:>13.1%}{shares[1]:>14.1%}"
        print(f"against {name:<8}{told}{f'   goal {GOAL:.0%}' if cost is touched else ''}")
    missed = [f"{row.commit[:10]}: {each}" for row in rows for each in row.missed]
    print(f"types left cached whose structure or public behaviour changed: {len(missed)}   goal 0")
    for each in missed:
        print(f"  MISSED {each}")
    return int(bool(missed) or spent.tokens > GOAL * touched.tokens)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--commits", type=int, default=300)
    given = parser.parse_args()
    sys.exit(main(given.repository.expanduser().resolve(), given.commits))
