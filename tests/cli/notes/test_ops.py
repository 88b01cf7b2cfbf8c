"""`codecortex ops`: what is remembered of runs."""

import json

import pytest

OPS = ".codecortex/local/ops"


@pytest.fixture
def ran(shop, cli):
    """A shop with one finished run."""
    assert cli(shop, "refresh").code == 0
    assert cli(shop, "semantic", "generate", "--limit", "1").code == 0
    return shop


def find_record(root):
    (file,) = (root / OPS).glob("*.json")
    return file


def rewrite(file, run_id=None, **changes):
    told = json.loads(file.read_text()) | changes | ({"id": run_id} if run_id else {})
    (file.with_name(f"{run_id}.json") if run_id else file).write_text(json.dumps(told))


def list_runs(cli, root):
    done = cli(root, "ops", "list", "--json")
    assert done.code == 0
    return json.loads(done.out)


def test_without_a_run_the_list_says_how_to_make_one(shop, cli):
    done = cli(shop, "ops", "list")
    assert (done.code, "codecortex semantic generate" in done.out) == (0, True)
    assert list_runs(cli, shop)["runs"] == []


def test_answers_that_could_not_be_used_are_named_by_their_folder(ran, cli):
    run = find_record(ran).stem
    assert "could not be used" not in cli(ran, "ops", "show").out
    (ran / OPS / run / "T_AAAAAAAA-1.txt").write_text("I would rather not.")
    assert f"Answers that could not be used: {OPS}/{run}/\n" in cli(ran, "ops", "show").out


def test_a_run_is_shown_by_the_beginning_of_its_id(ran, cli):
    (run,) = list_runs(cli, ran)["runs"]
    assert (run["status"], run["provider"], run["limit"], run["states"]["cached"]) == ("finished", "extract", 1, 1)
    shown = json.loads(cli(ran, "ops", "show", run["id"][:8], "--json").out)
    assert (shown["id"], shown["jobs"][0]["state"]) == (run["id"], "cached")
    assert json.loads(cli(ran, "ops", "show", "--json").out) == shown, "the latest"
    assert "finished" in cli(ran, "ops", "list").out
    assert shown["jobs"][0]["owner"] in cli(ran, "ops", "show", run["id"]).out


@pytest.mark.parametrize("name", ["", "nothing", "../../config"])
def test_a_run_that_is_not_there_is_refused(ran, cli, name):
    for command in ("show", "cancel"):
        done = cli(ran, "ops", command, name)
        assert (done.code, "codecortex ops list" in done.err) == (2, True)


def test_two_runs_of_the_same_beginning_are_told_apart(ran, cli):
    file = find_record(ran)
    rewrite(file, run_id=f"{file.stem[:-4]}zzzz".replace("zzzz", "0000"))
    done = cli(ran, "ops", "show", file.stem[:8])
    assert (done.code, "2 runs begin with" in done.err) == (2, True)


def test_a_run_that_has_ended_cannot_be_cancelled(ran, cli):
    done = cli(ran, "ops", "cancel", find_record(ran).stem)
    assert (done.code, "finished" in done.err) == (2, True)


def test_a_run_that_ended_early_can_be_given_up(ran, cli):
    file = find_record(ran)
    jobs = [job | {"state": "pending"} for job in json.loads(file.read_text())["jobs"]]
    rewrite(file, status="stopped", reason="enough", jobs=jobs)
    done = cli(ran, "ops", "cancel", file.stem)
    assert (done.code, "cancelled" in done.out) == (0, True)
    assert list_runs(cli, ran)["runs"][0]["status"] == "cancelled"


def test_a_record_that_says_it_runs_though_nobody_does_is_interrupted(ran, cli):
    file = find_record(ran)
    jobs = [job | {"state": "generating", "attempts": 2} for job in json.loads(file.read_text())["jobs"]]
    rewrite(file, status="running", jobs=jobs)
    shown = json.loads(cli(ran, "ops", "show", file.stem, "--json").out)
    assert (shown["status"], shown["jobs"][0]["state"], shown["jobs"][0]["attempts"]) == ("interrupted", "pending", 2)
    resumed = cli(ran, "semantic", "generate", "--resume", file.stem, "--json")
    assert (resumed.code, json.loads(resumed.out)["run"]["states"]["cached"]) == (0, 1), "its note stands already"


@pytest.mark.parametrize("data", [b"", b"{", b"\xff\xfe", b"[]", b'{"schemaVersion": "9.0"}'])
def test_a_record_that_cannot_be_read_is_named_and_harms_nothing(ran, cli, data):
    file = find_record(ran)
    file.write_bytes(data)
    found = list_runs(cli, ran)
    assert found["runs"] == []
    assert file.name in found["problems"][0]
    assert file.name in cli(ran, "ops", "list").out
    for command in ("show", "cancel"):
        done = cli(ran, "ops", command, file.stem)
        assert (done.code, file.name in done.err) == (3, True)
    assert cli(ran, "semantic", "generate").code == 0
    assert file.read_bytes() == data
    assert len(list_runs(cli, ran)["runs"]) == 1


def test_a_link_in_place_of_a_record_is_not_followed(ran, cli, tmp_path):
    file = find_record(ran)
    (tmp_path / "other.json").write_bytes(file.read_bytes())
    file.unlink()
    file.symlink_to(tmp_path / "other.json")
    assert list_runs(cli, ran)["runs"] == []


def test_only_the_latest_runs_are_kept(ran, cli):
    file = find_record(ran)
    for number in range(60):
        rewrite(file, run_id=f"20200101T0000{number:02}-0000")
    answers = ran / OPS / "20200101T000003-0000"
    answers.mkdir()
    (answers / "T_00000000-1.txt").write_text("a bad answer")
    assert cli(ran, "semantic", "generate").code == 0
    kept = sorted(each.stem for each in (ran / OPS).glob("*.json"))
    assert len(kept) == 50
    assert file.stem in kept
    assert kept[0] == "20200101T000012-0000"
    assert not answers.exists()


def test_records_are_no_business_of_git(ran, git):
    assert OPS not in git(ran, "status", "--porcelain", "--untracked-files=all")
