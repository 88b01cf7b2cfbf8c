"""Reads and writes investigations: a header of fingerprints, the conclusion, the evidence, and what stays open.

All of it is checked strictly, since what `check` tells depends on it. CRLF is read as LF, as git stores it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NoReturn

from codecortex.model.errors import NewerFormatError, StoreFormatError
from codecortex.model.investigations.values import Evidence, Findings, Investigation, make_slug
from codecortex.model.startup.patterns import compile_later
from codecortex.model.text.visible import find_harmful
from codecortex.model.versions import HASH_VERSION
from codecortex.store.committed.bases import read_base, write_base
from codecortex.store.committed.text import decode_text, line_at, refuse_conflict
from codecortex.store.paths import investigation_slug

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codecortex.model.notes import Base

CONCLUSION, EVIDENCE, OPEN = "CONCLUSION", "EVIDENCE", "OPEN POINTS"
MAX_BYTES = 64 * 1024
"""The most bytes that an investigation may have."""

_TITLE = "# Investigation: "
_NONE = "- none"
_FORMS = "write ``- `Symbol`: what it shows`` or ``- path:line `words`: what they show``"
_HEADING = compile_later(rf"^({CONCLUSION}|{EVIDENCE}|{OPEN}):[ \t]*$", re.MULTILINE)
_SYMBOL = compile_later(r"`([^`\n]{1,500})`[ \t]*(?::|-|\u2013|\u2014)[ \t]+(\S.*)")
_LINE = compile_later(
    r"`?([^`\s:][^`:\n]{0,500}):([1-9][0-9]{0,6})`?[ \t]+(?:`([^`\n]+)`|\"(.+)\")[ \t]*[:-][ \t]+(\S.*)"
)
_HEAD = compile_later(r"(Scope|Types|Generator|HashVersion): ?(.*)")
_HINT = "Mend it by hand, or ask again: `codecortex investigate` with the question."


def encode_investigation(found: Investigation) -> bytes:
    """The bytes of an investigation."""
    head = [f"{_TITLE}{found.question}"]
    head += [f"Scope: {', '.join(found.scope)}"] if found.scope else []
    head += ["Types:", *map(write_base, found.types), f"Generator: {found.generator}"]
    head += [f"HashVersion: {found.hash_version}"] if found.hash_version > 1 else []
    return ("\n".join(head) + "\n\n" + write_findings(found.findings)).encode("utf-8", "replace")


def write_findings(findings: Findings) -> str:
    """The sections of an investigation."""
    evidence = "\n".join(map(write_evidence, findings.evidence))
    points = "\n".join(f"- {each}" for each in findings.open_points) or _NONE
    return f"{CONCLUSION}:\n{findings.conclusion}\n\n{EVIDENCE}:\n{evidence}\n\n{OPEN}:\n{points}\n"


def write_evidence(evidence: Evidence) -> str:
    """The line of a piece of evidence."""
    if evidence.symbol:
        return f"- `{evidence.symbol}`: {evidence.says}"
    return f"- {evidence.path}:{evidence.line} `{evidence.quote}`: {evidence.says}"


def decode_investigation(data: bytes, path: str) -> Investigation:
    """Read an investigation.

    Args:
        data: The file's bytes.
        path: The file's path; its name is made from the question.

    Raises:
        StoreFormatError: It is damaged; the message names the line.
        NewerFormatError: A newer codecortex wrote it.
    """
    text = decode_text(data, path, StoreFormatError).replace("\r\n", "\n")
    refuse_conflict(text, path, "Take one side of it, then `git add` the file.")
    if len(data) > MAX_BYTES:
        _refuse(f"{path}: {len(data):,} bytes are more than the {MAX_BYTES:,} that an investigation may take")
    if (control := find_harmful(text)) is not None:
        _refuse(f"{path}:{line_at(text, control.start())}: control character U+{ord(control[0]):04X}")
    head, _, body = text.partition("\n\n")
    values, types = _read_header(head.split("\n"), path)
    question = values["Title"]
    if investigation_slug(path) != make_slug(question):
        _refuse(f"{path}:1: this is the investigation {make_slug(question)}", "Give the file its name, or remove it.")
    start = len(head) + 2
    problem, found = read_findings(body)
    if found is None:
        _refuse(f"{path}:{line_at(text, start)}: {problem}")
    scope = tuple(values["Scope"].split(", ")) if "Scope" in values else ()
    return Investigation(question, scope, types, values["Generator"], found, int(values.get("HashVersion", "1")))


def _read_header(lines: list[str], path: str) -> tuple[dict[str, str], tuple[Base, ...]]:
    if not lines[0].startswith(_TITLE) or not lines[0].removeprefix(_TITLE).strip():
        _refuse(f"{path}:1: expected `{_TITLE}<question>`")
    values = {"Title": lines[0].removeprefix(_TITLE)}
    types: list[Base] = []
    for number, line in enumerate(lines[1:], 2):
        base = read_base(line) if list(values)[-1] == "Types" else None
        match = _HEAD.fullmatch(line)
        if base is not None:
            types.append(base)
        elif match is None or match[1] in values:
            _refuse(f"{path}:{number}: not a line of the header: {line[:60]!r}")
        else:
            values[match[1]] = match[2]
    if not types or not values.get("Generator", "").strip():
        _refuse(f"{path}:1: the header has no {'Generator' if types else 'Types'}")
    version = values.get("HashVersion", "1")
    if not version.isascii() or not version.isdecimal():
        _refuse(f"{path}: HashVersion is no number")
    if int(version) > HASH_VERSION:
        message = f"{path}: its hashes are of version {version}, newer than {HASH_VERSION}"
        raise NewerFormatError(message, "Install a newer codecortex.")
    return values, tuple(types)


def read_findings(text: str) -> tuple[str, Findings | None]:
    """The sections of a text: why they are none, or empty; and what they say."""
    found = list(_HEADING.finditer(text))
    names = [match[1] for match in found]
    if names != [CONCLUSION, EVIDENCE, OPEN]:
        return f"the sections have to be `{CONCLUSION}:`, `{EVIDENCE}:`, `{OPEN}:`, each once, in this order", None
    if text[: found[0].start()].strip():
        return f"there is text before `{CONCLUSION}:`", None
    ends = [*(match.start() for match in found[1:]), len(text)]
    conclusion, cited, points = (text[match.end() : end].strip() for match, end in zip(found, ends, strict=True))
    if not conclusion:
        return f"`{CONCLUSION}:` is empty", None
    evidence = []
    for line in _list_items(cited):
        read = read_evidence(line)
        if read is None:
            return f"no evidence: {line[:100]!r}; {_FORMS}", None
        evidence.append(read)
    if not evidence:
        return f"`{EVIDENCE}:` names nothing", None
    left = tuple(each for each in _list_items(points) if each.rstrip(".").lower() != "none")
    return "", Findings(conclusion, tuple(evidence), left)


def _list_items(text: str) -> Iterator[str]:
    """The items of a list, each as one line; what stands on further lines belongs to the item above."""
    item = ""
    for line in text.split("\n"):
        plain = line.strip()
        if plain.startswith(("- ", "* ")):
            if item:
                yield item
            item = plain[2:].strip()
        elif plain:
            item = f"{item} {plain}".strip()
    if item:
        yield item


def read_evidence(item: str) -> Evidence | None:
    """The evidence in an item of the list; None if it is none."""
    place = _LINE.fullmatch(item)
    if place is not None:
        path, line, words, others, says = place.groups()
        return Evidence(says, path=path, line=int(line), quote=(words or others).strip())
    symbol = _SYMBOL.fullmatch(item)
    return Evidence(symbol[2], symbol=symbol[1].strip()) if symbol is not None else None


def _refuse(message: str, hint: str = _HINT) -> NoReturn:
    raise StoreFormatError(message, hint)
