import random
from pathlib import Path

import pytest

from codecortex.model.code.metadata import AssemblyRows, MemberRow, ParameterRow, TypeParameterRow, TypeRow
from codecortex.model.errors import StoreFormatError
from codecortex.store.metadata import frameworks
from codecortex.store.metadata.index import Index
from codecortex.store.metadata.pack import collect, pack

T = TypeParameterRow("T", "out", ("class", "System.IDisposable"))


def member(owner, name, *parameters, words=(), **others):
    made = f"M:{owner}.{name}" + (f"({','.join(each.type for each in parameters)})" if parameters else "")
    return MemberRow(name, "method", "public", words, "System.Void", parameters, (), made, **others)


def type_row(name, *members, kind="class", words=(), generic=(), **others):
    return TypeRow(f"T:{name}", kind, "public", words, "System.Object", ("System.I",), generic, members, **others)


def assembly(name, *types):
    return AssemblyRows(name, "1.0.0.0", (), (), (), types)


FIRST = assembly(
    "A",
    type_row("N.A", member("N.A", "F", ParameterRow(("ref", "optional"), "a", "System.Int32")), generic=(T,)),
    type_row("N.A.B", member("N.A.B", "G", notes=(("priority", "-1"),))),
    type_row(
        "N.E", member("N.E", "X", ParameterRow((), "s", "System.String"), words=("static", "this")), words=("static",)
    ),
    type_row("Global", member("Global", "H", words=("protected set", "get"))),
)
SECOND = assembly(
    "A",
    type_row("N.A", member("N.A", "F2"), generic=(T,)),
    type_row("N.E", *FIRST.types[2].members, words=("static",)),
    type_row("N.New", member("N.New", "I")),
)
PLACES = {
    "N.A": ("N", "A", ""),
    "N.A.B": ("N", "A", ".B"),
    "N.E": ("N", "E", ""),
    "Global": ("", "Global", ""),
    "N.New": ("N", "New", ""),
}


def read(index, name):
    found = index.find_type(*PLACES[name])
    return found.row._replace(members=tuple(found.all_members())) if found is not None else None


def fixed(row):
    """A row with the id that a reference parameter gives."""
    return row._replace(
        members=tuple(
            each._replace(id=each.id.replace("System.Int32", "System.Int32@")) if each.name == "F" else each
            for each in row.members
        )
    )


def test_rows_come_back_as_they_were():
    index = Index(pack(collect([FIRST], "first")))

    for row in FIRST.types:
        assert read(index, row.id[2:]) in (row, fixed(row))
    assert index.assemblies == (("A", "1.0.0.0"),)
    assert index.namespaces == {"N", ""}
    assert index.names("N") == {"A", "E"}
    assert index.find_inner("N", "A") == [".B"]
    assert index.extensions == {"X": ["N.E"]}
    assert index.find_type("N", "Missing") is None


def test_members_are_found_by_name():
    found = Index(pack(collect([FIRST], "first"))).find_type("N", "A")

    assert list(found.names()) == ["F"]
    assert [each.parameters for each in found.members("F")] == [FIRST.types[0].members[0].parameters]
    assert list(found.members("Missing")) == []


def test_a_difference_gives_what_the_whole_gives():
    first, second = collect([FIRST], "first"), collect([SECOND], "second")
    base = Index(pack(first))
    index = Index(pack(second, first, base.check), base)

    for row in SECOND.types:
        assert read(index, row.id[2:]) == row
    assert read(index, "N.A.B") is None
    assert read(index, "Global") is None
    assert index.names("N") == {"A", "E", "New"}
    assert index.namespaces == {"N"}
    assert index.find_inner("N", "A") == []


@pytest.mark.parametrize("name", ["N", "A", "E", "Global", "G", "X", "s", "String"])
def test_every_name_that_is_written_is_found(name):
    assert Index(pack(collect([FIRST], "first"))).writes([name])


def test_a_name_that_is_a_part_of_one_alone_is_not_found():
    first, second = collect([FIRST], "first"), collect([SECOND], "second")
    base = Index(pack(first))
    index = Index(pack(second, first, base.check), base)

    assert [base.writes([each]) for each in ("Glob", "lobal", "New")] == [False, False, False]
    assert [index.writes([each]) for each in ("New", "F2", "Global", "Ne")] == [True, True, True, False]


def test_a_difference_belongs_to_its_base():
    first, second = collect([FIRST], "first"), collect([SECOND], "second")
    data = pack(second, first, Index(pack(first)).check)

    with pytest.raises(StoreFormatError):
        Index(data)
    with pytest.raises(StoreFormatError):
        Index(data, Index(pack(second)))


def test_the_same_assemblies_give_the_same_bytes():
    other = assembly("B", type_row("N.Other"))

    assert pack(collect([FIRST, other], "x")) == pack(collect([other, FIRST], "x"))


def test_a_name_that_two_assemblies_declare_is_kept_twice():
    index = Index(pack(collect([FIRST, assembly("B", type_row("N.E", member("N.E", "Y", words=("this",))))], "x")))

    assert index.names("N") == {"A", "E", "E#2"}
    assert index.extensions["Y"] == ["N.E#2"]
    assert next(index.find_type("N", "E#2").all_members()).id == "M:N.E.Y"


def test_names_that_lines_cannot_hold_are_left_out():
    index = Index(
        pack(
            collect([assembly("A", type_row("N.A;B"), type_row("N.\nA"), type_row("N.A", member("N.A", "a\tb")))], "x")
        )
    )

    assert index.names("N") == {"A"}
    assert list(index.find_type("N", "A").names()) == []


def test_damaged_files_are_refused():
    whole = pack(collect([FIRST], "first"))

    for data in (b"", whole[:10], b"x" + whole[1:], whole[:-1], whole[:40] + b"\0" + whole[41:]):
        with pytest.raises(StoreFormatError):
            Index(data)


def test_no_changed_byte_goes_unseen():
    whole, chance = pack(collect([FIRST], "first")), random.Random(3)  # noqa: S311 - for a test

    for _ in range(500):
        data = bytearray(whole)
        at = chance.randrange(len(data))
        data[at] ^= chance.randrange(1, 256)
        with pytest.raises(StoreFormatError):
            Index(bytes(data))


@pytest.mark.parametrize(
    ("tfm", "nearest"),
    [
        ("net10.0", "net10.0"),
        ("net9.0-windows", "net10.0"),
        ("net8.0", "net8.0"),
        ("net7.0", "net8.0"),
        ("net5.0", "net6.0"),
        ("netstandard2.1", "netstandard2.0"),
        ("net472", "netstandard2.0"),
        ("netcoreapp3.1", "netstandard2.0"),
        ("", "net10.0"),
    ],
)
def test_the_nearest_framework_is_taken(tfm, nearest):
    assert frameworks.name_nearest(tfm) == nearest
    assert frameworks.open_framework(tfm).label == nearest


def test_shipped_frameworks_know_their_types():
    new, old = frameworks.open_framework("net10.0"), frameworks.open_framework("netstandard2.0")

    assert any(
        each.id.startswith("M:System.String.Contains(System.Char)")
        for each in new.find_type("System", "String").members("Contains")
    )
    assert not any(
        each.id.startswith("M:System.String.Contains(System.Char)")
        for each in old.find_type("System", "String").members("Contains")
    )
    assert "System.Linq.Enumerable" in new.extensions["Select"]
    assert frameworks.open_aspnetcore().find_type("Microsoft.AspNetCore.Builder", "WebApplication") is not None


def test_shipped_frameworks_are_small():
    assert sum(path.stat().st_size for path in Path(str(frameworks.FOLDER)).iterdir()) < 1_000_000
