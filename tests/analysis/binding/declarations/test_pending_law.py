"""Whatever is declared first, or not at all, names mean the same, digests are the same, and families too."""

import os

from hypothesis import example, given, settings
from hypothesis import strategies as st

from codecortex.analysis.binding.bind import Program, SourceProject
from codecortex.analysis.binding.declarations.file_names import list_names
from codecortex.analysis.binding.declarations.heads import read_facts
from codecortex.analysis.binding.declarations.source import Reading, Source
from codecortex.analysis.binding.types.ancestors import ancestors_of
from codecortex.analysis.binding.types.ids import id_of_symbol
from codecortex.analysis.families.families import find_family
from codecortex.parsing.csharp.read import read_csharp
from codecortex.parsing.syntax.read import read_head, read_syntax
from tests.analysis.binding.conftest import open_references
from tests.operations.bindings.test_kept_law import sources

NOTHING = frozenset()
LIBRARY, APP = "Lib", "App"
PROJECTS = [
    SourceProject(LIBRARY, frozenset((LIBRARY,))),
    SourceProject(APP, frozenset((LIBRARY, APP)), internals=frozenset((LIBRARY,))),
]
EXAMPLES = int(os.environ.get("CODECORTEX_EDITS", "12"))


def read(text, *, by_facts, by_member):
    facts = read_facts(read_csharp(text, NOTHING)) if by_facts else None
    picked = by_member and facts is not None
    return Source(text, facts, Reading(lambda: read_syntax(text, NOTHING, by_member=picked), read_head))


def make(texts, *, eager, by_facts=True):
    known = {
        (path, project): read(text.encode(), by_facts=by_facts, by_member=not eager)
        for project in (LIBRARY, APP)
        for path, text in sorted(texts.items())
        if project == APP or path.startswith("L")
    }
    names = {key: list_names(each.head, each) for key, each in known.items()}
    references = dict.fromkeys((LIBRARY, APP), open_references())
    program = Program(PROJECTS, references, names, lambda keys: [known[each] for each in keys])
    if eager:
        program.open(names)
    return program


def tell(program, key):
    bound = program.bind(program.open([key])[0])
    return bound, [program.digest(key[1], each) for each in bound.asked]


def list_below(program, definition):
    return [each for each in program.definitions
            if each is definition or any(one.definition is definition for one in ancestors_of(each).types)]  # fmt: skip


@settings(max_examples=EXAMPLES, deadline=None)
@given(
    st.dictionaries(st.sampled_from(("La.cs", "Lb.cs", "Lc.cs", "d.cs", "e.cs", "f.cs")), sources(), min_size=2),
    st.randoms(use_true_random=False),
    st.booleans(),
)
def test_the_order_of_questions_changes_nothing(texts, chance, by_facts):
    eager = make(texts, eager=True, by_facts=by_facts)
    together = make(texts, eager=False, by_facts=by_facts)
    keys = chance.sample([*eager.names], len(eager.names))

    for key in keys:
        expected = tell(eager, key)
        assert tell(make(texts, eager=False, by_facts=by_facts), key) == expected
        assert tell(together, key) == expected


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.dictionaries(st.sampled_from(("La.cs", "Lb.cs", "d.cs", "e.cs")), sources(), min_size=2))
@example({"La.cs": "struct A { }", "Lb.cs": "class C : B { } class B { }", "d.cs": "class A { } class A : C { }"})
def test_families_and_derived_types_are_found_where_nothing_is_declared_yet(texts):
    eager = make(texts, eager=True)
    for at, definition in enumerate(eager.definitions):
        lazy = make(texts, eager=False)
        [own] = [each for each in lazy.find_types(definition.id) if each.order == definition.order]
        below = [(each.id, each.order) for each in lazy.list_below([own])]
        assert below == [(each.id, each.order) for each in list_below(eager, eager.definitions[at])]
        for name in sorted(definition.all_members()):
            for member, same in zip(definition.members(name), own.members(name), strict=True):
                families = [find_family(*each) for each in ((eager, member), (lazy, same))]
                told = [sorted(map(id_of_symbol, each.members)) for each in families]
                assert told[0] == told[1]
                assert families[0].outside == families[1].outside


FIXTURES = {
    "La.cs": "namespace N; public enum Mode { } public class Base<T> { public enum Mode { A } public class Root { } }",
    "d.cs": "namespace M; using N; class D : Base<D.Own> { public class Own : Root { } Mode F(Mode m) => Mode.A; }",
}


def test_a_base_that_names_an_own_nested_type_hides_nothing_that_it_brings():
    """Whatever is asked for first."""
    told = []
    for ask in ("", "bases", "nested bases", "ancestors"):
        program = make(FIXTURES, eager=False)
        [definition] = program.find_types("M.D")
        if ask == "ancestors":
            ancestors_of(definition)
        elif ask:
            _ = (definition if ask == "bases" else definition.nested("Own")[0]).bases
        told.append([each.binding.symbol for each in tell(program, ("d.cs", APP))[0].bindings])
    assert told[1:] == told[:1] * 3
    assert "M:M.D.F(N.Base{M.D.Own}.Mode)" in told[0]
    assert told[0].count("T:N.Base`1.Root") == 1
