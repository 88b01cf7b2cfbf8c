"""A question and a corpus in; the documents and members that the question names outright, out."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from codecortex.context.retrieval.corpus import list_places
from codecortex.context.retrieval.question import read_question
from codecortex.model.code.units import Field
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from codecortex.context.retrieval.corpus import Corpus
    from codecortex.context.retrieval.question import Mention, Question
    from codecortex.model.code.units import Unit

_MOST_FILES = 5
_MOST_TOLD = 20
_GENERIC = compile_later("[<`(]")


class Mentioned(NamedTuple):
    """What a question names.

    Attributes:
        documents: By document, what of it: keys of `MENTIONED`.
        units: By document, positions of its members.
        lost: Paths that the tree has nothing for.
        aside: Sources that it names and that are not ranked.
        unclear: Paths that are those of many files, and of how many.
        paths: Of documents that several files are alike with, the path that is named.
    """

    documents: Mapping[int, frozenset[str]]
    units: Mapping[int, frozenset[int]]
    lost: tuple[str, ...]
    aside: tuple[str, ...] = ()
    unclear: tuple[tuple[str, int], ...] = ()
    paths: Mapping[int, str] = MappingProxyType({})


def find_mentioned(
    question: Question,
    corpus: Corpus,
    read_units: Callable[[int], Sequence[Unit]],
    sources: Sequence[str] = (),
    alike: Mapping[int, Sequence[str]] = MappingProxyType({}),
) -> Mentioned:
    """The documents and members that a question names.

    Args:
        question: It.
        corpus: The files that are ranked.
        read_units: The units of a document.
        sources: All sources of the tree.
        alike: By document, the paths of all files with its bytes, where these are several.
    """
    documents: dict[int, set[str]] = {}
    units: dict[int, set[int]] = {}
    lost, aside, unclear = [], [], []
    spelt: dict[int, str] = {}
    numbers: dict[str, int] = {}
    by_name: dict[str, list[str]] = {}
    if question.mentions:
        numbers = {path: document for document, path in enumerate(corpus.paths) if path}
        numbers |= {path: document for document, paths in alike.items() for path in paths}
        for path in sorted({*numbers, *sources}):
            by_name.setdefault(path.rpartition("/")[2].lower(), []).append(path)
    for mention in question.mentions:
        meant = _find_path(mention, by_name)
        named = list(dict.fromkeys(numbers[path] for path in meant if path in numbers))
        if not meant:
            lost.append(mention.path)
        elif not named:
            aside += meant[:_MOST_FILES]
        elif len(named) > _MOST_FILES:
            unclear.append((mention.path, len(named)))
            continue
        spelt |= {numbers[path]: path for path in meant if numbers.get(path) in alike}
        for document in named:
            documents.setdefault(document, set()).add("path")
            inside = _find_line(read_units(document), mention.line)
            if inside:
                documents[document].add("line")
                units.setdefault(document, set()).add(inside)
    for document, places in _find_dotted(question, corpus).items():
        documents.setdefault(document, set()).add("symbol")
        units.setdefault(document, set()).update(places)
    return Mentioned(
        {document: frozenset(told) for document, told in documents.items()},
        {document: frozenset(places) for document, places in units.items()},
        tuple(lost),
        tuple(dict.fromkeys(aside)),
        tuple(unclear),
        spelt,
    )


def find_told(
    text: str,
    corpus: Corpus,
    read_units: Callable[[int], Sequence[Unit]],
    alike: Mapping[int, Sequence[str]] = MappingProxyType({}),
) -> dict[int, frozenset[int]]:
    """The documents that one path or symbol means, each with the positions of the members that it names."""
    found = find_mentioned(read_question(text), corpus, read_units, (), alike)
    if found.documents:
        return {document: found.units.get(document, frozenset()) for document in found.documents}
    name = _GENERIC.split(text.strip())[0]
    lower = name.lower()
    types = _sort_by_path(
        corpus,
        (
            document
            for document, declared in enumerate(corpus.types)
            if any(each.name.lower() == lower for each in declared)
        ),
    )
    if types:
        return dict.fromkeys(types[:_MOST_TOLD], frozenset())
    members: dict[int, frozenset[int]] = {}
    for each in corpus.postings.find_spelt([name]).get(lower, {}).values():
        for document, places in list_places(each, corpus, Field.MEMBER).items():
            members[document] = members.get(document, frozenset()) | frozenset(places)
    return {document: members[document] for document in _sort_by_path(corpus, members)[:_MOST_TOLD]}


def _sort_by_path(corpus: Corpus, documents: Iterable[int]) -> list[int]:
    """Documents of the tree in the order of their paths: their numbers are the history of a cache."""
    return sorted((each for each in documents if corpus.paths[each]), key=lambda each: corpus.paths[each])


def _find_path(mention: Mention, by_name: Mapping[str, Sequence[str]]) -> list[str]:
    """The files that a path means: those that share most of its end; what precedes it is another machine's."""
    wanted = mention.path.lower().split("/")
    best = 0
    found: list[str] = []
    for path in by_name.get(wanted[-1], ()):
        own = path.lower().split("/")
        shared = 0
        for one, other in zip(reversed(own), reversed(wanted), strict=False):
            if one != other:
                break
            shared += 1
        if shared > best:
            best, found = shared, []
        if shared == best:
            found.append(path)
    return found


def _find_line(units: Sequence[Unit], line: int) -> int:
    """The position of the innermost member that has a line; 0 for none."""
    holding = [at for at, unit in enumerate(units) if at and unit.line <= line <= unit.end_line]
    return min(holding, key=lambda at: (units[at].end_line - units[at].line, at), default=0)


def _find_dotted(question: Question, corpus: Corpus) -> dict[int, set[int]]:
    """Members `Type.Member` and types `Namespace.Type`, by document with the positions of the members."""
    names = {name for dotted in question.dotted for name in dotted[-2:]}
    spelt = corpus.postings.find_spelt(names)
    result: dict[int, set[int]] = {}
    for *_, owner, name in question.dotted:
        types = list_places(spelt.get(owner.lower(), {}).get(owner, ()), corpus, Field.TYPE)
        members = list_places(spelt.get(name.lower(), {}).get(name, ()), corpus, Field.MEMBER)
        both = types.keys() & members.keys()
        for document in _sort_by_path(corpus, both)[:_MOST_FILES]:
            result.setdefault(document, set()).update(members[document])
        if not both:
            declared = list_places(spelt.get(name.lower(), {}).get(name, ()), corpus, Field.TYPE)
            for document in declared if len(declared) <= _MOST_FILES else ():
                result.setdefault(document, set())
    return result
