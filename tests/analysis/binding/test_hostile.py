"""Sources that are made to take long or to nest deep: bounded, flagged, never an exception."""

import time

import pytest

DEPTH = 2000
CASES = {
    "nested lambdas": "class C { object F = " + "x => " * DEPTH + "1; }",
    "nested calls": "class C { int F(int n) => n; int G() => " + "F(" * DEPTH + "1" + ")" * DEPTH + "; }",
    "nested parentheses": "class C { int G() => " + "(" * DEPTH + "1" + ")" * DEPTH + "; }",
    "nested blocks": "class C { void G() " + "{" * DEPTH + "}" * DEPTH + " }",
    "nested type arguments": "class L<T> { } class C { " + "L<" * DEPTH + "int" + ">" * DEPTH + " f; }",
    "a long chain": "class C { C F() => this; C G() => this" + ".F()" * DEPTH + "; }",
    "a long sum": "class C { int G() => 1" + " + 1" * (5 * DEPTH) + "; }",
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
    "comparisons that look like calls": "class C { void G() { x = (a < b > (c)) < d > (e); y = new A < B > (c) < D > (e); } }",
    "a broken file": 'class C { void G( { [<( x => ; $"{ } class',
}


@pytest.mark.parametrize("source", CASES.values(), ids=CASES)
def test_it_ends_without_an_exception(bind, source):
    start = time.process_time()
    bind(source)

    assert time.process_time() - start < 30  # far more than any takes


def test_what_nests_too_deep_is_told(bind):
    assert bind(CASES["an else-if ladder"])[1].truncated
    assert not bind("class C { int F(int n) => n; int G() => F(F(F(1))); }")[1].truncated
