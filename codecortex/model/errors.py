"""The errors shown to users, each with message, hint, machine-readable code and exit code."""

from __future__ import annotations

from typing import ClassVar


class CodecortexError(Exception):
    """An error that one sentence can explain to the user.

    Args:
        message: What is wrong, with file and line where there are any.
        hint: The next step, or empty.
        details: Fields for the JSON error object, such as `suggestions` or `candidates`.
    """

    code: ClassVar[str] = "InternalError"
    exit_code: ClassVar[int] = 70

    def __init__(self, message: str, hint: str = "", **details: object) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.details = details

    def as_json(self) -> dict[str, object]:
        """The JSON error object."""
        hint = {"hint": self.hint} if self.hint else {}
        return {"code": self.code, "message": self.message, **hint, **self.details}


class UsageError(CodecortexError):
    """The arguments of the command are not valid."""

    code = "UsageError"
    exit_code = 2


class ConfigError(CodecortexError):
    """`config.yaml` contains an invalid setting."""

    code = "ConfigError"
    exit_code = 2


class GitStateError(CodecortexError):
    """The repository is in a state that codecortex cannot work on."""

    code = "GitStateError"
    exit_code = 3


class StoreFormatError(CodecortexError):
    """A committed or cached file cannot be read."""

    code = "StoreFormatError"
    exit_code = 3


class NewerFormatError(StoreFormatError):
    """A newer codecortex wrote the file; this one must not overwrite it."""


class UnmergedError(StoreFormatError):
    """Git left conflict markers in the file."""


class SymbolNotFoundError(CodecortexError):
    """No symbol matches the query; `suggestions` lists similar names."""

    code = "SymbolNotFound"
    exit_code = 3


class AmbiguousSymbolError(CodecortexError):
    """Several symbols match the query; `candidates` lists them."""

    code = "AmbiguousSymbol"
    exit_code = 3


class ExcludedError(CodecortexError):
    """The sources of the requested type must not be sent to a model."""

    code = "AccessDenied"
    exit_code = 3


class BusyError(CodecortexError):
    """Another process holds the lock."""

    code = "Busy"
    exit_code = 3


class ProviderError(CodecortexError):
    """The provider of notes gave no answer.

    Attributes:
        retryable: Whether the same request may succeed later.
        retry_after: Seconds to wait before a retry, if the server said so.
        tokens_in: Tokens sent for nothing; they are paid for all the same.
        tokens_out: Tokens received for nothing.
    """

    code = "ProviderError"
    exit_code = 3

    def __init__(
        self, message: str, hint: str = "", *, retryable: bool = False, retry_after: float | None = None
    ) -> None:
        super().__init__(message, hint)
        self.retryable = retryable
        self.retry_after = retry_after
        self.tokens_in = 0
        self.tokens_out = 0


class ProviderUnusableError(ProviderError):
    """No other request would succeed either: the key, the address or the program is wrong."""


class ProgramFailedError(ProviderError):
    """The program that answers prompts failed; another prompt may or may not succeed."""


class StoppedError(ProviderError):
    """The request was given up because the run is stopping."""


class NoIndexError(UsageError):
    """A name is looked up in a repository without an index."""

    code = "NoIndex"


class InvalidFilterError(UsageError):
    """A pack's filter is not valid; `position` counts characters from 0."""

    code = "InvalidFilter"


class AnswerRefusedError(CodecortexError):
    """An answer cannot be used; its prompt stays open."""

    code = "AnswerRefused"
    exit_code = 3


class OutdatedPromptError(CodecortexError):
    """The inputs of the prompt have changed since it was made."""

    code = "OutdatedPrompt"
    exit_code = 3
