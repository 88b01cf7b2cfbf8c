"""Counts tokens with tiktoken's vocabularies.

tiktoken downloads a vocabulary that is not on this machine. codecortex never does: it uses tiktoken only if the
complete vocabulary is where tiktoken looks first.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from codecortex.model.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable

_SOURCE = "https://openaipublic.blob.core.windows.net/encodings/{}.tiktoken"
_DIGESTS = {
    "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
}


def open_tokenizer(encoding: str) -> Callable[[str], int]:
    """A function that counts the tokens of a text.

    Args:
        encoding: A value of the key `tokens.encoding`.

    Raises:
        ConfigError: tiktoken is not installed, or the vocabulary is not on this machine.
    """
    try:
        import tiktoken
    except ImportError as problem:
        raise ConfigError(
            f"tokens.encoding is {encoding}, and the package tiktoken is not installed.",
            'Run `pip install "git-codecortex[tokens]"`, or set tokens.encoding to null for the estimate.',
        ) from problem
    file = _cache_folder() / hashlib.sha1(_SOURCE.format(encoding).encode(), usedforsecurity=False).hexdigest()
    try:
        data = file.read_bytes()
    except OSError:
        data = b""
    if hashlib.sha256(data).hexdigest() != _DIGESTS[encoding]:
        raise ConfigError(
            f"tokens.encoding is {encoding}, and its vocabulary is not on this machine: {file}.",
            f"Fetch it once with `python -c \"import tiktoken; tiktoken.get_encoding('{encoding}')\"` (this asks the "
            "network; the extra `tokens` brings the package only), or set tokens.encoding to null for the estimate.",
        )
    vocabulary = tiktoken.get_encoding(encoding)
    return lambda text: len(vocabulary.encode_ordinary(text))


def _cache_folder() -> Path:
    """The folder in which tiktoken caches vocabularies."""
    named = os.environ.get("TIKTOKEN_CACHE_DIR") or os.environ.get("DATA_GYM_CACHE_DIR")
    return Path(named) if named else Path(tempfile.gettempdir()) / "data-gym-cache"
