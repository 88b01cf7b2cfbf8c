"""Trees where the grammar misreads the language, and what is left out of trees."""

import pytest

from codecortex.model.code.projects import NO_GENERATED
from codecortex.parsing.csharp.grammar import parse
from codecortex.parsing.syntax.build import build
from codecortex.parsing.syntax.read import read_syntax


def read(text, symbols=()):
    return read_syntax(text.encode(), frozenset(symbols))


def expression(text):
    """The first expression of a method that holds it."""
    tree = read(f"class C {{ void M() {{ x = {text}; }} }}")
    block = next(node for node in tree.root.walk() if node.kind == "block")
    block.open()
    assignment = next(node for node in block.walk() if node.kind == "assignment_expression")
    return assignment.fields["right"]


def write(node):
    """A node with its fields, brackets around each that has children."""
    fields = {id(child): name for name, child in node.fields.items()}
    parts = [f"{fields.get(id(each), '')}:{write(each)}".lstrip(":") for each in node.nodes]
    return f"{node.kind}({', '.join(parts)})" if parts else node.text


@pytest.mark.parametrize(
    ("text", "kind", "left", "right"),
    [
        ("a == b?.C", "binary_expression", "a", "b?.C"),
        ("a + b?.C.D(1)", "binary_expression", "a", "b?.C.D(1)"),
        ("a && b == c?.D", "binary_expression", "a", "b == c?.D"),
        ("a == b?.C && d", "binary_expression", "a == b?.C", "d"),
        ("a is T && c", "binary_expression", "a is T", "c"),
        ("a is not T || c == d", "binary_expression", "a is not T", "c == d"),
    ],
)
def test_operators_bind_as_the_language_has_it(text, kind, left, right):
    node = expression(text)

    assert (node.kind, node.fields["left"].text, node.fields["right"].text) == (kind, left, right)


@pytest.mark.parametrize(
    ("text", "kind", "operand"),
    [
        ("(T)a?.B", "cast_expression", "a?.B"),
        ("(T?)a()?.B.C(1)", "cast_expression", "a()?.B.C(1)"),
        ("!a?.B", "prefix_unary_expression", "a?.B"),
        ("(int)-a?.B", "cast_expression", "-a?.B"),
        ("await a?.B()", "await_expression", "a?.B()"),
        ("(a == b)?.C", "conditional_access_expression", ".C"),
    ],
)
def test_unary_operators_bind_looser_than_accesses(text, kind, operand):
    node = expression(text)

    assert (node.kind, node.nodes[-1].text) == (kind, operand)


def test_a_conditional_after_is():
    node = expression("a is T ? b : c")

    assert (node.kind, node.fields["condition"].text) == ("conditional_expression", "a is T")


def test_generic_calls_that_look_like_comparisons():
    node = expression("(T)x.F<U>(y)")

    assert write(node).startswith("cast_expression(type:T, value:invocation_expression(function:member_access")
    assert node.fields["value"].text == "x.F<U>(y)"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("new List<(int a, B b)>(n)", "object_creation_expression"),
        ("new List<(int, string)>(n, m)", "object_creation_expression"),
        ("F<(int a, B b)>(n)", "invocation_expression"),
    ],
)
def test_tuples_as_type_arguments(text, kind):
    node = expression(text)
    assert (node.kind, node.text) == (kind, text)
    written = next(each for each in node.walk() if each.kind == "type_argument_list")
    assert [each.kind for each in written.nodes] == ["tuple_type"]
    assert written.nodes[0].text in text


def test_comparisons_that_stay_comparisons():
    assert expression("a < b && c > (d)").kind == "binary_expression"


def test_a_designation_after_is():
    assert write(expression("a is var (b, (c, d))")) == (
        "is_pattern_expression(expression:a, pattern:declaration_pattern(type:var, "
        "parenthesized_variable_designation(b, parenthesized_variable_designation(c, d))))"
    )


def test_a_designation_among_targets():
    assert write(expression("(int a, var (b, (c, _))) = d")) == (
        "assignment_expression(left:tuple_expression(argument(declaration_expression(type:int, name:a)), "
        "argument(tuple_pattern(b, tuple_pattern(c, _)))), operator:=, right:d)"
    )
    assert "tuple_pattern" not in write(expression("(a, var(b, c))")), "a method may be called so"


@pytest.mark.parametrize(
    ("text", "left", "right"),
    [
        ("a is not null && b is C or D.E", "a is not null", "b is C or D.E"),
        ("a is > 0 || b is not C.D and not E.F.G", "a is > 0", "b is not C.D and not E.F.G"),
        ("a is null && b is null && c is D or { E: 1 }", "a is null && b is null", "c is D or { E: 1 }"),
        ("a is B or null && c is D or E.F", "a is B or null", "c is D or E.F"),
    ],
)
def test_a_logical_operator_ends_a_pattern(text, left, right):
    node = expression(text)

    assert (node.kind, node.text) == ("binary_expression", text)
    assert (node.fields["left"].text, node.fields["right"].text) == (left, right)
    assert node.fields["right"].kind == "is_pattern_expression"
    for each in node.walk():
        assert all(child.parent is each for child in each.nodes)


def test_names_that_are_keywords_elsewhere_are_read_in_bodies():
    text = "class C { void M(bool async) { if (async) { N(a[async.X]); } else { O(); } } void P(int q) { } }"
    root = read(text).root
    block = next(node for node in root.walk() if node.kind == "block")
    block.open()
    assert [node.kind for node in block.nodes] == ["if_statement"]
    assert sum(node.text == "async" for node in block.walk() if node.kind == "identifier") == 2


def test_params_are_parameters():
    root = read("class C { void M(int a, params int[] b) { } }").root
    listed = next(node for node in root.walk() if node.kind == "parameter_list")

    assert [(each.fields["name"].text, each.has("params")) for each in listed.of_kind("parameter")] == [
        ("a", False),
        ("b", True),
    ]


@pytest.mark.parametrize("receiver", ["string s", "string", "T", "this_ t"])
def test_extension_blocks(receiver):
    tree = read(f"static class S {{ extension({receiver}) {{ int P => 1; }} }}")
    assert not tree.damaged
    root = tree.root
    block = next(node for node in root.walk() if node.kind == "extension_declaration")

    (parameter,) = block.first("parameter_list").of_kind("parameter")
    assert parameter.fields["type"].text == receiver.split()[0]


def test_a_method_named_extension_is_no_block():
    root = read("class C { void M() { extension(1); } int extension(int n) => n; }").root

    assert "extension_declaration" not in {node.kind for node in root.walk()}


def test_bodies_are_made_when_they_are_opened_and_let_go_when_closed():
    root = read("class C { int M() { return 1; } }").root
    block = next(node for node in root.walk() if node.kind == "block")

    assert block.nodes == []
    block.open()
    assert [node.kind for node in block.nodes] == ["return_statement"]
    block.close()
    assert block.nodes == []


def test_inactive_text_and_comments_are_left_out():
    tree = read("class A { }\n#if X\nclass B { }\n#else\nclass C { } // c\n#endif\n", ["X"])

    assert [node.fields["name"].text for node in tree.root.of_kind("class_declaration")] == ["A", "B"]


def test_generated_files_have_no_syntax_where_they_are_not_read():
    text = "// <auto-generated/>\nclass A { }"

    assert (read(text).generated, len(read(text).root.nodes)) == (True, 1)
    assert (read(text, [NO_GENERATED]).generated, len(read(text, [NO_GENERATED]).root.nodes)) == (True, 0)


@pytest.mark.parametrize("text", ["", "\0", "class", "class C { void M( { ", "}}}}", "<" * 5000])
def test_every_text_gives_a_tree(text):
    tree = read(text)

    for node in tree.root.walk():
        node.open()


def names(text):
    tree = read(f'/// <see cref="{text}"/>\nclass C {{ }}')
    return [
        [(each.name, [node.text for node in each.arguments]) for each in cref.segments]
        for cref in tree.documentation.crefs
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A", [[("A", [])]]),
        ("A.B{T, int[]}.C", [[("A", []), ("B", ["T", "int[]"]), ("C", [])]]),
        ("A.operator +(A, A)", [[("A", []), ("operator +", [])]]),
        ("A.implicit operator int(A)", [[("A", []), ("implicit operator", [])]]),
        ("this[int]", [[("this[]", [])]]),
        ("T:A.B", []),
        ("object", []),
        ("", []),
        ("A{", [[("A", [])]]),
    ],
)
def test_references_in_documentation(text, expected):
    assert names(text) == expected


@pytest.mark.parametrize("start", ["////", "//", "/***", "/*"])
def test_other_comments_refer_to_nothing(start):
    end = "*/" if "*" in start else ""
    assert not read(f'{start} <see cref="F"/> {end}\nclass C {{ }}').documentation.crefs


def test_parameters_of_references_are_types():
    tree = read('/// <see cref="F(List{T}, ref int[,], B.C)"/>\nclass C { }')

    assert [node.kind for node in tree.documentation.crefs[0].parameters] == [
        "generic_name",
        "array_type",
        "qualified_name",
    ]
    assert read('/// <see cref="F"/>\nclass C { }').documentation.crefs[0].parameters is None
    assert read('/// <see cref="F()"/>\nclass C { }').documentation.crefs[0].parameters == ()


def test_one_body_that_does_not_parse_leaves_the_other_declarations():
    tree = read(
        "class C {\n"
        "    int[] F = [1, 2];\n"
        "    object G(object o) { return o is is 1 +; }\n"
        "    int H(int n) => n + 1;\n"
        "    int I(int n) { return H(n); }\n"
        "}\n"
    )
    (declared,) = tree.root.of_kind("class_declaration")
    methods = {node.fields["name"].text: node for node in declared.walk() if node.kind == "method_declaration"}

    assert list(methods) == ["G", "H", "I"]
    for name, text in (("H", "n + 1"), ("I", "H(n)")):
        body = methods[name].fields["body"]
        body.open()
        assert text in [node.text for node in body.walk()]
    field = next(node for node in declared.walk() if node.kind == "collection_expression")
    assert field.text == "[1, 2]"

    assert not tree.damaged, "nobody has looked at the body that does not parse"
    methods["G"].fields["body"].open()
    assert tree.damaged


@pytest.mark.parametrize(
    "text",
    [
        "class C { int P => F(1 + 2); int F(int n) { if (n > 1) { return this.P; } int G() => n; return G(); } }",
        "class C { C(int n) : base(n) { F = n; } ~C() { } int this[int i] { get { return i; } set => F = value; } }",
        "class C { static C operator +(C a, C b) { return a; } event D E { add { F(); } remove { } } }",
        "/* a */ class C { // b\n #region r\n [A(1)] void M(/* c */ int n = 2) /* d */ { /* e */ N(); } // f\n }",
        'class C { string S = "{ // }"; void M() { var a = $"{ F("}") }"; } Action A = () => { B(); }; }',
    ],
)
def test_bodies_that_are_parsed_for_themselves_are_those_of_the_whole(text):
    tree = read(text)

    assert locate(tree.root) == locate(build(parse(text.encode()), text.encode(), []))
    assert not tree.damaged


MEMBERS = [
    "class C { int P { get; set; } = F(1); int a = 1, b; [A, B(2)] int F(int n) { return n; } C(int n) : base(n) { } }",
    (
        "// a\nclass C : D { #region r\n/* b */ [A] /* c */ ~C() { } // d\n#endregion\n"
        "event E F { add { } remove { } } int this[int i] => i; }"
    ),
    (
        "namespace N { struct S { public static S operator ==(S a, S b) => a; class T { int n; } delegate int D(); "
        "enum E { A, B } int m; } interface I { int P { get; } void M(); } }"
    ),
    (
        "class C { /** <see cref='D'/> */ int n; int m = G(/* <see cref='E'/> */ 1); Action a = delegate { }; "
        "void M() { } }"
    ),
    "class C { int F( { } }",
    "class C { void M() { };; int n; }",
    "class C { [A(x => )] int n; int m = ; void M() { N(); } }",
    "record R(int A) { int B => A; void M() { if (A > 1) { } } }",
    (
        "class C<T> where T : class { public required int N { get; init; } fixed int b[3]; "
        'const string S = "} ; {"; partial void M(); }'
    ),
]


@pytest.mark.parametrize("text", MEMBERS)
def test_members_that_are_picked_are_those_of_the_whole(text):
    whole = read(text)
    tree = read_syntax(text.encode(), frozenset(), by_member=True)
    assert [each.start for each in tree.documentation.crefs] == [each.start for each in whole.documentation.crefs]

    assert locate(tree.root) == locate(whole.root)
    assert bool(tree.damaged) == bool(whole.damaged)


@pytest.mark.parametrize("text", MEMBERS[:4])
def test_members_are_made_one_by_one(text):
    whole = {(each.start, each.end): write(each) for each in read(text).root.walk() if each.deferred is None}
    bodies = list(list_type_bodies(read_syntax(text.encode(), frozenset(), by_member=True).root))
    waiting = [(body, extent) for body in bodies for extent in body.waiting]
    assert waiting

    for body, (start, end) in reversed(waiting):
        made = [each for each in body.pick(lambda first, _, start=start: first == start) if each.start == start]
        assert [(each.start, each.end, write(each)) for each in made] == [(start, end, whole[start, end])]
        assert (start, end) not in body.waiting


def list_type_bodies(node):
    """The bodies of types, none of whose members is made."""
    for each in node.pick(lambda _start, _end: False):
        if each.kind == "declaration_list" and "namespace" not in node.kind:
            yield each
        yield from list_type_bodies(each)


def open_bodies(root):
    """Have every body read."""
    for node in [each for each in root.walk() if each.deferred is not None]:
        node.open()


def locate(root):
    """Every node with its place, those of bodies too."""
    open_bodies(root)
    return [(each.kind, each.start, each.end, each.text) for each in root.walk()]


def test_statements_outside_of_types_are_read_with_their_blocks():
    root = read("using A;\nif (B()) { C(); }\nclass D { void M() { E(); } }\n").root

    assert {"B()", "C()"} <= {node.text for node in root.walk() if node.kind == "invocation_expression"}


def test_references_are_read_from_documentation_after_other_comments():
    tree = read('class C {\n // a cref="A"\n /// <see cref="B"/>\n /// <see cref="D"/>\n int F;\n }\n')

    assert [each.segments[0].name for each in tree.documentation.crefs] == ["B", "D"]


@pytest.mark.parametrize("text", ["o is A a.B", "o is not A a.B(1) && c", "o is A a.B.C || o is D d[1]"])
def test_a_test_that_is_still_being_typed_is_read(text):
    tree = read(f"class C {{ bool M(object o) => {text}; bool N(object o) {{ return {text}; }} int P => 1; }}")
    open_bodies(tree.root)

    assert [each.fields["name"].text for each in tree.root.walk() if each.kind.endswith("y_declaration")] == ["P"]


def test_directives_behind_a_body_that_is_an_expression_are_none_of_it():
    first = "int A() =>\n#pragma warning disable\n a.B\n#pragma warning restore\n;"
    tree = read(f'class C {{\n{first} string D() => @"\n# e"; }}')
    bodies = [node for node in tree.root.walk() if node.kind == "arrow_expression_clause"]
    for body in bodies:
        body.open()

    assert [body.nodes[-1].text for body in bodies] == ["a.B", '@"\n# e"']
    assert not tree.damaged


@pytest.mark.parametrize("text", ["(T)(a.B * c)", "(A.T)(a * c)", "(T)(a.B.C * d)"])
def test_a_product_that_is_cast_is_no_call(text):
    node = expression(f"F({text}, 1)").fields["arguments"].nodes[0].nodes[0]

    type_, value = node.fields["type"], node.fields["value"]
    assert (node.kind, type_.text, value.kind) == (
        "cast_expression",
        text[1 : text.index(")")],
        "parenthesized_expression",
    )
    assert (value.nodes[0].kind, f"({type_.text})({value.nodes[0].text})") == ("binary_expression", text)


def test_a_pointer_that_an_argument_declares_is_left_alone():
    assert "out" in expression("(F)(out T* a)").fields["arguments"].nodes[0].children


def test_many_comparisons_open_no_type_arguments():
    ranges = " || ".join(f"{at} <= c && c <= {at + 1}" for at in range(400))
    tree = read(f"class C {{ bool M(int c) => {ranges}; }}")

    assert not tree.damaged
    assert [node.text for node in tree.root.walk() if node.kind == "method_declaration"]
