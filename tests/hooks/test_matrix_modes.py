"""The commit matrix, second part: indexes and checkouts of every kind."""

import shutil

import pytest

pytestmark = pytest.mark.matrix

ALPHA, BETA = (f"src/Core/{name}.cs" for name in ("Alpha", "Beta"))
NEW = "src/Core/Echo.cs"
ECHO = "namespace Demo;\n\npublic class Echo\n{\n    public Beta? Say() => null;\n}\n"
INDEXES = {
    "split": ["update-index", "--split-index"],
    "v4": ["update-index", "--index-version", "4"],
    "untracked-cache": ["update-index", "--untracked-cache"],
    "skip-hash": ["config", "index.skipHash", "true"],
}


@pytest.mark.parametrize("arguments", INDEXES.values(), ids=INDEXES)
def test_index_form(both, arguments):
    both.git(*arguments)
    both.add_top(ALPHA, "Staged")
    both.add_top(BETA, "Named")
    both.git("add", ALPHA)
    both.commit(BETA)
    both.obey_law()
    both.write(NEW, ECHO)
    both.git("add", NEW)
    both.commit()
    both.obey_law()
    both.add_bottom(ALPHA, "All")
    both.commit("-a")
    both.obey_law()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["--no-sparse-index", "--sparse-index"])
@pytest.mark.parametrize("cone", ["src", "src/Core"])
def test_sparse_cone_without_generated_files(both, cone, kind):
    both.git("sparse-checkout", "set", "--cone", kind, cone)
    both.add_top(ALPHA, "Staged")
    both.add_top(BETA, "Named")
    both.git("add", ALPHA)
    both.commit(BETA)
    both.obey_law()
    both.commit("-a")
    both.obey_law()
    both.write(NEW, ECHO)
    both.git("add", NEW)
    both.commit()
    both.obey_law()
    assert not (both.repo.root / ".codecortex" / "types").exists()
    both.git("sparse-checkout", "disable")
    both.obey_law(moved=False)


def test_autocrlf(both):
    both.git("config", "core.autocrlf", "true")
    for path in (ALPHA, BETA):
        both.edit(path, "\n", "\r\n")
        both.git("add", path)
    both.add_top(ALPHA, "Named")
    both.edit(ALPHA, "{\n", "{\r\n")
    both.add_top(BETA, "Staged")
    both.git("add", BETA)
    both.commit(ALPHA)
    both.obey_law()
    both.commit("-a")
    both.obey_law()


def test_autocrlf_clone(both):
    clone = both.clone("-c", "core.autocrlf=true")
    clone.edit(ALPHA, "    public int Top", "    public int Added() => 2;\r\n    public int Top")
    clone.commit("-a")
    clone.obey_law()


def test_linked_worktree(both):
    both.git("worktree", "add", "--quiet", "-b", "side", "../linked")
    linked = both.enter("../linked")
    linked.add_top(ALPHA, "Named")
    linked.add_top(BETA, "Staged")
    linked.git("add", BETA)
    linked.commit(ALPHA)
    linked.obey_law()
    linked.commit()
    linked.obey_law()
    both.add_bottom(ALPHA, "Main")
    both.commit("-a")
    both.obey_law()


def test_users_own_index(both):
    own = {"GIT_INDEX_FILE": ".git/own-index"}
    both.add_top(BETA, "Unstaged")
    both.add_top(ALPHA, "Added")
    both.git("read-tree", "HEAD", **own)
    both.git("add", ALPHA, **own)
    both.commit(**own)
    both.obey_law(**own)
    both.expect_intact()
    both.git("read-tree", "HEAD")
    both.commit("-a")
    both.obey_law()


def test_users_own_index_elsewhere_with_a_path(both, tmp_path):
    both.add_top(BETA, "Staged")
    both.add_top(ALPHA, "Named")
    for name, each in {"repo": both.repo, "twin": both.twin}.items():
        own = {"GIT_INDEX_FILE": str(tmp_path / f"{name}-index")}
        each.ask("read-tree", "HEAD", **own)
        each.ask("add", BETA, **own)
        each.ask("commit", "--quiet", "-m", "named", ALPHA, **own)
        each.ask("commit", "--quiet", "-m", "rest", **own)
    both.expect_fresh("HEAD~1")
    both.obey_law(GIT_INDEX_FILE=str(tmp_path / "repo-index"))


def test_git_dir_and_work_tree_named(both):
    both.add_top(ALPHA, "Added")
    for each in (both.repo, both.twin):
        place = {"GIT_DIR": str(each.root / ".git"), "GIT_WORK_TREE": str(each.root)}
        each._replace(root=each.root.parent).ask("commit", "--quiet", "-a", "-m", "from outside", **place)
    both.obey_law()


def test_shallow_clone(both):
    for name in ("First", "Second"):
        both.add_top(ALPHA, name)
        both.commit("-a")
    clone = both.clone("--depth=1")
    assert clone.repo.ask("rev-parse", "--is-shallow-repository") == "true\n"
    clone.add_top(ALPHA, "Staged")
    clone.add_top(BETA, "Named")
    clone.git("add", ALPHA)
    clone.commit(BETA)
    clone.obey_law()
    clone.commit()
    clone.obey_law()


def test_partial_clone(both):
    both.git("config", "uploadpack.allowFilter", "true")
    clone = both.clone("--filter=blob:none")
    clone.add_top(ALPHA, "Staged")
    clone.add_top(BETA, "Named")
    clone.git("add", ALPHA)
    clone.commit(BETA)
    clone.obey_law()
    clone.commit()
    clone.obey_law()


def test_partial_clone_that_lacks_sources_says_so(both):
    both.git("config", "uploadpack.allowFilter", "true")
    clone = both.clone("--filter=blob:none", "--sparse")
    clone.git("sparse-checkout", "set", "src/Core")
    clone.add_top(ALPHA, "Added")
    said = clone.commit("-a")
    assert said.err.startswith("codecortex: ")
    assert clone.repo.list_generated("HEAD") == clone.seen[-1]
    clone.expect_intact()
    clone.expect_clean()
    clone.git("sparse-checkout", "disable")
    clone.add_bottom(ALPHA, "Next")
    clone.commit("-a")
    clone.obey_law()


def test_submodule_inside(both):
    library = both.place / "library"
    shutil.copytree(both.twin.root, library)
    allow = ("-c", "protocol.file.allow=always")
    both.git(*allow, "submodule", "--quiet", "add", library.as_uri(), "libs/inner")
    both.add_top(ALPHA, "Added")
    both.commit("-a")
    both.obey_law()
    both.write("libs/inner/src/Core/Alpha.cs", "namespace Inner;\n\npublic class Other;\n")
    both.add_top(BETA, "Added")
    both.commit("-a")
    both.obey_law()
    both.enter("libs/inner").git("commit", "--quiet", "-a", "-m", "inside")
    both.commit("-a")
    both.obey_law(moved=False)


def test_commit_in_submodule_with_hooks(both, install):
    allow = ("-c", "protocol.file.allow=always")
    outer = both.make_empty("outer")
    for name, each in {"repo": both.repo, "twin": both.twin}.items():
        getattr(outer, name).ask(*allow, "submodule", "--quiet", "add", each.root.as_uri(), "inner")
    outer.commit()
    inner = outer.enter("inner")._replace(seen=both.seen)
    install(inner.repo)
    inner.add_top(ALPHA, "Named")
    inner.add_top(BETA, "Staged")
    inner.git("add", BETA)
    inner.commit(ALPHA)
    inner.obey_law()
    inner.commit()
    inner.obey_law()


@pytest.mark.parametrize("form", ["--object-format=sha256", "--ref-format=reftable"])
def test_repository_form_and_first_commit(both, form, install, set_up):
    new = both.make_empty("new", form)
    for path in ("src", "notes.txt"):
        for name in ("repo", "twin"):
            source, target = (getattr(each, name).root / path for each in (both, new))
            (shutil.copytree if source.is_dir() else shutil.copy)(source, target)
    for each in (new.repo, new.twin):
        set_up(each)
    install(new.repo)
    new.git("add", "--all")
    new.commit()
    new.obey_law()
    new.add_top(ALPHA, "Staged")
    new.add_top(BETA, "Named")
    new.git("add", ALPHA)
    new.commit(BETA)
    new.obey_law()
    new.commit()
    new.obey_law()


def test_first_commit(both, install, set_up):
    new = both.make_empty("new")
    for name in ("repo", "twin"):
        shutil.copytree(getattr(both, name).root / "src", getattr(new, name).root / "src")
        set_up(getattr(new, name))
    install(new.repo)
    new.git("add", "src/Core", ".codecortex")
    new.commit()
    new.obey_law()
    new.git("add", "--all")
    new.commit()
    new.obey_law()


def test_first_commit_of_another_branch(both):
    both.git("checkout", "--quiet", "--orphan", "other")
    both.add_top(ALPHA, "Added")
    both.commit("-a")
    both.obey_law()


def test_file_mode_and_symbolic_link(both):
    for each in (both.repo, both.twin):
        (each.root / BETA).chmod(0o755)
        (each.root / "src/Core/Link.cs").symlink_to("Alpha.cs")
    both.git("add", "--all")
    both.add_top(ALPHA, "Added")
    both.commit("-a")
    both.obey_law()


def test_names_that_are_no_plain_text(both):
    name = "src/Core/caf\udce9 %\n.cs"
    for each in (both.repo, both.twin):
        (each.root / name).write_text(ECHO)
    both.git("add", "--all")
    both.commit()
    both.obey_law()


def test_attributes_that_want_crlf(both):
    both.write(".gitattributes", "* text=auto eol=crlf\n")
    both.git("add", ".gitattributes")
    both.git("add", "--renormalize", ".")
    both.add_top(ALPHA, "Added")
    both.commit("-a")
    both.obey_law()
    both.add_top(BETA, "Named")
    both.commit(BETA)
    both.obey_law()


CONFIGURATION = {
    "color.ui": "always",
    "core.ignoreCase": "true",
    "core.fileMode": "false",
    "core.quotePath": "false",
    "core.safecrlf": "true",
    "diff.external": "false",
    "diff.noprefix": "true",
    "diff.renames": "copies",
    "feature.manyFiles": "true",
    "status.relativePaths": "true",
    "status.showUntrackedFiles": "all",
    "submodule.recurse": "true",
}


@pytest.mark.parametrize("kind", ["LITERAL", "GLOB", "NOGLOB", "ICASE"])
def test_configuration_and_environment_of_the_user(both, kind):
    for key, value in CONFIGURATION.items():
        both.git("config", key, value)
    both.add_top(ALPHA, "Staged")
    both.add_top(BETA, "Named")
    both.git("add", ALPHA)
    both.commit(BETA, **{f"GIT_{kind}_PATHSPECS": "1"})
    both.obey_law()
    both.commit(**{f"GIT_{kind}_PATHSPECS": "1"})
    both.obey_law()
