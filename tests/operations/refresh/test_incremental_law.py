"""Incremental equals full: after any edit, a refresh leaves the bytes that a refresh of everything would."""

import os
import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from codecortex.operations.refresh.refresh import refresh
from codecortex.operations.request import Request

pytestmark = pytest.mark.law

NAMES = ("A", "B", "C", "D", "Item", "App", "AAttribute")
SPACES = ("", "App", "App.Core", "Lib", "Lib.A", "App.Item")
KINDS = ("class", "struct", "interface", "record", "record struct", "enum", "delegate")
FOLDERS = ("src/P1", "src/P2", "src/P3", "src/P3/Sub", "tools", "src/P1/Inner")
PROJECTS = ("src/P1/P1.csproj", "src/P2/P2.csproj", "src/P3/P3.csproj", "tools/T.csproj")


@dataclass
class Type:
    name: str
    kind: str = "class"
    arity: int = 0
    words: set[str] = field(default_factory=lambda: {"public"})
    bases: list[str] = field(default_factory=list)
    members: list[str] = field(default_factory=list)
    nested: list["Type"] = field(default_factory=list)
    constraint: str = ""

    def text(self) -> str:
        head = " ".join([*sorted(self.words, key=["file", "internal", "public", "partial"].index), self.kind])
        generic = f"<{', '.join(f'T{n}' for n in range(self.arity))}>" if self.arity else ""
        if self.kind == "delegate":
            return f"{head.replace('partial ', '')} int {self.name}{generic}();"
        if self.kind == "enum":
            return f"{head.replace('partial ', '')} {self.name} {{ One, Two }}"
        bases = f" : {', '.join(self.bases)}" if self.bases else ""
        where = f" where T0 : {self.constraint}" if self.arity and self.constraint else ""
        body = "\n".join([*self.members, *(each.text() for each in self.nested)])
        return f"{head} {self.name}{generic}{bases}{where}\n{{\n{body}\n}}"


@dataclass
class Source:
    space: str = "App"
    usings: list[str] = field(default_factory=list)
    types: list[Type] = field(default_factory=list)
    tail: str = ""
    crlf: bool = False

    def data(self) -> bytes:
        body = "\n".join(each.text() for each in self.types)
        text = "\n".join(self.usings) + "\n"
        text += f"namespace {self.space}\n{{\n{body}\n}}\n" if self.space else body
        return (text + self.tail).replace("\n", "\r\n" if self.crlf else "\n").encode()


class World:
    """A repository as a program would edit it: sources, projects and configuration, changed at random."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311 - a law, not a secret
        self.sources: dict[str, Source] = {}
        self.others: dict[str, str] = {}
        self.config: dict[str, str] = {}
        self.damage: Callable[[Path], None] | None = None
        # Rare directives make a refresh read everything: most worlds have few, so that most steps are incremental.
        self.spice = self.random.choice([0.0, 0.05, 1.0])
        for path in PROJECTS:
            self.write_project(path)
        for _ in range(12):
            self.add_file()

    def pick(self, values: tuple[str, ...] | list[str]) -> str:
        return self.random.choice(values)

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    # -- text

    def name(self) -> str:  # noqa: PLR0911 - one return a way
        """Return a reference to a type in one of the ways C# has for it."""
        plain = self.pick(NAMES)
        match self.random.randrange(10):
            case 0:
                return f"{self.pick(SPACES[1:])}.{plain}"
            case 1:
                return f"global::{self.pick(SPACES[1:])}.{plain}"
            case 2:
                return f"{plain}<{self.name()}>"
            case 3:
                return f"{plain}<int, {self.pick(NAMES)}>"
            case 4:
                return f"{plain}.{self.pick(NAMES)}"
            case 5:
                return self.pick(("X", "Y", "X.A", "T0"))
            case _:
                return plain

    def member(self) -> str:
        number = self.random.randrange(6)
        kind = self.name()
        return self.random.choice([
            f"public {kind} P{number} {{ get; set; }}",
            f"public void M{number}({kind} value, {self.name()}? other = default) {{ }}",
            f"private {kind} f{number};",
            f"[{self.pick(NAMES)}] public int Q{number} => {kind}.Zero;",
            f"/// <summary>See <see cref='{self.pick(NAMES)}'/>.</summary>\npublic int R{number} => 1;",
            f"protected object S{number}() => new {kind}();",
            f"#if DEBUG || EXTRA\npublic {kind} D{number};\n#else\npublic int E{number};\n#endif",
            f"public const int K{number} = {number};",
        ])  # fmt: skip

    def using(self) -> str:  # noqa: PLR0911 - one return a way
        match self.random.randrange(8) if self.chance(self.spice) else 8:
            case 0:
                return f"using X = {self.pick(SPACES[1:])}.{self.pick(NAMES)};"
            case 1:
                return f"using Y = {self.pick(SPACES[1:])};"
            case 2:
                return f"using static {self.pick(SPACES[1:])}.{self.pick(NAMES)};"
            case 3:
                return f"global using {self.pick(SPACES[1:])};"
            case 4:
                return f"global using X = {self.pick(SPACES[1:])}.{self.pick(NAMES)};"
            case 5:
                return f"global using static {self.pick(SPACES[1:])}.{self.pick(NAMES)};"
            case _:
                return f"using {self.pick(SPACES[1:])};"

    def type(self, depth: int = 0) -> Type:
        made = Type(self.pick(NAMES), self.pick(KINDS) if self.chance(0.4) else "class")
        made.arity = self.random.choice([0, 0, 0, 1, 1, 2])
        made.words = {self.pick(("public", "public", "internal", "file" if depth == 0 else "public"))}
        if self.chance(0.4):
            made.words.add("partial")
        made.bases = [self.name() for _ in range(self.random.randrange(3))]
        made.members = [self.member() for _ in range(self.random.randrange(4))]
        if depth < 2:
            made.nested = [self.type(depth + 1) for _ in range(self.random.choice([0, 0, 1]))]
        if self.chance(0.3):
            made.constraint = self.name()
        return made

    # -- edits

    def new_path(self) -> str:
        return f"{self.pick(FOLDERS)}/F{self.random.randrange(30)}.cs"

    def add_file(self) -> None:
        source = Source(self.pick(SPACES), [self.using() for _ in range(self.random.randrange(3))])
        source.types = [self.type() for _ in range(self.random.randrange(1, 3))]
        self.sources[self.new_path()] = source

    def remove_file(self) -> None:
        if len(self.sources) > 6:
            del self.sources[self.pick(sorted(self.sources))]

    def move_file(self) -> None:
        self.sources[self.new_path()] = self.sources.pop(self.pick(sorted(self.sources)))

    def edit_scope(self) -> None:
        source = self.source()
        match self.random.randrange(6):
            case 0:
                source.space = self.pick(SPACES)
            case 1 | 2 if source.usings:
                source.usings.pop(self.random.randrange(len(source.usings)))
            case 3:
                source.crlf = not source.crlf
            case 4:
                source.tail = self.random.choice(["", "", "// end\n", "}\n", "class {{{\n", "\0\n", "#if X\n"])
            case _:
                source.usings.append(self.using())

    def source(self) -> Source:
        return self.sources[self.pick(sorted(self.sources))]

    def edit_types(self) -> None:
        source = self.source()
        holder = source.types
        while holder and self.chance(0.4) and (deeper := [each.nested for each in holder if each.nested]):
            holder = self.random.choice(deeper)
        match self.random.randrange(4):
            case 0:
                holder.append(self.type(0 if holder is source.types else 1))
            case 1 if holder:
                holder.pop()
            case 2 if holder:  # a part or a whole type moves to another file
                self.source().types.append(holder.pop())
            case _ if holder:
                self.edit_type(self.random.choice(holder))

    def edit_type(self, chosen: Type) -> None:
        match self.random.randrange(8):
            case 0:
                chosen.name = self.pick(NAMES)
            case 1:
                chosen.kind = self.pick(KINDS)
            case 2:
                chosen.arity = self.random.randrange(3)
            case 3:
                chosen.words ^= {"partial"}
            case 4:
                chosen.bases = [self.name() for _ in range(self.random.randrange(3))]
            case 5:
                chosen.words = {self.pick(("public", "internal", "file"))} | (chosen.words & {"partial"})
            case 6 if chosen.members:
                chosen.members.pop(self.random.randrange(len(chosen.members)))
            case _:
                chosen.members.append(self.member())

    def edit_project(self) -> None:
        if self.chance(0.2):
            self.others["Directory.Build.props"] = self.project_xml(full=False)
        else:
            self.write_project(self.pick(PROJECTS))

    def write_project(self, path: str) -> None:
        if path in self.others and self.chance(0.15):
            del self.others[path]
        else:
            self.others[path] = self.project_xml(full=True)

    def project_xml(self, *, full: bool) -> str:
        options = {
            "<ImplicitUsings>enable</ImplicitUsings>": 0.2,
            "<DefineConstants>$(DefineConstants);EXTRA</DefineConstants>": 0.2,
            f"<AssemblyName>Asm{self.random.randrange(3)}</AssemblyName>": 0.2,
            f"<RootNamespace>{self.pick(SPACES[1:])}</RootNamespace>": 0.2,
        }
        properties = [text for text, share in options.items() if self.chance(share)]
        items = []
        if full:
            properties.append("<TargetFramework>net8.0</TargetFramework>")
            for _ in range(self.random.randrange(3)):
                target = self.pick(PROJECTS).replace("/", "\\")
                up = "..\\..\\"
                items.append(f'<ProjectReference Include="{up}{target}" />')
            if self.chance(0.3):
                items.append(f'<Compile Remove="F{self.random.randrange(30)}.cs" />')
            if self.chance(0.2):
                items.append(f'<Compile Include="..\\..\\{self.pick(FOLDERS)}\\F1*.cs" />')
        if self.chance(0.2):
            items.append(f'<Using Include="{self.pick(SPACES[1:])}" />')
        body = f"<PropertyGroup>{''.join(properties)}</PropertyGroup><ItemGroup>{''.join(items)}</ItemGroup>"
        return f'<Project Sdk="Microsoft.NET.Sdk">{body}</Project>'

    def edit_config(self) -> None:
        key, value = self.random.choice([
            ("exclude", f"['F{self.random.randrange(30)}.cs']"),
            ("outline.hashes", self.pick(("true", "false"))),
            ("outline.maxDependencies", self.pick(("0", "1", "12"))),
            ("index.detail", self.pick(("full", "identity"))),
            ("project.define", self.pick(("[EXTRA]", "[]"))),
            ("untracked", self.pick(("true", "false"))),
            ("includeInternalForDependencies", self.pick(("true", "false"))),
        ])  # fmt: skip
        self.config = {} if self.chance(0.7) else {**self.config, key: value}

    def spoil(self) -> None:
        """Let someone meddle with generated files."""
        self.damage = self.random.choice(
            [delete_outline, edit_outline, add_stray, delete_index, edit_index, delete_all, lose_parts, damage_parts]
        )

    def step(self) -> str:
        """Make one to three edits and say which."""
        self.damage = None
        edits: list[Callable[[], None]] = [self.edit_types] * 12 + [self.edit_scope] * 6 + [self.add_file] * 2
        edits += [self.remove_file] * 2 + [self.move_file] * 2 + [self.spoil] * 2
        edits += [self.edit_project, self.edit_config] if self.chance(0.4) else []
        chosen = [self.random.choice(edits) for _ in range(self.random.choice([1, 1, 1, 2, 3]))]
        for edit in chosen:
            edit()
        return ", ".join(edit.__name__ for edit in chosen)

    # -- disk

    def files(self) -> dict[str, bytes]:
        files = {path: source.data() for path, source in self.sources.items()}
        files |= {path: text.encode() for path, text in self.others.items()}
        sections: dict[str, list[str]] = {}
        for key, value in self.config.items():
            section, _, leaf = key.rpartition(".")
            sections.setdefault(section, []).append(f"{'  ' if section else ''}{leaf}: {value}\n")
        lines = [(f"{section}:\n" if section else "") + "".join(lines) for section, lines in sorted(sections.items())]
        return files | {".codecortex/config.yaml": "".join(lines).encode()}


def lose_parts(root: Path) -> None:
    change_cache(root, f"DELETE FROM snapshots {_PARTS}")  # noqa: S608 - our own names


def damage_parts(root: Path) -> None:
    change_cache(root, f"UPDATE snapshots SET data = CAST('damaged' AS BLOB) {_PARTS}")  # noqa: S608 - as above


_PARTS = "WHERE name GLOB '*/rows' OR name GLOB '*/stamps' OR name GLOB '*/blobs'"


def change_cache(root: Path, statement: str) -> None:
    """Change what the local cache holds, if there is one."""
    file = root / ".git" / "codecortex" / "cache.sqlite"
    if file.exists():
        with closing(sqlite3.connect(file)) as db, db:
            db.execute(statement)


def list_outlines(root: Path) -> list[Path]:
    return sorted((root / ".codecortex" / "types").glob("*.md"))


def delete_outline(root: Path) -> None:
    for file in list_outlines(root)[:2]:
        file.unlink()


def edit_outline(root: Path) -> None:
    for file in list_outlines(root)[-2:]:
        file.write_text("mine\n", "utf-8")


def add_stray(root: Path) -> None:
    (root / ".codecortex" / "types").mkdir(exist_ok=True)
    (root / ".codecortex" / "types" / "T_00000000.outline.md").write_text("stray\n", "utf-8")


def delete_index(root: Path) -> None:
    (root / ".codecortex" / "index.json").unlink(missing_ok=True)


def edit_index(root: Path) -> None:
    (root / ".codecortex" / "index.json").write_text("{\n", "utf-8")


def delete_all(root: Path) -> None:
    shutil.rmtree(root / ".codecortex" / "types", ignore_errors=True)


def sync(root: Path, files: dict[str, bytes]) -> None:
    """Make the sources of a work tree be these; what is generated stays."""
    present = {
        path.relative_to(root).as_posix()
        for path in root.rglob("*")
        if path.is_file() and path.suffix in (".cs", ".csproj", ".props") and ".git" not in path.relative_to(root).parts
    }
    for path in present - files.keys():
        (root / path).unlink()
    for path, data in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.exists() or file.read_bytes() != data:
            file.write_bytes(data)


def read_generated(root: Path) -> dict[str, bytes]:
    """Every file but the alias table: what types were called before, one that starts from nothing cannot know."""
    folder = root / ".codecortex"
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != "aliases.json"]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


class Law:
    """Two work trees of the same sources: one is refreshed step by step, one from nothing each time."""

    def __init__(self, folder: Path, git: Callable[..., str], seed: int) -> None:
        self.world, self.git = World(seed), git
        self.one, self.two = folder / "one", folder / "two"
        for root in (self.one, self.two):
            root.mkdir()
            git(root, "init", "--quiet")

    def step(self) -> None:
        told = self.world.step()
        stage, commit = self.world.chance(0.7), self.world.chance(0.2)
        for root in (self.one, self.two):
            sync(root, self.world.files())
            if stage:
                self.git(root, "add", "-A", "--", ".", ":!.codecortex")
            if commit:
                self.git(root, "commit", "--quiet", "--allow-empty", "-m", "step")
        if self.world.damage is not None:
            self.world.damage(self.one)
        shutil.rmtree(self.two / ".git" / "codecortex", ignore_errors=True)
        shutil.rmtree(self.two / ".codecortex" / "types", ignore_errors=True)
        (self.two / ".codecortex" / "index.json").unlink(missing_ok=True)
        planned = refresh(Request(self.one, jobs=1), dry_run=True)
        result = refresh(Request(self.one, jobs=1))
        assert (planned.written, planned.removed, planned.types) == (result.written, result.removed, result.types), told
        assert result.types == refresh(Request(self.two, jobs=1), full=True).types, told
        assert read_generated(self.one) == read_generated(self.two), told
        again = refresh(Request(self.one, jobs=1))
        assert (again.written, again.removed) == ((), ()), told


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_a_refresh_after_any_edit_equals_a_refresh_of_everything(
    tmp_path: Path, git: Callable[..., str], seed: int
) -> None:
    law = Law(tmp_path, git, seed + int(os.environ.get("CODECORTEX_SEED", "0")))
    for _ in range(30):
        law.step()
