"""Checks the running version against the version range that a repository requires."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.model.errors import ConfigError

if TYPE_CHECKING:
    from codecortex.model.config import Config


def check_requires(config: Config, version: str) -> None:
    """Check the running version against `requires`.

    Only the release numbers count: `1.2.dev3` is treated as `1.2`.

    Args:
        config: A config with a valid `requires`, or None.
        version: The running version, such as `0.1.0`.

    Raises:
        ConfigError: The version is outside the range.
    """
    if config.requires is None:
        return
    parts = ["".join(part.split()) for part in config.requires.split(",")]
    if not all(_fits(part, _numbers(version)) for part in parts):
        wanted = ",".join(parts)
        raise ConfigError(
            f"this repository requires codecortex {wanted}, and this is {version}",
            f'install that version: pip install "git-codecortex{wanted}"',
        )


def _numbers(version: str) -> tuple[int, ...]:
    match = re.match(r"[0-9]+(?:\.[0-9]+)*", version)
    return tuple(map(int, match[0].split("."))) if match else ()


def _fits(part: str, version: tuple[int, ...]) -> bool:
    operator = part.rstrip("0123456789.*")
    bound = _numbers(part.removeprefix(operator))
    width = max(len(bound), len(version))
    mine, theirs = (numbers + (0,) * (width - len(numbers)) for numbers in (version, bound))
    # `~=1.4.2` fixes all numbers but the last, `==1.4.*` all that are written.
    fixed = len(bound) - 1 if operator == "~=" else len(bound) if part.endswith("*") else width
    verdicts = {
        ">=": mine >= theirs,
        "<=": mine <= theirs,
        ">": mine > theirs,
        "<": mine < theirs,
        "~=": mine >= theirs and mine[:fixed] == theirs[:fixed],
        "!=": mine[:fixed] != theirs[:fixed],
        "==": mine[:fixed] == theirs[:fixed],
    }
    return verdicts[operator]
