import re
from pathlib import Path

import pytest
import tree_sitter_c_sharp
from hypothesis import given
from hypothesis import strategies as st
from tree_sitter import Language, Parser

from codecortex.parsing.csharp.brackets import blank_literals, pair_brackets
from codecortex.parsing.csharp.conditional import apply_conditions
from codecortex.parsing.csharp.lexer import OPAQUE, find_string_end
from codecortex.parsing.csharp.read import read_csharp
from codecortex.parsing.csharp.skeleton import cut_skeleton

FILES = sorted((Path(__file__).parents[2] / "cases" / "csharp").glob("*.cs"))
PARSER = Parser(Language(tree_sitter_c_sharp.language()))
TYPES = {"class_declaration", "struct_declaration", "interface_declaration", "record_declaration", "enum_declaration"}


def list_nodes(root, kinds):
    pending, found = [root], []
    while pending:
        node = pending.pop()
        if node.type in kinds:
            found.append(node)
        pending.extend(node.children)
    return sorted(found, key=lambda node: node.start_byte)


def parse(file):
    text = apply_conditions(file.read_bytes(), frozenset()).text
    root = PARSER.parse(text).root_node
    return text, root


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_skeleton_declares_what_the_whole_file_declares(file):
    text, root = parse(file)
    if root.has_error:
        pytest.skip("the grammar does not read the whole file")
    expected = [node.child_by_field_name("name").text.decode() for node in list_nodes(root, TYPES)]
    facts = read_csharp(text, frozenset())
    found = [t.fqn.rpartition(".")[2].rpartition("+")[2].partition("`")[0] for t in facts.types if not t.implicit]
    assert [name for name in found if name in expected] == expected


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_lexer_sees_the_comments_that_the_grammar_sees(file):
    text, root = parse(file)
    if root.has_error:
        pytest.skip("the grammar does not read the whole file")
    at, found = 0, set()
    while (match := OPAQUE.search(text, at)) is not None:
        at = find_string_end(text, match.start(), match.end()) if match.lastgroup == "i" else match.end()
        if match.lastgroup == "c":
            found.update(range(match.start(), match.end()))
    for node in list_nodes(root, {"comment"}):
        assert found.issuperset(range(node.start_byte, node.end_byte))


def test_bodies_are_cut_and_places_kept():
    source = b"class C { int M() { return 1; } int P => 2; int f = 3; // x\n }"
    skeleton = cut_skeleton(source)
    assert [(source[b.start : b.end], b.form) for b in skeleton.bodies] == [
        (b" return 1; ", "block"),
        (b" 2", "expr"),
        (b" 3", "init"),
    ]
    assert skeleton.text.split() == b"class C { int M() {} int P => 0; int f = 0; }".split()
    for place, byte in enumerate(skeleton.text):
        if byte in b"CMPf":
            assert source[skeleton.to_source(place)] == byte


def test_other_blanks_part_tokens_but_stay_in_literals():
    facts = read_csharp('class\u00a0C { const string K = "a\u00a0b"; }'.encode(), frozenset())
    assert facts.types[0].members[0].value == '"a\u00a0b"'


@pytest.mark.parametrize(
    ("source", "line", "paired"),
    [
        (b"{\n(\n}\n)", 2, b"{\n(\n)}\n "),
        (b"{\n{\n}", 1, b"{\n{\n}}"),
        (b"{\n([\n", 2, b"{\n([\n])}"),
        (b"{}\n}", 2, b"{}\n "),
        (b'"{"\n// (\n)', 3, b'"{"\n// (\n '),
        (b"{ }", 0, b"{ }"),
        (b"f(a[1);", 1, b"f(a[1]);"),
        (
            b"{\n  void M()\n  {\n    if (a {\n    }\n  }\n  int x;\n}",
            4,
            b"{\n  void M()\n  {\n    if (a {\n    }\n  )}\n  int x;\n}",
        ),
        (b"{\n  {\n    f();\n  int x;\n}", 2, b"{\n  {\n    f();\n  int x;\n}}"),
        (b'{ f(); """ } never\nends', 1, b"{ f(); 0          \n    }"),
    ],
)
def test_brackets_are_paired_and_the_first_line_that_needs_it_is_told(source, line, paired):
    assert pair_brackets(source) == (paired, line)


@given(st.text("ab \n\t(){}[];=\"/@$#'*", max_size=80))
def test_every_text_can_be_cut_once_its_brackets_are_paired(text):
    paired = pair_brackets(text.encode()).text
    assert paired.count(b"\n") == text.count("\n")
    assert cut_skeleton(paired) is not None


@given(st.text("ab \n\t(){}[]", max_size=80))
def test_paired_brackets_pair(text):
    signs = re.sub(rb"[^(){}[\]]", b"", pair_brackets(text.encode()).text)
    while (fewer := re.sub(rb"\(\)|\[\]|\{\}", b"", signs)) != signs:
        signs = fewer
    assert not signs


@given(st.text("a\"'@$#{}/*\n(\\", max_size=120))
def test_blanked_literals_keep_every_place(text):
    raw = text.encode()
    blanked = blank_literals(raw)
    assert len(blanked) == len(raw)
    assert blanked.count(b"\n") == raw.count(b"\n")


@pytest.mark.parametrize(
    ("before", "repeated", "after"),
    [
        ("class A : ", "B(1), ", "C { }"),
        ("class A : B", "(1)", " { }"),
        ("class A : B(1) ", "where T : C(1) ", "{ }"),
        ("class A { ", "A() : base(1) ", "}"),
        ("class A { ", "a ? F(1) : G(2) ", "}"),
        ("class A ", "([", " : B(1) { }"),
    ],
)
def test_a_header_of_many_parentheses_is_read_in_one_pass(before, repeated, after):
    read_csharp((before + repeated * 50_000 + after).encode(), frozenset())


def test_arguments_of_a_base_are_those_of_its_own_header():
    statements = "int x = F(1);\nvoid G() { H(); }\n"
    of = [read_csharp(f"{before}class B(int a) : C(a, 1) {{ }}".encode(), frozenset()) for before in ("", statements)]
    others = read_csharp(f"{statements}class B(int a) : C(a, 2) {{ }}".encode(), frozenset())
    assert of[1].types[0].body != others.types[0].body
    assert of[0].types[0].bases == of[1].types[0].bases == ("C",)
