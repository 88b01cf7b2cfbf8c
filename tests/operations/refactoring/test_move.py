"""Types go to other files and namespaces with the directives that they need; what would mean something else stays."""

import json

import pytest

from codecortex.cli.main import main
from tests.operations.refactoring.conftest import PROJECT, parse_files

DONE = {
    "a type leaves a file with others, with its documentation, the head of the file and what its names need": (
        """== A.cs
// Licence.

#nullable enable
using System;
using System.Text;
using System.Linq;

namespace Shop;

/// <summary>Kept.</summary>
public class Keep { StringBuilder S; }

/// <summary>Moved.</summary>
[Serializable]
public class Order : Keep // here
{
    /// <see cref="Keep"/>
    public int Sum(int[] all) => all.Sum();
}
""",
        ("Order", "--to-file", "src/Order.cs"),
        """== A.cs
// Licence.

#nullable enable
using System;
using System.Text;
using System.Linq;

namespace Shop;

/// <summary>Kept.</summary>
public class Keep { StringBuilder S; }
== src/Order.cs
// Licence.

#nullable enable

using System;
using System.Linq;

namespace Shop;

/// <summary>Moved.</summary>
[Serializable]
public class Order : Keep // here
{
    /// <see cref="Keep"/>
    public int Sum(int[] all) => all.Sum();
}
""",
    ),
    "the only type of a file takes the file along": (
        "== A.cs\nusing System;\nnamespace Shop;\nclass A { Action B; }\n",
        ("A", "--to-file", "Sub/A.cs"),
        "== Sub/A.cs\nusing System;\nnamespace Shop;\nclass A { Action B; }\n",
    ),
    "one of two types goes into braces of a file that is there": (
        """== A.cs
using System.Text;
namespace Shop
{
    class A { }

    // Ours.
    class B { StringBuilder S; }
}
== B.cs
using System;

namespace Shop
{
    class C { Action D; }
}
""",
        ("Shop.B", "--to-file", "B.cs"),
        """== A.cs
using System.Text;
namespace Shop
{
    class A { }
}
== B.cs
using System;
using System.Text;

namespace Shop
{
    class C { Action D; }

    // Ours.
    class B { StringBuilder S; }
}
""",
    ),
    "braces are left behind where the other file has none, and literals keep their lines": (
        """== A.cs
namespace Shop
{
    class A { }

    class B
    {
        string S = @"
    x";
    }
}
== B.cs
namespace Shop;

class C { }
""",
        ("Shop.B", "--to-file", "B.cs"),
        """== A.cs
namespace Shop
{
    class A { }
}
== B.cs
namespace Shop;

class C { }

class B
{
    string S = @"
    x";
}
""",
    ),
    "users of a type import its new namespace; qualified names, aliases and documentation follow": (
        """== A.cs
namespace Shop;
/// <summary>One.</summary>
public class Order { Line L; public static int Made; }
== Line.cs
namespace Shop;
class Line { Order O; }
== Use.cs
using System;
using static Shop.Order;
using Ours = Shop.Order;

namespace Other
{
    /// <see cref="Shop.Order.Made"/>
    class Use { Shop.Order A; global::Shop.Order B; Ours C; int D = Made; Action E; }
}
== Near.cs
namespace Shop.Near;
class Near { Order O; string N = nameof(Shop.Order); }
""",
        ("Shop.Order", "--to-namespace", "Shop.Orders"),
        """== A.cs
namespace Shop.Orders;
/// <summary>One.</summary>
public class Order { Line L; public static int Made; }
== Line.cs
using Shop.Orders;

namespace Shop;
class Line { Order O; }
== Use.cs
using System;
using static Shop.Orders.Order;
using Ours = Shop.Orders.Order;

namespace Other
{
    /// <see cref="Shop.Orders.Order.Made"/>
    class Use { Shop.Orders.Order A; global::Shop.Orders.Order B; Ours C; int D = Made; Action E; }
}
== Near.cs
using Shop.Orders;

namespace Shop.Near;
class Near { Order O; string N = nameof(Shop.Orders.Order); }
""",
    ),
    "names that are qualified from within what it leaves are completed": (
        """== A.cs
namespace Shop.Parts.Small { public class P { public static int Made; } }
namespace Shop.Time { public class Clock { public static int Now; } }
== B.cs
namespace Shop.Parts;

/// <summary>See <see cref="Small.P"/> and <see cref="Time.Clock.Now"/>.</summary>
public class B
{
    Small.P P;
    int M() => Small . P.Made + Time.Clock.Now + Shop.Time.Clock.Now + global::Shop.Time.Clock.Now;
}
""",
        ("B", "--to-namespace", "Shop.Sales"),
        """== A.cs
namespace Shop.Parts.Small { public class P { public static int Made; } }
namespace Shop.Time { public class Clock { public static int Now; } }
== B.cs
namespace Shop.Sales;

/// <summary>See <see cref="Shop.Parts.Small.P"/> and <see cref="Time.Clock.Now"/>.</summary>
public class B
{
    Shop.Parts.Small.P P;
    int M() => Shop.Parts.Small.P.Made + Time.Clock.Now + Shop.Time.Clock.Now + global::Shop.Time.Clock.Now;
}
""",
    ),
    "extension methods take their users along": (
        """== A.cs
namespace Shop;
public static class Texts { public static int Twice(this int n) => n * 2; }
public class Rest { }
== Use.cs
using Shop;
class Use { int N => 2.Twice(); Rest R; }
""",
        ("Texts", "--to-namespace", "Tools", "--to-file", "Texts.cs"),
        """== A.cs
namespace Shop;
public class Rest { }
== Texts.cs
namespace Tools;

public static class Texts { public static int Twice(this int n) => n * 2; }
== Use.cs
using Shop;
using Tools;
class Use { int N => 2.Twice(); Rest R; }
""",
    ),
    "a namespace that nothing is in any more is imported no longer": (
        """== A.cs
namespace Old;
public class A { }
== Use.cs
using System;
using Old;

class Use { A B; Action C; }
""",
        ("Old.A", "--to-namespace", "New"),
        """== A.cs
namespace New;
public class A { }
== Use.cs
using System;
using New;

class Use { A B; Action C; }
""",
    ),
    "all parts of a partial type go": (
        """== A.cs
namespace Shop { partial class A { int M() => N(); } }
== A.More.cs
namespace Shop { partial class A { int N() => 1; class In { } } }
== B.cs
namespace Shop { class B { A.In C; } }
""",
        ("Shop.A", "--to-namespace", "Shop.Core"),
        """== A.cs
namespace Shop.Core { partial class A { int M() => N(); } }
== A.More.cs
namespace Shop.Core { partial class A { int N() => 1; class In { } } }
== B.cs
using Shop.Core;

namespace Shop { class B { A.In C; } }
""",
    ),
    "one part is moved by its place": (
        """== A.cs
namespace Shop;
partial class A { int M() => 1; }
class B { }
== C.cs
namespace Shop;
partial class A { int N() => M(); }
""",
        ("A.cs:2", "--to-file", "A.Part.cs"),
        """== A.cs
namespace Shop;
class B { }
== A.Part.cs
namespace Shop;

partial class A { int M() => 1; }
== C.cs
namespace Shop;
partial class A { int N() => M(); }
""",
    ),
    "braces around a type alone get another name": (
        "== A.cs\nnamespace Shop\n{\n    public class A { }\n}\n\nnamespace Other\n{\n    class B { Shop.A C; }\n}\n",
        ("Shop.A", "--to-namespace", "Tools"),
        "== A.cs\nnamespace Tools\n{\n    public class A { }\n}\n\nnamespace Other\n{\n    class B { Tools.A C; }\n}\n",
    ),
    "braces get a namespace of their own behind them": (
        """== A.cs
namespace Shop
{
    using System;

    public class A { Action B; C D; }
    public class C { A E; }
}
""",
        ("Shop.A", "--to-namespace", "Tools"),
        """== A.cs
using Shop;
using Tools;

namespace Shop
{
    using System;

    public class C { A E; }
}

namespace Tools
{
    using System;

    public class A { Action B; C D; }
}
""",
    ),
    "a comment that ends in a dot is no qualifier": (
        (
            "== A.cs\npublic class A { public static void F() { } }\n"
            "== U.cs\nclass U\n{\n    void G()\n    {\n        var n = 1; // as in Old.\n\n        A.F();\n    }\n}\n"
        ),
        ("A", "--to-namespace", "Tools"),
        (
            "== A.cs\nnamespace Tools;\n\npublic class A { public static void F() { } }\n"
            "== U.cs\nusing Tools;\n\nclass U\n{\n    void G()\n    {\n        var n = 1; // as in Old.\n\n"
            "        A.F();\n    }\n}\n"
        ),
    ),
    "a global using is enough for its users, and a type without a namespace gets one": (
        (
            "== A.cs\n// Head.\n\n/// <summary>x</summary>\npublic class A { }\n== G.cs\nglobal using Tools;\n"
            "== T.cs\nnamespace Tools;\nclass T { A B; }\n== U.cs\nclass U { A B; }\n"
        ),
        ("A", "--to-namespace", "Tools"),
        (
            "== A.cs\n// Head.\n\nnamespace Tools;\n\n/// <summary>x</summary>\npublic class A { }\n"
            "== G.cs\nglobal using Tools;\n== T.cs\nnamespace Tools;\nclass T { A B; }\n== U.cs\nclass U { A B; }\n"
        ),
    ),
}


@pytest.mark.parametrize(("before", "arguments", "after"), DONE.values(), ids=DONE)
def test_a_type_moves(refactor, before, arguments, after):
    assert refactor(before, "move", *arguments) == parse_files(after)


REFUSED = {
    "nested": ("== A.cs\nclass A { class B { } }\n", ("A.B", "--to-file", "B.cs"), "A.B is nested."),
    "taken": (
        "== A.cs\nnamespace N { class A { } }\nnamespace M { class A { } }\n",
        ("N.A", "--to-namespace", "M"),
        "There is a type M.A already.",
    ),
    "a namespace of that name": (
        "== A.cs\nnamespace N { class A { } }\nnamespace M.A { class B { } }\n",
        ("N.A", "--to-namespace", "M"),
        "M.A is a namespace.",
    ),
    "under a condition": (
        "== A.cs\nclass B { }\n#if X || !X\nclass A { }\n#endif\n",
        ("A", "--to-file", "C.cs"),
        "#if or #region cuts the declaration of A",
    ),
    "a captured name": (
        (
            "== A.cs\nnamespace N { public class A { } }\n== B.cs\nnamespace Text { public class Kind { } }\n"
            "namespace M { class Use { Text.Kind A; } }\n"
        ),
        ("N.A", "--to-namespace", "M.Text"),
        "N.A cannot move: B.cs:2:32: Kind would mean nothing known, not T:Text.Kind.",
    ),
    "others share the file": (
        "== A.cs\nnamespace N;\nclass A { }\nclass B { }\n",
        ("N.A", "--to-namespace", "M"),
        "--to-file A.cs",
    ),
    "no type": ("== A.cs\nclass A { int B; }\n", ("A.B", "--to-file", "B.cs"), "is no type"),
    "no namespace": ("== A.cs\nclass A { }\n", ("A", "--to-namespace", "1"), "is no namespace"),
    "no place": ("== A.cs\nclass A { }\n", ("A",), "Nothing says where it goes"),
    "outside": ("== A.cs\nclass A { }\n", ("A", "--to-file", "../B.cs"), "is no source of this repository"),
    "another namespace for the rest of a file": (
        "== A.cs\nnamespace N;\nclass A { }\nclass C { }\n== B.cs\nnamespace M;\nclass B { }\n",
        ("N.A", "--to-file", "B.cs"),
        "B.cs has no place for N",
    ),
}


@pytest.mark.parametrize(("before", "arguments", "told"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_move_is_refused_with_the_reason(refactor, before, arguments, told):
    ends = 2 if told.startswith(("is no", "Nothing")) else 3
    assert told in refactor(before, "move", *arguments, ends=ends)


def test_a_type_does_not_change_its_project(refactor):
    reference = '<ProjectReference Include="../P/P.csproj" />'
    projects = {"P/P.csproj": PROJECT.format(more="", items=""), "Q/Q.csproj": PROJECT.format(more="", items=reference)}
    told = refactor(
        "== P/A.cs\nclass A { }\nclass B { }\n", "move", "A", "--to-file", "Q/A.cs", project={**projects}, ends=3
    )
    assert "Q/A.cs is compiled by" in told


def test_a_namespace_that_a_project_imports_is_not_left_empty(refactor):
    project = {"P.csproj": PROJECT.format(more="", items='<Using Include="Old" />')}
    told = refactor(
        "== A.cs\nnamespace Old;\nclass A { }\n", "move", "A", "--to-namespace", "N", project=project, ends=3
    )
    assert "P.csproj imports it" in told


def test_what_may_mean_the_type_is_a_candidate(refactor):
    text = "== A.cs\nnamespace N;\npublic class A { }\n== B.cs\n#if OTHER\nclass B { A C; }\n#endif\nclass D { }\n"
    told = refactor(text, "move", "N.A", "--to-namespace", "M", ends=1, write=False)
    assert "B.cs:2:11  it is compiled under other symbols only" in told


def test_a_move_is_planned_kept_in_a_session_written_and_taken_back(tmp_path, git, capsys):
    root = tmp_path / "shop"
    root.mkdir()
    (root / "P.csproj").write_text(PROJECT.format(more="", items=""))
    (root / "A.cs").write_text("namespace N;\nclass A { }\n")
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "shop")
    words = ("-C", str(root), "refactor", "move", "N.A", "--to-namespace", "M", "--to-file", "Sub/A.cs")

    def run(*arguments):
        assert main(arguments) == 0
        return capsys.readouterr().out

    planned = json.loads(run(*words, "--json"))
    assert (planned["verb"], planned["target"], planned["state"], planned["candidates"]) == (
        "move",
        "N.A",
        "planned",
        [],
    )
    assert planned["edits"] == [{"file": "A.cs", "line": 1, "column": 11, "length": 1, "text": "M"}]
    assert "rename from A.cs\nrename to Sub/A.cs\n" in planned["patch"]
    run("-C", str(root), "session", "open", "try")
    assert json.loads(run(*words, "--session", "try", "--json"))["state"] == "done"
    assert (root / "A.cs").read_text() == "namespace N;\nclass A { }\n"
    assert run(*words, "--write").startswith("move N.A: changed 1 file in the work tree")
    assert not (root / "A.cs").exists()
    assert (root / "Sub/A.cs").read_text() == "namespace M;\nclass A { }\n"
    run("-C", str(root), "refactor", "undo")
    assert (root / "A.cs").read_text() == "namespace N;\nclass A { }\n"
    assert not (root / "Sub/A.cs").exists()
