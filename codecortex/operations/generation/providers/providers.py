"""Makes the provider that answers prompts, and checks that it may be used.

Two rules are checked before anything leaves the machine. Prompts go only to a place that the user's own file names or
that the user has allowed (`codecortex trust`). A key goes only to a host that the user's own file names.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from codecortex import __version__
from codecortex.llm.command import Command, Program
from codecortex.llm.keys import KeySource, find_key
from codecortex.llm.provider import NoModel
from codecortex.llm.retrying import Retrying
from codecortex.model.config_choices import ProviderName
from codecortex.model.errors import CodecortexError, ConfigError, ProviderError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.generation.providers.request_log import RequestLog, write_now
from codecortex.operations.generation.providers.settings import Settings, read_settings
from codecortex.operations.generation.providers.trust import require_trust
from codecortex.operations.tokens import make_counter
from codecortex.store.local.request_log import RequestRecord
from codecortex.store.paths import CONFIG

if TYPE_CHECKING:
    from collections.abc import Callable
    from urllib.parse import SplitResult

    from codecortex.llm.provider import ModelRequest, Provider, Reply
    from codecortex.llm.server import Server
    from codecortex.operations.catalog.workspace import Workspace

_VARIABLES = {ProviderName.OPENAI: "OPENAI_API_KEY", ProviderName.ANTHROPIC: "ANTHROPIC_API_KEY"}
_LOOPBACK = {"localhost", "127.0.0.1", "::1"}


def make_provider(workspace: Workspace, settings: Settings | None = None) -> Provider:
    """The configured provider, with retries and a log.

    For `extract` and `agent`, which use no model, it is one that refuses every prompt.

    Args:
        workspace: A workspace on the work tree.
        settings: The settings in force, if already read.

    Raises:
        ConfigError: A setting is missing or invalid, or the user has not allowed what the repository configures.
        GitStateError: The request log cannot be created.
    """
    settings = settings or read_settings(workspace)
    provider, place = connect(workspace, settings)
    if not place:
        return provider
    return Retrying(_Logged(provider, RequestLog(workspace), place, settings.model or ""))


class ConnectedProvider(NamedTuple):
    """A provider, and the base URL or program it uses; empty if it uses none."""

    provider: Provider
    place: str


def connect(workspace: Workspace, settings: Settings) -> ConnectedProvider:
    """The configured provider without retries and log; nothing is sent, run or written.

    Raises:
        ConfigError: A setting is missing or invalid, or the user has not allowed what the repository configures.
    """
    if settings.provider in {ProviderName.EXTRACT, ProviderName.AGENT}:
        return ConnectedProvider(NoModel(settings.provider), "")
    _require_prices(settings)
    if settings.provider is ProviderName.COMMAND:
        return ConnectedProvider(_make_command(workspace, settings), settings.command[0])
    server, asked = _make_server(workspace, settings)
    return ConnectedProvider(asked, server.url)


def _require_prices(settings: Settings) -> None:
    if settings.max_cost_per_run is not None and None in {settings.price_in, settings.price_out}:
        hint = f"Set both where the limit stands, in {CONFIG} or in {settings.user.path}."
        raise ConfigError("llm.maxCostPerRun means nothing without llm.priceIn and llm.priceOut.", hint)


def _make_command(workspace: Workspace, settings: Settings) -> Provider:
    if not settings.command:
        hint = "List the words beside the provider, such as `command: [my-model, --quiet]`."
        raise ConfigError(f"{_name_file(settings)}: llm.provider is command, and llm.command names none.", hint)
    require_trust(workspace, settings)
    # A repository's command, even if allowed, is no host that the user named, so it gets no keys.
    keys = frozenset({*_VARIABLES.values(), settings.user.values.get("llm.keyVariable", "")})
    hidden: frozenset[str] = frozenset() if settings.by_user else keys
    program = Program(settings.command, workspace.repository.folder, hidden, settings.model or "", keys)
    return Command(program, make_counter(workspace.tree.config))


def _make_server(workspace: Workspace, settings: Settings) -> tuple[Server, Provider]:
    from codecortex.llm import chat_completions, messages
    from codecortex.llm.server import Server

    room = chat_completions if settings.provider is ProviderName.OPENAI else messages
    if settings.model is None:
        beside = f"in {settings.user.path}, or beside `provider: {settings.provider}` in {CONFIG}"
        hint = f"Set llm.model to a model's name, as the server calls it, {beside}."
        raise ConfigError(f"llm.provider is {settings.provider}, and llm.model names no model.", hint)
    url = settings.base_url or room.DEFAULT_URL
    source = _find_source(settings, url)
    by_user = settings.by_user or is_named(url, settings.user.values.get("llm.hosts", ()))
    key, advice = None, _advise_host(settings, url)
    if by_user:
        key, advice = find_key(source), f"Set {source.describe()} to a key of that server."
    elif settings.base_url is not None:
        require_trust(workspace, settings)
    if key is None and settings.base_url is None:
        said = "there is none" if by_user else "keys are sent only to hosts that your own configuration names"
        raise ConfigError(f"{urlsplit(url).hostname} wants a key, and {said}.", advice)
    server = Server(url, settings.model, key, {"user-agent": f"codecortex/{__version__}"}, advice)
    count = make_counter(workspace.tree.config)
    if room is chat_completions:
        return server, chat_completions.ChatCompletions(server, count)
    return server, messages.Messages(server, count)


def _find_source(settings: Settings, url: str) -> KeySource:
    variable = settings.user.values.get("llm.keyVariable", _VARIABLES[settings.provider])
    return KeySource(variable, urlsplit(url).hostname if settings.user.values.get("llm.keyring") else None)


def _advise_host(settings: Settings, url: str) -> str:
    name = urlsplit(url).netloc
    return f"If you trust that host with your key, write `llm: {{hosts: [{name}]}}` into {settings.user.path}."


def _name_file(settings: Settings) -> str:
    return str(settings.user.path) if settings.by_user else CONFIG


def is_named(url: str, hosts: tuple[str, ...]) -> bool:
    """Whether a list of hosts, as in `llm.hosts`, contains the host of a URL.

    Scheme and port must match: a host alone means https on the default port, and on this machine http too.
    """
    asked = urlsplit(url)
    for host in hosts:
        plain = "://" not in host
        scheme = "http" if plain and asked.scheme == "http" and asked.hostname in _LOOPBACK else "https"
        named = urlsplit(f"{scheme}://{host}" if plain else host)
        if (named.scheme, named.hostname, _read_port(named)) == (asked.scheme, asked.hostname, _read_port(asked)):
            return True
    return False


def _read_port(address: SplitResult) -> int:
    return address.port or {"http": 80, "https": 443}[address.scheme]


class _Logged:
    """A provider that logs each request, without keys, in the repository's local folder."""

    def __init__(self, provider: Provider, log: RequestLog, place: str, model: str) -> None:
        self._provider = provider
        self._log = log
        self._place = place
        self._model = model
        self.name = provider.name

    def complete(self, asked: ModelRequest, *, heard: Callable[[str], None], stopped: Callable[[], bool]) -> Reply:
        """Answer one prompt; see `Provider.complete`."""
        at, started = write_now(), time.monotonic()
        outcome, paid = "interrupted", (0, 0)
        try:
            reply = self._provider.complete(asked, heard=heard, stopped=stopped)
            outcome, paid = "answered", (reply.tokens_in, reply.tokens_out)
        except ProviderError as problem:
            outcome, paid = problem.message, (problem.tokens_in, problem.tokens_out)
            raise
        except CodecortexError as problem:
            outcome = problem.message
            raise
        finally:
            took = int((time.monotonic() - started) * 1000)
            self._log.add(RequestRecord(at, self.name, self._place, self._model, took, *paid, outcome, asked.text))
        return reply
