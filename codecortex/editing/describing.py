"""A response as JSON values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.editing.markdown import list_flags

if TYPE_CHECKING:
    from codecortex.editing.values import Candidate, Response


def describe_response(response: Response) -> dict[str, Any]:
    """Every field, flags as a mask and as names."""
    return {
        "status": response.status.value,
        "state": response.state.value,
        "flags": {"mask": int(response.flags), "names": list_flags(response.flags)},
        "summary": response.summary,
        "guidance": response.guidance,
        "metrics": response.metrics._asdict(),
        "candidates": [_describe_candidate(each) for each in response.candidates],
    }


def _describe_candidate(each: Candidate) -> dict[str, Any]:
    return {
        "id": each.id,
        "marker_start": each.marker_start,
        "marker_end": each.marker_end,
        "preview": each.preview,
        "occurrence": each.occurrence,
        "context_start": each.context_start,
        "context_end": each.context_end,
    }
