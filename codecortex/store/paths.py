"""The paths of codecortex's files, by id, and the ids in such paths.

Every path is `/`-separated from the repository root.
"""

from __future__ import annotations

import re
from enum import StrEnum

from codecortex.model.hashing import ID_PATTERN
from codecortex.model.packs import is_pack_name
from codecortex.model.startup.patterns import compile_later

FOLDER = ".codecortex"
CONFIG = f"{FOLDER}/config.yaml"
INDEX = f"{FOLDER}/index.json"
ALIASES = f"{FOLDER}/aliases.json"
TYPES = f"{FOLDER}/types"
SEMANTIC = f"{FOLDER}/semantic"
PACKS = f"{FOLDER}/packs"
INVESTIGATIONS = f"{FOLDER}/investigations"
NOTE_PROMPT = f"{FOLDER}/prompts/note.md"
UPDATE_PROMPT = f"{FOLDER}/prompts/update.md"
MEMBERS_PROMPT = f"{FOLDER}/prompts/members.md"
NOTES_ASIDE = "notes-aside"
"""In git's folder: the notes of a swap of names that is under way, as they were."""
LOCAL = f"{FOLDER}/local"
LOCAL_IGNORE = f"{LOCAL}/.gitignore"
OPS = f"{LOCAL}/ops"
ANSWER_SUFFIX = ".txt"
"""Of answers that a run could not use."""
LOGS = f"{LOCAL}/logs"
AGENT = f"{LOCAL}/agent.json"
ACCESS = f"{LOCAL}/access.json"
WINDOW = f"{LOCAL}/prompt_window.md"
REPLACED = f"{LOCAL}/replaced"
WINDOW_STATE = f"{LOCAL}/window.json"
CONVERSATIONS = f"{LOCAL}/conversations"
CHAT = f"{LOCAL}/chat"
SESSIONS = f"{LOCAL}/sessions"
INQUIRIES = f"{LOCAL}/investigations"
GENERATED = (TYPES, SEMANTIC, PACKS), (INDEX, ALIASES)
"""The folders and the files that a refresh looks at, and that only it and who writes notes write."""

_TYPE_ID = "T_[0-9A-HJKMNP-TV-Z]{8}(?:[0-9A-HJKMNP-TV-Z]{4})?"
_NOTE = compile_later(rf"{re.escape(SEMANTIC)}/([TG]_{ID_PATTERN})\.md")
_INVESTIGATION = compile_later(rf"{re.escape(INVESTIGATIONS)}/([a-z0-9]+(?:-[a-z0-9]+)*)\.md")
_OUTLINE = compile_later(rf"{re.escape(TYPES)}/(?:(?P<folder>..)/(?=T_(?P=folder)))?(?P<id>{_TYPE_ID})\.outline\.md")


class Layout(StrEnum):
    """How the outlines are distributed over folders."""

    FLAT = "flat"
    FAN_OUT = "fanOut"


def outline_path(type_id: str, layout: Layout = Layout.FLAT) -> str:
    """The path of a type's outline."""
    folder = f"{TYPES}/{type_id[2:4]}" if layout is Layout.FAN_OUT else TYPES
    return f"{folder}/{type_id}.outline.md"


def outlined_type(path: str) -> str | None:
    """The TypeId in the path of an outline in either layout; None for any other path."""
    match = _OUTLINE.fullmatch(path)
    return match["id"] if match is not None else None


def semantic_path(owner_id: str) -> str:
    """The path of the note of a type or a group."""
    return f"{SEMANTIC}/{owner_id}.md"


def semantic_owner(path: str) -> str | None:
    """The TypeId or GroupId in the path of a note; None for any other path."""
    match = _NOTE.fullmatch(path)
    return match[1] if match else None


def investigation_path(slug: str) -> str:
    """The path of an investigation."""
    return f"{INVESTIGATIONS}/{slug}.md"


def investigation_slug(path: str) -> str | None:
    """The slug in the path of an investigation; None for any other path."""
    match = _INVESTIGATION.fullmatch(path)
    return match[1] if match else None


def rounds_path(slug: str) -> str:
    """The path of the rounds of an investigation under way."""
    return f"{INQUIRIES}/{slug}.json"


def pack_path(name: str) -> str:
    """The path of a pack's text."""
    return f"{PACKS}/{name}.md"


def packed_name(path: str) -> str | None:
    """The pack's name in the path of a pack's text; None for any other path."""
    name = path.removeprefix(f"{PACKS}/").removesuffix(".md")
    return name if path == pack_path(name) and is_pack_name(name) else None


def run_path(run_id: str) -> str:
    """The path of a run's record."""
    return f"{OPS}/{run_id}.json"


def answer_path(run_id: str, owner_id: str, attempt: int) -> str:
    """The path of an answer that a run could not use; the first attempt is 1."""
    return f"{OPS}/{run_id}/{owner_id}-{attempt}{ANSWER_SUFFIX}"


def cancel_path(run_id: str) -> str:
    """The path of the file whose existence cancels a run."""
    return f"{OPS}/{run_id}/cancel"


def events_path(run_id: str) -> str:
    """The path of the log of what happened in a run."""
    return f"{OPS}/{run_id}/events.jsonl"


def conversation_path(name: str) -> str:
    """The path of a conversation."""
    return f"{CONVERSATIONS}/{name}.json"


def conversation_name(path: str) -> str | None:
    """The conversation's name in the path of its file; None for any other path."""
    name = path.removeprefix(f"{CONVERSATIONS}/").removesuffix(".json")
    return name if path == conversation_path(name) and is_pack_name(name) else None


def draft_path(name: str) -> str:
    """The path of what was typed and not sent in a conversation."""
    return f"{CHAT}/{name}.txt"


def session_path(name: str) -> str:
    """The path of what a session remembers besides its versions."""
    return f"{SESSIONS}/{name}.json"


def conversation_save_path(name: str, mark: str) -> str:
    """The path of the copy that is made before a conversation is compacted; `mark` tells copies apart."""
    return f"{CONVERSATIONS}/saved/{name}-{mark}.json"


def is_derived(path: str) -> bool:
    """Whether the file at `path` is generated from the sources alone: the index, or an outline."""
    return path == INDEX or _OUTLINE.fullmatch(path) is not None
