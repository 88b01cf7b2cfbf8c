"""What the engine answers is what a build from nothing gives, whatever happened before; and no more is built for it."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from codecortex.cognition.kinds import LineName
from codecortex.store.cache.cache import FILE_NAME, open_cache
from codecortex.store.cache.nodes import SqliteNodes
from tests.cognition.world import ask_all, open_engine

START = {
    "a.cs": "type A uses B C body 1",
    "b.cs": "type B uses  body 1\ntype P uses A body 1",
    "c.cs": "type C uses B Missing body 1",
    "p.cs": "type P uses C body 2",
}


def refuse(text):
    raise AssertionError(text)


@pytest.fixture
def cache(tmp_path):
    with open_cache(tmp_path, warn=refuse) as opened:
        yield opened


def expect(sources, **how):
    """What a build from nothing, in a process without a store, gives."""
    return ask_all(open_engine(nothing(), sources, **how), sources)


def nothing():
    return SqliteNodes(open_cache(Path("/nowhere"), warn=refuse, keeps=False))


def run(cache, sources, **how):
    """Bring everything up, check it against a build from nothing, save; what was built."""
    engine = open_engine(SqliteNodes(cache), sources, **how)
    known = {name: how[name] for name in ("limit", "version") if name in how}
    assert ask_all(engine, sources) == expect(sources, **known)
    engine.save()
    return {kind: count for kind, count in engine.built.items() if kind != "head"}


def test_nothing_is_built_twice(cache):
    assert run(cache, START) == {"part": 4, "type": 5, "outline": 5, "binding": 4, "pack": 2}
    assert run(cache, START) == {}


def test_a_comment_stops_at_the_part(cache):
    run(cache, START)
    assert run(cache, START | {"a.cs": "// here\n" + START["a.cs"]}) == {"part": 1, "binding": 1}


def test_a_body_stops_at_the_type(cache):
    run(cache, START)
    assert run(cache, START | {"a.cs": "type A uses B C body 2"}) == {"part": 1, "type": 1, "binding": 1}


def test_a_signature_reaches_what_names_the_type(cache):
    run(cache, START)
    built = run(cache, START | {"b.cs": START["b.cs"].replace("B uses ", "B uses A")})
    assert built == {"part": 1, "type": 1, "outline": 3, "binding": 1, "pack": 1}  # its own, and those of A and C


def test_a_new_type_reaches_what_had_looked_for_it_in_vain(cache):
    run(cache, START)
    built = run(cache, START | {"new.cs": "type Missing uses  body 1"})
    assert built == {"part": 1, "type": 1, "outline": 2, "binding": 2, "pack": 1}


def test_a_type_that_goes_reaches_what_names_it(cache):
    run(cache, START)
    built = run(cache, {path: text for path, text in START.items() if path != "c.cs"})
    assert built == {"part": 1, "type": 1, "outline": 3, "binding": 2, "pack": 1}


def test_what_was_there_before_comes_back_without_building(cache):
    run(cache, START)
    run(cache, START | {"b.cs": "type B uses A body 1"})
    assert run(cache, START) == {}


def test_what_was_there_long_before_is_as_a_build_from_nothing_gives_it(cache):
    run(cache, START)
    for number in range(20):
        run(cache, START | {"b.cs": f"type B uses A body {number}"})
    assert run(cache, START | {"b.cs": "type B uses A body 18"}) == {}
    run(cache, START)


def test_a_line_that_starts_from_another_builds_the_difference_only(cache):
    run(cache, START)
    changed = START | {"a.cs": "type A uses C body 1"}
    built = run(cache, changed, line=LineName("session", "work"))
    assert built == {"part": 1, "type": 1, "outline": 2, "binding": 1, "pack": 1}
    assert run(cache, START) == {}
    assert run(cache, changed, line=LineName("other")) == {}, "lines share what they have in common"


def test_a_new_version_of_a_kind_builds_it_again_and_what_stands_on_it(cache):
    run(cache, START)
    assert run(cache, START, version="2") == {"outline": 5, "pack": 1}


def test_a_setting_is_an_input(cache):
    run(cache, START)
    assert run(cache, START, limit="1") == {"pack": 2}


def test_one_node_is_asked_for_without_the_others(cache):
    run(cache, START)
    changed = START | {"a.cs": "type A uses B body 2", "p.cs": "type P uses  body 1"}
    engine = open_engine(SqliteNodes(cache), changed)
    assert engine.get("outline", "A") == expect(changed)["outline", "A"]
    assert engine.built["outline"] == 1
    engine.save()
    assert run(cache, changed)["outline"] == 1, "the other one"


def test_what_a_builder_says_is_kept_with_the_node(cache):
    run(cache, START)
    assert open_engine(SqliteNodes(cache), START).find_record("type", "P").told == "P has 2 parts"


@pytest.mark.parametrize("table", ["records", "outputs", "lines"])
def test_damaged_rows_are_made_anew(cache, tmp_path, table):
    run(cache, START)
    column = {"records": "digests", "outputs": "data", "lines": "state"}[table]
    with sqlite3.connect(tmp_path / FILE_NAME) as db:
        db.execute(f"UPDATE {table} SET {column} = zeroblob(length({column}))")  # noqa: S608 - our own names
    changed = START | {"b.cs": "type P uses A body 1"}
    assert run(cache, changed)
    run(cache, changed)


class Edits(RuleBasedStateMachine):
    """Edits in any order, on two lines, with processes that save, forget, run at once, and rows that are damaged."""

    def __init__(self):
        super().__init__()
        self.folder = TemporaryDirectory()
        self.cache = open_cache(Path(self.folder.name), warn=refuse)
        self.sources = {"work": dict(START), "session": dict(START)}
        self.limit, self.version = "9", "1"
        self.past = [dict(START)]
        self.open = []

    lines = st.sampled_from(["work", "session"])
    names = st.sampled_from("ABCDP")
    uses = st.lists(st.sampled_from(["A", "B", "C", "D", "P", "Missing"]), max_size=3).map(" ".join)
    paths = st.sampled_from(["a.cs", "b.cs", "c.cs", "p.cs", "new.cs"])

    @rule(line=lines, path=paths, name=names, uses=uses, body=st.integers(1, 2), comment=st.sampled_from(["", " // x"]))
    def edit(self, line, path, name, uses, body, comment):  # noqa: PLR0913, PLR0917 - what there is to draw
        self.sources[line] = self.sources[line] | {path: f"type {name} uses {uses} body {body}{comment}"}

    @rule(line=lines, path=paths, other=paths)
    def append(self, line, path, other):
        sources = self.sources[line]
        if path in sources and other in sources and len(sources[path]) < 200:
            self.sources[line] = sources | {path: sources[path] + "\n" + sources[other]}

    @rule(line=lines, path=paths)
    def delete(self, line, path):
        self.sources[line] = {name: text for name, text in self.sources[line].items() if name != path}

    @rule(line=lines, path=paths, to=paths)
    def rename(self, line, path, to):
        sources = dict(self.sources[line])
        if path in sources:
            sources[to] = sources.pop(path)
            self.sources[line] = sources

    @rule(line=lines, back=st.integers(0, 5))
    def switch(self, line, back):
        self.past.append(self.sources[line])
        self.sources[line] = self.past[-1 - back % len(self.past)]

    @rule(limit=st.sampled_from("19"), version=st.sampled_from("12"))
    def configure(self, limit, version):
        self.limit, self.version = limit, version

    def start(self, line):
        how = {"limit": self.limit, "version": self.version}
        engine = open_engine(SqliteNodes(self.cache), self.sources[line], line=LineName(line, "work"), **how)
        return engine, self.sources[line], expect(self.sources[line], **how)

    @rule(line=lines, save=st.booleans())
    def ask_everything(self, line, save):
        engine, sources, expected = self.start(line)
        assert ask_all(engine, sources) == expected
        if save:
            engine.save()

    @rule(line=lines, save=st.booleans(), kind=st.sampled_from(["part", "type", "head", "outline", "binding"]))
    def settle(self, line, save, kind):
        engine, _, expected = self.start(line)
        engine.settle(kind)
        for node, output in expected.items():
            if node[0] == kind:
                assert engine.get(*node) == output
        if save:
            engine.save()

    @rule(line=lines, data=st.data(), keep=st.booleans())
    def ask_some(self, line, data, keep):
        engine, _, expected = self.start(line)
        for node in data.draw(st.lists(st.sampled_from(sorted(expected)), max_size=3)):
            assert engine.get(*node) == expected[node], node
        if keep:
            self.open.append((engine, expected))
        else:
            engine.save()

    @precondition(lambda self: self.open)
    @rule(data=st.data())
    def ask_and_save_what_was_opened_before(self, data):
        engine, expected = self.open.pop(0)
        for node in data.draw(st.lists(st.sampled_from(sorted(expected)), max_size=3)):
            assert engine.get(*node) == expected[node], node
        engine.save()

    @rule(number=st.integers(0, 40), table=st.sampled_from(["records", "outputs"]))
    def damage(self, number, table):
        column = {"records": "digests", "outputs": "data"}[table]
        statement = f"UPDATE {table} SET {column} = x'00' WHERE id = ?"  # noqa: S608 - our own names
        self.cache.transact(lambda db: db.execute(statement, (number,)).rowcount)

    def teardown(self):
        self.cache.close()
        self.folder.cleanup()

    @invariant()
    def lines_are_small(self):
        assert len(self.cache.read("SELECT * FROM lines")) <= 2


def test_what_rests_on_a_damaged_record_is_looked_at_whole_though_another_change_reaches_it():
    """Once found by these edits: what was known to have changed was taken for all that had."""
    state = Edits()
    try:
        state.ask_everything(line="work", save=True)
        state.edit(line="session", path="b.cs", name="A", uses="A", body=1, comment="")
        state.damage(table="records", number=14)
        state.ask_everything(line="session", save=False)
    finally:
        state.teardown()


TestEdits = Edits.TestCase
TestEdits.settings = settings(max_examples=60, stateful_step_count=25)
