import pytest

HEAD = "using System.Collections.Generic; using System.Linq; class A { public int N; public List<A> L; }"
RULES = {
    "where and select": "from a in s where a./*F:A.N*/N > 1 select a./*F:A.L*/L",
    "several sequences": "from a in s from b in a./*F:A.L*/L orderby b./*F:A.N*/N descending select b./*F:A.N*/N",
    "let": "from a in s let l = a./*F:A.L*/L select l[0]./*F:A.N*/N",
    "join": "from a in s join b in s on a./*F:A.N*/N equals b./*F:A.N*/N select b./*F:A.N*/N",
    "join into": "from a in s join b in s on a./*F:A.N*/N equals b./*F:A.N*/N into g select g.First()./*F:A.N*/N",
    "group into": "from a in s group a by a./*F:A.N*/N into g select g.First()./*F:A.N*/N + g.Key",
    "a written type": "from A a in new object[0] select a./*F:A.N*/N",
}


@pytest.mark.parametrize("source", RULES.values(), ids=RULES)
def test_queries(check, source):
    check(f"{HEAD} class C {{ object G(List<A> s) => {source}; }}")


def test_the_result_is_a_sequence(check):
    check(HEAD + "class C { int G(List<A> s) => (from a in s select a).First()./*F:A.N*/N; }")
