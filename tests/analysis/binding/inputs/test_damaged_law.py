"""Sources as they stand while one types: read like the whole where they parse, bound alike each time, never an error."""

from hypothesis import given
from hypothesis import strategies as st

from codecortex.analysis.binding.bind import Program, SourceProject
from codecortex.parsing.csharp.grammar import parse
from codecortex.parsing.syntax.build import build
from codecortex.parsing.syntax.read import read_syntax
from tests.analysis.binding.conftest import open_references
from tests.analysis.binding.inputs.test_around import SOURCE, STATEMENTS, TYPES
from tests.parsing.syntax.test_read import locate

PIECES = (
    *["{", "}", "(", ")", "[", "]", "<", ">", ";", ",", ".", "?", "=", "=>", '"', "'", "/*", "*/", "//"],
    *("\n", "#region r\n", "is ", "async ", "static ", "a.b", '$"{a}"', '@"', '"""', "new A { B = ", "class Q { }"),
    *("void W() { F(); }", "int P { get; set; } = 3;", "event A B { add { x(); } remove => y(); }"),
    *("extension(int x) { }", "if (o is A a.B) { c(); }"),
)
TYPED = st.tuples(st.integers(0, 2000), st.integers(0, 30), st.sampled_from(PIECES))


def type_in(text, typed):
    """A text after pieces of it were replaced by others."""
    for start, length, piece in typed:
        at = start % (len(text) + 1)
        text = text[:at] + piece + text[at + length :]
    return text


@given(text=st.sampled_from((SOURCE, TYPES, STATEMENTS)), typed=st.lists(TYPED, max_size=3))
def test_a_source_is_read_and_bound_alike_each_time(text, typed):
    source = type_in(text, typed).encode()
    program = Program([SourceProject("", frozenset(("",)))], {"": open_references()})
    file = program.declare("A.cs", "", read_syntax(source, frozenset()))

    assert program.bind(file).bindings == program.bind(file).bindings
    assert len(file.tree.documentation.crefs) == 0


@given(text=st.sampled_from((SOURCE, TYPES, STATEMENTS)), typed=st.lists(TYPED, max_size=2))
def test_what_parses_is_read_like_the_whole(text, typed):
    source = type_in(text, typed).encode()
    parsed = parse(source)
    if parsed is None or parsed.has_error or b"extension" in source or b"async" in source:  # for which it is repaired
        return
    tree = read_syntax(source, frozenset())

    assert locate(tree.root) == locate(build(parsed, source, []))
    assert not tree.damaged
