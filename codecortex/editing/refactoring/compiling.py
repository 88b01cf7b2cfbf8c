"""What the compiler is called with and what it prints in; a call for other texts, and errors that are new, out."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

_OPTION = compile_later(r"/([A-Za-z]+)(?:[+-]|:(.*))?", re.DOTALL)
_LEFT_OUT = compile_later(
    "out|refout|refonly|doc|pdb|embed|sourcelink|errorlog|warn|w|warnaserror|fullpaths|debug|generatedfilesout"
    "|reportanalyzer|skipanalyzers|preferreduilang|keepalive|shared"
)
_ALWAYS = ("/skipanalyzers+", "/warnaserror-", "/warn:0", "/fullpaths", "/preferreduilang:en", "/debug-")
_ALIAS = compile_later(r"\w+=")
_ERROR = compile_later(
    r"^(?:(?P<file>[^\n]*?)\((?P<line>\d+),(?P<column>\d+)(?:,\d+,\d+)?\)|(?:csc|CSC))?\s*:\s*(?:fatal )?error "
    r"(?P<code>\w+)\s*:\s*(?P<text>.*)$",
    re.MULTILINE,
)
_FILES = ("reference", "r", "analyzer", "a", "link", "l")


class CompileError(NamedTuple):
    """An error: the file as the compiler names it, line and column from 1 (0 where there is none), code and text."""

    file: str
    line: int
    column: int
    code: str
    text: str


def is_source(word: str) -> bool:
    """Whether an argument is a source."""
    return _OPTION.fullmatch(word) is None


def unquote(word: str) -> str:
    """A word of a response file without its quotes."""
    return word.replace('"', "")


def split_alias(value: str) -> tuple[str, str]:
    """The alias of a reference with its sign, if it has one, and its file."""
    found = _ALIAS.match(value)
    return (found[0], value[found.end() :]) if found is not None else ("", value)


def write_call(
    words: Iterable[str], output: Sequence[str], replace: Mapping[str, str], rewrite: Callable[[str], Sequence[str]]
) -> list[str]:
    """The lines of a response file: only errors are told, no analyzer runs but what generates sources.

    Args:
        words: The arguments that a project has.
        output: Options that say what is to be made.
        replace: Files that references and analyzers are to be taken from, by the files that the arguments name.
        rewrite: Gives the sources that are compiled in place of one: none, itself or another.
    """
    lines = [*_ALWAYS, *output]
    for word in words:
        option = _OPTION.fullmatch(word)
        if option is None:
            lines += [f'"{each}"' for each in rewrite(unquote(word))]
        elif option[1].lower() in _FILES and option[2] is not None:
            alias, file = split_alias(unquote(option[2]))
            lines.append(f'/{option[1]}:{alias}"{replace.get(file, file)}"')
        elif not _LEFT_OUT.fullmatch(option[1].lower()):
            lines.append(word)
    return lines


def read_errors(printed: str) -> list[CompileError]:
    """The errors that a compiler printed, each once, in its order."""
    found = []
    for each in _ERROR.finditer(printed):
        line, column = int(each["line"] or 0), int(each["column"] or 0)
        found.append(CompileError(each["file"] or "", line, column, each["code"], each["text"].strip()))
    return list(dict.fromkeys(found))


def find_new(
    before: Iterable[CompileError], after: Iterable[CompileError], move: Callable[[str, int], int]
) -> list[CompileError]:
    """The errors that there were not before.

    Args:
        before: The errors before; their texts do not count, since names may change.
        after: The errors after.
        move: Gives the line that a line of a file has afterwards.
    """
    known = Counter((each.file, move(each.file, each.line), each.code) for each in before)
    new = []
    for each in after:
        key = (each.file, each.line, each.code)
        if known[key]:
            known[key] -= 1
        else:
            new.append(each)
    return new
