"""What covers syntax that the grammar cannot read, what is left as it is, and what becomes of it in trees."""

import pytest

from codecortex.parsing.syntax.covers import cover, find_covers
from codecortex.parsing.syntax.read import find_errors, read_syntax


def show(text):
    covered = cover(text)
    assert len(covered) == len(text)
    return covered.decode()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a.F(b) = c;", "a.F___ = c;"),
        ("F() += G(1);", "F__ += G(1);"),
        ("F(G(1), a[2]) = c;", "F____________ = c;"),
        ('F("a", b) ??= c;', "F________ ??= c;"),
        ("F<A, B<C>>(ref a) = c;", "F________________ = c;"),
        ("x => F(a) = b", "x => F___ = b"),
        ("*(a + 1) = b;", "________ = b;"),
        ("*(int*)(a + b[1]) = *(c + 1);", "_________________ = -(c + 1);"),
        ("*a++ = b;", "____ = b;"),
        ("return *(a) + *(b);", "return - a  + -(b);"),
        ("(float)*(double*)a", "(float)-(double*)a"),
        ("F(ref *(byte*)a, ref *b.C);", "F(ref -(byte*)a, ref -b.C);"),
        ("a(); default(A).B();", "a(); sizeof (A).B();"),
        ("*a.B() = c;", "______ = c;"),
        ("*a->B() += c;", "_______ += c;"),
        ("x = (byte*)(a[b]) + c;", "x = (byte*) a[b]  + c;"),
        ("from _ in a select b", "from n in a select b"),
        ("a is [.., 1] or [..]", "a is [_ , 1] or [_ ]"),
        ("F<(A a, B<C>[] b)>(c);", "F<_______________>(c);"),
        ("new A<B>(c) { D = 1 }", "new A___(c) { D = 1 }"),
        ("A<B>(c) && d.A<B<C>, D>(e.f) + 1", "A___(c) && d.A_________(e.f) + 1"),
        ("a is A<B> && b is not C.A<B> && c", "a is A___ && b is not C.A___ && c"),
        ("partial.A(required);", "_______.A(________);"),
        ("var with = a;", "var ____ = a;"),
        ("A<B> with = a;", "A<B> ____ = a;"),
        ("A<B> and = a.C(or);", "A<B> ___ = a.C(or);"),
        ('F($@"""{a}""")', 'F($@"__{a}__")'),
        ('F($"")', 'F(@"")'),
        ('F($$"""{ {{{a}}} }""")', 'F($$"""{ _{{a}}_ }""")'),
        ('F($$"""{{new A { B = { 1 } }}}""")', 'F($$"""{{new A { B = { 1 } }}}""")'),
        ("F = (a, in b) => a;", "F = (a,    b) => a;"),
        ("F((in A<B> a, int b) => a)", "F((   A<B> a, int b) => a)"),
        ("x = (a) - (b.c)[0] * (a[1])[2];", "x =  a  -  b.c [0] *  a[1] [2];"),
        ("x = (byte)(a) + b[(a)..];", "x = (byte) a  + b[ a ..];"),
        ("return (a) && b is (C.D) or (1);", "return  a  && b is  C.D  or (1);"),
        ("a < b >> 1 && c < d.E(f) >> g", "a < b << 1 && c < d.E(f) << g"),
        ("x = (a) /* b */ - c * (d.e) // f\n + g;", "x =  a  /* b */ - c *  d.e  // f\n + g;"),
        ("F((A<int>.B) - c, (global::D.E)[0])", "F( A<int>.B  - c,  global::D.E [0])"),
        ('new A<B>(c[0], "d)") { E = f }', 'new A___(c[0], "d)") { E = f }'),
        ("x = (a)++ + (b.c)-- - 1;", "x =  a ++ +  b.c -- - 1;"),
        ("x = (a) is (b) || (c[d]) is [1]", "x =  a  is (b) ||  c[d]  is [1]"),
        ("x = (a[(b)..])[(c)]", "x =  a[ b ..] [(c)]"),
        ("x = (a[b(c)])[d[0]] - (e[f, 1])[2]", "x =  a[b(c)] [d[0]] -  e[f, 1] [2]"),
        ("a >> (b) & 1 | c << (int)(d) - 2", "a >>  b  & 1 | c << (int) d  - 2"),
        ("a - (int)b<C>(d) + -e<F>(g)", "a - (int)b___(d) + -e___(g)"),
        ("from a in b where c is [1] select d", "from a in b where c is ___ select d"),
        ("F(*&a.b) - -*&c * *&d->e", "F(  a.b) - -  c *   d->e"),
        ("a is A<B>[] ? b : c", "a is A___[] ? b : c"),
        ("a < B<C>(d) && e < f.G<H<I>>(j)", "a < B___(d) && e < f.G______(j)"),
        ("A<B>(c) * d + A<B>(c[0]) - d", "A___(c) * d + A___(c[0]) - d"),
        ("F(a.B<C, D>(e).f, g)", "F(a.B______(e).f, g)"),
        ("F(a is B ? c : d.E<F, G>(h))", "F(a is B ? c : d.E______(h))"),
        ("F((a = b.C<D, E>(f)) != null)", "F((a = b.C______(f)) != null)"),
        ("F((A)new B<C, D>(e), f ?? G<H, I>(j))", "F((A)new B______(e), f ?? G______(j))"),
        ("A<B>(c)![0]", "A___(c)![0]"),
        ("a.B<C>(ref d)[0]", "a.B___(ref d)[0]"),
        ("from a in b orderby a.C<D>(e) descending select a", "from a in b orderby a.C___(e) descending select a"),
        ("(a, b) is (C<D> e, F g)", "(a, b) is (C___ e, F g)"),
        ("F(a as B<C, D>[], e)", "F(a as B______[], e)"),
        ("x = ((a)[b]) - c", "x =   a [b]  - c"),
        ("F(a => new A<B, C> { D = 1 })", "F(a => new A______ { D = 1 })"),
        ("F(a => new A<B, C<D[], E<G>[,]>> { D = 1 })", "F(a => new A____________________ { D = 1 })"),
        ("F(A.B<(C d, E<F<G>> h), I>(j))", "F(A.B_____________________(j))"),
        ("(new A<B, C<D>>{ E = 1 }).F", "(new A_________{ E = 1 }).F"),
        ("F(a => a.b is A<B, C> d ? d : e)", "F(a => a.b is A______ d ? d : e)"),
        ("F(a => a is not A<B, C>(1, var d))", "F(a => a is not A______(1, var d))"),
        ("a switch { [b, .. var c] when d => 1 }", "a switch { _____________ when d => 1 }"),
        ("(a = new B<C, D<E<F<G>>>, H>(i).J)", "(a = new B__________________(i).J)"),
        ("a - (A<B, C>) * d | (E<F>) * g", "a -  A______  * d |  E___  * g"),
        ("a = *--b - F(*++c)", "a = ~--b - F(~++c)"),
        ("*--a = b;", "____ = b;"),
        ("F(out *(A*)b, ref *(A*)c)", "F(out -(A*)b, ref -(A*)c)"),
        ("a = b * C<D, E>(f);", "a = b * C______(f);"),
    ],
)
def test_covers(text, expected):
    assert show(text.encode()) == expected
    statement = text if text.endswith(";") else f"x = {text};"
    assert not find_errors(f"class C {{ void M() {{ {statement} }} }}".encode(), frozenset())


@pytest.mark.parametrize(
    "text",
    [
        *("var (a, b) = c;", "(a, b) = (b, a);", "if (a) (b, c) = d;", "else (a, b) = c;", "x => (a, b) = c"),
        *("F(a) == b", "F(a) => b", 'F("a) = b");', "F(a /* b) = c */);", "a = b * (c);", "a = (int)-b * (c), d = e;"),
        *(
            "F(a) - b",
            "(A<B>)[1]",
            "(A[])[1]",
            "if (a) ++b;",
            "(a) => b",
            "int[] a = b;",
            "case A[] when b:",
            "F(a, B<C<D>[], E>(f))",
            "a = /*(b + c)*/ d;",
            "a = /*&b*/ d;",
        ),
        *(
            "a >= *b",
            "foreach (var _ in a) { }",
            "a[..]",
            "F(b)[..]",
            "[.. a]",
            "(A, B) C<D>(E e) => f;",
            "a[1, ..]",
            "(A)++b - (C)--d",
            "(A[])b[0] + (A[,])c",
            "a switch { b when F(out _) => 1 }",
            "a(b)[c, ..]",
            "class A : B<C>(d) { }",
            "required int A;",
            "partial class A",
            "a with { }",
            "a is A<B> or C<D>",
            "a is A<B> and { E: 1 }",
            "new A<B>[] { c }",
            "new A<B>.C { D = 1 }",
            "class A : B<C, D>(e) { }",
            f"class A({', '.join(f'int parameter{n}' for n in range(30))}) : B<C, D>(e) {{ }}",
            "void* A<B, C>() where B : D { }",
            "static int ** A<B, C>(D d) => null;",
            "A<B, C> D<E, F>(G g) => h;",
            "void I.F<A, B>(C c) { }",
            "A<B<C>> D<E, F>(G g) => h;",
            "a = b;\n (A<B> c, D<E, F> g) = h;",
            "F((A<B> a, C c) => d)",
            "a = (B)or.C() + (D)and.E;",
            "F(a < b[0], c > d)",
            "F(a < (b), c > d)",
            "F(a.B<C>(d, e))",
        ),
        *('$@"{a}"', '$"{a}"', "F(in a)", "F(a, out b);", "(in int a) => a"),
    ],
)
def test_other_syntax_is_left_alone(text):
    assert show(text.encode()) == text


def test_trees_show_what_is_written():
    text = "class C { void M() { a.F<B>(*(c + 1)) = *(d - 1) + e; *(f + 1) = g; } }"
    tree = read_syntax(text.encode(), frozenset())
    block = next(node for node in tree.root.walk() if node.kind == "block")
    block.open()

    first, second = (node for node in block.walk() if node.kind == "assignment_expression")
    assert (first.fields["left"].kind, first.fields["left"].text) == ("invocation_expression", "a.F<B>(*(c + 1))")
    assert (second.fields["left"].kind, second.fields["left"].text) == ("prefix_unary_expression", "*(f + 1)")
    signs = [node.children[0] for node in block.walk() if node.kind == "prefix_unary_expression"]
    assert signs == ["*"] * 3
    assert not tree.damaged


def test_what_is_covered_within_a_cover_is_shown_too():
    tree = read_syntax(
        b"class C { void M() { F(G<A>(b) + *(c + 1)) = d; e = f is H<I>[] || g is not H<J>[,]; } }", frozenset()
    )
    block = next(node for node in tree.root.walk() if node.kind == "block")
    block.open()

    assert [node.text for node in block.walk() if node.kind == "generic_name"] == ["G<A>", "H<I>", "H<J>"]
    assert [node.children[0] for node in block.walk() if node.kind == "prefix_unary_expression"] == ["*"]


@pytest.mark.parametrize("word", ["out", "ref"])
def test_the_end_of_a_comment_is_no_pointer(word):
    tree = read_syntax(f"class C {{ void M() {{ /* a; {word} */ int k = 1; }} }}".encode(), frozenset())
    block = next(node for node in tree.root.walk() if node.kind == "block")
    block.open()

    assert [node.kind for node in block.nodes] == ["local_declaration_statement"]


def test_an_attribute_has_its_type_arguments_before_its_arguments():
    tree = read_syntax(b'[A<int, string>(1, "")] class C { }', frozenset())
    attribute = next(node for node in tree.root.walk() if node.kind == "attribute")

    assert [node.kind for node in attribute.nodes] == ["generic_name", "attribute_argument_list"]


def test_a_text_without_end_of_type_arguments_takes_no_time_for_each_of_them():
    assert find_covers(b"F<A>(x); b> c,] when" + b"A<B " * 100_000) == []
