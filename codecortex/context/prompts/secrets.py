"""Finds text that looks like a secret, and masks it.

A secret is recognised by a form that its issuer defined (`AKIA...`, `ghp_...`, a key between dashes), or by a name such
as `password` with a value that is no word or identifier. The second rule avoids false alarms in code: the value must be
long, mixed, and quoted. Every pattern is bounded, so that no text takes long.
"""

from __future__ import annotations

import re
from collections import Counter
from math import log2
from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LEFT_OUT = "[left out: looks like {kind}]"


class Secret(NamedTuple):
    """A span of text that looks like a secret; `kind` is a noun for people."""

    kind: str
    start: int
    end: int


_START, _END = r"(?<![A-Za-z0-9_])", r"(?![A-Za-z0-9_])"
_FORMS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("an AWS access key", ("AKIA", "ASIA", "ABIA", "ACCA"), rf"{_START}A(?:KI|SI|BI|CC)A[A-Z2-7]{{16}}{_END}"),
    ("a Google API key", ("AIza",), rf"{_START}AIza[A-Za-z0-9_-]{{35}}(?![A-Za-z0-9_-])"),
    ("a Google token", ("ya29.", "GOCSPX-"), rf"{_START}(?:ya29\.|GOCSPX-)[A-Za-z0-9_-]{{20,500}}"),
    ("a GitHub token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), rf"{_START}gh[pousr]_[A-Za-z0-9]{{36,255}}{_END}"),
    ("a GitHub token", ("github_pat_",), rf"{_START}github_pat_[A-Za-z0-9_]{{40,255}}{_END}"),
    ("a GitLab token", ("glpat-", "gldt-", "glrt-", "glcbt-"), rf"{_START}gl(?:pat|dt|rt|cbt)-[A-Za-z0-9_-]{{20,64}}"),
    ("a Slack token", ("xox", "xapp-"), rf"{_START}(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{{10,250}}"),
    ("a web hook", ("hooks.slack.com",), r"hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9/]{20,120}"),
    ("a web hook", ("/api/webhooks/",), r"/api/webhooks/[0-9]{10,25}/[A-Za-z0-9_-]{40,100}"),
    (
        "an Azure key",
        ("AccountKey", "SharedAccessKey"),
        r"(?:AccountKey|SharedAccessKey)\s{0,3}=\s{0,3}[A-Za-z0-9+/]{40,100}={0,2}",
    ),
    ("an Azure signature", ("sig=",), r"[?&;]sig=(?:[A-Za-z0-9+/]|%[0-9A-Fa-f]{2}){40,90}(?:=|%3[Dd])"),
    ("an Azure secret", ("Q~",), rf"{_START}[A-Za-z0-9_~.-]{{3}}[0-9]Q~[A-Za-z0-9_~.-]{{31,34}}(?![A-Za-z0-9_~.-])"),
    ("an API key", ("sk-",), rf"{_START}sk-(?:[A-Za-z0-9]{{1,16}}-){{0,2}}[A-Za-z0-9_]{{20,200}}"),
    ("a Stripe key", ("k_live_", "k_test_"), rf"{_START}[rs]k_(?:live|test)_[A-Za-z0-9]{{16,120}}{_END}"),
    ("a SendGrid key", ("SG.",), rf"{_START}SG\.[A-Za-z0-9_-]{{16,32}}\.[A-Za-z0-9_-]{{32,64}}"),
    ("a NuGet key", ("oy2",), rf"{_START}oy2[a-z0-9]{{43}}{_END}"),
    ("an npm token", ("npm_",), rf"{_START}npm_[A-Za-z0-9]{{36}}{_END}"),
    ("a PyPI token", ("pypi-",), rf"{_START}pypi-[A-Za-z0-9_-]{{50,250}}"),
    ("an access token", ("hf_",), rf"{_START}hf_[A-Za-z0-9]{{30,60}}{_END}"),
    ("an access token", ("dop_v1_", "dckr_pat_"), rf"{_START}(?:dop_v1|dckr_pat)_[A-Za-z0-9_-]{{20,64}}"),
    ("a bot's token", (":AA",), rf"{_START}[0-9]{{8,10}}:AA[A-Za-z0-9_-]{{32,34}}(?![A-Za-z0-9_-])"),
    (
        "a JSON web token",
        ("eyJ",),
        rf"{_START}eyJ[A-Za-z0-9_-]{{10,2000}}\.eyJ[A-Za-z0-9_-]{{10,4000}}\.[A-Za-z0-9_-]{{16,1000}}",
    ),
)
"""The kind, substrings of which one must occur, and the pattern: most texts are ruled out by the substrings."""

_KEY = compile_later(
    r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:[\s\S]{0,8000}?-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----|[A-Za-z0-9+/=\s\"\\]{0,8000}+)"
)
_LOGIN = compile_later(
    r"(?<![a-zA-Z0-9+.-])[a-z][a-z0-9+.-]{1,20}://[^\s/:@\"'<>{}]{0,80}:([^\s/:@\"'<>{}]{3,200})@[\w\[]"
)
_PAIR = compile_later(r"(?<![A-Za-z])(?:password|pwd)=('[^'\n]{1,200}'|[^\s;\"'&<>,)]{1,200})", re.IGNORECASE)
_CONNECTION = compile_later(
    r"(?<![A-Za-z])(?:server|data source|host|addr(?:ess)?|user(?: ?id| ?name)?|uid|database|initial catalog|endpoint)"
    r"\s{0,3}=\s{0,3}[^\s=;]",
    re.IGNORECASE,
)
_NAME = (
    r"(?:pass(?:word|wd|phrase|code)|pwd|secret|token|credentials?|(?:api|access|private|signing|encryption|auth|account"
    r"|shared|master|license|subscription)[ _-]?key)"
)
_WORDS = ("pass", "pwd", "secret", "token", "credential", "key")
_NAMED = compile_later(
    rf"({_NAME}[A-Za-z0-9_-]{{0,40}})(?:\(\)|\\?[\"'\]]{{1,3}})?\s{{0,20}}"
    r"(?:\{[^{}\"\n]{0,60}\}\s{0,20}=|=>|[:=,(]|\]\s{0,5}=)\s{0,20}"
    r"(?:[$@]{0,3}\\?[\"']{1,3})([^\s\"'\\]{8,2000})\\?[\"']",
    re.IGNORECASE,
)
_BEARER = compile_later(r"(?<![A-Za-z])(?:Bearer|Basic) ([A-Za-z0-9+/_.~-]{20,2000}={0,2})")
_PLACEHOLDER = compile_later(
    r"^(?:[*x.#]+|<.*>|\$[{(].*|%.*%|\{.*\}?|\[left.*|(?:my)?-?(?:pass|passw(?:or)?d|pwd|secret|token|key|test|wrong|user|admin))$"
    r"|example|placeholder|changeme|change_me|redacted|your[-_ ]?|dummy|sample|invalid|\.\.\.|\*{3}",
    re.IGNORECASE,
)
_PUBLIC = compile_later(r"(?:public|cancellation|syntax|json|parse)[ _-]?$", re.IGNORECASE)
_ABOUT = compile_later(
    r"(?:algorithm|name|type|header|prefix|format|pattern|regex|field|param|parameter|scheme|provider|label|title"
    r"|message|error|policy|path|file|url|uri|endpoint|version|kind|mode)$",
    re.IGNORECASE,
)
"""Endings of names that refer to a secret without being one."""

_BEFORE = 16
_PASSWORD = compile_later(r"pass|pwd", re.IGNORECASE)
_PASSWORD_ENTROPY, _TOKEN_ENTROPY = 2.5, 3.2
_SHORTEST_TOKEN, _SHORTEST_WORDLESS = 16, 32
_CONTEXT = 300


def find_secrets(text: str) -> tuple[Secret, ...]:
    """The spans of a text that look like secrets, in order, without overlaps."""
    found = sorted({*_find_forms(text), *_find_named(text)}, key=lambda each: (each.start, -each.end))
    out: list[Secret] = []
    for each in found:
        if out and each.start < out[-1].end:
            out[-1] = out[-1]._replace(end=max(each.end, out[-1].end))
        else:
            out.append(each)
    return tuple(out)


def mask_secrets(text: str) -> tuple[str, tuple[str, ...]]:
    """A text with secrets replaced by a remark, and the distinct kinds of secrets, in order."""
    found = find_secrets(text)
    for secret in reversed(found):
        text = text[: secret.start] + LEFT_OUT.format(kind=secret.kind) + text[secret.end :]
    return text, name_kinds(found)


def name_kinds(secrets: Iterable[Secret]) -> tuple[str, ...]:
    """The distinct kinds of some secrets, in order."""
    return tuple(dict.fromkeys(secret.kind for secret in secrets))


def _find_forms(text: str) -> Iterator[Secret]:
    if "PRIVATE KEY" in text:
        yield from (Secret("a private key", *match.span()) for match in _KEY.finditer(text))
    for kind, hints, pattern in _FORMS:
        if any(hint in text for hint in hints):
            yield from (Secret(kind, *match.span()) for match in re.finditer(pattern, text))
    for match in _BEARER.finditer(text):
        if _is_mixed(match[1]):
            yield Secret("a login", *match.span(1))


def _find_named(text: str) -> Iterator[Secret]:
    low = text.lower()  # good enough to rule out what is not there
    if "://" in text:
        for match in _LOGIN.finditer(text):
            if not _PLACEHOLDER.search(match[1]):
                yield Secret("an address with a password", *match.span(1))
    if "password=" in low or "pwd=" in low:
        for match in _PAIR.finditer(text):
            around = text[max(0, match.start() - _CONTEXT) : match.end() + _CONTEXT]
            value = match[1].strip("'")
            if value and not _PLACEHOLDER.search(value) and ";" in around and _CONNECTION.search(around):
                yield Secret("a connection string with a password", *match.span(1))
    if ('"' in text or "'" in text) and any(word in low for word in _WORDS):
        for match in _NAMED.finditer(text):
            before = text[max(0, match.start() - _BEFORE) : match.start()]
            if not _PUBLIC.search(before) and _is_secret(match[1], match[2]):
                kind = "a password" if _PASSWORD.search(match[1]) else "a secret"
                yield Secret(kind, *match.span(2))


def _is_secret(name: str, value: str) -> bool:
    """Whether the value of a suspicious name is no word, identifier, path or placeholder."""
    if _PLACEHOLDER.search(value) or _ABOUT.search(name) or "://" in value or "{" in value:
        return False
    if _PASSWORD.search(name):
        kinds = sum(any(map(test, value)) for test in (str.islower, str.isupper, str.isdigit, _is_sign))
        return kinds > 1 and any(map(str.isdigit, value)) and _measure_entropy(value) >= _PASSWORD_ENTROPY
    if len(value) < _SHORTEST_TOKEN or any(sign in value for sign in ":()<>,;"):
        return False
    return _is_mixed(value)


def _is_sign(character: str) -> bool:
    return not character.isalnum() and character not in "._-"


def _is_mixed(value: str) -> bool:
    """Whether a value is too mixed for words: many digits, or a long one with digits and letters of both cases."""
    digits = sum(map(str.isdigit, value))
    if _measure_entropy(value) < _TOKEN_ENTROPY:
        return False
    if digits >= max(3, len(value) // 12):
        return True
    plain = value.isalnum() and len(value) >= _SHORTEST_WORDLESS
    return plain and digits > 0 and any(map(str.isupper, value)) and any(map(str.islower, value))


def _measure_entropy(value: str) -> float:
    """Shannon entropy in bits per character."""
    size = len(value)
    return -sum(count / size * log2(count / size) for count in Counter(value).values()) if size else 0.0
