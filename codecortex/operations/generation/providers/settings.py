"""Merges the LLM settings of the repository and the user: provider, place and limits.

Provider, address and command come from one file, the user's if it names a provider, else the repository's: mixed, they
could mean what neither file configures. For everything else the user's value takes precedence.
"""

from __future__ import annotations

import os
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from codecortex.model.config_choices import ProviderName
from codecortex.model.errors import ConfigError
from codecortex.model.startup.named_tuple import NamedTuple
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
        path: Path of the file, whether or not it exists.
        values: Its settings, by dotted key.
    """

    path: Path
    values: Mapping[str, Any]


class Settings(NamedTuple):
    """The settings in force.

    Attributes:
        provider: The provider.
        by_user: Whether the user's own file names that provider, and so the address and the command.
        base_url: Base URL of the server; None for the provider's default.
        command: The program and its arguments.
        model: The model name; None if neither file names one.
        exclude: Globs of sources that are never sent, from both files.
        max_tokens_per_run: Limit of tokens sent and received together.
        max_cost_per_run: Limit of the cost; None for no limit.
        concurrency: Number of concurrent requests.
        price_in: Price of a million tokens sent; None if not configured.
        price_out: Price of a million tokens received; None if not configured.
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
    """Read the settings in force.

    Args:
        workspace: The workspace with the repository's configuration.
        provider: Overrides the provider of both files.

    Raises:
        ConfigError: The user's own file is invalid.
    """
    user = read_user_file(workspace)
    own, config = user.values, workspace.tree.config.llm
    named = ProviderName(own["llm.provider"]) if "llm.provider" in own else None
    chosen = provider or named or config.provider
    by_user, by_repository = named is chosen, config.provider is chosen
    # If the repository could set the prices, it could set them to zero and so bypass the user's cost limit.
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
    """Read the user's own configuration.

    Raises:
        ConfigError: It is invalid, or lies inside the repository that it should protect from.
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
    """Refuse a file of the user's that could have come with the repository.

    Raises:
        ConfigError: It lies in the work tree of the workspace.
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
