"""Parameters come, go and change places with all who call; what cannot follow is refused with its place."""

import pytest

from tests.operations.refactoring.conftest import parse_files

ONE = "namespace N;\nclass A\n{{\n    public {0}\n    {1}\n}}\n"


def add(text, *more):
    return ("--add-parameter", text, *more)


def order(names):
    return ("--order", names)


def remove(*names):
    return tuple(word for name in names for word in ("--remove-parameter", name))


ONE_DOCUMENTED = '== A.cs\nclass A\n{\n    /// <param name="b">Two.</param>\n    void M(int a, int b) => M(1, 2);\n}\n'

DONE = {
    "optional at the end": (
        "void M(int a) { }",
        "void F() { M(1); }",
        add("int b = 2"),
        "void M(int a, int b = 2) { }",
        None,
    ),
    "needed at the end": (
        "void M(int a) { }",
        "void F() { M(M2(1)); M(a: 1); } int M2(int a) => a;",
        add("int b", "--argument", "7"),
        "void M(int a, int b) { }",
        "void F() { M(M2(1), 7); M(a: 1, b: 7); } int M2(int a) => a;",
    ),
    "a text": (
        "void M(int a) { }",
        "void F() { M(1); }",
        add('string b = "some text"', "--argument", '@"more text"'),
        'void M(int a, string b = "some text") { }',
        'void F() { M(1, @"more text"); }',
    ),
    "a number with letters": (
        "void M(int a) { }",
        "void F() { M(1); }",
        add("object b", "--argument", "new { A = 0x1F, B = 1e5, C = 'c' }"),
        "void M(int a, object b) { }",
        "void F() { M(1, new { A = 0x1F, B = 1e5, C = 'c' }); }",
    ),
    "the first of all": (
        "void M() { }",
        "void F() { M(); }",
        add("int b", "--argument", "7"),
        "void M(int b) { }",
        "void F() { M(7); }",
    ),
    "the rest needs nothing": (
        "void M(int a) { }",
        "void F() { M(1); }",
        add("params int[] b"),
        "void M(int a, params int[] b) { }",
        None,
    ),
    "before another one": (
        'void M(int a, string s = "") { }',
        'void F() { M(1); M(1, "x"); M(s: "y", a: 2); }',
        add("int b", "--argument", "7", "--before", "a"),
        'void M(int b, int a, string s = "") { }',
        'void F() { M(7, 1); M(7, 1, "x"); M(7, s: "y", a: 2); }',
    ),
    "needed goes before optional": (
        'void M(int a, string s = "") { }',
        'void F() { M(1, "x"); }',
        add("int b", "--argument", "7"),
        'void M(int a, int b, string s = "") { }',
        'void F() { M(1, 7, "x"); }',
    ),
    "before the rest": (
        "void M(int a, params int[] r) { }",
        "void F() { M(1); M(1, 2, 3); }",
        add("int b = 5"),
        "void M(int a, int b = 5, params int[] r) { }",
        "void F() { M(1); M(1, 5, 2, 3); }",
    ),
    "a call within a call": (
        "int M(int a) => a;",
        "int F() => M(M(M(1)));",
        add("int b", "--argument", "7"),
        "int M(int a, int b) => a;",
        "int F() => M(M(M(1, 7), 7), 7);",
    ),
    "by reference": (
        "void M(int a) { }",
        "int _x; void F() { M(1); }",
        add("ref int b", "--argument", "_x"),
        "void M(int a, ref int b) { }",
        "int _x; void F() { M(1, ref _x); }",
    ),
    "the last one goes": (
        "void M(int a, int b) { }",
        "void F(int c) { M(1, c); M(b: 2, a: 3); M(1, -1); }",
        remove("b"),
        "void M(int a) { }",
        "void F(int c) { M(1); M(a: 3); M(1); }",
    ),
    "the first one goes": (
        "void M(int a, int b) { }",
        "void F() { M(1, 2); }",
        remove("a"),
        "void M(int b) { }",
        "void F() { M(2); }",
    ),
    "all go": (
        "void M(int a, params int[] b) { }",
        "void F() { M(1, 2, 3); M(1); }",
        remove("a", "b"),
        "void M() { }",
        "void F() { M(); M(); }",
    ),
    "one goes and one comes": (
        "void M(int a, int b) { }",
        "void F() { M(1, 2); }",
        (*remove("b"), *add("string c", "--argument", "null")),
        "void M(int a, string c) { }",
        "void F() { M(1, null); }",
    ),
    "two change places": (
        "void M(int a, string b) { }",
        'void F(int x) { M(x, "y"); M(b: "z", a: x); }',
        order("b, a"),
        "void M(string b, int a) { }",
        'void F(int x) { M("y", x); M(b: "z", a: x); }',
    ),
    "names may be written with @": (
        "void M(int a, string @new) { }",
        'void F(int x) { M(x, "y"); }',
        order("@new, a"),
        "void M(string @new, int a) { }",
        'void F(int x) { M("y", x); }',
    ),
    "what follows one that goes unsaid gets a name": (
        "int M(int a, int b = 5, int c = 6) => a;",
        "void F() { M(1, 2); M(M(1), M(2)); M(1, 2, 3); M(1); M(1, c: 2); }",
        order("a, c, b"),
        "int M(int a, int c = 6, int b = 5) => a;",
        "void F() { M(1, b: 2); M(M(1), b: M(2)); M(1, 3, 2); M(1); M(1, c: 2); }",
    ),
    "what does something keeps its turn": (
        "int M(int a, int b) => a;",
        "int F() => M(M(1, 2), G()); int G() => 1;",
        order("b, a"),
        "int M(int b, int a) => a;",
        "int F() => M(a: M(2, 1), b: G()); int G() => 1;",
    ),
}


@pytest.mark.parametrize("case", DONE.values(), ids=DONE)
def test_calls_follow(refactor, case):
    member, use, asked, after, follows = case
    files = refactor(f"== A.cs\n{ONE.format(member, use)}", "signature", "N.A.M", *asked)
    assert files == {"A.cs": ONE.format(after, follows or use)}


WHOLE = {
    "a family with its documentation": (
        """== A.cs
using System.Threading;
namespace N;
interface I
{
    /// <summary>See <see cref="Do(int)"/> and <see cref="Do"/>.</summary>
    /// <param name="n">One.</param>
    void Do(int n);
}
class B : I { public virtual void Do(int n) { } }
class C : B { public override void Do(int n) { base.Do(n); } }
class D : I { void I.Do(int n) { } }
class E { void F(C c, I i) { c?.Do(1); i.Do(2); var n = nameof(I.Do); } }
""",
        ("N.I.Do", *add("CancellationToken token", "--argument", "default", "--doc", "Ends it.")),
        """== A.cs
using System.Threading;
namespace N;
interface I
{
    /// <summary>See <see cref="Do(int, CancellationToken)"/> and <see cref="Do"/>.</summary>
    /// <param name="n">One.</param>
    /// <param name="token">Ends it.</param>
    void Do(int n, CancellationToken token);
}
class B : I { public virtual void Do(int n, CancellationToken token) { } }
class C : B { public override void Do(int n, CancellationToken token) { base.Do(n, token); } }
class D : I { void I.Do(int n, CancellationToken token) { } }
class E { void F(C c, I i) { c?.Do(1, default); i.Do(2, default); var n = nameof(I.Do); } }
""",
    ),
    "constructors": (
        """== A.cs
namespace N;
class A { public A(int a) { } public A() : this(1) { } }
class B : A { B() : base(2) { A c = new(3); var d = new N.A(4) { }; } }
class C(int x) : A(x) { }
class D : System.Attribute { public D(int a) { } }
[D(1)] class E { }
""",
        ("N.A.A(int)", *add("string s", "--argument", '""')),
        """== A.cs
namespace N;
class A { public A(int a, string s) { } public A() : this(1, "") { } }
class B : A { B() : base(2, "") { A c = new(3, ""); var d = new N.A(4, "") { }; } }
class C(int x) : A(x, "") { }
class D : System.Attribute { public D(int a) { } }
[D(1)] class E { }
""",
    ),
    "attributes that set properties": (
        "== A.cs\nclass D : System.Attribute { public D(int a) { } public int P; }\n[D(1, P = 3)] class E { }\n",
        ("D.D", "--add-parameter", "int b", "--argument", "2"),
        (
            "== A.cs\nclass D : System.Attribute { public D(int a, int b) { } public int P; }\n"
            "[D(1, 2, P = 3)] class E { }\n"
        ),
    ),
    "attributes and calls without a list": (
        "== A.cs\nclass D : System.Attribute { public D() { } }\n[D] class E { D F = new D { }; }\n",
        ("D.D()", *add("int a", "--argument", "1")),
        "== A.cs\nclass D : System.Attribute { public D(int a) { } }\n[D(1)] class E { D F = new D(1) { }; }\n",
    ),
    "extension methods": (
        (
            "== A.cs\nstatic class T { public static int Twice(this int n, int m) => n; }\n"
            "class U { int A(int x) => x.Twice(1) + 2.Twice(3) + T.Twice(4, 5); }\n"
        ),
        ("T.Twice", *add("int k", "--argument", "0", "--before", "m")),
        (
            "== A.cs\nstatic class T { public static int Twice(this int n, int k, int m) => n; }\n"
            "class U { int A(int x) => x.Twice(0, 1) + 2.Twice(0, 3) + T.Twice(4, 0, 5); }\n"
        ),
    ),
    "an argument of an attribute goes": (
        "== A.cs\n[A(3)] class A : System.Attribute { public A(int b) { } }\n",
        ("A.A", *remove("b")),
        "== A.cs\n[A()] class A : System.Attribute { public A() { } }\n",
    ),
    "the only documented parameter goes": (
        ONE_DOCUMENTED,
        ("A.M", *remove("b")),
        ONE_DOCUMENTED.replace('    /// <param name="b">Two.</param>\n', "")
        .replace("int a, int b", "int a")
        .replace("1, 2", "1"),
    ),
    "a parameter and its documentation go": (
        (
            '== A.cs\nclass A\n{\n    /// <summary>x</summary>\n    /// <param name="a">One.</param>\n'
            '    /// <param name="b">Two.</param>\n    void M(int a, int b) => M(1, 2);\n}\n'
        ),
        ("A.M", *remove("a")),
        (
            '== A.cs\nclass A\n{\n    /// <summary>x</summary>\n    /// <param name="b">Two.</param>\n'
            "    void M(int b) => M(2);\n}\n"
        ),
    ),
}


BARE = (
    'interface I { string M(int a); }\nclass S : I { string I.M(int a) => ""; }\n'
    "partial class P { public partial int N(int a); }\npartial class P { public partial int N(int a) => a; }\n"
)


def test_a_default_value_stands_only_where_callers_see_it(refactor):
    done = refactor(f"== A.cs\n{BARE}", "signature", "I.M", *add("int b = 0"))["A.cs"]
    assert done == BARE.replace("M(int a);", "M(int a, int b = 0);").replace("I.M(int a)", "I.M(int a, int b)")


def test_of_a_partial_method_the_declaring_part_has_the_default_value(refactor):
    done = refactor(f"== A.cs\n{BARE}", "signature", "P.N", *add("int b = 0"))["A.cs"]
    assert done == BARE.replace("N(int a);", "N(int a, int b = 0);").replace("N(int a) =>", "N(int a, int b) =>")


def test_an_order_that_an_override_cannot_have_is_refused(refactor):
    text = (
        '== A.cs\nabstract class A { public abstract void M(int a, string s = ""); }\n'
        "class B : A { public override void M(int a, string s) { } }\n"
    )
    told = refactor(text, "signature", "A.M", *add("int b = 0", "--before", "s"), ends=3)
    assert "A.cs:2: A.M(int, string) cannot have s, which needs an argument, behind b" in told


@pytest.mark.parametrize(("before", "arguments", "after"), WHOLE.values(), ids=WHOLE)
def test_all_of_a_family_follows(refactor, before, arguments, after):
    assert refactor(before, "signature", *arguments) == parse_files(after)


_UNCALLED = "A.cs:5:31 uses N.A.M(int) without calling it."
_SPOKEN = 'void O() { }\n    /// <paramref name="a"/>\n    void M(int a) { }'
REFUSED = {
    "used in the body": ("void M(int a) { a++; }", "", remove("a"), "A.cs:4:28 uses a."),
    "something happens": (
        "void M(int a) { }",
        "void F() { M(G()); } int G() => 1;",
        remove("a"),
        "A.cs:5:16: the call of N.A.M(int) passes G(), which may do something when it is evaluated.",
    ),
    "a property is read": ("void M(int a) { }", "int P => 1; void F() { M(P); }", remove("a"), "passes P, which"),
    "out": ("void M(out int a) { a = 1; }", "", remove("a"), "uses a."),
    "a delegate": ("void M(int a) { }", "System.Action<int> F() => M;", add("int b = 1"), _UNCALLED),
    "nothing to pass": ("void M() { }", "void F() { M(); }", add("int b"), "needs something for b: give --argument."),
    "the name is a local's": ("void M() { int b = 1; }", "", add("int b = 1"), "A.cs:4:27 declares b already."),
    "the name is a field's": ("int b; void M() { b = 1; }", "", add("int b = 1"), "a parameter, not F:N.A.b"),
    "there already": ("void M() { }", "void M(int c) { }", add("int b = 1"), "there is M:N.A.M(System.Int32) already."),
    "another overload": (
        "void M(int a) { }",
        "void M(int a, long b) { } void F() { M(1, 2); }",
        add("int b = 1"),
        "M would mean M:N.A.M(System.Int32,System.Int32), not M:N.A.M(System.Int32,System.Int64)",
    ),
    "unknown": ("void M() { }", "", add("Unknown b = null"), "Unknown is not known in A.cs."),
    "a collection's Add": (
        "void M() { A a = new() { 1 }; } public void Add(int a) { }",
        "public System.Collections.IEnumerator GetEnumerator() => null;",
        add("int b", "--argument", "1"),
        "A.cs:4:37 calls N.A.Add(int) without saying so.",
    ),
    "a type argument needs it": (
        "A() { }",
        "T Make<T>() where T : new() => new(); A F() => Make<A>();",
        add("int b = 1"),
        "A.cs:5:57 needs N.A.A() for a `new()` constraint.",
    ),
    "a type's argument needs it": (
        "A() { }",
        "class G<S, T> where T : new() { class I<U> { } } G<int, A>.I<A> f;",
        add("int b = 1"),
        "A.cs:5:61 needs N.A.A() for a `new()` constraint.",
    ),
    "a program begins there": (
        "static void Main() { }",
        "",
        add("int b = 1"),
        "N.A.Main() may be where a program begins.",
    ),
    "the documentation speaks of it": (_SPOKEN, "", remove("a"), "speaks of a in its"),
}
USAGE = {
    "no such parameter": ("void M(int a) { }", remove("b"), "has no parameter b."),
    "optional before needed": ("void M(int a = 1) { }", add("int b", "--before", ""), ""),
    "behind an optional one": ("void M(int a, int b = 1) { }", order("b,a"), "a, which needs an argument, behind b"),
    "behind the rest": ("void M(int a, params int[] b) { }", order("b,a"), "has to end with b, which takes the rest."),
    "some of them": ("void M(int a, int b) { }", order("a"), "has other parameters than --order names"),
    "there": ("void M(int a) { }", add("int a"), "has a parameter a already."),
    "no parameter": ("void M(int a) { }", add("int"), "is no parameter."),
    "a word of the language": ("void M(int a) { }", add("int class = 3"), "is no parameter."),
    "nothing": ("void M(int a) { }", (), "Nothing says what is to become of the parameters."),
}


@pytest.mark.parametrize(("member", "use", "asked", "told"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_follow_is_refused(refactor, member, use, asked, told):
    text = f"== A.cs\n{ONE.format(member, use)}"
    names = {"Main": "Main", "M()": "M()", "M(int a)": "M(int)", "A()": "A()"}
    name = next((names[each] for each in names if each in member), "M")
    if "Add" in member:
        text, name = text.replace("class A\n", "class A : System.Collections.IEnumerable\n"), "Add"
    assert told in refactor(text, "signature", f"N.A.{name}", *asked, ends=3)


def test_a_place_names_the_constructor_too(refactor):
    text = "== A.cs\nclass A\n{\n    A(int a) { }\n    A F() => new A(1);\n}\n"
    done = refactor(text, "signature", "A.cs:4:18", *add("int b", "--argument", "2"))
    assert done == parse_files(text.replace("int a", "int a, int b").replace("A(1)", "A(1, 2)"))


@pytest.mark.parametrize(("member", "asked", "told"), USAGE.values(), ids=USAGE)
def test_lists_that_the_language_has_not_are_refused(refactor, member, asked, told):
    ends = 2 if told else 0
    assert told in refactor(f"== A.cs\n{ONE.format(member, '')}", "signature", "N.A.M", *asked, ends=ends) or not told


DERIVED = {
    "it needs an argument": ("public B() { }", "B.B()", add("int b", "--argument", "1"), True),
    "two fit": ("public B() { } public B(int x = 0) { }", "B.B()", add('string s = ""'), True),
    "another one is called": ('public B(int x) { } public B(string s = "") { }', "B.B(int)", remove("x"), True),
    "the same is called": ("public B(int x = 0) { }", "B.B(int)", add("int y = 0"), False),
    "it is none of them": ("public B() { } public B(int x) { }", "B.B(int)", add("int y", "--argument", "2"), False),
}


@pytest.mark.parametrize(("made", "symbol", "asked", "is_refused"), DERIVED.values(), ids=DERIVED)
def test_types_that_derive_without_a_call_are_refused(refactor, made, symbol, asked, is_refused):
    text = f"== A.cs\nclass A {{ }}\nclass B {{ {made} }}\nclass C : B {{ }}\n"
    told = refactor(text, "signature", symbol, *asked, ends=3 if is_refused else 0)
    assert ("A.cs:3 calls " in told) == is_refused


def test_a_call_in_another_part_is_said(refactor):
    text = (
        "== A.cs\nclass B { public B() { } }\npartial class C : B { }\npartial class C { C() : base() { } }\n"
        "class D(int x) : B() { int X => x; }\n"
    )
    assert refactor(text, "signature", "B.B()", *add("int b", "--argument", "1"))["A.cs"] == (
        "class B { public B(int b) { } }\npartial class C : B { }\npartial class C { C() : base(1) { } }\n"
        "class D(int x) : B(1) { int X => x; }\n"
    )


def test_what_may_call_is_a_candidate(refactor):
    text = "== A.cs\nclass A { public void M(int a) { } void F(dynamic d) { d.M(1); } }\n"
    told = refactor(text, "signature", "A.M", *add("int b", "--argument", "1"), ends=1, write=False)
    assert told.splitlines()[0] == "signature A.M(int): choose (1 edit certain)"
    assert "A.cs:1:58  nothing binds this name: class A { public void M(int a)" in told


def test_code_that_is_not_compiled_cannot_follow(refactor):
    text = "== A.cs\nclass A { public void M(int a) { }\n#if OTHER\nvoid F() => M(1);\n#endif\n}\n"
    told = refactor(text, "signature", "A.M", *add("int b = 1"), "--include", "all", ends=3)
    assert "A.cs:3:13 is compiled under other symbols only." in told


PRIMARY = {
    "of a class": (
        "class B(int x) { int F() => x; B() : this(1) { } }\nclass D(int y) : B(y) { B M() => new(2); }\n",
        "B.B(int)",
        add("int z", "--argument", "7"),
        (
            "class B(int x, int z) { int F() => x; B() : this(1, 7) { } }\n"
            "class D(int y) : B(y, 7) { B M() => new(2, 7); }\n"
        ),
    ),
    "of a struct, with documentation": (
        '/// <param name="x">X.</param>\nstruct S(int x) { int X => x; static S M() => new S(1); }\n',
        "S.S(int)",
        add("int y = 0", "--doc", "Y."),
        (
            '/// <param name="x">X.</param>\n/// <param name="y">Y.</param>\n'
            "struct S(int x, int y = 0) { int X => x; static S M() => new S(1); }\n"
        ),
    ),
    "another order": (
        'class B(int a, string b) { string F() => b + a; }\nclass C { B M() => new B(1, "b"); }\n',
        "B.B(int, string)",
        order("b,a"),
        'class B(string b, int a) { string F() => b + a; }\nclass C { B M() => new B("b", 1); }\n',
    ),
    "one goes": (
        "class B(int x, int y) { int F() => x; }\nclass C { B M() => new(1, 2); }\n",
        "B.B(int, int)",
        remove("y"),
        "class B(int x) { int F() => x; }\nclass C { B M() => new(1); }\n",
    ),
}
PRIMARY_REFUSED = {
    "a use": ("class B(int x, int y) { int F() => y; }\n", "B.B(int, int)", remove("y"), "A.cs:1:36 uses y."),
    "a record": ("record R(int A);\n", "R.R(int)", add("int B = 0"), "taken apart by"),
    "another part": (
        "partial class B(int x, int y) { }\npartial class B { int F() => y; }\n",
        "B.B(int, int)",
        remove("y"),
        "Other parts",
    ),
}


@pytest.mark.parametrize(("text", "symbol", "asked", "after"), PRIMARY.values(), ids=PRIMARY)
def test_the_constructor_of_a_type_s_own_list_follows(refactor, text, symbol, asked, after):
    assert refactor(f"== A.cs\n{text}", "signature", symbol, *asked)["A.cs"] == after


@pytest.mark.parametrize(("text", "symbol", "asked", "told"), PRIMARY_REFUSED.values(), ids=PRIMARY_REFUSED)
def test_what_rests_on_a_type_s_own_list_refuses(refactor, text, symbol, asked, told):
    assert told in refactor(f"== A.cs\n{text}", "signature", symbol, *asked, ends=3)
