from codecortex.context.retrieval.history_scores import Commits, score_history, sum_by_path

DAY = 86_400


def commits(*made: tuple[int, str]) -> Commits:
    """Commits of one file each: the day, and the path."""
    paths = sorted({path for _, path in made})
    times, files = [day * DAY for day, _ in made], [paths.index(path) for _, path in made]
    firsts = list(range(len(made) + 1))
    sums = sum_by_path(times, [1] * len(made), firsts, files)
    return Commits(times, [1.0] * len(made), firsts, files, paths, sums, lambda _: ())


def test_what_the_newest_commits_touched_is_late_whatever_the_days_between():
    scores = score_history({}, commits((0, "A.cs"), (500, "B.cs"), (900, "C.cs")), ["A.cs", "B.cs", "C.cs"])["late"]
    assert scores[2] == 1.0
    assert scores[2] > scores[1] > scores[0] > 0.5


def test_a_later_commit_counts_not_an_earlier_one_of_the_same_file():
    scores = score_history({}, commits((0, "A.cs"), (1, "B.cs"), (2, "A.cs")), ["A.cs", "B.cs"])["late"]
    assert scores[0] == 1.0
    assert scores[1] < 1.0


def test_what_was_touched_long_before_the_newest_commit_is_not_fresh():
    scores = score_history({}, commits((0, "A.cs"), (97, "B.cs"), (100, "C.cs")), ["A.cs", "B.cs", "C.cs"])["fresh"]
    assert (scores[2], scores[1]) == (1.0, 0.5)
    assert scores[0] < 1e-9


def test_the_same_history_a_year_later_tells_the_same():
    before = commits((0, "A.cs"), (3, "B.cs"))
    after = commits((365, "A.cs"), (368, "B.cs"))
    assert score_history({}, before, ["A.cs", "B.cs"]) == score_history({}, after, ["A.cs", "B.cs"])


def test_files_that_are_gone_have_no_score():
    scores = score_history({}, commits((0, "A.cs"), (1, "Gone.cs")), ["A.cs"])
    assert scores["late"].keys() == {0}
