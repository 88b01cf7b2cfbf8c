import pytest

RULES = {
    "of a type parameter, an interface's own members hide what its class has from object": """
        class B { public override string ToString() => ""; public virtual void N() { } } class D : B { public override void N() { } } interface I { string ToString(); int GetHashCode(); void N(); System.Type GetType(); }
        class C<T> where T : D, I { void M(T t) { t./*M:I.ToString*/ToString(); t./*M:I.GetHashCode*/GetHashCode(); t./*M:D.N*/N(); t./*M:I.GetType*/GetType(); t./*M:System.Object.Equals(System.Object)*/Equals(t); } }
    """,
    "a base interface that is not known may declare what objects have": """
        interface I : Absent { int N(); } interface J { } class C { void M(I i, J j) { i./*likely M:System.Object.ToString*/ToString(); i./*M:I.N*/N(); j./*M:System.Object.ToString*/ToString(); } }
    """,
    "inaccessible members are passed over during the walk": """
        class A { public void F(object o) { } protected void F(long n) { } }
        class B : A { void G(B b, A a) { b./*M:A.F(System.Int64)*/F(3); a./*M:A.F(System.Object)*/F(3); } }
    """,
    "a record prints its members": """
        record A(int N) { } record B(int N) : A(N) { protected override bool PrintMembers(System.Text.StringBuilder b) =>
            base./*M:A.PrintMembers(System.Text.StringBuilder)*/PrintMembers(b); }
        record struct S(int N) { bool G(System.Text.StringBuilder b) => /*M:S.PrintMembers(System.Text.StringBuilder)*/PrintMembers(b); }
    """,
    "what an interface hides is hidden on every path": """
        interface A { int F() => 1; int P { get; } } interface B : A { new string F() => ""; new string P { get; } } interface D : A, B { } abstract class S : A { int A.F() => 1; public int P => 1; }
        class C { void G<T>(D d, T t) where T : S, B { d./*M:B.F*/F(); d./*P:B.P*/P.ToString(); t./*M:B.F*/F(); } }
    """,
    "inaccessible indexers are passed over": """
        class A { public string this[object o] => ""; private int this[int n] => n; protected A this[string s] => this; }
        class B : A { int F(A a, B b) => a[1]./*P:System.String.Length*/Length + base[""][1]./*P:System.String.Length*/Length
            + b[""][1]./*P:System.String.Length*/Length + a[""]./*P:System.String.Length*/Length; }
    """,
    "an override counts where it was first declared, and is what is reported": """
        class A { public virtual void F(object o) { } }
        class B : A { public override void F(object o) { } public void F(long n) { } }
        class C { void G(B b) { b./*M:B.F(System.Int64)*/F(3); b./*M:B.F(System.Object)*/F(""); } }
    """,
    "a member that is no method hides methods of bases": """
        class A { public int F() => 1; } class B : A { public new System.Func<string> F; }
        class C { int G(B b) => b./*F:B.F*/F()./*P:System.String.Length*/Length; }
    """,
    "in a call, members that cannot be invoked are passed over": """
        class A { public int F(int n) => 1; } class B : A { public new int F; }
        class C { int G(B b) => b./*M:A.F(System.Int32)*/F(1) + b./*F:B.F*/F; }
    """,
    "methods of all inherited interfaces are candidates together": """
        interface I { int F(object o); } interface J { int F(string s); } interface K : I, J { }
        class C { int G(K k) => k./*M:J.F(System.String)*/F("") + k./*M:I.F(System.Object)*/F(1); }
    """,
    "what an unknown type holds can be called": """
        class F { } class C { Unknown<int> F; int G() { /*F:C.F*/F(1); return this./*F:C.F*/F(2); } }
    """,
    "an array has no members of the interfaces that it implements explicitly": """
        static class X { public static bool Contains(this string[] s, string t, bool b = true) => b; }
        class C { bool G(string[] s) => s./*M:X.Contains(System.String[],System.String,System.Boolean)*/Contains(""); }
    """,
    "an override has the constraints of what it overrides": """
        interface I { int N { get; } } abstract class A { public abstract void F<T>(T t) where T : class, I; }
        class B : A { public override void F<U>(U u) { /*M:B.G``1(``0)*/G(u); var n = u./*P:I.N*/N; } void G<V>(V v) where V : class { } void G(object o) { } }
        class D : B { public override void F<W>(W w) { base./*M:B.F``1(``0)*/F(w); var n = w./*P:I.N*/N; } }
    """,
    "an explicit implementation has the constraints of what it implements": """
        interface J<S> { void F<T>(T t) where T : struct, System.IComparable<S>; }
        class B : J<int> { void J<int>.F<U>(U u) { /*M:B.G``1(``0)*/G(u); } void G<V>(V v) where V : struct, System.IComparable<int> { } void G(object o) { } }
    """,
    "words among constraints count": """
        class C { void F<T>(T t) where T : struct { } void F(object o) { } void G<T>(T t) where T : unmanaged => /*M:C.F``1(``0)*/F(t);
            void H<T>(T t) where T : notnull => /*M:C.F(System.Object)*/F(t); }
    """,
    "type parameters have the members of their constraints": """
        interface I { int P { get; } } class C<T> where T : I { int G(T t) => t./*P:I.P*/P; }
    """,
    "type arguments are put into what members return": """
        class A<T> { public T P; } class B { public int N; }
        class C { int G(A<A<B>> a) => a./*F:A`1.P*/P./*F:A`1.P*/P./*F:B.N*/N; }
    """,
    "locals come before members, members before types": """
        class N { public static int S; } class C { int N; void G(string N) { int l = N./*P:System.String.Length*/Length; }
        int H => /*F:C.N*/N; }
    """,
    "members of a type around are seen from nested types": """
        class A { static int f; class B { int g => /*F:A.f*/f; } }
    """,
    "a name that is a value and its own type means what its member needs": """
        class Color { public static Color Red; public int Depth; }
        class C { Color Color; int G() => /*P:C.X*/X + /*F:C.Color*/Color./*F:Color.Depth*/Depth; int X { get; }
        Color H() => /*T:Color*/Color./*F:Color.Red*/Red; }
    """,
    "imported static members are found after all types around": """
        using static System.Math; class C { double G(double d) => /*M:System.Math.Abs(System.Double)*/Abs(d); }
    """,
    "parameters of a primary constructor come before members in initialisers alone": """
        class A { public int L; } class B { public int M; }
        class C(A p) { B p2 = null; int f = p./*F:A.L*/L; int G() => p./*F:A.L*/L; }
    """,
    "the members of arrays are those of System.Array": """
        class C { int G(int[] a) => a./*P:System.Array.Length*/Length; }
    """,
    "elements of tuples are found by name and by number": """
        class A { public int N; } class C { int G((A a, int b) t) => t.a./*F:A.N*/N + t.Item1./*F:A.N*/N; }
    """,
    "a delegate is called by Invoke": """
        class A { public int N; } delegate A D(); class C { int G(D d) => d()./*F:A.N*/N + d./*M:D.Invoke*/Invoke()./*F:A.N*/N; }
    """,
    "positional parameters of records are properties": """
        record A(int N); record B(int N, int M) : A(N);
        class C { int G(B b) => b./*P:A.N*/N + b./*P:B.M*/M; }
    """,
    "how foreach finds an enumerator": "using System.Collections; using System.Collections.Generic; class R1 { public int X; } class R2 { public int Y; } class R3 { public int Z; } class E1 { public R1 Current => null; public bool MoveNext() => false; } class E3 { public R3 Current => null; public bool MoveNext() => false; } class Own : IEnumerable<R2> { internal E1 GetEnumerator() => null; IEnumerator<R2> IEnumerable<R2>.GetEnumerator() => null; IEnumerator IEnumerable.GetEnumerator() => null; } class Opt { public E1 GetEnumerator(int n = 0) => null; } struct V { public E1 GetEnumerator() => null; } static class X { public static E3 GetEnumerator(this Opt o) => null; public static E3 GetEnumerator(this V? v) => null; } class C { void G(Own a, Opt b, V? c) { foreach (var e in a) e./*F:R2.Y*/Y++; foreach (var e in b) e./*F:R3.Z*/Z++; foreach (var e in c) e./*F:R1.X*/X++; } }",
    "a deconstruction that cannot be named": "class A { public int N; } class D { void Deconstruct(out int a, out int b) { a = b = 1; } } static class X { public static void Deconstruct(this D d, out A a, out A b) { a = b = null; } } class C { void G(D d) { var (a, b) = d; b./*F:A.N*/N++; if (d is (var e, var f)) f./*F:A.N*/N++; } }",
    "a constant and a type of one name": "class Er { } class In { } class C { const int Er = 1; void T(object o) { _ = o is /*T:Er*/Er; _ = o is not /*F:C.Er*/Er; _ = o is int and /*F:C.Er*/Er; _ = o is (/*F:C.Er*/Er); _ = o is not /*T:In*/In; _ = o switch { /*F:C.Er*/Er => 1, /*T:In*/In => 2, _ => 3 }; } }",
    "constraints of a type do not see what lies in it": "class N { public int X; } class B { public class O { } } class O { public int Y; } class C<T> where T : N { class N { } T t; int M() => t./*F:N.X*/X; } class D<T> : B where T : O { int M(T t) => t./*F:O.Y*/Y; void F<U>(U u) where U : B.O { } }",
    "nested types of interfaces are not inherited by classes": "class I { public int X; } interface F { class I { } } class C : F { I f; int M() => f./*F:I.X*/X; } interface G : F { /*T:F.I*/I P { get; } }",
    "interfaces of a constraint that is a class": "class R { public int X; } class Q { public int Y; } interface I { R F(int n) => null; R P => null; } class A : I { } static class X { public static Q F(this A a, int n) => null; extension(A a) { public Q P => null; } } class C<T> where T : A { void M(T t) { t./*M:X.F(A,System.Int32)*/F(1)./*F:Q.Y*/Y++; t.P./*F:Q.Y*/Y++; } } class D<T> where T : A, I { void M(T t) { t./*M:I.F(System.Int32)*/F(1)./*F:R.X*/X++; t.P./*F:R.X*/X++; } }",
    "a using that begins at the outermost namespace": "namespace U { class T { public int X; } } namespace W.U { class T { } } namespace W.I { using global::U; class C { /*T:U.T*/T a; int M() => a./*F:U.T.X*/X; } } namespace W.J { using U; class C { /*T:W.U.T*/T a; } }",
    "a protected member is reached through a type parameter of the own class alone": """
        class A { protected void F(string s) { } public void F(object o) { } }
        class B : A { void G<T>(T t) where T : A { t./*M:A.F(System.Object)*/F(""); } void H<T>(T t) where T : B { t./*M:A.F(System.String)*/F(""); } }
    """,
    "there is no object for what a primary constructor gives to its base": """
        class A { public int F(int n) => 1; public static string F(long n) => ""; public A(int n) { } }
        class B(int n) : A(/*M:A.F(System.Int64)*/F(n)./*P:System.String.Length*/Length) { }
    """,
}


@pytest.mark.parametrize("source", RULES.values(), ids=RULES)
def test_members(check, source):
    check(source)


def test_a_method_before_an_unknown_base_is_exact_only_if_it_surely_applies(check):
    check("""
        class A : Unknown { public void F(int n) { } }
        class C { void G(A a, Other o) { a./*M:A.F(System.Int32)*/F(1); a./*likely M:A.F(System.Int32)*/F(o); a./*unknown*/H(); } }
    """)


def test_an_override_of_what_an_unknown_base_declares_leaves_its_overloads_open(check):
    check("""
        class V { public static implicit operator V(bool b) => null; } class D : V { }
        class C : Absent { public override bool Set(V v, V w) => true; protected override void Dispose(bool b) { }
            void G(V v, D d) {
                /*M:C.Set(V,V)*/Set(v, v); /*likely M:C.Set(V,V)*/Set(v, true); /*likely M:C.Set(V,V)*/Set(d, v);
                /*M:C.Dispose(System.Boolean)*/Dispose(true);
            }
        }
    """)


def test_an_unknown_constraint_may_go_before_interfaces_but_not_before_a_class(check):
    check("""
        interface I { int Own(); } class B { public int Of() => 1; }
        class C { void F<T>(T t) where T : Absent, I { t./*likely M:I.Own*/Own(); t./*likely M:System.Object.ToString*/ToString(); }
            void G<T>(T t) where T : B, IAbsent { t./*M:B.Of*/Of(); } void H<T>(T t) where T : I { t./*M:I.Own*/Own(); } }
    """)


def test_a_text_may_be_handled_by_an_unknown_type(check):
    check("""
        class C { static int F(string s) => 1; static int F(Absent h) => 2; static int G(string s) => 1; static int G(ref Absent h) => 2;
            void M(int n) { /*likely M:C.F(System.String)*/F($"a{n}"); /*likely M:C.G(System.String)*/G($"a{n}"); /*M:C.F(System.String)*/F("a"); } }
    """)


def test_a_type_may_be_a_property_of_an_unknown_base(check):
    check("static class User { public static int N; } class C : Unknown { int G() => /*likely T:User*/User.N; }")


def test_a_type_that_a_type_declares_hides_what_its_unknown_base_may(check):
    check("""
        class C : Unknown { public enum M { On } M F() => /*T:C.M*/M.On; M G() => /*likely T:C*/C./*T:C.M*/M.On; }
        class D { C.M F() => /*T:C*/C./*T:C.M*/M.On; }
    """)


def test_a_member_that_is_no_constant_is_no_type(check):
    check(
        "class C { Point Point { get; } bool F(object o) => o is /*unknown*/Point || o is /*F:C.N*/N; const int N = 1; }"
    )


def test_a_tuple_keeps_what_is_known_of_its_elements(check):
    check("""
        class A { public int N; }
        class C { int F(A a, Unknown u) { var (x, y) = (a, u.P); return x./*F:A.N*/N + (a, u.P()).Item1./*F:A.N*/N; } }
    """)


def test_no_known_type_converts_to_an_unknown_one_but_by_an_operator(check):
    check("""
        using System.Collections.Generic; using System.IO; class A { } class B : Unknown { } interface I { }
        class V { public static implicit operator Other(V v) => null; }
        class C { void F(Other o) { } void F(object o) { } void H<T>(T t) where T : Other { } void H(object o) { }
        void G(A a, B b, I i, V v, TextReader r) {
            /*M:C.F(System.Object)*/F(a); /*likely M:C.F(?.Other)*/F(b); /*M:C.F(System.Object)*/F(i);
            /*M:C.F(?.Other)*/F(v); /*likely M:C.F(?.Other)*/F(r); /*M:C.H(System.Object)*/H(a);
        } }
    """)


def test_nothing_is_known_of_a_value_of_unknown_type(check):
    check("class C { void G(Unknown u) { u./*unknown*/F(); var v = u.P; v./*unknown*/Q(); } }")


def test_a_record_has_an_equality_of_objects(check):
    check(
        "record R(int N); class C { bool G(R a, object o) => a./*M:R.Equals(System.Object)*/Equals(o) && a./*M:R.Equals(R)*/Equals(a); }"
    )


def test_an_attribute_names_the_indexer_it_stands_on_alone(bind):
    """As Roslyn has it; a name that is computed is none that is known."""
    _, bound = bind(
        "using System.Runtime.CompilerServices;\n"
        'class A { [IndexerName("Cell")] public virtual int this[int n] => n;'
        ' [IndexerName("Cell")] public int this[string n] => 1; }\n'
        "class B : A { public override int this[int n] => n; }\n"
        "class D { [IndexerName(nameof(A))] public int this[int n] => n; }\n"
        'class E { const string N = "X"; [IndexerName(N + "Y")] public int this[int n] => n; }\n'
        'class G { int M(A a, B b, D d, E e) => a[1] + a["a"] + b[1] + b["a"] + d[1] + e[1]; }'
    )
    used = [each.binding.symbol for each in bound.bindings if each.binding.role == "indexer"]
    assert used == [
        *("P:A.Cell(System.Int32)", "P:A.Cell(System.String)", "P:B.Item(System.Int32)"),
        *("P:A.Cell(System.String)", "P:D.A(System.Int32)"),
    ]


LIBRARY = """
    public class L {
        public L(object o) { } internal L(string s) { }
        public static int F(object o) => 1; internal static int F(string s) => 2;
        public int I(object o) => 1; internal int I(string s) => 2; internal int Only() => 1;
        public static int P(object o) => 1; private protected static int P(string s) => 2;
        public static int Q(object o) => 1; protected internal static int Q(string s) => 2;
        public int this[object o] => 1; internal int this[string s] => 2;
    }
    public static class X { public static int E(this object o) => 1; internal static int E(this string s) => 2; }
    internal static class Y { public static int K(this string s) => 1; }
    public static class Z { public static int K(this object o) => 1; }
"""
APP = """
    class D : L {{ D() : base("") {{ }} int M(L l) => /*M:L.{F}*/F("") + l./*M:L.{I}*/I("") + /*M:L.{P}*/P("") + /*M:L.Q(System.String)*/Q("")
        + ""./*M:X.{E}*/E() + ""./*M:{K}*/K() + l./*M:L.Only*/Only(); }}
    class O {{ int M() => L./*M:L.{Q}*/Q("") + L./*M:L.P(System.Object)*/P(""); }}
"""


@pytest.mark.parametrize("internals", [False, True])
def test_internals_of_another_project_count_where_it_shows_them(check_beside, internals):
    taken = "System.String" if internals else "System.Object"
    names = {name: f"{name}({taken})" for name in "FIPQE"}
    check_beside(LIBRARY, APP.format(**names, K=f"{'Y' if internals else 'Z'}.K({taken})"), internals=internals)
