"""Checks the alias table against itself and against the types of the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.errors import StoreFormatError, UnmergedError
from codecortex.operations.check.files import tell_format
from codecortex.operations.check.findings import Code, Finding, Level
from codecortex.store.committed.aliases_json import collapse, decode_rows, prune
from codecortex.store.paths import ALIASES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from codecortex.model.code.aliases import Alias
    from codecortex.store.committed.aliases_json import Table


def judge_aliases(data: bytes | None, ids: Collection[str], refresh: str) -> Iterator[Finding]:
    """Findings about the alias table.

    Args:
        data: Bytes of the table; None if there is none.
        ids: All TypeIds of the tree.
        refresh: The command that updates generated files.
    """
    if data is None:
        return
    try:
        rows = decode_rows(data, ALIASES)
    except StoreFormatError as error:
        command = refresh if isinstance(error, UnmergedError) else ""
        yield tell_format(error, ALIASES, Code.ALIASES_UNREADABLE, command)
        return
    lines = {line.partition(b":")[0]: number for number, line in reversed([*enumerate(data.split(b"\n"), 1)])}
    left = prune(rows, ids)
    for settled in sorted({row.old_id: row for row in set(rows).difference(left)}.values()):
        said = f"of several aliases of {settled.old_fqn} one leads to {settled.new_fqn}, which is gone"
        yield Finding(
            Code.ALIAS_TWICE, Level.ERROR, ALIASES, lines.get(f'"{settled.old_id}"'.encode(), 1), said, refresh
        )
    for code, alias, said in _judge_table(collapse(left), ids):
        line = lines.get(f'"{alias.old_id}"'.encode(), 1)
        # Only a warning: deleting a type that was renamed before is no mistake; its old name then leads nowhere.
        level = Level.WARNING if code is Code.ALIAS_TARGET_GONE else Level.ERROR
        mend = f"add {alias.old_id} {alias.new_id}" if code is Code.ALIAS_TWICE else f"remove {alias.old_id}"
        yield Finding(code, level, ALIASES, line, said, f"codecortex alias {mend}")


def _judge_table(table: Table, ids: Collection[str]) -> Iterator[tuple[Code, Alias, str]]:
    for alias in table.loops:
        yield Code.ALIAS_LOOP, alias, f"the alias of {alias.old_fqn} leads back to itself"
    for twins in table.twins:
        names = " and ".join(alias.new_fqn for alias in twins)
        alive = next((alias for alias in twins if alias.new_id in ids), None)
        if alive is None:
            continue  # told below: what it became is gone
        yield Code.ALIAS_TWICE, alive, f"the aliases of {twins[0].old_fqn} lead to {names}"
    for alias in table.aliases.values():
        if alias.old_id in ids:
            yield Code.ALIAS_OLD_ID_EXISTS, alias, f"{alias.old_fqn} has an alias and is a type again"
        elif alias.new_id not in ids:
            yield Code.ALIAS_TARGET_GONE, alias, f"the alias of {alias.old_fqn} leads to {alias.new_fqn}, which is gone"
