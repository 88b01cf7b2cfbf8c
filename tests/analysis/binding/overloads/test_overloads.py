import pytest

RULES = {
    "the better conversion of an argument": """
        class C { void F(object o) { } void F(string s) { } void F(long n) { } void F(double d) { }
        void G() { /*M:C.F(System.String)*/F(""); /*M:C.F(System.Int64)*/F(1); /*M:C.F(System.Object)*/F('a' == 'b'); } }
    """,
    "functions as what they are of themselves come last": "using System; class C { static int A<T>(T t, int i) => 0; static int A(Action a, object o) => 0; static int B(Delegate a, int i) => 0; static int B(Action a, object o) => 0; static int D<T>(T t) => 0; static int D(Delegate a) => 0; static int E<T>(T[] t, int i) => 0; static int E(Action[] a, object o) => 0; static int U<T>(T a, T b, int c) => 0; static int U(Action a, Action b, object c) => 0; static int O<T>(T a) => 0; static int O(Action a) => 0; static int P(Func<int> f) => 0; static int P(Delegate d) => 0; static void V() { } void G(Action a) { /*M:C.A(System.Action,System.Object)*/A(() => { }, 1); /*M:C.A(System.Action,System.Object)*/A(V, 1); /*M:C.B(System.Action,System.Object)*/B(() => { }, 1); /*M:C.D``1(``0)*/D(() => { }); /*M:C.E(System.Action[],System.Object)*/E([() => { }], 1); /*M:C.E``1(``0[],System.Int32)*/E(new[] { () => { } }, 1); /*M:C.U``1(``0,``0,System.Int32)*/U(a, () => { }, 1); /*M:C.U(System.Action,System.Action,System.Object)*/U(() => { }, () => { }, 1); /*M:C.O(System.Action)*/O(Console.WriteLine); /*M:C.P(System.Delegate)*/P(object () => 1); } }",
    "tasks of asynchronous lambdas": "using System; using System.Threading.Tasks; class C { static int A(Func<ValueTask<int>> f) => 0; static int A<T>(params Func<T>[] f) => 0; static int B(Func<ValueTask> f) => 0; static int B<T>(Func<T> f) => 0; static int D(Func<ValueTask<int>> f) => 0; static int D(Func<Task<long>> f) => 0; static int E(Func<ValueTask<int>> f) => 0; static int E<T>(Func<Task<T>> f) => 0; static int N(Action a) => 0; static int N(Func<object> f) => 0; void G() { /*M:C.A(System.Func{System.Threading.Tasks.ValueTask{System.Int32}})*/A(async () => 1); /*M:C.B(System.Func{System.Threading.Tasks.ValueTask})*/B(async () => { }); /*M:C.D(System.Func{System.Threading.Tasks.ValueTask{System.Int32}})*/D(async () => 1); /*M:C.D(System.Func{System.Threading.Tasks.Task{System.Int64}})*/D(async () => 1L); /*M:C.E(System.Func{System.Threading.Tasks.ValueTask{System.Int32}})*/E(async () => 1); /*M:C.N(System.Func{System.Object})*/N(null); } }",
    "spans that are read alone, and params of less": "using System; using System.Collections.Generic; class C { static int S(Span<int> s) => 0; static int S(ReadOnlySpan<int> s) => 0; static int E<T>(params IEnumerable<T> s) => 0; static int E<T>(params T[] s) => 0; unsafe static int P<T>(IEnumerable<T> s) => 0; unsafe static int P(int* p) => 0; unsafe void G(int* p, Span<int> s) { /*M:C.S(System.ReadOnlySpan{System.Int32})*/S(null); /*M:C.S(System.Span{System.Int32})*/S(s); /*M:C.E``1(``0[])*/E(1, 2); /*M:C.P(System.Int32*)*/P(p); } }",
    "constants convert to smaller types": """
        class C { void F(byte b) { } void F(string s) { } void G() => /*M:C.F(System.Byte)*/F(1); }
    """,
    "the size of a type of the language is a constant": """
        class C { void F(byte b) { } void F(string s) { } void G() => /*M:C.F(System.Byte)*/F(sizeof(long)); }
    """,
    "the largest number is a constant": """
        class C { uint F(uint a, uint b) => a; long F(long a, long b) => a; void G(uint u) { /*M:C.F(System.UInt32,System.UInt32)*/F(u, int.MaxValue); /*M:C.F(System.Int64,System.Int64)*/F(u, long.MaxValue); } }
    """,
    "null converts by what an operator takes": """
        using System; struct S { public static implicit operator S(string s) => default; } struct U { public static implicit operator U(int n) => default; }
        class C { void F(S s) { } void F(int n) { } void H(ReadOnlySpan<int> s) { } void H(U u) { } void G() { /*M:C.F(S)*/F(null); /*M:C.H(System.ReadOnlySpan{System.Int32})*/H(null); } }
    """,
    "an attribute makes a parameter optional": """
        using System.Runtime.InteropServices;
        class C { void F(object o) { } void F(string s, [Optional, DefaultParameterValue(1)] int n) { } void G() => /*M:C.F(System.String,System.Int32)*/F(""); }
    """,
    "zero converts to an enum": """
        enum E { A } class C { void F(E e) { } void F(string s) { } void G() => /*M:C.F(E)*/F(0); }
    """,
    "optional parameters without an argument lose": """
        class C { void F(int n, string s = "") { } void F(int n) { } void G() => /*M:C.F(System.Int32)*/F(1); }
    """,
    "the normal form beats the expanded one even with optional parameters": """
        class C { void F(int n, int m = 1) { } void F(int n, params int[] o) { } void G() => /*M:C.F(System.Int32,System.Int32)*/F(1); }
    """,
    "of two expanded forms that with arguments for all parameters": """
        class P { } class C { void F(params P[] ps) { } void F(P p, string s = "", params object[] o) { }
        void G(P p) => /*M:C.F(P[])*/F(p); }
    """,
    "caller information is optional": """
        using System.Runtime.CompilerServices;
        class C { void F(string s, [CallerMemberName] string m = "") { } void F(string s, params object[] o) { }
        void G() => /*M:C.F(System.String,System.String)*/F(""); }
    """,
    "the normal form beats the expanded one": """
        class C { void F(string[] s) { } void F(params object[] o) { } void G(string[] s) => /*M:C.F(System.String[])*/F(s); }
    """,
    "spans are the better params": """
        using System; class C { void F(params int[] n) { } void F(params ReadOnlySpan<int> n) { }
        void G() => /*M:C.F(System.ReadOnlySpan{System.Int32})*/F(1, 2); }
    """,
    "what is not generic beats what is": """
        class C { void F<T>(T t) { } void F(string s) { } void G() { /*M:C.F(System.String)*/F(""); /*M:C.F``1(``0)*/F(1); } }
    """,
    "the more specific parameter": """
        using System.Collections.Generic;
        class C { void F<T>(T t) { } void F<T>(List<T> l) { } void G(List<int> l) => /*M:C.F``1(System.Collections.Generic.List{``0})*/F(l); }
    """,
    "less derived members are dropped": """
        class A { public void F(int n) { } } class B : A { public void F(object o) { } }
        class C { void G(B b) => b./*M:B.F(System.Object)*/F(1); }
    """,
    "a priority counts before conversions": """
        using System.Runtime.CompilerServices;
        class C { [OverloadResolutionPriority(1)] void F(object o) { } void F(string s) { } void G() => /*M:C.F(System.Object)*/F(""); }
    """,
    "a priority of what is overridden, and of indexers": """
        using System.Runtime.CompilerServices; class A { [OverloadResolutionPriority(1)] public virtual int F(object o) => 1; public virtual string F(string s) => s; [OverloadResolutionPriority(1)] public int this[object o] => 1; public string this[string s] => s; }
        class B : A { public override int F(object o) => 1; public override string F(string s) => s; } class C { void G(B b) { b./*M:B.F(System.Object)*/F(""); b[""]./*M:System.Int32.CompareTo(System.Int32)*/CompareTo(1); } }
    """,
    "what type arguments make alike": """
        class A<T> { public void F(T t) { } public void F(int n) { } } class B : A<int> { void G() { /*M:A`1.F(System.Int32)*/F(1); this./*M:A`1.F(System.Int32)*/F(1); } }
    """,
    "a lambda whose operations are defined": """
        using System; using System.Collections.Generic;
        static class X { public static int D<T>(this T t, Func<T, bool> f) => 1; public static int D<T>(this IEnumerable<T> t, Func<T, bool> f) => 1; }
        class C { enum E { A } void F(Func<string, bool> f) { } void F(Func<int, bool> f) { } void H(Func<string, bool> f) { } void H(Func<E, bool> f) { }
        void G(List<int> l) { l./*M:X.D``1(System.Collections.Generic.IEnumerable{``0},System.Func{``0,System.Boolean})*/D(x => x > 1 && x is not 3); /*M:C.F(System.Func{System.String,System.Boolean})*/F(x => x == "");
        /*M:C.H(System.Func{C.E,System.Boolean})*/H(x => x == E.A); /*M:C.F(System.Func{System.Int32,System.Boolean})*/F(x => { int n = -x; return x is 1; }); /*M:C.F(System.Func{System.String,System.Boolean})*/F(x => { foreach (var c in x) { } return true; }); } }
    """,
    "a lambda that creates what can be created": """
        using System; class A { } class B { public int N; } class C { void F(Func<object> f) { } void F(Func<string> f) { } void H(Func<A> f) { } void H(Func<B> f) { }
        void G() { /*M:C.F(System.Func{System.Object})*/F(() => new()); /*M:C.H(System.Func{B})*/H(() => new() { /*F:B.N*/N = 1 }); } }
    """,
    "a constructor without parameters": """
        abstract class A { } class B { public B(int n) { } } class D { } class C { void F<T>(T t) where T : new() { } void F(object o, params int[] n) { }
        void G<T, U>(T t, U u) where U : new() { /*M:C.F(System.Object,System.Int32[])*/F(""); /*M:C.F(System.Object,System.Int32[])*/F((A)null); /*M:C.F(System.Object,System.Int32[])*/F(new B(1)); /*M:C.F``1(``0)*/F(new D());
        /*M:C.F``1(``0)*/F(1); /*M:C.F(System.Object,System.Int32[])*/F(t); /*M:C.F``1(``0)*/F(u); /*M:C.F(System.Object,System.Int32[])*/F(new { N = 1 }); } }
    """,
    "arrays convert to spans of their own elements": """
        using System; using System.Collections.Generic; class C { void F(Span<object> s) { } void F(IEnumerable<string> s) { } void H(ReadOnlySpan<object> s) { } void H(object o) { }
        void G(string[] s) { /*M:C.F(System.Collections.Generic.IEnumerable{System.String})*/F(s); /*M:C.H(System.ReadOnlySpan{System.Object})*/H(s); } }
    """,
    "the better collection for the rest of the arguments": """
        using System.Collections.Generic; class C { void F(params IEnumerable<string> s) { } void F(params string[] s) { } void G() { /*M:C.F(System.String[])*/F("", ""); /*M:C.F(System.String[])*/F(); } }
    """,
    "pointers of another type": """
        unsafe struct S { } class A { public int N; } class B { public int N; }
        unsafe class C { A F(int* p) => null; B F(void* p) => null; void G(S* s, int* i) { F(s)./*F:B.N*/N = 1; F(i)./*F:A.N*/N = 1; } }
    """,
    "interpolated constants": """
        using System.Runtime.CompilerServices; [InterpolatedStringHandler] struct H { public H(int a, int b) { } public void AppendFormatted(object o, int n = 0) { } public void AppendLiteral(string s) { } }
        class C { void F(H h) { } void F(string s) { } void G() { /*M:C.F(System.String)*/F($"{(string)"a"}"); /*M:C.F(H)*/F($"a{"b",3}"); } }
    """,
    "dynamic stands for object among type arguments": """
        using System.Collections.Generic; class C { void F(List<dynamic> l) { } void F(object o) { } void G(List<object> l) => /*M:C.F(System.Collections.Generic.List{System.Object})*/F(l); }
    """,
    "operators and indexers of dynamic values are dynamic": """
        class A { public int N; } class C { A F(object o) => null; void G(dynamic d) { F(d + 1)./*unknown*/N = 1; F(!d)./*unknown*/N = 1; F("" + d)./*unknown*/N = 1; } }
    """,
    "conversions to nullable types": """
        struct S { public static implicit operator S?(double d) => null; } class C { void F(S? s) { } void F(object o) { } void G() => /*M:C.F(System.Nullable{S})*/F(1.5); }
    """,
    "the rest of the arguments by what is overridden": """
        class A { public virtual void F(params int[] n) { } } class B : A { public override void F(int[] n) { } } class C { void G(B b) => b./*M:B.F(System.Int32[])*/F(1, 2); }
    """,
    "operations on one nullable operand": """
        struct S { public static bool operator !(S s) => true; } class C { void F(bool b) { } void F(bool? b) { } void F(int n) { } void F(int? n) { }
        void G(bool? b, short? n, S? s) { /*M:C.F(System.Nullable{System.Boolean})*/F(!b); /*M:C.F(System.Nullable{System.Int32})*/F(-n); /*M:C.F(System.Nullable{System.Boolean})*/F(!s); } }
    """,
    "differences of enums": """
        enum E : byte { A } class C { void F(int n) { } void F(byte n) { } void F(E e) { } void G(E e) { /*M:C.F(System.Byte)*/F(e - E.A); /*M:C.F(E)*/F(e - 1); } }
    """,
    "methods where there is no object": """
        class C { static void F(object o) { } void F(string s) { } static void G() => /*M:C.F(System.Object)*/F(""); void H() { /*M:C.F(System.String)*/F(""); static void L() => /*M:C.F(System.Object)*/F(""); }
        static int I(object o) => 1; string I(string s) => s; int N = /*M:C.I(System.Object)*/I(""); C(int n) { } C() : this(/*M:C.I(System.Object)*/I("")) { } class D { void G() => /*M:C.F(System.Object)*/F(""); } }
    """,
    "methods of a group by what they return": """
        using System; class A { } class B : A { } class C { static int F(object o) => 1; static string F(A a) => ""; static void H(B b) { } static int H(A a) => 1; int I() => 1; void P(Action<B> a) { } void P(Func<B, int> f) { } void Q(Action a) { } void Q(Delegate d) { } void Q(int n) { }
        void G() { Func<B, int> f = /*M:C.F(System.Object)*/F; Func<B, string> g = /*M:C.F(A)*/F; /*M:C.P(System.Func{B,System.Int32})*/P(/*M:C.H(A)*/H); /*M:C.Q(System.Delegate)*/Q(/*M:C.I*/I); } }
    """,
    "a constraint of values alone": """
        class C { void F<T>(T t) where T : unmanaged { } void F(object o) { } void G() { /*M:C.F(System.Object)*/F((1, "")); /*M:C.F``1(``0)*/F((1, 2)); } }
    """,
    "a constraint by another type parameter": """
        class C { void F<T, U>(T t, U u) where T : U { } void F(object a, object b) { } void G() { /*M:C.F(System.Object,System.Object)*/F(1, 1L); /*M:C.F``2(``0,``1)*/F(1, (object)1); } }
    """,
    "boxed values": """
        using System; class C { void F(IComparable c) { } void F(object o) { } void H(Enum e) { } void H(object o) { } void I(ValueType v) { } void I(object o) { }
        void G(int? n, DayOfWeek? d, string s) { /*M:C.F(System.IComparable)*/F(n); /*M:C.H(System.Enum)*/H(d); /*M:C.I(System.ValueType)*/I(n); /*M:C.I(System.Object)*/I(s); } }
    """,
    "a record compares with its own kind": """
        using System; record R(int N); record struct S(int N); class C { void F(IEquatable<R> e) { } void F(IEquatable<S> e) { } void F(object o) { }
        void G(R r, S s) { /*M:C.F(System.IEquatable{R})*/F(r); /*M:C.F(System.IEquatable{S})*/F(s); } }
    """,
    "arms that are constants": """
        class C { void F(byte b) { } void F(long n) { } void G(int n) { /*M:C.F(System.Byte)*/F(n switch { 1 => 1, _ => 2 }); /*M:C.F(System.Int64)*/F(n > 1 ? 1 : 2); } }
    """,
    "a lambda that calls what it is given": """
        using System; using System.Threading.Tasks; delegate Task D(int n); class C { void F(Func<int, Func<Task>, Task> f) { } void F(Func<int, D, Task> f) { }
        void G() { /*M:C.F(System.Func{System.Int32,System.Func{System.Threading.Tasks.Task},System.Threading.Tasks.Task})*/F(async (c, next) => { await next(); }); /*M:C.F(System.Func{System.Int32,D,System.Threading.Tasks.Task})*/F((c, next) => next(c)); } }
    """,
    "what stands in for null": """
        class C { void F(int n) { } void F(long n) { } void G(int? n, long l) { /*M:C.F(System.Int64)*/F(n ?? l); /*M:C.F(System.Int32)*/F(n ?? 1); } }
    """,
    "named arguments": """
        class C { void F(int a, string b) { } void F(string b, int c) { } void G() => /*M:C.F(System.Int32,System.String)*/F(b: "", a: 1); }
    """,
    "ref and out": """
        class C { void F(ref int n) { } void F(int n) { } void H(out string s) { s = ""; }
        void G(int n) { /*M:C.F(System.Int32@)*/F(ref n); /*M:C.F(System.Int32)*/F(n); H(out var s); s./*M:System.String.Trim*/Trim(); } }
    """,
    "interpolated string handlers come before strings": """
        using System.Runtime.CompilerServices;
        [InterpolatedStringHandler] struct H { public H(int a, int b) { } public void AppendFormatted<T>(T t) { } }
        class C { void F(H h) { } void F(string s) { } void G(int n) { /*M:C.F(H)*/F($"{n}"); /*M:C.F(System.String)*/F($"a"); } }
    """,
    "what is joined of interpolated strings alone goes to handlers": """
        using System.Runtime.CompilerServices;
        [InterpolatedStringHandler] struct H { public H(int a, int b) { } public void AppendFormatted<T>(T t) { } public void AppendLiteral(string s) { } }
        class C { void F(H h) { } void F(string s) { } void G(int n) { const string k = "k";
        /*M:C.F(H)*/F($"{n}" + $"{n}"); /*M:C.F(System.String)*/F("a" + $"{n}"); /*M:C.F(System.String)*/F($"{k}"); } }
    """,
    "constants are computed": """
        enum E { A } class K { public const int H = 0x10, J = 1 << 3, N = (H); }
        class C { void F(byte b) { } void F(object o) { } void U(uint u) { } void U(object o) { } void M(E e) { } void M(object o) { }
        void G(uint u, bool b) { const int five = 5;
        /*M:C.F(System.Byte)*/F(1 + 2); /*M:C.F(System.Object)*/F(255 + 1); /*M:C.F(System.Byte)*/F(~-2); /*M:C.F(System.Object)*/F(-1); /*M:C.F(System.Byte)*/F(7 % 4 | 1 << 3);
        /*M:C.F(System.Byte)*/F(K.H | K.J); /*likely M:C.F(System.Byte)*/F(K.N); /*M:C.F(System.Byte)*/F('a' + 1); /*M:C.F(System.Byte)*/F((int)3L); /*M:C.F(System.Object)*/F((short)3);
        /*M:C.F(System.Byte)*/F(true ? 1 : 2); /*M:C.F(System.Object)*/F(b ? 1 : 2); /*M:C.F(System.Byte)*/F(new int()); /*M:C.F(System.Byte)*/F(default(int));
        /*M:C.M(E)*/M(five - 5); /*M:C.M(System.Object)*/M(five); var w = u + 2 * five; /*M:C.U(System.UInt32)*/U(w); var l = u - -1; /*M:C.U(System.Object)*/U(l); } }
    """,
    "the language's conversions to spans are better than others": """
        using System; using System.Collections.Generic; struct R { public static implicit operator R(byte[] b) => default; public static implicit operator byte[](R r) => null; }
        class C { void A(IEnumerable<byte> v) { } void A(ReadOnlySpan<byte> v) { } void B(in R v) { } void B(Span<byte> v) { } void D(object[] v) { } void D(ReadOnlySpan<object> v) { } void E(object v) { } void E(ReadOnlySpan<char> v) { }
        void G(byte[] h, string[] s, string c) { /*M:C.A(System.ReadOnlySpan{System.Byte})*/A(h); /*M:C.B(System.Span{System.Byte})*/B(h); /*M:C.D(System.ReadOnlySpan{System.Object})*/D(s); /*M:C.E(System.ReadOnlySpan{System.Char})*/E(c); } }
    """,
    "a string is a receiver of extensions for spans": """
        using System; static class X { public static void F(this object o) { } public static void F(this ReadOnlySpan<char> s) { } public static void H<T>(this System.Collections.Generic.IEnumerable<T> s) { } public static void H<T>(this ReadOnlySpan<T> s) { } }
        class C { void G(string c) { c./*M:X.F(System.ReadOnlySpan{System.Char})*/F(); c./*M:X.H``1(System.Collections.Generic.IEnumerable{``0})*/H(); } }
    """,
    "what is taken by value is better than by reference": """
        struct S { public static implicit operator S(string s) => default; } struct T { public static implicit operator T(string s) => default; }
        class C { void F(in S s) { } void F(T t) { } void G() => /*M:C.F(T)*/F(""); }
    """,
    "branches that convert to each other have no type of their own": """
        struct S { public static implicit operator S(string s) => default; public static implicit operator string(S s) => ""; }
        class C { void F(in S s) { } void F(string t) { } void G(bool b, S s, string t) => /*M:C.F(System.String)*/F(b ? s : t); }
    """,
    "the least number is an int": """
        class C { void F(int n) { } void F(long n) { } void G() { /*M:C.F(System.Int32)*/F(-2147483648); /*M:C.F(System.Int64)*/F(2147483648); } }
    """,
    "an operator of a value takes a nullable one": """
        struct S { public static implicit operator string(S s) => ""; } class C { void F(string s) { } void F(uint n) { } void G(S? s) => /*M:C.F(System.String)*/F(s); }
    """,
    "constants that have names": """
        class C { const int K = 3, M = 300, N = K + 1; void F(byte b) { } void F(object o) { }
        void G() { const int l = 5; /*M:C.F(System.Byte)*/F(K); /*M:C.F(System.Object)*/F(M); /*M:C.F(System.Byte)*/F(l); /*likely M:C.F(System.Byte)*/F(N); } }
    """,
    "a name that is a value and its type means what the method that is called tells": """
        class T { public static void F(T t) { } public void F(int n) { } }
        class C { T T; void G() { /*T:T*/T./*M:T.F(T)*/F(null); /*F:C.T*/T./*M:T.F(System.Int32)*/F(1); } }
    """,
    "null goes to the more derived type": """
        class C { void F(object o) { } void F(string s) { } void G() => /*M:C.F(System.String)*/F(null); }
    """,
    "collection expressions prefer spans": """
        using System; using System.Collections.Generic;
        class C { void F(ReadOnlySpan<int> s) { } void F(IEnumerable<int> s) { } void G() => /*M:C.F(System.ReadOnlySpan{System.Int32})*/F([1, 2]); }
    """,
    "a lambda that is left without a value returns nothing": """
        using System; class C { void F(Action<int> a, object o = null) { } void F(Func<int, bool> f) { }
        void G(bool b) { /*M:C.F(System.Action{System.Int32},System.Object)*/F(_ => { if (b) { return; } throw new Exception(); }); /*M:C.F(System.Action{System.Int32},System.Object)*/F(_ => { return; long L() { return 1; } }); /*M:C.F(System.Func{System.Int32,System.Boolean})*/F(x => { throw new Exception(); }); } }
    """,
    "a lambda goes to the delegate with as many parameters": """
        using System; class C { void F(Action a) { } void F(Action<int> a) { }
        void G() { /*M:C.F(System.Action)*/F(() => { }); /*M:C.F(System.Action{System.Int32})*/F(x => { }); } }
    """,
    "a lambda that returns goes to the function": """
        using System; class C { void F(Action a) { } void F(Func<int> f) { } int H() => 1;
        void G() { /*M:C.F(System.Func{System.Int32})*/F(() => H()); /*M:C.F(System.Action)*/F(() => { H(); }); } }
    """,
    "an error in a lambda's body removes the candidate": """
        using System; class A { public int X; } class B { public int Y; }
        class C { void F(Action<A> a) { } void F(Action<B> b) { } void G() => /*M:C.F(System.Action{B})*/F(x => Console.WriteLine(x./*F:B.Y*/Y)); }
    """,
    "an asynchronous lambda goes to the function that returns a task": """
        using System; using System.Threading.Tasks; class C { void F(Action a) { } void F(Func<Task> f) { }
        void G() => /*M:C.F(System.Func{System.Threading.Tasks.Task})*/F(async () => await Task.Delay(1)); }
    """,
    "a method group goes to what its methods fit": """
        using System; class C { void F(Func<int, int> f) { } void F(Func<string, string> f) { } static string H(string s) => s;
        void G() => /*M:C.F(System.Func{System.String,System.String})*/F(/*M:C.H(System.String)*/H); }
    """,
    "if only one candidate is left, an unknown argument does not matter": """
        class C { void F(int n) { } void F(int n, int m) { } void G(Unknown u) => /*M:C.F(System.Int32)*/F(u); }
    """,
    "an unknown argument makes the choice uncertain": """
        class C { void F(int n) { } void F(string s) { } void G(Unknown u) => /*likely M:C.F(System.Int32)*/F(u); }
    """,
    "if all candidates return one type, that is certain": """
        class A { public int N; } class C { A F(int n) => null; A F(string s) => null; int G(Unknown u) => F(u)./*F:A.N*/N; }
    """,
    "a dynamic argument leaves the only method that takes it": """
        class C { void F(int n) { } void F(string s, int n) { } void G(dynamic d) { /*M:C.F(System.Int32)*/F(d); } }
    """,
    "a dynamic argument chooses between overloads when the program runs": """
        class C { void F(int n) { } void F(string s) { } void G(dynamic d) { /*likely M:C.F(System.Int32)*/F(d); } }
    """,
    "a member of a generic extension block is generic": """
        class K<T, U> { } class A { }
        static class X { extension<T, U>(K<T, U> k) { public int F(K<T, U> l) => 1; } }
        static class Y { public static int F<U>(this K<A, U> k, K<A, U> l) => 1; }
        class C { int G(K<A, int> k) => k./*M:Y.F``1(K{A,``0},K{A,``0})*/F(k); }
    """,
    "constructors are chosen likewise": """
        class A { public A(int n) { } public A(string s) { N = ""; } public string N; }
        class C { int G() => new A("")./*F:A.N*/N./*P:System.String.Length*/Length; }
    """,
    "a reference that implements an interface": "class A { public int N; } ref struct R : System.IDisposable { public void Dispose() { } } static class X { public static A H<T>(this T t) where T : System.IDisposable, allows ref struct => null; } class C { A F<T>(T t) where T : System.IDisposable, allows ref struct => null; int F<T>(T t, int o = 0) where T : allows ref struct => o; void G() { R r = new(); /*M:C.F``1(``0)*/F(new R())./*F:A.N*/N++; r./*M:X.H``1(``0)*/H()./*F:A.N*/N++; } }",
    "partial indexers are one": "class A { public int N; } partial class C { partial A this[int n] { get; } int G() => this[1]./*F:A.N*/N; } partial class C { partial A this[int n] { get => null; } }",
    "a list beside a collection that may be missing": "using System.Collections.Immutable; class A { public int N; } class C { A F(ImmutableArray<int>? a) => null; object F(string a) => null; int G() => /*M:C.F(System.Nullable{System.Collections.Immutable.ImmutableArray{System.Int32}})*/F([1])./*F:A.N*/N; }",
    "static extensions come after the type's own methods": 'class R { public int X; } class Q { public int Y; } class P { public static R S(string s) => null; } class D : P { } static class E { extension(P) { public static Q S(int n) => null; } } class C { void G() { P./*M:P.S(System.String)*/S("")./*F:R.X*/X++; P./*M:E.S(System.Int32)*/S(1)./*F:Q.Y*/Y++; D./*M:E.S(System.Int32)*/S(1)./*F:Q.Y*/Y++; } }',
    "more parameters than another overload uses": "using System; class C { void P(Type t, int n = 3) { } void P(string s, params int[] n) { } void Q(Type t) { } void Q(string s, int n = 1) { } void G() { /*M:C.P(System.Type,System.Int32)*/P(null); /*M:C.Q(System.Type)*/Q(null); } }",
    "references of a lambda's parameters without types": "using System; class C { delegate void D(ref int a); delegate void O(out int a); delegate void I(in int a); void F(D f) { } void F(Action<int> f) { } void H(D f) { } void H(O f) { } void J(Func<int, int> f) { } void J(I f) { } void G() { /*M:C.F(C.D)*/F((ref a) => a++); /*M:C.F(System.Action{System.Int32})*/F(a => { }); /*M:C.H(C.O)*/H((out a) => a = 1); /*M:C.H(C.D)*/H((ref a) => { }); /*M:C.J(C.I)*/J((in a) => { }); /*M:C.J(System.Func{System.Int32,System.Int32})*/J(a => a); } }",
    "a switch has the type of its arms": "class C { void F(byte b) { } void F(int n) { } void G(int i, byte b) { /*M:C.F(System.Int32)*/F(i switch { 1 => 1, _ => b }); } }",
    "what is spread tells the better collection": "using System.Collections.Generic; class A { } class B : A { } class C { void F(List<A> a) { } void F(List<B> b) { } void G(List<A> a, List<B> b) { /*M:C.F(System.Collections.Generic.List{A})*/F([.. a]); /*M:C.F(System.Collections.Generic.List{B})*/F([.. b]); } }",
    "no character is an enum": "enum E { P } class C { void F(E e) { } void F(object o) { } void G() { /*M:C.F(System.Object)*/F('\\n'); /*M:C.F(System.Object)*/F('a'); /*M:C.F(E)*/F(0); } }",
    "the difference of enums of the framework": "using System; class C { void F(int n) { } void F(string s) { } void G(DateTime t, DayOfWeek d) { /*M:C.F(System.Int32)*/F(t.DayOfWeek - DayOfWeek.Monday); /*M:C.F(System.Int32)*/F((d - t.DayOfWeek + 7) % 7); } }",
    "conversions of constraints": "class R { public int X; } interface I<T> where T : I<T> { static abstract implicit operator R(T a); static abstract implicit operator T(int i); } class C<T> where T : I<T> { void B(object o) { } void B(R r) { } void D(object o) { } void D(T t) { } void H(System.Func<T, R> f) { } void H(System.Func<T, int> f) { } void G(T a, bool b, R r) { /*M:C`1.B(R)*/B(a); /*M:C`1.D(`0)*/D(1); (b ? a : r)./*F:R.X*/X++; /*M:C`1.H(System.Func{`0,R})*/H(z => z); } }",
    "the rest of a delegate's arguments": "class N { public int V; public N() { } public N(int i) { } } class C { delegate void D(int a, params N[] n); delegate int E(params System.Func<N, int>[] f); void G(D d, E e, N[] n) { d(1, new() { /*F:N.V*/V = 1 }, new()); e(n => n./*F:N.V*/V, n => n./*F:N.V*/V); d(1, n); e(n => n./*F:N.V*/V); } }",
    "a pointer is no type argument": "unsafe class C { void F<T>(T t) { } void F(void* t) { } void G(int* p) { /*M:C.F(System.Void*)*/F(p); /*M:C.F``1(``0)*/F(1); } }",
    "priorities count within one class": 'using System.Runtime.CompilerServices; class N { } class L : N { } class R { public int X; } static class E1 { [OverloadResolutionPriority(1)] public static void A(this object o) { } } static class E2 { public static void A(this L o) { } } static class E3 { extension(object n) { [OverloadResolutionPriority(1)] public R P => null; } extension(N n) { public L P => null; } } interface I1 { [OverloadResolutionPriority(1)] void M(object o); } interface I2 { void M(string o); } interface I3 : I1, I2 { } class C { void G(L l, I3 i) { l./*M:E2.A(L)*/A(); l.P./*F:R.X*/X++; i./*M:I2.M(System.String)*/M(""); } }',
    "lambdas beside any delegate": "using System; class N { public int V; } class C { void F(object o) { } void F(Delegate d) { } void G() { /*M:C.F(System.Delegate)*/F((N z) => z./*F:N.V*/V); /*M:C.F(System.Delegate)*/F(() => 1); } }",
    "a nullable value satisfies no constraint by an interface": """
        using System; interface I { } struct S : I { } enum E { A }
        class C { int F<T>(T t) where T : I => 1; int F(object o) => 2; int H<T>(T t) where T : Enum => 1; int H(object o) => 2;
        int K<T>(T t) where T : IComparable => 1; int K(object o) => 2;
        int G() => /*M:C.F(System.Object)*/F(default(S?)) + /*M:C.F``1(``0)*/F(default(S)) + /*M:C.H(System.Object)*/H((E?)E.A)
            + /*M:C.H``1(``0)*/H(E.A) + /*M:C.K(System.Object)*/K((int?)1) + /*M:C.K``1(``0)*/K(1); }
    """,
    "what structs hold is not looked at": """
        using System; struct M { public string S; } enum E { A }
        class C { int F<T>(T t) where T : unmanaged => 1; int F(object o) => 2;
        int G() => /*likely M:C.F``1(``0)*/F(default(M)) + /*M:C.F``1(``0)*/F(1) + /*M:C.F``1(``0)*/F(E.A) + /*M:C.F``1(``0)*/F((1, 'a'))
            + /*M:C.F(System.Object)*/F((1, "")) + /*M:C.F``1(``0)*/F(DateTime.Now); }
    """,
    "no conversion of one's own starts at an interface": """
        interface I { } class W<T> { public static implicit operator W<T>(T t) => null; }
        class C { int F(W<I> w) => 1; int F(object o) => 2; int H(W<string> w) => 1; int H(object o) => 2;
        int G(I i) => /*M:C.F(System.Object)*/F(i) + /*M:C.H(W{System.String})*/H(""); }
    """,
    "a constant goes through a conversion of one's own": """
        struct B { public static implicit operator B(byte b) => default; }
        class C { int F(B b) => 1; int F(object o) => 2;
        int G(int i) => /*M:C.F(B)*/F(1) + /*M:C.F(System.Object)*/F(300) + /*M:C.F(System.Object)*/F(i); }
    """,
    "zero of any number is of an enum, and a constant condition leaves a constant": """
        enum E { A } class C { int F(E e) => 1; int F(object o) => 2; int H(byte b) => 1; int H(object o) => 2;
        int G(bool c) => /*M:C.F(E)*/F(0.0) + /*M:C.F(E)*/F(-0m) + /*M:C.F(System.Object)*/F(0.5) + /*M:C.H(System.Object)*/H(c ? 5 : 6)
            + /*M:C.H(System.Byte)*/H(1 > 2 ? 5 : 6) + /*M:C.H(System.Byte)*/H(true ? 5 : 600); }
    """,
    "operators of a base class count where none of a derived one applies": """
        class A { public int N; } class D { public int M; } class B { public static A operator +(B b, int n) => null; public static A operator -(B b, int n) => null; }
        class E : B { public static D operator +(E e, object o) => null; public static D operator -(E e, string s) => null; }
        class C { void G(E e) { (e + 1)./*F:D.M*/M = 1; (e - 1)./*F:A.N*/N = 1; } }
    """,
    "a collection expression becomes what it can fill": """
        using System.Collections.Generic; class NoAdd : IEnumerable<int> { public IEnumerator<int> GetEnumerator() => null; System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => null; }
        class Taking : List<int> { public Taking(int n) { } } abstract class Open : List<int> { }
        class C { int F(ISet<int> s) => 1; int F(IEnumerable<int> s) => 2; int H(NoAdd s) => 1; int H(IEnumerable<int> s) => 2;
        int K(Taking s) => 1; int K(List<int> s) => 2; int L(Open s) => 1; int L(List<int> s) => 2; int M(HashSet<int> s) => 1; int M(IEnumerable<int> s) => 2;
        int G() => /*M:C.F(System.Collections.Generic.IEnumerable{System.Int32})*/F([1]) + /*M:C.H(System.Collections.Generic.IEnumerable{System.Int32})*/H([1])
            + /*M:C.K(System.Collections.Generic.List{System.Int32})*/K([1]) + /*M:C.L(System.Collections.Generic.List{System.Int32})*/L([1])
            + /*M:C.M(System.Collections.Generic.HashSet{System.Int32})*/M([1]); }
    """,
    "an expression that is no statement has to return something": """
        using System; class A { public int N; public bool P; public A X; public int this[int n] => n; } class B { public int N; public bool P; public B X; public int this[int n] => n; }
        class C { int F(Action<A> f) => 1; int F(Func<B, int> f) => 2; int H(Action<A> f) => 1; int H(Func<B, bool> f) => 2;
        int G() => /*M:C.F(System.Func{B,System.Int32})*/F(x => -x./*F:B.N*/N) + /*M:C.F(System.Func{B,System.Int32})*/F(x => x[0])
            + /*M:C.H(System.Func{B,System.Boolean})*/H(x => !x./*F:B.P*/P); }
    """,
    "type parameters of what an unknown method declares may have any constraint": """
        class A : Absent, IAbsent { string K<T>(T t) where T : class => null; int K(object o) => 1; string N<T>(T t) where T : new() => null; int N(object o) => 1;
        void IAbsent.Do<T>(T t) { /*likely M:A.K``1(``0)*/K(t); /*likely M:A.N``1(``0)*/N(t); } public override void Over<T>(T t) { /*likely M:A.K``1(``0)*/K(t); } }
    """,
    "an override with T? takes over constraints": """
        using System; class B { public virtual void I<T>(T? t) where T : Attribute { } public virtual void J<T>(T? t) where T : struct { } }
        class D : B { static string K<T>(T t) where T : Attribute => null; static int K(object o) => 1; static string L<T>(T? t) where T : struct => null; static int L(object o) => 1;
        public override void I<T>(T? t) where T : class { /*M:D.K``1(``0)*/K(t); } public override void J<T>(T? t) { /*M:D.L``1(System.Nullable{``0})*/L(t); } }
    """,
    "type arguments are inferred from pointers": """
        using System; class A { public int N; } unsafe class C { static A D<T>(T* b) where T : unmanaged => null; static string D(int o) => null;
        static A L<T>(T** b) where T : unmanaged => null; static string L(Span<byte> s) => null;
        void M(byte* p, int n) { D(p)./*F:A.N*/N++; D(&n)./*F:A.N*/N++; L(&p)./*F:A.N*/N++; } }
    """,
    "the address of a method converts to no delegate": """
        using System; unsafe class C { bool One(delegate*<int, bool> p) => true; string One(Func<int, bool> p) => null; static bool Q(int a) => true;
        bool Try<T>(delegate*<int, out T, bool> p, out T v) { v = default; return true; } bool Try<T>(Func<int, T> p, out T v) { v = default; return true; } static bool P(int a, out long v) { v = 0; return true; }
        void M() { /*M:C.Try``1(,``0@)*/Try(&P, out long v); /*M:C.One()*/One(&Q); /*M:C.One(System.Func{System.Int32,System.Boolean})*/One(Q); } }
    """,
    "lambdas whose delegates take different types do not decide against another argument": """
        using System; class C { static int F(object o, Action<object> a) => 1; static int F(string o, Action<string> a) => 2; static int G(Action<object> a) => 1; static int G(Action<string> a) => 2;
        void M() { /*M:C.F(System.String,System.Action{System.String})*/F("", x => { }); /*M:C.G(System.Action{System.Object})*/G(x => { }); } }
    """,
    "a tuple with null converts by an operator that takes tuples": """
        class A { } struct E { public static implicit operator E((int, A) t) => default; public static implicit operator E(int n) => default; }
        class C { void F(E e) { } void F(string s) { } void G(E e) { } void M() { /*M:C.F(E)*/F((1, null)); /*M:C.G(E)*/G((1, new A())); /*M:C.G(E)*/G(1); } }
    """,
    "of a type parameter, what a class has from object hides no interface": """
        using System; class B { public int CompareTo(object o) => 1; }
        class C<T> where T : B, IEquatable<T>, IComparable<T> { void M(T a, T b) { a./*M:System.IEquatable`1.Equals(`0)*/Equals(b); a./*M:B.CompareTo(System.Object)*/CompareTo(b); } }
        class D<T> where T : Enum, IEquatable<T> { void M(T a, T b, object o) { a./*M:System.IEquatable`1.Equals(`0)*/Equals(b); } }
    """,
    "a type that is not known may be like a task": """
        using System; using System.Threading.Tasks; class C { static Task T() => null; int E(Func<Absent> t) => 1; string E(Action t) => null;
        void M() { /*likely M:C.E(System.Func{?.Absent})*/E(async () => await T()); /*likely M:C.E(System.Func{?.Absent})*/E(async () => { await T(); }); /*M:C.E(System.Action)*/E(() => { }); } }
    """,
    "nothing tells whether a type that is not known is a value type, so that a question mark is its nullable": """
        using System.Collections.Generic; class C { static int K<T>(T? t) where T : struct => 1; static string K(object o) => null;
        static int A<T>(T? t) where T : class => 1; static string A<T>(T? t) where T : struct => null; static List<T?> Mk<T>(T t) where T : struct => null;
        static int E(List<Absent?> f) => 1; static string E(object o) => null; static int F(Absent?[] f) => 1; static string F(object o) => null; static T?[] Ar<T>(T t) where T : struct => null;
        static int G<T>(T one, T other) => 1; static string G(object one, object other) => null;
        void M(Absent? n, Absent e) { /*likely M:C.K``1(System.Nullable{``0})*/K(n); /*likely M:C.A``1(``0)*/A(n); /*likely M:C.E(System.Collections.Generic.List{?.Absent})*/E(Mk(e));
        /*likely M:C.F(?.Absent[])*/F(Ar(e)); /*likely M:C.G(System.Object,System.Object)*/G(e, Mk(e)[0]); } }
    """,
    "new with arguments may make a delegate": """
        delegate int D(int n); class C { static int T(D d, int n) => 1; static int T(D d, string s) => 2; static int R(int n) => 1; static int W(int n) => 2;
        void M(bool b) { /*M:C.T(D,System.Int32)*/T(new(R), 1); /*M:C.T(D,System.String)*/T(b ? new(/*M:C.R(System.Int32)*/R) : new(/*M:C.W(System.Int32)*/W), ""); } }
    """,
    "logical operators of a type that is not known may return something else": """
        class C { static int Y(object o) => 1; static int Y(bool b) => 2; void M(Absent s, bool b) {
        /*likely M:C.Y(System.Boolean)*/Y(!s); /*likely M:C.Y(System.Boolean)*/Y(s && s); /*M:C.Y(System.Boolean)*/Y(!b); /*M:C.Y(System.Boolean)*/Y(b && b); } }
    """,
    "what is allocated on the stack without a type has that of its elements": """
        using System; struct A { public A(int n) { } } unsafe class C { int F(Span<long> s) => 1; int F(Span<byte> s) => 2; int G(ReadOnlySpan<A> s) => 1; int G(string s) => 2; void P(int* p) { } void P(object o) { }
        void M(byte b, int n, long l) { /*M:C.F(System.Span{System.Int64})*/F(stackalloc[] { n, l }); /*M:C.F(System.Span{System.Byte})*/F(stackalloc[] { b }); /*M:C.G(System.ReadOnlySpan{A})*/G(stackalloc[] { new A(n), new(2) });
        var p = stackalloc[] { n }; /*M:C.P(System.Int32*)*/P(p); } }
    """,
    "dynamic is the same as object": """
        using System; using System.Linq.Expressions; class A<C> { public int M<T>(Expression<Func<C, T>> e) => 1; public int M<T>(Expression<Func<T, object>> e) => 2; public int P<T>(T[] a, C c) => 1; public int P(object[] a, C c) => 2; }
        class D { void F(A<D> a, Expression<Func<D, dynamic>> e, dynamic[] o) { a./*M:A`1.M``1(System.Linq.Expressions.Expression{System.Func{``0,System.Object}})*/M(e); a./*M:A`1.P(System.Object[],`0)*/P(o, this); } }
    """,
    "nothing is inferred from what a lambda returns that is a function": """
        using System; class C { static int M() => 1; static int D<X>(Func<X> f) => 1; static int D(Func<object> f) => 2; static int N(int n) => n;
        void G() { /*M:C.D(System.Func{System.Object})*/D(() => () => 1); /*M:C.D(System.Func{System.Object})*/D(() => M); /*M:C.D``1(System.Func{``0})*/D(() => N(1)); } }
    """,
    "the negation of a truth that may be null is one": """
        using System; class C { static int B(Func<bool> f) => 1; static int B(Delegate f) => 2; static int F(bool? b) => 1; static int F(int i) => 2;
        void G(bool? n, object o) { /*M:C.B(System.Func{System.Boolean})*/B(() => !n ?? true); /*M:C.B(System.Func{System.Boolean})*/B(() => !o?.Equals(1) ?? true); /*M:C.F(System.Nullable{System.Boolean})*/F(!!n); } }
    """,
    "type arguments pass over methods that take none": """
        static class Out { public static int One<T>(T t) => 1; static int K(int i) => 1; static string K(string s) => null;
        static class In { static string One(object o) => null; static void X() { /*M:Out.K(System.Int32)*/K(/*M:Out.One``1(``0)*/One<int>(1)); } } }
    """,
    "a group with type arguments is of a local function that takes so many": """
        delegate int D(int n); class C { static int F<T>(int n) => 1; static int F<T, U>(int n) => 1;
        static D G() { D d = F<int>; D e = /*M:C.F``2(System.Int32)*/F<int, int>; return F<int>; static int F<T>(int n) => /*M:C.F``2(System.Int32)*/F<T, T>(n); } }
    """,
    "an empty collection is of every type that can be made": """
        using System.Collections.Generic; class C { static int F(Dictionary<string, int> d) => 1; static int F(int n) => 2; static int G(SortedDictionary<int, int> d) => 1;
        void H() { /*M:C.F(System.Collections.Generic.Dictionary{System.String,System.Int32})*/F([]); /*M:C.G(System.Collections.Generic.SortedDictionary{System.Int32,System.Int32})*/G([]); } }
    """,
    "what two constants compare to is a constant": """
        class C { const int One = 1; const bool Yes = true; const double D = 1.5; enum E { A, B } static int F(byte b) => 1; static int F(long l) => 2;
        void G(int i) { /*M:C.F(System.Byte)*/F(One > 0 ? 1 : 300); /*M:C.F(System.Byte)*/F(Yes && !false ? 1 : 300); /*M:C.F(System.Byte)*/F(One == 1 ^ false ? 1 : 300); /*M:C.F(System.Int64)*/F(!Yes ? 1 : 300);
        /*likely M:C.F(System.Byte)*/F(D > 1 ? 1 : 300); /*likely M:C.F(System.Byte)*/F(E.A == E.B ? 300 : 1); /*likely M:C.F(System.Byte)*/F((int)(E)1); /*M:C.F(System.Int64)*/F(i > 0 ? 1 : 300); } }
    """,
    "an interface with static members to implement is no type argument": """
        interface I { static abstract int X(); } interface J { static virtual int X() => 1; } interface K : I { static int I.X() => 1; } interface L { static abstract L operator +(L a, L b); }
        class C { static int F<T>(T t) => 1; static int F(object o) => 2; static int G<T>(T[] t) => 1; static int G(object o) => 2;
        void H<S>(I i, J j, K k, L l, S s, I[] a) where S : I { /*M:C.F(System.Object)*/F(i); /*M:C.F``1(``0)*/F(j); /*likely M:C.F``1(``0)*/F(k); /*M:C.F(System.Object)*/F(l); /*M:C.F``1(``0)*/F(s); /*M:C.G(System.Object)*/G(a); } }
    """,
    "a lambda has the type of a function that it returns": """
        using System; class C { static int F(Func<int, int> f) => 1; static int F(Func<string, int> f) => 2; static int H(int n) => n;
        void G() { var a = (int n) => (int m) => n + m; /*M:C.F(System.Func{System.Int32,System.Int32})*/F(a(1)); var b = () => H; /*M:C.F(System.Func{System.Int32,System.Int32})*/F(b()); } }
    """,
}


@pytest.mark.parametrize("source", RULES.values(), ids=RULES)
def test_overloads(check, source):
    check(source)


def test_spans_are_converted_to_by_the_language_itself_only_from_c14_on(check):
    source = """
        using System; static class E {{ public static int F(this ReadOnlySpan<int> s) => 1; public static int F(this object o) => 1; }}
        class C {{ int G(int[] a) => a./*{}*/F(); }}
    """
    check(source.format("M:E.F(System.ReadOnlySpan{System.Int32})"), version=14.0)
    check(source.format("M:E.F(System.Object)"), version=13.0)


@pytest.mark.parametrize(
    ("source", "before", "since"),
    [
        (
            "class C { int G(string s) => string./*{}*/Concat(s, s, s, s, s).Length; }",
            "M:System.String.Concat(System.String[])",
            "M:System.String.Concat(System.ReadOnlySpan{System.String})",
        ),
        (
            "class C { void G(bool b) => System.Diagnostics.Debug./*{}*/Assert(b); }",
            "M:System.Diagnostics.Debug.Assert(System.Boolean)",
            "M:System.Diagnostics.Debug.Assert(System.Boolean,System.String)",
        ),
    ],
)
def test_priorities_and_collections_of_params_count_from_c13_on(check, source, before, since):
    check(source.replace("{}", before), version=12.0)
    check(source.replace("{}", since), version=13.0)


OPTIONS = "static bool O(string s, int x = 0) => true; static bool O(object s) => true;"
GROUPS = {
    "no default": "void M() { System.Func<string, bool> f = /*M:C.O(System.Object)*/O; }",
    "no default of an extension": "void M(string s) { System.Func<int, bool> f = s./*M:E.X(System.Object,System.Int32)*/X; }",
    "no rest": "void M(string s) { System.Func<int, bool> f = s./*M:E.P(System.Object,System.Int32)*/P; }",
    "no span": "void M(int[] a) { System.Func<int, bool> f = a./*M:E.S``1(System.Collections.Generic.IEnumerable{``0},``0)*/S; }",
}


@pytest.mark.parametrize("member", GROUPS.values(), ids=GROUPS)
def test_a_group_that_becomes_a_delegate_takes_every_parameter_and_its_receiver_as_it_is(check, member):
    extensions = """static class E {
        public static bool X(this string s, int x, int y = 0) => true; public static bool X(this object s, int x) => true;
        public static bool P(this string s, params int[] y) => true; public static bool P(this object s, int x) => true;
        public static bool S<T>(this System.ReadOnlySpan<T> s, T x) => true;
        public static bool S<T>(this System.Collections.Generic.IEnumerable<T> s, T x) => true;
    }"""
    check(f"class C {{ {OPTIONS} {member} }} {extensions}")


def test_what_stands_for_object_by_reference_is_of_its_type(check):
    check("""
        class C {
            bool T(string n, out dynamic v) { v = 1; return true; } bool T<X>(string n, out X v) { v = default; return true; }
            bool S(out object v) { v = 1; return true; }
            void M(object o, dynamic d) {
                /*M:C.T(System.String,System.Object@)*/T("", out object p);
                /*M:C.T(System.String,System.Object@)*/T("", out o);
                /*M:C.S(System.Object@)*/S(out d);
            }
        }
    """)


def test_an_array_is_a_list_of_what_its_elements_convert_to(check):
    check("""
        using System.Collections; using System.Collections.Generic;
        class B { } class D : B { }
        static class E { public static void X(this IList<B> b) { } public static void X(this object b) { } }
        class C {
            void Z(IList<object> o) { } void Z(object x) { }
            void V(ICollection<B> o) { } void V(IEnumerable o) { }
            void T<Q>(IList<Q> o, Q q) { } void T(object o, object q) { }
            void N(IList<object> o) { } void N(object x) { }
            void M(string[] s, int[] i, D[] d, B b) {
                /*M:C.Z(System.Collections.Generic.IList{System.Object})*/Z(s);
                /*M:C.V(System.Collections.Generic.ICollection{B})*/V(d);
                /*M:C.T``1(System.Collections.Generic.IList{``0},``0)*/T(d, b);
                d./*M:E.X(System.Collections.Generic.IList{B})*/X();
                /*M:C.N(System.Object)*/N(i);
            }
        }
    """)


def test_a_lambda_converts_to_expressions_by_the_type_that_it_has(check):
    check("""
        using System.Linq.Expressions;
        class C {
            void A(LambdaExpression e) { } void A(object o) { } void B(System.ICloneable e) { } void B(object o) { }
            void M() {
                /*M:C.A(System.Linq.Expressions.LambdaExpression)*/A((int a) => a);
                /*M:C.B(System.ICloneable)*/B(() => 1);
            }
        }
    """)


def test_where_arguments_disagree_the_parameters_that_are_used_decide(check):
    check("""
        class N { }
        class C {
            void A(string n, object v, params int[] p) { } void A(object v, N c, int o = 0) { }
            void B(string n, object v, params int[] p) { } void B(object v, N c) { }
            void M(string s, N n) {
                /*M:C.A(System.Object,N,System.Int32)*/A(s, n);
                /*likely M:C.B(System.String,System.Object,System.Int32[])*/B(s, n);
            }
        }
    """)
