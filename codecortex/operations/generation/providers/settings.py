"""A workspace in; who is to write semantic texts, where and within which limits, as two configurations say, out.

Provider, address and command come from one file, so that no two files together say what neither of them said: the
user's, where it names a provider, else the repository's. Of everything else the user's word goes first.
"""

from __future__ import annotations

import os
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from codecortex.model.config import ProviderName
from codecortex.model.errors import ConfigError
from codecortex.operations.workers import count_processors
from codecortex.store.config.user_config import find_user_config, load_user_config

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from codecortex.operations.catalog.workspace import Workspace

_MOST_AT_ONCE = 4
_MONEY = {"llm.priceIn", "llm.priceOut", "llm.maxCostPerRun"}
_PLACES = ("llm.baseUrl", "llm.command")


class UserFile(NamedTuple):
    """The user's own configuration.

    Attributes:
        path: Where it stands, or would.
        values: What it sets, by dotted key.
    """

    path: Path
    values: Mapping[str, Any]


class Settings(NamedTuple):
    """What is in force.

    Attributes:
        provider: Who writes.
        by_user: Whether the user's own file names that provider, and with it the address and the command.
        base_url: Where a server is asked; None for the provider's own address.
        command: The program and its arguments.
        model: The model to ask for; None where nobody names one.
        exclude: Globs of sources that are never sent: those of both files.
        max_tokens_per_run: Sent and received.
        max_cost_per_run: None for no limit.
        concurrency: Requests at a time.
        price_in: Of a million tokens sent; None where nobody says.
        price_out: Of a million tokens received; None where nobody says.
        user: The user's own file.
    """

    provider: ProviderName
    by_user: bool
    base_url: str | None
    command: tuple[str, ...]
    model: str | None
    exclude: tuple[str, ...]
    max_tokens_per_run: int
    max_cost_per_run: Decimal | None
    concurrency: int
    price_in: Decimal | None
    price_out: Decimal | None
    user: UserFile


def read_settings(workspace: Workspace, provider: ProviderName | None = None) -> Settings:
    """What is in force at a workspace.

    Args:
        workspace: Where the repository's configuration is known.
        provider: The one to take for this call, whatever the files name.

    Raises:
        ConfigError: The user's own file makes no sense.
    """
    user = read_user_file(workspace)
    own, config = user.values, workspace.tree.config.llm
    named = ProviderName(own["llm.provider"]) if "llm.provider" in own else None
    chosen = provider or named or config.provider
    by_user, by_repository = named is chosen, config.provider is chosen
    # A repository that could set the price could set it to nothing, and the user's limit with it.
    prices = own if not _MONEY.isdisjoint(own) else {"llm.priceIn": config.price_in, "llm.priceOut": config.price_out}
    base_url, command = (config.base_url, config.command) if by_repository else (None, ())
    if by_user:
        base_url, command = own.get("llm.baseUrl"), own.get("llm.command", ())
    own_model = own.get("llm.model") if named in {chosen, None} else None
    return Settings(
        provider=chosen,
        by_user=by_user,
        base_url=base_url,
        command=command,
        model=own_model or (config.model if by_repository else None),
        exclude=tuple(dict.fromkeys((*config.exclude, *own.get("llm.exclude", ())))),
        max_tokens_per_run=own.get("llm.maxTokensPerRun", config.max_tokens_per_run),
        max_cost_per_run=_read_amount(own.get("llm.maxCostPerRun", config.max_cost_per_run)),
        concurrency=own.get("llm.concurrency") or config.concurrency or _count_requests(),
        price_in=_read_amount(prices.get("llm.priceIn")),
        price_out=_read_amount(prices.get("llm.priceOut")),
        user=user,
    )


def read_user_file(workspace: Workspace) -> UserFile:
    """The user's own configuration.

    Raises:
        ConfigError: It makes no sense, or it stands in the very repository that it is to protect from.
    """
    path = find_user_config()
    refuse_inside(workspace, path)
    values = load_user_config(path)
    for name in _PLACES:
        if values.get(name) and "llm.provider" not in values:
            hint = f"Name the provider beside {name}."
            raise ConfigError(f"{path}: {name} without llm.provider says where, and not who.", hint)
    return UserFile(path, values)


def refuse_inside(workspace: Workspace, path: Path) -> None:
    """Refuse a file of the user's that a repository could have brought along.

    Raises:
        ConfigError: It stands in the work tree of the workspace.
    """
    root = workspace.repository.root
    real = os.path.realpath(path)
    if root is not None and os.path.lexists(real) and real.startswith(os.path.realpath(root) + os.sep):
        hint = "Move it out of the repository: XDG_CONFIG_HOME and XDG_STATE_HOME say where such files stand."
        raise ConfigError(f"{path} stands inside the repository, so it is not only yours.", hint)


def _read_amount(value: Any) -> Decimal | None:
    return None if value is None else Decimal(value)


def _count_requests() -> int:
    return max(1, min(_MOST_AT_ONCE, count_processors() // 2))
