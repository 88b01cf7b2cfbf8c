"""What was shown for a question in; figures that tell how good it is out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from codecortex.context.retrieval.graph_scores import list_declarers, name_whole
from codecortex.model.terms import WORD, split_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codecortex.context.retrieval.corpus import Corpus
    from codecortex.context.retrieval.rendering import Candidate, Rendered

_SOURCE = "  "


class Quality(NamedTuple):
    """How good an answer is.

    Attributes:
        relevance: The mean probability of its files to be wanted.
        dependencies: Of the types of the tree that the shown source names, the share whose file is shown too; None
            where it names none.
        compression: Characters of the answer for each of the files in it.
        budget: The share of the tokens that was used.
    """

    relevance: float
    dependencies: float | None
    compression: float
    budget: float


def judge(rendered: Rendered, candidates: Sequence[Candidate], corpus: Corpus, budget: int) -> Quality:
    """The figures about an answer."""
    files = [candidates[shown.place].file for shown in rendered.shown]
    held = {file.document for file in files}
    lines = (line for line in rendered.text.split("\n") if line.startswith(_SOURCE))
    words = {word for line in lines for word in WORD.findall(line)}
    named = {whole for word in words if (whole := split_name(word).whole)}
    spelt = {each.name for types in corpus.types for each in types if name_whole(each) in named} & words
    declarers = list_declarers(corpus) if spelt else {}
    needed = [declarers[name] for name in sorted({name.strip("_").lower() for name in spelt}) if name in declarers]
    included = sum(1 for documents in needed if not held.isdisjoint(documents))
    size = sum(corpus.sizes[file.document] for file in files)
    return Quality(
        round(sum(file.sure for file in files) / len(files), 4) if files else 0.0,
        round(included / len(needed), 4) if needed else None,
        round(len(rendered.text) / size, 4) if size else 0.0,
        round(rendered.tokens / budget, 4),
    )
