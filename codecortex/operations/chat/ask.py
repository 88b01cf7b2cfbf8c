"""One message of a chat: its context gathered, the model asked, the answer kept as the round's."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from codecortex.analysis.notes.sanitize import drop_controls
from codecortex.context.prompts.secrets import mask_secrets
from codecortex.model.budgets import LIVE_BUDGET
from codecortex.model.config_choices import ProviderName
from codecortex.model.conversations import Conversation, Spent
from codecortex.model.errors import ProviderError, UsageError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.chat.mentions import list_mentioned, split_known
from codecortex.operations.chat.messages import Shown, make_request
from codecortex.operations.chat.values import Turn
from codecortex.operations.context.ask import Asking
from codecortex.operations.context.rounds.end import MOST_CHARACTERS, end_round
from codecortex.operations.context.rounds.files import find_conversation, read_conversation
from codecortex.operations.context.rounds.start import ask_round
from codecortex.operations.generation.prompts.sources import is_withheld
from codecortex.operations.generation.providers.limits import find_limit, read_prices
from codecortex.operations.generation.providers.providers import make_provider
from codecortex.operations.generation.providers.settings import read_settings
from codecortex.operations.live.live import LiveQuestion, show_live
from codecortex.operations.sessions.versions import list_sessions
from codecortex.operations.tokens import make_counter

if TYPE_CHECKING:
    from codecortex.llm.provider import ModelRequest, Provider
    from codecortex.operations.chat.values import Chat, Listener
    from codecortex.operations.context.rounds.start import RoundAnswer
    from codecortex.operations.generation.providers.settings import Settings

_ADVICE = (
    "No model is set up (llm.provider is {provider}), so nothing was sent: paste the text above into one. "
    "`llm: {{provider: openai, baseUrl: ..., model: ...}}` in {path} sets one up; `codecortex doctor` tells what is."
)


class _Answer(NamedTuple):
    """The answer as far as it came, what was spent, and what went wrong."""

    text: str
    spent: Spent
    problem: ProviderError | None = None


def ask(chat: Chat, message: str, listener: Listener) -> tuple[Chat, Turn]:
    """Ask a message; without a provider, what would be sent is made ready to be pasted.

    Raises:
        UsageError: The message is empty or far too long; a limit of the run would be exceeded; there is no
            `.codecortex`.
        ConfigError: A setting is invalid, or the user has not allowed what the repository configures.
        StoreFormatError: The file of the conversation is damaged.
        GitStateError: A file cannot be read or written.
    """
    with Workspace(chat.request) as workspace:
        settings, provider = open_provider(workspace, chat)
        earlier = find_conversation(workspace.repository, chat.conversation).conversation or Conversation()
        round_ = _gather(workspace, chat, message, settings)
        shown = Shown(message, mask_secrets(round_.answer.as_text())[0], _show_live(workspace, chat, settings))
        asked = make_request(earlier, shown, make_counter(workspace.tree.config))
        turn = Turn(chat.conversation, round_.round.number, _list_files(round_), asked.text, "", total=earlier.spent)
        if provider is None:
            return chat, turn._replace(advice=_ADVICE.format(provider=settings.provider, path=settings.user.path))
        _require_room(workspace, chat, settings, asked)
        listener.sending()
        answer = _send(provider, asked, settings, listener)
        end_round(workspace, chat.conversation, answer.text or None, answer.spent)
        total = read_conversation(workspace.repository, chat.conversation).spent
    turn = turn._replace(answer=answer.text, spent=answer.spent, total=total, problem=answer.problem)
    return replace(chat, spent=chat.spent.add(answer.spent), pending=None), turn


def open_provider(workspace: Workspace, chat: Chat) -> tuple[Settings, Provider | None]:
    """The settings of a chat, and who answers in it; None where no model is set up.

    Raises:
        ConfigError: A setting is invalid, or the user has not allowed what the repository configures.
    """
    settings = read_settings(workspace, chat.provider)
    has_model = settings.provider not in {ProviderName.EXTRACT, ProviderName.AGENT}
    return settings, make_provider(workspace, settings) if has_model else None


def _gather(workspace: Workspace, chat: Chat, message: str, settings: Settings) -> RoundAnswer:
    named = tuple(dict.fromkeys((*chat.mentions, *list_mentioned(message))))
    known, unknown = split_known(workspace, named)
    for name in unknown:
        workspace.request.warn(f"{name}: nothing that is ranked is called that, so that it does not come first")
    budget = chat.budget or workspace.tree.config.context.budget
    return ask_round(workspace, chat.conversation, message, Asking(budget, mentions=known, exclude=settings.exclude))


def _list_files(round_: RoundAnswer) -> tuple[str, ...]:
    return tuple(file.path for file in round_.round.shown)


def _show_live(workspace: Workspace, chat: Chat, settings: Settings) -> str:
    """What is being edited in the session of the chat; empty where nothing is, or where no model may see it."""
    if chat.session not in list_sessions(workspace.repository):
        return ""
    try:
        shown = show_live(chat.request, LiveQuestion(chat.session, budget=LIVE_BUDGET), int(time.time())).shown
    except UsageError:  # no file was changed in it, or is active
        return ""
    return "" if is_withheld(shown.materials.path, settings.exclude) else mask_secrets(shown.text)[0]


def _require_room(workspace: Workspace, chat: Chat, settings: Settings, asked: ModelRequest) -> None:
    """Refuse what could exceed a limit; the round stays, without an answer."""
    sent = make_counter(workspace.tree.config)(asked.text)
    spent = chat.spent
    limit = find_limit(
        settings, spent.tokens_in + sent, spent.tokens_out + asked.most_tokens, begun=bool(spent.tokens_in)
    )
    if limit:
        end_round(workspace, chat.conversation, None)
        told = "Raise the limit, show less (`/budget N`), or start the chat anew: limits are for one start."
        raise UsageError(f"Nothing was sent: {limit}.", told)


def _send(provider: Provider, asked: ModelRequest, settings: Settings, listener: Listener) -> _Answer:
    pieces: list[str] = []

    def hear(piece: str) -> None:
        if piece:
            pieces.append(piece)
        else:
            pieces.clear()
        listener.heard(piece)

    try:
        reply = provider.complete(asked, heard=hear, stopped=listener.stopped)
    except ProviderError as problem:
        return _Answer(_clean("".join(pieces)), pay(settings, problem.tokens_in, problem.tokens_out), problem)
    return _Answer(_clean(reply.text), pay(settings, reply.tokens_in, reply.tokens_out))


def _clean(text: str) -> str:
    return drop_controls(text).strip()[:MOST_CHARACTERS]


def pay(settings: Settings, tokens_in: int, tokens_out: int) -> Spent:
    """What tokens cost."""
    return Spent(tokens_in, tokens_out, read_prices(settings).cost(tokens_in, tokens_out))
