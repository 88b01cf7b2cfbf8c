import pytest

HEAD = "using System.Collections.Generic; using System.Linq; class A { public int N; public List<A> L; }"
RULES = {
    "where and select": "from a in s where a./*F:A.N*/N > 1 select a./*F:A.L*/L",
    "several sequences": "from a in s from b in a./*F:A.L*/L orderby b./*F:A.N*/N descending select b./*F:A.N*/N",
    "let": "from a in s let l = a./*F:A.L*/L select l[0]./*F:A.N*/N",
    "join": "from a in s join b in s on a./*F:A.N*/N equals b./*F:A.N*/N select b./*F:A.N*/N",
    "join into": "from a in s join b in s on a./*F:A.N*/N equals b./*F:A.N*/N into g select g.First()./*F:A.N*/N",
    "group into": "from a in s group a by a./*F:A.N*/N into g select g.First()./*F:A.N*/N + g.Key",
    "a written type": "from A a in new object[0] select a./*F:A.N*/N",
}


@pytest.mark.parametrize("source", RULES.values(), ids=RULES)
def test_queries(check, source):
    check(f"{HEAD} class C {{ object G(List<A> s) => {source}; }}")


def test_the_result_is_a_sequence(check):
    check(HEAD + "class C { int G(List<A> s) => (from a in s select a).First()./*F:A.N*/N; }")


OWN = """
using System; class Rack<T> { public T V;
public Rack<T> Where(Func<T, bool> f) => this; public Rack<U> Select<U>(Func<T, U> f) => null; public Rack<U> Cast<U>() => null;
public Rack<R> SelectMany<U, R>(Func<T, Rack<U>> f, Func<T, U, R> g) => null;
public Rack<R> Join<U, K, R>(Rack<U> o, Func<T, K> a, Func<U, K> b, Func<T, U, R> c) => null;
public Sorted<T> OrderBy<K>(Func<T, K> f) => null; public Rack<Rack<T>> GroupBy<K>(Func<T, K> f) => null; }
class Sorted<T> : Rack<T> { public Sorted<T> ThenByDescending<K>(Func<T, K> f) => this; public T S; }
class A { public int N; public Rack<B> Bs; } class B { public string M; }
"""
ON_OWN_TYPES = {
    "where and select": ("(from a in s where a./*F:A.N*/N > 1 select a./*F:A.Bs*/Bs)./*F:Rack`1.V*/V./*F:Rack`1.V*/V./*F:B.M*/M", "Where Select"),
    "a variable alone selects nothing after another clause": ("(from a in s where a./*F:A.N*/N > 1 select a)./*F:Rack`1.V*/V", "Where"),
    "a variable alone is selected where nothing else is": ("(from a in s select a)./*F:Rack`1.V*/V", "Select"),
    "several sources": ("(from a in s from b in a./*F:A.Bs*/Bs select b./*F:B.M*/M + a./*F:A.N*/N)./*F:Rack`1.V*/V", "SelectMany"),
    "several sources and more clauses": ('(from a in s from b in a./*F:A.Bs*/Bs where b./*F:B.M*/M == "" select a)./*F:Rack`1.V*/V./*F:A.N*/N', "SelectMany Where Select"),
    "let": ("(from a in s let b = a./*F:A.Bs*/Bs select b./*F:Rack`1.V*/V)./*F:Rack`1.V*/V./*F:B.M*/M", "Select Select"),
    "join": ("(from a in s join c in s on a./*F:A.N*/N equals c./*F:A.N*/N select c./*F:A.Bs*/Bs)./*F:Rack`1.V*/V", "Join"),
    "order": ("(from a in s orderby a./*F:A.N*/N, a./*F:A.Bs*/Bs descending select a)./*F:Sorted`1.S*/S", "OrderBy ThenByDescending"),
    "group into": ("(from a in s group a by a./*F:A.N*/N into g select g./*F:Rack`1.V*/V)./*F:Rack`1.V*/V./*F:A.N*/N", "GroupBy Select"),
    "a written type": ("(from B b in s select b./*F:B.M*/M)./*F:Rack`1.V*/V", "Cast Select"),
}  # fmt: skip


@pytest.mark.parametrize(("source", "called"), ON_OWN_TYPES.values(), ids=ON_OWN_TYPES)
def test_the_methods_of_the_source_are_called(check, bind, source, called):
    text = OWN + f"class C {{ object G(Rack<A> s) => {source}; }}"
    check(text)

    _, whole = bind(text)
    implied = [each.binding.symbol for each in whole.bindings if each.binding.role == "implied"]
    assert [each.partition("(")[0].partition("``")[0].rpartition(".")[2] for each in implied] == called.split()


def test_types_with_operators_of_their_own(check):
    declared = "class Q<T> { public T V; public Q<U> Select<U>(System.Func<T, U> f) => null; public Q<T> Where(System.Func<T, bool> f) => this; }"
    query = "from a in q where a./*F:A.N*/N > 1 select a./*F:A.L*/L"
    check(f"{HEAD} {declared} class C {{ object G(Q<A> q) => ({query})./*F:Q`1.V*/V[0]./*F:A.N*/N; }}")


def test_variables_without_names(check):
    query = "from _ in s from a in s let n = a./*F:A.N*/N join _ in s on n equals 1 into g select a./*F:A.N*/N + n"
    check(f"{HEAD} class C {{ object G(List<A> s) => {query}; }}")
