"""The configuration: every key with its default, as fields of the immutable `Config`.

To add a key, add a field here, its rule to `config_keys.py` and its commented default to
`.codecortex-template/config.yaml`; reading, writing and the error messages follow, and a test compares the three. The
field `drift_limit` of the section `semantics` is the key `semantics.driftLimit`. Every command imports this module, few
need a rule.
"""

from __future__ import annotations

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
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from codecortex.model.packs import PackDefinition

_COSMETIC = (
    *("SuppressMessage", "DebuggerDisplay", "DebuggerStepThrough", "ExcludeFromCodeCoverage"),
    *("EditorBrowsable", "GeneratedCode", "MethodImpl"),
)


class SourcesConfig(NamedTuple):
    """Which sources are read."""

    generated: GeneratedSources = GeneratedSources.COMPILED


class ProjectConfig(NamedTuple):
    """The build flavour that sources are read for."""

    tfm: str | None = None
    configuration: str = "Release"
    define: tuple[str, ...] = ()


class ReferencesConfig(NamedTuple):
    """What projects compile against beside packages."""

    assemblies: tuple[str, ...] = ()


class HashConfig(NamedTuple):
    """What goes into which fingerprint."""

    cosmetic_attributes: tuple[str, ...] = _COSMETIC
    structure_hash_includes_xml_doc: bool = False
    include_internal_in_structure_hash: bool = False


class SemanticsConfig(NamedTuple):
    """Which types get a note, and which changes make one stale."""

    types: str = "access:public generated:false"
    tests: bool = False
    members: bool = False
    internal_impl_affects_semantic: bool = False
    semantic_docs_affect: bool = False
    drift_limit: int = 5
    drift_hours: int = 24


class SccConfig(NamedTuple):
    """How large a group of mutually dependent types may grow before it is cut."""

    max_types: int = 8
    max_tokens: int = 12000


class IndexConfig(NamedTuple):
    """How much index.json contains."""

    detail: IndexDetail = IndexDetail.IDENTITY


class OutlineConfig(NamedTuple):
    """How much an outline contains."""

    hashes: bool = False
    max_dependencies: int = 12


class HooksConfig(NamedTuple):
    """What the git hooks do."""

    strict: bool = False
    notes: bool = True
    post_merge: PostMerge = PostMerge.REPORT


class CheckConfig(NamedTuple):
    """What `codecortex check` fails on."""

    semantic: SemanticCheck = SemanticCheck.TOUCHED


class PromptWindowConfig(NamedTuple):
    """How large the prompt window may grow."""

    max_chars: int = 40_000
    pinned_share: Decimal | int = Decimal("0.6")


class TokensConfig(NamedTuple):
    """How tokens are counted."""

    encoding: str | None = None


class ContextConfig(NamedTuple):
    """How questions are answered."""

    budget: int = 50_000
    inheritance: Inheritance = Inheritance.EDITED
    ranking: QuestionRanking = QuestionRanking.FITTED


class InvestigateConfig(NamedTuple):
    """How long a question is investigated."""

    rounds: int = 6


class EditConfig(NamedTuple):
    """How edits are answered."""

    language: EditLanguage = EditLanguage.ENGLISH
    allow_verbs: tuple[str, ...] = ()
    allow_paths: tuple[str, ...] = ()
    compile: Compiling = Compiling.AUTO
    compile_seconds: int = 300


class LlmConfig(NamedTuple):
    """Who writes notes, and within which limits; amounts are in the currency of the prices."""

    provider: ProviderName = ProviderName.EXTRACT
    base_url: str | None = None
    model: str | None = None
    command: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    max_tokens_per_run: int = 1_000_000
    max_cost_per_run: Decimal | int | None = None
    concurrency: int | None = None
    price_in: Decimal | int | None = None
    price_out: Decimal | int | None = None


class CacheConfig(NamedTuple):
    """Whether there is a local cache, and how much it keeps."""

    enabled: bool = True
    max_megabytes: int = 2000
    days: int = 30
    builders: int | None = None
    prefetch: bool = False
    prefetch_seconds: int = 10


class Config(NamedTuple):
    """The content of `.codecortex/config.yaml`; without arguments, the defaults."""

    requires: str | None = None
    exclude: tuple[str, ...] = ()
    untracked: bool = False
    sources: SourcesConfig = SourcesConfig()
    project: ProjectConfig = ProjectConfig()
    references: ReferencesConfig = ReferencesConfig()
    hash: HashConfig = HashConfig()
    include_internal_for_dependencies: bool = False
    semantics: SemanticsConfig = SemanticsConfig()
    scc: SccConfig = SccConfig()
    index: IndexConfig = IndexConfig()  # type: ignore[assignment]  # it hides the method of tuples
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
    metrics: bool = True
    packs: tuple[PackDefinition, ...] = ()


_APART = frozenset(
    {
        "requires",
        "references",
        "hooks",
        "check",
        "prompt_window",
        "tokens",
        "context",
        "edit",
        "llm",
        "metrics",
        "packs",
    }
)


def describe_sources_part(config: Config) -> str:
    """A text of the settings that outlines and the index depend on; changing any other setting needs no new reading."""
    return repr([(name, value) for name, value in config._asdict().items() if name not in _APART])
