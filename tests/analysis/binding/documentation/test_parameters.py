import pytest

# "1" marks a use, "2" where what it means is declared
RULES = {
    "of a method": "class C { /** <param name='1a'/> */ void F(int 2a) { } }",
    "one that the text refers to": "class C { /** <summary><paramref name='1a'/></summary> */ void F(int b, int 2a) { } }",
    "of an indexer": "class C { /** <param name='1a'/> */ int this[int 2a] => a; }",
    "of an operator": "class C { /** <param name='1a'/> */ public static C operator +(C 2a, C b) => a; }",
    "of a conversion": "class C { /** <param name='1a'/> */ public static implicit operator int(C 2a) => 1; }",
    "of a constructor": "class C { /** <param name='1a'/> */ C(int 2a) { } }",
    "of a delegate": "/** <param name='1a'/> */ delegate void D(int 2a);",
    "of a primary constructor": "/** <param name='1a'/> */ class C(int 2a) { }",
    "of a record": "/** <param name='1a'/> */ record C(int 2a);",
    "a keyword": "class C { /** <param name='1class'/> */ void F(int 2@class) { } }",
    "behind attributes": "class C { /** <param name='1a'/> */ [System.Obsolete] void F(int 2a) { } }",
    "in lines, other comments between": 'class C {\n/// <param\n/// name="1a">\n// no\n/// </param>\n#if NO\nint b;\n#endif\nvoid F(int 2a) { } }',
    "before other comments": "class C { /// <param name='1a'/>\n#region r\n/* x */ // y\nvoid F(int 2a) { }\n#endregion\n }",
    "the receiver of an extension block": "static class E { extension(int 2a) { /** <paramref name='1a'/> */ void F() { } } }",
    "of an extension block": "static class E { /** <param name='1a'/> */ extension(int 2a) { } }",
    "a type parameter": "class C { /** <typeparam name='1T'/> */ void F<2T>() { } }",
    "a type parameter of a type": "/** <typeparam name='1T'/> */ class C<2T> { }",
    "of an extension block its type parameter": "static class E { extension<2T>(T a) { /** <typeparamref name='1T'/> */ void F() { } } }",
    "a type parameter of a type around": "class C<2T> { class B { /** <typeparamref name='1T'/> */ void F<U>() { } } }",
    "a hidden type parameter": "class C<T> { /** <typeparamref name='1T'/> */ void F<2T>() { } }",
    "of each part its own": "partial class C<T> { } partial class C<2T> { /** <typeparamref name='1T'/> */ int N; }",
    "one that a reference declares": "class C<T> { void F(T t) { } /** <see cref='C{2X}.F(1X)'/> */ int N; }",
    "one that a member of a reference declares": "class C { void F<T>(T[] t) { } /** <see cref='F{2X}(1X[])'/> */ int N; }",
    "a type parameter as a reference": "class C<2T> { void F(T t) { } /** <see cref='F(1T)'/> */ int N; }",
}


def _unmark(text):
    """A source without its marks, where the use stands and where the declaration."""
    first, second = sorted((text.index("1"), text.index("2")))
    places = {text[first]: first, text[second]: second - 1}
    return text.replace("1", "").replace("2", ""), places["1"], places["2"]


@pytest.mark.parametrize("text", RULES.values(), ids=RULES)
def test_a_parameter_in_documentation_is_that_of_the_declaration(bind, text):
    source, used, declared = _unmark(text)
    found, _ = bind(source)

    assert found[used].declared == declared
    assert (found[used].label, found[used].symbol) == ("exact", "")


NOTHING = {
    "a parameter that is not there": "class C { /** <param name='b'/> */ void F(int a) { } }",
    "a type parameter of a type around is not described": "class C<T> { /** <typeparam name='T'/> */ void F() { } }",
    "a parameter of a type around": "class C(int a) { /** <paramref name='a'/> */ void F() { } }",
    "the receiver is not described": "static class E { extension(int a) { /** <param name='a'/> */ void F() { } } }",
    "a comment that no declaration follows": "class C { void F(int a) { /** <param name='a'/> */ a = 1; } void G(int a) { } }",
    "a text": "class C { /** <!-- <param name='a'/> --> &lt;param name='a'/> */ void F(int a) { } }",
    "a comment that documents nothing": "class C { /* <param name='a'/> */ void F(int a) { } }",
    "what a getter takes": "class C { /** <paramref name='value'/> */ int P => 1; }",
}


@pytest.mark.parametrize("source", NOTHING.values(), ids=NOTHING)
def test_other_names_in_documentation_mean_nothing(bind, source):
    found, _ = bind(source)

    assert [each.name for each in found.values() if each.role == "documentation"] == []


def test_what_a_setter_takes_is_declared_nowhere(bind):
    source = "class C { /** <paramref name='value'/> */ int P { set { } } }"
    found, _ = bind(source)

    told = found[source.index("value")]
    assert (told.local, told.declared, told.role) == ("parameter", -1, "documentation")
