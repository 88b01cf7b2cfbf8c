"""The log of runs: what is appended is read back, several processes share it, and nothing about it ever fails."""

import multiprocessing
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codecortex.store.local import json_lines
from codecortex.store.local.metrics_log import FILE_NAME, MAX_BYTES, Record, append_record, read_records

RECORD = Record("resolve", 12.3, 0, {"hits": 2})


def fill(folder, size):
    line = b'{"name":"old","ms":1.0,"exit":0}\n'
    (folder / FILE_NAME).write_bytes(line * (size // len(line) + 1))


def test_what_is_appended_is_read_back_in_order(tmp_path):
    records = (RECORD, Record("hooks install", 5.0, 3, {}), Record("mcp.outline", 0.4, 0, {"warm": 1}))
    for record in records:
        append_record(tmp_path, record)
    assert read_records(tmp_path) == records


@pytest.mark.parametrize("name", ["", "Größe", 'a"b', "a\nb", "x" * 65, "/home/me"])
def test_what_is_no_name_of_ours_is_not_kept(tmp_path, name):
    append_record(tmp_path, RECORD._replace(name=name))
    append_record(tmp_path, RECORD._replace(counts={name: 1}))
    assert not list(tmp_path.iterdir())


def test_a_folder_that_does_not_exist_is_not_made(tmp_path):
    append_record(tmp_path / "none", RECORD)
    assert not (tmp_path / "none").exists()
    assert read_records(tmp_path / "none") == ()


@pytest.mark.parametrize(
    "line",
    [
        b"", b"{", b"[]", b"null", b'"x"', b"\xff\xfe", b"{}", b'{"name":1,"ms":1,"exit":0}', b"[" * 100_000,
        b'{"name":"x","ms":"much","exit":0}', b'{"name":"x","ms":NaN,"exit":0}', b'{"name":"x","ms":-1,"exit":0}',
        b'{"name":"x","ms":1,"exit":0,"counts":3}', b'{"name":"x","ms":1,"exit":0,"counts":{"hits":"many"}}',
        b'{"name":"x","ms":1,"exit":1e999}', b'{"name":"resolve","ms":12.3,"ex',
    ],
)  # fmt: skip
def test_a_damaged_line_is_passed_over(tmp_path, line):
    append_record(tmp_path, RECORD)
    with (tmp_path / FILE_NAME).open("ab") as log:
        log.write(line + b"\n")
    append_record(tmp_path, RECORD)
    assert read_records(tmp_path) == (RECORD, RECORD)


@given(st.binary(max_size=200))
def test_whatever_stands_there_can_be_read(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("log")
    (folder / FILE_NAME).write_bytes(data)
    append_record(folder, RECORD)
    assert all(isinstance(each, Record) for each in read_records(folder))


def test_a_log_that_grew_too_long_keeps_its_newest_half(tmp_path):
    fill(tmp_path, MAX_BYTES)
    append_record(tmp_path, RECORD)
    assert (tmp_path / FILE_NAME).stat().st_size <= MAX_BYTES // 2
    records = read_records(tmp_path)
    assert len(records) > 4000
    assert records[-1] == RECORD
    assert records[0].name == "old"
    assert [each.name for each in tmp_path.iterdir()] == [FILE_NAME]


def test_what_a_killed_trimmer_left_is_in_nobodys_way(tmp_path):
    (tmp_path / f"{FILE_NAME}.new").write_bytes(b"half a li")
    fill(tmp_path, MAX_BYTES)
    append_record(tmp_path, RECORD)
    assert read_records(tmp_path)[-1] == RECORD
    assert [each.name for each in tmp_path.iterdir()] == [FILE_NAME]


def append_many(folder, name, number):
    for count in range(number):
        append_record(folder, Record(name, 1.0, 0, {"hits": count}))


def test_processes_that_append_and_trim_at_once_lose_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(json_lines, "_TRIES", 100_000)  # however slow the machine is
    names, number = ("one", "two", "three"), 400
    fill(tmp_path, MAX_BYTES - 200 * 45)  # so that the log is trimmed in their midst
    fork = multiprocessing.get_context("fork")
    processes = [fork.Process(target=append_many, args=(tmp_path, name, number)) for name in names]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    records = read_records(tmp_path)
    for name in names:
        assert [each.counts["hits"] for each in records if each.name == name] == list(range(number))
    assert (tmp_path / FILE_NAME).stat().st_size < MAX_BYTES


def make_pipe(path):
    os.mkfifo(path)


def make_link(path):
    path.symlink_to(path.parent / "target")


@pytest.mark.parametrize("make", [make_pipe, make_link, os.mkdir], ids=["a pipe", "a link", "a folder"])
def test_what_is_no_file_is_neither_written_nor_waited_for(tmp_path, make):
    make(tmp_path / FILE_NAME)
    append_record(tmp_path, RECORD)
    assert read_records(tmp_path) == ()
    assert not (tmp_path / "target").exists()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no full disk to try")  # noqa: PTH110 - a device
def test_a_full_disk_is_no_trouble(tmp_path):
    (tmp_path / FILE_NAME).symlink_to("/dev/full")
    append_record(tmp_path, RECORD)
    assert read_records(tmp_path) == ()
