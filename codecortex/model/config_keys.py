"""Every key of config.yaml by its dotted name, with its default and rule; a configuration made of values by key."""

from __future__ import annotations

from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from codecortex.model.config import Config
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
    hosts,
    number,
    number_or_null,
    price_or_null,
    share,
    switch,
    text,
    text_or_null,
    words,
)
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_NUMBERS = r"[0-9]{1,9}(?:\.[0-9]{1,9})*"
_PART = rf"\s*(?:~=\s*[0-9]{{1,9}}\.{_NUMBERS}|[=!]=\s*{_NUMBERS}(?:\.\*)?|[<>]=?\s*{_NUMBERS})\s*"
_RANGE = f"{_PART}(?:,{_PART})*"
_WORD = r"[^\W\d]\w*"
_GLOB = r"(?![!\s])(?!(?:.*/)?\.\.?(?:/|$))[^\\]{0,499}[^\\\s]"
_GLOBS = "globs with / between folders, from the root and not above it, without ! and ./"

_RULES = {
    "requires": text_or_null(
        _RANGE,
        'a quoted range such as ">=0.1,<1"',
        "The versions of codecortex that may write here.",
    ),
    "exclude": words(_GLOB, _GLOBS, "Sources to leave out."),
    "untracked": switch("Whether sources that git does not track are read too."),
    "sources.generated": choice(
        GeneratedSources,
        "Which generated code is read; compiled is what a project compiles, and not the rest.",
    ),
    "project.tfm": text_or_null(
        r"[A-Za-z][A-Za-z0-9._-]{0,99}",
        "a target framework such as net8.0",
        "The target framework to read sources for; null takes the newest of each project.",
    ),
    "project.configuration": text(
        r"\S.{0,99}", "the name of a configuration", "The build configuration to read sources for."
    ),
    "project.define": words(_WORD, "symbols", "More conditional-compilation symbols, for every project."),
    "references.assemblies": words(
        r"(?!/)(?!(?:.*/)?\.\.(?:/|$))[^\\:]{1,500}",
        "globs with / between folders, from the root and not above it",
        "Assemblies in the work tree that answers of bindings know, beside packages and frameworks.",
    ),
    "hash.cosmeticAttributes": words(
        rf"{_WORD}(?:\.{_WORD})*",
        "attribute names",
        "Attributes that speak to tools only, kept out of structureHash.",
    ),
    "hash.structureHashIncludesXmlDoc": switch("Whether a change of documentation is a change of structure."),
    "hash.includeInternalInStructureHash": switch("Whether internal members are part of a type's structure."),
    "includeInternalForDependencies": switch(
        "Whether types named only in bodies and internal members are dependencies."
    ),
    "semantics.types": Rule(
        "The filter that selects the types which are to have a semantic text; those that have one keep it.",
        f"a filter of at most {LONGEST_FILTER} characters, as of a pack",
        is_filter_text,
        FILTER_SCHEMA,
    ),
    "semantics.tests": switch("Whether code of tests and benchmarks is to have semantic texts too."),
    "semantics.members": switch("Whether semantic texts say something of single members, a line each."),
    "semantics.internalImplAffectsSemantic": switch("Whether one internal change already makes a semantic text stale."),
    "semantics.semanticDocsAffect": switch("Whether a change of documentation makes a semantic text stale."),
    "semantics.driftLimit": number(1, 100, "Internal changes after which a semantic text is stale."),
    "semantics.driftHours": number(1, 8760, "Hours after an internal change at which a semantic text is stale."),
    "scc.maxTypes": number(1, 64, "Types that may share one semantic text."),
    "scc.maxTokens": number(500, 200_000, "Tokens that the outlines of such a group may take."),
    "index.detail": choice(IndexDetail, "What index.json holds of a type; full adds hashes, which conflict in merges."),
    "outline.hashes": switch("Whether outlines carry their hashes, which conflict in merges."),
    "outline.maxDependencies": number(0, 100, "Dependencies that an outline names."),
    "hooks.strict": switch("Whether a commit fails where codecortex is missing or cannot do its work."),
    "hooks.notes": switch("Whether a commit says how many notes on what it changes it leaves stale."),
    "hooks.postMerge": choice(
        PostMerge, "What happens after a merge to generated files that are behind; write mends them."
    ),
    "check.semantic": choice(
        SemanticCheck, "Stale semantic texts that fail a check; touched means those of types that a range touches."
    ),
    "promptWindow.maxChars": number(200, 10_000_000, "Characters that the prompt window may take."),
    "promptWindow.pinnedShare": share("The part of them that pinned types may take; more are refused."),
    "tokens.encoding": text_or_null(
        "cl100k_base|o200k_base",
        "cl100k_base or o200k_base",
        "The vocabulary to count tokens by, which needs the extra tokens; null estimates them.",
    ),
    "context.budget": number(
        100, 10_000_000, "The most tokens of an answer in a conversation; a single question has 4000."
    ),
    "context.inheritance": choice(
        Inheritance, "Which files the next round of a conversation takes over from earlier ones."
    ),
    "context.ranking": choice(QuestionRanking, "The weights that rank the files of a question."),
    "investigate.rounds": number(1, 20, "How often an investigation may ask a model, refused answers aside."),
    "edit.language": choice(EditLanguage, "The language in which `edit` says what happened and what to do next."),
    "edit.allowVerbs": words(
        r"[a-z]{1,40}(?:[ -][a-z]{1,40}){0,3}", "verbs", "All that `edit` and `refactor` may do; none named is all."
    ),
    "edit.allowPaths": words(_GLOB, _GLOBS, "All files that they may change; none named is all."),
    "edit.compile": choice(Compiling, "Whether `refactor` compiles an edit first; auto does where it can and may."),
    "edit.compileSeconds": number(1, 86_400, "How long that may take."),
    "llm.provider": choice(ProviderName, "Who writes semantic texts; extract needs no model and no network."),
    "llm.baseUrl": address_or_null("Where the model is asked; null is the provider's own address."),
    "llm.model": text_or_null(r"\S.{0,199}", "the name of a model", "The model to ask, as the provider calls it."),
    "llm.command": words(r".{1,1000}", "words", "The program to ask on stdin and its arguments; there is no shell."),
    "llm.exclude": words(_GLOB, _GLOBS, "Sources that no model is ever sent."),
    "llm.maxTokensPerRun": number(1000, 1_000_000_000, "Tokens, sent and received, that one run may take."),
    "llm.maxCostPerRun": price_or_null("What one run may cost; null is no limit."),
    "llm.concurrency": number_or_null(1, 64, "Requests at a time; null is half the processors, and at most 4."),
    "llm.priceIn": price_or_null("What a million tokens sent cost; null is unknown."),
    "llm.priceOut": price_or_null("What a million tokens received cost; null is unknown."),
    "cache.enabled": switch("Whether the local cache is used; answers are the same without it."),
    "cache.maxMegabytes": number(1, 1_000_000, "The size that `cache gc` brings the local cache down to."),
    "cache.days": number(1, 10_000, "Days that `cache gc` keeps what no tree has any more."),
    "cache.builders": number_or_null(1, 256, "Processes that read sources at a time; null for one a processor."),
    "cache.prefetch": switch(
        "Whether what was asked for lately is made anew after merges, in watch and in an idle server."
    ),
    "cache.prefetchSeconds": number(1, 3600, "Seconds that prefetching works at most."),
    "metrics": switch("Whether commands leave how long they took in the local cache."),
    "packs": Rule(
        "Packs: names, each with a filter and a tokenBudget.",
        "names with their packs",
        fits_packs,
        PACKS_SCHEMA,
    ),
}
"""Which values each key may have, in the order of the fields of `Config`."""


class Key(NamedTuple):
    """One key of config.yaml.

    Attributes:
        default: Its value where the file does not set it: bool, int, Decimal, str, None or a tuple of str.
        rule: Which other values are allowed.
    """

    default: object
    rule: Rule


def _camel(name: str) -> str:
    head, *tail = name.split("_")
    return head + "".join(map(str.capitalize, tail))


def _list_keys(owner: type[Any], prefix: str) -> Iterator[tuple[str, Key]]:
    for field, default in owner._field_defaults.items():
        name = prefix + _camel(field)
        if name in _RULES:
            yield name, Key(default, _RULES[name])
        else:
            yield from _list_keys(type(default), f"{name}.")


def list_values(config: Config) -> dict[str, object]:
    """The value of every key, by its dotted name."""
    return dict(_list_values(config, ""))


def _list_values(holder: Any, prefix: str) -> Iterator[tuple[str, object]]:
    for field, value in holder._asdict().items():
        name = prefix + _camel(field)
        if name in _RULES:
            yield name, value
        else:
            yield from _list_values(value, f"{name}.")


KEYS: Mapping[str, Key] = MappingProxyType(dict(_list_keys(Config, "")))
"""Every key of config.yaml by its dotted name, in the order of the template."""


USER_RULES: Mapping[str, Rule] = MappingProxyType(
    {name: key.rule for name, key in KEYS.items() if name.startswith("llm.")}
    | {
        "llm.hosts": hosts("Hosts that may be sent sources and the key."),
        "llm.keyVariable": text(
            r"[A-Za-z_][A-Za-z0-9_]{0,99}", "the name of an environment variable", "Where the key stands."
        ),
        "llm.keyring": switch("Whether the key is looked for in the system's keyring too."),
    }
)
"""What the user's own configuration may set: all of `llm.*`, and keys that a repository must not set."""


def build_config(values: Mapping[str, object]) -> Config:
    """The defaults with some keys set.

    Args:
        values: Dotted key to a value that fits the key's rule.
    """
    config: Config = _build(Config, "", values)
    return config


def _build(owner: type[Any], prefix: str, values: Mapping[str, object]) -> Any:
    arguments: dict[str, object] = {}
    for field, default in owner._field_defaults.items():
        name = prefix + _camel(field)
        if name not in _RULES:
            arguments[field] = _build(type(default), f"{name}.", values)
        elif name in values:
            value = values[name]
            arguments[field] = type(default)(str(value)) if isinstance(default, StrEnum) else value
    return owner(**arguments)
