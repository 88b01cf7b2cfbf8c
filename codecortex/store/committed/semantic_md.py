"""Reads and writes semantic notes, and reads the sections of a note alone, as handed in by a person or an agent.

The header is checked strictly, since the states of notes depend on it; the texts of the sections are kept byte for
byte. CRLF is read as LF, as git stores it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NoReturn

from codecortex.model.code.types import TypeId
from codecortex.model.errors import NewerFormatError, StoreFormatError
from codecortex.model.hashing import ID_PATTERN, Digest
from codecortex.model.notes import NOTE_FORMAT, SECTION_NAME, Base, Dependency, MemberLine, Note, Section, hash_body
from codecortex.model.startup.patterns import compile_later
from codecortex.model.text.visible import find_harmful
from codecortex.model.versions import HASH_VERSION
from codecortex.store.committed.bases import HASH, IMPL, read_base, write_base, write_impl
from codecortex.store.committed.member_lines import (
    join_rows,
    read_lines,
    read_row,
    split_lines,
    write_lines,
    write_rows,
)
from codecortex.store.committed.text import decode_text, line_at, refuse_conflict
from codecortex.store.paths import semantic_owner

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

_Header = dict[str, re.Match[str]]

MAX_BODY = 64 * 1024
"""The most bytes that the texts of a note may have together."""

_TITLE = compile_later(rf"# Semantic: (\S+) (T_{ID_PATTERN})")
_GROUP_TITLE = compile_later(rf"# Semantic group: (G_{ID_PATTERN})")
_DEPENDENCY = compile_later(rf"(T_{ID_PATTERN})@({HASH})")
_HEADING = compile_later(rf"^({'|'.join(Section)}):", re.MULTILINE)
_UNKNOWN = compile_later(rf"^({SECTION_NAME}):(?=\s|$)", re.MULTILINE)
_SHAPES = {
    "StructureHash": compile_later(HASH),
    "ImplHash": IMPL,
    "XmlDocHash": compile_later(HASH),
    "Types": compile_later(""),
    "Dependencies": compile_later(rf"none|{_DEPENDENCY.pattern}(?:, {_DEPENDENCY.pattern})*"),
    "Cut": compile_later(rf"T_{ID_PATTERN}(?:, T_{ID_PATTERN})*"),
    "Generator": compile_later(r"\S(?:.*\S)?"),
    "BodyHash": compile_later(rf"{HASH}(?: {HASH})*"),
    "HashVersion": compile_later("[1-9][0-9]{0,8}"),
    "Format": compile_later("[1-9][0-9]{0,8}"),
    "Rest": compile_later(HASH),
    "Members": compile_later(""),
}
_OF_TYPE = ("StructureHash", "ImplHash", "Dependencies", "Generator")
_OF_GROUP = ("Types", "Dependencies", "Generator")
_OPTIONAL = ("Format", "HashVersion", "BodyHash", "Rest", "Members")
_MEND = "Mend it by hand, or write the note anew with `codecortex semantic put`."


def encode_note(note: Note) -> bytes:
    """The bytes of a note."""
    first = note.types[0]
    if note.is_group:
        head = [f"# Semantic group: {note.owner}", "Types:", *map(write_base, note.types)]
    else:
        head = [
            f"# Semantic: {first.fqn} {note.owner}",
            f"StructureHash: {first.structure}",
            f"ImplHash: {write_impl(first)}",
            *([f"XmlDocHash: {first.xml_doc}"] if first.xml_doc else []),
        ]
    needed = ", ".join(f"{each.type_id}@{each.structure}" for each in note.dependencies)
    head.append(f"Dependencies: {needed or 'none'}")
    if note.cut:
        head.append(f"Cut: {', '.join(note.cut)}")
    head.append(f"Generator: {note.generator}")
    if note.hash_version > 1:
        head.append(f"HashVersion: {note.hash_version}")
    if note.format > 1:
        head.append(f"Format: {note.format}")
    if note.body_hash:
        head.append(f"BodyHash: {note.body_hash}")
    if note.members:
        head += [f"Rest: {note.rest}", "Members:", *write_rows(note.members)]
    body = "".join(f"{section}:{text}" for section, text in zip(Section, note.texts, strict=True) if text)
    if not note.texts[-1]:
        body = body.rstrip("\n") + "\n"  # no empty line for a section that does not follow
    if note.members:
        body += f"\n{write_lines(note.members)}"
    return ("\n".join(head) + "\n\n" + body).encode("utf-8", "replace")


def decode_note(data: bytes, path: str) -> Note:
    """Read a note.

    Args:
        data: The file's bytes.
        path: The file's path; its name is the id of the note's owner.

    Raises:
        StoreFormatError: It is damaged; the message names the line.
        NewerFormatError: A newer codecortex wrote it.
    """
    text = _decode(data, path)
    refuse_conflict(text, path, "Resolve it, then `git add` the file.")
    lines = text.split("\n")
    size = next((n for n, line in enumerate(lines) if not line or _HEADING.match(line)), len(lines))
    owner, fqn = _read_title(lines[0], path)
    values, members, rows = _read_header(lines[:size], path, group=not fqn)
    types = members if not fqn else (_read_base(owner, fqn, values),)
    text, told = _read_members(text, path) if rows else (text, {})
    needed = _DEPENDENCY.findall(values["Dependencies"][0])
    known = [each for each in Section if each.since <= (int(values["Format"][0]) if "Format" in values else 1)]
    return Note(
        owner=owner,
        types=types,
        dependencies=tuple(Dependency(TypeId(type_id), Digest(found)) for type_id, found in needed),
        generator=values["Generator"][0],
        body_hash=_migrate_hash(values["BodyHash"][0], known) if "BodyHash" in values else None,
        texts=_migrate_texts(_read_texts(text, path, sum(len(line) + 1 for line in lines[:size]), known), known),
        cut=tuple(map(TypeId, values["Cut"][0].split(", "))) if "Cut" in values else (),
        hash_version=int(values["HashVersion"][0]) if "HashVersion" in values else 1,
        members=join_rows(rows, told),
        rest=values["Rest"][0] if "Rest" in values else "",
    )


def _read_members(text: str, path: str) -> tuple[str, dict[str, str]]:
    """A text without its lines on members, and these lines."""
    rest, block = split_lines(text)
    if block is None:
        return text, {}
    lines, problem = read_lines(block)
    if problem:
        _refuse(f"{path}:{line_at(text, len(rest))}: {problem}")
    # As it was written before the lines: one line feed parts them from the last section.
    return rest.removesuffix("\n") if rest.endswith("\n\n") else rest, lines


def _decode(data: bytes, path: str) -> str:
    return decode_text(data, path, StoreFormatError).replace("\r\n", "\n")


def _read_title(line: str, path: str) -> tuple[str, str]:
    """The owner's id, and the type's FQN; the FQN of a group is empty."""
    match = _TITLE.fullmatch(line)
    group = None if match else _GROUP_TITLE.fullmatch(line)
    if match is None and group is None:
        _refuse(f"{path}:1: expected `# Semantic: <name> <TypeId>` or `# Semantic group: <GroupId>`")
    owner, fqn = (match[2], match[1]) if match else (group[1] if group else "", "")
    if semantic_owner(path) != owner:
        _refuse(f"{path}:1: this is the note of {owner}", "Give the file its owner's name, or remove it.")
    return owner, fqn


def _read_header(
    lines: list[str], path: str, *, group: bool
) -> tuple[_Header, tuple[Base, ...], tuple[MemberLine, ...]]:
    """The header's values, the types of a group, and the members of a note with lines on them."""
    required = _OF_GROUP if group else _OF_TYPE
    known = {*required, *_OPTIONAL, "Cut" if group else "XmlDocHash"}
    values: _Header = {}
    members: list[Base] = []
    rows: list[MemberLine] = []
    damage: list[str] = []
    for number, line in enumerate(lines[1:], 2):
        name, colon, value = line.partition(":")
        value = value.removeprefix(" ")
        shape = _SHAPES[name].fullmatch(value) if colon and name in known else None
        member = read_base(line) if list(values)[-1:] == ["Types"] else None
        row = read_row(line) if list(values)[-1:] == ["Members"] else None
        if member is not None:
            members.append(member)
        elif row is not None and line.isprintable():
            rows.append(row)
        elif not colon or name not in known:
            damage.append(f"{path}:{number}: unknown header line {line[:60]!r}")
        elif name in values:
            damage.append(f"{path}:{number}: {name} stands twice")
        elif shape is None or not value.isprintable():
            damage.append(f"{path}:{number}: {name} is not of the expected form: {value[:60]!r}")
        else:
            values[name] = shape
    if "Format" in values and int(values["Format"][0]) > NOTE_FORMAT:
        message = f"{path}: its format {values['Format'][0]} is newer than this codecortex knows ({NOTE_FORMAT})"
        raise NewerFormatError(message, "Install a newer codecortex.")
    if "HashVersion" in values and int(values["HashVersion"][0]) > HASH_VERSION:
        message = f"{path}: its hashes are of version {values['HashVersion'][0]}, newer than {HASH_VERSION}"
        raise NewerFormatError(message, "Install a newer codecortex.")
    missing = [name for name in required if name not in values]
    if damage or missing:
        _refuse(damage[0] if damage else f"{path}:1: the header has no {missing[0]}")
    if group and (not members or len({each.type_id for each in members}) < len(members)):
        _refuse(f"{path}:1: a group names each of its types once, one a line, below `Types:`")
    if len({each.name for each in rows}) < len(rows):
        _refuse(f"{path}:1: a member stands twice below `Members:`")
    return values, tuple(members), tuple(rows)


def _read_base(owner: str, fqn: str, values: _Header) -> Base:
    impl, public, internal = map(Digest, values["ImplHash"].groups())
    docs = Digest(values["XmlDocHash"][0]) if "XmlDocHash" in values else None
    return Base(TypeId(owner), fqn, Digest(values["StructureHash"][0]), impl, public, internal, docs)


def _migrate_texts(texts: tuple[str, ...], known: list[Section]) -> tuple[str, ...]:
    """The texts of a note of an older format, without the sections that it does not know."""
    held = dict(zip(known, texts, strict=True))
    return tuple(held.get(section, "") for section in Section)


def _migrate_hash(body_hash: str, known: list[Section]) -> str:
    """The digests of a note of an older format, with that of an empty text for each section that it does not know."""
    held = dict(zip(known, body_hash.split(), strict=False))
    if len(held) < len(known):
        return body_hash  # one digest over all texts
    return " ".join(held.get(section, hash_body(("",))) for section in Section)


def _read_texts(text: str, path: str, start: int, sections: list[Section]) -> tuple[str, ...]:
    found = list(_HEADING.finditer(text, start))
    before = text[start : found[0].start()] if found else text[start:]
    if before.strip():
        at = start + len(before) - len(before.lstrip())
        _refuse(f"{path}:{line_at(text, at)}: text before the section {Section.ROLE}")
    if not found:
        end = len(text.rstrip("\n"))
        _refuse(f"{path}:{line_at(text, end)}: no section", f"Write at least one, such as `{Section.ROLE}:`.")
    _judge_order(text, path, found, sections)
    ends = [*(match.start() for match in found[1:]), len(text)]
    texts = {Section[match[1]]: text[match.end() : end] for match, end in zip(found, ends, strict=True)}
    last = Section[found[-1][1]]
    if not texts[last].endswith("\n"):
        texts[last] += "\n"
    if not last.is_last:
        texts[last] = lay_out(last, texts[last])  # as it is written where another section follows
    return tuple(texts.get(section, "") for section in sections)


def _judge_order(text: str, path: str, found: list[re.Match[str]], known: list[Section]) -> None:
    """Refuse sections that stand twice or in another order, or that the format of the note does not know."""
    before: list[Section] = []
    for match in found:
        section, at = Section[match[1]], f"{path}:{line_at(text, match.start())}"
        if section not in known:
            _refuse(f"{at}: {section} is no section of this note's format")
        if section in before:
            _refuse(f"{at}: the section {section} stands twice")
        later = [each for each in before if known.index(each) > known.index(section)]
        if later:
            _refuse(f"{at}: the section {section} stands below {later[0]}")
        before.append(section)


def _refuse(message: str, hint: str = _MEND) -> NoReturn:
    raise StoreFormatError(message, hint)


def split_body(data: bytes, path: str) -> tuple[bytes, dict[str, str]]:
    """A text that someone handed in without its lines on members, and these lines.

    Raises:
        StoreFormatError: Something stands among them that is none.
    """
    text, lines = _read_members(_decode(data, path), path)
    return text.encode(), lines


def decode_body(data: bytes, path: str) -> dict[Section, str]:
    """The sections of a text that someone handed in, in any order, laid out as in a note.

    The header of a whole note is ignored. The text of a section is what follows its heading, with white space at its
    end replaced by the empty line before the next section.

    Args:
        data: Its bytes.
        path: Its origin, for messages.

    Raises:
        StoreFormatError: Too much text, anything but the sections, control characters, conflict markers.
    """
    text = _decode(data, path)
    refuse_conflict(text, path, "Take one side of it.")
    _refuse_controls(text, path)
    found = list(_HEADING.finditer(text))
    if not found:
        _refuse(f"{path}: no section", f"Begin each with its heading: {', '.join(f'{each}:' for each in Section)}")
    if text[: found[0].start()].strip() and not text.startswith("# Semantic"):
        _refuse(f"{path}:1: text before the first section", f"Begin with a heading such as `{Section.ROLE}:`.")
    ends = [*(match.start() for match in found[1:]), len(text)]
    out: dict[Section, str] = {}
    for match, end in zip(found, ends, strict=True):
        section = Section[match[1]]
        if section in out:
            _refuse(f"{path}:{line_at(text, match.start())}: the section {section} stands twice", "Join the two.")
        out[section] = lay_out(section, text[match.end() : end])
        _refuse_unknown(text, path, match.end(), end)
    check_size(out.values(), path)
    return out


def check_controls(data: bytes, path: str) -> None:
    """Raise an error if a valid note contains control characters.

    Raises:
        StoreFormatError: There is one.
    """
    _refuse_controls(_decode(data, path), path)


def check_headings(data: bytes, path: str, sections: Collection[Section]) -> None:
    """Raise an error if some sections of a valid note contain unknown section headings.

    Raises:
        StoreFormatError: There is one; the text below it counts as part of the section above.
    """
    text = _decode(data, path)
    if "\nMembers:\n" in text.partition("\n\n")[0] + "\n":
        text, _ = split_lines(text)
    found = list(_HEADING.finditer(text))
    ends = [*(match.start() for match in found[1:]), len(text)]
    for match, end in zip(found, ends, strict=True):
        if match[1] in sections:
            _refuse_unknown(text, path, match.end(), end)


def list_unknown(text: str) -> list[str]:
    """The headings in a section's text that name no section."""
    return _UNKNOWN.findall(text)


def check_size(texts: Iterable[str], path: str) -> None:
    """Raise an error if texts are together longer than a note may be.

    Raises:
        StoreFormatError: They are.
    """
    size = sum(len(text.encode()) for text in texts)
    if size > MAX_BODY:
        _refuse(f"{path}: {size:,} bytes are more than the {MAX_BODY:,} that a note may take", "Say it shorter.")


def lay_out(section: Section, text: str) -> str:
    """A section's text, laid out as in a note: an empty line separates it from the next section."""
    text = text.rstrip()
    return f"{text}\n\n" if text and not section.is_last else f"{text}\n"


def _refuse_controls(text: str, path: str) -> None:
    control = find_harmful(text)
    if control:
        _refuse(f"{path}:{line_at(text, control.start())}: control character U+{ord(control[0]):04X}", "Take it out.")


def _refuse_unknown(text: str, path: str, start: int, end: int) -> None:
    found = _UNKNOWN.search(text, start, end)
    if found:
        names = ", ".join(Section)
        _refuse(
            f"{path}:{line_at(text, found.start())}: unknown section {found[1]}",
            f"The sections are {names}; indent the line if it is text.",
        )
