import pytest

RULES = {
    "the nearer namespace wins": """
        using Y; namespace Y { public static class E { public static int F(this string s) => 1; } }
        namespace X { static class E { public static int F(this string s) => 1; }
        class C { int G(string s) => s./*M:X.E.F(System.String)*/F(); } }
    """,
    "methods of the type itself come first": """
        class A { public int F(object o) => 1; } static class E { public static int F(this A a, int n) => 1; }
        class C { int G(A a) => a./*M:A.F(System.Object)*/F(1); }
    """,
    "if no method of the type applies, extensions may": """
        class A { public int F() => 1; } static class E { public static int F(this A a, int n) => 1; }
        class C { int G(A a) => a./*M:E.F(A,System.Int32)*/F(1); }
    """,
    "a receiver is not converted by operators": """
        class A { public static implicit operator B(A a) => null; } class B { }
        static class E { public static int F(this B b) => 1; public static int F(this object o) => 1; }
        class C { int G(A a) => a./*M:E.F(System.Object)*/F(); }
    """,
    "the more specific receiver wins": """
        using System.Collections.Generic;
        static class E { public static int F<T>(this IEnumerable<T> s) => 1; public static int F<T>(this List<T> s) => 1; }
        class C { int G(List<int> l, int[] a) => l./*M:E.F``1(System.Collections.Generic.List{``0})*/F()
            + a./*M:E.F``1(System.Collections.Generic.IEnumerable{``0})*/F(); }
    """,
    "candidates with broken constraints are dropped": """
        interface I { } class A : I { } static class X { public static int F<T>(this T t) where T : I => 1; }
        class C { int G(A a) => a./*M:X.F``1(``0)*/F(); }
    """,
    "extension blocks": """
        class A { } static class E { extension(A a) { public int P => 1; public int F(int n) => n; } }
        class C { int G(A a) => a./*P:E.P*/P + a./*M:E.F(System.Int32)*/F(1) + E./*M:E.F(A,System.Int32)*/F(a, 1); }
    """,
    "properties by level and receiver": """
        class P { } class Q : P { } class A { public int N; } class B { public int N; }
        namespace X { static class E { extension(string s) { public A L => null; } extension(P p) { public A H => null; } extension(Q q) { public B H => null; } }
        namespace Y { static class F { extension(string s) { public B L => null; } } class C { void G(P p, Q q) { ""./*P:X.Y.F.L*/L./*F:B.N*/N = 1; p.H./*F:A.N*/N = 1; q.H./*F:B.N*/N = 1; } } } }
    """,
    "what is called is no extension property of a type that cannot be called": """
        using System; using System.Collections.Generic; using System.Linq; static class E { extension<T>(IEnumerable<T> a) { public int Count => 1; public Func<int, int> Made => n => n; } }
        class C { int G(IEnumerable<int> s) => s./*M:System.Linq.Enumerable.Count``1(System.Collections.Generic.IEnumerable{``0})*/Count() + s./*P:E.Count*/Count + s./*P:E.Made*/Made(1); }
    """,
    "constraints of extension blocks hold for their operators": """
        interface I { } interface J { } class V<M> { } static class A { extension<M>(V<M> s) { public static int operator -(V<M> a, V<M> b) => 1; } }
        static class B { extension<M>(V<M> s) where M : J { public static string operator +(V<M> a, V<M> b) => null; } } static class D { extension<M>(V<M> s) where M : I { public static int operator +(V<M> a, V<M> b) => 1; } }
        class C<M> where M : I { int F(int n) => n; int F(string s) => 0; int G(V<M> a, V<M> b) => /*M:C`1.F(System.Int32)*/F(a + b); }
    """,
    "generic extension blocks": """
        using System.Collections.Generic;
        class A { public int N; } static class E { extension<T>(IEnumerable<T> s) { public T First1() => default; } }
        class C { int G(List<A> l) => l./*M:E.First1*/First1()./*F:A.N*/N; }
    """,
    "one that may apply does not hide one further out that does": """
        class A { } namespace X { static class F { public static int G(this A a, A b) => 1; public static int H(this object o) => 1; } }
        namespace Y { using X; namespace Z { static class E { public static int G(this A a, Unknown u) => 1; public static int H(this Unknown u) => 1; }
        class C { int M(A a) => a./*M:X.F.G(A,A)*/G(a) + a./*M:X.F.H(System.Object)*/H(); int N(A a, Other o) => a./*likely M:Y.Z.E.G(A,?.Unknown)*/G(o); } } }
    """,
    "one that may apply is the same where it is imported again": """
        using System.Collections.Generic;
        namespace X { using X; static class F { public static int G<T>(this List<T> t) where T : Unknown => 1; } class C { int M(List<Other> o) => o./*M:X.F.G``1(System.Collections.Generic.List{``0})*/G(); } }
    """,
    "a property of an unknown type is not called where an extension method of its name is": """
        class W { public Unknown P { get; } public Unknown Q { get; } } static class E { public static W P(this W w, int n) => w; public static W Q(this string s) => null; }
        class C { void G(W w) { w./*M:E.P(W,System.Int32)*/P(1)./*P:W.Q*/Q(); var p = w./*P:W.P*/P; } }
    """,
    "an opaque type may have a method of the name itself": """
        static class E { public static int F(this Unknown u) => 1; } class C { int G(Unknown u) => u./*likely M:E.F(?.Unknown)*/F(); }
    """,
    "properties that cannot be named are passed over": """
        static class E { extension(string s) { private A N => null; private static A M => null; } } class A { }
        static class F { extension(object o) { public B N => null; public static B M => null; } } class B { public int V; }
        class C { void G() { ""./*P:F.N*/N./*F:B.V*/V = 1; string./*P:F.M*/M./*F:B.V*/V = 1; } }
    """,
    "what a type has of its own for await counts where it can be named": """
        using System.Runtime.CompilerServices; class T { TaskAwaiter<int> GetAwaiter() => default; }
        static class E { public static TaskAwaiter<string> GetAwaiter(this T t) => default; }
        class C { async void G(T t) { (await t)./*P:System.String.Length*/Length.ToString(); } }
    """,
    "a call tells type parameters of a block that its receiver does not": """
        class O { } static class E { extension<T>(O) { public static bool Is() => true; public static U Of<U>(T t, U u) => u; } extension<T>(System.Collections.Generic.List<T>) { public static int Make<U>(U u) => 1; } }
        class C { int N; void G(C c) { O./*M:E.Is*/Is<int>(); O./*M:E.Of``1(`0,``0)*/Of(1, c)./*F:C.N*/N++; O./*M:E.Of``1(`0,``0)*/Of<int, C>(1, c)./*F:C.N*/N++; System.Collections.Generic.List<int>./*M:E.Make``1(``0)*/Make<string>("a"); } }
    """,
}


@pytest.mark.parametrize("source", RULES.values(), ids=RULES)
def test_extensions(check, source):
    check(source)


def test_a_method_of_a_generic_block_is_called_on_its_class_by_an_id_of_its_own(check):
    check("""
        using System.Collections.Generic;
        static class E { extension<T>(List<T> l) { public T F<U>(U u) => default; public static List<T> Of(T t) => null; public static List<T> operator +(List<T> a, T b) => a; } }
        class A { public int N; } class D : List<A> { }
        class C { void G(List<A> l) { E./*M:E.F``2(System.Collections.Generic.List{``0},``1)*/F(l, 1)./*F:A.N*/N++; List<A>./*M:E.Of(`0)*/Of(null); D./*M:E.Of(`0)*/Of(null); (l + l[0])[0]./*F:A.N*/N++; } }
    """)


def test_a_class_that_is_local_to_a_file_extends_nothing_elsewhere(check_beside):
    library = "file static class B { public static string F(this string s) => s; }"
    source = """
        file static class A { public static int F(this object o) => 1; }
        class C { int G() => ""./*M:A.F(System.Object)*/F(); }
    """
    check_beside(library, source, internals=True)


def test_static_members_of_blocks_are_of_the_first_level_where_one_applies(check):
    check("""
        using System; using Other; using A.B;
        namespace Other { static class O { extension(Math) { public static int W(int a) => 1; } } }
        namespace A {
            static class P { extension(Math) { public static int X(int a) => 1; public static int W(object a) => 1; public static int Y(string s) => 1; } }
            namespace B {
                static class Q { extension(Math) { public static int X(object a) => 1; public static int Y() => 1; } }
                class T { int F() => Math./*M:A.B.Q.X(System.Object)*/X(1) + Math./*M:A.P.W(System.Object)*/W(1) + Math./*M:A.P.Y(System.String)*/Y(""); }
            }
        }
    """)
