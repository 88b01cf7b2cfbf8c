import pytest

HEAD = "using System; using System.Collections.Generic; class A : IDisposable { public int N; public void Dispose() { } public void Deconstruct(out A a, out int n) { a = this; n = 1; } }"
RULES = {
    "var": "void G() { var a = new A(); a./*F:A.N*/N = 1; }",
    "foreach by interfaces": "void G(IEnumerable<A> s) { foreach (var a in s) a./*F:A.N*/N = 1; }",
    "foreach over arrays and dictionaries": "void G(A[] s, Dictionary<int, A> d) { foreach (var a in s) a./*F:A.N*/N = 1; foreach (var (k, v) in d) v./*F:A.N*/N = k; }",
    "designations within targets": "void G(A s, (A, A)[] m) { int n; (n, var (a, _)) = (1, s); a./*F:A.N*/N = n; foreach ((A b, var (c, d)) in m) c./*F:A.N*/N = b./*F:A.N*/N + d; }",
    "using, fixed, lock": "void G() { using (var a = new A()) lock (a) a./*F:A.N*/N = 1; using var b = new A(); b./*F:A.N*/N = 1; }",
    "scoped variables": "ref struct R { public A F; } void G(R r, A[] s, Span<A> p) { scoped var q = r; q./*F:C.R.F*/F./*F:A.N*/N = 1; scoped ref var y = ref s[0]; y./*F:A.N*/N = 1; foreach (scoped ref var k in p) k./*F:A.N*/N = 1; }",
    "for": "void G(A[] s) { for (int i = 0, j = s[i]./*F:A.N*/N; i < j; i++) { } }",
    "catch with a condition": 'void G() { try { } catch (Exception e) when (e./*P:System.Exception.Message*/Message == "") { } finally { } }',
    "deconstruction by a method": "void G(A x) { var (a, n) = x; a./*F:A.N*/N = n; }",
    "yield": "IEnumerable<A> G() { yield return new() { /*F:A.N*/N = 1 }; }",
    "return converts to the declared type": "A G() { return new() { /*F:A.N*/N = 1 }; }",
    "locals of one block are not those of the next": "string N; void G() { { var N = new A(); } /*F:C.N*/N.Trim(); }",
    "switch sections": "void G(object o) { switch (o) { case A a when a./*F:A.N*/N > 1: a./*F:A.N*/N = 1; break; default: break; } }",
    "sections share what their statements declare": "int a; void G(object o) { switch (o) { case 1: A b = new A(); break; case A a: a./*F:A.N*/N = 1; break; case 2: b = new A(); b./*F:A.N*/N = 2; break; default: /*F:C.a*/a = 1; break; } }",
    "foreach over generic types": "class P<T> { public T V; } void G(List<P<A>> l, List<List<A>> m, P<A>[] s) { foreach (/*T:C.P`1*/P</*T:A*/A> p in l) p./*F:C.P`1.V*/V./*F:A.N*/N = 1; foreach (List<A> a in m) a[0]./*F:A.N*/N = 1; foreach (ref /*T:C.P`1*/P<A> p in s.AsSpan()) p.V./*F:A.N*/N = 1; }",
    "local functions are seen before they are declared": "void G() { F(new A()); void F(A a) { a./*F:A.N*/N = 1; } }",
    "if, while and do": "void G(A a) { if (a is { } b) b./*F:A.N*/N = 1; while (a./*F:A.N*/N > 1) { } do { } while (a./*F:A.N*/N > 1); }",
}


@pytest.mark.parametrize("source", RULES.values(), ids=RULES)
def test_statements(check, source):
    check(f"{HEAD} class C {{ {source} }}")


def test_foreach_by_form(check):
    check("""
        class A { public int N; } class S { public E GetEnumerator() => null; }
        class E { public A Current => null; public bool MoveNext() => false; }
        class C { void G(S s) { foreach (var a in s) a./*F:A.N*/N = 1; } }
    """)


ENUMERATORS = """using System.Threading.Tasks; using System.Collections; using System.Collections.Generic;
class U : IEnumerable<P> { public IEnumerator GetEnumerator() => null; IEnumerator<P> IEnumerable<P>.GetEnumerator() => null; }
class P { public void Deconstruct(out int a, out int b) { a = b = 1; } }
class S { public E GetEnumerator() => null; } class E { public P Current => null; public bool MoveNext() => true; public void Dispose() { } }
class R { public F GetEnumerator() => default; } ref struct F { public P Current => null; public bool MoveNext() => true; public void Dispose() { } }
class T { public G GetAsyncEnumerator() => null; } class G { public P Current => null; public ValueTask<bool> MoveNextAsync() => default; internal ValueTask DisposeAsync(int a = 1) => default; }
"""
USED = {
    "foreach (var a in new S()) { }": "S.GetEnumerator E.MoveNext E.Current",
    "foreach (P a in new U()) { }": "U.GetEnumerator System.Collections.IEnumerator.MoveNext System.Collections.IEnumerator.Current",
    "foreach (var (a, b) in new R()) { }": "R.GetEnumerator F.MoveNext F.Current F.Dispose P.Deconstruct",
    "await foreach (var (a, b) in new T()) { }": "T.GetAsyncEnumerator G.MoveNextAsync G.Current G.DisposeAsync P.Deconstruct",
}


@pytest.mark.parametrize(("statement", "used"), USED.items())
def test_what_foreach_uses_stands_at_its_keyword(bind, statement, used):
    source = f"{ENUMERATORS}class C {{ async Task M() {{ {statement} }} }}"
    _, whole = bind(source)

    implied = [each for each in whole.bindings if each.binding.role == "implied"]
    assert {each.start for each in implied} == {source.index("foreach")}
    assert {each.binding.symbol.partition("(")[0][2:] for each in implied} == set(used.split())


def test_statements_outside_of_types_stand_in_program(check):
    check("""
        var a = new A(); a./*F:A.N*/N = 1; F(a); void F(A b) => b./*F:A.N*/N = 1;
        class A { public int N; }
    """)


def test_what_iterators_give_is_of_their_element(check):
    check("""
        using System.Collections.Generic; class A { public int N; }
        class C { IEnumerator<A> F() { yield return new() { /*F:A.N*/N = 1 }; } async IAsyncEnumerable<A> G() { yield return new() { /*F:A.N*/N = 1 }; } }
    """)


def test_top_level_statements_have_arguments(check):
    check("return args./*P:System.Array.Length*/Length + args[0]./*P:System.String.Length*/Length;")
