"""A question and a corpus in; the documents and members that the question names outright, out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from codecortex.context.retrieval.corpus import list_places
from codecortex.context.retrieval.question import read_question
from codecortex.model.code.units import Field

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from codecortex.context.retrieval.corpus import Corpus
    from codecortex.context.retrieval.question import Mention, Question
    from codecortex.model.code.units import Unit

_MOST_FILES = 5
_MOST_TOLD = 20
_GENERIC = re.compile("[<`(]")


class Mentioned(NamedTuple):
    """What a question names.

    Attributes:
        documents: By document, what of it: keys of `MENTIONED`.
        units: By document, positions of its members.
        lost: Paths that the tree has nothing for.
    """

    documents: Mapping[int, frozenset[str]]
    units: Mapping[int, frozenset[int]]
    lost: tuple[str, ...]


def find_mentioned(question: Question, corpus: Corpus, read_units: Callable[[int], Sequence[Unit]]) -> Mentioned:
    """The documents and members that a question names."""
    documents: dict[int, set[str]] = {}
    units: dict[int, set[int]] = {}
    lost = []
    by_name: dict[str, list[int]] = {}
    if question.mentions:
        for document, path in enumerate(corpus.paths):
            by_name.setdefault(path.rpartition("/")[2].lower(), []).append(document)
    for mention in question.mentions:
        named = _find_path(mention, corpus, by_name)
        if not named or len(named) > _MOST_FILES:
            lost.append(mention.path)
            continue
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
    )


def find_told(text: str, corpus: Corpus, read_units: Callable[[int], Sequence[Unit]]) -> dict[int, frozenset[int]]:
    """The documents that one path or symbol means, each with the positions of the members that it names."""
    found = find_mentioned(read_question(text), corpus, read_units)
    if found.documents:
        return {document: found.units.get(document, frozenset()) for document in found.documents}
    name = _GENERIC.split(text.strip())[0]
    lower = name.lower()
    types = [
        document
        for document, declared in enumerate(corpus.types)
        if corpus.paths[document] and any(each.name.lower() == lower for each in declared)
    ]
    if types:
        return dict.fromkeys(types[:_MOST_TOLD], frozenset())
    members: dict[int, frozenset[int]] = {}
    for each in corpus.postings.find_spelt([name]).get(lower, {}).values():
        for document, places in list_places(each, corpus, Field.MEMBER).items():
            members[document] = members.get(document, frozenset()) | frozenset(places)
    return dict(sorted(members.items())[:_MOST_TOLD])


def _find_path(mention: Mention, corpus: Corpus, by_name: Mapping[str, Sequence[int]]) -> list[int]:
    """The documents that a path means: those that share most of its end; what precedes it is another machine's."""
    wanted = mention.path.lower().split("/")
    best = 0
    found: list[int] = []
    for document in by_name.get(wanted[-1], ()):
        own = corpus.paths[document].lower().split("/")
        shared = 0
        for one, other in zip(reversed(own), reversed(wanted), strict=False):
            if one != other:
                break
            shared += 1
        if shared > best:
            best, found = shared, []
        if shared == best:
            found.append(document)
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
        for document in sorted(both)[:_MOST_FILES]:
            result.setdefault(document, set()).update(members[document])
        if not both:
            declared = list_places(spelt.get(name.lower(), {}).get(name, ()), corpus, Field.TYPE)
            for document in sorted(declared) if len(declared) <= _MOST_FILES else ():
                result.setdefault(document, set())
    return result
