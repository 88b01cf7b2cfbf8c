import pytest

HEAD = "using System; enum E { Red } class A { public int N; public A Next; public const int K = 1; public void Deconstruct(out A a, out int n) { a = this; n = 1; } } class L { public int Length => 1; public A this[int i] => null; public L Slice(int a, int b) => this; } class S { public int N; }"
RULES = {
    "a declaration": "bool G(object o) => o is A a && a./*F:A.N*/N > 1;",
    "a type with an operator behind": "bool G(object o, bool b) => o is /*T:A*/A && b;",
    "properties and paths": "bool G(object o) => o is A { /*F:A.N*/N: 1, /*F:A.Next*/Next./*F:A.N*/N: > 2, Next: var x } && x./*F:A.N*/N > 1;",
    "positions": "bool G(A o) => o is (var a, _) && a./*F:A.N*/N > 1;",
    "positions after a qualified type": "class P<T> { public record L(A V, P<T> Next); public record D(A V) : P<T>; } int G(object o) { switch (o) { case P<int>.L(_, null): return 1; case /*T:C.P`1*/P<int>./*T:C.P`1.L*/L(var a, var n) when n != null: return a./*F:A.N*/N; } return o switch { P<A>.D(var d) => d./*F:A.N*/N, P<A>.D { /*P:C.P`1.D.V*/V: null } => 1, /*T:C.P`1*/P<A>./*T:C.P`1.D*/D e => e.V./*F:A.N*/N, _ => 2 }; }",
    "declarations of generic types": "class P<T> { public T V; public class Q<U> { public U W; } } int G(object o) => o switch { P<A>.Q<A> q => q./*F:C.P`1.Q`1.W*/W./*F:A.N*/N, P<A> p => p./*F:C.P`1.V*/V./*F:A.N*/N, _ => 1 };",
    "slices without patterns": "int G(A[] o) => o is [.., { /*F:A.N*/N: 1 }] ? 1 : o switch { [..] => o[0]./*F:A.N*/N };",
    "elements of tuples by their names": "bool G((A First, int Second) o) => o is (/*F:System.ValueTuple{A,System.Int32}.First*/First: { /*F:A.N*/N: 1 }, /*F:System.ValueTuple{A,System.Int32}.Second*/Second: _);",
    "several variables": "bool G(A o) => o is var (a, n) && a./*F:A.N*/N > n;",
    "lists": "bool G(A[] o) => o is [var a, ..] && a./*F:A.N*/N > 1;",
    "relations before a question mark": "A F; A H(A a) => a; string H(bool b) => null; void G(int n, bool b, A a) { /*M:C.H(A)*/H(n is > 1 ? F : a)./*F:A.N*/N = 1; /*M:C.H(A)*/H(n is > 1 and < 3 && b ? F : a)./*F:A.N*/N = 1; /*M:C.H(System.Boolean)*/H(n is not > 1 || b); }",
    "positions of a type with discards and names": "const int K = 1; int G(object o) { switch (o) { case A(_, /*F:C.K*/K): return 1; case A(_, E.Red): return 2; } return o is A(var a, _) ? a./*F:A.N*/N : o is not A(_, /*F:C.K*/K) ? 1 : o switch { A(_, /*F:C.K*/K) => 1, A(_, E./*F:E.Red*/Red) => 2, _ => 3 }; }",
    "positions of constants within conditions": "bool G((E A, int B) t, bool b) => b || t is (E./*F:E.Red*/Red, A./*F:A.K*/K) || b; bool H(int n) => n is (A.K) or (3);",
    "lists within slices": "bool G(A[] o) => o is [_, .. [var a, { /*F:A.N*/N: 1 }]] && a./*F:A.N*/N > 1;",
    "lists within positions": "record R(A[] V, int N); int G(object o) { switch (o) { case R([var a], _): return a./*F:A.N*/N; } return o is R([.., var b], _) ? b./*F:A.N*/N : 1; }",
    "what may be null stays so without a test": "void H(int n) { } void H(int? n) { } void G(int? n) { if (n is var a) /*M:C.H(System.Nullable{System.Int32})*/H(a); if (n is not null and var b) /*M:C.H(System.Nullable{System.Int32})*/H(b); if (n is { } c) /*M:C.H(System.Int32)*/H(c); if (n is int d) /*M:C.H(System.Int32)*/H(d); }",
    "what constants and alternatives tell": 'class P { } class Q : P { } void H(object o) { } void H(string s) { } void H(P p) { } void H(Q q) { } void G(object o, P p) { if (o is "" and var a) /*M:C.H(System.String)*/H(a); if (o is (Q or P) and var b) /*M:C.H(C.P)*/H(b); if (p is not Q and var c) /*M:C.H(C.P)*/H(c); if (o is P and not Q and { } d) /*M:C.H(C.P)*/H(d); }',
    "lists with a condition": "int G(A[] o) { switch (o) { case [var a] when a./*F:A.N*/N > 1: return 1; case [.. var r, { /*F:A.N*/N: 1 } b] when r[0]./*F:A.N*/N > b./*F:A.N*/N: return 2; } return o switch { [.., var a, _] when a./*F:A.N*/N > 1 => a./*F:A.N*/N, { Length: 1 } and [var c] when c./*F:A.N*/N > 1 => 2, _ => 3 }; }",
    "slices of arrays": "bool G(A[] o) => o is [_, .. var r] && r[0]./*F:A.N*/N > 1;",
    "slices by an own method": "bool G(L o) => o is [var a, .. { /*P:L.Length*/Length: 1 } r, { /*F:A.N*/N: 1 }] && a./*F:A.N*/N > r./*P:L.Length*/Length;",
    "what is spread is no slice": "A[] G(A[] o) => [.. o, o[0]./*F:A.Next*/Next];",
    "switch expressions": "int G(object o) => o switch { A { Next: { } n } => n./*F:A.N*/N, string s => s./*P:System.String.Length*/Length, /*T:A*/A./*F:A.K*/K => 1, _ => 0 };",
    "combinations": "bool G(object o) => o is A { /*F:A.N*/N: 1 or 2 } and not null;",
    "in a case label a constant is preferred": "E Red; const int N = 1; int G(int o) { switch (o) { case /*F:C.N*/N: return 1; } return 0; } class N { }",
    "after is a constant of another type": "bool G(E e) => e is /*T:E*/E./*F:E.Red*/Red;",
    "the value that the pattern behind an operator takes": "bool G(object o, E e, S s) => o is not null && s is { /*F:S.N*/N: 1 } or { /*F:S.N*/N: 2 } && e is not /*T:E*/E./*F:E.Red*/Red and not E./*F:E.Red*/Red;",
    "variables that are called like operators": "bool G(object o) => o is A and && and./*F:A.N*/N > 1 || o is A { Next: A or } && (or./*F:A.N*/N > 1);",
    "names of names": "string N; int G(string s, A a) { switch (s) { case nameof(/*F:C.N*/N): case nameof(/*T:A*/A./*F:A.Next*/Next): return 1; } return s switch { nameof(/*M:C.G(System.String,A)*/G) => 2, nameof(/*T:A*/A) => 3, _ => 4 }; }",
    "after is a type is preferred": "bool G(object o) => o is /*T:A*/A;",
}


@pytest.mark.parametrize("source", RULES.values(), ids=RULES)
def test_patterns(check, source):
    check(
        f"{HEAD} class C {{ {source} }}"
        if "class N" not in source
        else f"{HEAD} class D {{ {source.replace('F:C.N', 'F:D.N').replace(' class N { }', '')} }} class N {{ }}"
    )


def test_patterns_within_a_tuple_have_type_arguments(check):
    check("""
        record K<A, B>(A V); class C<T> { int G(object x, object y) => (x, y) switch {
            (/*T:K`2*/K<T, int> (var f), /*T:K`2*/K<T, int> a) => a./*P:K`2.V*/V == null ? 1 : 2,
            _ => 0
        }; }
    """)


def test_the_number_of_type_arguments_counts(check):
    check("class P { } class P<T> { } class C { bool G(object o) => o is not /*T:P`1*/P<int> && o is /*T:P*/P; }")


def test_a_constant_that_is_cast_is_no_variable(check):
    check(
        """
        namespace N { enum Q { A } }
        class C {
            const int K = 0; static int U(int i) => i; static int U(object i) => 1;
            int F(N.Q e) { switch (e) { case (N./*T:N.Q*/Q)/*F:C.K*/K: return /*M:C.U(System.Int32)*/U(/*F:C.K*/K); default: return 0; } }
            int G(object e) => e switch { (/*T:N.Q*/N.Q)K or (N.Q)/*F:C.K*/K => /*M:C.U(System.Int32)*/U(K), _ => 0 };
        }
    """.replace("/*T:N.Q*/N.Q)K", "N./*T:N.Q*/Q)K")
    )


def test_a_part_of_a_pattern_that_is_negated_declares_nothing(check):
    check("""
        class P { public static int S; }
        class C { int F((object, object) t) => t switch { (/*T:P*/P, not /*T:P*/P) => P./*F:P.S*/S, (P, not null) => /*T:P*/P.S, _ => 0 }; }
    """)


def test_variables_may_be_called_as_what_combines_patterns(check):
    check("""
        class O { public int L => 1; } class A { public int L => 2; }
        class C {
            string with;
            int E(object o) => o switch { O or => or./*P:O.L*/L, A and => and./*P:A.L*/L, _ => 0 };
            int F(object o) { switch (o) { case O or: return or./*P:O.L*/L; default: return 0; } }
            bool G(object o) => o is O or ? or./*P:O.L*/L > 0 : o is O or /*T:A*/A;
            bool H(object o) => o is A { L: var and } && and./*M:System.Int32.GetHashCode*/GetHashCode() > 1 || o is A with && with./*P:A.L*/L > 1;
        }
    """)


def test_a_test_behind_a_chain_is_one_of_the_last_operand(check):
    check("""
        class T { public T S => null; public string F() => ""; public string this[int i] => "";
            static int R(string s) => 2; static int R(bool s) => 3;
            void M(T b, object o, bool q) {
                _ = o is T && b.S?.F() is { } n && /*M:T.R(System.String)*/R(n) > 0;
                _ = q || o is null || b.S?.S?.F() is var m && /*M:T.R(System.String)*/R(m) > 0 && q;
                _ = o is true && b?.S?[1] is { /*P:System.String.Length*/Length: > 3 } k && /*M:T.R(System.String)*/R(k) > 0;
                _ = o is T { S: { } } x && x./*P:T.S*/S?.F() is not null;
            }
        }
    """)
