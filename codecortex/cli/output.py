"""The one door to stdout and stderr for text: nothing that would do harm on a terminal goes through it.

What the commands themselves put in, such as colours, is marked with a word that no repository can know.
"""

from __future__ import annotations

import os
import re
from typing import Any

import click

from codecortex.model.startup.patterns import compile_later
from codecortex.model.text.visible import show_text

_WORD = os.urandom(6).hex()
_MARKED = compile_later(rf"\x00{_WORD}([0-9;]+)\x00")


def echo(text: str = "", *, err: bool = False, nl: bool = True) -> None:
    """Print a text; everything in it that did not come from `style` may be of a stranger."""
    pieces = _MARKED.split(text)
    pieces[::2] = map(show_text, pieces[::2])
    pieces[1::2] = [f"\x1b[{code}m" for code in pieces[1::2]]
    click.echo("".join(pieces), err=err, nl=nl)


def style(text: str, **how: Any) -> str:
    """A text for `echo`, in a colour or weight where it goes to a terminal; arguments as those of `click.style`."""
    before, _, after = click.style("\0", **how).partition("\0")
    return _mark(before) + text + _mark(after)


def _mark(codes: str) -> str:
    return "".join(f"\0{_WORD}{code}\0" for code in re.findall(r"\x1b\[([0-9;]+)m", codes))
