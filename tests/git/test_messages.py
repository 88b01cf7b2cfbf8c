"""Messages of commits with the files that they touched: whatever bytes people put into them."""

from codecortex.git.history import list_messages
from codecortex.git.repository import open_repository

SOURCES = ":(top,icase)*.cs"


def test_messages_come_whole_with_the_sources_they_touched(repo, git):
    (repo / "src/b.cs").write_text("class B2;\n", "utf-8")
    (repo / "C.CS").write_text("class C;\n", "utf-8")
    (repo / "notes.txt").write_text("more\n", "utf-8")
    git(repo, "add", ".")
    git(repo, "commit", "--quiet", "-m", "Two\n\nA body \x01 with a control character.\n\n:100644 and a colon")
    (repo / "notes.txt").write_text("none\n", "utf-8")
    git(repo, "commit", "--quiet", "-am", "no source")
    git(repo, "mv", "a.cs", "d.cs")
    git(repo, "commit", "--quiet", "-m", "moved")
    found = list_messages(open_repository(repo), "HEAD", None, SOURCES)
    told = [(each.text.strip(), sorted(each.paths)) for each in found]
    assert told == [
        ("moved", ["a.cs", "d.cs"]),
        ("Two\n\nA body \x01 with a control character.\n\n:100644 and a colon", ["C.CS", "src/b.cs"]),
        ("one", ["a.cs", "src/b.cs"]),
    ]


def test_messages_since_a_commit_leave_out_what_it_reaches(repo, git):
    first = git(repo, "rev-parse", "HEAD").strip()
    (repo / "a.cs").write_text("class A2;\n", "utf-8")
    git(repo, "commit", "--quiet", "-am", "two")
    told = list(list_messages(open_repository(repo), "HEAD", first, SOURCES))
    assert [each.text.strip() for each in told] == ["two"]
    assert told[0].id == git(repo, "rev-parse", "HEAD").strip()
    assert told[0].time > 0
