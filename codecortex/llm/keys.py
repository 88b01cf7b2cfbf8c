"""Finds the key of a model's server, and keeps it from being printed."""

from __future__ import annotations

import os
from importlib import import_module

from codecortex.model.errors import ConfigError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

SERVICE = "codecortex"
_KEY = compile_later(r"[!-~]{1,4096}")


class Key:
    """A secret that neither `print` nor a traceback shows."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def __repr__(self) -> str:
        return "Key(...)"

    def reveal(self) -> str:
        """The secret itself, for the one line that sends it."""
        return self._value


class KeySource(NamedTuple):
    """Where to look for a key.

    Attributes:
        variable: Environment variable.
        account: Account in the system's keyring, under the service `codecortex`; None not to use the keyring.
    """

    variable: str
    account: str | None

    def describe(self) -> str:
        """The places in words."""
        place = f"the environment variable {self.variable}"
        return place if self.account is None else f"{place} or the keyring ({SERVICE}, {self.account})"


def find_key(source: KeySource) -> Key | None:
    """The key, or None if there is none.

    Raises:
        ConfigError: The value cannot be a key, or the configured keyring cannot be read.
    """
    value = os.environ.get(source.variable, "").strip()
    place = source.variable
    if not value and source.account is not None:
        value, place = _ask_keyring(source.account).strip(), "The keyring's entry"
    if not value:
        return None
    if not _KEY.fullmatch(value):
        raise ConfigError(f"{place} holds characters that no key has.", "Copy the key again, alone and on one line.")
    return Key(value)


def _ask_keyring(account: str) -> str:
    try:
        keyring = import_module("keyring")  # an optional package
    except ImportError as problem:
        hint = "pip install 'git-codecortex[keyring]', or remove that line"
        raise ConfigError("llm.keyring is true, and the package keyring is not installed.", hint) from problem
    try:
        return str(keyring.get_password(SERVICE, account) or "")
    except Exception as problem:  # each backend has errors of its own
        raise ConfigError(f"The keyring cannot be read: {type(problem).__name__}.", "Unlock it.") from problem
