"""The values that settings of few values may have."""

from __future__ import annotations

from enum import StrEnum


class GeneratedSources(StrEnum):
    """Which generated code is read."""

    COMPILED = "compiled"
    NONE = "none"
    ALL = "all"


class IndexDetail(StrEnum):
    """How much a row of index.json contains."""

    IDENTITY = "identity"
    FULL = "full"


class PostMerge(StrEnum):
    """What the hooks do when generated files are outdated after a merge, a checkout or a rebase."""

    REPORT = "report"
    WRITE = "write"


class SemanticCheck(StrEnum):
    """Which stale notes fail `codecortex check`."""

    STRICT = "strict"
    TOUCHED = "touched"
    OFF = "off"


class Inheritance(StrEnum):
    """What earlier rounds of a conversation do to the ranking of the next."""

    EDITED = "edited"
    CLASSIC = "classic"


class QuestionRanking(StrEnum):
    """Which weights rank the files of a question."""

    FITTED = "fitted"
    CLASSIC = "classic"


class EditLanguage(StrEnum):
    """The language of what is said about edits."""

    ENGLISH = "en"
    CHINESE = "zh"


class Compiling(StrEnum):
    """Whether edits of `refactor` are compiled before anything changes."""

    AUTO = "auto"
    OFF = "off"
    REQUIRED = "required"


class ProviderName(StrEnum):
    """Who writes notes."""

    EXTRACT = "extract"
    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    COMMAND = "command"
    AGENT = "agent"
