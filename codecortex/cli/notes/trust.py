"""The command `trust`."""

from __future__ import annotations

import click

from codecortex.cli.options import Context, json_option, make_request, require_worktree


@click.command()
@click.option("--revoke", is_flag=True, help="Allow nothing of this repository any longer.")
@click.option("--list", "listed", is_flag=True, help="Show what is allowed, of all repositories.")
@click.option("--build", is_flag=True, help="Allow its projects to be built, which runs what their files say.")
@json_option
@click.pass_obj
def trust(context: Context, /, *, revoke: bool, listed: bool, build: bool, as_json: bool) -> None:
    """Allow what this repository wants to run or to send to.

    Only then does `codecortex semantic generate` run that command, or send sources to that address, to have notes
    written. It stands in .codecortex/config.yaml: look at it, and at the files that the command names, before you
    allow it. When one of these changes, it has to be allowed again.

    With --build, `codecortex refactor` asks MSBuild what projects are compiled with, and compiles edits: targets of
    project files and of packages run then, and generators of sources. When a project file changes, it has to be
    allowed again.
    """
    from codecortex.cli.text import print_result
    from codecortex.model.errors import UsageError
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.generation.providers import trust as verbs

    if revoke + listed + build > 1:
        raise UsageError("--revoke, --list and --build exclude each other.", "Give one of them.")
    if listed:
        result = verbs.list_trusted()
    else:
        require_worktree(context)
        with Workspace(make_request(context, {})) as workspace:
            run = verbs.revoke if revoke else verbs.trust_build if build else verbs.trust
            result = run(workspace)
    print_result(result, as_json=as_json)
