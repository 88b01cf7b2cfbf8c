import pytest

HEAD = "using System; using System.Collections.Generic; using System.Linq; using System.Threading.Tasks; class A { public int N; public List<A> L; } class B : A { }"
RULES = {
    "from an argument": "class C { T F<T>(T t) => t; int G(A a) => F(a)./*F:A.N*/N; }",
    "from a base type of an argument": "class C { T F<T>(IEnumerable<T> s) => default; int G(List<A> l) => F(l)./*F:A.N*/N; }",
    "from what a lambda returns": "class C { T F<T>(Func<T> f) => f(); int G() => F(() => new A())./*F:A.N*/N; }",
    "through a lambda's parameter": "class C { R F<T, R>(T t, Func<T, R> f) => f(t); int G(A a) => F(a, x => x./*F:A.L*/L)[0]./*F:A.N*/N; }",
    "from what a method group returns": "class C { R F<T, R>(T t, Func<T, R> f) => f(t); static A H(int n) => null; int G() => F(1, /*M:C.H(System.Int32)*/H)./*F:A.N*/N; }",
    "through lambdas in tuples and collections": "class C { R F<T, R>(List<T> s, params (Func<T, R> K, bool D)[] k) => default; R H<T, R>(List<T> s, Func<T, R>[] k) => default; List<A> G(List<A> l) => F(l, (x => x./*F:A.L*/L, true))[0]./*F:A.L*/L ?? H(l, [x => x./*F:A.L*/L])[0]./*F:A.L*/L; }",
    "lambdas that return what has no type": "class K { public int V; } static class C { static T Or<T>(this T t, Func<T> f) => t; static T Pick<T>(Func<int, T> f, T t) => t; static T Fold<T>(T s, Func<int, Func<T, T>> f) => s; static T Late<T>(Func<Task<T>> f, T t) => t; static void G(K k, bool f, List<K> cs) { cs./*M:C.Or``1(``0,System.Func{``0})*/Or(() => [])[0]./*F:K.V*/V++; cs./*M:C.Or``1(``0,System.Func{``0})*/Or(() => [k])[0]./*F:K.V*/V++; /*M:C.Pick``1(System.Func{System.Int32,``0},``0)*/Pick(i => f ? [] : [k], cs)[0]./*F:K.V*/V++; /*M:C.Pick``1(System.Func{System.Int32,``0},``0)*/Pick(i => f ? new() : null, cs)[0]./*F:K.V*/V++; /*M:C.Fold``1(``0,System.Func{System.Int32,System.Func{``0,``0}})*/Fold(k, x => acc => acc)./*F:K.V*/V++; /*M:C.Late``1(System.Func{System.Threading.Tasks.Task{``0}},``0)*/Late(async () => [k], cs)[0]./*F:K.V*/V++; } }",
    "to the better of two bounds": "class C { T F<T>(T a, T b) => a; int G(A a, B b) => F(a, b)./*F:A.N*/N; }",
    "an asynchronous lambda gives the delegate's own task": "class C { T F<T>(Func<ValueTask<T>> f) => default; int G(A a) => F(async () => { await Task.Delay(1); return a; })./*F:A.N*/N; }",
    "a group that returns nothing gives no argument": "class C { void F(Action<int> f) { } void F<T>(Func<int, T> f) { } void H(int n) { } void G() => /*M:C.F(System.Action{System.Int32})*/F(H); }",
    "bounds that contradict each other": "class C { R F<T, R>(IEnumerable<T> s, T t, Func<IEnumerable<T>, R> r) => default; R F<T, R>(IEnumerable<T> s, Func<T, bool> f, Func<IEnumerable<T>, R> r) => default; R G<T, R>(IEnumerable<T> s, Func<T, bool> f, Func<IEnumerable<T>, R> r) => /*M:C.F``2(System.Collections.Generic.IEnumerable{``0},System.Func{``0,System.Boolean},System.Func{System.Collections.Generic.IEnumerable{``0},``1})*/F(s, f, r); }",
    "a bound that converts by an operator": "struct M { public A V; public static implicit operator M(int n) => default; } class C { T F<T>(List<T> l, T t) => t; T H<T>(T t, Func<T> f) => t; void G(List<M> l, M m, int n) { F(l, n).V./*F:A.N*/N = 1; H(m, () => n).V./*F:A.N*/N = 2; H(n, () => m).V./*F:A.N*/N = 3; } }",
    "what lives on the stack alone is no type argument": "ref struct M { } class C { void F<T>(T t) { } void F(ReadOnlySpan<int> s) { } void F(in M m) { } void H<T>(T t) where T : allows ref struct { } void H(ReadOnlySpan<int> s) { } void G(Span<int> s, M m) { /*M:C.F(System.ReadOnlySpan{System.Int32})*/F(s); /*M:C.F(M@)*/F(m); /*M:C.H``1(``0)*/H(s); } void K<U>(U u) where U : allows ref struct => /*M:C.H``1(``0)*/H(u); }",
    "null tells nothing": "class C { T F<T>(T a, T b) => a; int G(A a) => F(null, a)./*F:A.N*/N; }",
    "in chains of extension methods": "class C { int G(List<A> l) => l.Where(x => x./*F:A.N*/N > 0).SelectMany(x => x./*F:A.L*/L).OrderBy(x => x./*F:A.N*/N).First()./*F:A.N*/N; }",
    "grouped and joined sequences": "class C { int G(List<A> l) => l.GroupBy(x => x./*F:A.N*/N).First().Key + l.ToDictionary(x => x./*F:A.N*/N)[1]./*F:A.N*/N; }",
    "the expanded form starts anew": "class C { T F<T>(params T[] t) => t[0]; int G(A a) => F(a, a)./*F:A.N*/N; }",
    "an out variable": "class C { bool F<T>(Func<T> f, out T t) { t = f(); return true; } int G() { F(() => new A(), out var a); return a./*F:A.N*/N; } }",
    "from tuples": "class C { T F<T>((T, int) t) => t.Item1; int G(A a) => F((a, 1))./*F:A.N*/N; }",
    "names of a tuple's elements": "class C { T F<T>(Func<T> f) => f(); int G(A a) => F(() => (first: a, second: 1)).first./*F:A.N*/N; }",
    "anonymous types": "class C { int G(List<A> l) => l.Select(x => new { Inner = x, x./*F:A.N*/N }).First().Inner./*F:A.N*/N; }",
    "a lambda without types tells nothing to a bare parameter": "class C { void F<T>(T t) { } void F(Func<int, int> f) { } void G() => /*M:C.F(System.Func{System.Int32,System.Int32})*/F(x => x); }",
    "a collection expression tells nothing to a bare parameter": "class C { void F<T>(T t) { } void F(ReadOnlySpan<object> s) { } void G() => /*M:C.F(System.ReadOnlySpan{System.Object})*/F([1, 2]); }",
    "a collection expression tells the element": "class C { T F<T>(List<T> l) => l[0]; int G(A a) => F([a])./*F:A.N*/N; }",
    "what is taken is inferred from what takes more": "class C { T F<T>(Action<List<T>> f) => default; T H<T>(Action<T[]> f) => default; T K<T>(Func<List<T>, int> f) => default; int G(Action<IEnumerable<A>> a, Func<IList<A>, int> f) => F(a)./*F:A.N*/N + H(a)./*F:A.N*/N + K(f)./*F:A.N*/N; }",
}


@pytest.mark.parametrize("source", RULES.values(), ids=RULES)
def test_inference(check, source):
    check(HEAD + source)


def test_an_unknown_argument_leaves_what_it_does_not_speak_of(check):
    check(HEAD + "class C { R F<T, R>(T t, Func<R> f) => f(); int G(Unknown u) => F(u, () => new A())./*F:A.N*/N; }")


UNSURE = """
    class P { public P S; public int N; } class Q { public Q S; public string N; } class One { } class Two { }
    class R<T> { public void Run(Action<T> f) { } public T V; public void Deconstruct(out T a, out int b) { a = default; b = 1; } }
    class Calls {
        protected static P L(One o) => null; protected static Q L(Two o) => null;
        protected static List<P> M(One o) => null; protected static List<Q> M(Two o) => null;
        protected static void F(One o, Action<P> f) { } protected static void F(Two o, Action<Q> f) { }
        protected static void Same(One o, Action<P> f) { } protected static void Same(Two o, Action<P> f) { }
        protected static void O(One o, out P p) { p = null; } protected static void O(Two o, out Q q) { q = null; }
        protected static A Take(P p) => null; protected static B Take(Q q) => null; protected static int Two(P p, int n) => 1;
        protected static A Do(Action f) => null; protected static B Do(Func<P> f) => null; protected static B Get(Func<Q> f) => null; protected static A Get(Func<P> f) => null;
        protected static T Id<T>(T t) => t; protected static R<T> Of<T>(T t) => null; protected static int Count<T>(T t) => 1;
    }
"""
AFTER_UNSURE = {
    "a lambda's parameter": "F(u, x => x./*likely F:P.S*/S./*likely F:P.N*/N.ToString());",
    "a lambda's parameter of one type in all": "Same(u, x => x./*F:P.S*/S./*F:P.N*/N.ToString());",
    "a lambda's parameter whose type is written": "F(u, (P x) => x./*F:P.S*/S.ToString());",
    "a lambda's parameter, by the receiver": "Of(L(u))./*likely M:R`1.Run(System.Action{`0})*/Run(x => x./*likely F:P.S*/S.ToString());",
    "a lambda's parameter, by what the call is made on": "M(u).Select(x => x./*likely F:P.S*/S);",
    "a variable by out": "O(u, out var p); p./*likely F:P.S*/S.ToString();",
    "what is inferred from a value": "Id(L(u))./*likely F:P.S*/S.ToString();",
    "what is inferred from a lambda": "new[] { 1 }.Select(i => L(u)).First()./*likely F:P.S*/S.ToString();",
    "what does not rest on what is inferred": "Count(L(u))./*M:System.Int32.ToString*/ToString();",
    "an anonymous type": "new { V = L(u) }.V./*likely F:P.S*/S.ToString();",
    "a tuple": "(L(u), 1).Item1./*likely F:P.S*/S.ToString();",
    "what is taken apart": "var (a, b) = Of(L(u)); a./*likely F:P.S*/S.ToString();",
    "an overload that takes it": "/*likely M:Calls.Take(P)*/Take(L(u))./*likely F:A.N*/N++;",
    "an overload that takes a local of it": "var p = L(u); /*likely M:Calls.Take(P)*/Take(p);",
    "the only one with as many parameters": "/*M:Calls.Two(P,System.Int32)*/Two(L(u), 1).ToString();",
    "an overload that takes what a lambda returns": "/*likely M:Calls.Get(System.Func{P})*/Get(() => L(u));",
    "an overload that takes a lambda that may return something": "/*likely M:Calls.Do(System.Func{P})*/Do(() => L(u));",
    "the result of an operator": "var d = u - DateTime.Now; (d - d)./*likely P:System.TimeSpan.Days*/Days.ToString();",
    "a product": "Math./*likely M:System.Math.Max(System.Decimal,System.Decimal)*/Max(0, Math.Ceiling(u.X) * 2);",
    "a query": "(from i in new[] { 1 } let y = L(u) select y./*likely F:P.S*/S).ToList();",
}


@pytest.mark.parametrize("source", AFTER_UNSURE.values(), ids=AFTER_UNSURE)
def test_what_follows_from_a_call_that_is_not_certain_is_not_certain(check, source):
    check(f"{HEAD}{UNSURE} class C : Calls {{ void G(Unknown u) {{ {source} }} }}")
