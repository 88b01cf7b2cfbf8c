"""Binds small sources in which a comment before a name says what it must mean.

`/*M:A.F*/F` is certainly `M:A.F`, `/*likely M:A.F*/F` maybe, `/*unknown*/F` nothing that is known.
"""

import re
import sys
from functools import cache

import pytest

from codecortex.analysis.binding.bind import Program, SourceProject
from codecortex.analysis.binding.references.assemblies import References
from codecortex.model.code.bindings import BindingLabel
from codecortex.parsing.syntax.read import read_syntax
from codecortex.store.metadata.frameworks import open_framework

_EXPECTED = re.compile(rb"/\*((?:likely )?[TMPFE]:[^*]+|unknown)\*/")


@cache
def open_references():
    return References([open_framework("net10.0")])


@pytest.fixture
def bind():
    """Binds one source; gives its bindings by offset, and the whole answer."""

    def run(source, version=14.0):
        program = Program([SourceProject("", frozenset(("",)), (), version)], {"": open_references()})
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(20_000)
        try:
            file = program.declare("A.cs", "", read_syntax(source.encode(), frozenset()))
            bound = program.bind(file)
        finally:
            sys.setrecursionlimit(limit)
        return {each.start: each.binding for each in bound.bindings if each.binding.name}, bound

    return run


@pytest.fixture
def check_beside():
    """Asserts what the comments in a source say that sees those of another project, and maybe its internals."""

    def run(library, source, *, internals):
        shown = frozenset(("library",)) if internals else frozenset()
        projects = [
            SourceProject("library", frozenset(("library",))),
            SourceProject("app", frozenset(("library", "app")), internals=shown),
        ]
        references = open_references()
        program = Program(projects, {"library": references, "app": references})
        program.declare("L.cs", "library", read_syntax(library.encode(), frozenset()))
        bound = program.bind(program.declare("A.cs", "app", read_syntax(source.encode(), frozenset())))
        _assert_marks(source, {each.start: each.binding for each in bound.bindings if each.binding.name})

    return run


@pytest.fixture
def check(bind):
    """Asserts what the comments in a source say."""

    def run(source, version=14.0):
        found, _ = bind(source, version)
        _assert_marks(source, found)

    return run


def _assert_marks(source, found):
    marks = list(_EXPECTED.finditer(source.encode()))
    assert marks
    expected, actual = [], []
    for mark in marks:
        place = source.encode()[mark.end() :].decode()[:30]
        expected.append((place, mark[1].decode()))
        actual.append((place, _write(found.get(mark.end()))))
    assert actual == expected


def _write(binding):
    if binding is None or not binding.symbol:
        return "unknown"
    return ("" if binding.label is BindingLabel.EXACT else "likely ") + binding.symbol
