"""A refresh that remembers that there was nothing to do says so again only where that is still so."""

import os
import random
import sqlite3
from contextlib import closing

import pytest

from codecortex.git.head_start import head_start
from codecortex.git.repository import Repository, open_repository
from codecortex.git.worktree import folder_counts
from codecortex.git.worktree import look as look_module
from codecortex.git.worktree.look import CHANGES
from codecortex.model.work import DONE, Work
from codecortex.operations.reading.tree import open_tree
from codecortex.operations.refresh.refresh import refresh
from codecortex.operations.request import Request
from codecortex.store.cache.cache import open_cache
from codecortex.store.committed.aliases_json import encode_aliases

NOTHING = 2
"""The rows that are read where there is nothing to do: that there was not, and what was counted."""

SOURCES = ("src/A.cs", "src/B.cs", "src/sub/C.cs")
RENAMED = "namespace N;\npublic class Old { public int One; public string Two() => null; public long Three; }\n"


class Editor:
    """A repository, and what people do to it."""

    def __init__(self, root, git):
        self.root, self._git = root, git
        self.chance = random.Random(0)  # noqa: S311 - a law, not a secret
        self.configure(5)
        (root / ".codecortex" / "aliases.json").write_bytes(encode_aliases(()))
        for path in SOURCES:
            self.write(path)
        self.git("add", "-A")
        refresh(self.request)
        self.commit()

    @property
    def request(self):
        return Request(self.root, jobs=1)

    def git(self, *arguments):
        return self._git(self.root, *arguments)

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "x")

    def write(self, path):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        one, two = self.chance.choices((1, 2), k=2)
        file.write_text(f"namespace N;\npublic class {file.stem} {{ public int M() => {one}; public int X{two}; }}\n")

    def edit(self):
        self.write(self.chance.choice(SOURCES))

    def drop(self):
        (self.root / self.chance.choice(SOURCES)).unlink(missing_ok=True)

    def configure(self, most=0):
        (self.root / ".codecortex").mkdir(exist_ok=True)
        most = most or self.chance.choice((4, 5))
        (self.root / ".codecortex" / "config.yaml").write_text(f"outline:\n  maxDependencies: {most}\n")

    def _pick_outline(self):
        return self.chance.choice([*(self.root / ".codecortex" / "types").rglob("*.outline.md"), self.root / "x"])

    def edit_outline(self):
        self._pick_outline().write_text("edited\n")

    def drop_outline(self):
        self._pick_outline().unlink(missing_ok=True)

    def add_outline(self):
        (self.root / ".codecortex" / "types").mkdir(exist_ok=True)
        (self.root / ".codecortex" / "types" / "T_ABCDEFGH.outline.md").write_text("stray\n")

    def ignore_outlines(self):
        (self.root / ".git" / "info" / "exclude").write_text(self.chance.choice(("", "*.outline.md\n")))

    def assume(self):
        tracked = self.git("ls-files", "--", "src", ".codecortex/types").splitlines()
        word = self.chance.choice(("--assume-unchanged", "--no-assume-unchanged"))
        if tracked:
            self.git("update-index", word, self.chance.choice(tracked))

    def look_at_all(self):
        (self.root / ".git" / "info" / "exclude").write_text("")
        self.git("update-index", "--no-assume-unchanged", "--", *self.git("ls-files").splitlines())

    def stage(self):
        self.git("add", "-A")

    def restore(self):
        self.git("checkout", "-q", "--", ".")

    def touch(self):
        for path in self.root.rglob("*.cs"):
            os.utime(path)

    def refresh(self):
        refresh(self.request)

    def act(self):
        weights = {self.edit: 3, self.commit: 3, self.refresh: 4}
        others = (
            self.drop, self.configure, self.edit_outline, self.drop_outline, self.add_outline, self.ignore_outlines,
            self.assume, self.stage, self.restore, self.touch,
        )  # fmt: skip
        weights |= dict.fromkeys(others, 1)
        self.chance.choices([*weights], [*weights.values()])[0]()


@pytest.fixture
def editor(repo, git):
    return Editor(repo, git)


def count_rows(act):
    return count(Work.ROWS_READ, act)


def count(work, act):
    before = DONE[work]
    act()
    return DONE[work] - before


def test_nothing_is_listed_where_nothing_was_to_be_done_before(editor):
    first = refresh(editor.request)
    assert (first.types, first.written, first.removed) == (5, (), ())  # two are of the repository itself
    assert count_rows(lambda: refresh(editor.request)) == NOTHING
    assert refresh(editor.request) == first


@pytest.mark.parametrize(
    "options", [{"tfm": "net48"}, {"define": ("X",)}, {"configuration": "Release"}, {"untracked": True}]
)
def test_other_options_are_looked_at_anew(editor, options):
    refresh(editor.request)
    refresh(editor.request)
    assert count_rows(lambda: refresh(editor.request._replace(**options))) > NOTHING


def test_what_a_full_refresh_is_asked_for_is_done(editor):
    refresh(editor.request)
    refresh(editor.request)
    assert count_rows(lambda: refresh(editor.request, full=True)) > NOTHING


def test_an_outline_that_git_does_not_look_at_is_looked_at(editor):
    outline = next((editor.root / ".codecortex" / "types").rglob("*.outline.md"))
    editor.git("update-index", "--assume-unchanged", str(outline))
    refresh(editor.request)
    refresh(editor.request)
    outline.write_text("edited\n")
    assert [editor.root / path for path in refresh(editor.request).written] == [outline]


def make_repository(git, folder):
    folder.mkdir(exist_ok=True)
    git(folder, "init", "-q")
    git(folder, "commit", "-q", "--allow-empty", "-m", "inner")


def test_a_stray_outline_in_a_submodule_among_the_outlines_is_removed(editor, git):
    inner = editor.root / ".codecortex" / "types" / "AB"
    make_repository(git, inner)
    editor.commit()
    refresh(editor.request)
    refresh(editor.request)
    (inner / "T_ABCDEFGH.outline.md").write_text("stray\n")
    assert refresh(editor.request).removed == (".codecortex/types/AB/T_ABCDEFGH.outline.md",)


@pytest.mark.parametrize("folder", [".codecortex", ".codecortex/types"])
@pytest.mark.parametrize("tracked", [True, False])
def test_outlines_in_a_repository_of_their_own_are_looked_at(editor, git, folder, tracked):
    if not tracked:
        editor.git("rm", "-rq", "--cached", ".codecortex")
        editor.git("commit", "-q", "-m", "without")
    make_repository(git, editor.root / folder)
    refresh(editor.request)
    refresh(editor.request)
    outlines = sorted((editor.root / ".codecortex" / "types").rglob("*.outline.md"))
    outlines[0].unlink()
    outlines[1].write_text("edited\n")
    assert [editor.root / path for path in refresh(editor.request).written] == outlines[:2]


def test_an_alias_is_taken_back_once_it_is_in_head(editor):
    for name in ("Old", "New"):
        kept = editor.git("rev-parse", "HEAD").strip()
        (editor.root / "src" / "Renamed.cs").write_text(RENAMED.replace("Old", name))
        editor.stage()
        refresh(editor.request)
        editor.commit()
    renamed = editor.git("rev-parse", "HEAD").strip()
    editor.git("reset", "-q", "--hard", kept)
    refresh(editor.request)
    editor.git("checkout", "-q", renamed, "--", ".codecortex/aliases.json")
    assert refresh(editor.request).written == ()
    editor.git("commit", "-q", "-m", "the row alone")
    assert refresh(editor.request).written == (".codecortex/aliases.json",)


def list_known(request):
    """The listing of the work tree with the local cache at hand."""
    repository = open_repository(request.folder)
    with open_cache(repository.shared_dir, warn=pytest.fail) as cache:
        return open_tree(request, repository, cache=cache).listing


def lose(editor, part):
    """Have the local cache lack a part of the snapshot of the last refresh."""
    with closing(sqlite3.connect(editor.root / ".git" / "codecortex" / "cache.sqlite")) as db, db:
        assert db.execute("DELETE FROM snapshots WHERE name GLOB ?", (f"refresh/*/{part}",)).rowcount == 1


@pytest.mark.parametrize("part", ["rows", "stamps", "blobs"])
def test_a_refresh_that_misses_a_part_of_its_snapshot_reads_everything(editor, part):
    refresh(editor.request)
    lose(editor, part)
    (editor.root / "src" / "A.cs").write_text("namespace N;\npublic class A { public int New; }\n")
    plain = refresh(editor.request._replace(caches=False), dry_run=True)
    done = refresh(editor.request)
    assert len(done.written) == 1
    assert done[:3] == plain[:3]


def test_the_alias_table_goes_though_a_part_of_the_snapshot_is_lost(editor):
    table = editor.root / ".codecortex" / "aliases.json"
    table.unlink()
    for name in ("Old", "New"):
        (editor.root / "src" / "Renamed.cs").write_text(RENAMED.replace("Old", name))
        editor.stage()
        refresh(editor.request)
        editor.commit()
    rows = table.read_bytes()
    editor.git("revert", "--no-edit", "HEAD")
    refresh(editor.request)
    table.write_bytes(rows)
    refresh(editor.request)
    editor.commit()
    editor.git("rm", "-q", "--cached", ".codecortex/aliases.json")
    lose(editor, "stamps")
    done = refresh(editor.request)
    assert (done.removed, len(done.taken_back), table.exists()) == ((".codecortex/aliases.json",), 1, False)


def test_what_a_sparse_work_tree_has_nonetheless_is_looked_at(editor):
    editor.git("sparse-checkout", "set", "--no-cone", "/*", "!/.codecortex/types/")
    refresh(editor.request)
    refresh(editor.request)
    outline = next((editor.root / ".codecortex" / "types").rglob("*.outline.md"))
    outline.unlink()
    assert [editor.root / path for path in refresh(editor.request).written] == [outline]


@pytest.mark.parametrize("untracked", [False, True])
def test_an_edit_that_is_staged_while_git_looks_is_seen(editor, monkeypatch, untracked):
    (editor.root / ".codecortex" / "config.yaml").write_text(f"untracked: {str(untracked).lower()}\n")
    editor.commit()
    refresh(editor.request)
    editor.edit()
    for source in SOURCES:
        (editor.root / source).write_text("class Fresh;\n")
    real, repository = Repository.ask_all, open_repository(editor.root)

    def ask(self, *calls):
        answers = real(self, *calls)
        if CHANGES.arguments[0] in {call.arguments[0] for call in calls}:
            monkeypatch.setattr(Repository, "ask_all", real)
            editor.stage()
        return answers

    with open_cache(repository.shared_dir, warn=pytest.fail) as cache, head_start(repository):
        monkeypatch.setattr(Repository, "ask_all", ask)
        told = open_tree(editor.request, repository, cache=cache).listing.entries
    assert [each[:2] for each in told] == [each[:2] for each in list_plainly(editor.request).entries]


def list_plainly(request):
    return open_tree(request, open_repository(request.folder)).listing


def test_a_question_does_not_wait_for_a_list_of_a_known_index(editor):
    editor.commit()
    refresh(editor.request)
    plain = count(Work.PROCESSES, lambda: list_plainly(editor.request))
    assert count(Work.PROCESSES, lambda: list_known(editor.request)) == plain - 1
    (editor.root / "src" / "New.cs").write_text("class New;\n")
    editor.stage()
    assert list_known(editor.request) == list_plainly(editor.request)
    assert count(Work.PROCESSES, lambda: list_known(editor.request)) == plain


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_what_is_remembered_changes_no_answer(editor, seed, monkeypatch):
    monkeypatch.setattr(folder_counts, "SETTLED", 20_000_000)  # a few ticks of the clock
    monkeypatch.setattr(look_module, "_FEW", 0)
    editor.chance.seed(seed + int(os.environ.get("CODECORTEX_SEED", "0")))
    remembered = 0
    for step in range(40):
        if step % 4 == 0:
            editor.look_at_all()
            editor.refresh()
            editor.commit()
        for _ in range(editor.chance.randrange(3)):
            editor.act()
        assert list_known(editor.request) == list_plainly(editor.request)
        plain = refresh(editor.request._replace(caches=False), dry_run=True)
        told = refresh(editor.request, dry_run=True)
        remembered += count_rows(lambda: refresh(editor.request, dry_run=True)) == NOTHING
        assert told[:3] == plain[:3]
        assert told.skipped == plain.skipped
    assert remembered
