import pytest

HEAD = "using System; using System.Collections.Generic; using System.Threading.Tasks; class A { public int N; public A Next; public A M() => this; public static A operator +(A a, A b) => a; public static A operator -(A a) => a; public A this[int i] => this; public static bool operator ==(A a, A b) => true; public static bool operator !=(A a, A b) => true; } struct S { public int N; public S? O; }"
RULES = {
    "conditional access": "class C { int? G(A a) => a?./*F:A.Next*/Next./*F:A.Next*/Next?./*M:A.M*/M()./*F:A.N*/N; }",
    "conditional access behind several operators": "class C { bool G(A a, A b, object o) => a./*F:A.N*/N == b?./*F:A.N*/N && a./*F:A.Next*/Next != b?./*F:A.Next*/Next?./*F:A.Next*/Next || o is A c && c./*F:A.N*/N + c./*F:A.N*/N * b?./*F:A.N*/N > 1; }",
    "what calls return is assigned to": "class C { A[] F; ref A H(int i) => ref F[i]; ref A H() => ref F[0]; ref T I<T>(ref T t) => ref t; C D => this; void G(A a) { /*M:C.H(System.Int32)*/H(1) = a./*F:A.Next*/Next; /*M:C.H*/H() = /*M:C.H*/H()./*F:A.Next*/Next; /*P:C.D*/D./*M:C.I``1(``0@)*/I<A>(ref a) = /*M:C.H*/H(); H()./*F:A.N*/N += 1; (F[1], /*M:C.H*/H()) = (a, a); } }",
    "pointers are followed": "unsafe class C { int F; static int H(int n) => n; void G(int* p, S* s, byte* b) { *(p + /*F:C.F*/F) = /*M:C.H(System.Int32)*/H(1); *(/*T:S*/S*)(b + /*F:C.F*/F) = *(s + /*F:C.F*/F); *p++ = /*F:C.F*/F; int x = 1 + *(p + /*F:C.F*/F) * (F); x = (*(s + 1))./*F:S.N*/N; } }",
    "what looks like a cast": "class C { A F; int N; int G(A a) => ((a) + (/*F:C.F*/F))./*F:A.N*/N + ((F) + a)./*F:A.N*/N + (/*F:C.N*/N) * (/*F:C.N*/N); }",
    "names in brackets before an index or a range": "class C { A[] F; int I; A[] H(A[] a) => a; int G(A[][] b) => (F)[0]./*F:A.N*/N + (b[0])[^1]./*F:A.N*/N + (this.F)[1]./*F:A.Next*/Next./*F:A.N*/N + F[(I)..][0]./*F:A.N*/N + ((A[])[F[0]])[0]./*F:A.N*/N + H(F)[0]./*F:A.N*/N; }",
    "a product of a name in brackets": "class C { int I; int G(A a) => (/*F:C.I*/I) * a./*F:A.Next*/Next./*F:A.N*/N * (a.N) * a./*F:A.Next*/Next./*F:A.N*/N; }",
    "products of what pointers point to": "unsafe class C { int a; string H(int n) => null; A H(object o) => null; void G(int* p, int** q) { /*M:C.H(System.Int32)*/H(/*F:C.a*/a * *p); /*M:C.H(System.Int32)*/H(/*F:C.a*/a * **q); } }",
    "casts of names in brackets before operators": "enum E { P } class C { A F; int I; bool B; A H(int n) => null; string H(byte n) => null; string H(E e) => null; string H(A a) => null; string H(bool b) => null; void G(A a, object o) { /*M:C.H(System.Int32)*/H((byte)(I) - 1); /*M:C.H(System.Int32)*/H((E)(I) - E.P); /*M:C.H(A)*/H((A)(o) + (F)); /*M:C.H(A)*/H(-(a) + F); /*M:C.H(System.Boolean)*/H((B) && /*F:C.B*/B); } }",
    "lambdas beside delegates": "class C { Func<A, int> F; void G(A a) { F = F + (x => x./*F:A.N*/N); F = F - (x => x./*F:A.N*/N); } }",
    "branches that tell their type": "class B : A { public B() { } } class C { A G(bool c, B b) => c ? b : new() { /*F:A.N*/N = 1 }; object H(bool c, A a, Func<A, A> f) => c ? a : new() { /*F:A.N*/N = 1 }; object I(bool c, Func<A, A> f) => c ? f : x => x./*F:A.Next*/Next; A J(int n, B b) => n switch { 1 => b, _ => new() { /*F:A.N*/N = 3 } }; object K(bool c) => c ? new List<A>() : [new() { /*F:A.N*/N = 1 }]; }",
    "pointers are followed after accesses and calls": "unsafe struct P { public int* I; public P* Q; public int N; public P* F() => Q; } unsafe class C { int G(P s, P* p, P*[] a) => *s./*F:P.I*/I + (*s./*F:P.Q*/Q)./*F:P.N*/N + (*a[0])./*F:P.N*/N + (*p->/*M:P.F*/F())./*F:P.N*/N * *p->/*F:P.I*/I + (*p++)./*F:P.N*/N; }",
    "comparisons that look like a generic declaration": "class C { int a, b, c; A N; A H(bool x, bool y) => null; A H(Func<int> f) => null; A H(bool x, bool y, bool z, A o) => null; A this[bool x, bool y] => null; void G() { /*M:C.H(System.Boolean,System.Boolean)*/H(/*F:C.a*/a < /*F:C.b*/b, /*F:C.c*/c > /*F:C.a*/a)./*F:A.N*/N = /*F:C.a*/a; /*M:C.H(System.Boolean,System.Boolean,System.Boolean,A)*/H(a < b, true, b < N./*F:A.N*/N, N); this[a < N./*F:A.N*/N, b > c]./*F:A.N*/N = 1; } }",
    "shifts behind a comparison": "class C { int a, b; S H(int n) => default; bool H(bool b) => b; void F(bool x, bool y) { } void F(object o) { } void G(A c) { /*M:C.H(System.Boolean)*/H(/*F:C.a*/a < /*F:C.b*/b >> 1); for (int i = 0; i < c./*F:A.N*/N >> a; i++) { } /*M:C.F(System.Boolean,System.Boolean)*/F(a < b, /*F:C.b*/b >> 1 > a); } }",
    "generic types that are created or tested within brackets": "class G<T, U> { public int Z; public T V; public void Deconstruct(out int z, out T v) { z = 0; v = default; } } class C { static R U<R>(Func<A, R> f) => default; static void H(object o) { } void F(A a, object o) { /*M:C.U``1(System.Func{A,``0})*/U(x => new /*T:G`2*/G<A, A> { /*F:G`2.Z*/Z = 1, /*F:G`2.V*/V = x./*F:A.Next*/Next })./*F:G`2.Z*/Z++; (new G<A, A> { /*F:G`2.Z*/Z = 1 })./*F:G`2.V*/V./*F:A.N*/N++; /*M:C.H(System.Object)*/H((object)new /*T:G`2*/G<A, A> { /*F:G`2.Z*/Z = 1 }); /*M:C.H(System.Object)*/H(new[] { new G<A, A> { /*F:G`2.Z*/Z = 1 } }); /*M:C.U``1(System.Func{A,``0})*/U(x => o is /*T:G`2*/G<A, A> g ? g./*F:G`2.V*/V : x)./*F:A.N*/N++; /*M:C.U``1(System.Func{A,``0})*/U(x => o is not /*T:G`2*/G<A, A> g || g./*F:G`2.Z*/Z > 0); /*M:C.U``1(System.Func{A,``0})*/U(x => o is /*T:G`2*/G<A, A>(1, var v) && v./*F:A.N*/N > 1); /*M:C.U``1(System.Func{A,``0})*/U(x => o is /*T:G`2*/G<A, A> { /*F:G`2.Z*/Z: 1 }); foreach (var y in new List<A>().ConvertAll(x => o is /*T:G`2*/G<A, A> g ? g : new /*T:G`2*/G<A, A> { /*F:G`2.V*/V = x })) y./*F:G`2.Z*/Z++; /*M:C.H(System.Object)*/H((o as /*T:G`2*/G<A, A>)?./*F:G`2.V*/V); } }",
    "names of tuples in interfaces of the framework": "static class E { public static T First<T>(this IEnumerable<T> s, Func<T, bool> f) => default; } class C { int F(PriorityQueue<A, int> q) => q.UnorderedItems./*M:E.First``1(System.Collections.Generic.IEnumerable{``0},System.Func{``0,System.Boolean})*/First(t => t.Priority > 1).Element./*F:A.N*/N; }",
    "generic calls beside operators that look like casts": "class V { public int X; public static V operator *(V a, V b) => a; } class C { static int G<T>(int i) => i; static V H<T>(int i) => null; static S M(int a) => default; static string M(bool b) => null; static object M(object o) => null; void F(int n, int i, int[] xs, V v) { /*M:C.M(System.Int32)*/M(/*M:C.G``1(System.Int32)*/G<A>(i) * n)./*F:S.N*/N.ToString(); /*M:C.M(System.Int32)*/M(/*M:C.G``1(System.Int32)*/G<A>(xs[n]) - n); /*M:C.M(System.Boolean)*/M(n < /*M:C.G``1(System.Int32)*/G<A>(i)); /*M:C.M(System.Int32)*/M((/*M:C.H``1(System.Int32)*/H<V>(i) * v)./*F:V.X*/X); if (n < /*M:C.G``1(System.Int32)*/G<List<A>>(i)) { } for (; n < /*M:C.G``1(System.Int32)*/G<A>(i);) { } /*M:C.M(System.Int32)*/M(((xs)[i]) - n); var z = /*M:C.G``1(System.Int32)*/G<A>(i) * n; /*M:C.M(System.Int32)*/M(z); } }",
    "operands without a type of their own": "enum E { P } class K { public int V; public static K operator +(K a, int[] b) => a; public static K operator -(K a, (int, int)? b) => a; public static K operator |(K a, long b) => a; public static K operator *(K a, object b) => a; public static K operator %(K a, (int, int) b) => a; public static bool operator ==(K a, (int, int) b) => true; public static bool operator !=(K a, (int, int) b) => true; } class C { void F(K k, int n, bool f) { (k + [1])./*F:K.V*/V++; (k - null)./*F:K.V*/V++; (k | (n switch { 1 => 1, _ => 2 }))./*F:K.V*/V++; (k % (f ? (1, 2) : (3, 4)))./*F:K.V*/V++; (k % (1, n))./*F:K.V*/V++; (k * E.P)./*F:K.V*/V++; } }",
    "tuples of constants in branches": 'class C { static int P<T>((T, T) t) => 1; static string P((object, int) t) => null; static (T, U) Q<T, U>((T, U) t) => t; void H((byte, byte) t) { } void H((long, long) t) { } void H((object, int) t) { } void F(bool f, int n, A a) { /*M:C.P``1(System.ValueTuple{``0,``0})*/P(f ? (1, 2) : (3, 4)); /*M:C.P``1(System.ValueTuple{``0,``0})*/P(n switch { 1 => (1, 2), _ => (3, 4) }); Q(f ? (a, 1) : (null, 2)).Item1./*F:A.N*/N++; Q(n switch { 1 => (a, "b"), _ => (a, null) }).Item1./*F:A.N*/N++; /*M:C.H(System.ValueTuple{System.Byte,System.Byte})*/H(n switch { 1 => (1, 2), _ => (3, 4) }); var (x, y) = f ? (a, 1) : (a, 2); x./*F:A.N*/N++; } }',
    "operations of branches": 'enum E { P, Q } class C { int M(int n) => 1; A M(double d) => null; string M(string s) => s; object M(object o) => o; void G(int n, E e, bool f, string s) { /*M:C.M(System.Int32)*/M(n + (e switch { E.P => 1, _ => 2 })); /*M:C.M(System.Int32)*/M((f switch { true => 1, false => 2 }) * n); /*M:C.M(System.Double)*/M(1.5 * (e switch { E.P => 1.5, _ => 2 })); /*M:C.M(System.String)*/M(s + (e switch { E.P => "a", _ => "b" })); } }',
    "generic calls within arguments and branches": 'class G<T, U> { public U V; public G(A a) { } } class C { static U N<T, U>(A a) => default; static A F(object x, object y) => null; static S F(object x, object y, object z) => default; static A F(object x) => null; void H(A a, A b, object o) { /*M:C.F(System.Object,System.Object)*/F(/*M:C.N``2(A)*/N<G<A, A>, A>(a)./*F:A.Next*/Next, b)./*F:A.N*/N++; /*M:C.F(System.Object,System.Object)*/F(new /*T:G`2*/G<A, A>(a)./*F:G`2.V*/V, b); /*M:C.F(System.Object,System.Object)*/F("" + /*M:C.N``2(A)*/N<object, A>(a), b); /*M:C.F(System.Object)*/F((o is A ? a : /*M:C.N``2(A)*/N<object, A>(b))); while ((a = /*M:C.N``2(A)*/N<object, A>(b)) != null) a./*F:A.N*/N++; /*M:C.F(System.Object)*/F((object)new /*T:G`2*/G<A, A>(a)); /*M:C.F(System.Object)*/F(a./*F:A.N*/N > /*M:C.N``2(A)*/N<object, A>(b)./*F:A.N*/N ? a : b ?? /*M:C.N``2(A)*/N<object, A>(a)); } }',
    "patterns that declare variables of generic types": "class G<T, U> { public T V; } class L<T> { public T V; } class C { int H(object o, object p, object[] q) { if ((o, p) is (L<A> l, G<A, A> g)) return l./*F:L`1.V*/V./*F:A.N*/N + g./*F:G`2.V*/V./*F:A.N*/N; if (q is [/*T:G`2*/G<A, A> h, _]) return h./*F:G`2.V*/V./*F:A.N*/N; return (o, p) switch { (/*T:L`1*/L<A> x, A y) => x./*F:L`1.V*/V./*F:A.N*/N + y./*F:A.N*/N, (A y, /*T:L`1*/L<A> x) => x./*F:L`1.V*/V./*F:A.N*/N, _ => 0 }; } }",
    "references before the first type in a lambda": "class C { delegate int I(in A a); delegate int O(out A a, int n); int H(in A a) => a./*F:A.N*/N; void F(I i) { } void F(O i) { } void G() { /*M:C.F(C.I)*/F((in A a) => a./*F:A.N*/N); /*M:C.F(C.O)*/F((out A a, int n) => { a = null; return a./*F:A.N*/N; }); } }",
    "elements of an inline array": "[System.Runtime.CompilerServices.InlineArray(4)] struct L<T> { T e; } class C { void F(ReadOnlySpan<A> s) { } void G(L<A> l) { /*M:C.F(System.ReadOnlySpan{A})*/F(l); l[1]./*F:A.N*/N = 1; foreach (var a in l) a./*F:A.N*/N = 2; l[1..][0]./*F:A.N*/N = 3; } }",
    "names of a tuple's elements": "class C { (int N, (A B, int D) E) G(A a) => (/*F:System.ValueTuple{System.Int32,System.ValueTuple{A,System.Int32}}.N*/N: 1, /*F:System.ValueTuple{System.Int32,System.ValueTuple{A,System.Int32}}.E*/E: (/*F:System.ValueTuple{A,System.Int32}.B*/B: a, D: 2)); void H((int N, A B) t) => /*M:C.H(System.ValueTuple{System.Int32,A})*/H((N: 1, /*F:System.ValueTuple{System.Int32,A}.B*/B: null)); }",
    "elements of a long tuple": "class C<T> { int G((A One, A, A, A, A, A, A, A, A Nine) t) => t./*F:System.ValueTuple{A,A,A,A,A,A,A,System.ValueTuple{A,A}}.Item8*/Item8./*F:A.N*/N + t./*F:System.ValueTuple{A,A,A,A,A,A,A,System.ValueTuple{A,A}}.Nine*/Nine./*F:A.N*/N; (C<T> Own, int N) H() => default; object I() => H()./*F:System.ValueTuple{C`1,System.Int32}.Own*/Own; }",
    "words that are modifiers elsewhere": "class C { void G(A a) { var partial = a; partial./*F:A.N*/N = 1; var with = a; with = partial; int required = a./*F:A.N*/N; required += 1; Use(with./*F:A.N*/N, required); } void Use(int a, int b) { } }",
    "texts that the grammar misreads": 'class C { void G(A a) { Use($@"""{a./*F:A.N*/N}"" ""{a./*F:A.N*/N}""", a./*F:A.N*/N); Use($"", a./*F:A.N*/N); } void Use(string s, int n) { } }',
    "references without types in a lambda": "class C { delegate int D(A a, in int n); D F = (x, in y) => x./*F:A.N*/N + y; D H = static (x, in y) => { return x./*F:A.N*/N; }; }",
    "conditional access beside an operator": "class C { bool G(A a, A b) => a./*F:A.N*/N == b?./*F:A.N*/N; }",
    "a value type is lifted where the chain ends": "class C { int G(S s) => (s.O?./*F:S.N*/N).Value + s.O.Value./*F:S.N*/N; }",
    "user-defined operators": "class C { int G(A a, A b) => (a + b)./*F:A.N*/N + (-a)./*F:A.N*/N; }",
    "operators that take lambdas and groups": "class P<T> { public static P<T> operator >>(P<T> a, Func<T, P<T>> f) => a; public static P<T> operator *(Func<int, int> f, P<T> p) => p; public T V; } class C { static int H(int n) => n; static int H(string s) => 1; int G(P<A> p) => (p >> (x => new P<A> { /*F:P`1.V*/V = x./*F:A.Next*/Next }))./*F:P`1.V*/V./*F:A.N*/N + (/*M:C.H(System.Int32)*/H * p)./*F:P`1.V*/V./*F:A.N*/N; }",
    "operators of extension blocks on delegates": "class K<T> { public T V; } static class X { extension<T, U>(K<T> k) { public static K<U> operator *(Func<T, U> f, K<T> k) => null; } } class C { int G(Func<string, A> f, K<string> k) => (f * k)./*F:K`1.V*/V./*F:A.N*/N; }",
    "a test of a conditional access behind an operator": "class C { int G(A a, A b, bool c, object o) => c && b?./*F:A.Next*/Next is { } n && n./*F:A.N*/N > 1 || b?./*F:A.Next*/Next?./*F:A.N*/N + 1 == a./*F:A.N*/N ? 1 : 2; }",
    "a lambda that takes a reference": "class C { delegate int D(ref A a); void F(D d) { } void G() => /*M:C.F(C.D)*/F((ref A a) => a./*F:A.N*/N); }",
    "an escaped name is no keyword": "class C { A field; int P { get => @field./*F:A.N*/N; set => /*F:C.field*/@field = field > 1 ? null : new A(); } }",
    "generic calls in brackets before operators": "class C { bool F<T>(object o) => true; int H<T>(int n) => n; bool G(A a, int n, C c) => /*M:C.F``1(System.Object)*/F<A>(a) && c?./*M:C.F``1(System.Object)*/F<List<A>>(a) == true && /*M:C.H``1(System.Int32)*/H<A>(n) + this./*M:C.H``1(System.Int32)*/H<A>(n) - /*M:C.H``1(System.Int32)*/H<S>(n) > 1; }",
    "an element that cannot be called": "static class X { public static R Map<T, U, R>(this (T, U) t, Func<T, U, R> f) => default; } class C { int G((A Map, Func<A> Make) t) => t./*M:X.Map``3(System.ValueTuple{``0,``1},System.Func{``0,``1,``2})*/Map((a, b) => a)./*F:A.N*/N + t.Make()./*F:A.N*/N; }",
    "pointers to functions": "unsafe class C { static A H(A a, int n) => a; static A H(string s) => null; delegate*<A, int, A> P; delegate*<A, A>[] Q; void F(delegate*<A, int, A> p) { } void F(void* p) { } int G(A a) { P = &/*M:C.H(A,System.Int32)*/H; /*M:C.F()*/F(&/*M:C.H(A,System.Int32)*/H); /*M:C.F()*/F(/*F:C.P*/P); return P(a, 1)./*F:A.N*/N + Q[0](a)./*F:A.N*/N; } }",
    "indexers": "class C { int G(A a, A[] b, List<A> c) => a[0]./*F:A.N*/N + b[0]./*F:A.N*/N + c[0]./*F:A.N*/N + b[^1]./*F:A.N*/N + b[1..][0]./*F:A.N*/N; }",
    "a conditional access to which something is assigned": "class C { void G(A a) { a?./*F:A.N*/N = 1; a?./*F:A.Next*/Next./*F:A.N*/N += 2; a?./*M:A.M*/M()[0]./*F:A.N*/N = 3; } }",
    "an element from the end and a slice": "class L { public int Count => 1; public A this[int i] => null; public L Slice(int a, int b) => this; } class C { int G(L l) => l[^1]./*F:A.N*/N + l[1..]./*P:L.Count*/Count; }",
    "parts of a tuple that wait for their targets": "class C { A F; void G(A a) { (a, F) = (new() { /*F:A.N*/N = 1 }, new() { /*F:A.Next*/Next = a }); } }",
    "an operator of a constraint": "interface I<T> where T : I<T> { static abstract T operator +(T a, T b); int N { get; } } class C { int G<T>(T a) where T : I<T> => (a + a)./*P:I`1.N*/N; }",
    "constants beside unsigned numbers": "class C { void F(uint n) { } void F(long n) { } void F(ulong n) { } void G(uint u, ulong l, int i) { /*M:C.F(System.UInt32)*/F(u - 1); /*M:C.F(System.UInt64)*/F(1 + l); /*M:C.F(System.Int64)*/F(u + i); /*M:C.F(System.Int64)*/F(u * -1); } }",
    "casts, as and parentheses": "class C { int G(object o) => ((A)o)./*F:A.N*/N + (o as A)./*F:A.N*/N; }",
    "coalescing": "class C { int G(A a, S? s) => (a ?? new A())./*F:A.N*/N + (s ?? default)./*F:S.N*/N + (a ?? throw new Exception())./*F:A.N*/N; }",
    "branches": "class C { int G(bool b, A a) => (b ? a : null)./*F:A.N*/N; }",
    "await": "class C { async Task<int> G(Task<A> t) => (await t)./*F:A.N*/N + (await t.ConfigureAwait(false))./*F:A.N*/N; }",
    "rows of an array": "class C { A[,] F = { { new() { /*F:A.N*/N = 1 } } }; A[][] H = { new A[] { new() { /*F:A.N*/N = 1 } } }; }",
    "object initialisers": "class C { A G() => new A { /*F:A.N*/N = 1, /*F:A.Next*/Next = { /*F:A.N*/N = 2 } }; A H() => new() { /*F:A.N*/N = 1 }; }",
    "with": "record R(int P); class C { R G(R r) => r with { /*P:R.P*/P = 1 }; }",
    "typeof and nameof": "class C { string G() => nameof(/*T:A*/A./*F:A.N*/N) + nameof(/*M:C.G*/G) + typeof(/*T:A*/A).Name; }",
    "nameof of several methods is likely": "class C { void F() { } void F(int n) { } string G => nameof(/*likely M:C.F*/F); }",
    "calls of what generic calls return": "using System; class C { static Func<int, T> F<T>(int n) => null; object G(int n) => /*M:C.F``1(System.Int32)*/F<A>(n)(1)./*F:A.N*/N; }",
    "casts before what looks like comparisons": "class P<T> { public P(int n) { } } class C { object G(int n) => (P<int>)(object)new /*T:P`1*/P</*T:A*/A>(n); }",
    "doubled braces before a hole": 'class C { int P; string G() => $"{{{/*F:C.P*/P}: {{{{{/*F:C.P*/P}}}}}" + $"\\"{{{/*F:C.P*/P}" + new int[,,] { {{/*F:C.P*/P}} }; }',
    "generic calls that look like comparisons": "class C { T F<T>(int n) => default; object G(C c, int y) => (object)c./*M:C.F``1(System.Int32)*/F</*T:A*/A>(y); }",
    "a product that looks like a pointer": "class C { int F; int H(int n) => n; int G(A a) => H(a./*F:A.N*/N * /*F:C.F*/F); }",
    "array and tuple literals": "class C { int G(A a) => new[] { a, null }[0]./*F:A.N*/N + (a, 1).Item1./*F:A.N*/N; }",
    "arrays of several dimensions": "class C { int G(A a) { var b = new[,] { { a }, { a } }; return b[0, 0]./*F:A.N*/N; } }",
    "a static using imports what the type declares itself": "using static X; using static E; class Y { public static void H() { } } class X : Y { public static void F() { } public const int K = 1; } enum E { One } class C { int G() { /*M:X.F*/F(); /*unknown*/H(); var e = /*F:E.One*/One; return /*F:X.K*/K; } }",
    "a static using imports no extension method as a method": "using static X; using static System.Linq.Enumerable; static class X { public static void F(this int n) { } extension(int n) { public void H() { } public static void S() { } } } class C { void G(int[] a) { 1./*M:X.F(System.Int32)*/F(); /*unknown*/F(1); /*unknown*/H(1); /*M:X.S*/S(); /*unknown*/Where(a, null); } }",
    "the natural type of a group": "static class X { public static A F(this A a, int n) => a; } class C { A H(int n) => null; int G(A a) { var f = a./*M:X.F(A,System.Int32)*/F; var g = /*M:C.H(System.Int32)*/H; return f(1)./*F:A.N*/N + g(1)./*F:A.N*/N; } }",
    "lambdas with written types": "class C { int G() { var f = (A a) => a./*F:A.Next*/Next; return f(null)./*F:A.N*/N; } }",
    "nested lambdas": "class C { Func<A, Func<A, int>> F = x => y => x./*F:A.N*/N + y./*F:A.N*/N; }",
    "throw expressions and strings": 'class C { string G(A a) => $"{a./*F:A.N*/N,3:x}" + "a".ToUpper()./*P:System.String.Length*/Length; }',
    "assignments to several targets": "class C { void G(A a) { (var x, a./*F:A.N*/N) = (a, 1); x./*F:A.N*/N = 2; _ = a./*F:A.Next*/Next; } }",
    "this and base": "class D : A { int N2 => base./*F:A.N*/N + this./*F:A.N*/N; }",
    "local functions": "class C { int G() { return F(null)./*F:A.N*/N; A F(A a) => a./*F:A.Next*/Next; } }",
    "default": "class C { void F(A a) { } void G() { /*M:C.F(A)*/F(default); default(A)./*M:A.M*/M(); } }",
    "what is assigned behind a condition is lifted": "class C { public int J; void F(int i) { } void F(int? i) { } void H(Func<C, int> f) { } void H(Func<C, int?> f) { } void G(C c) { /*M:C.F(System.Nullable{System.Int32})*/F(c?.J = 3); /*M:C.F(System.Nullable{System.Int32})*/F(c?.J += 3); var q = c?.J = 3; /*M:C.F(System.Nullable{System.Int32})*/F(q); /*M:C.H(System.Func{C,System.Nullable{System.Int32}})*/H(z => z?.J = 3); /*M:C.F(System.Int32)*/F(c.J = 3); } }",
    "what null is replaced by decides the type": "class C { void F(int n) { } void F(int? n) { } void G(int? a, int? b) { /*M:C.F(System.Nullable{System.Int32})*/F(a ??= b); /*M:C.F(System.Int32)*/F(a ??= 1); } }",
    "the targets of a tuple tell its type": "class B : A { } class C { A F; void H(A a) { } void H(B b) { } void G(A a, B b, (B X, B Y) t) { /*M:C.H(A)*/H(((a, F) = (b, b)).Item1); ((a, F) = t).F./*F:A.N*/N = 1; ((a, (F, a.Next)) = (b, (b, b))).Item2.Next./*F:A.N*/N = 2; var u = (F, _) = t; u.F./*F:A.N*/N = 3; } }",
    "names of elements that are taken from values": "class C { int G(A a, A b) { var t = (a.N, b.N, a.Next, a.M()); return t.Next./*F:A.N*/N + t.Item1; } }",
    "text in bytes of all forms": 'class C { void F(ReadOnlySpan<byte> b) { } void F(string s) { } void G() { /*M:C.F(System.String)*/F("a"); /*M:C.F(System.ReadOnlySpan{System.Byte})*/F(@"a"u8); /*M:C.F(System.ReadOnlySpan{System.Byte})*/F("""a"""u8); /*M:C.F(System.ReadOnlySpan{System.Byte})*/F("""a"""u8[1..]); /*M:C.F(System.String)*/F(@"8"); } }',
    "numbers beside native ones": "class C { void F(uint n) { } void F(nuint n) { } void F(long n) { } void F(ulong n) { } void G(uint u, nuint n) { /*M:C.F(System.UIntPtr)*/F(u + n); /*M:C.F(System.UIntPtr)*/F(n & 1u); /*M:C.F(System.UInt64)*/F(n + 1L); /*M:C.F(System.Int64)*/F(u + 1L); } }",
    "zero beside an enum": "enum E : byte { P } class C { void F(E e) { } void F(byte b) { } void F(int n) { } void G(E e) { /*M:C.F(System.Byte)*/F(e - 0); /*M:C.F(System.Byte)*/F(0 - e); /*M:C.F(E)*/F(e - 1); /*M:C.F(E)*/F(e + 0); } }",
    "pointers and numbers": "unsafe struct P { public fixed byte B[8]; public int X; } unsafe class C { void F(int* p) { } void F(long n) { } void F(byte* p) { } void F(byte b) { } void F(int n) { } void G(int* p, int* q, P* r, bool b, P*[] s, int i) { /*M:C.F(System.Int64)*/F(p - q); /*M:C.F(System.Int32*)*/F(1 + p); /*M:C.F(System.Int32*)*/F(p + 1); /*M:C.F(System.Byte*)*/F(r->B); /*M:C.F(System.Byte)*/F(r->B[1]); /*M:C.F(System.Int32*)*/F(b ? p : null); foreach (P* x in s) /*M:C.F(System.Int32)*/F(x->/*F:P.X*/X); /*M:C.F(System.Int32)*/F(*&r->/*F:P.X*/X); i = -*&i * *&r->/*F:P.X*/X; } }",
    "operators of what values convert to": "struct I { public static implicit operator int(I i) => 1; } struct B { public static implicit operator bool(B b) => true; } class T { public static implicit operator string(T t) => null; } class C { void F(int n) { } void F(long n) { } void F(double d) { } void F(bool b) { } void F(string s) { } void G(I i, B b, T t) { /*M:C.F(System.Int32)*/F(i + 1); /*M:C.F(System.Int32)*/F(i - i); /*M:C.F(System.Double)*/F(i * 2.0); /*M:C.F(System.Int32)*/F(-i); /*M:C.F(System.Boolean)*/F(b & b); /*M:C.F(System.Boolean)*/F(!b); /*M:C.F(System.String)*/F(t + t); } }",
    "the natural type of a group of an extension block": "static class X { extension(A a) { public A F(int n) => a; } extension<T>(T t) where T : A { public T H(int n) => t; } public static T I<T>(this T t, int n) => t; } class B : A { public int O; } class C { int G(A a, B b) { var f = a.F; var h = b.H; var i = b.I; return f(1)./*F:A.N*/N + h(1)./*F:B.O*/O + i(1)./*F:B.O*/O; } }",
    "a delegate is called in two steps": "delegate A D(int n, ref string s); class C { int G(D d, string s) { var r = d./*M:D.BeginInvoke(System.Int32,System.String@,System.AsyncCallback,System.Object)*/BeginInvoke(1, ref s, null, null); return d./*M:D.EndInvoke(System.String@,System.IAsyncResult)*/EndInvoke(ref s, r)./*F:A.N*/N; } }",
    "variables that are called as discards are": "class C { int _; void G(A[] a) { var _ = a[0]; _./*F:A.N*/N = 1; } void H(A[] a) { foreach (var _ in a) _./*F:A.N*/N = 1; } void I((A, A)[] a) { foreach (var (_, b) in a) b./*F:A.N*/N = 1; _ = 3; } }",
    "what a constructor's initialiser declares": "class B { public B(int n) { } } class C : B { int m; C(A a) : base(a is var m ? m./*F:A.N*/N : 1) { m./*F:A.N*/N = 1; } }",
    "a field of a property alone": "class C { static A field; A this[int i] { get => /*F:C.field*/field; set => /*F:C.field*/field = value; } event Action E { add { /*F:C.field*/field./*F:A.N*/N++; } remove { } } }",
    "properties of extension blocks lift a chain": "class B { public int O; } static class X { extension(A a) { public B P => null; public int Q => 1; } } class C { void F(int n) { } void F(int? n) { } void G(A a) { /*M:C.F(System.Nullable{System.Int32})*/F(a?.P.O); /*M:C.F(System.Nullable{System.Int32})*/F(a?.Q); var v = a?.P./*F:B.O*/O; /*M:C.F(System.Nullable{System.Int32})*/F(v); } }",
    "all of a dimension": "class R { public int X; } class M { public int this[int r, int c] => 1; public R this[Range r, Range c] => null; } class C { void G(M m) { m[1..2, ..]./*F:R.X*/X++; m[.., ..]./*F:R.X*/X++; } }",
    "scopes of variables in loops and locks": "class Q { public int Y; } class C { Q a, w; static bool O(out A r) { r = null; return true; } void F() { do { } while (O(out var a) && a./*F:A.N*/N == 1); a./*F:Q.Y*/Y = 2; } void G() { for (; ; O(out var a)) a./*F:Q.Y*/Y = 3; } void H() { lock (O(out var w) ? w : null) { } w./*F:A.N*/N = 2; } void I() { for (int i = 0; O(out var q) && q./*F:A.N*/N > 1; i++, q./*F:A.N*/N++) q./*F:A.N*/N = 1; } }",
    "delegates of references": "class C { public int F(ref int a) => a; void G(out A n, in int b) => n = null; void P(int a) { } void P(string s) { } void T(A n, int i) { var f = (ref A x) => x.N; /*M:C.P(System.Int32)*/P(f(ref n)); var o = (out A x) => x = new A(); o(out var z)./*F:A.N*/N++; z./*F:A.N*/N = 1; var g = /*M:C.F(System.Int32@)*/F; /*M:C.P(System.Int32)*/P(g(ref i)); var h = /*M:C.G(A@,System.Int32@)*/G; h(out var k, i); k./*F:A.N*/N = 1; } }",
    "pointers to functions that take references": "unsafe class C { static int F(ref int i) => 1; static int F(int i) => 1; void P(delegate*<ref int, int> f) { } void P(delegate*<int, int> f) { } void T(int i) { delegate*<ref int, int> f = &/*M:C.F(System.Int32@)*/F; delegate*<int, int> g = &/*M:C.F(System.Int32)*/F; } }",
    "operators in place that take lambdas and groups": "class E { public static E operator +(E e, Action<A> a) => e; public static E operator -(E e, Func<A, A> a) => e; } class C { E e; static A J(A n) => n; Action<A> d; void G() { e += x => x./*F:A.N*/N++; e -= /*M:C.J(A)*/J; e += delegate (A x) { x./*F:A.N*/N++; }; d += x => x./*F:A.N*/N++; } }",
    "what guards an arm passes references": "class C { static bool O(out A a) { a = null; return true; } int G(object o) => o switch { string when /*M:C.O(A@)*/O(out _) => 1, int when O(out var k) && k./*F:A.N*/N > 1 => 2, _ => 3 }; }",
    "products within tuples": "class C { double w, h; int a, b; (double, double) F() => (w * h, h * w); void P((int, int) t) { } void P(object o) { } void G(A x) { var t = (x.Next, x.N * a); t.Next./*F:A.N*/N = 1; /*M:C.P(System.ValueTuple{System.Int32,System.Int32})*/P((a * b, a)); (a, b) = (a * 2, b * a); /*M:C.P(System.ValueTuple{System.Int32,System.Int32})*/P((x: /*F:C.a*/a * /*F:C.b*/b, y: 1)); } }",
    "attributes of functions within bodies see their parameters": "class V : Attribute { public V(string s) { } } class x { public int Y; } class C { A x; void F() { [V(nameof(/*unknown*/x))] static A L([V(nameof(/*unknown*/x))] A x) => x; Func<A, A> f = [V(nameof(/*unknown*/x))] (A x) => x; } }",
    "attributes of parameters see those before and after": "class V : Attribute { public V(string s) { } } class x { public int Y; } class C { A x; A y; void F([V(nameof(y./*F:x.Y*/Y))] x x, [V(nameof(x./*F:x.Y*/Y))] x y, [V(nameof(y./*F:x.Y*/Y))] int z, A a = /*F:C.x*/x./*F:A.N*/N) { } }",
    "nameof of a method of what is a value and its type names the type": "class C { A A; string F() => nameof(/*T:A*/A./*M:A.M*/M) + nameof(/*F:C.A*/A./*F:A.N*/N); }",
    "nameof of a group is likely, those included that need an object": "interface I<T> { bool Equals(T t); bool Same(T t); } class C { string F() => nameof(I<int>./*likely M:I`1.Equals(`0)*/Equals) + nameof(I<int>./*M:I`1.Same(`0)*/Same); }",
    "what a pointer points to, by reference": "unsafe class C { static void K(ref S a, ref S b, uint n) { } static ref S F(S* p) => ref *(p + 1); void G(void* v, S* p, int n) { ref var c = ref *(S*)v; c./*F:S.N*/N = 1; K(ref */*unknown*/p, ref *(/*T:S*/S*)v, (uint)n); H(16 + n)./*F:A.N*/N++; } A H(int n) => null; }",
    "the default of a type begins a statement": "static class X { public static void Do(this A a) { } } class C { void F(int i) { switch (i) { case 1: default(/*T:A*/A)./*M:X.Do(A)*/Do(); break; default: /*M:C.F(System.Int32)*/F(1); break; } default(A)./*M:X.Do(A)*/Do(); } }",
    "a conditional access that is spread": "class C { List<A> L; C D; List<A> F(C c) => [.. c?./*F:C.L*/L ?? []]; List<int> G(C c) => [.. c?./*F:C.D*/D?./*F:C.L*/L.ConvertAll(x => x./*F:A.N*/N)]; }",
    "the word union in a comment": "class C { bool P; A F() { // no union\n if (/*P:C.Q*/Q && /*F:C.P*/P) { } return null; } bool Q => true; }",
    "an index of a cast before an operator": "unsafe class C { long* P; byte* F(int i) => (byte*)(/*F:C.P*/P[i]) + i * 2; }",
    "an inline array with an indexer of its own": "[System.Runtime.CompilerServices.InlineArray(3)] struct I { A e; public int this[uint n] => 1; } class C { I F; static int G(int n) => 1; static int G(A a) => 1; void H(uint n) { /*M:C.G(System.Int32)*/G(F[n]); /*M:C.G(A)*/G(F[1]); /*M:C.G(A)*/G(F[^1]); } }",
    "nameof of a receiver in the attributes of a member": "static class E { extension(A a) { [System.Obsolete(nameof(a))] public int P => a./*F:A.N*/N; } }",
    "what a pointer points to that is changed first": "unsafe class C { int F; void G(int* p) { *--p = 1; /*F:C.F*/F = *--p + *++p; G(/*unknown*/p); } }",
    "a method that returns a pointer has type parameters": "unsafe class C { void* F<T, U>(T t) where T : A { t./*F:A.N*/N = 1; return null; } void G(A a) { var p = (int*)/*M:C.F``2(``0)*/F<A, int>(a); } }",
    "an unknown type takes itself apart": "class C { void F(Absent t) { (int a, A b) = t; b./*F:A.N*/N = a; } }",
}


@pytest.mark.parametrize("source", RULES.values(), ids=RULES)
def test_expressions(check, source):
    check(HEAD + source)


def test_dynamic_values_bind_nothing(check):
    check("class C { void G(dynamic d) { d.F(); var e = d.P; string s = e; s./*M:System.String.Trim*/Trim(); } }")


@pytest.mark.parametrize(
    ("source", "role"),
    [
        ("class C { int F; int G() => F; }", "read"),
        ("class C { int F; void G() => F = 1; }", "write"),
        ("class C { int F; void G() => F++; }", "write"),
        ("class C { void F() { } void G() => F(); }", "call"),
        ("class F { } class C { F G; }", "type"),
        ("class C { void F() { } System.Action G() => F; }", "read"),
    ],
)
def test_roles(bind, source, role):
    found, _ = bind(source)

    assert [str(each.role) for each in found.values() if each.name == "F"] == ["declaration", role]


@pytest.mark.parametrize(
    ("source", "role", "symbol"),
    [
        ("class A { } class C { A F = new A(); }", "constructor", "M:A.#ctor"),
        ("class A { } class C { A F = new(); }", "constructor", "M:A.#ctor"),
        ("class A { public A(int n) { } public A() : this(1) { } }", "constructor", "M:A.#ctor(System.Int32)"),
        ("class A : System.Attribute { } [A] class C { }", "attribute", "M:A.#ctor"),
        ("class A { public int this[int i] => i; int G() => this[1]; }", "indexer", "P:A.Item(System.Int32)"),
        ("class A { public static A operator +(A a, A b) => a + b; }", "operator", "M:A.op_Addition(A,A)"),
    ],
)
def test_what_no_name_stands_for(bind, source, role, symbol):
    _, bound = bind(source)

    assert (role, symbol) in {(str(each.binding.role), each.binding.symbol) for each in bound.bindings}


NAMELESS = {
    "casts of pointers": (
        "unsafe class C { struct P { public static explicit operator P(void* v) => default; } void* F(nint n) => (void*)n; nint G(void* p) => (nint)p; int* I(void* p) => (int*)p; P J(void* p) => (P)p; }",
        ["M:C.P.op_Explicit(System.Void*)~C.P"],
    ),
    "checked operators": (
        """struct A { public static A operator +(A a, A b) => a; public static A operator checked +(A a, A b) => a; public static explicit operator int(A a) => 1; public static explicit operator checked int(A a) => 1; } class C { void G(A a) { _ = checked(a + a); _ = a + a; checked { _ = (int)a; unchecked { _ = a + a; } } } } """,
        ["M:A.op_CheckedAddition(A,A)", "M:A.op_Addition(A,A)", "M:A.op_CheckedExplicit(A)~System.Int32", "M:A.op_Addition(A,A)"],
    ),
    "operators in place": (
        """class A { public void operator +=(int n) { } public void operator ++() { } public static A operator +(A a, string s) => a; } class C { void G(A a) { a += 1; a++; a += ""; } } """,
        ["M:A.op_AdditionAssignment(System.Int32)", "M:A.op_IncrementAssignment", "M:A.op_Addition(A,System.String)"],
    ),
    "what operators in place are called": (
        """class A { public void operator *=(string s) { } public void operator +=(int n) { } public void operator checked +=(int n) { } } class C { void G(A a) { a *= ""; a += 1; checked { a += 1; } } } """,
        ["M:A.op_MultiplicationAssignment(System.String)", "M:A.op_AdditionAssignment(System.Int32)", "M:A.op_CheckedAdditionAssignment(System.Int32)"],
    ),
    "operators in place of interfaces, bases and type parameters": (
        """interface I { void operator +=(int n); } abstract class A { public virtual void operator ++() { } } class B : A { public override void operator ++() { } } class C { void G<T, U>(I i, B b, T t, U u) where T : I where U : A { i += 1; b++; t += 1; u++; } } """,
        ["M:I.op_AdditionAssignment(System.Int32)", "M:B.op_IncrementAssignment", "M:I.op_AdditionAssignment(System.Int32)", "M:A.op_IncrementAssignment"],
    ),
    "a step whose value nobody wants": (
        """class A { public void operator ++() { } } class C { void G(A a) => a++; void H(A a) { for (a++; ; a++) { } } void F(System.Action a) { } void F(System.Func<A> a) { } void I(A a) => /*M:C.F(System.Action)*/F(() => a++); } """,
        ["M:A.op_IncrementAssignment"] * 4,
    ),
    "operators of a type parameter's constraint": (
        """interface I<T> where T : I<T> { static abstract T operator -(T a); static abstract T operator ++(T a); static abstract T operator +(T a, T b); } class C { void G<T>(T a) where T : I<T> { a = -a + a; a++; } }""",
        ["M:I`1.op_Addition(`0,`0)", "M:I`1.op_UnaryNegation(`0)", "M:I`1.op_Increment(`0)"],
    ),
    "operators that can be lifted": (
        "struct S { public static S operator +(S a, S b) => a; public static string operator +(S a, int b) => null; public static implicit operator S(int n) => default; public static bool operator ==(S a, S b) => true; public static bool operator !=(S a, S b) => true; public static bool operator ==(S a, int b) => true; public static bool operator !=(S a, int b) => true; } class C { void G(S? s, S t) { _ = s + 1; _ = s == null; _ = s != 1; _ = t == 1; } }",
        ["M:S.op_Addition(S,S)", "M:S.op_Equality(S,S)", "M:S.op_Inequality(S,S)", "M:S.op_Equality(S,System.Int32)"],
    ),
    "operators before those of the language": (
        'class S { public static implicit operator string(S s) => null; public static implicit operator S(string s) => null; public static bool operator ==(S a, S b) => true; public static bool operator !=(S a, S b) => true; } class L { public static L operator |(L a, L b) => a; public static bool operator true(L a) => true; public static bool operator false(L a) => false; public static implicit operator L(bool b) => null; } class A<T> { public static A<T> operator +(A<T> a, T b) => a; } class C { void G<T>(S s, bool b, L l, T t) where T : A<string> { _ = s == ""; _ = b || l; _ = t + ""; } }',
        ["M:S.op_Equality(S,S)", "M:L.op_BitwiseOr(L,L)", "M:A`1.op_Addition(A{`0},`0)"],
    ),
    "operators of extension blocks come last": (
        "class A { } struct S { } struct D { public static implicit operator double(D d) => 1; public static implicit operator D(double d) => default; } static class X { extension<T>(T) { public static T operator +(T a, T b) => a; } } static class E { extension(A) { public static bool operator ==(A a, A b) => true; public static bool operator !=(A a, A b) => true; public static A operator -(A a, A b) => a; public static A operator checked -(A a, A b) => a; public static A operator +(A a, object b) => a; } extension(S) { public static bool operator ==(S a, S b) => true; public static bool operator !=(S a, S b) => true; } } class C { void G(A a, S s, D d) { _ = a == a || a != null; _ = s == s; _ = checked(a - a); _ = a - a; d += d; _ = a + a; _ = a + nameof(G); } }",
        ["M:E.op_Equality(S,S)", "M:E.op_CheckedSubtraction(A,A)", "M:E.op_Subtraction(A,A)", "M:X.op_Addition(`0,`0)"],
    ),
    "what is added to a number": (
        "struct S { public static S operator +(S a, S b) => a; public static implicit operator S(int n) => default; public static implicit operator int(S s) => 1; } class C { void G(int n, S s) { n += s; n += 1; } }",
        ["M:S.op_Addition(S,S)"],
    ),
    "operators that change what has a place": (
        "class I { public void operator +=(int b) { } public void operator ++() { } public static I operator +(I a, int b) => a; public static I operator ++(I a) => a; } class C { I F; I P { get; set; } I this[int n] { get => null; set { } } ref I R => ref F; void G(I[] a, C c) { F += 1; P += 1; this[0] += 1; R += 1; F++; P++; a[0] += 1; c?.F += 1; c?.P += 1; } }",
        ["M:I.op_AdditionAssignment(System.Int32)", "M:I.op_Addition(I,System.Int32)", "M:I.op_Addition(I,System.Int32)", "P:C.Item(System.Int32)", "M:I.op_AdditionAssignment(System.Int32)", "M:I.op_IncrementAssignment", "M:I.op_Increment(I)", "M:I.op_AdditionAssignment(System.Int32)", "M:I.op_AdditionAssignment(System.Int32)", "M:I.op_Addition(I,System.Int32)"],
    ),
    "operators in place of extension blocks": (
        "class P { } class O { public static O operator +(O a, int b) => a; } interface I { } class N : I { } static class E { extension(P p) { public static P operator +(P a, int b) => a; public void operator +=(int b) { } public void operator ++() { } public void operator -=(P o) { } public void operator -=(int o) { } public void operator *=(int o) { } public void operator checked *=(int o) { } } extension(O o) { public void operator +=(int b) { } public void operator +=(long b) { } } extension<T>(T t) where T : class, I { public void operator *=(T b) { } } } class C { P F; P Q { get; set; } void G(P p, O o, N n) { p += 1; p++; p -= p; p -= 1; Q += 1; checked { p *= 1; } o += 1; o += 5L; n *= n; } }",
        ["M:E.op_AdditionAssignment(System.Int32)", "M:E.op_IncrementAssignment", "M:E.op_SubtractionAssignment(P)", "M:E.op_SubtractionAssignment(System.Int32)", "M:E.op_Addition(P,System.Int32)", "M:E.op_CheckedMultiplicationAssignment(System.Int32)", "M:O.op_Addition(O,System.Int32)", "M:E.op_AdditionAssignment(System.Int64)", "M:E.op_MultiplicationAssignment(`0)"],
    ),
    "protected constructors create nothing": (
        "class A { protected A(int n) { } public A(object o) { } A F() => new A(1); class N { A G() => new(1); } } class B : A { B() : base(1) { A a = new(1); _ = new A(1); } }",
        ["M:A.#ctor(System.Int32)", "M:A.#ctor(System.Int32)", "M:A.#ctor(System.Int32)", "M:A.#ctor(System.Object)", "M:A.#ctor(System.Object)"],
    ),
    "an Add that can be named": (
        "using System.Collections; class A : IEnumerable { void Add(string s) { } public void Add(object o) { } public IEnumerator GetEnumerator() => null; object F = new A { null }; } class C { object F = new A { null }; }",
        ["M:A.#ctor", "M:A.Add(System.String)", "M:A.#ctor", "M:A.Add(System.Object)"],
    ),
    "records compare by operators": (
        "record R(int N); class C { bool G(R a, R b) => a == b && a != b; }",
        ["M:R.op_Equality(R,R)", "M:R.op_Inequality(R,R)"],
    ),
    "a cast that is lifted": (
        "struct S { public static implicit operator int(S s) => 1; public static implicit operator S(int n) => default; } class C { void G(S? s) { _ = (int?)s; _ = (S?)1; } }",
        ["M:S.op_Implicit(S)~System.Int32", "M:S.op_Implicit(System.Int32)~S"],
    ),
    "operators beside null and default": (
        "class A { public static bool operator ==(A a, A b) => true; public static bool operator !=(A a, A b) => true; } struct S { public static bool operator ==(S a, S b) => true; public static bool operator !=(S a, S b) => true; } class B : A { } class C { bool G(A a, B b, S s, S? t, object o) => a != null || null == b || b == a || t != null || s == default || t == s || o == null; }",
        ["M:A.op_Inequality(A,A)", *["M:A.op_Equality(A,A)"] * 2, "M:S.op_Inequality(S,S)", *["M:S.op_Equality(S,S)"] * 2],
    ),
    "casts to the most specific type": (
        "class A { public static explicit operator int(A a) => 1; public static explicit operator byte?(A a) => 1; public static explicit operator byte(A a) => 1; } class B : A { } class D<T> { public static explicit operator T(D<T> d) => default; } class C { void G(A a, B b, D<A> d) { _ = (byte?)a; _ = (int)b; _ = (byte)a; _ = (A)d; _ = (object)a; _ = (B)a; } }",
        ["M:A.op_Explicit(A)~System.Nullable{System.Byte}", "M:A.op_Explicit(A)~System.Int32", "M:A.op_Explicit(A)~System.Byte", "M:D`1.op_Explicit(D{`0})~`0"],
    ),
    "a product that looks like a pointer": (
        "class A { public static A operator *(A a, A b) => a; } class C { void F(A a) { } void G(A a, A b) => F(a * b); }",
        ["M:A.op_Multiply(A,A)"],
    ),
    "a collection is made without arguments": (
        "using System.Collections; using System.Collections.Generic; class A : IEnumerable<int> { public A(int n = 0) { } public void Add(int n) { } public IEnumerator<int> GetEnumerator() => null; IEnumerator IEnumerable.GetEnumerator() => null; } class C { A F = [1]; }",
        ["M:A.#ctor(System.Int32)"],
    ),
    "the constructor that copies a record": (
        "record A(int N) { A G() => new(this); } record B(int N) : A(N) { public B(B b) : base(b) { } }",
        ["M:A.#ctor(A)", "M:A.#ctor(System.Int32)", "M:A.#ctor(A)"],
    ),
    "a branch is made of the other one's type": (
        "class A { } class B : A { } class C { A F(bool c, B b) => c ? b : new(); A G(int n, B b) => n switch { 1 => b, _ => new() }; A H(bool c) => c ? null : new(); }",
        ["M:B.#ctor", "M:B.#ctor", "M:A.#ctor"],
    ),
    "partial constructors are one": (
        "partial class A { public partial A(int n); } partial class A { public partial A(int n) { } } class C { A G() => new A(1); }",
        ["M:A.#ctor(System.Int32)"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("source", "symbols"), NAMELESS.values(), ids=NAMELESS)
def test_operators_and_constructors_that_no_name_stands_for(bind, source, symbols):
    _, whole = bind(source)

    assert [each.binding.symbol for each in whole.bindings if not each.binding.name] == symbols


def test_a_well_known_collection_of_an_absent_package_takes_what_it_is_made_of(bind):
    source = 'class R { public R(int n) { } } class C { TheoryData<string, R> D = new() { { "a", new(1) } }; Other<R> O = new() { new(1) }; }'
    _, whole = bind(source)

    implied = [(each.start, each.binding.symbol) for each in whole.bindings if not each.binding.name]
    assert implied == [(source.index("new(1)"), "M:R.#ctor(System.Int32)")]


def test_a_collection_expression_calls_the_method_that_an_attribute_names(bind):
    """As Roslyn has it, at the bracket."""
    source = """
        using System; using System.Collections; using System.Collections.Generic; using System.Runtime.CompilerServices;
        [CollectionBuilder(typeof(B), "Create")] class L<T> : IEnumerable<T> { public IEnumerator<T> GetEnumerator() => null; IEnumerator IEnumerable.GetEnumerator() => null; }
        [CollectionBuilder(typeof(B), nameof(B.Make))] class M : IEnumerable<int> { public IEnumerator<int> GetEnumerator() => null; IEnumerator IEnumerable.GetEnumerator() => null; }
        static class B { public static L<T> Create<T>(ReadOnlySpan<T> s) => null; public static L<T> Create<T>(T[] s) => null; public static M Make(ReadOnlySpan<int> s) => null; }
        class C { L<int> f = [1, 2]; void G(L<string> a) { G([""]); M m = []; } }
    """
    _, bound = bind(source)

    implied = [(source[each.start :][:2], each.binding.symbol) for each in bound.bindings if not each.binding.name]
    assert [each for each in implied if each[0][0] == "["] == [
        ("[1", "M:B.Create``1(System.ReadOnlySpan{``0})"),
        ('["', "M:B.Create``1(System.ReadOnlySpan{``0})"),
        ("[]", "M:B.Make(System.ReadOnlySpan{System.Int32})"),
    ]


ENDS = {
    "do { i++; } while (true);": True,
    "do { if (c) return 1; } while (true);": True,
    "do { if (c) break; } while (true);": False,
    "do { if (c) continue; return 1; } while (i < 3); return 2;": True,
    "while (true) { switch (i) { case 1: break; default: return 1; } }": True,
    "while (true) { for (;;) { break; } if (c) return 2; }": True,
    'while (true) { throw new Exception("break"); }': True,
    "while (true) { Action a = () => { while (c) { break; } }; a(); }": True,
    "while (true) { try { if (c) break; } finally { } }": False,
    "for (; true;) { i++; }": True,
    "for (;;) { if (c) break; }": False,
    "if (true) { return 1; }": True,
    "if (false) { return; } else { i++; }": False,
    "switch (i) { case 1: while (c) { break; } return 2; default: throw new Exception(); }": True,
    "switch (i) { case 1: break; default: throw new Exception(); }": False,
    "switch (c) { case true: return 1; case false: return 2; }": True,
    "switch (c) { case true: throw new Exception(); case false: break; }": False,
    "switch (i) { case 1: return 1; case var n: return n; }": True,
    "switch (i) { case 1: throw new Exception(); case var n when c: throw new Exception(); }": False,
    "while (Yes) { }": True,
    "for (; One == 1;) { i++; }": True,
    "do { } while (!false);": True,
    "if (Yes && true) { return 1; }": True,
    "if (One > 1) { return; }": False,
    "switch (i) { case > 0: throw new Exception(); case <= 0: throw new Exception(); }": None,
    "switch (t) { case { Length: 1 }: throw new Exception(); case { }: throw new Exception(); case null: throw new Exception(); }": None,
    "switch (i) { case int: throw new Exception(); }": None,
    "switch (One) { case 2: break; default: throw new Exception(); }": None,
    "switch (i) { case 1 when Yes: throw new Exception(); }": None,
    "switch (i) { case > 0: return 1; case <= 0: return 2; } return 3;": True,
    "switch ((c, c)) { case (true, _): throw new Exception(); case (false, _): throw new Exception(); }": None,
    "while (Unknown > 0) { }": False,
    "again: i++; if (c) goto again; return 1;": True,
    "goto end; end: i++;": False,
}


@pytest.mark.parametrize(("body", "returns"), ENDS.items(), ids=ENDS)
def test_a_lambda_that_cannot_come_to_its_end_may_return_a_value(check, body, returns):
    likely, taken = "likely " if returns is None else "", "Action" if returns is False else "Func{System.Int32}"
    check(f"""
        using System; class C {{ const bool Yes = true; const int One = 1; int F(Func<int> f) => 1; int F(Action f) => 2;
        void G(bool c, int i, string t) {{ /*{likely}M:C.F(System.{taken})*/F(() => {{ {body} }}); }} }}
    """)


OF_LANGUAGE = {
    "comparisons of real numbers": "bool F(double d, float f) => d == 0 || f < d;",
    "comparisons of decimals": "bool F(decimal d, int i) => d > 0 && d != i;",
    "operations with decimals": "decimal F(decimal d, int i) => -d + i * d;",
    "casts between numbers": "object F(double d, long n) => (decimal)d + (decimal)(nint)n;",
    "comparisons of delegates": "bool F(System.Action a, System.Delegate d, System.MulticastDelegate m) => a == d || d != m;",
    "collections that are spans": "void F() { System.ReadOnlySpan<int> a = [1, 2]; System.Span<int> b = [1]; }",
}


@pytest.mark.parametrize("member", OF_LANGUAGE.values(), ids=OF_LANGUAGE)
def test_what_the_language_itself_defines_is_no_call(bind, member):
    _, bound = bind(f"class C {{ {member} }}")

    assert [binding for _, binding in bound.bindings if not binding.name] == []


def test_parameters_of_a_lambda_that_are_all_called_a_discard_are_none(check):
    check("""
        using System;
        class C {
            int _;
            static string S(int a) => ""; static int S(string a) => 0;
            void M(string s) {
                Func<int, int, int> f = (_, _) => /*F:C._*/_;
                Action<int, string> g = (int _, string _) => /*M:C.S(System.Int32)*/S(_);
                Func<string, string, bool> h = (_, _) => int./*M:System.Int32.TryParse(System.String,System.Int32@)*/TryParse(s, out _);
                Func<string, int> one = _ => /*M:C.S(System.String)*/S(_);
            }
        }
    """)


def test_names_in_a_tuple_are_those_of_what_it_converts_to(check):
    check("""
        interface I { } class O : I { }
        class C {
            void P(params (I A, bool B)[] a) { } void Q(object o) { }
            (I A, bool B) R(O o) => (o, /*F:System.ValueTuple{I,System.Boolean}.B*/B: true);
            void M(O o) {
                P((o, /*F:System.ValueTuple{I,System.Boolean}.B*/B: true));
                (object a, long b) t = (/*F:System.ValueTuple{System.Object,System.Int64}.a*/a: o, b: 1);
                var u = (/*F:System.ValueTuple{O,System.Int32}.X*/X: o, Y: 1);
                u./*F:System.ValueTuple{O,System.Int32}.X*/X.ToString();
                Q((/*F:System.ValueTuple{O,System.Int32}.X*/X: o, Y: 1));
                (/*F:System.ValueTuple{O,System.Int32}.X*/X: o, Y: 1)./*F:System.ValueTuple{O,System.Int32}.Y*/Y.ToString();
            }
        }
    """)


def test_a_type_within_hides_members_that_are_inherited(check):
    check("""
        class B { public static int M(int i) => 0; public int P => 0; public static int F; }
        class D : B {
            public new class M { public static int E = 1; } public new class P { public static int E = 1; }
            public new class F { public static int E = 1; }
            int G() => M./*F:D.M.E*/E + P./*F:D.P.E*/E + /*T:D.F*/F.E + D.M./*F:D.M.E*/E + /*M:B.M(System.Int32)*/M(1);
        }
    """)


def test_what_is_called_and_may_be_no_delegate_may_be_a_method_further_out(check):
    check("""
        static class A {
            static int S(string s) => 0;
            class B { Unknown S; Unknown T; object M() => /*likely F:A.B.S*/S(""); object N() => /*F:A.B.T*/T(""); }
        }
    """)


def test_the_size_of_an_enum_is_a_constant(check):
    check("""
        enum E : byte { A } enum F : long { A }
        class C { void W(byte b) { } void W(object o) { } void M() { /*M:C.W(System.Byte)*/W(sizeof(E)); /*M:C.W(System.Byte)*/W(sizeof(F)); } }
    """)
