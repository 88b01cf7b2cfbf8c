import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from multiprocessing import get_context

import pytest

from codecortex.git.lock import hold_lock, lock_early, lock_repository
from codecortex.git.repository import open_repository
from codecortex.model.errors import BusyError, GitStateError

HOLD = """
import sys, time
from pathlib import Path
from codecortex.git.lock import hold_lock
with hold_lock(Path(sys.argv[1]), wait=0):
    print("held", flush=True)
    time.sleep(float(sys.argv[2]))
"""


@contextmanager
def held_by_another(path, seconds):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", HOLD, str(path), str(seconds)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
        process.stdout.readline()
        try:
            yield process
        finally:
            process.kill()


def test_one_holder_at_a_time(tmp_path):
    path = tmp_path / "codecortex" / "lock"
    with held_by_another(path, 60) as holder:
        started = time.monotonic()
        with pytest.raises(BusyError, match=str(holder.pid)) as caught, hold_lock(path, wait=0.2):
            pytest.fail("two holders")
        assert time.monotonic() - started >= 0.2
        assert caught.value.hint
        holder.send_signal(signal.SIGKILL)
        holder.wait()
        with hold_lock(path, wait=0):
            assert path.read_text().strip() == str(os.getpid())


def test_waiting_pays(tmp_path):
    with held_by_another(tmp_path / "lock", 0.3), hold_lock(tmp_path / "lock", wait=30):
        pass


def test_released_at_the_end_and_after_an_error(tmp_path):
    with hold_lock(tmp_path / "lock", wait=0):
        pass
    with pytest.raises(KeyError), hold_lock(tmp_path / "lock", wait=0):
        raise KeyError
    with hold_lock(tmp_path / "lock", wait=0):
        pass


def test_a_forked_worker_does_not_keep_it(tmp_path):
    with hold_lock(tmp_path / "lock", wait=0):
        worker = get_context("fork").Process(target=time.sleep, args=(60,))
        worker.start()
    try:
        with hold_lock(tmp_path / "lock", wait=0):
            pass
    finally:
        worker.kill()
        worker.join()


def test_no_place_for_the_lock(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(GitStateError, match="Cannot lock"), hold_lock(tmp_path / "file" / "lock", wait=0):
        pytest.fail("locked nothing")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_git_directory(tmp_path):
    tmp_path.chmod(0o555)
    with pytest.raises(GitStateError, match="Permission denied"), hold_lock(tmp_path / "c" / "lock", wait=0):
        pytest.fail("locked nothing")


def test_a_lock_taken_early_is_the_one_that_is_asked_for_next(repo):
    repository = open_repository(repo)
    with lock_repository(repository):
        pass
    path = repository.local_dir / "lock"
    assert lock_early(repository)
    with pytest.raises(BusyError), hold_lock(path, wait=0):
        pass
    with lock_repository(repository, wait=0), pytest.raises(BusyError), hold_lock(path, wait=0):
        pass
    with hold_lock(path, wait=0):  # which is free afterwards
        pass


def test_no_lock_is_taken_early_where_another_has_it_or_there_never_was_one(repo):
    repository = open_repository(repo)
    assert not lock_early(repository)
    assert not repository.local_dir.exists()
    path = repository.local_dir / "lock"
    with hold_lock(path, wait=0):
        assert not lock_early(repository)
    with lock_repository(repository, wait=0):
        pass
