import pytest

RULES = {
    "an alias is seen before what a namespace imports": """
        using A = X./*T:X.B*/B; using Y;
        namespace X { public class B { } } namespace Y { public class A { } }
        class C { /*T:X.B*/A f; }
    """,
    "a namespace around comes before its using directives": """
        using Y; namespace Y { public class A { } }
        namespace Z { public class A { } class C { /*T:Z.A*/A f; } }
    """,
    "a nested type of a base is seen": """
        class Base { protected class Inner { } } class C : Base { /*T:Base.Inner*/Inner f; }
    """,
    "a private nested type of a base is passed over": """
        class Inner { } class Base { class Inner { } } class C : Base { /*T:Inner*/Inner f; }
    """,
    "the number of type arguments counts": """
        class A { } class A<T> { } class C { /*T:A*/A f; /*T:A`1*/A</*T:A*/A> g; }
    """,
    "in a call, types within are passed over": """
        using static X; static class X { public static int F(int n) => 1; public static int F<T>(int n) => 1; }
        class C { class F { public static int N; } int G() => /*M:X.F(System.Int32)*/F(1) + /*M:X.F``1(System.Int32)*/F<int>(1) + /*T:C.F*/F./*F:C.F.N*/N; }
    """,
    "a base list sees type parameters but no nested types": """
        class Inner { } class C<T> : B</*T:Inner*/Inner> { class Inner { } } class B<T> { }
    """,
    "a static using imports nested types": """
        using static X.A; namespace X { public static class A { public class B { } } } class C { /*T:X.A.B*/B f; }
    """,
    "a static using imports no nested types of a base": """
        using static X.A; namespace X { public class Z { public class B { } } public class A : Z { } }
        class C { /*unknown*/B f; }
    """,
    "a relative using directive means the nearer namespace": """
        namespace X.Y { public class A { } } namespace X { using Y; class C { /*T:X.Y.A*/A f; } }
    """,
    "global:: leaves what is nearer": """
        class A { } namespace X { class A { } class C { global::/*T:A*/A f; } }
    """,
    "a type parameter hides a type": """
        class T { } class C<T> { T f; } class D { /*T:T*/T f; }
    """,
    "a verbatim identifier is the same name": """
        class @class { } class C { /*T:class*/@class f; }
    """,
    "escapes in identifiers are resolved": r"""
        class \u0041b { } class C { /*T:Ab*/Ab f; }
    """,
    "arrays, pointers, nullables and tuples name their elements": """
        struct S { } class C { /*T:S*/S[] a; /*T:S*/S? b; (/*T:S*/S x, int y) c; unsafe /*T:S*/S* d; }
    """,
    "aliases of a project go before what its files import": """
        global using A = X.B<int>; using X; namespace X { public static class A { } public struct B<T> { public int N; } }
        class C { /*T:X.B`1*/A f; int G() => f./*F:X.B`1.N*/N; }
    """,
    "an alias of what is not known stands for what its directive names": """
        using A = X.Y; using N = X.Z; using V = X.W<int>; using System.Collections.Generic;
        class C { static int E(List<A> f) => 1; static string E(IEnumerable<Y> f) => null; static int F(A a, N.Q q, V v, X.G<int>.I i) => 1;
        void M(A a, Y y, N.Q q, V v, X.G<int>.I i) { /*M:C.E(System.Collections.Generic.List{X.Y})*/E(new List<Y>()); /*M:C.F(X.Y,X.Z.Q,X.W{System.Int32},X.G{System.Int32}.I)*/F(a, q, v, i); } }
    """,
    "no name but its keyword means void": """
        using System; using Absent; class C<T> { C</*unknown*/Void> f; void G() { } }
    """,
    "a type cannot be called": """
        using System; using static Absent.A; class C { void G() { /*unknown*/Range(1, 2); /*unknown*/Tuple<int, int>(1, 2); var n = nameof(/*T:System.Range*/Range); } }
    """,
    "aliases of a file go before what its project imports": """
        global using X; using A = Y.B; namespace X { public class A { } } namespace Y { public class B { } }
        class C { /*T:Y.B*/A f; }
    """,
    "an alias of what is not known is nothing that is imported": """
        global using X; using A = Absent.A; namespace X { public class A { public int N; } } class C { /*unknown*/A f; int G() => f./*unknown*/N; }
    """,
    "nor what a namespace around declares": """
        class A { } namespace N { using A = Absent.A; class C { /*unknown*/A f; } }
    """,
}


@pytest.mark.parametrize("source", RULES.values(), ids=RULES)
def test_names_of_types(check, source):
    check(source)


def test_a_file_local_type_is_seen_in_its_file_alone(bind):
    found, _ = bind("file class A { } class C { A f; }")

    assert found[27].symbol == "T:A"


def test_attributes_are_found_with_and_without_their_suffix(check):
    check("""
        using System;
        class AAttribute : Attribute { } class B : Attribute { } class A { } class Test { }
        [/*T:AAttribute*/A, /*T:B*/B] class C { [/*T:AAttribute*/AAttribute] int f; }
    """)


def test_a_verbatim_attribute_has_no_suffix(check):
    check("""
        using System;
        class AAttribute : Attribute { } class A : Attribute { }
        [/*T:A*/@A] class C { }
    """)


def test_an_attribute_never_means_a_class_that_is_none(check):
    check("namespace X { using System; class A : Attribute { } class C { class A { } [/*T:X.A*/A] int f; } }")


def test_a_class_whose_bases_are_unknown_is_likely_an_attribute_beside_unknown_namespaces(check):
    check("using Unknown; class A : Base { } [/*likely T:A*/A] class C { }")


def test_a_class_named_as_an_attribute_is_one_where_the_unknown_base_is_named_so_too(check):
    check("""
        using Unknown;
        class MineAttribute : FactAttribute { } class SubAttribute : MineAttribute { } class AAttribute : Base { }
        [/*T:MineAttribute*/Mine, /*T:SubAttribute*/Sub, /*likely T:AAttribute*/A] class C { }
    """)


def test_what_an_unknown_base_class_is_made_with_is_bound(check):
    check("class S { public static int F(int a) => a; } class C(int p) : Unknown(S./*M:S.F(System.Int32)*/F(p)) { }")


def test_a_type_parameter_of_a_method_hides_members_of_its_type(check):
    """Inside `Go<T>`, `T` is the type parameter, though the class has a method `T`."""
    check("""
        interface I<T> where T : I<T> { static abstract T Make(); }
        class C { void T() { } static A Go<A>() where A : I<A> => A./*M:I`1.Make*/Make(); static T Own<T>() where T : I<T> => T./*M:I`1.Make*/Make(); }
    """)


def test_names_that_the_grammar_takes_for_keywords_keep_their_letters(check):
    """In brackets `property` and `field` are parameters, whose members are those of A; so is `async`."""
    check("""
        class A { public int N; }
        class C { int F(A property, A field, A async, int[] b) => b[property./*F:A.N*/N] + b[field./*F:A.N*/N] + async./*F:A.N*/N; }
    """)


@pytest.mark.parametrize("internals", [False, True])
def test_an_internal_type_of_another_project_is_passed_over_unless_it_shows_it(check_beside, internals):
    library = "namespace L { public class Base { internal class Timer { } } internal class Version { } internal class Only { } } namespace M { public class Z { } } namespace L { internal class Z { } }"
    version, other, timer = ("System.Version", "M.Z", "System.Threading.Timer")
    if internals:
        version, other, timer = ("L.Version", "L.Z", "L.Base.Timer")
    application = f"""
        using System; using System.Threading; using M; namespace L.App {{ class C : Base {{ /*T:{timer}*/Timer t; /*T:{version}*/Version a; /*T:{other}*/Z b; /*T:L.Only*/Only c; L./*T:L.Version*/Version d; }} }}
    """
    check_beside(library, application, internals=internals)
