"""Formats findings as GitHub annotations or as a SARIF 2.1.0 log."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from codecortex import __version__
from codecortex.operations.check.findings import RULES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from codecortex.operations.check.findings import Finding

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "SRCROOT"
_IN_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTY = _IN_DATA | str.maketrans({":": "%3A", ",": "%2C"})


def format_github(findings: Iterable[Finding]) -> Iterator[str]:
    """One workflow command per finding; GitHub shows it at the line."""
    for finding in findings:
        where = f"file={_escape(finding.path)},line={finding.line},title={_escape(f'codecortex {finding.code}')}"
        run = finding.advice if finding.advice != finding.command else f"run: {finding.command}"
        mend = f"; {run}" if finding.command else ""
        yield f"::{finding.level} {where}::{(finding.message + mend).translate(_IN_DATA)}"


def _escape(text: str) -> str:
    return text.translate(_IN_PROPERTY)


def format_sarif(findings: Iterable[Finding]) -> dict[str, Any]:
    """A SARIF log with one run; paths are relative to the repository's root."""
    places = {code: place for place, code in enumerate(RULES)}
    rules = [{"id": str(code), "shortDescription": {"text": text}} for code, text in RULES.items()]
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "codecortex", "semanticVersion": __version__, "rules": rules}},
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {_ROOT: {"description": {"text": "The root of the repository."}}},
                "results": [_describe_result(finding, places[finding.code]) for finding in findings],
            }
        ],
    }


def _describe_result(finding: Finding, rule: int) -> dict[str, Any]:
    mend = f" Mend it with `{finding.command}`." if finding.command else ""
    result: dict[str, Any] = {
        "ruleId": str(finding.code),
        "ruleIndex": rule,
        "level": str(finding.level),
        "message": {"text": f"{finding.message[:1].upper()}{finding.message[1:]}.{mend}"},
        "locations": [_locate(finding.path, finding.line)],
        "partialFingerprints": {"codecortex/v1": _fingerprint(finding)},
    }
    if finding.artefact:
        result["relatedLocations"] = [_locate(finding.artefact, 1)]
    return result


def _locate(path: str, line: int) -> dict[str, Any]:
    uri = quote(path, errors="surrogateescape", safe="/%")
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": uri, "uriBaseId": _ROOT},
            "region": {"startLine": line},
        }
    }


def _fingerprint(finding: Finding) -> str:
    """A fingerprint of a finding that does not change when lines move."""
    told = f"{finding.code}\0{finding.path}\0{finding.artefact}\0{finding.message}"
    return sha256(told.encode("utf-8", "surrogateescape")).hexdigest()[:32]
