"""What the reference pages are made of: called by the cog blocks in `docs/`, which `cog --check` compares.

Everything comes from the program itself: the tree of commands, the table of configuration keys, the codes of `check`.
The width of a help text is fixed, and no path of this machine enters.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import click

    from codecortex.model.rules import Rule

ROOT = Path(__file__).parents[1]
WIDTH = 100


def _walk(group: click.Group, context: click.Context) -> Iterator[tuple[click.Command, click.Context]]:
    import click  # noqa: PLC0415 - cog imports this module for every page, and most blocks need no command

    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is None or command.hidden:
            continue
        inner = click.Context(command, info_name=name, parent=context)
        yield command, inner
        if isinstance(command, click.Group):
            yield from _walk(command, inner)


def write_guides() -> str:
    """A table of the guides with the commands that their headings name."""
    rows = ["| commands | told in |", "|---|---|"]
    for page in sorted((ROOT / "docs" / "guides").glob("*.md")):
        text = page.read_text("utf-8")
        headings = "\n".join(line for line in text.splitlines() if line.startswith("##"))
        found = [
            f"`{name} {inner}`" if inner else f"`{name}`"
            for name, several in re.findall(r"`codecortex ([a-z-]+) ?([a-z|]*)", headings)
            for inner in several.split("|")
        ]
        if found:
            rows.append(
                f"| {', '.join(found)} | [{text.partition(chr(10))[0].removeprefix('# ')}](../guides/{page.name}) |"
            )
    return "\n".join(rows)


def write_commands() -> str:
    """A section for every command: its name and what `--help` prints."""
    import click  # noqa: PLC0415

    from codecortex.cli.main import cli  # noqa: PLC0415

    settings = cli.context_settings | {"terminal_width": WIDTH, "max_content_width": WIDTH}
    root = click.Context(cli, info_name="codecortex", **settings)
    parts = [f"## codecortex\n\n```text\n{cli.get_help(root)}\n```\n"]
    for command, context in _walk(cli, root):
        level = "##" if context.parent is root else "###"
        parts.append(f"{level} {context.command_path}\n\n```text\n{command.get_help(context)}\n```\n")
    return "\n".join(parts)


def _write_default(value: object) -> str:
    if value is None:
        return "`null`"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, tuple):
        return f"`[{', '.join(map(str, value))}]`"
    return f"`{value}`"


def _write_row(name: str, cells: list[str], rule: Rule) -> str:
    cells = [f"`{name}`", *cells, rule.wanted, rule.doc]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def write_keys() -> str:
    """A table of the keys of the repository's configuration."""
    from codecortex.model.config_keys import KEYS  # noqa: PLC0415

    rows = [_write_row(name, [_write_default(key.default)], key.rule) for name, key in KEYS.items()]
    return "\n".join(["| key | default | takes | what it does |", "|---|---|---|---|", *rows])


def write_user_keys() -> str:
    """A table of the keys that only the user's own configuration may hold."""
    from codecortex.model.config_keys import KEYS, USER_RULES  # noqa: PLC0415

    own: Mapping[str, Rule] = {name: rule for name, rule in USER_RULES.items() if name not in KEYS}
    rows = [_write_row(name, [], rule) for name, rule in own.items()]
    return "\n".join(["| key | takes | what it does |", "|---|---|---|", *rows])


def write_template() -> str:
    """The configuration that `codecortex init` makes."""
    text = (ROOT / ".codecortex-template/config.yaml").read_text("utf-8")
    return f"```yaml\n{text}```"


def write_codes() -> str:
    """A table of the codes of `check`, and what holds where a code is not found."""
    from codecortex.operations.check.findings import RULES, Code  # noqa: PLC0415

    rows = [f"| `{code}` | {RULES[code]} |" for code in Code]
    return "\n".join(["| code | what should hold |", "|---|---|", *rows])


def write_decisions() -> str:
    """A table of the decisions, from the headings of their files."""
    folder = ROOT / "docs/development/decisions"
    rows = []
    for file in sorted(folder.glob("[0-9]*.md")):
        title = re.sub(r"^# \d+: ", "", file.read_text("utf-8").partition("\n")[0])
        rows.append(f"| {file.name[:4]} | [{title}]({file.name}) |")
    return "\n".join(["| number | decision |", "|---|---|", *rows])
