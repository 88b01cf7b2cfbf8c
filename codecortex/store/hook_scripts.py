"""Writes and recognises the shell scripts that hook codecortex into git.

A script does the work of one event. A link is the file in git's own hooks folder: it runs the hook that was there
before, then the script. Each link contains a digest of its own text, so that an edited one is recognised.
"""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from codecortex.model.errors import StoreFormatError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Mapping

EVENTS = ("pre-commit", "post-commit", "post-merge", "post-checkout", "post-rewrite")
MERGE_DRIVER = "merge-driver"
SCRIPTS = "codecortex/hooks"
"""The folder of the scripts, below the git directory shared by all work trees."""

_PACKAGE = Path(__file__).parents[1]
_PLACES = (_PACKAGE / "_data" / "hooks", _PACKAGE.parent / "hooks")
_BEFORE = ".before-codecortex"
_HEAD = (
    "# codecortex hook {event} {digest}: `codecortex hooks install` made it, `codecortex hooks uninstall` removes it."
)
_MARK = compile_later(rb"#!/bin/sh\n# codecortex hook ([a-z-]+) ([0-9a-f]{8}): ")
_PYTHON = compile_later(r"^python='(.*)'$", re.MULTILINE)
_LOST = "codecortex: its scripts are gone from the git directory; run: codecortex hooks install"

_BEFORE_COMMIT = """if [ -x "$before" ]; then "$before" "$@" || exit; fi
[ -f "$script" ] && exec sh "$script" "$@"
echo "{lost}" >&2
"""
# Our script gets an empty stdin, so that the hook that was there before gets all of git's input.
_AFTERWARDS = """status=0
if [ -x "$before" ]; then "$before" "$@" || status=$?; fi
if [ -f "$script" ]; then sh "$script" "$@" </dev/null; else echo "{lost}" >&2; fi
exit $status
"""
# -P: do not import modules of the repository, such as a json.py at its top.
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
    """What the first lines of a link say: its event, and whether its text is unedited."""

    event: str
    whole: bool


def write_scripts(python: str) -> Mapping[str, bytes]:
    """The scripts to install in a repository, by name.

    Args:
        python: The interpreter that they call, absolute.

    Raises:
        StoreFormatError: This installation lacks its hook templates.
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
    """The interpreter named in the merge driver's script, which all scripts call; empty if it names none."""
    match = _PYTHON.search(driver.decode("utf-8", "surrogateescape"))
    return match[1].replace("'\\''", "'") if match else ""


def write_link(event: str, folder: str) -> bytes:
    """The text of the link for an event.

    Args:
        event: Written into the text, since other tools rename hooks that they find.
        folder: The scripts' folder, relative to git's hooks folder, `/`-separated.
    """
    body = (_BEFORE_COMMIT if event == "pre-commit" else _AFTERWARDS).format(lost=_LOST)
    rest = f'before="${{0%/*}}/{before_name(event)}"\nscript="${{0%/*}}/"{_quote(folder)}/{event}\n{body}'
    digest = sha256(f"{event}\0{rest}".encode()).hexdigest()[:8]
    return f"#!/bin/sh\n{_HEAD.format(event=event, digest=digest)}\n{rest}".encode()


def recognise_link(data: bytes) -> LinkMark | None:
    """The mark of a hook that is one of our links, of any version; else None."""
    match = _MARK.match(data)
    if match is None:
        return None
    event, rest = match[1].decode(), data.split(b"\n", 2)[2]
    return LinkMark(event, sha256(event.encode() + b"\0" + rest).hexdigest()[:8].encode() == match[2])


def before_name(event: str) -> str:
    """The file name of the hook that was there before, while our link is installed."""
    return event + _BEFORE


def write_command(event: str, *, quiet: bool) -> str:
    """A line of sh that runs the script of an event from any work tree, with its arguments.

    Args:
        event: The git event.
        quiet: Whether to print nothing if there is no script, as in a file shared with others.
    """
    find = f"f=$(git rev-parse --git-common-dir)/{SCRIPTS}/{event}"
    if quiet:
        return f'{find}; [ ! -f "$f" ] || sh "$f" "$@"'
    # Git appends the arguments to the command.
    return f"""sh -c '{find}; [ -f "$f" ] && exec sh "$f" "$@"; echo "{_LOST}" >&2' {event}"""


def write_driver_command() -> str:
    """The command of the merge driver for git's configuration."""
    find = f"f=$(git rev-parse --git-common-dir)/{SCRIPTS}/{MERGE_DRIVER}"
    return f'{find}; if [ -f "$f" ]; then sh "$f" %O %A %B %P; else git merge-file -q %A %O %B; fi'


def calls_script(text: str, event: str) -> bool:
    """Whether a line of another tool's file runs our script for an event."""
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
