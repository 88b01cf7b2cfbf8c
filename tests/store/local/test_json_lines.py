"""Logs of JSON lines: several processes append, some trim, and whoever follows reads each line once and in order."""

import os
import stat
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codecortex.store.local.json_lines import LogFollower, append_line

MOST = 4096


def write(file, number, most=MOST):
    append_line(file, b'{"n":%06d}\n' % number, most)


def test_a_follower_reads_what_is_there_and_what_comes(tmp_path):
    file = tmp_path / "log"
    follower = LogFollower(file)
    assert follower.read() == []
    write(file, 1)
    assert follower.read() == [b'{"n":000001}']
    assert follower.read() == []
    with file.open("ab") as log:
        log.write(b'{"n":')
    assert follower.read() == [], "a line that is not whole yet"
    with file.open("ab") as log:
        log.write(b"2}\n\n")
    assert follower.read() == [b'{"n":2}', b""]
    follower.close()


@pytest.mark.slow
@given(st.lists(st.booleans(), min_size=400, max_size=900))
def test_trimming_neither_repeats_nor_loses_a_line(tmp_path_factory, looks):
    file = tmp_path_factory.mktemp("log") / "log"
    follower, seen = LogFollower(file), []
    for number, look in enumerate(looks):
        write(file, number)
        if look or number % 100 == 0:
            seen += follower.read()
    seen += follower.read()
    follower.close()
    assert seen == [b'{"n":%06d}' % number for number in range(len(looks))]
    assert file.stat().st_size <= MOST


def test_who_followed_too_slowly_goes_on_with_the_oldest_that_is_left(tmp_path):
    file = tmp_path / "log"
    follower = LogFollower(file)
    write(file, 0)
    assert len(follower.read()) == 1
    for number in range(1, 2000):
        write(file, number)
    rest = follower.read()
    follower.close()
    numbers = [int(line[5:-1]) for line in rest]
    assert numbers == sorted(set(numbers))
    assert numbers[-1] == 1999


def test_many_writers_lose_nothing_where_the_log_is_trimmed(tmp_path):
    file = tmp_path / "log"
    follower, seen = LogFollower(file), []
    over = threading.Event()

    def follow():
        while not over.is_set():
            seen.extend(follower.read())
        seen.extend(follower.read())

    def fill(first):
        for number in range(first, first + 300):
            write(file, number, most=1 << 16)

    reader = threading.Thread(target=follow)
    reader.start()
    writers = [threading.Thread(target=fill, args=(first,)) for first in range(0, 1200, 300)]
    for each in writers:
        each.start()
    for each in writers:
        each.join()
    over.set()
    reader.join()
    follower.close()
    assert sorted(seen) == [b'{"n":%06d}' % number for number in range(1200)]
    for first in range(0, 1200, 300):
        own = [line for line in seen if first <= int(line[5:-1]) < first + 300]
        assert own == sorted(own)


@pytest.mark.skipif(os.name == "nt", reason="permissions of POSIX")
def test_a_trimmed_log_keeps_its_permissions(tmp_path):
    file = tmp_path / "log"
    for number in range(1000):
        write(file, number)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_what_is_no_file_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    held = os.open(tmp_path / "pipe", os.O_RDWR)
    with pytest.raises(OSError, match="regular"):
        append_line(tmp_path / "pipe", b"{}\n", MOST)
    os.close(held)
