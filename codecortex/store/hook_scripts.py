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
_HEAD = "# codecortex hook {event} {digest}: made by `codecortex hooks install`, taken away by `codecortex hooks uninstall`."
_MARK = re.compile(rb"#!/bin/sh\n# codecortex hook ([a-z-]+) ([0-9a-f]{8}): ")
_PYTHON = re.compile(r"^python='(.*)'$", re.MULTILINE)
_LOST = "codecortex: its scripts are gone from the git directory; run: codecortex hooks install"

_BEFORE_COMMIT = """if [ -x "$before" ]; then "$before" "$@" || exit; fi
[ -f "$script" ] && exec sh "$script" "$@"
echo "{lost}" >&2
"""
_AFTERWARDS = """status=0
if [ -x "$before" ]; then "$before" "$@" || status=$?; fi
if [ -f "$script" ]; then sh "$script" "$@"; else echo "{lost}" >&2; fi
exit $status
"""
# Git tells this one what was rewritten on stdin, which both have to read.
_AFTER_REWRITE = """status=0
told=$(cat; echo .)
if [ -x "$before" ]; then printf %s "${{told%.}}" | "$before" "$@" || status=$?; fi
if [ -f "$script" ]; then printf %s "${{told%.}}" | sh "$script" "$@"; else echo "{lost}" >&2; fi
exit $status
"""
_DRIVER = """#!/bin/sh
# codecortex {driver} BASE OURS THEIRS PATH: merges a semantic note; as git itself would where codecortex is missing.
python={python}
package={package}
if [ -x "$python" ] && [ -f "$package/__main__.py" ]; then
  exec "$python" -X utf8 -m codecortex {driver} "$@"
elif command -v codecortex >/dev/null 2>&1; then
  exec codecortex {driver} "$@"
fi
exec git merge-file -q "$2" "$1" "$3"
"""


class Mark(NamedTuple):
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
    places = {"python": _quote(python), "package": _quote(str(_PACKAGE))}
    scripts = {event: _read_template(event) for event in EVENTS}
    for event, text in scripts.items():
        scripts[event] = text.replace("@PYTHON@", places["python"]).replace("@PACKAGE@", places["package"])
    scripts[MERGE_DRIVER] = _DRIVER.format(driver=MERGE_DRIVER, **places)
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
    body = {"pre-commit": _BEFORE_COMMIT, "post-rewrite": _AFTER_REWRITE}.get(event, _AFTERWARDS).format(lost=_LOST)
    rest = f'before="${{0%/*}}/{before_name(event)}"\nscript="${{0%/*}}/"{_quote(folder)}/{event}\n{body}'
    digest = sha256(f"{event}\0{rest}".encode()).hexdigest()[:8]
    return f"#!/bin/sh\n{_HEAD.format(event=event, digest=digest)}\n{rest}".encode()


def recognise_link(data: bytes) -> Mark | None:
    """What a hook says of itself where it is one of our links, whatever version made it; else None."""
    match = _MARK.match(data)
    if match is None:
        return None
    event, rest = match[1].decode(), data.split(b"\n", 2)[2]
    return Mark(event, sha256(event.encode() + b"\0" + rest).hexdigest()[:8].encode() == match[2])


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
    """Whether a line of another tool's file, comments left out, runs our script of an event."""
    return _names(text, f"{SCRIPTS}/{event}")


def calls_command(text: str, event: str) -> bool:
    """Whether a line of another tool's file, comments left out, runs `codecortex hook` for an event."""
    return _names(text, f"hook {event}")


def _names(text: str, words: str) -> bool:
    wanted = re.compile(rf"codecortex\b.*{re.escape(words.removeprefix('codecortex'))}(?![\w-])")
    return any(wanted.search(line) for line in text.splitlines() if not line.lstrip().startswith("#"))


def _read_template(event: str) -> str:
    for place in _PLACES:
        file = place / event
        if file.is_file():
            return file.read_text("utf-8").replace("\r\n", "\n")
    raise StoreFormatError(f"{_PLACES[0] / event}: the hook is missing from this installation", "install codecortex again")


def _quote(text: str) -> str:
    return "'" + PurePath(text).as_posix().replace("'", "'\\''") + "'"
