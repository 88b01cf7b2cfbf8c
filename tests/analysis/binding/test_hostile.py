"""Sources that are made to take long or to nest deep: bounded, flagged, never an exception."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

DEPTH = 2000  # spaces between make the parser, which gives up on what is dense, read all of it
CASES = {
    "numbers of many digits": f"class C {{ long a = {' * '.join(['0x' + 'F' * 50_000] * 200)}; int b = {'9' * 100_000}; }}",
    "nested lambdas": "class C { object F = " + "x => " * DEPTH + "1; }",
    "nested calls": "class C { int F(int n) => n; int G() => "
    + "F(".ljust(99) * DEPTH
    + "1"
    + ")".ljust(99) * DEPTH
    + "; }",
    "nested parentheses": "class C { int G() => " + "(" * DEPTH + "1" + ")" * DEPTH + "; }",
    "nested blocks": "class C { void G() " + "{" * DEPTH + "}" * DEPTH + " }",
    "nested type arguments": "class L<T> { } class C { " + "L<" * DEPTH + "int" + ">" * DEPTH + " f; }",
    "type arguments of types that nothing declares": "class C { " + "L<" * 60 + "int" + ">" * 60 + " f; }",
    "type arguments of qualified names that nothing declares": "class C { "
    + "N.L<" * 60
    + "int"
    + ">.M" * 60
    + " f; }",
    "type arguments of attributes that nothing declares": "[" + "L<" * 60 + "int" + ">" * 60 + "] class C { }",
    "a name of many segments": "class C { " + "N." * 20 * DEPTH + "D f; }",
    "a long chain": "class C { C F() => this; C G() => this" + ".F()" * DEPTH + "; }",
    "a long sum": "class C { int G() => 1" + " + 1" * (5 * DEPTH) + "; }",
    "a pattern of many arms": "class C { bool G(int n) => n is 0" + " or 1".ljust(9) * 5 * DEPTH + "; }",
    "an else-if ladder": "class C { void G(int n) { if (n == 0) { } " + "else if (n == 1) { } " * DEPTH + "} }",
    "bases in a circle": "class A : B { } class B : C { } class C : A { int G() => base.X; void F() => X(); }",
    "interfaces in a circle": "interface I : J { } interface J : I { } class C { void G(I i) => i.X(); }",
    "constraints in a circle": "class C<T, U> where T : U where U : T { void G(T t) => t.X(); }",
    "bases that grow": "class A<T> : A<A<A<T>>> { void G() => X(); } class B { void F(A<int> a) => a.Y(); }",
    "interfaces that grow": "interface I<T> : I<I<T>> { } class C { void G(I<int> i) => i.X(); }",
    "aliases in a circle": "using A = B; using B = A; class C { A f; }",
    "a type parameter that is its own constraint": "class C<T> where T : T { void G(T t) => t.X(); }",
    "many overloads": "class C { "
    + " ".join(f"void F(C{n} c) {{ }} class C{n} {{ }}" for n in range(3000))
    + " void G(C1 c) => F(c); }",
    "overloads in overloads": "using System; class C { int F(Func<int, int> f) => 1; int F(Func<string, int> f) => 1; "
    "int G() => " + "".join(f"F(x{n} => " for n in range(24)) + "1" + ")" * 24 + "; }",
    "lambdas in lambdas over 20 overloads": "using System; class C { "
    + " ".join(f"class P{n} {{ public int V; }} int F(Func<P{n}, int> f) => 1;" for n in range(20))
    + " int G() => "
    + "".join(f"F(x{n} => " for n in range(30))
    + "x0.V"
    + ")" * 30
    + "; }",
    "comparisons that look like calls": "class C { void G() { x = (a < b > (c)) < d > (e); y = new A < B > (c) < D > (e); } }",
    "calls of generic methods": "class C { T F<T>(T n) => n; int G() => "
    + "F(".ljust(99) * DEPTH
    + "1"
    + ")".ljust(99) * DEPTH
    + "; }",
    "tuples in tuples": "class C { object G() => " + "(1, ".ljust(99) * DEPTH + "2" + ")".ljust(99) * DEPTH + "; }",
    "a chain of members": "class C { C P; C G() => P" + "\n.P".ljust(99) * 5 * DEPTH + "; }",
    "creations in creations": "class C { C(C c) { } C G() => "
    + "new C(".ljust(99) * DEPTH
    + "null"
    + ")".ljust(99) * DEPTH
    + "; }",
    "lambdas in calls": "using System; class C { int F(Func<int, int> f) => 1; int G() => "
    + "F(x => ".ljust(499) * DEPTH
    + "1"
    + ")".ljust(99) * DEPTH
    + "; }",
    "types in types": "class C {".ljust(99) * DEPTH + "}".ljust(99) * DEPTH,
    "patterns in patterns": "class C { C P; bool G(C a) => a is "
    + "{ P: ".ljust(99) * DEPTH
    + "null"
    + "}".ljust(99) * DEPTH
    + "; }",
    "bases of bases": " ".join(f"class C{n} : C{n + 1} {{ }}" for n in range(DEPTH))
    + " class D { void F(C0 c) => c.X(); }",
    "a type that doubles": "class A<T> { A<(T, T)> P; object G() => this" + ".P" * 60 + "; }",
    "20 overloads in overloads": "using System; class C {"
    + "".join(f" int F(Func<C{n}, int> f) => {n}; class C{n} {{ }}" for n in range(20))
    + " int G() => "
    + "".join(f"F(x{n} => " for n in range(24))
    + "1"
    + ")" * 24
    + "; }",
    "10,000 overloads": "class C { "
    + " ".join(f"void F(C{n} c) {{ }} class C{n} {{ }}" for n in range(10_000))
    + " void G(C1 c, object d) { F(c); F(d.X); } }",
    "a broken file": 'class C { void G( { [<( x => ; $"{ } class',
}


@pytest.mark.parametrize("source", CASES.values(), ids=CASES)
def test_it_ends_without_an_exception_on_the_stack_of_a_small_thread(bind, source):
    start = time.process_time()
    before = threading.stack_size(1 << 20)
    try:
        with ThreadPoolExecutor(1) as threads:
            threads.submit(bind, source).result()
    finally:
        threading.stack_size(before)

    assert time.process_time() - start < 30  # far more than any takes


NESTED = (
    *("nested calls", "calls of generic methods", "tuples in tuples", "a chain of members", "creations in creations"),
    *("20 overloads in overloads", "an else-if ladder"),
)


@pytest.mark.parametrize("name", NESTED)
def test_what_nests_too_deep_is_told(bind, name):
    _, bound = bind(CASES[name])

    assert bound.truncated


def test_what_is_bound_whole_is_not_flagged(bind):
    assert not bind("class C { int F(int n) => n; int G() => F(F(F(1))); }")[1].truncated


def test_many_lambdas_in_one_member_are_bound_whole(bind):
    calls = "".join(f"Run(x => x + {number});" for number in range(2500))
    bound = bind(f"using System; class C {{ int Run(Func<int, int> f) => f(1); void M() {{ {calls} }} }}")[1]

    assert not bound.truncated


def test_an_escape_of_no_character_is_a_name_like_others(bind):
    found, _ = bind(r"class C { int \UFFFFFFFF; int \uD800x; int G() => \UFFFFFFFF + \uD800x; }")

    assert [each.symbol for each in found.values() if each.role == "read"] == [r"F:C.\UFFFFFFFF", r"F:C.\uD800x"]
