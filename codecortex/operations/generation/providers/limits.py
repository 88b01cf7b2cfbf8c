"""Judges whether what a request could take is within the limits of the settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.runs import Prices, write_money

if TYPE_CHECKING:
    from codecortex.operations.generation.providers.settings import Settings


def read_prices(settings: Settings) -> Prices:
    """What tokens cost."""
    return Prices(settings.price_in, settings.price_out)


def find_limit(settings: Settings, tokens_in: int, tokens_out: int, *, begun: bool) -> str:
    """The limit that so many tokens would exceed, as a sentence without its full stop; empty if there is none.

    Args:
        settings: The settings in force.
        tokens_in: Tokens sent, those of the next request among them.
        tokens_out: Tokens received, likewise.
        begun: Whether anything was asked before.
    """
    if tokens_in + tokens_out > settings.max_tokens_per_run:
        needed = f"{tokens_in + tokens_out:,} tokens"
        return _tell("llm.maxTokensPerRun", f"{settings.max_tokens_per_run:,}", needed, begun=begun)
    cost = read_prices(settings).cost(tokens_in, tokens_out)
    if settings.max_cost_per_run is not None and cost is not None and cost > settings.max_cost_per_run:
        return _tell("llm.maxCostPerRun", write_money(settings.max_cost_per_run), write_money(cost), begun=begun)
    return ""


def _tell(key: str, limit: str, needed: str, *, begun: bool) -> str:
    if begun:
        return f"the next request could exceed {key}, {limit}"
    return f"{key}, {limit}, is below one request of about {needed}"
