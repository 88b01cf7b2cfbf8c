"""Says what of a clone's set-up works and what does not, each with the next step; nothing is written."""

from __future__ import annotations

import platform
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from codecortex import __version__
from codecortex.analysis.msbuild.frameworks import is_compatible
from codecortex.git.repository import open_repository
from codecortex.model.config_choices import ProviderName, SemanticCheck
from codecortex.model.errors import CodecortexError, ConfigError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.check.check import CheckOptions, check
from codecortex.operations.check.findings import REFRESH, Level
from codecortex.operations.folder import has_folder, is_left_out
from codecortex.operations.gaps import list_unreadable
from codecortex.operations.generation.providers.providers import connect
from codecortex.operations.generation.providers.settings import read_settings
from codecortex.operations.packs.files import read_config_file
from codecortex.operations.packs.types_filter import parse_types_filter
from codecortex.operations.setup.clone import (
    look_at_attributes,
    look_at_clock,
    look_at_git,
    look_at_hooks,
    look_at_leftovers,
    look_at_state,
)
from codecortex.operations.setup.configuration import list_settings
from codecortex.operations.setup.rows import Row, State, fail, probe
from codecortex.operations.wording import count_noun, leave_plain
from codecortex.store.cache.cache import FILE_NAME, open_cache
from codecortex.store.cache.upkeep import find_damage, measure
from codecortex.store.paths import CONFIG, FOLDER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codecortex.git.repository import Repository
    from codecortex.operations.generation.providers.settings import Settings
    from codecortex.operations.request import Request
    from codecortex.operations.wording import Paint

_EXTRAS = {"llm": "httpx", "mcp": "mcp", "keyring": "keyring", "tokens": "tiktoken", "watch": "watchfiles"}
_COLOURS = {State.OK: "green", State.WARNING: "yellow", State.PROBLEM: "red"}
_SERVERS = {ProviderName.OPENAI, ProviderName.ANTHROPIC}
_MEGABYTE = 1_000_000
_SHOWN = 5


class DoctorResult(NamedTuple):
    """What was found, in the order in which one thing needs another."""

    rows: tuple[Row, ...]

    @property
    def broken(self) -> bool:
        """Whether anything has to be mended before codecortex works here."""
        return any(row.state is State.PROBLEM for row in self.rows)

    def as_json(self) -> dict[str, Any]:
        """The rows as JSON values, and how many there are of each state."""
        counts = {str(state): sum(row.state is state for row in self.rows) for state in State}
        return {"rows": [row._asdict() for row in self.rows], "counts": counts}

    def as_text(self) -> str:
        """One line per row, and below it the next step."""
        return "\n".join(self.write())

    def write(self, paint: Paint = leave_plain) -> list[str]:
        """The lines of the text."""
        width = max(len(row.about) for row in self.rows)
        lines = []
        for about, state, told, mend in self.rows:
            lines.append(f"{paint(f'{state:<7}', _COLOURS[state])}  {about:<{width}}  {told}")
            lines += [f"{'':<7}  {'':<{width}}  -> {mend}"] if mend else []
        return lines


def examine(request: Request) -> DoctorResult:
    """Look at everything that codecortex needs; what is broken is a row, and no error."""
    told: list[str] = []
    rows = [
        Row("codecortex", State.OK, __version__),
        Row("python", State.OK, f"{platform.python_version()} ({sys.executable})"),
    ]
    try:
        repository = open_repository(request.folder)
    except CodecortexError as problem:
        return DoctorResult((*rows, fail("repository", problem)))
    rows += probe("git", lambda: look_at_git(repository))
    rows += probe("repository", lambda: look_at_state(repository))
    rows += probe("clock", lambda: look_at_clock(repository))
    rows += probe("cache", lambda: _look_at_cache(repository))
    if repository.root is not None:
        rows += probe("hooks", lambda: look_at_hooks(repository))
        rows += probe("leftovers", lambda: look_at_leftovers(repository))
        rows += probe("files", lambda: _look_at_folder(repository))
        calm = request._replace(read_only=True, warn=told.append)
        rows += probe("tree", lambda: _look_at_tree(calm))
    known = {row.told for row in rows}
    rows += [Row("tree", State.WARNING, text) for text in dict.fromkeys(told) if text not in known]
    return DoctorResult(tuple(rows))


def _look_at_cache(repository: Repository) -> Iterator[Row]:
    """Whether every row of the local cache is as it was written."""
    told: list[str] = []
    with open_cache(repository.shared_dir, warn=told.append, writes=False) as cache:
        damaged = find_damage(cache)
        size = measure(cache)
    if told:
        yield from (Row("cache", State.WARNING, text, "the next command that needs it builds it anew") for text in told)
    elif damaged:
        yield Row("cache", State.WARNING, f"{count_noun(len(damaged), 'row')} damaged", "codecortex cache verify")
    elif not (repository.shared_dir / FILE_NAME).exists():
        yield Row("cache", State.OK, "none yet; the first command makes it")
    else:
        yield Row("cache", State.OK, f"sound, {size / _MEGABYTE:,.1f} MB")


def _look_at_folder(repository: Repository) -> Iterator[Row]:
    if has_folder(repository.require_root()):
        yield from look_at_attributes(repository)
    elif is_left_out(repository):
        next_step = f"git sparse-checkout add {FOLDER}"
        yield Row("files", State.PROBLEM, f"a sparse checkout leaves {FOLDER} out", next_step)
    else:
        yield Row("files", State.PROBLEM, f"there is no {FOLDER} folder", "codecortex init")


def _look_at_tree(request: Request) -> Iterator[Row]:
    """The configuration, and what needs it."""
    try:
        workspace = Workspace(request)
    except ConfigError as problem:
        yield fail("config", problem)
        return
    with workspace:
        yield from probe("config", lambda: _look_at_config(workspace))
        yield from _look_at_sources(workspace)
        yield from probe("index", lambda: _look_at_index(workspace))
        yield from probe("provider", lambda: _look_at_provider(workspace))
        yield from probe("extras", lambda: _look_at_extras(workspace))


def _look_at_config(workspace: Workspace) -> Iterator[Row]:
    parse_types_filter(workspace.tree.config, lambda: read_config_file(workspace))
    number = sum(bool(each.files) for each in list_settings(workspace).settings)
    told = f"valid, {count_noun(number, 'setting')}; `codecortex config list` shows what is in force"
    yield Row("config", State.OK, told)
    wanted = workspace.tree.flavour.tfm
    frameworks = sorted({each for project in workspace.projects for each in project.tfms})
    if wanted and frameworks and not any(is_compatible(wanted, each) for each in frameworks):
        shown = ", ".join(frameworks[:_SHOWN])
        told = f"no project targets {wanted}, which project.tfm asks for, or what it could use"
        yield Row("config", State.PROBLEM, told, f"name one that projects target ({shown}), or none")


def _look_at_sources(workspace: Workspace) -> Iterator[Row]:
    unread = list_unreadable(workspace.tree.listing)
    if unread:
        path, reason = unread[0]
        told = f"{count_noun(len(unread), 'source')} cannot be read: {path} first, {reason}"
        yield Row("sources", State.WARNING, told, "codecortex check")
    else:
        yield Row("sources", State.OK, f"{count_noun(len(workspace.tree.sources.sources), 'file')} to read")


def _look_at_index(workspace: Workspace) -> Iterator[Row]:
    """What `check` finds among generated files; a state that it has judged before is remembered."""
    if not has_folder(workspace.repository.require_root()):
        return
    found = check(workspace.request, CheckOptions(semantic=SemanticCheck.OFF)).findings
    errors = [each for each in found if each.level is Level.ERROR]
    if errors:
        commands = {each.command for each in errors}
        state = State.WARNING if commands == {REFRESH} else State.PROBLEM
        first = f"{errors[0].path}:{errors[0].line}: {errors[0].message}"
        more = f", and {len(errors) - 1:,} more" if len(errors) > 1 else ""
        yield Row("index", state, first + more, REFRESH if state is State.WARNING else "codecortex check")
    else:
        yield Row("index", State.OK, "the generated files say what the sources say")


def _look_at_provider(workspace: Workspace) -> Iterator[Row]:
    """Whether notes could be written; nothing is sent or run."""
    settings = read_settings(workspace)
    try:
        place = connect(workspace, settings).place
    except CodecortexError as problem:
        yield fail("provider", problem)._replace(state=State.WARNING)
        return
    yield Row("provider", State.OK, f"{settings.provider}{f', {place}' if place else ''}")


def _look_at_extras(workspace: Workspace) -> Iterator[Row]:
    settings = read_settings(workspace)
    there = {extra for extra, module in _EXTRAS.items() if find_spec(module) is not None}
    for extra, why in _list_needed(workspace, settings):
        if extra not in there:
            yield Row("extras", State.PROBLEM, f"{why} needs {extra}", f"pip install 'git-codecortex[{extra}]'")
    absent = ", ".join(sorted(_EXTRAS.keys() - there))
    told = ", ".join(sorted(there)) or "none"
    yield Row("extras", State.OK, f"{told}{f'; not installed: {absent}' if absent else ''}")


def _list_needed(workspace: Workspace, settings: Settings) -> Iterator[tuple[str, str]]:
    """The extras that the configuration cannot do without, and the key that says so."""
    if settings.provider in _SERVERS:
        yield "llm", f"llm.provider: {settings.provider}"
    if settings.user.values.get("llm.keyring"):
        yield "keyring", f"llm.keyring in {settings.user.path}"
    if workspace.tree.config.tokens.encoding is not None:
        yield "tokens", f"tokens.encoding in {CONFIG}"
