"""The filter `semantics.types` of a configuration, read; an error names its line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.context.filters.parse import parse_filter
from codecortex.model.errors import InvalidFilterError
from codecortex.store.config.config import find_key_lines
from codecortex.store.paths import CONFIG

if TYPE_CHECKING:
    from collections.abc import Callable

    from codecortex.context.filters.parse import Filter
    from codecortex.model.config import Config

_KEY = "semantics.types"


def parse_types_filter(config: Config, read: Callable[[], bytes]) -> Filter:
    """Which types are to have a note.

    Args:
        config: The configuration.
        read: Gives the file that it stands in.

    Raises:
        InvalidFilterError: It makes no sense; `line` among the details is where it stands.
    """
    try:
        return parse_filter(config.semantics.types)
    except InvalidFilterError as error:
        line = find_key_lines(read()).get(_KEY, 1)
        message = f"{CONFIG}:{line}: {_KEY}: {error.message}"
        raise InvalidFilterError(message, error.hint, **error.details, line=line) from None
