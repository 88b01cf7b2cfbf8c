"""The errors shown to users, each with message, hint, machine-readable code and exit code."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Sequence


class CodecortexError(Exception):
    """An error that one sentence can explain to the user.

    Args:
        message: What is wrong, with file and line where there are any.
        hint: The next step, or empty.
        details: Fields for the JSON error object, such as `suggestions` or `candidates`.
    """

    code: ClassVar[str] = "InternalError"
    exit_code: ClassVar[int] = 70

    def __init_subclass__(cls, code: str = "", exit_code: int = 0) -> None:
        """Set code and exit code, which are inherited where a subclass names none."""
        cls.code, cls.exit_code = code or cls.code, exit_code or cls.exit_code

    def __init__(self, message: str, hint: str = "", **details: object) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.details = details
        self.rows: tuple[str, ...] = ()

    def as_json(self) -> dict[str, object]:
        """The JSON error object."""
        hint = {"hint": self.hint} if self.hint else {}
        return {"code": self.code, "message": self.message, **hint, **self.details}


class UsageError(CodecortexError, code="UsageError", exit_code=2):
    """The arguments of the command are not valid."""


class ConfigError(CodecortexError, code="ConfigError", exit_code=2):
    """`config.yaml` contains an invalid setting."""


class GitStateError(CodecortexError, code="GitStateError", exit_code=3):
    """The repository is in a state that codecortex cannot work on."""


class StoreFormatError(CodecortexError, code="StoreFormatError", exit_code=3):
    """A committed or cached file cannot be read."""


class NewerFormatError(StoreFormatError):
    """A newer codecortex wrote the file; this one must not overwrite it."""


class UnmergedError(StoreFormatError):
    """Git left conflict markers in the file."""


class SymbolNotFoundError(CodecortexError, code="SymbolNotFound", exit_code=3):
    """No symbol matches the query; `suggestions` lists similar names."""


class AmbiguousSymbolError(CodecortexError, code="AmbiguousSymbol", exit_code=3):
    """Several symbols match the query; `candidates` lists them.

    Args:
        message: What is ambiguous.
        hint: The next step.
        rows: A line for each of the symbols, for people.
        details: See `CodecortexError`.
    """

    def __init__(self, message: str, hint: str, rows: Sequence[str], **details: object) -> None:
        super().__init__(message, hint, **details)
        self.rows = tuple(rows)


class ExcludedError(CodecortexError, code="AccessDenied", exit_code=3):
    """The sources of the requested type must not be sent to a model."""


class BusyError(CodecortexError, code="Busy", exit_code=3):
    """Another process holds the lock."""


class ProviderError(CodecortexError, code="ProviderError", exit_code=3):
    """The provider of notes gave no answer.

    Attributes:
        retryable: Whether the same request may succeed later.
        retry_after: Seconds to wait before a retry, if the server said so.
        tokens_in: Tokens sent for nothing; they are paid for all the same.
        tokens_out: Tokens received for nothing.
    """

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


class RequestRefusedError(ProviderError):
    """The server refused this request and would refuse it again; another one may succeed."""


class ProgramFailedError(ProviderError):
    """The program that answers prompts failed; another prompt may or may not succeed."""


class StoppedError(ProviderError):
    """The request was given up because the run is stopping."""


class InvalidFilterError(UsageError, code="InvalidFilter"):
    """A pack's filter is not valid; `position` counts characters from 0."""


class AnswerRefusedError(CodecortexError, code="AnswerRefused", exit_code=3):
    """An answer cannot be used; its prompt stays open."""


class OutdatedPromptError(CodecortexError, code="OutdatedPrompt", exit_code=3):
    """The inputs of the prompt have changed since it was made."""
