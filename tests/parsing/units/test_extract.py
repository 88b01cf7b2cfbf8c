from codecortex.model.code.units import FIELD_BITS, Field
from codecortex.parsing.csharp.read import read_csharp
from codecortex.parsing.units.extract import extract_units

SOURCE = b"""namespace N;

/// <summary>Keeps <see cref="Order"/> items.</summary>
public class OrderStore : IStore
{
    // counts probes
    private int _count;

    /// <param name="depth">How deep.</param>
    [Obsolete("gone")]
    public Order Find(string key, int depth)
    {
        var probe = $"lookup {Canonical(key)}";
        return table[probe]; // slow
    }
}
"""


def read(source: bytes):
    units = extract_units(source, read_csharp(source, frozenset()))

    def find(term: str) -> set[tuple[str, Field]]:
        places = units.postings.get(term, b"")
        rows = [places[at : at + 3] for at in range(0, len(places), 3)]
        return {(units.units[row[0] | row[1] << 8].name, Field(row[2] >> FIELD_BITS)) for row in rows}

    return units, find


def test_every_word_stands_in_the_unit_and_field_that_it_belongs_to():
    units, find = read(SOURCE)
    assert [(unit.name, unit.line, unit.end_line) for unit in units.units[1:]] == [("_count", 7, 7), ("Find", 11, 15)]
    assert units.types == (("N.OrderStore", "class", 4, False),)
    assert find("order") == {
        ("", Field.TYPE), ("", Field.DOCUMENTATION), ("Find", Field.SIGNATURE),
    }  # fmt: skip
    assert find("prob") == {("_count", Field.COMMENT), ("Find", Field.BODY)}
    assert find("slow") == {("Find", Field.COMMENT)}
    assert find("gon") == {("Find", Field.LITERAL)}
    assert find("#Find") == {("Find", Field.MEMBER)}
    assert find("#OrderStore") == {("", Field.TYPE)}
    assert find("order stor") == {("", Field.PAIR)}
    assert ("Find", Field.DOCUMENTATION) in find("deep")


def test_any_bytes_give_units():
    for source in (
        b"",
        b"\xff\xfe\x00",
        b"class",
        b'class A { string s = "',
        b"\x00" * 50,
        "class Ä { int ö; }".encode(),
    ):
        units, _ = read(source)
        assert units.units[0].name == ""
        assert len(units.lengths) == len(Field)


def test_members_on_one_line_have_each_its_own_words():
    units, find = read(
        b"class Node { public int Alpha = Beta(); public int Gamma = Delta(); } class Other { int Eps = Zeta(); }\n"
    )
    assert [unit.name for unit in units.units[1:]] == ["Alpha", "Gamma", "Eps"]
    assert find("beta") == {("Alpha", Field.BODY)}
    assert find("delta") == {("Gamma", Field.BODY)}
    assert find("zeta") == {("Eps", Field.BODY)}


def test_declarators_of_one_declaration_have_each_its_own_words():
    _, find = read(b"class C\n{\n    int alpha = Beta(), gamma = Delta();\n}\n")
    assert find("beta") == {("alpha", Field.BODY)}
    assert find("delta") == {("gamma", Field.BODY)}
