"""What a name means where it stands, by C#'s scoping rules."""

import time

import pytest

from codecortex.analysis.types.references import place_of
from codecortex.analysis.types.views import name_of_base, write_base


def case(name, source, expected, fqn="N.C"):
    return pytest.param(source, fqn, expected, id=name)


NAMESPACES = [
    case("same namespace", "namespace N; class A { } class C : A { }", {"N.A": "surface"}),
    case("enclosing namespace", "namespace N { class A { } } namespace N.M { class C : A { } }", {"N.A": "surface"},
         "N.M.C"),
    case("the inner one wins", "class A { } namespace N { class A { } namespace M { class C : A { } } }",
         {"N.A": "surface"}, "N.M.C"),
    case("the global namespace comes last", "class A { } namespace N { class C : A { } }", {"A": "surface"}),
    case("enclosing namespace before usings of the file",
         "using M; namespace M { class A { } } namespace N { class A { } class C : A { } }", {"N.A": "surface"}),
    case("using of the file",
         "using M; namespace M { class A { } } namespace N { class C : A { } }", {"M.A": "surface"}),
    case("a using brings no nested namespace",
         "using M; namespace M.O { class A { } } namespace N { class C : O.A { } }", {}),
    case("a using in the namespace before an outer namespace",
         "namespace M { class A { } } namespace N { class A { } namespace O { using M; class C : A { } } }",
         {"M.A": "surface"}, "N.O.C"),
    case("a using in the namespace is looked up inside out",
         "namespace M { class A { } } namespace N.M { class A { } } namespace N { using M; class C : A { } }",
         {"N.M.A": "surface"}),
    case("using in a file-scoped namespace",
         {"a.cs": "namespace M { class A { } }", "b.cs": "namespace N;\nusing M;\nclass C : A { }"},
         {"M.A": "surface"}),
    case("a using holds for its block alone",
         "namespace M { class A { } } namespace N { using M; class B { } } namespace N { class C : A { } }", {}),
    case("not in scope", "namespace M { class A { } } namespace N { class C : A { } }", {}),
    case("qualified", "namespace M.O { class A { } } namespace N { class C : M.O.A { } }", {"M.O.A": "surface"}),
    case("partly qualified from an enclosing namespace",
         "namespace N.Sub { class A { } } namespace N.X { class C : Sub.A { } }", {"N.Sub.A": "surface"}, "N.X.C"),
    case("global::",
         "namespace M { class A { } } namespace N.M { class A { } } namespace N { class C : global::M.A { } }",
         {"M.A": "surface"}),
    case("two usings that disagree",
         "using M; using O; namespace M { class A { } } namespace O { class A { } } namespace N { class C : A { } }",
         {"O.A": "surface?"}),
]  # fmt: skip
NESTED = [
    case("own nested type", "namespace N; class A { } class C { class A { } public A F; }", {"N.C+A": "surface"}),
    case("type of the enclosing type",
         "namespace N; class A { } class C { public class D { public A F; } class A { } }",
         {"N.C+A": "surface"}, "N.C+D"),
    case("inherited nested type", "namespace N; class B { public class A { } } class C : B { public A F; }",
         {"N.B": "surface", "N.B+A": "surface"}),
    case("inherited twice over, from a generic",
         "namespace N; class B<T> { public class A { } } class D : B<int> { } class C : D { public A F; }",
         {"N.D": "surface", "N.B`1+A": "surface"}),
    case("inherited by the enclosing type",
         "namespace N; class B { public class A { } } class C : B { public class D { public A F; } }",
         {"N.B+A": "surface"}, "N.C+D"),
    case("a base's private type is not inherited",
         "namespace N; class A { } class B { class A { } } class C : B { public A F; }",
         {"N.B": "surface", "N.A": "surface"}),
    case("a class inherits no types of interfaces",
         "namespace N; interface I { class A { } } class A { } class C : I { public A F; }",
         {"N.I": "surface", "N.A": "surface"}),
    case("an interface does", "namespace N; interface I { class A { } } class A { } interface C : I { A F { get; } }",
         {"N.I": "surface", "N.I+A": "surface"}),
    case("through a type", "namespace N; class A { public class B { public class D { } } } class C { public A.B.D F; }",
         {"N.A+B+D": "surface"}),
    case("through a derived type",
         "namespace N; class A { public class B { } } class D : A { } class C { public D.B F; }",
         {"N.A+B": "surface"}),
    case("bases that go round in circles", "namespace N; class C : A.X { } class A : C.Y { }", {"N.A": "surface"}),
    case("itself", "namespace N; class C { public C F; C.C G; }", {}),
]  # fmt: skip
ALIASES = [
    case("of a type", "using X = M.A; namespace M { class A { } } namespace N { class C : X { } }", {"M.A": "surface"}),
    case("of a generic",
         "using X = M.A<int, string>; namespace M { class A<T, U> { } } namespace N { class C : X { } }",
         {"M.A`2": "surface"}),
    case("of a namespace", "using X = M.O; namespace M.O { class A { } } namespace N { class C : X.A { } }",
         {"M.O.A": "surface"}),
    case("with ::", "using X = M.O; namespace M.O { class A { } } namespace N { class C : X::A { } }",
         {"M.O.A": "surface"}),
    case("of a nested type",
         "using X = M.A.B; namespace M { class A { public class B { } } } namespace N { class C : X { } }",
         {"M.A+B": "surface"}),
    case("inside a namespace, relative to it",
         "namespace N.M { class A { } } namespace N { using X = M.A; class C : X { } }", {"N.M.A": "surface"}),
    case("a library's hides what lies further out",
         "class A { } namespace N { using A = System.A; class C : A { } }", {}),
    case("takes no type arguments",
         "using X = M.A; namespace M { class A { } } namespace O { class X<T> { } } "
         "namespace N { using O; class C : X<int> { } }",
         {"O.X`1": "surface"}),
    case("an outer alias in an inner one's target",
         "using X = M.O; namespace M.O { class A { } } "
         "namespace N { using Y = X.A; class C : Y { } }", {"M.O.A": "surface"}),
    case("that means itself", "using X = X; namespace N { class C : X { } }", {}),
    case("using static",
         "using static M.A; namespace M { class A { public class B { } } } namespace N { class C : B { } }",
         {"M.A+B": "surface"}),
    case("using static of a generic",
         "using static M.A<int>; namespace M { class A<T> { public class B { } } } namespace N { class C : B { } }",
         {"M.A`1+B": "surface"}),
    case("using static brings nothing inherited",
         "using static M.D; namespace M { class A { public class B { } } class D : A { } } "
         "namespace N { class C : B { } }",
         {}),
]  # fmt: skip
FORMS = [
    case("arity", "namespace N; class A { } class A<T> { } class A<T, U> { } class C { public A<int> F; }",
         {"N.A`1": "surface"}),
    case("type arguments", "namespace N; class A { } class B<T> { } class C : B<B<A[]>?> { }",
         {"N.A": "surface", "N.B`1": "surface"}),
    case("a type parameter hides", "namespace N; class T { } class C<T> { public T F; class D { public T G; } }", {},
         "N.C`1"),
    case("a method's type parameter hides",
         "namespace N; class T { } class C { public T A<T>(T x) => default(T); }", {}),
    case("a method's type parameter hides in it alone",
         "namespace N; class T { } class C { public void A<T>() { } public T B; }", {"N.T": "surface"}),
    case("attribute without the ending", "namespace N; class AAttribute : Attribute { } [A] class C { }",
         {"N.AAttribute": "surface"}),
    case("attribute with the ending", "namespace N; class AAttribute : Attribute { } [AAttribute] class C { }",
         {"N.AAttribute": "surface"}),
    case("attribute named without the ending",
         "namespace N; class A : Attribute { } [A] class C { }", {"N.A": "surface"}),
    case("attribute by inheritance", "namespace N; class B : System.Attribute { } class A : B { } [A] class C { }",
         {"N.A": "surface"}),
    case("a class of an attribute's short name is none", "namespace N; class Key { } [Key] class C { }", {}),
    case("nested attribute", "namespace N; class A { public class B : Attribute { } } [A.B] class C { }",
         {"N.A+B": "surface"}),
    case("attribute by alias",
         "using X = N.AAttribute; namespace N { class AAttribute : Attribute { } [X] class C { } }",
         {"N.AAttribute": "surface"}),
    case("generic attribute", "namespace N; class AAttribute<T> : Attribute { } class B { } [A<B>] class C { }",
         {"N.AAttribute`1": "surface", "N.B": "surface"}),
    case("attribute's argument",
         "namespace N; class B { } [System.Obsolete(typeof(B))] class C { }", {"N.B": "surface"}),
    case("constraint", "namespace N; class A { } class C<T> where T : A, new() { }", {"N.A": "surface"}, "N.C`1"),
    case("tuple", "namespace N; class A { } class B { } class C { public (A B, int A) F; }", {"N.A": "surface"}),
    case("delegate", "namespace N; class A { } class B { } delegate A C(B b);", {"N.A": "surface", "N.B": "surface"}),
    case("private member", "namespace N; class A { } class C { A f; }", {"N.A": "body"}),
    case("surface before body", "namespace N; class A { } class C { public A F = new A(); }", {"N.A": "surface"}),
    case("body",
         'namespace N; class A { } class B { } class C { void M() { new A(); B.X(); var s = "D"; } } class D { }',
         {"N.A": "body", "N.B": "body"}),
    case("a member of another type hides in bodies",
         "namespace N; class A { } interface I { } "
         "class C { private I A; void M() { A.X(); M(A); } }", {"N.I": "body"}),
    case("an inherited member does too",
         "namespace N; class A { } class B { protected int A; } "
         "class C : B { void M() { A.X(); } }", {"N.B": "surface"}),
    case("a member of its own type does not",
         "namespace N; class A { } class C { private A? A { get; } void M() { A.X(); } }", {"N.A": "body"}),
    case("a member whose type has arguments does",
         "namespace N; class A { } class A<T> { } "
         "class C { private A<int> A; void M() { A.X(); } }", {"N.A`1": "body"}),
]  # fmt: skip


@pytest.mark.parametrize(("source", "fqn", "expected"), [*NAMESPACES, *NESTED, *ALIASES, *FORMS])
def test_names_mean(workspace, source, fqn, expected):
    assert workspace(source).names(fqn) == expected


A = "namespace M; public class A { }"
C = "using M; namespace N; class C : A { }"


class TestProjects:
    def test_a_reference_leads_to_types_however_far(self, workspace):
        found = workspace(
            {"a/a.cs": A, "c/c.cs": C}, {"a/a.csproj": (), "b/b.csproj": ("a/a.csproj",), "c/c.csproj": ("b/b.csproj",)}
        )
        assert found.names("N.C") == {"M.A": "surface"}

    def test_without_a_reference_a_name_is_a_librarys(self, workspace):
        assert workspace({"a/a.cs": A, "c/c.cs": C}, {"a/a.csproj": (), "c/c.csproj": ()}).names("N.C") == {}

    def test_references_may_go_round_in_circles(self, workspace):
        found = workspace({"a/a.cs": A, "c/c.cs": C}, {"a/a.csproj": ("c/c.csproj",), "c/c.csproj": ("a/a.csproj",)})
        assert found.names("N.C") == {"M.A": "surface"}

    @pytest.mark.parametrize("place", ["a/a.cs", "c/c.cs"])
    def test_files_of_no_project_are_guessed_at(self, workspace, place):
        projects = {path: () for path in ("a/a.csproj", "c/c.csproj") if not path.startswith(place[0])}
        assert workspace({"a/a.cs": A, "c/c.cs": C}, projects).names("N.C") == {"M.A": "surface?"}

    def test_files_of_no_project_see_each_other(self, workspace):
        assert workspace({"a/a.cs": A, "c/c.cs": C}).names("N.C") == {"M.A": "surface"}

    def test_its_own_type_comes_before_a_referenced_one(self, workspace):
        found = workspace({"a/a.cs": A, "c/c.cs": C, "c/a.cs": A}, {"a/a.csproj": (), "c/c.csproj": ("a/a.csproj",)})
        assert [edge.target for edge in found.edges("N.C")] == [found.find("M.A", "c/c.csproj").id]

    def test_two_referenced_types_of_one_name_leave_doubt(self, workspace):
        projects = {"a/a.csproj": (), "b/b.csproj": (), "c/c.csproj": ("a/a.csproj", "b/b.csproj")}
        (edge,) = workspace({"a/a.cs": A, "b/a.cs": A, "c/c.cs": C}, projects).edges("N.C")
        assert not edge.exact
        assert len(edge.candidates) == 2
        assert edge.target == edge.candidates[0]

    def test_nested_types_are_sought_in_the_container_of_the_same_project(self, workspace):
        other = "namespace N; class B { public class X { } } class C : B { }"
        mine = "namespace N; class D { public class X { } } class C : D { public X F; }"
        found = workspace({"a/a.cs": other, "c/c.cs": mine}, {"a/a.csproj": (), "c/c.csproj": ("a/a.csproj",)})
        assert found.names("N.C", "c/c.csproj") == {"N.D": "surface", "N.D+X": "surface"}

    def test_global_usings_hold_in_their_project(self, workspace):
        files = {
            "a/a.cs": A,
            "a/g.cs": "global using M;",
            "a/c.cs": "namespace N; class C : A { }",
            "b/c.cs": "class D : A { }",
        }
        found = workspace(files, {"a/a.csproj": (), "b/b.csproj": ("a/a.csproj",)})
        assert found.names("N.C") == {"M.A": "surface"}
        assert found.names("D") == {}

    @pytest.mark.parametrize(("using", "name"), [("M", "A"), ("static M.A", "B"), ("X = M.A", "X"), ("X = M", "X.A")])
    def test_a_project_file_gives_usings(self, workspace, using, name):
        files = {"a/a.cs": "namespace M; class A { public class B { } }", "a/c.cs": f"class C {{ public {name} F; }}"}
        found = workspace(files, {"a/a.csproj": ()}, {"a/a.csproj": (using,)})
        assert found.names("C") == {"M.A+B" if name == "B" else "M.A": "surface"}


class TestFileLocalTypes:
    def test_only_their_own_file_sees_them(self, workspace):
        found = workspace(
            {"a.cs": "namespace N; file class A { } class C : A { }", "b.cs": "namespace N; class D : A { }"}
        )
        assert found.names("N.C") == {"N.A": "surface"}
        assert found.names("N.D") == {}

    def test_they_hide_others_of_their_name_there(self, workspace):
        files = {
            "a.cs": "namespace N; file class A { } class C : A { }",
            "b.cs": "namespace N; class A { } class D : A { }",
        }
        found = workspace(files)
        by_owner = {t.owner: t.id for t in found.types if t.fqn == "N.A"}
        assert [edge.target for edge in found.edges("N.C")] == [by_owner["a.cs"]]
        assert [edge.target for edge in found.edges("N.D")] == [by_owner[""]]

    def test_their_nested_types_are_as_local(self, workspace):
        text = "namespace N; file class A {{ public class B {{ }} }} class {} {{ A.B f; }}"
        found = workspace({"a.cs": text.format("C"), "b.cs": text.format("D")})
        for name, path in (("N.C", "a.cs"), ("N.D", "b.cs")):
            assert [found.by_id[edge.target].owner for edge in found.edges(name)] == [path]


def test_edges_count_the_surface_and_are_sorted_by_target(workspace):
    found = workspace("class A { } class B { } class C : A { public A X(A a, B b) => new A(); }")
    edges = found.edges("C")
    assert {(found.by_id[e.target].fqn, e.count) for e in edges} == {("A", 3), ("B", 1)}
    assert list(edges) == sorted(edges)


def test_attributes_may_be_left_out(workspace):
    found = workspace("class AAttribute : Attribute { } class B { } [A] class C : B { [A] public int X; }")
    edges = found.resolver.surface_edges_of(found.find("C"), attributes=False)
    assert [found.by_id[edge.target].fqn for edge in edges] == ["B"]


def test_a_base_is_resolved_where_it_stands(workspace):
    found = workspace("class C : A<int>.B { } class A<T> { public class B { } }")
    merged = found.find("C")
    place = place_of(merged, merged.parts[0])._replace(fqn=merged.container)
    assert [d.fqn for d in found.resolver.resolve(name_of_base("A<int>.B"), place).types] == ["A`1+B"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("A", "A"), ("global::N.A?", "global.N.A"), ("A<B>", "A`1"), ("A<B, C<D, E>>", "A`2"), ("A<(B, C)>", "A`1"),
        ("A<B[,]>", "A`1"), ("N.A<B>.C<D, E>", "N.A`1.C`2"), ("A<B>.C", "A`1.C"), ("@class", "class"), ("A<", "A"),
    ],
)  # fmt: skip
def test_a_type_as_written_gives_the_name_to_look_up(text, name):
    assert name_of_base(text) == name


@pytest.mark.parametrize(
    ("text", "fqn", "shown"),
    [
        ("A", "N.A", "N.A"), ("M.A<B.C>", "N.A`1", "N.A<B.C>"), ("A", "N.O`1+A", "N.O<T>.A"),
        ("A<B>", "N.O`1+A`1", "N.O<T>.A<B>"), ("O<B>.A", "N.O`1+A", "N.O<B>.A"),
        ("O.A<(B, C.D<E>)>", "N.O+A`1", "N.O.A<(B, C.D<E>)>"),
        ("Alias", "N.A`2", "N.A<T1, T2>"), ("global::N.O<B, C>.A<D>", "N.O`2+A`1", "N.O<B, C>.A<D>"),
    ],
)  # fmt: skip
def test_a_base_is_written_in_full(text, fqn, shown):
    assert write_base(text, fqn) == shown


def test_a_long_chain_of_bases_takes_linear_time(workspace):
    count = 1500
    source = "class C0 { public class X { } }" + "".join(
        f" class C{n} : C{n - 1}.X {{ public X F; }}" for n in range(1, count)
    )
    found = workspace(source)
    start = time.process_time()
    for merged in found.types:
        found.resolver.edges_of(merged)
    assert time.process_time() - start < 3
