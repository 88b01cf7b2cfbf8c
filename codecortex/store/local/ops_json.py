"""Reads and writes the record of a run in `local/ops`.

One job per line, for people and line-based tools.
"""

from __future__ import annotations

import json
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from codecortex.model.config_choices import ProviderName
from codecortex.model.runs import JobRecord, JobState, Prices, RunRecord, RunRequest, RunStatus, RunTask, is_run_id
from codecortex.store.local.local_json import SCHEMA_VERSION, read_rows

if TYPE_CHECKING:
    from collections.abc import Mapping

_MOST = 1 << 53
_MOST_DIGITS = 40


def describe_run(run: RunRecord) -> dict[str, Any]:
    """A run without its jobs, as JSON values."""
    cost = run.cost
    return {
        "id": run.id,
        "task": run.asked.task,
        "status": run.status,
        "reason": run.reason or None,
        "provider": run.asked.provider,
        "model": run.asked.model or None,
        "started": run.started,
        "updated": run.updated,
        "symbols": list(run.asked.symbols),
        "all": run.asked.every,
        "limit": run.asked.limit,
        "replace": run.asked.replace or None,
        "stale": run.asked.stale,
        "question": run.asked.question or None,
        "states": dict(run.counts),
        "progress": run.progress,
        "tokensIn": run.tokens_in,
        "tokensOut": run.tokens_out,
        "priceIn": _write_amount(run.prices.tokens_in),
        "priceOut": _write_amount(run.prices.tokens_out),
        "cost": _write_amount(cost),
    }


def describe_job(job: JobRecord) -> dict[str, Any]:
    """A job of a run, as JSON values."""
    return {
        "owner": job.owner,
        "names": list(job.names),
        "types": list(job.types),
        "kind": job.kind,
        "path": job.path,
        "state": job.state,
        "attempts": job.attempts,
        "lastError": job.last_error or None,
        "part": job.part,
        "tokensIn": job.tokens_in,
        "tokensOut": job.tokens_out,
    }


def encode_run(run: RunRecord) -> bytes:
    """The bytes of a run's file."""
    head = {"schemaVersion": SCHEMA_VERSION, **describe_run(run)}
    rows = ",\n".join(json.dumps(describe_job(job)) for job in run.jobs)
    return f'{json.dumps(head)[:-1]}, "jobs": [\n{rows}\n]}}\n'.encode()


def decode_run(data: bytes, path: str) -> RunRecord:
    """The run recorded in a file.

    Raises:
        StoreFormatError: `encode_run` did not write this.
        NewerFormatError: A newer codecortex wrote it.
    """
    hint = "Remove it: it says how a run went, and nothing else depends on it."
    return read_rows(data, path, _read_run, wrong="not the record of a run", hint=hint)


def _read_run(root: Mapping[str, Any]) -> RunRecord:
    run_id = _read_text(root["id"])
    if not is_run_id(run_id):
        raise ValueError(run_id)
    limit = root["limit"]
    asked = RunRequest(
        symbols=_read_texts(root["symbols"]),
        every=root["all"] is True,
        limit=None if limit is None else _read_count(limit),
        provider=ProviderName(root["provider"]),
        model=_read_text(root["model"] or ""),
        replace=_read_text(root.get("replace") or ""),
        stale=root.get("stale") is True,
        task=RunTask(root.get("task") or RunTask.NOTES),
        question=_read_text(root.get("question") or ""),
    )
    return RunRecord(
        id=run_id,
        status=RunStatus(root["status"]),
        reason=_read_text(root["reason"] or ""),
        asked=asked,
        started=_read_text(root["started"]),
        updated=_read_text(root["updated"]),
        prices=Prices(_read_amount(root["priceIn"]), _read_amount(root["priceOut"])),
        jobs=tuple(map(_read_job, root["jobs"])),
    )


def _read_job(row: Mapping[str, Any]) -> JobRecord:
    return JobRecord(
        owner=_read_text(row["owner"]),
        names=_read_texts(row["names"]),
        types=_read_texts(row["types"]),
        kind=_read_text(row["kind"]),
        path=_read_text(row["path"]),
        state=JobState(row["state"]),
        attempts=_read_count(row["attempts"]),
        last_error=_read_text(row["lastError"] or ""),
        tokens_in=_read_count(row["tokensIn"]),
        tokens_out=_read_count(row["tokensOut"]),
        part=_read_part(row.get("part", 0.0)),
    )


def _read_text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _read_texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise TypeError(value)
    return tuple(map(_read_text, value))


def _read_count(value: object) -> int:
    if type(value) is not int or not 0 <= value <= _MOST:
        raise ValueError(value)
    return value


def _read_part(value: object) -> float:
    if not isinstance(value, (int, float)) or not 0 <= value <= 1:
        raise ValueError(value)
    return float(value)


def _read_amount(value: object) -> Decimal | None:
    if value is None:
        return None
    amount = Decimal(_read_text(value))
    if not amount.is_finite() or amount < 0 or abs(amount.adjusted()) > _MOST_DIGITS:
        raise ValueError(value)
    return amount


def _write_amount(amount: Decimal | None) -> str | None:
    return None if amount is None else f"{amount.normalize():f}"
