"""The hooks of this installation and where it lies in; the shell texts that a repository needs, and back, out.

A script is what does the work of one event. A link is what stands in git's own hooks folder: it runs the hook that
stood there before, then the script. Each link says the digest of its own text, so that an edited one is recognised.
"""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, NamedTuple

from codecortex.model.errors import StoreFormatError

if TYPE_CHECKING:
    from collections.abc import Mapping

EVENTS = ("pre-commit", "post-commit", "post-merge", "post-checkout", "post-rewrite")
MERGE_DRIVER = "merge-driver"
SCRIPTS = "codecortex/hooks"
"""The scripts' folder below the git directory that all work trees share."""

_PACKAGE = Path(__file__).parents[1]
_PLACES = (_PACKAGE / "_data" / "hooks", _PACKAGE.parent / "hooks")
_BEFORE = ".before-codecortex"
_HEAD = (
    "# codecortex hook {event} {digest}: `codecortex hooks install` made it, `codecortex hooks uninstall` removes it."
)
_MARK = re.compile(rb"#!/bin/sh\n# codecortex hook ([a-z-]+) ([0-9a-f]{8}): ")
_PYTHON = re.compile(r"^python='(.*)'$", re.MULTILINE)
_LOST = "codecortex: its scripts are gone from the git directory; run: codecortex hooks install"

_BEFORE_COMMIT = """if [ -x "$before" ]; then "$before" "$@" || exit; fi
[ -f "$script" ] && exec sh "$script" "$@"
echo "{lost}" >&2
"""
# Ours reads nothing from stdin, so that what git tells there is all for the hook that stood here before.
_AFTERWARDS = """status=0
if [ -x "$before" ]; then "$before" "$@" || status=$?; fi
if [ -f "$script" ]; then sh "$script" "$@" </dev/null; else echo "{lost}" >&2; fi
exit $status
"""
# -P: a module of the repository's own, such as a json.py at its top, is not for us to run.
_CALL = """if [ -x "$python" ] && [ -f "$package/__main__.py" ]; then
  shift
  set -- "$python" -P -X utf8 -m codecortex "$@"
fi
"""
_DRIVER = """#!/bin/sh
# codecortex, merge-driver BASE OURS THEIRS PATH: merges a semantic note; where it is missing, as git itself would.
base=$1 ours=$2 theirs=$3
set -- codecortex {driver} "$@"
{found}{call}command -v "$1" >/dev/null 2>&1 && exec "$@"
exec git merge-file -q "$ours" "$base" "$theirs"
"""


class LinkMark(NamedTuple):
    """What a link says of itself: its event, and whether its text is as it was made."""

    event: str
    whole: bool


def write_scripts(python: str) -> Mapping[str, bytes]:
    """The scripts that a repository needs, by name.

    Args:
        python: The interpreter that they shall call, absolute.

    Raises:
        StoreFormatError: This installation has lost its hooks.
    """
    found = f"python={_quote(python)}\npackage={_quote(str(_PACKAGE))}\n"
    scripts = {event: _read_template(event) for event in EVENTS}
    for event, text in scripts.items():
        line = f'set -- codecortex hook {event} "$@"\n'
        if text.count(line) != 1:
            raise StoreFormatError(f"{event}: the hook of this installation is damaged", "Install codecortex again.")
        scripts[event] = text.replace(line, line + found + _CALL)
    scripts[MERGE_DRIVER] = _DRIVER.format(driver=MERGE_DRIVER, found=found, call=_CALL)
    return {name: text.encode("utf-8", "surrogateescape") for name, text in scripts.items()}


def read_interpreter(driver: bytes) -> str:
    """The interpreter that the scripts beside this merge driver's script call; empty where it names none."""
    match = _PYTHON.search(driver.decode("utf-8", "surrogateescape"))
    return match[1].replace("'\\''", "'") if match else ""


def write_link(event: str, folder: str) -> bytes:
    """What stands in git's hooks folder for an event.

    Args:
        event: Baked in, for other tools rename what they find.
        folder: The scripts' folder, relative to git's hooks folder, `/`-separated.
    """
    body = (_BEFORE_COMMIT if event == "pre-commit" else _AFTERWARDS).format(lost=_LOST)
    rest = f'before="${{0%/*}}/{before_name(event)}"\nscript="${{0%/*}}/"{_quote(folder)}/{event}\n{body}'
    digest = sha256(f"{event}\0{rest}".encode()).hexdigest()[:8]
    return f"#!/bin/sh\n{_HEAD.format(event=event, digest=digest)}\n{rest}".encode()


def recognise_link(data: bytes) -> LinkMark | None:
    """What a hook says of itself where it is one of our links, whatever version made it; else None."""
    match = _MARK.match(data)
    if match is None:
        return None
    event, rest = match[1].decode(), data.split(b"\n", 2)[2]
    return LinkMark(event, sha256(event.encode() + b"\0" + rest).hexdigest()[:8].encode() == match[2])


def before_name(event: str) -> str:
    """The name that a hook which stood in our place has while we stand there."""
    return event + _BEFORE


def write_command(event: str, *, quiet: bool) -> str:
    """A line of sh that runs the script of an event from any work tree, with its arguments.

    Args:
        event: Which.
        quiet: Whether nothing is said where there is no script, as in a file that others share.
    """
    find = f"f=$(git rev-parse --git-common-dir)/{SCRIPTS}/{event}"
    if quiet:
        return f'{find}; [ ! -f "$f" ] || sh "$f" "$@"'
    # Git adds the arguments behind the command.
    return f"""sh -c '{find}; [ -f "$f" ] && exec sh "$f" "$@"; echo "{_LOST}" >&2' {event}"""


def write_driver_command() -> str:
    """The merge driver as git's configuration names it."""
    find = f"f=$(git rev-parse --git-common-dir)/{SCRIPTS}/{MERGE_DRIVER}"
    return f'{find}; if [ -f "$f" ]; then sh "$f" %O %A %B %P; else git merge-file -q %A %O %B; fi'


def calls_script(text: str, event: str) -> bool:
    """Whether a line of another tool's file runs our script of an event."""
    return _names(text, f"{SCRIPTS}/{event}")


def calls_command(text: str, event: str) -> bool:
    """Whether a line of another tool's file runs `codecortex hook` for an event."""
    return _names(text, f"hook {event}")


def _names(text: str, words: str) -> bool:
    wanted = re.compile(rf"codecortex\b.*{re.escape(words.removeprefix('codecortex'))}(?![\w-])")
    return wanted.search(text) is not None


def _read_template(event: str) -> str:
    for place in _PLACES:
        file = place / event
        if file.is_file():
            return file.read_text("utf-8").replace("\r\n", "\n")
    missing = _PLACES[0] / event
    raise StoreFormatError(f"{missing}: the hook is missing from this installation", "Install codecortex again.")


def _quote(text: str) -> str:
    return "'" + PurePath(text).as_posix().replace("'", "'\\''") + "'"
