"""Two repositories, one with hooks and one without codecortex, living through the same user's commands.

Whatever the user did, the two must differ in generated files alone: that is the law of the commit matrix, and
`Both.obey_law` asks it. `CODECORTEX_GIT` names a folder with another git to run everything with.
"""

import difflib
import io
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Self

import pytest

import codecortex
from codecortex.cli.main import main

SOURCE = str(Path(codecortex.__file__).parents[1])
GENERATED = (".codecortex/index.json", ".codecortex/aliases.json", ".codecortex/types")
SPACE = "\n".join(f"    // {number}" for number in range(12))
PROJECT = """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup>
</Project>
"""
ALPHA, BETA, GAMMA = (f"src/Core/{name}.cs" for name in ("Alpha", "Beta", "Gamma"))


def write_type(name: str, base: str = "") -> str:
    """The source of a class, long enough for two hunks."""
    head = f"namespace Demo;\n\npublic class {name}{base}\n{{\n"
    return f"{head}    public int Top() => 1;\n\n{SPACE}\n\n    public int Bottom() => 1;\n}}\n"


FILES = {
    "src/Core/Core.csproj": PROJECT,
    ALPHA: write_type("Alpha", " : IGamma"),
    BETA: write_type("Beta", " : Alpha"),
    GAMMA: "namespace Demo;\n\npublic interface IGamma\n{\n    int Top();\n}\n",
    "src/App/App.cs": "namespace Demo.App;\n\npublic class Program\n{\n    public Alpha Main(Beta b) => b;\n}\n",
    "notes.txt": "notes\n",
}


class Done(NamedTuple):
    """What a command said."""

    code: int
    out: str
    err: str


class Repo(NamedTuple):
    """One repository's work tree, or a folder in it, to run commands in."""

    root: Path

    def git(self, *arguments: str, stdin: str = "", **variables: str) -> Done:
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.root,
            input=stdin.encode(),
            capture_output=True,
            check=False,
            env={**os.environ, **variables},
        )
        said = Done(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))
        assert "Traceback" not in said.err, said.err
        return said

    def ask(self, *arguments: str, **variables: str) -> str:
        done = self.git(*arguments, **variables)
        assert done.code == 0, f"git {' '.join(arguments)}: {done.err}"
        return done.out

    def hook(self, name: str, *arguments: str, **variables: str) -> Done:
        """Run an installed hook as git would."""
        return self.git("hook", "run", name, *(["--", *arguments] if arguments else []), **variables)

    def read(self, path: str) -> str:
        return (self.root / path).read_bytes().decode()

    def write(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())

    def list_generated(self, rev: str) -> str:
        return self.ask("ls-tree", "-r", "--full-tree", rev, "--", *GENERATED)


def run_command(folder: Path, *arguments: str) -> None:
    assert main(["-C", str(folder), *arguments]) == 0


def install_hooks(repo: Repo) -> None:
    run_command(repo.root, "hooks", "install")


def is_generated(path: str) -> bool:
    return path.startswith(GENERATED)


def _list_users(output: str, path_of: Callable[[str], str]) -> list[str]:
    return [line for line in output.split("\0") if line and not is_generated(path_of(line))]


def _read_status(repo: Repo, **variables: str) -> list[str]:
    """What status says of the user's paths: porcelain v2 without renames, so that each path stands alone."""
    lines = repo.ask("status", "--porcelain=v2", "-z", "-uall", "--no-renames", **variables)
    fields = {"1": 8, "u": 10, "?": 1, "!": 1}
    return _list_users(lines, lambda line: line.split(" ", fields[line[0]])[-1])


def _read_files(top: Path) -> dict[str, bytes]:
    """The user's files in the work tree; those of submodules and linked work trees, too."""
    files = {}
    for folder, names, found in os.walk(top):
        names[:] = [name for name in names if name != ".git"]
        for name in found:
            path = (Path(folder) / name).relative_to(top).as_posix()
            if name != ".git" and not is_generated(path) and not path.startswith(".codecortex/local/"):
                files[path] = (Path(folder) / name).read_bytes()
    return files


def _look(repo: Repo, **variables: str) -> dict[str, object]:
    """All that a user can see of a repository, generated files left out."""
    top = Path(repo.ask("rev-parse", "--show-toplevel").strip())
    tabbed = lambda line: line.split("\t", 1)[1]  # noqa: E731 - a key as for sorted()
    born = repo.git("rev-parse", "--quiet", "--verify", "HEAD").code == 0
    return {
        "commits": repo.ask("log", "--format=%s|%an").splitlines() if born else [],
        "tree": _list_users(repo.ask("ls-tree", "-r", "-z", "--full-tree", "HEAD"), tabbed) if born else [],
        "index": _list_users(repo.ask("ls-files", "-s", "-v", "-z", "--full-name", ":/", **variables), tabbed),
        "status": _read_status(repo, **variables),
        "work tree": _read_files(top),
        "stashes": len(repo.ask("stash", "list").splitlines()),
        "branch": repo.git("symbolic-ref", "-q", "HEAD").out,
    }


class Both(NamedTuple):
    """The repository with hooks, its twin that has never seen codecortex's generated files, and a place for copies."""

    repo: Repo
    twin: Repo
    place: Path
    seen: list[str]

    def git(self, *arguments: str, ok: bool | None = True, stdin: str = "", **variables: str) -> Done:
        """Run git in both; `ok` says whether it is to succeed, None that the two may fare differently."""
        _, done = (each.git(*arguments, stdin=stdin, **variables) for each in (self.twin, self.repo))
        if ok is not None:
            assert (done.code == 0) is ok, f"git {' '.join(arguments)} ended with {done.code}: {done.out}{done.err}"
        return done

    def write(self, path: str, text: str) -> None:
        for each in (self.repo, self.twin):
            each.write(path, text)

    def edit(self, path: str, old: str, new: str) -> None:
        for each in (self.repo, self.twin):
            text = each.read(path)
            assert old in text, f"{path} has no {old!r}"
            each.write(path, text.replace(old, new))

    def add_top(self, path: str, name: str) -> None:
        """A new method, in the first hunk of a type's file."""
        self.edit(path, "{", f"{{\n    public int {name}() => 2;")

    def add_bottom(self, path: str, name: str) -> None:
        """A new method, in the last hunk of a type's file."""
        self.edit(path, "}", f"    public int {name}() => 2;\n}}")

    def commit(self, *arguments: str, message: str = "change", **variables: str) -> Done:
        return self.git("commit", "--quiet", "-m", message, *arguments, **variables)

    def enter(self, folder: str) -> Self:
        """The same two seen from another folder, which may be another work tree."""
        repo, twin = (Repo((each.root / folder).resolve()) for each in (self.repo, self.twin))
        return self._replace(repo=repo, twin=twin)

    def clone(self, *options: str) -> Self:
        """Clone each over a transport, and install hooks in the clone of the one that has them."""
        for each in (self.repo, self.twin):
            each.ask("clone", "--quiet", *options, each.root.as_uri(), str(each.root.parent / "clone"))
        both = self.enter("../clone")
        install_hooks(both.repo)
        return both._replace(seen=[both.repo.list_generated("HEAD")])

    def make_empty(self, name: str, *options: str) -> Self:
        """Two new repositories without a commit and without hooks, beside these."""
        for each in (self.repo, self.twin):
            done = each.git("init", "--quiet", *options, f"../{name}")
            if done.code:
                pytest.skip(f"this git has no {' '.join(options)}")
        return self.enter(f"../{name}")._replace(seen=[""])

    def obey_law(self, *, moved: bool = True, history: bool = True, **variables: str) -> None:
        """The newest commit is fresh, the user's things are as without hooks, generated files are clean.

        Args:
            moved: Whether generated files differ from those of the last commit asked about, so that no case is void.
            history: Whether both made the same commits.
            variables: Environment of a user who has an index of their own.
        """
        self.expect_fresh("HEAD")
        generated = self.repo.list_generated("HEAD")
        assert (generated != self.seen[-1]) is moved, "generated files did not change" if moved else "they changed"
        self.seen.append(generated)
        self.expect_intact(history=history, **variables)
        self.expect_clean(**variables)

    def expect_fresh(self, rev: str) -> None:
        """A commit's generated files are, byte for byte, what a full refresh of its own tree makes."""
        folder = self.place / f"fresh{len(list(self.place.iterdir()))}"
        top = self.repo.ask("rev-parse", "--show-toplevel").strip()
        tar = subprocess.run(
            ["git", "-c", "core.autocrlf=false", "-C", top, "archive", rev], capture_output=True, check=True
        )
        with tarfile.open(fileobj=io.BytesIO(tar.stdout)) as archive:
            # Python has filters from 3.11.4 on, and warns from 3.12 on where none is named.
            filtered: Any = {"filter": "tar"} if hasattr(tarfile, "tar_filter") else {}
            archive.extractall(folder, **filtered)  # noqa: S202 - git's own archive
        fresh = Repo(folder)
        fresh.ask("init", "--quiet")
        fresh.ask("add", "--force", "--all")
        committed = _read_generated(folder)
        run_command(folder, "refresh", "--full")
        expected = _read_generated(folder)
        wrong = [path for path in {**committed, **expected} if committed.get(path) != expected.get(path)]
        assert not wrong, f"{rev} holds stale generated files:\n" + "\n".join(
            _show_difference(path, committed.get(path), expected.get(path)) for path in wrong
        )

    def expect_intact(self, *, history: bool = True, **variables: str) -> None:
        """Outside the generated files the repository is what it would be without hooks."""
        ours, theirs = (_look(each, **variables) for each in (self.repo, self.twin))
        for what, value in theirs.items():
            if history or what != "commits":
                assert ours[what] == value, f"the user's {what} differ from those without hooks"
        git_dir = Path(self.repo.ask("rev-parse", "--absolute-git-dir").strip())
        left = [file.name for file in git_dir.iterdir() if file.suffix == ".lock" or "next-index" in file.name]
        assert not left, f"left behind in the git directory: {left}"

    def expect_clean(self, **variables: str) -> None:
        """Status has nothing to say of generated files."""
        paths = [f":/{path}" for path in GENERATED]
        said = self.repo.ask("status", "--porcelain", "-uall", "--", *paths, **variables)
        assert not said, f"generated files are not clean:\n{said}"


def _read_generated(folder: Path) -> dict[str, bytes]:
    files = [folder / GENERATED[0], folder / GENERATED[1], *sorted((folder / GENERATED[2]).rglob("*"))]
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files if file.is_file()}


def _show_difference(path: str, committed: bytes | None, expected: bytes | None) -> str:
    sides = [
        ["(no file)\n"] if side is None else side.decode().splitlines(keepends=True) for side in (committed, expected)
    ]
    return "".join(difflib.unified_diff(*sides, f"committed/{path}", f"expected/{path}"))


@pytest.fixture(scope="session", autouse=True)
def _commands(tmp_path_factory, _sealed_git):
    """The git under test first on the path, and `codecortex` as if it were installed."""
    folder = tmp_path_factory.mktemp("bin")
    command = folder / "codecortex"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m codecortex "$@"\n')
    command.chmod(0o755)
    with pytest.MonkeyPatch.context() as environment:
        chosen = os.environ.get("CODECORTEX_GIT", "")
        path = [str(folder), chosen, os.environ["PATH"]]
        environment.setenv("PATH", os.pathsep.join(filter(None, path)))
        if chosen and shutil.which("git") != str(Path(chosen) / "git"):
            pytest.fail(f"CODECORTEX_GIT={chosen}: there is no git in that folder")
        environment.setenv("PYTHONPATH", SOURCE)
        environment.setenv("GIT_EDITOR", ":")
        environment.delenv("CODECORTEX", raising=False)
        yield


@pytest.fixture
def install():
    """Install the hooks in a repository."""
    return install_hooks


@pytest.fixture
def set_up():
    """Run `codecortex init` in a repository."""
    return lambda repo: run_command(repo.root, "init")


@pytest.fixture
def refresh():
    """Run `codecortex refresh` in a repository."""
    return lambda repo: run_command(repo.root, "refresh")


@pytest.fixture(scope="session")
def template(tmp_path_factory, _commands):
    """Where the two repositories lie that every case begins with a copy of."""
    place = tmp_path_factory.mktemp("template")
    for name in ("hooked", "twin"):
        repo = Repo(place / name / "repo")
        repo.root.mkdir(parents=True)
        repo.ask("init", "--quiet")
        for path, text in FILES.items():
            repo.write(path, text)
        run_command(repo.root, "init")
        repo.ask("add", ".")
        if name == "hooked":
            run_command(repo.root, "refresh")
            repo.ask("add", ".")
        repo.ask("commit", "--quiet", "-m", "one")
        if name == "hooked":
            install_hooks(repo)
    return place


@pytest.fixture
def both(template, tmp_path):
    """Both repositories, with one commit."""
    for name in ("hooked", "twin"):
        shutil.copytree(template / name, tmp_path / name, symlinks=True)
    (tmp_path / "copies").mkdir()
    repo, twin = (Repo(tmp_path / name / "repo") for name in ("hooked", "twin"))
    for each in (repo, twin):
        each.ask("update-index", "-q", "--refresh")  # as after a checkout: a copy has times of its own
    return Both(repo, twin, tmp_path / "copies", [repo.list_generated("HEAD")])
