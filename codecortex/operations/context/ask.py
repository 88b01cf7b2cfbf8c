"""A workspace and a question in; the files and members that an answer or a change needs, within a budget, out."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from codecortex.context.retrieval.endings import EndLine
from codecortex.context.retrieval.members import Asked, rank_members
from codecortex.context.retrieval.mentions import find_mentioned, find_told
from codecortex.context.retrieval.neighbours import Neighbours, Place
from codecortex.context.retrieval.quality import Quality, judge
from codecortex.context.retrieval.question import MOST_CHARACTERS, read_question
from codecortex.context.retrieval.ranking import Evidence, rank_files
from codecortex.context.retrieval.rendering import MOST_FILES, SOURCE_FILES, Candidate, Rendered, Wanted, render
from codecortex.model.budgets import QUESTION_BUDGET
from codecortex.model.config_choices import QuestionRanking
from codecortex.model.errors import UsageError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.text.terms import WORD, compile_some, split_name
from codecortex.model.text.visible import show_line
from codecortex.operations.context.callers import find_neighbours
from codecortex.operations.context.history import open_history
from codecortex.operations.context.index import choose_paths, forget_index, open_index
from codecortex.operations.context.left_out import tell_alike, tell_aside, tell_nothing
from codecortex.operations.context.sources import read_sources
from codecortex.operations.context.tests import find_tests, select_product
from codecortex.operations.notes.investigations import describe_answered, find_answered, tell_answered
from codecortex.operations.reading.sources import matches_globs
from codecortex.operations.request import Count
from codecortex.operations.tokens import make_counter
from codecortex.operations.wording import count_noun

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from codecortex.context.retrieval.corpus import Corpus
    from codecortex.context.retrieval.history_scores import Commits
    from codecortex.context.retrieval.rendering import FileSource, Shown
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.context.index import Index
    from codecortex.operations.notes.investigations import InvestigationFile

_EXPLAINED, _CALLED, _EDITED_TESTS, _SHOWN, _LONGEST_MENTION = 10, 5, 6, 100, 1000
_FOR_A_FILE = 250
"""Tokens for each file that lines after the files may call by its name alone."""
_MORE = "`codecortex read FILE`, `codecortex outline FILE`, or a larger --budget shows more"


class Earlier(NamedTuple):
    """What a conversation so far says for the next question.

    Attributes:
        inherit: Of the files that the question names, what files gain that earlier rounds speak for.
        edited: Files that were edited since the last round.
        seen: By digest of a body, the round that showed it.
    """

    inherit: Callable[[Collection[str]], Mapping[str, float]]
    edited: tuple[str, ...]
    seen: Mapping[str, int]


class Asking(NamedTuple):
    """How a question is to be answered.

    Attributes:
        budget: The most tokens of the answer.
        tests: Whether tests are ranked as other files are (True), left out (False), or named at the end (None).
        globs: Only files that one of these takes; all where there are none.
        exclude: No file that one of these takes.
        explain: Whether to tell why each file was taken.
        mentions: Paths and symbols whose files come first.
        earlier: The conversation that the question is asked in; None for a single one.
    """

    budget: int = QUESTION_BUDGET
    tests: bool | None = None
    globs: tuple[str, ...] = ()
    explain: bool = False
    mentions: tuple[str, ...] = ()
    earlier: Earlier | None = None
    exclude: tuple[str, ...] = ()


class ContextAnswer(NamedTuple):
    """What a question needs.

    Attributes:
        rendered: The text and what is in it.
        candidates: The files, best first.
        total: How many files have anything of the question.
        budget: The most tokens.
        encoding: The vocabulary that they were counted by; None where they are estimated.
        history: How many commits were looked at; None for no history.
        lost: Paths that the question names and the tree lacks.
        near: Callers and siblings of the best members.
        unread: Path to reason of sources that could not be read.
        explain: Whether the reasons are wanted.
        quality: Figures about what is shown.
        named: Files that the question or `Asking.mentions` name.
        answered: Investigations about the same words.
        unclear: Paths that are those of many files, and of how many.
        nothing: Why there is no text.
    """

    rendered: Rendered
    candidates: Sequence[Candidate]
    total: int
    budget: int
    encoding: str | None
    history: int | None
    lost: tuple[str, ...]
    near: Sequence[Neighbours]
    unread: Mapping[str, str]
    explain: bool
    quality: Quality
    named: tuple[str, ...]
    answered: tuple[InvestigationFile, ...] = ()
    unclear: tuple[tuple[str, int], ...] = ()
    nothing: str = ""

    def as_text(self) -> str:
        """The answer; with reasons where they are wanted."""
        text = self.rendered.text or self.nothing
        return f"{text}\n\n{self._explain()}" if self.explain else text

    def as_json(self) -> dict[str, Any]:
        """The answer as JSON values."""
        return {
            "text": self.rendered.text,
            "tokens": self.rendered.tokens,
            "budget": self.budget,
            "encoding": self.encoding,
            "files": [self.candidates[shown.place].file.path for shown in self.rendered.shown],
            "shown": [self._describe(shown) for shown in self.rendered.shown],
            "neighbours": [
                {
                    "of": each.of,
                    "callers": [one.as_json() for one in each.callers],
                    "siblings": [one.as_json() for one in each.siblings],
                }
                for each in self.near
            ],
            "investigations": describe_answered(self.answered),
            "matching": self.total,
            "commits": self.history,
            "notFound": list(self.lost),
            "unclear": [{"path": path, "files": many} for path, many in self.unclear],
            "unread": [{"path": path, "reason": reason} for path, reason in sorted(self.unread.items())],
            "quality": self.quality._asdict(),
            "omitted": {"files": self.total - len(self.rendered.shown), "next": self.omitted, "ask": _MORE},
        }

    @property
    def omitted(self) -> list[str]:
        """The best files that there was no room for."""
        shown = {each.place for each in self.rendered.shown}
        left = (each.file.path for place, each in enumerate(self.candidates) if place not in shown)
        return list(islice(left, _EXPLAINED))

    def _describe(self, shown: Shown) -> dict[str, Any]:
        file = self.candidates[shown.place].file
        told: dict[str, Any] = {
            "path": file.path,
            "score": file.score,
            "probability": file.sure,
            "bodies": [{"name": each.unit.called, "line": each.unit.line} for each in shown.bodies],
            "signatures": [{"name": each.unit.called, "line": each.unit.line} for each in shown.signatures],
            "names": list(shown.names),
            "seen": [
                {"name": each.unit.called, "line": each.unit.line, "round": number} for each, number in shown.seen
            ],
        }
        return told | ({"why": _round(file.parts)} if self.explain else {})

    def _explain(self) -> str:
        rendered = self.rendered
        about = "" if self.encoding else "about "
        lines = [
            f"{about}{rendered.tokens:,} of {self.budget:,} tokens; {len(rendered.shown):,} of {self.total:,} files; "
            + ("no history" if self.history is None else f"{self.history:,} commits")
        ]
        near = [one for each in self.near for one in (*each.callers, *each.siblings)]
        exact = sum(one.exact for one in near)
        lines.append(
            f"{sum(len(shown.bodies) for shown in rendered.shown):,} bodies, "
            f"{sum(len(shown.signatures) for shown in rendered.shown):,} signatures; "
            f"callers and siblings: {exact:,} exact, {len(near) - exact:,} by name"
        )
        for rank, shown in enumerate(rendered.shown[:_EXPLAINED], 1):
            file = self.candidates[shown.place].file
            parts = sorted(file.parts.items(), key=lambda part: (-abs(part[1]), part[0]))
            why = ", ".join(f"{name} {value:.2f}" for name, value in parts)
            lines.append(f"{rank}. {show_line(file.path)}: {file.score:.2f} ({file.sure:.0%}): {why}")
        lines += [f"not in this tree: {show_line(path)}" for path in self.lost]
        lines += [f"{many} files could be {show_line(path)}: say more of its path" for path, many in self.unclear]
        lines.append(self._tell_quality())
        if self.omitted:
            lines.append(f"left out, best first: {show_line(', '.join(self.omitted))}; {_MORE}")
        return "\n".join(lines)

    def _tell_quality(self) -> str:
        found = self.quality
        needed = "none named" if found.dependencies is None else f"{found.dependencies:.0%}"
        return (
            f"relevance {found.relevance:.0%} on average; types that the source names and that are here too: {needed}; "
            f"{found.compression:.1%} of these files; {found.budget:.0%} of the budget"
        )


def _round(parts: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, 4) for name, value in sorted(parts.items())}


def ask(workspace: Workspace, text: str, asking: Asking) -> ContextAnswer:
    """The files and members that a question needs.

    Raises:
        UsageError: The question is empty, no text, or far too long.
    """
    _check(text)
    count = make_counter(workspace.tree.config)  # before anything is read: it may not be there
    variant = "all" if asking.tests else "product"
    answer, whole = _answer(workspace, text, asking, variant, count)
    if not whole:  # another run wrote in its place, or rows were trimmed away
        forget_index(workspace, variant)
        answer, _ = _answer(workspace, text, asking, variant, count)
    if answer.unread:
        path, reason = min(answer.unread.items())
        told = f"{count_noun(len(answer.unread), 'source')} could not be read, such as {path}: {reason}"
        workspace.request.warn(told)
    workspace.request.tally(Count.TOKENS, answer.rendered.tokens)
    workspace.request.tally(Count.TOKEN_BUDGET, asking.budget)
    return answer


def _answer(
    workspace: Workspace, text: str, asking: Asking, variant: str, count: Callable[[str], int]
) -> tuple[ContextAnswer, bool]:
    """The answer, and whether the index that it is from was whole."""
    question = read_question(text)
    sources = workspace.keep("context/sources", workspace.tree, lambda: _list_sources(workspace))
    product = sources if asking.tests else select_product(workspace, sources)
    index = open_index(workspace, product, variant)
    commits = open_history(workspace)
    mentioned = find_mentioned(question, index.corpus, index.read_units, sources, index.alike)

    def shows(path: str) -> bool:
        return not asking.exclude or not matches_globs(path, asking.exclude)

    def takes(path: str) -> bool:
        return shows(path) and (not asking.globs or matches_globs(path, asking.globs))

    corpus = choose_paths(index, mentioned.paths, takes)

    def allow(document: int) -> bool:
        # Of a file without a size nothing is read, as of listings of reference assemblies.
        return bool(corpus.sizes[document]) and takes(corpus.paths[document])

    told = _find_all_told(asking.mentions, corpus, index)
    named = tuple(sorted({corpus.paths[document] for document in (*mentioned.documents, *told)}))
    inherited = _place_inherited(asking.earlier, named, corpus)
    classic = workspace.tree.config.context.ranking is QuestionRanking.CLASSIC
    evidence = Evidence(index.degrees, commits, mentioned.documents, allow, told.keys(), inherited, classic)
    ranking = rank_files(question, corpus, evidence)
    asked = Asked(ranking.text, question.names, corpus.total)
    candidates = [
        Candidate(
            file,
            [(each.name, each.line) for each in corpus.types[file.document]],
            rank_members(
                index.read_units(file.document),
                corpus.first_units[file.document],
                asked,
                mentioned.units.get(file.document, frozenset()) | told.get(file.document, frozenset()),
            ),
        )
        for file in ranking.files[:MOST_FILES]
    ]
    ranks = {each.document: rank for rank, each in enumerate(ranking.files)}
    near = [each.only(shows) for each in find_neighbours(workspace, index, _choose_members(candidates), ranks)]
    surely_shown = min(SOURCE_FILES, asking.budget // _FOR_A_FILE)
    known = frozenset(each.file.path for each in candidates[:surely_shown])
    answered = find_answered(workspace.tree, text)
    after = [
        *tell_aside(list(filter(shows, mentioned.aside))), *map(EndLine, tell_answered(answered)),
        *tell_alike(candidates[:surely_shown], index, takes), *(line for each in near for line in each.write(known)),
    ]  # fmt: skip
    tests: list[str] = []
    if asking.tests is None:
        tests = list(filter(shows, _list_tests((sources, product), candidates, commits, asking.earlier)))
    wanted = Wanted(
        asking.budget, count, _make_reader(workspace, candidates), _make_rate(ranking.text.idf), after, tests,
        asking.earlier.seen if asking.earlier is not None else {},
    )  # fmt: skip
    rendered = render(candidates, wanted)
    answer = ContextAnswer(
        rendered, candidates, len(ranking.files), asking.budget, workspace.tree.config.tokens.encoding,
        len(commits.times) if commits is not None else None, mentioned.lost, near, index.unread, asking.explain,
        judge(rendered, candidates, corpus, asking.budget), named, answered, mentioned.unclear,
        "" if rendered.text else tell_nothing(
            candidates[0].file.path if candidates else "", asking.budget, asking.globs,
            (product, sources if asking.tests is None else product),
        ),
    )  # fmt: skip
    return answer, not index.broken


def _list_sources(workspace: Workspace) -> list[str]:
    return sorted({path for project in workspace.projects for path in project.files})


def _find_all_told(mentions: Sequence[str], corpus: Corpus, index: Index) -> dict[int, frozenset[int]]:
    """The documents that are to come first, each with the positions of members that are named.

    Raises:
        UsageError: One of them is nothing of this tree.
    """
    told: dict[int, frozenset[int]] = {}
    for text in mentions:
        found = find_told(text, corpus, index.read_units, index.alike) if len(text) <= _LONGEST_MENTION else {}
        if not found:
            raise UsageError(
                f"--mention {show_line(text)[:_SHOWN]!r}: no source, type or member that is ranked is called that.",
                "Give a path, a type, Type.Member or a member; `codecortex search` finds names, --tests ranks tests.",
            )
        for document, units in found.items():
            told[document] = told.get(document, frozenset()) | units
    return told


def _place_inherited(earlier: Earlier | None, named: Sequence[str], corpus: Corpus) -> dict[int, float]:
    """By document, what earlier rounds add."""
    added = earlier.inherit(named) if earlier is not None else {}
    return {document: added[path] for document, path in enumerate(corpus.paths) if path in added} if added else {}


def _check(text: str) -> None:
    hint = 'For example: codecortex context "Where are retries counted?"'
    if not text.strip():
        raise UsageError("The question is empty.", hint)
    if "\0" in text:
        raise UsageError("The question is no text: it holds NUL characters.", hint)
    if len(text) > MOST_CHARACTERS:
        raise UsageError(
            f"{len(text):,} characters are too many for a question; {MOST_CHARACTERS:,} are allowed.",
            "Leave out what does not tell one part of the code from another.",
        )


def _make_reader(workspace: Workspace, candidates: Sequence[Candidate]) -> Callable[[int], FileSource | None]:
    """What reads the source of a candidate; the first few are read together."""
    known: dict[str, FileSource] = {}
    first = [each.file.path for each in candidates[:SOURCE_FILES]]
    read: set[str] = set()

    def get(place: int) -> FileSource | None:
        path = candidates[place].file.path
        if path not in read:
            batch = first if path in first else [path]
            read.update(batch)
            known.update(read_sources(workspace, batch))
        return known.get(path)

    return get


def _make_rate(idf: Mapping[str, float]) -> Callable[[str], float]:
    """What tells how much of the question a line of source holds."""
    some = compile_some(idf)

    def rate(line: str) -> float:
        if not some(line.lower()):
            return 0.0
        terms = {term for word in WORD.findall(line) for term in split_name(word).parts}
        return round(sum(idf[term] for term in terms if term in idf), 6)

    return rate


def _choose_members(candidates: Sequence[Candidate]) -> list[Place]:
    """The members whose callers are wanted: the likeliest of all."""
    rows = [
        (-each.file.sure * member.sure, rank, member.place, each.file.document)
        for rank, each in enumerate(candidates[:SOURCE_FILES])
        for member in each.members
    ]
    return [Place(document, place) for _, _, place, document in sorted(rows)[:_CALLED]]


def _list_tests(
    listed: tuple[Sequence[str], Sequence[str]],
    candidates: Sequence[Candidate],
    commits: Commits | None,
    earlier: Earlier | None,
) -> list[str]:
    """The tests to be named: those edited since the last round, then those of the first files.

    Args:
        listed: All sources, and those that are shipped.
        candidates: The files, best first.
        commits: The history.
        earlier: The conversation.
    """
    sources, product = listed
    held = set(product)
    tests = [path for path in sources if path not in held]
    edited = sorted(set(tests).intersection(earlier.edited))[:_EDITED_TESTS] if earlier is not None else []
    likely = {each.file.path: each.file.sure for each in candidates[:SOURCE_FILES]}
    return list(dict.fromkeys((*edited, *find_tests(tests, likely, commits))))
