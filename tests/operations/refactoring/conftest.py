"""Small repositories that an edit is made in."""

import pytest

from codecortex.cli.main import main

PROJECT = (
    '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net10.0</TargetFramework>{more}</PropertyGroup>'
    "<ItemGroup>{items}</ItemGroup></Project>\n"
)


def parse_files(text):
    """Files as a table writes them: `== path` before each."""
    files = {}
    for part in text.split("== ")[1:]:
        path, _, content = part.partition("\n")
        files[path.strip()] = content
    return files


@pytest.fixture
def refactor(tmp_path, git, capsys):
    """Makes a repository of files, runs `refactor` in it, and gives what its sources say then, or what was refused."""

    def run(text, *arguments, ends=0, project=None, write=True):
        root = tmp_path / "shop"
        root.mkdir()
        files = {**(project or {"P.csproj": PROJECT.format(more="", items="")}), **parse_files(text)}
        for path, content in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(content.encode())
        git(root, "init", "-q")
        git(root, "add", ".")
        code = main(["-C", str(root), "refactor", *arguments, *(["--write"] if write else [])])
        printed = capsys.readouterr()
        assert code == ends, printed.err + printed.out
        if ends:
            return printed.err + printed.out
        return {
            path.relative_to(root).as_posix(): path.read_bytes().decode()
            for path in sorted(root.rglob("*.cs"))
            if ".codecortex" not in path.parts
        }

    return run
