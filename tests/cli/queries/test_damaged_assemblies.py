"""Assemblies that are damaged: what can be read of them can be asked for; what cannot is told, never an exception.

`CODECORTEX_MUTANTS=500 CODECORTEX_ASSEMBLIES=FOLDER pytest tests/cli/queries/test_damaged_assemblies.py` damages real
ones, as many times as it says.
"""

import os
import random
import struct
from pathlib import Path

import pytest

from codecortex.analysis.binding.references.assemblies import References
from codecortex.analysis.binding.types.ancestors import ancestors_of
from codecortex.analysis.binding.types.ids import id_of_symbol
from codecortex.parsing.metadata.image import BadMetadataError
from codecortex.parsing.metadata.read import read_assembly
from codecortex.store.metadata.frameworks import open_framework
from codecortex.store.metadata.index import Index
from codecortex.store.metadata.pack import collect, pack
from tests.cli.conftest import commit_files
from tests.parsing.metadata.conftest import AssemblyMaker

MUTANTS = int(os.environ.get("CODECORTEX_MUTANTS", "150"))
FOLDER = os.environ.get("CODECORTEX_ASSEMBLIES", "")
ASKED = 8  # of how many mutants the command is asked in CI
SIGNS = b"`<>.[]{},@*;=\t\n\0 #:+\x80\xff&|~1"  # which ids, texts of types and lines of an index need themselves


def make_whole():
    """An assembly with generic and nested types, extension methods and references to other types."""
    maker = AssemblyMaker()
    scope = maker.add(35, 1, 0, 0, 0, 0, 0, maker.name("System.Runtime"), 0, 0) << 2 | 2
    attribute = maker.add(1, scope, maker.name("ExtensionAttribute"), maker.name("System.Runtime.CompilerServices"))
    listed = maker.add(1, scope, maker.name("List`1"), maker.name("System.Collections.Generic")) << 2 | 1
    constructor = maker.add(10, attribute << 3 | 1, maker.name(".ctor"), maker.blob(0x20, 0, 1))
    for number in range(6):
        outer = maker.type(f"A{number}`1", "N")
        maker.add(42, 0, 0, outer << 1, maker.name("T"))
        maker.field("X", 0x1D, 8)
        maker.method("F", 0x20, 1, 0x15, 0x12, listed, 1, 14, 0x13, 0, parameters=["a"])
    for number in range(4):
        maker.type(f"S{number}", "N", flags=0x181)
        method = maker.method("Run", 0, 1, 1, 0x15, 0x12, listed, 1, 14, flags=0x16, parameters=["a"])
        maker.add(12, method << 5, constructor << 3 | 3, 0)
    return maker.write()


def damage(data, chance):
    """A copy with bits turned, bytes, words, counts of rows or names replaced, runs repeated, or the end cut off."""
    made, root = bytearray(data), data.index(b"BSJB")
    way = chance.choice(("bits", "bytes", "bytes", "cut", "counts", "words", "names", "runs"))
    if way == "bits":
        for _ in range(chance.choice((1, 10, 200))):
            made[chance.randrange(len(made))] ^= 1 << chance.randrange(8)
    elif way == "bytes":
        for _ in range(chance.choice((1, 10, 200))):
            made[chance.randrange(root, len(made))] = chance.randrange(256)
    elif way == "cut":
        del made[chance.randrange(len(made)) :]
    elif way == "counts":
        (start,) = struct.unpack_from("<I", made, made.find(b"#~\0\0") - 8)
        value = chance.choice((0, 1, 0xFFFF, 0x10000, 0xFFFFFFFF, chance.randrange(1 << 20)))
        struct.pack_into("<I", made, root + start + 24 + 4 * chance.randrange(6), value)
    elif way == "words":
        for _ in range(chance.choice((1, 50))):
            struct.pack_into("<H", made, chance.randrange(root, len(made) - 2), chance.choice((0, 1, 2, 0xFFFF)))
    elif way == "names":
        start, size = struct.unpack_from("<II", made, made.find(b"#Strings\0") - 8)
        for _ in range(chance.choice((1, 20))):
            made[root + start + chance.randrange(size)] = chance.choice(SIGNS)
    else:
        start, length = chance.randrange(root, len(made)), chance.choice((4, 6, 8, 10, 14))
        run = bytes(made[start : start + length]) * 50
        made[start : start + len(run)] = run[: len(made) - start]
    return bytes(made)


def list_mutants(count, seed):
    whole = [each.read_bytes() for each in sorted(Path(FOLDER).rglob("*.dll"))] if FOLDER else [make_whole()]
    chance = random.Random(seed)  # noqa: S311 - damage, no secret
    return [damage(chance.choice(whole), chance) for _ in range(count)]


def read(data):
    """What is read of an assembly; None if it is refused."""
    try:
        return read_assembly(data)
    except BadMetadataError:
        return None


def ask_for_all(index):
    """Every type, member, signature and base that an index has; gives how many members."""
    references, asked = References([index, open_framework("net10.0")]), 0
    for namespace in index.namespaces:
        for name in index.names(namespace):
            for inner in ("", *index.find_inner(namespace, name)):
                definition = references.find(f"{namespace}.{name}{inner}".lstrip("."))
                declared = index.find_type(namespace, name, inner)
                if definition is None or declared is None:
                    continue
                ancestors_of(definition)
                for member in (
                    each for listed in {*declared.names(), "this[]", ".ctor"} for each in definition.members(listed)
                ):
                    assert member.signature is not None
                    assert id_of_symbol(member) is not None
                    asked += 1
                for parameter in definition.parameters:
                    assert parameter.constraints is not None
    for name in index.extensions:
        references.find_extensions(name)
    return asked


def test_all_that_is_read_of_a_damaged_assembly_can_be_asked_for():
    asked = refused = 0
    for data in list_mutants(MUTANTS, 1):
        rows = read(data)
        if rows is None:
            refused += 1
        else:
            asked += ask_for_all(Index(pack(collect([rows], "damaged"))))

    assert asked
    assert refused


@pytest.fixture
def project(tmp_path, git):
    """A repository whose project names an assembly by its file."""
    hint = '<Reference Include="Lib"><HintPath>lib\\Lib.dll</HintPath></Reference>'
    properties = "<PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup>"
    files = {
        "A.csproj": f'<Project Sdk="Microsoft.NET.Sdk">{properties}<ItemGroup>{hint}</ItemGroup></Project>\n',
        "C.cs": "using N; class C { void M(A1<string> a, string[] s) { a.F(s); a.X = null; s.Run(); new S1(); } }\n",
    }
    root = commit_files(tmp_path / "repository", files, git)
    (root / "lib").mkdir()
    return root


def test_a_damaged_assembly_is_skipped_with_a_warning(cli, project):
    for data in list_mutants(max(ASKED, MUTANTS if FOLDER else 0), 2):
        (project / "lib" / "Lib.dll").write_bytes(data)
        answer = cli(project, "bindings", "C.cs")

        assert answer.code == 0
        assert ("Lib.dll: not read" in answer.err) == (read(data) is None)
