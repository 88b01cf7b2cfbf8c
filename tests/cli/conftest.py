"""A small C# repository and the command, in process and as a process of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import codecortex
from codecortex.cli.main import main

SOURCE = str(Path(codecortex.__file__).parents[1])
PROJECT = """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup>
</Project>
"""
STORE = """namespace Shop.Core;

/// <summary>Keeps orders.</summary>
public sealed partial class Store<T> : IStore where T : Order
{
    /// <summary>How many there are.</summary>
    public int Count { get; private set; }

    public Order? Find(string key, bool deep = false) => null;

    public enum State { Open, Closed = 4 }
}
"""
FILES = {
    "src/Core/Core.csproj": PROJECT,
    "src/Core/Store.cs": STORE,
    "src/Core/Store.Adding.cs": (
        "namespace Shop.Core;\npublic sealed partial class Store<T>\n"
        "{\n    internal void Add(T order) { Count++; }\n}\n"
    ),
    "src/Core/Order.cs": (
        "namespace Shop.Core;\npublic record Order(string Key);\npublic interface IStore { int Count { get; } }\n"
    ),
    "src/App/App.csproj": PROJECT.replace(
        "</Project>", '<ItemGroup><ProjectReference Include="../Core/Core.csproj" /></ItemGroup></Project>'
    ),
    "src/App/Order.cs": "using Shop.Core;\nnamespace Shop.App;\nclass Order { public Store<Shop.Core.Order> Store; }\n",
    "notes.txt": "not C#\n",
}


class Result(NamedTuple):
    """What the command said."""

    code: int
    out: str
    err: str


Cli = Callable[..., Result]


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    """Run the command in this process: `cli(folder, "refresh", "--json")`."""

    def run(folder: Path, *arguments: str) -> Result:
        capsys.readouterr()
        code = main(["-C", str(folder), *arguments])
        return Result(code, *capsys.readouterr())

    return run


@pytest.fixture
def process() -> Callable[..., "subprocess.CompletedProcess[bytes]"]:
    """Run the command as a user's shell would: `process(folder, "refresh", LANG="C")`."""

    def run(folder: Path, *arguments: str, **variables: str) -> "subprocess.CompletedProcess[bytes]":
        environment = {**os.environ, "PYTHONPATH": SOURCE, **variables}
        command = [sys.executable, "-m", "codecortex", *arguments]
        return subprocess.run(command, cwd=folder, capture_output=True, check=False, env=environment)

    return run


@pytest.fixture
def source() -> str:
    """Where this codecortex lies, for PYTHONPATH."""
    return SOURCE


def write_files(root: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())


def commit_files(root: Path, files: dict[str, str], git: Callable[..., str], cli: Cli | None = None) -> Path:
    """Make a repository of these files, committed, not refreshed; with the command also initialised."""
    root.mkdir()
    git(root, "init", "--quiet")
    write_files(root, files)
    if cli is not None:
        assert cli(root, "init").code == 0
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "one")
    return root


def ask(cli: Cli, root: Path, *words: str) -> Any:
    """The JSON values of an answer."""
    result = cli(root, *words, "--json")
    assert result.code == 0, result.err
    return json.loads(result.out)


@pytest.fixture
def shop(tmp_path: Path, git: Callable[..., str], cli: Cli) -> Path:
    """Return a repository of two projects and five types, committed and initialised, not refreshed."""
    return commit_files(tmp_path / "shop", FILES, git, cli)


@pytest.fixture
def telling_shop(shop: Path, git: Callable[..., str]) -> Path:
    """The shop with public types of which their sources say more than outlines show, so that extracts have a text."""
    for path, plain, telling in (
        ("src/Core/Store.cs", "public enum", "private volatile int _seen; [Flags] public enum"),
        ("src/Core/Order.cs", "(string Key);", "(string Key) { private volatile int _seen; }"),
        ("src/Core/Order.cs", "public interface", '[Obsolete("Use Store.")] public interface'),
    ):
        text = (shop / path).read_text("utf-8")
        assert plain in text
        (shop / path).write_bytes(text.replace(plain, telling).encode())
    git(shop, "commit", "--quiet", "--all", "--amend", "-m", "one")
    return shop


@pytest.fixture
def read_tree() -> Callable[[Path], dict[str, bytes]]:
    """Every file below a folder."""

    def read(folder: Path) -> dict[str, bytes]:
        return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}

    return read


@pytest.fixture
def look() -> Callable[[Path], dict[str, tuple[int, int, int]]]:
    """How every file below a folder lies on disk, git's own folder left out."""

    def list_states(folder: Path) -> dict[str, tuple[int, int, int]]:
        return {
            p.relative_to(folder).as_posix(): (p.lstat().st_mtime_ns, p.lstat().st_ino, p.lstat().st_size)
            for p in sorted(folder.rglob("*"))
            if ".git" not in p.relative_to(folder).parts
        }

    return list_states


MODEL = """
import json, pathlib, sys, time
prompt = sys.stdin.read()
folder = pathlib.Path(sys.argv[1])
number = len(list(folder.glob("prompt-*")))
(folder / f"prompt-{number}").write_text(prompt)
answers = json.loads((folder / "answers.json").read_text())
answer = answers[min(number, len(answers) - 1)]
if answer.endswith("wait"):
    print(answer.removesuffix("wait"), end="", flush=True)
    time.sleep(600)
    sys.exit("nobody stopped it")
print(answer)
"""


@pytest.fixture
def model(tmp_path, monkeypatch):
    """Have a program answer: `model("first answer", "second", maxTokensPerRun=...)`; its folder holds the prompts.

    An answer that ends in `wait` is never whole.
    """
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    folder, program = tmp_path / "model", tmp_path / "model.py"
    folder.mkdir()
    program.write_text(MODEL)
    config = tmp_path / "config/codecortex/config.yaml"
    config.parent.mkdir(parents=True)

    def use(*answers, **settings):
        (folder / "answers.json").write_text(json.dumps(answers))
        for old in folder.glob("prompt-*"):
            old.unlink()
        command = [sys.executable, str(program), str(folder)]
        config.write_text(json.dumps({"llm": {"provider": "command", "command": command, **settings}}))
        return folder

    return use


def read_prompts(folder):
    return [(folder / f"prompt-{number}").read_text() for number in range(len(list(folder.glob("prompt-*"))))]
