"""The weights of the ranking, as `benchmarks/fit_context.py` fits them; data, no behaviour.

Fitted by listwise softmax on 150 commits of three repositories, pulled to priors made by hand, and checked once on 400
commits of eight others. Each feature but `fresh` and `late` is divided by its largest value among the files of the
question first. These two and `rec` were set to round numbers near what a fit on 340 commits of fifteen repositories
gave (decision 0160). `generated`, which few files are, is set by hand.
"""

from __future__ import annotations

WITH_HISTORY = {
    "bm25f": 2.05, "umax": 1.69, "big": 0.69, "tprec": 0.83, "exact": 0.77, "mexact": 0.45, "cover": 1.06, "size": 0.73,
    "indeg": -0.47, "refin": 0.52, "msg": 0.94, "hdoc": 1.02, "freq": 0.62, "rec": 0.5, "fresh": 0.65, "late": 0.65,
    "generated": -0.6,
}  # fmt: skip
WITHOUT_HISTORY = {
    "bm25f": 2.34, "umax": 1.80, "big": 0.74, "tprec": 0.96, "exact": 0.77, "mexact": 0.45, "cover": 1.47, "size": 1.27,
    "indeg": -0.18, "refin": 0.94, "generated": -0.6,
}  # fmt: skip
CLASSIC = {"bm25f": 3.2, "freq": 2.0, "rec": 1.2, "refin": 1.2, "cover": 0.4}
"""Those of `context.ranking: classic`, set by hand: keywords .4, access .25, recency .15, dependencies .15, cover .05;
times 8, so that what is added to a score weighs about as much as with the fitted ones."""
FIRST = {"bm25f": 1.0, "umax": 0.5, "big": 0.4, "tprec": 0.3, "exact": 0.5, "mexact": 0.3}
"""Of the text alone: which files the graph starts from."""

MENTIONED = {"path": 6.0, "line": 1.0, "symbol": 2.5}
"""Added to the score of a file that the question names, of one whose line it names, of one whose member it names."""

TOLD = 6.0
"""Added to the score of a file that `--mention` names; such files come first in any case."""

INHERITED, MOST_INHERITED = 1.5, 20
"""Added to the score of a file that was edited since the last round of a conversation, and for how many at most."""

FIELD = (5.0, 3.0, 1.5, 1.0, 1.0, 1.0, 1.0, 0.0)
"""By `Field`, for files."""
UNIT_FIELD = (2.0, 4.0, 1.5, 1.0, 1.0, 1.5, 1.0, 0.0)
"""By `Field`, for units."""
BASE_NAME, FOLDER = 4.0, 1.0

FILE_SURE = (0.483, -0.689, 0.573)
"""P(file) = sigmoid(a ln p + b ln rank + c), p by softmax of the scores."""
MEMBER_SURE = (0.934, -0.224, 2.487)
"""P(member | file) = sigmoid(a ln p + b ln n + c), p by softmax over the n members."""
MEMBER = {
    "text": 2.18, "pairs": 0.63, "exact": 0.26, "name": 0.72, "lines": 0.84, "share": -0.22, "constructor": -0.82,
    "field": 0.16, "abstract": 0.13,
}  # fmt: skip
