"""What was shown for a question in; figures that tell how good it is out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.text.terms import WORD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codecortex.context.retrieval.corpus import Corpus
    from codecortex.context.retrieval.rendering import Candidate, Rendered

_SOURCE = "  "
_MOST_DECLARERS = 5


class Quality(NamedTuple):
    """How good an answer is.

    Attributes:
        relevance: The mean probability of its files to be wanted.
        dependencies: Of the types of the tree that the shown source names, the share whose file is shown too; names
            that many files declare are passed over. None where it names none.
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
    declarers: dict[str, list[int]] = {}
    for document, types in enumerate(corpus.types):
        for each in types:
            if each.name in words and corpus.paths[document]:
                declarers.setdefault(each.name, []).append(document)
    needed = [documents for documents in declarers.values() if len(documents) <= _MOST_DECLARERS]
    included = sum(1 for documents in needed if not held.isdisjoint(documents))
    size = sum(corpus.sizes[file.document] for file in files)
    return Quality(
        round(sum(file.sure for file in files) / len(files), 4) if files else 0.0,
        round(included / len(needed), 4) if needed else None,
        round(len(rendered.text) / size, 4) if size else 0.0,
        round(rendered.tokens / budget, 4),
    )
