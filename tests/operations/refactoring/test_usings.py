"""Using directives go where certainly nothing needs them; what is not certain stays."""

import pytest

from codecortex.cli.main import main

FILES = {
    "P.csproj": '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net10.0</TargetFramework>'
    "</PropertyGroup></Project>\n",
    "Tools.cs": "namespace Tools { public static class Texts { public static int Twice(this int n) => n * 2; } }\n"
    "namespace Things { public class Thing { public static int Made; }"
    " public class FreshAttribute : System.Attribute { } }"
    "\nnamespace Spare { public class Odd { }"
    " public static class Extra { public static void Go(this object o) { } } }\n",
}


@pytest.fixture
def tidy(tmp_path, git, capsys):
    root = tmp_path / "shop"

    def run(text, *options, project=FILES["P.csproj"], ends=0):
        root.mkdir()
        for name, content in {**FILES, "P.csproj": project, "A.cs": text}.items():
            (root / name).write_bytes(content.encode())
        git(root, "init", "-q")
        git(root, "add", ".")
        code = main(["-C", str(root), "refactor", "usings", "A.cs", "--write", *options])
        printed = capsys.readouterr()
        assert code == ends, printed.err
        return (root / "A.cs").read_bytes().decode()

    return run


def test_what_nothing_needs_goes_with_its_line(tidy):
    after = tidy("using Tools;\nusing Spare;\nusing System.Text;\n\nclass A { int N => 2.Twice(); }\n")

    assert after == "using Tools;\n\nclass A { int N => 2.Twice(); }\n"


def test_all_of_them_go_with_the_blank_line_and_the_head_of_the_file_stays(tidy):
    after = tidy("// Ours.\r\nusing Tools;\r\nusing System.Text; // not any more\r\n\r\nclass A { }\r\n")

    assert after == "// Ours.\r\n\r\nclass A { }\r\n"


@pytest.mark.parametrize(
    "text",
    [
        "using Things;\n[Fresh] class A { }\n",
        "using static Things.Thing;\nclass A { int N => Made; }\n",
        "using T = Things.Thing;\nclass A { T N; }\n",
        'using Things;\n/// <see cref="Thing"/>\nclass A { }\n',
        "using System.Linq;\nclass A { object N => from n in new[] { 1 } where n > 0 select n; }\n",
        "using Missing.Library;\nclass A { }\n",
        "global using Tools;\nclass A { }\n",
        "using Things;\nclass A {\n#if OTHER\n    Thing N;\n#endif\n}\n",
        "using Spare;\nclass A { void F(Unknown u) => u.Go(); }\n",
        "using System.Text;\nclass A { Unknown N; }\n",
        "namespace B {\n    using Things;\n    class A { Thing N; }\n}\n",
    ],
)
def test_what_is_needed_or_may_be_stays(tidy, text):
    assert tidy(text) == text


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("using static Things.Thing;\nclass A { }\n", "class A { }\n"),
        ("using T = Things.Thing;\nclass A { }\n", "class A { }\n"),
        ("using Things;\nusing Things;\nclass A { Thing N; }\n", "using Things;\nclass A { Thing N; }\n"),
        ("using Spare;\nclass A { Unknown N; }\n", "class A { Unknown N; }\n"),
        ("using System.Text;\nclass A { (int B, int C) N; }\n", "class A { (int B, int C) N; }\n"),
        (
            "using System.Xml;\nclass A<T> where T : class { System.Text.Rune R; }\n",
            "class A<T> where T : class { System.Text.Rune R; }\n",
        ),
        (
            "using System.Text;\nclass A {\n#if OTHER\n    int N;\n#endif\n}\n",
            "class A {\n#if OTHER\n    int N;\n#endif\n}\n",
        ),
        ("namespace B {\n    using Things;\n    class A { }\n}\n", "namespace B {\n    class A { }\n}\n"),
    ],
)
def test_other_directives_go_too(tidy, text, after):
    assert tidy(text) == after


def test_what_stays_is_put_in_order(tidy):
    after = tidy(
        "using Tools;\nusing Spare;\nusing Z = Things.Thing;\nusing System.Text;\n"
        "using static Things.Thing;\nusing System;\n\n"
        "class A { int N => 2.Twice() + Made; Z M; StringBuilder S; Action B; }\n",
        "--sort",
    )

    assert after.partition("\n\n")[0].split("\n") == [
        "using System;",
        "using System.Text;",
        "using Tools;",
        "using static Things.Thing;",
        "using Z = Things.Thing;",
    ]


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("using Spare;\nusing Things;\n// Odd\nclass A { }\n", "// Odd\nclass A { }\n"),
        ("using System.Text;\nclass A {\n#if NET8_0\n    StringBuilder N;\n#endif\n}\n", ""),
        ("using System.Text;\nclass A {\n#if NET8_0\n    int N;\n#endif\n}\n",
         "class A {\n#if NET8_0\n    int N;\n#endif\n}\n"),
    ],
)  # fmt: skip
def test_a_directive_stays_that_one_target_framework_needs(tidy, text, after):
    project = FILES["P.csproj"].replace("TargetFramework>", "TargetFrameworks>").replace("net10.0", "net8.0;net10.0")
    assert tidy(text, project=project) == (after or text)
