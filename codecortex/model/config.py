"""The configuration: every key with its default and rule, as fields of the frozen `Config`.

The fields below are the one table of keys: name, default, bounds and explanation are in one place. To add a key, add
a field here and its commented default to `.codecortex-template/config.yaml`; reading, writing and the error messages
follow, and a test compares the two. The field `drift_limit` of the section `semantics` is the key
`semantics.driftLimit`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING

from codecortex.model.config_choices import (
    Compiling,
    EditLanguage,
    GeneratedSources,
    IndexDetail,
    Inheritance,
    PostMerge,
    ProviderName,
    QuestionRanking,
    SemanticCheck,
)
from codecortex.model.packs import FILTER_SCHEMA, LONGEST_FILTER, PACKS_SCHEMA, fits_packs, is_filter_text
from codecortex.model.rules import (
    Rule,
    address_or_null,
    choice,
    number,
    number_or_null,
    price_or_null,
    share,
    switch,
    text,
    text_or_null,
    words,
)

if TYPE_CHECKING:
    from codecortex.model.packs import PackDefinition

_NUMBERS = r"[0-9]{1,9}(?:\.[0-9]{1,9})*"
_PART = rf"\s*(?:~=\s*[0-9]{{1,9}}\.{_NUMBERS}|[=!]=\s*{_NUMBERS}(?:\.\*)?|[<>]=?\s*{_NUMBERS})\s*"
_RANGE = f"{_PART}(?:,{_PART})*"
_WORD = r"[^\W\d]\w*"


_COSMETIC = (
    *("SuppressMessage", "DebuggerDisplay", "DebuggerStepThrough", "ExcludeFromCodeCoverage"),
    *("EditorBrowsable", "GeneratedCode", "MethodImpl"),
)


@dataclass(frozen=True, slots=True)
class SourcesConfig:
    """Which sources are read."""

    generated: GeneratedSources = field(
        default=GeneratedSources.COMPILED,
        metadata=choice(
            GeneratedSources,
            "Which generated code is read; compiled is what a project compiles, and not the rest.",
        ),
    )


@dataclass(frozen=True, slots=True)
class ProjectConfig:
    """The build flavour that sources are read for."""

    tfm: str | None = field(
        default=None,
        metadata=text_or_null(
            r"[A-Za-z][A-Za-z0-9._-]{0,99}",
            "a target framework such as net8.0",
            "The target framework to read sources for; null takes the newest of each project.",
        ),
    )
    configuration: str = field(
        default="Release",
        metadata=text(r"\S.{0,99}", "the name of a configuration", "The build configuration to read sources for."),
    )
    define: tuple[str, ...] = field(
        default=(), metadata=words(_WORD, "symbols", "More conditional-compilation symbols, for every project.")
    )


@dataclass(frozen=True, slots=True)
class ReferencesConfig:
    """What projects compile against beside packages."""

    assemblies: tuple[str, ...] = field(
        default=(),
        metadata=words(
            r"(?!/)(?!(?:.*/)?\.\.(?:/|$))[^\\:]{1,500}",
            "globs with / between folders, from the root and not above it",
            "Assemblies in the work tree that answers of bindings know, beside packages and frameworks.",
        ),
    )


@dataclass(frozen=True, slots=True)
class HashConfig:
    """What goes into which fingerprint."""

    cosmetic_attributes: tuple[str, ...] = field(
        default=_COSMETIC,
        metadata=words(
            rf"{_WORD}(?:\.{_WORD})*",
            "attribute names",
            "Attributes that speak to tools only, kept out of structureHash.",
        ),
    )
    structure_hash_includes_xml_doc: bool = field(
        default=False, metadata=switch("Whether a change of documentation is a change of structure.")
    )
    include_internal_in_structure_hash: bool = field(
        default=False, metadata=switch("Whether internal members are part of a type's structure.")
    )


@dataclass(frozen=True, slots=True)
class SemanticsConfig:
    """Which types get a note, and which changes make one stale."""

    types: str = field(
        default="access:public generated:false",
        metadata={
            "rule": Rule(
                "The filter that selects the types which are to have a semantic text; those that have one keep it.",
                f"a filter of at most {LONGEST_FILTER} characters, as of a pack",
                is_filter_text,
                FILTER_SCHEMA,
            )
        },
    )
    tests: bool = field(
        default=False, metadata=switch("Whether code of tests and benchmarks is to have semantic texts too.")
    )
    members: bool = field(
        default=False, metadata=switch("Whether semantic texts say something of single members, a line each.")
    )
    internal_impl_affects_semantic: bool = field(
        default=False, metadata=switch("Whether one internal change already makes a semantic text stale.")
    )
    semantic_docs_affect: bool = field(
        default=False, metadata=switch("Whether a change of documentation makes a semantic text stale.")
    )
    drift_limit: int = field(
        default=5, metadata=number(1, 100, "Internal changes after which a semantic text is stale.")
    )
    drift_hours: int = field(
        default=24, metadata=number(1, 8760, "Hours after an internal change at which a semantic text is stale.")
    )


@dataclass(frozen=True, slots=True)
class SccConfig:
    """How large a group of mutually dependent types may grow before it is cut."""

    max_types: int = field(default=8, metadata=number(1, 64, "Types that may share one semantic text."))
    max_tokens: int = field(
        default=12000, metadata=number(500, 200_000, "Tokens that the outlines of such a group may take.")
    )


@dataclass(frozen=True, slots=True)
class IndexConfig:
    """How much index.json contains."""

    detail: IndexDetail = field(
        default=IndexDetail.IDENTITY,
        metadata=choice(IndexDetail, "What index.json holds of a type; full adds hashes, which conflict in merges."),
    )


@dataclass(frozen=True, slots=True)
class OutlineConfig:
    """How much an outline contains."""

    hashes: bool = field(
        default=False, metadata=switch("Whether outlines carry their hashes, which conflict in merges.")
    )
    max_dependencies: int = field(default=12, metadata=number(0, 100, "Dependencies that an outline names."))


@dataclass(frozen=True, slots=True)
class HooksConfig:
    """What the git hooks do."""

    strict: bool = field(
        default=False, metadata=switch("Whether a commit fails where codecortex is missing or cannot do its work.")
    )
    notes: bool = field(
        default=True, metadata=switch("Whether a commit says how many notes on what it changes it leaves stale.")
    )
    post_merge: PostMerge = field(
        default=PostMerge.REPORT,
        metadata=choice(PostMerge, "What happens after a merge to generated files that are behind; write mends them."),
    )


@dataclass(frozen=True, slots=True)
class CheckConfig:
    """What `codecortex check` fails on."""

    semantic: SemanticCheck = field(
        default=SemanticCheck.TOUCHED,
        metadata=choice(
            SemanticCheck, "Stale semantic texts that fail a check; touched means those of types that a range touches."
        ),
    )


@dataclass(frozen=True, slots=True)
class PromptWindowConfig:
    """How large the prompt window may grow."""

    max_chars: int = field(
        default=40_000, metadata=number(200, 10_000_000, "Characters that the prompt window may take.")
    )
    pinned_share: Decimal | int = field(
        default=Decimal("0.6"), metadata=share("The part of them that pinned types may take; more are refused.")
    )


@dataclass(frozen=True, slots=True)
class TokensConfig:
    """How tokens are counted."""

    encoding: str | None = field(
        default=None,
        metadata=text_or_null(
            "cl100k_base|o200k_base",
            "cl100k_base or o200k_base",
            "The vocabulary to count tokens by, which needs the extra tokens; null estimates them.",
        ),
    )


@dataclass(frozen=True, slots=True)
class ContextConfig:
    """How questions are answered."""

    budget: int = field(
        default=50_000,
        metadata=number(100, 10_000_000, "The most tokens of an answer in a conversation; a single question has 4000."),
    )
    inheritance: Inheritance = field(
        default=Inheritance.EDITED,
        metadata=choice(Inheritance, "Which files the next round of a conversation takes over from earlier ones."),
    )
    ranking: QuestionRanking = field(
        default=QuestionRanking.FITTED,
        metadata=choice(QuestionRanking, "The weights that rank the files of a question."),
    )


@dataclass(frozen=True, slots=True)
class InvestigateConfig:
    """How long a question is investigated."""

    rounds: int = field(
        default=6, metadata=number(1, 20, "How often an investigation may ask a model, refused answers aside.")
    )


@dataclass(frozen=True, slots=True)
class EditConfig:
    """How edits are answered."""

    language: EditLanguage = field(
        default=EditLanguage.ENGLISH,
        metadata=choice(EditLanguage, "The language in which `edit` says what happened and what to do next."),
    )
    allow_verbs: tuple[str, ...] = field(
        default=(),
        metadata=words(
            r"[a-z]{1,40}(?:[ -][a-z]{1,40}){0,3}", "verbs", "All that `edit` and `refactor` may do; none named is all."
        ),
    )
    allow_paths: tuple[str, ...] = field(
        default=(),
        metadata=words(
            r"[^\\]{1,500}", "globs with / between folders", "All files that they may change; none named is all."
        ),
    )
    compile: Compiling = field(
        default=Compiling.AUTO,
        metadata=choice(Compiling, "Whether `refactor` compiles an edit first; auto does where it can and may."),
    )
    compile_seconds: int = field(default=300, metadata=number(1, 86_400, "How long that may take."))


@dataclass(frozen=True, slots=True)
class LlmConfig:
    """Who writes notes, and within which limits; amounts are in the currency of the prices."""

    provider: ProviderName = field(
        default=ProviderName.EXTRACT,
        metadata=choice(ProviderName, "Who writes semantic texts; extract needs no model and no network."),
    )
    base_url: str | None = field(
        default=None,
        metadata=address_or_null("Where the model is asked; null is the provider's own address."),
    )
    model: str | None = field(
        default=None,
        metadata=text_or_null(r"\S.{0,199}", "the name of a model", "The model to ask, as the provider calls it."),
    )
    command: tuple[str, ...] = field(
        default=(),
        metadata=words(r".{1,1000}", "words", "The program to ask on stdin and its arguments; there is no shell."),
    )
    exclude: tuple[str, ...] = field(
        default=(),
        metadata=words(r"[^\\]{1,500}", "globs with / between folders", "Sources that no model is ever sent."),
    )
    max_tokens_per_run: int = field(
        default=1_000_000,
        metadata=number(1000, 1_000_000_000, "Tokens, sent and received, that one run may take."),
    )
    max_cost_per_run: Decimal | int | None = field(
        default=None, metadata=price_or_null("What one run may cost; null is no limit.")
    )
    concurrency: int | None = field(
        default=None,
        metadata=number_or_null(1, 64, "Requests at a time; null is half the processors, and at most 4."),
    )
    price_in: Decimal | int | None = field(
        default=None, metadata=price_or_null("What a million tokens sent cost; null is unknown.")
    )
    price_out: Decimal | int | None = field(
        default=None, metadata=price_or_null("What a million tokens received cost; null is unknown.")
    )


@dataclass(frozen=True, slots=True)
class CacheConfig:
    """Whether there is a local cache, and how much it keeps."""

    enabled: bool = field(
        default=True, metadata=switch("Whether the local cache is used; answers are the same without it.")
    )
    max_megabytes: int = field(
        default=2000, metadata=number(1, 1_000_000, "The size that `cache gc` brings the local cache down to.")
    )
    days: int = field(default=30, metadata=number(1, 10_000, "Days that `cache gc` keeps what no tree has any more."))
    builders: int | None = field(
        default=None,
        metadata=number_or_null(1, 256, "Processes that read sources at a time; null for one a processor."),
    )
    prefetch: bool = field(
        default=False,
        metadata=switch("Whether what was asked for lately is made anew after merges, in watch and in an idle server."),
    )
    prefetch_seconds: int = field(default=10, metadata=number(1, 3600, "Seconds that prefetching works at most."))


@dataclass(frozen=True, slots=True)
class Config:
    """The content of `.codecortex/config.yaml`; without arguments, the defaults."""

    requires: str | None = field(
        default=None,
        metadata=text_or_null(
            _RANGE,
            'a quoted range such as ">=0.1,<1"',
            "The versions of codecortex that may write here.",
        ),
    )
    exclude: tuple[str, ...] = field(
        default=(), metadata=words(r"[^\\]{1,500}", "globs with / between folders", "Sources to leave out.")
    )
    untracked: bool = field(default=False, metadata=switch("Whether sources that git does not track are read too."))
    sources: SourcesConfig = SourcesConfig()
    project: ProjectConfig = ProjectConfig()
    references: ReferencesConfig = ReferencesConfig()
    hash: HashConfig = HashConfig()
    include_internal_for_dependencies: bool = field(
        default=False, metadata=switch("Whether types named only in bodies and internal members are dependencies.")
    )
    semantics: SemanticsConfig = SemanticsConfig()
    scc: SccConfig = SccConfig()
    index: IndexConfig = IndexConfig()
    outline: OutlineConfig = OutlineConfig()
    hooks: HooksConfig = HooksConfig()
    check: CheckConfig = CheckConfig()
    prompt_window: PromptWindowConfig = PromptWindowConfig()
    tokens: TokensConfig = TokensConfig()
    context: ContextConfig = ContextConfig()
    investigate: InvestigateConfig = InvestigateConfig()
    edit: EditConfig = EditConfig()
    llm: LlmConfig = LlmConfig()
    cache: CacheConfig = CacheConfig()
    metrics: bool = field(
        default=True, metadata=switch("Whether commands leave how long they took in the local cache.")
    )
    packs: tuple[PackDefinition, ...] = field(
        default=(),
        metadata={
            "rule": Rule(
                "Packs: names, each with a filter and a tokenBudget.",
                "names with their packs",
                fits_packs,
                PACKS_SCHEMA,
            )
        },
    )
