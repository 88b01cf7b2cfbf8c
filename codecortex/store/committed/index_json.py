"""Reads and writes index.json.

One row per line, sorted by id, with a sentinel row at the end: rows of two branches seldom conflict, and a union merge
of the lines is still JSON. Such a merge may produce a row twice; reading joins the two.
"""

from __future__ import annotations

import json
from json.encoder import encode_basestring as _quote
from operator import itemgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from codecortex.model import versions
from codecortex.model.errors import NewerFormatError, StoreFormatError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.text.visible import show_json
from codecortex.store.committed.text import decode_text, line_at, refuse_conflict
from codecortex.store.paths import Layout

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from codecortex.model.config import Config

SCHEMA_VERSION = "1.0"
HASH_VERSION = str(versions.HASH_VERSION)
OUTLINE_VERSION = str(versions.OUTLINE_VERSION)

_T = TypeVar("_T")
_SENTINEL = "~"
_IDENTITY = ("fqn", "kind", "projectId", "files")
_identity_of = itemgetter(*_IDENTITY)
_ONLY_TEXT = {str}
_LONGEST_NUMBER = 9
_JSON_NAMES = {str: "string", bool: "boolean", dict: "table"}
_NEWER = "install a newer codecortex"


class ProjectRow(NamedTuple):
    """A project: name, path of its file, target framework (empty if it names none)."""

    name: str
    path: str
    tfm: str


class TypeRow(NamedTuple):
    """A type's identity.

    Attributes:
        fqn: Its FQN.
        kind: Its kind, as used for the TypeId.
        project_id: Key of its row in `projects`.
        files: Paths that declare it, in order.
        extra: The fields that `index.detail: full` adds, as JSON values by name; usually None.
    """

    fqn: str
    kind: str
    project_id: str
    files: tuple[str, ...]
    extra: Mapping[str, Any] | None = None


class PackRow(NamedTuple):
    """A pack's definition: its filter and its token budget."""

    filter: str
    token_budget: int


class IndexFile(NamedTuple):
    """The whole content of index.json; rows by id, in any order."""

    schema_version: str = SCHEMA_VERSION
    hash_version: str = HASH_VERSION
    outline_version: str = OUTLINE_VERSION
    structure_hash_includes_xml_doc: bool = False
    include_internal_for_dependencies: bool = False
    layout: Layout = Layout.FLAT
    projects: Mapping[str, ProjectRow] = MappingProxyType({})
    types: Mapping[str, TypeRow] = MappingProxyType({})
    packs: Mapping[str, PackRow] = MappingProxyType({})


def encode_index(index: IndexFile) -> bytes:
    """The bytes of index.json; they do not depend on the order of the rows."""
    flags = _dump(
        {
            "hashVersion": index.hash_version,
            "outlineVersion": index.outline_version,
            "structureHashIncludesXmlDoc": index.structure_hash_includes_xml_doc,
            "includeInternalForDependencies": index.include_internal_for_dependencies,
        }
    )
    lines = [
        f'{{"schemaVersion":{_quote(index.schema_version)},',
        f'"configSnapshot":{flags},',
        f'"layout":{{"types":{_quote(index.layout)}}},',
        '"projects":{',
        *(
            f'{_quote(key)}:{{"name":{_quote(row.name)},"path":{_quote(row.path)},"tfm":{_quote(row.tfm)}}},'
            for key, row in sorted(index.projects.items())
        ),
        f'"{_SENTINEL}":0}},',
        '"types":{',
        *_type_lines(index.types),
        f'"{_SENTINEL}":0}},',
        '"packs":{',
        *(
            f'{_quote(key)}:{{"filter":{_quote(row.filter)},"tokenBudget":{row.token_budget}}},'
            for key, row in sorted(index.packs.items())
        ),
        f'"{_SENTINEL}":0}}}}\n',
    ]
    return show_json("\n".join(lines)).encode()


def _type_lines(types: Mapping[str, TypeRow]) -> Iterator[str]:
    for key in sorted(types):
        fqn, kind, project, files, extra = types[key]
        more = "," + _dump(extra)[1:-1] if extra else ""
        yield (
            f'{_quote(key)}:{{"fqn":{_quote(fqn)},"kind":{_quote(kind)},"projectId":{_quote(project)},'
            f'"files":[{",".join(map(_quote, files))}]{more}}},'
        )


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class _DuplicateValues(list[Any]):
    """The values of a key that occurs several times in one object with different values."""


def _collect(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    rows = dict(pairs)
    if len(rows) == len(pairs):
        return rows
    several: dict[str, list[Any]] = {}
    for key, value in pairs:
        several.setdefault(key, []).append(value)
    return {
        key: first if all(value == first for value in others) else _DuplicateValues([first, *others])
        for key, (first, *others) in several.items()
    }


class _Source(NamedTuple):
    path: str
    text: str

    def refuse(self, message: str, near: str = "", hint: str = "run `codecortex refresh`") -> NoReturn:
        name = f"{_quote(near)}:"
        found = self.text.find(f"\n{name}") + 1 or self.text.find(name)
        place = f"{self.path}:{line_at(self.text, found)}" if found >= 0 else self.path
        kind = NewerFormatError if hint == _NEWER else StoreFormatError
        raise kind(f"{place}: {message}", hint)


def decode_index(data: bytes, path: str) -> IndexFile:
    """Read an index.json, also one that a union merge has produced.

    Unknown fields are kept in rows of types and ignored elsewhere.

    Args:
        data: The file's bytes.
        path: The file's path, for messages.

    Raises:
        StoreFormatError: The file is broken, has conflict markers, or was written by a newer codecortex.
    """
    source = _Source(path, decode_text(data, path, StoreFormatError))
    root = _parse(source)
    if not isinstance(root, dict):
        source.refuse("expected an object")
    schema = _version(source, root, "schemaVersion", SCHEMA_VERSION)
    snapshot = _pick(source, root, "configSnapshot", dict)
    layout = _pick(source, _pick(source, root, "layout", dict), "types", str)
    if layout not in set(Layout):
        source.refuse(f"unknown layout {layout}", "layout", _NEWER)
    return IndexFile(
        schema_version=schema,
        hash_version=_version(source, snapshot, "hashVersion", HASH_VERSION),
        outline_version=_version(source, snapshot, "outlineVersion", OUTLINE_VERSION),
        structure_hash_includes_xml_doc=_pick(source, snapshot, "structureHashIncludesXmlDoc", bool),
        include_internal_for_dependencies=_pick(source, snapshot, "includeInternalForDependencies", bool),
        layout=Layout(layout),
        projects=_read_rows(source, root, "projects", _read_project),
        types=_read_rows(source, root, "types", _read_type),
        packs=_read_rows(source, root, "packs", _read_pack),
    )


def _parse(source: _Source) -> Any:
    try:
        root = json.loads(source.text, object_pairs_hook=_collect)
        if "\\u" in source.text:
            # An escape can be a lone surrogate, which has no UTF-8 bytes.
            _dump(root).encode()
    except (ValueError, RecursionError) as problem:
        refuse_conflict(source.text, source.path, "take either side of the file, then run `codecortex refresh`")
        line = problem.lineno if isinstance(problem, json.JSONDecodeError) else 1
        reason = problem.msg if isinstance(problem, json.JSONDecodeError) else str(problem)
        raise StoreFormatError(f"{source.path}:{line}: not JSON: {reason}", "run `codecortex refresh`") from problem
    return root


def _pick(source: _Source, holder: dict[str, Any], key: str, kind: type[_T]) -> _T:
    value = holder.get(key)
    if isinstance(value, _DuplicateValues):
        source.refuse(f"{key} stands twice with different values", key)
    if type(value) is not kind:
        source.refuse(f"{key} is missing or not a {_JSON_NAMES[kind]}", key)
    return value


def _version(source: _Source, holder: dict[str, Any], key: str, newest: str) -> str:
    value = _pick(source, holder, key, str)
    numbers = value.split(".")
    if not all(number.isdecimal() and number.isascii() and len(number) <= _LONGEST_NUMBER for number in numbers):
        source.refuse(f"{key} is not a version: {value}", key)
    # A newer minor schema only adds fields.
    depth = 1 if key == "schemaVersion" else len(numbers)
    if [int(number) for number in numbers[:depth]] > [int(number) for number in newest.split(".")[:depth]]:
        source.refuse(f"{key} {value} is newer than this codecortex knows ({newest})", key, _NEWER)
    return value


def _read_rows(source: _Source, root: dict[str, Any], name: str, read: Callable[[Any], _T | None]) -> dict[str, _T]:
    rows: dict[str, _T] = {}
    for key, value in _pick(source, root, name, dict).items():
        if key == _SENTINEL:
            continue
        row = read(value)
        if row is None:
            source.refuse(f"the row {key} of {name} is damaged", key)
        rows[key] = row
    return rows


def _read_type(value: Any) -> TypeRow | None:
    if isinstance(value, _DuplicateValues):
        rows = [row for row in map(_read_type, value) if row is not None]
        if len(rows) < len(value):
            return None
        # Each side may have added a part of the type; which side's hashes are right, only a refresh can tell.
        return TypeRow(*max(row[:3] for row in rows), tuple(sorted({path for row in rows for path in row.files})))
    # Written out because a match statement takes six times as long, and there are 15,000 rows.
    try:
        fqn, kind, project, files = _identity_of(value)
    except (KeyError, TypeError):
        return None
    if not (type(fqn) is type(kind) is type(project) is str and type(files) is list and _are_text(files)):
        return None
    extra = {name: value[name] for name in value if name not in _IDENTITY} if len(value) > len(_IDENTITY) else None
    return TypeRow(fqn, kind, project, tuple(files), extra)


def _are_text(values: list[Any]) -> bool:
    return set(map(type, values)) <= _ONLY_TEXT


def _read_project(value: Any) -> ProjectRow | None:
    match value:
        case {"name": str(name), "path": str(path), "tfm": str(tfm)}:
            return ProjectRow(name, path, tfm)
        case _DuplicateValues():
            rows = [_read_project(row) for row in value]
            return None if None in rows else max(row for row in rows if row)
    return None


def _read_pack(value: Any) -> PackRow | None:
    match value:
        case {"filter": str(text), "tokenBudget": int(budget)} if budget is not True and budget is not False:
            return PackRow(text, budget)
        case _DuplicateValues():
            rows = [_read_pack(row) for row in value]
            return None if None in rows else max(row for row in rows if row)
    return None


def list_pack_rows(config: Config) -> dict[str, tuple[str, int]]:
    """The pack rows of the index; they depend on the configuration alone."""
    return {pack.name: (" ".join(pack.filter.split()), pack.token_budget) for pack in config.packs}
