import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codecortex.parsing.docs.xmldoc import CellPolicy, doc_text, render_doc, render_doc_with_diagnostics


def lines(*parts):
    return "\n".join(parts)


def summary(inner):
    return render_doc(f"<summary>{inner}</summary>")


def bullets(*items):
    return f'<list type="bullet">{"".join(f"<item>{item}</item>" for item in items)}</list>'


def numbers(*items):
    return f'<list type="number">{"".join(f"<item>{item}</item>" for item in items)}</list>'


def table(*rows, header=""):
    cells = "".join(f"<item><term>{a}</term><description>{b}</description></item>" for a, b in rows)
    return f'<list type="table">{header}{cells}</list>'


HEADER = "<listheader><term>Key</term><description>Meaning</description></listheader>"


@pytest.mark.parametrize("form", ["{}", "<description>{}</description>", "<description><para>{}</para></description>"])
def test_xd_01_steps_are_numbered_explicitly(form):
    assert summary(numbers(form.format("Step 1"), form.format("Step 2"))) == lines("1. Step 1", "2. Step 2")


def test_xd_02_a_nested_numbering_restarts():
    xml = numbers("Cook" + numbers("Cut", "Boil"), "<description>Eat" + numbers("Chew") + "</description>")
    assert summary(xml) == lines("1. Cook", "   1. Cut", "   2. Boil", "2. Eat", "   1. Chew")


def test_xd_02_numbers_of_two_digits_widen_the_indent():
    xml = numbers(*(f"s{n}" for n in range(1, 10)), "s10" + bullets("inner"))
    assert summary(xml).endswith(lines("9. s9", "10. s10", "    - inner"))


def test_xd_03_one_blank_line_parts_a_list_item_from_a_table():
    assert summary(bullets("a") + table(("k", "v"), header=HEADER)) == lines(
        "- a", "", "| Key | Meaning |", "| --- | --- |", "| k | v |"
    )


def test_xd_03_also_when_the_table_is_inside_the_item():
    assert summary(bullets("a" + table(("k", "v"), header=HEADER))) == lines(
        "- a", "", "  | Key | Meaning |", "  | --- | --- |", "  | k | v |"
    )


def test_xd_04_a_type_name_stands_alone_above_a_table():
    xml = f'<exception cref="T:System.IO.IOException">{table(("k", "v"), header=HEADER)}</exception>'
    assert render_doc(xml) == lines(
        "Exceptions:", "- IOException", "", "  | Key | Meaning |", "  | --- | --- |", "  | k | v |"
    )


def test_xd_04_a_table_without_header_still_has_one_to_be_a_table():
    assert summary(table(("k", "v"))) == lines("| Term | Description |", "| --- | --- |", "| k | v |")
    assert summary('<list type="table"><item>a</item><item>b</item></list>') == lines(
        "| Item |", "| --- |", "| a |", "| b |"
    )


def test_xd_04_a_row_wider_than_the_header_widens_it():
    rows = "<listheader><term>K</term></listheader><item><term>a</term><term>b</term></item>"
    assert summary(f'<list type="table">{rows}</list>') == lines("| K | |", "| --- | --- |", "| a | b |")


@pytest.mark.parametrize(
    ("item", "line"),
    [
        ("<term>T</term>", "- T"),
        ("<description>D</description>", "- D"),
        ("<term>T</term><description>D</description>", "- T — D"),
        ("<term>\n  T\n</term>\n<description>\n  D\n</description>", "- T — D"),
        ("<term></term><description>D</description>", "- D"),
        ("<term>T</term> bare", "- T — bare"),
    ],
)
def test_xd_05_terms_and_descriptions(item, line):
    assert summary(bullets(item)) == line


INLINE = 'see <see cref="string"/> and <c>x &lt; y</c>'


@pytest.mark.parametrize("form", ["{}", "<description>{}</description>", "<term>{}</term>", "<para>{}</para>"])
def test_xd_06_and_xd_07_inline_elements_live_in_items(form):
    assert summary(bullets(form.format(INLINE))) == "- see [string] and `x < y`"


def test_xd_07_inline_elements_live_in_cells():
    xml = table(("<c>k</c>", INLINE), header=HEADER)
    assert summary(xml).endswith("| `k` | see [string] and `x < y` |")


@pytest.mark.parametrize(
    ("xml", "text"),
    [
        ('<see langword="null"/>', "null"),
        ('<paramref name="count"/>', "count"),
        ('<typeparamref name="TKey"/>', "TKey"),
        ('Not <see langword="true" />, says <paramref name="x" />.', "Not true, says x."),
        ("<paramref>x</paramref>", "x"),
    ],
)
def test_xd_08_bare_words(xml, text):
    assert summary(xml) == text


@pytest.mark.parametrize("tag", ["see", "seealso", "a"])
def test_xd_09_links(tag):
    assert summary(f'<{tag} href="https://x.y/z">the\n docs</{tag}>') == "[the docs](https://x.y/z)"
    assert summary(f'<{tag} href="https://x.y/ z">t</{tag}>') == "[t](https://x.y/%20z)"
    assert summary(f'<{tag} href="https://x.y/z"/>') == "https://x.y/z"
    assert summary(f'<{tag} href="https://x.y/z">https://x.y/z</{tag}>') == "https://x.y/z"


def test_xd_10_to_12_references_are_shown_in_brackets():
    assert summary('<see cref="M:N.C.Add(System.Int32,System.String)"/>') == "[Add(int, string)]"
    assert summary('<see cref="T:System.Boolean"/> <see cref="T:My.Ns.Thing"/>') == "[bool] [Thing]"
    assert summary('<see cref="T:System.Collections.Generic.Dictionary`2"/>') == "[Dictionary<T1, T2>]"


def test_the_words_of_the_author_win_over_the_name_of_the_reference():
    assert summary('is <see cref="P:N.C.Enabled">switched <c>on</c></see> now') == "is [switched on] now"
    assert summary('<see cref="" /><see/>x') == "x"


def test_xd_13_entities_are_decoded_everywhere():
    assert summary("a &gt; b &amp;&amp; c &#65;<c>&lt;d&gt;</c><code>&quot;e&quot;</code>") == lines(
        "a > b && c A`<d>`", "```", '"e"', "```"
    )
    assert summary("<![CDATA[List<int> & co]]>") == "List<int> & co"
    assert summary('<see cref="List&lt;T&gt;"/>') == "[List<T>]"


@pytest.mark.parametrize(
    "xml",
    [
        "",
        " \n ",
        "<summary></summary>",
        "<summary/>",
        "<summary>a",
        "<summary>a</remarks>",
        "a & b",
        "<summary>a &nbsp; b</summary>",
        "<summary>]]></summary>",
        "<see cref=x/>",
        "</doc><doc>",
        '<!DOCTYPE d [<!ENTITY e "boom">]><summary>&e;</summary>',
        '<?xml version="1.0"?><summary>a</summary>',
        "<!-- nothing -->",
        "<inheritdoc/>",
        '<inheritdoc cref="T:N.C"/>\n<filterpriority>2</filterpriority>',
        "<include file='a.xml' path='doc/*'/>",
        '<param name="x"></param><returns></returns><remarks><para/></remarks>',
    ],
)
def test_xd_14_missing_or_malformed_is_empty(xml):
    assert render_doc(xml) == ""


@pytest.mark.parametrize("unknown", ["<u>b</u>", "<x><y>b</y></x>", '<i class="z">b</i>'])
def test_xd_15_unknown_elements_keep_their_text(unknown):
    assert summary(f"a {unknown} c") == "a b c"
    assert render_doc(f"{unknown}<returns>r</returns>") == lines("b", "", "Returns: r")


def test_xd_15_a_comment_without_elements_is_its_text():
    assert render_doc("Just\n words.") == "Just words."
    assert render_doc("a<returns>r</returns> b") == lines("a", "", "b", "", "Returns: r")


def test_xd_16_lines_that_carry_nothing_are_dropped():
    assert summary(bullets("", "a", "<term/>", "<description> </description>")) == "- a"
    assert summary(bullets("", "<para/>")) == ""
    assert summary(numbers("a", "", "b")) == lines("1. a", "2. b")
    assert summary(table(("", ""), ("k", "v"), header=HEADER)).count("\n") == 2
    assert summary(table(("", ""))) == ""
    assert summary("a<c></c><code>\n\n</code>") == "a"


CODE = "<code>\n  one();\n  two();\n</code>"


def test_xd_17_strict_cells_give_up_their_blocks_in_order():
    xml = f"<summary>{table(('k', CODE), (bullets('i'), 'v'), header=HEADER)}</summary>"
    text, diagnostics = render_doc_with_diagnostics(xml)
    assert text == lines(
        "| Key | Meaning |",
        "| --- | --- |",
        "| k | |",
        "| | v |",
        "",
        "```",
        "one();",
        "two();",
        "```",
        "- i",
    )
    assert diagnostics == (
        "table row 1, column 2: code or a list was moved below the table",
        "table row 2, column 1: code or a list was moved below the table",
    )
    assert render_doc(xml) == text


def test_xd_17_one_crowded_cell_is_one_diagnostic_and_loses_no_text():
    text, diagnostics = render_doc_with_diagnostics(
        f"<remarks>{table(('k', 'so: ' + CODE + bullets('i')), header=HEADER)}</remarks>"
    )
    assert len(diagnostics) == 1
    assert "  | k | |\n\n  so:\n  ```\n  one();\n  two();\n  ```\n  - i" in text


def test_xd_17_a_plain_table_needs_no_diagnostic():
    assert render_doc_with_diagnostics(f"<summary>{table(('k', 'v'))}</summary>")[1] == ()


def test_xd_18_inline_cells_keep_the_first_line():
    xml = f"<summary>{table(('k', 'so: ' + CODE), ('l', bullets('i', 'j')), header=HEADER)}</summary>"
    text, diagnostics = render_doc_with_diagnostics(xml, policy=CellPolicy.INLINE)
    assert text.split("\n")[2:] == ["| k | so: `one();` |", "| l | i; j |"]
    assert diagnostics == ()


def test_xd_18_html_tables_hold_everything():
    code = "<code>a &lt; b\n\nc</code>"
    xml = f"<summary>{table(('k', code), ('l', numbers('i &lt; j')), header=HEADER)}</summary>"
    assert render_doc(xml, policy=CellPolicy.HTML) == lines(
        "<table>",
        "<tr><th>Key</th><th>Meaning</th></tr>",
        "<tr><td>k</td><td><pre><code>a &lt; b&#10;&#10;c</code></pre></td></tr>",
        "<tr><td>l</td><td><ol><li>i &lt; j</li></ol></td></tr>",
        "</table>",
    )


def test_xd_18_html_is_only_for_tables_that_need_it():
    xml = f"<summary>{table(('k', 'v'))}</summary>"
    assert render_doc(xml, policy=CellPolicy.HTML) == render_doc(xml)


def test_xd_19_pipes_are_escaped_in_cells_only():
    assert "| a \\| b | `c \\| d` |" in summary(table(("a | b", "<c>c | d</c>")))
    assert summary("a | b") == "a | b"


def test_line_breaks_in_cells_stay_in_the_row():
    xml = f"<summary>{table(('k', 'a<br/>b'), (bullets('i'), 'v'))}</summary>"
    assert "| k | a b |" in render_doc(xml)
    assert "<td>a<br/>b</td>" in render_doc(xml, policy=CellPolicy.HTML)


def test_a_table_after_code_or_a_table_stands_clear():
    assert "```\n\n| Key |" in summary(CODE + table(header=HEADER))
    assert "| --- | --- |\n\n| Key |" in summary(table(header=HEADER) + table(header=HEADER))


def test_a_header_of_nothing_counts_as_none():
    assert summary(table(("k", "v"), header="<listheader><term/></listheader>")) == summary(table(("k", "v")))


def test_xd_19_delimiters_outgrow_backticks():
    assert summary("<code>a\n````\nb</code>") == lines("`````", "a", "````", "b", "`````")
    assert summary("<c>a ` b</c>") == "``a ` b``"
    assert summary("<c>`a`</c>") == "`` `a` ``"
    assert summary("<c>\n  a\n  b </c>") == "`a b`"


def test_xd_21_see_also_is_one_list():
    xml = '<seealso cref="A"/><summary>s</summary><seealso href="http://u">t</seealso><seealso cref="A"/>'
    assert render_doc(xml) == lines("s", "", "See also:", "- [A]", "- [t](http://u)")


def test_xd_22_text_then_a_list_in_a_param():
    xml = f'<param name="mode">How it works:{bullets("a", "b" + bullets("c"))}</param><param name="x">y</param>'
    assert render_doc(xml) == lines("Parameters:", "- mode — How it works:", "  - a", "  - b", "    - c", "- x — y")


def test_xd_22_more_paragraphs_and_code_stay_below_the_entry():
    xml = '<param name="x"><para>One.</para><para>Two.</para><code>three();</code></param>'
    assert render_doc(xml) == lines("Parameters:", "- x — One.", "", "  Two.", "  ```", "  three();", "  ```")


def test_xd_23_source_text_and_the_compilers_element_read_alike():
    inner = '\n<summary>S</summary>\n<param name="x">The x.</param>\n'
    assert render_doc(inner) == lines("S", "", "Parameters:", "- x — The x.")
    assert render_doc(f'<member name="M:N.C.F(System.Int32)">{inner}</member>') == render_doc(inner)


def test_sections_come_in_one_order_with_single_lines_on_their_label():
    xml = """
    <example>E</example><seealso cref="F"/><remarks>R</remarks><response code="404">Gone.</response>
    <exception cref="System.IO.IOException">X</exception><exception cref="Y"/><value>V</value>
    <returns>Q</returns><param name="p">P</param><typeparam name="T">U</typeparam><summary>S</summary>
    """
    assert render_doc(xml).replace("\n\n", "\n").split("\n") == [
        "S",
        "Type parameters:",
        "- T — U",
        "Parameters:",
        "- p — P",
        "Returns: Q",
        "Value: V",
        "Exceptions:",
        "- IOException — X",
        "- Y",
        "Responses:",
        "- 404 — Gone.",
        "Remarks: R",
        "Example: E",
        "See also:",
        "- [F]",
    ]


def test_blocks_of_a_section_are_indented_below_its_label():
    xml = f"<remarks>Some:{bullets('a')}More.</remarks><example>{CODE}</example>"
    assert render_doc(xml) == lines(
        "Remarks: Some:", "  - a", "", "  More.", "", "Example:", "  ```", "  one();", "  two();", "  ```"
    )


def test_paragraphs_fold_and_part():
    assert summary("\n  a\n  b\n") == "a b"
    assert summary("a<para>b\nc</para>d<p>e</p>") == lines("a", "", "b c", "", "d", "", "e")
    assert summary("a<br/>b <br /> c") == lines("a", "b", "c")
    assert summary("a<br/><br/><br/>b<br/>") == lines("a", "", "b")


def test_code_keeps_its_shape_and_names_its_language():
    xml = '<code language="csharp">\n\n      if (x)  \n      {\n\n          y();\n      }\n\n  </code>'
    assert summary(xml) == lines("```csharp", "if (x)", "{", "", "    y();", "}", "```")
    assert summary("<code>\n\ta\n\t\tb</code>") == lines("```", "a", "\tb", "```")


def test_code_spells_out_what_it_refers_to():
    assert summary('<c><see cref="T:N.Foo"/>.<paramref name="x"/></c>') == "`Foo.x`"


def test_parts_of_a_type_are_read_together_and_repetitions_dropped():
    part = '<summary>S</summary><typeparam name="T">U</typeparam><remarks>R</remarks>'
    assert render_doc(part + "\n" + part) == render_doc(part)
    assert render_doc("<summary>A</summary><summary>B</summary>") == lines("A", "", "B")


def test_what_one_element_repeats_is_kept():
    assert summary("<para>a</para><para>b</para><para>a</para>") == lines("a", "", "b", "", "a")


def test_html_lists_are_lists():
    assert summary("<ol><li>a</li><li>b</li></ol>") == lines("1. a", "2. b")
    assert summary("<ul><li>a</li></ul>") == "- a"


def test_text_where_only_items_belong_is_kept():
    assert summary('<list type="bullet">Choose:<listheader><term>H</term></listheader><item>a</item></list>') == lines(
        "Choose:", "", "H", "- a"
    )
    assert summary('<list type="table"><item>lone<term>a</term><description>b</description></item></list>') == lines(
        "| Term | Description | |", "| --- | --- | --- |", "| a | b | lone |"
    )
    assert summary(f'<list type="table">Choose:{HEADER}</list>') == lines(
        "Choose:", "", "| Key | Meaning |", "| --- | --- |"
    )


@pytest.mark.parametrize(
    "control", ["\x00", "\x07", "\x7f", "\x9f", "&#7;", "&#x7F;", "&#0159;", "&#13;", "\ud800", "\uffff"]
)
def test_control_characters_are_removed(control):
    assert summary(f"a{control}b") == "ab"
    assert summary(f"a{control}b <c>d</c><code>e{control}f</code>") == lines("ab `d`", "```", "ef", "```")


# Whatever the size, the work must grow with it and no deeper than the interpreter's stack.
HOSTILE = {
    "unknown": "<a>" * 10_000 + "x" + "</a>" * 10_000,
    "items": "<list><item>" * 10_000 + "x" + "</item></list>" * 10_000,
    "paragraphs": "<para>" * 10_000 + "x" + "</para>" * 10_000,
    "references": '<see cref="A">' * 10_000 + "x" + "</see>" * 10_000,
    "cells": "<list type='table'><item><term>" * 5_000 + "x" + "</term></item></list>" * 5_000,
    "open": "<a>" * 300_000,
    "text": "word " * 200_000,
    "ticks": f"<c>{'`' * 500_000}</c><code>{'`' * 500_000}</code>",
    "breaks": "<br/>" * 200_000,
    "entries": '<param name="x">y</param>' * 40_000,
    "wide": f"<list type='table'><item>{'<term>a</term>' * 20_000}</item>{'<item><term>b</term></item>' * 20_000}"
    "</list>",
    "wrappers": "<member>" * 50_000 + "</member>" * 50_000,
    "spaces": "<summary>" + " " * 1_000_000,
    "references to characters": "&#" * 500_000,
    "ampersands": "&lt;" * 250_000,
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("policy", CellPolicy)
def test_hostile_input_is_rendered_in_linear_time(name, policy):
    start = time.process_time()
    render_doc(f"{HOSTILE[name]}", policy=policy)
    assert time.process_time() - start < 5


def test_hostile_depth_loses_no_text():
    for name in ("unknown", "items", "paragraphs", "cells"):
        assert "x" in render_doc(HOSTILE[name])
    assert render_doc(HOSTILE["references"]) == "[x]"


# No backticks: `drop_fences` could not tell a word from a fence.
WORDS = st.text("ab &<>|-#*1.\xa0é\x85\u2028語", min_size=0, max_size=12)


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace(" ", "{s}")


LEAVES = st.one_of(
    WORDS.map(escape),
    st.sampled_from(
        [
            '<see{s}cref="T:N.C`2"/>',
            '<see{s}langword="null"/>',
            '<paramref{s}name="x"/>',
            '<see{s}href="http://u"/>',
            "<br/>",
            "<c>a{s}b</c>",
            "<inheritdoc/>",
        ]
    ),
)
TAGS = st.sampled_from(
    [
        ("<para>", "</para>"),
        ("<c>", "</c>"),
        ('<see{s}cref="A{{T}}">', "</see>"),
        ("<list>", "</list>"),
        ('<list{s}type="number">', "</list>"),
        ('<list{s}type="table">', "</list>"),
        ("<listheader>", "</listheader>"),
        ("<item>", "</item>"),
        ("<term>", "</term>"),
        ("<description>", "</description>"),
        ("<b>", "</b>"),
        ("<summary>", "</summary>"),
        ('<param{s}name="p">', "</param>"),
        ('<exception{s}cref="E">', "</exception>"),
        ("<remarks>", "</remarks>"),
        ("<seealso>", "</seealso>"),
    ]
)
TREES = st.recursive(
    LEAVES,
    lambda inner: st.tuples(TAGS, st.lists(inner, max_size=4)).map(lambda t: t[0][0] + "{s}".join(t[1]) + t[0][1]),
    max_leaves=25,
)
CODES = st.text("ab `\n\t{}", max_size=20).map(lambda code: f"<code>{code}</code>")
SPACES = st.sampled_from([" ", "\n", "\n    ", "  \t ", "\r\n"])
POLICIES = st.sampled_from(CellPolicy)


def set_spaces(tree, space):
    return tree.replace("{{", "{").replace("}}", "}").replace("{s}", space)


def drop_fences(text):
    kept, fence = [], ""
    for line in text.split("\n"):
        bare = line.lstrip()
        if fence:
            fence = "" if bare == fence else fence
            continue
        kept.append(line)
        if match := re.search(r"(?:^|[-.] )(`{3,})$", bare):
            fence = match[1]
    return "\n".join(kept)


def check_shape(text):
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", text)
    assert not re.search(r"[ \t]$", text, re.MULTILINE)
    assert text.strip("\n") == text
    assert "\n\n\n" not in drop_fences(text)


@given(st.text(), POLICIES)
def test_any_text_renders(text, policy):
    check_shape(render_doc(text, policy=policy))


@given(st.text("<>/&;#x1summarylist=\"' \n!-[]"), POLICIES)
def test_any_soup_of_tags_renders(text, policy):
    check_shape(render_doc(text, policy=policy))


@given(st.lists(TREES | CODES, max_size=4), POLICIES)
def test_any_tree_renders_in_shape(trees, policy):
    xml = set_spaces("".join(trees), " ")
    check_shape(render_doc(xml, policy=policy))


@given(TREES, SPACES, POLICIES)
def test_wrapping_the_source_differently_changes_nothing(tree, space, policy):
    one = set_spaces(tree, " ")
    other = set_spaces(tree, space)
    assert render_doc(one, policy=policy) == render_doc(other, policy=policy)
    assert doc_text(one) == doc_text(other)


@given(st.text("ab &]\x00\x85\n;#", max_size=30))
def test_a_plain_summary_reads_like_any_other(text):
    xml = f"<summary>{text}</summary>"
    assert render_doc(xml) == render_doc(f"{xml}<!-- not plain -->")


@given(st.lists(st.text("abc", min_size=1), min_size=1), st.lists(st.text("abc", min_size=1), min_size=1))
def test_doc_text_changes_with_the_words(left, right):
    one, other = f"<summary>{' '.join(left)}</summary>", f"<summary>{' '.join(right)}</summary>"
    assert (doc_text(one) == doc_text(other)) == (left == right)


def test_doc_text_changes_with_tags_and_attributes():
    forms = ["<summary>a</summary>", "<remarks>a</remarks>", '<summary x="1">a</summary>', '<summary x="2">a</summary>']
    assert len({doc_text(form) for form in forms}) == len(forms)
    assert doc_text("  <summary>\n a\r\n  b\n</summary>\n") == "<summary>a b</summary>"


WORDS = st.sampled_from(["a", " b ", "\n", "]", ">", "`", "é", "\u0085", "&amp;", "<br/>", "]]>", "<para>p</para>"])
NAMES = st.sampled_from(["x", "T:N.C", "List{T}", " ", "", "true", "N.C.M(System.Int32)", "a\nb"])
REFERENCES = st.one_of(
    st.builds('<see cref="{}"/>'.format, NAMES),
    st.builds('<see langword="{}" />'.format, NAMES),
    st.builds('<paramref name="{}"/>'.format, NAMES),
    st.builds('<typeparamref  name="{}"/>'.format, NAMES),
    st.builds("<c>{}</c>".format, NAMES),
    st.builds('<see {0}="{1}">{2}</see >'.format, st.sampled_from(["cref", "langword", "href"]), NAMES, NAMES),
    st.builds('<see href="{}"/>'.format, NAMES),
)
LINES = st.lists(WORDS | REFERENCES, max_size=4).map("".join)
TEXTS = st.lists(LINES | st.builds("<para>{}</para >".format, LINES), max_size=3).map("".join)
SECTIONS = st.one_of(
    st.builds(
        "<{0}>{1}</{0}>".format, st.sampled_from(["summary", "returns", "value", "remarks", "param", "example"]), TEXTS
    ),
    st.builds('<{0} name="{2}">{1}</{0} >'.format, st.sampled_from(["param", "typeparam", "summary"]), TEXTS, NAMES),
    st.builds('<exception cref="{1}">{0}</exception>'.format, TEXTS, NAMES),
    st.builds('<response code="{1}">{0}</response>'.format, TEXTS, NAMES),
    st.sampled_from([" ", "\n", "word", '<seealso cref="C"/>']),
)


@given(st.lists(SECTIONS, max_size=4).map("".join))
def test_a_comment_of_flat_sections_reads_as_the_xml_that_it_is(xml):
    marked = f"{xml}<!---->"  # an XML comment shows nothing, and wants the XML parser
    assert render_doc(xml) == render_doc(marked)
