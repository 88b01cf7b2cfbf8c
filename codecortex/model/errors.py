"""The errors a user can meet: message, hint, machine code and exit code in; one line on stderr out."""

from __future__ import annotations

from typing import ClassVar


class CodecortexError(Exception):
    """Something the user can be told about in one sentence.

    Args:
        message: What is wrong, naming the file and the line where there is one.
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
    """The words of the command make no sense."""

    code = "UsageError"
    exit_code = 2


class ConfigError(CodecortexError):
    """`config.yaml` says something that cannot be done."""

    code = "ConfigError"
    exit_code = 2


class GitStateError(CodecortexError):
    """The repository is not in a state this can work on."""

    code = "GitStateError"
    exit_code = 3


class StoreFormatError(CodecortexError):
    """A committed or cached artefact cannot be read."""

    code = "StoreFormatError"
    exit_code = 3


class NewerFormatError(StoreFormatError):
    """A newer codecortex wrote the artefact; this one must not overwrite it."""


class UnmergedError(StoreFormatError):
    """Git left conflict markers in the artefact."""


class SymbolNotFoundError(CodecortexError):
    """No symbol answers to the query; `suggestions` names near ones."""

    code = "SymbolNotFound"
    exit_code = 3


class AmbiguousSymbolError(CodecortexError):
    """Several symbols answer to the query; `candidates` names them."""

    code = "AmbiguousSymbol"
    exit_code = 3


class ExcludedError(CodecortexError):
    """No model may be sent the sources of what was asked for."""

    code = "AccessDenied"
    exit_code = 3


class BusyError(CodecortexError):
    """Another process holds the lock."""

    code = "Busy"
    exit_code = 3


class ProviderError(CodecortexError):
    """Who writes semantic texts gave none.

    Attributes:
        retryable: Whether the same request may fare better a little later.
        retry_after: Seconds to wait before that, where the server says so.
        tokens_in: Tokens that were sent in vain, and are paid for all the same.
        tokens_out: Tokens that were received in vain.
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
    """No other request would fare better: the key, the address or the program is wrong."""


class ProgramFailedError(ProviderError):
    """The program that answers prompts failed; it does not say whether it would fare better with another one."""


class StoppedError(ProviderError):
    """The request was given up because the run is to end."""


class InvalidFilterError(UsageError):
    """A pack's filter makes no sense; `position` counts characters from 0."""

    code = "InvalidFilter"


class AnswerRefusedError(CodecortexError):
    """An answer cannot be used; its prompt stays open."""

    code = "AnswerRefused"
    exit_code = 3


class OutdatedPromptError(CodecortexError):
    """What a prompt was made from is not what is there now."""

    code = "OutdatedPrompt"
    exit_code = 3
