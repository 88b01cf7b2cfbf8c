"""Whatever happens to a repository, every answer with a store is that of a process without one.

`CODECORTEX_STORE_STEPS=N` takes N examples with new seeds instead of a few that are always the same.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from codecortex.cli.main import main
from codecortex.model.packs import PackDefinition
from codecortex.operations.catalog.fingerprints import measure_outlines, read_prints
from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.cognition.kinds import HEADER, open_nodes
from codecortex.operations.cognition.prefetch import prefetch_for_later
from codecortex.operations.cognition.upkeep import collect, invalidate
from codecortex.operations.generation.silent import list_silent_types
from codecortex.operations.packs.text import make_text, read_outlines
from codecortex.operations.request import Request
from codecortex.operations.sessions.versions import find_commit

PACK = PackDefinition("law", "type:T*", 2000)
PROJECT = '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup>{}</PropertyGroup></Project>'
CONFIG = "cache:\n  prefetch: true\n"
FILES = ("A.cs", "B.cs", "C.cs", "sub/D.cs")
names = st.integers(0, 3)
MEMBERS = (
    "public T{0} Of(T{1} x) {{ return null; }}",
    "/// <summary>Says. Only {0} of <see cref='T{1}'/>.</summary>\n    public int P{0} => {1};",
    "private T{0} _f{1} = new();",
    "protected virtual void V{0}(global::N1.T{1} x, int n = {0}) {{ throw new System.ArgumentException(); }}",
)


@st.composite
def sources(draw: st.DrawFn) -> str:
    """A file of some types that name each other, of which not all exist."""
    lines = [f"using N{draw(names)};", f"namespace N{draw(st.integers(0, 1))};"]
    for number in draw(st.lists(names, min_size=1, max_size=2, unique=True)):
        head = draw(st.sampled_from(("public class", "public partial class", "internal struct", "public interface")))
        base = f" : T{draw(names)}" if "class" in head and draw(st.booleans()) else ""
        told = [draw(st.sampled_from(MEMBERS)).format(draw(names), draw(names)) for _ in range(draw(names))]
        lines += [f"{head} T{number}{base}", "{", *(f"    {line}" for line in told), "}"]
    return "\n".join(lines) + "\n"


def ask_all(workspace: Workspace) -> dict[str, Any]:
    """What is answered from nodes, from the catalog and from the graph."""
    ids = [entry.id for entry in workspace.catalog.types]
    return {
        "types": workspace.catalog.types,
        "members": {each: workspace.catalog.members_of(each) for each in ids},
        "links": {each: workspace.graph.links_of(each) for each in ids},
        "headers": open_nodes(workspace).get_many(HEADER, ids),
        "prints": read_prints(workspace, ids),
        "tokens": measure_outlines(workspace, ids),
        "silent": list_silent_types(workspace, ids),
        "outlines": read_outlines(workspace, ids),
        "pack": make_text(workspace, PACK),
    }


class Life(RuleBasedStateMachine):
    """A repository, one process that lasts, and others that come and go."""

    @initialize(text=sources())
    def begin(self, text: str) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name)
        self.session = False
        self.git("init", "--quiet", "--initial-branch=main")
        self.write("L.csproj", PROJECT.format(""))
        self.write(".codecortex/config.yaml", CONFIG)
        self.write("A.cs", text)
        self.commit()
        self.git("branch", "other")
        self.lasting = Workspace(Request(self.root, lasting=True, jobs=1))

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            self.lasting.close()
            self.folder.cleanup()

    def git(self, *words: str) -> None:
        identity = ("-c", "user.name=law", "-c", "user.email=law@example.org")
        subprocess.run(["git", "-C", self.root, *identity, *words], check=True, capture_output=True)

    def write(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, "utf-8")

    def commit(self) -> None:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "-m", "x")

    @rule(path=st.sampled_from(FILES), text=sources())
    def rewrite(self, path: str, text: str) -> None:
        self.write(path, text)
        self.git("add", "--all")

    @rule(path=st.sampled_from(FILES), old=names, new=names)
    def edit(self, path: str, old: int, new: int) -> None:
        """A type or a number is another one in one file."""
        file = self.root / path
        if file.exists():
            self.write(path, file.read_text("utf-8").replace(f"T{old}", f"T{new}").replace(f"=> {old}", f"=> {new}"))

    @rule(path=st.sampled_from(FILES))
    def delete(self, path: str) -> None:
        (self.root / path).unlink(missing_ok=True)
        self.git("add", "--all")

    @rule(old=st.sampled_from(FILES), new=st.sampled_from(FILES))
    def rename(self, old: str, new: str) -> None:
        if (self.root / old).exists() and old != new:
            (self.root / new).parent.mkdir(exist_ok=True)
            (self.root / old).replace(self.root / new)
            self.git("add", "--all")

    @rule(name=st.sampled_from(("main", "other")))
    def switch(self, name: str) -> None:
        self.commit()
        self.git("switch", "--quiet", name)

    @rule(defined=st.sampled_from(("", "<DefineConstants>X</DefineConstants>")))
    def configure(self, defined: str) -> None:
        self.write("L.csproj", PROJECT.format(defined))

    @rule()
    def keep_a_session(self) -> None:
        words = ("session", "open", "law") if not self.session else ("session", "log", "law")
        self.session = True
        assert main(["-C", str(self.root), *words]) == 0

    @rule()
    def restart(self) -> None:
        self.lasting.close()
        self.lasting = Workspace(Request(self.root, lasting=True, jobs=1))

    @rule(number=names, kind=st.sampled_from(("prints", "outline", "silent")))
    def throw_away(self, number: int, kind: str) -> None:
        with Workspace(Request(self.root)) as workspace:
            found = [each for each in workspace.catalog.types if each.simple_name == f"T{number}"]
            for each in found:
                invalidate(workspace, f"{kind}:{each.id}", with_readers=number > 1)

    @rule()
    def look_after(self) -> None:
        with Workspace(Request(self.root)) as workspace:
            collect(workspace)
        prefetch_for_later(Request(self.root, jobs=1))

    @invariant()
    def a_store_changes_no_answer(self) -> None:
        if not hasattr(self, "lasting"):
            return
        self.compare(Request(self.root, jobs=1))
        self.compare(Request(self.root, jobs=1, staged=True))
        if self.session:
            self.compare(Request(self.root, jobs=1, rev=find_commit(self.root, "law")))
        self.lasting.look_again()
        with Workspace(Request(self.root, jobs=1, caches=False)) as workspace:
            assert ask_all(self.lasting) == ask_all(workspace)

    def compare(self, request: Request) -> None:
        with Workspace(request) as one, Workspace(Request(**{**vars_of(request), "caches": False})) as other:
            assert ask_all(one) == ask_all(other)


def vars_of(request: Request) -> dict[str, Any]:
    return {name: getattr(request, name) for name in ("folder", "jobs", "staged", "rev")}


TestLife = Life.TestCase
MORE = int(os.environ.get("CODECORTEX_STORE_STEPS", "0"))
TestLife.settings = settings(
    derandomize=not MORE,
    max_examples=MORE or 2,
    stateful_step_count=15 if MORE else 8,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
