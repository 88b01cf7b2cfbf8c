"""Reads a model's answer in an investigation: what it wants to see, its findings, or why it cannot be used."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.analysis.notes.answers import Refusal
from codecortex.analysis.notes.claims import list_claims
from codecortex.analysis.notes.sanitize import drop_controls, sanitize, split_code
from codecortex.model.investigations.values import Findings
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.operations.generation.prompts.answers import KnownNames
from codecortex.operations.investigations.evidence import check_evidence
from codecortex.store.committed.investigation_md import CONCLUSION, read_findings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codecortex.model.code.types import TypeId
    from codecortex.operations.catalog.workspace import Workspace

MORE = "MORE"
NO_CHANGE = "NO CHANGE"
MOST_REQUESTS = 8
"""The most that one round may ask for."""

VERBS = ("symbol", "usages", "history", "read", "context")
MOST_BYTES = 16 * 1024
_MOST_EVIDENCE, _MOST_TOLD = 40, 5
_FENCE = compile_later(r"\A```[\w-]*\n(.*)\n```\Z", re.DOTALL)
_REQUEST = compile_later(rf"[-*] ({'|'.join(VERBS)}):? +(\S.{{0,499}})")


class More(NamedTuple):
    """What a model wants to see before it concludes: `VERB WHAT`, a line each."""

    requests: tuple[str, ...]


class Concluded(NamedTuple):
    """Findings whose evidence holds.

    Attributes:
        findings: They.
        types: The types that they rest on.
        kept: Whether they are those of before.
    """

    findings: Findings
    types: tuple[TypeId, ...]
    kept: bool = False


class Allowed(NamedTuple):
    """Which answers are allowed.

    Attributes:
        more: Whether it may ask for more: not in the last round.
        previous: The findings that it may leave as they are; None where there are none.
    """

    more: bool
    previous: Findings | None = None


def judge_answer(workspace: Workspace, text: str, allowed: Allowed) -> More | Concluded | Refusal:
    """The outcome of an answer."""
    body = drop_controls(text).strip()
    fenced = _FENCE.match(body)
    body = fenced[1].strip() if fenced is not None else body
    if body.rstrip(".") == NO_CHANGE:
        if allowed.previous is None:
            return Refusal(f"`{NO_CHANGE}` is no answer to a question that was not answered yet.")
        return _conclude(workspace, allowed.previous, kept=True)
    if re.match(rf"{MORE}:[ \t]*$", body, re.MULTILINE):
        return _read_requests(body, more=allowed.more)
    if len(body.encode("utf-8", "replace")) > MOST_BYTES:
        return Refusal(f"The answer is too long: {MOST_BYTES:,} bytes are allowed. Say it shorter.")
    start = body.find(f"{CONCLUSION}:")
    problem, found = read_findings(body[max(0, start) :])
    if found is None:
        return Refusal(f"It cannot be read: {problem}. Answer with `{MORE}:` and a list, or with the three sections.")
    return _conclude(workspace, _clean(found), kept=False)


def _read_requests(body: str, *, more: bool) -> More | Refusal:
    if not more:
        return Refusal("This was the last round: conclude from what was shown, and name what stays open.")
    found = []
    for line in body.split("\n")[1:]:
        match = _REQUEST.fullmatch(line.strip())
        if match is not None:
            found.append(f"{match[1]} {match[2].strip().strip('`')}")
        elif line.strip():
            verbs = ", ".join(f"`{verb}`" for verb in VERBS)
            return Refusal(f"No request: {line.strip()[:80]!r}. Write `- VERB WHAT` with one of {verbs}.")
    if not found:
        return Refusal(f"`{MORE}:` names nothing that you want to see.")
    return More(tuple(dict.fromkeys(found))[:MOST_REQUESTS])


def _clean(found: Findings) -> Findings:
    """Findings that are safe to store, to show, and to give to an agent."""
    return Findings(
        sanitize(found.conclusion),
        tuple(each._replace(says=_clean_line(each.says)) for each in found.evidence),
        tuple(map(_clean_line, found.open_points)),
    )


def _clean_line(text: str) -> str:
    return " ".join(sanitize(text).split())


def _conclude(workspace: Workspace, found: Findings, *, kept: bool) -> Concluded | Refusal:
    if len(found.evidence) > _MOST_EVIDENCE:
        return Refusal(f"{len(found.evidence)} pieces of evidence are more than {_MOST_EVIDENCE}. Name the best.")
    checked = check_evidence(workspace, found.evidence)
    problems = [each.problem for each in checked if each.problem]
    types = tuple(sorted({type_id for each in checked for type_id in each.types}))
    problems += _judge_text(workspace, found, types)
    if not types and not problems:
        problems = ["The evidence names no type and no line of one: name at least one."]
    if problems:
        more = f" And {len(problems) - _MOST_TOLD} more." if len(problems) > _MOST_TOLD else ""
        return Refusal(" ".join(problems[:_MOST_TOLD]) + more)
    evidence = tuple(dict.fromkeys(each.evidence for each in checked))
    return Concluded(found._replace(evidence=evidence), types, kept)


def _judge_text(workspace: Workspace, found: Findings, types: Sequence[TypeId]) -> list[str]:
    """What is wrong with the words of findings."""
    if split_code(found.conclusion).open:
        return ["A code fence in the conclusion is not closed."]
    names = KnownNames(workspace, types)
    unknown = [f"`{name}`" for name in list_claims(found.conclusion) if not names.hold(name)]
    if not unknown:
        return []
    told = ", ".join(unknown[:_MOST_TOLD])
    return [f"No such member exists: {told}. Name what was shown, and leave backticks off words that are no names."]
