"""Fit the weights of `codecortex context`: commits with their messages in, the weights for `weights.py` out.

    python benchmarks/fit_context.py collect REPOSITORY CASES.json FEATURES.jsonl
    python benchmarks/fit_context.py fit FEATURES.jsonl...

CASES.json holds `{"cases": [{"id", "parent", "query", "targets": [{"path"}]}]}`: what a commit says, the commit before
it, and what it touched, as `mine_cases.py` makes it of a repository. `collect` writes the features of the first files
of each case, as the tree before it gives them; `fit` maximises the likelihood of the targets by a listwise softmax,
pulled to the weights in force, and prints for each file of features what the weights of all others would give for it
(leave one repository out).
"""

from __future__ import annotations

import json
import sys
from math import exp
from pathlib import Path

from codecortex.context.retrieval.question import read_question
from codecortex.context.retrieval.ranking import Evidence, list_features
from codecortex.context.retrieval.weights import WITH_HISTORY
from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.context.history import open_history
from codecortex.operations.context.index import open_index
from codecortex.operations.context.tests import select_product
from codecortex.operations.request import Request

KEPT = 200
PULL, STEP, ROUNDS = 0.03, 0.5, 150

Row = tuple[bool, dict[str, float]]


def collect(folder: str, cases: str, target: str) -> None:
    """Write a line of features for each case."""
    with Path(target).open("w", encoding="utf-8") as out:
        for case in json.loads(Path(cases).read_text("utf-8"))["cases"]:
            with Workspace(Request(Path(folder), rev=case["parent"])) as workspace:
                index = open_index(
                    workspace, select_product(workspace, sorted(workspace.tree.sources.sources)), "product"
                )
                evidence = Evidence(index.degrees, open_history(workspace), {}, lambda _: True)
                features = list_features(read_question(case["query"]), index.corpus, evidence)
            wanted = {each["path"] for each in case["targets"]}
            rows = []
            for document in features.documents:
                shares = {name: column.get(document, 0.0) for name, column in features.columns.items()}
                score = sum(features.weights[name] * share for name, share in shares.items())
                rows.append((-score, index.corpus.paths[document], shares))
            rows.sort(key=lambda row: row[:2])
            kept = [row for at, row in enumerate(rows) if at < KEPT or row[1] in wanted]
            told = {"id": case["id"], "files": [(path in wanted, shares) for _, path, shares in kept]}
            out.write(json.dumps(told) + "\n")


def read_cases(file: str) -> list[list[Row]]:
    """The cases."""
    return [json.loads(line)["files"] for line in Path(file).read_text("utf-8").splitlines()]


def fit(cases: list[list[Row]], prior: dict[str, float]) -> dict[str, float]:
    """The weights that make the targets likeliest."""
    names = list(prior)
    weights = [prior[name] for name in names]
    tables = []
    for case in cases:
        hits = [at for at, (hit, _) in enumerate(case) if hit]
        if not hits:
            continue
        tables.append(([[shares.get(name, 0.0) for name in names] for _, shares in case], hits))
    for _ in range(ROUNDS):
        slope = [2 * PULL * (prior[name] - weight) for name, weight in zip(names, weights, strict=True)]
        for rows, hits in tables:
            scores = [sum(map(float.__mul__, weights, row)) for row in rows]
            top = max(scores)
            odds = [exp(score - top) for score in scores]
            total = sum(odds)
            for at, row in enumerate(rows):
                gain = (at in hits) / len(hits) - odds[at] / total
                if abs(gain) > 1e-4:  # noqa: PLR2004 - nothing to gain
                    for place, value in enumerate(row):
                        slope[place] += gain * value / len(tables)
        weights = [weight + STEP * each for weight, each in zip(weights, slope, strict=True)]
    return dict(zip(names, weights, strict=True))


def judge(cases: list[list[Row]], weights: dict[str, float]) -> tuple[float, float, float]:
    """MRR, hit@1 and hit@10; a case counts too whose targets are not ranked at all."""
    places = []
    for case in cases:
        scored = sorted(
            ((-sum(weights[name] * shares.get(name, 0.0) for name in weights), not hit) for hit, shares in case)
        )
        places.append(next((at for at, (_, missed) in enumerate(scored, 1) if not missed), 0))
    count = len(places) or 1
    return (
        sum(1 / place for place in places if place) / count,
        sum(place == 1 for place in places) / count,
        sum(0 < place <= 10 for place in places) / count,  # noqa: PLR2004 - hit@10
    )


def main(arguments: list[str]) -> None:
    """Run one of the two."""
    if arguments[:1] == ["collect"]:
        collect(*arguments[1:])
        return
    sets = {file: read_cases(file) for file in arguments[1:]}
    for file, cases in sets.items():
        others = [case for other, each in sets.items() if other != file for case in each]
        now, fitted = judge(cases, WITH_HISTORY), judge(cases, fit(others, WITH_HISTORY)) if others else ()
        print(f"{file}: {len(cases)} cases; in force {now}; fitted on the others {fitted}")
    every = [case for cases in sets.values() for case in cases]
    weights = fit(every, WITH_HISTORY)
    print(f"all: in force {judge(every, WITH_HISTORY)}; fitted {judge(every, weights)}")
    print({name: round(weight, 2) for name, weight in weights.items()})


if __name__ == "__main__":
    main(sys.argv[1:])
