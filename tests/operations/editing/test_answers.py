"""An answer that does not read back is told as such, to the caller and in the log."""

import json

from codecortex.editing.markdown import parse_response
from codecortex.editing.reducer import Step
from codecortex.editing.values import Flag, Metrics, Status
from codecortex.operations.editing.answers import Outcome, answer
from codecortex.operations.editing.results import EditRequest
from codecortex.operations.editing.transaction import open_buffer
from codecortex.operations.editing.verbs import open_file
from codecortex.operations.request import Request


def test_what_does_not_read_back_is_a_violation_and_logged(repo):
    edit = EditRequest(Request(repo), "notes.txt")
    response = open_file(edit).response._replace(metrics=Metrics(0, 6, 3))  # a count without candidates
    with open_buffer(edit, "append") as work:
        told = answer(edit, work, "append", Outcome(Step(work.state, response)))
    assert told.response.status is Status.EXCEPTION
    assert told.response.flags == Flag.SchemaViolation
    assert parse_response(told.markdown) == told.response
    rows = [json.loads(line) for line in (repo / ".codecortex/local/logs/edit.log").read_text().splitlines()]
    assert [row["category"] for row in rows][-2:] == ["edit.schema", "edit.persistence"]
    assert "| selection_count | 3 |" in rows[-2]["raw"]
