"""The log of requests: whole lines, the newest, and never more than fits."""

import json
import os
import threading

import pytest

from codecortex.store.local import request_log
from codecortex.store.local.request_log import FILE_NAME, RequestRecord, append_request

RECORD = RequestRecord("2026-01-02T03:04:05+00:00", "openai", "http://a/v1", "tiny", 7, 12, 5, "answered", "Wörter\n")


def read(folder):
    return [json.loads(line) for line in (folder / FILE_NAME).read_bytes().splitlines()]


def test_a_record_is_one_line(tmp_path):
    append_request(tmp_path, RECORD)
    append_request(tmp_path, RECORD._replace(prompt="x" * 300_000))
    first, second = read(tmp_path)
    assert first == {
        "at": "2026-01-02T03:04:05+00:00", "provider": "openai", "place": "http://a/v1", "model": "tiny", "ms": 7,
        "tokensIn": 12, "tokensOut": 5, "outcome": "answered", "prompt": "Wörter\n",
    }  # fmt: skip
    assert (len(second["prompt"]), second["promptCut"]) == (256 * 1024, True)


@pytest.mark.skipif(os.name == "nt", reason="no such rights there")
def test_nobody_else_may_read_it(tmp_path):
    append_request(tmp_path, RECORD)
    assert (tmp_path / FILE_NAME).stat().st_mode & 0o077 == 0
    (tmp_path / FILE_NAME).write_bytes(b"x" * request_log.MAX_BYTES)
    append_request(tmp_path, RECORD)
    assert (tmp_path / FILE_NAME).stat().st_mode & 0o077 == 0


@pytest.mark.skipif(os.name == "nt", reason="no pipes with names there")
def test_a_pipe_of_that_name_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / FILE_NAME)
    with pytest.raises(OSError, match="not a regular file"):
        append_request(tmp_path, RECORD._replace(prompt="x" * 200_000))


@pytest.mark.slow
def test_only_the_newest_stay(tmp_path):
    (tmp_path / FILE_NAME).write_bytes(b'{"old":1}\n' * (request_log.MAX_BYTES // 10))
    append_request(tmp_path, RECORD)
    rows = read(tmp_path)
    assert rows[-1]["prompt"] == RECORD.prompt
    assert (tmp_path / FILE_NAME).stat().st_size <= request_log.MAX_BYTES // 2
    assert [path.name for path in tmp_path.iterdir()] == [FILE_NAME]


def test_threads_do_not_mix_their_lines(tmp_path):
    threads = [threading.Thread(target=append_request, args=(tmp_path, RECORD)) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(read(tmp_path)) == 20
