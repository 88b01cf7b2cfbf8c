import random

import pytest

from codecortex.parsing.metadata.image import BadMetadataError
from codecortex.parsing.metadata.read import Surface, read_assembly

VOID, STRING, INT, OBJECT = 1, 14, 8, 28
STATIC = 0x10


def made(maker, surface=Surface.PUBLIC):
    return {row.id: row for row in read_assembly(maker.write(), surface).types}


def test_types_and_members_bear_documentation_ids(maker):
    maker.type("A", "N")
    maker.method("F", 0x20, 2, VOID, INT, 0x1D, STRING, parameters=["a", "b"])
    maker.field("X", INT)

    row = made(maker)["T:N.A"]

    assert [member.id for member in row.members] == ["M:N.A.F(System.Int32,System.String[])", "F:N.A.X"]
    assert [(each.name, each.type) for each in row.members[0].parameters] == [
        ("a", "System.Int32"),
        ("b", "System.String[]"),
    ]


def test_generic_types_count_their_own_parameters(maker):
    outer = maker.type("A`1", "N")
    inner = maker.type("B`1", flags=2)
    maker.field("X", 0x13, 1)
    maker.add(41, inner, outer)
    for owner, index, name in ((outer, 0, "T"), (inner, 0, "T"), (inner, 1, "U")):
        maker.add(42, index, 0, owner << 1, maker.name(name))

    rows = made(maker)

    assert list(rows) == ["T:N.A`1", "T:N.A`1.B`1"]
    assert [each.name for each in rows["T:N.A`1.B`1"].type_parameters] == ["U"]
    assert rows["T:N.A`1.B`1"].members[0].type == "`1"


def test_only_what_the_surface_holds_is_read(maker):
    maker.type("A", flags=1)
    maker.method("F", 0, 0, VOID, flags=1)
    maker.method("G", 0, 0, VOID, flags=6)
    maker.type("B", flags=0)

    assert [[m.name for m in row.members] for row in made(maker).values()] == [["G"]]
    assert list(made(maker, Surface.INTERNAL)) == ["T:A", "T:B"]
    assert [m.name for m in made(maker, Surface.ALL)["T:A"].members] == ["F", "G"]


def test_attributes_mark_extension_methods(maker):
    scope = maker.add(35, 1, 0, 0, 0, 0, 0, maker.name("System.Runtime"), 0, 0) << 2 | 2
    attribute = maker.add(1, scope, maker.name("ExtensionAttribute"), maker.name("System.Runtime.CompilerServices"))
    constructor = maker.add(10, attribute << 3 | 1, maker.name(".ctor"), maker.blob(0x20, 0, VOID))
    maker.type("A")
    method = maker.method("F", 0, 1, VOID, STRING, flags=6 | STATIC, parameters=["s"])
    maker.add(12, method << 5, constructor << 3 | 3, 0)

    assert made(maker)["T:A"].members[0].words == ("static", "this")


def test_interfaces_name_the_elements_of_tuples(maker):
    scope = maker.add(35, 1, 0, 0, 0, 0, 0, maker.name("System.Runtime"), 0, 0) << 2 | 2
    pair = maker.add(1, scope, maker.name("ValueTuple`2"), maker.name("System")) << 2 | 1
    names = maker.add(1, scope, maker.name("TupleElementNamesAttribute"), maker.name("System.Runtime.CompilerServices"))
    constructor = maker.add(10, names << 3 | 1, maker.name(".ctor"), maker.blob(0x20, 1, VOID, 0x1D, STRING))
    interface = maker.type("I`1", flags=0x21) << 2
    written = maker.add(27, maker.blob(0x15, 0x12, interface, 1, 0x15, 0x11, pair, 2, INT, STRING))
    row = maker.add(9, maker.type("A"), written << 2 | 2)
    maker.add(12, row << 5 | 5, constructor << 3 | 3, maker.blob(1, 0, 2, 0, 0, 0, 1, *b"X", 1, *b"Y", 0, 0))

    assert made(maker)["T:A"].interfaces == ("I`1{System.ValueTuple{System.Int32,System.String}<X,Y>}",)


def test_structs_have_a_constructor_that_no_table_holds(maker):
    scope = maker.add(35, 1, 0, 0, 0, 0, 0, maker.name("System.Runtime"), 0, 0) << 2 | 2
    value_type = maker.add(1, scope, maker.name("ValueType"), maker.name("System"))
    maker.type("S", extends=value_type << 2 | 1)

    row = made(maker)["T:S"]

    assert (row.kind, [member.id for member in row.members]) == ("struct", ["M:S.#ctor"])


@pytest.mark.parametrize("data", [b"", b"MZ", b"MZ" + bytes(200), b"text", b"BSJB" * 100])
def test_other_files_are_refused(data):
    with pytest.raises(BadMetadataError):
        read_assembly(data)


def test_damaged_files_are_read_or_refused(maker):
    for number in range(20):
        maker.type(f"A{number}", "N")
        maker.method("F", 0x20, 1, VOID, 0x15, 0x12, 8 + number * 4 & 0x7C, 1, STRING, parameters=["a"])
        maker.field("X", 0x1D, INT)
    whole = maker.write()
    chance = random.Random(5)  # noqa: S311 - damage, no secret
    ends = {"read": 0, "refused": 0}
    for _ in range(400):
        data = bytearray(whole)
        for _ in range(chance.choice((1, 4, 40))):
            data[chance.randrange(chance.choice((0, 584)), len(data))] = chance.randrange(256)
        if chance.random() < 0.2:
            del data[chance.randrange(len(data)) :]
        try:
            read_assembly(bytes(data), Surface.ALL)
            ends["read"] += 1
        except BadMetadataError:
            ends["refused"] += 1

    assert all(ends.values())


def test_types_that_double_are_refused(maker):
    maker.type("A")
    maker.field("X", 0x12, 27 << 2 | 2)
    for number in range(27):
        inner = (0x12, number << 2 | 2) if number else (INT,)
        maker.add(27, maker.blob(0x15, 0x12, 2 << 2, 2, *inner, *inner))

    with pytest.raises(BadMetadataError, match="too much said"):
        read_assembly(maker.write())


def test_types_nested_in_a_circle_are_refused(maker):
    for name in "AB":
        maker.type(name, flags=2)
    maker.add(41, 2, 3)
    maker.add(41, 3, 2)

    with pytest.raises(BadMetadataError, match="nested"):
        read_assembly(maker.write())
