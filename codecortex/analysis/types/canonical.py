"""Rewrites a type's declaration to its meaning, so that two spellings of the same are equal.

Names become FQNs, as far as `Meanings` knows them; type parameters become their positions; what the language would add
anyway goes away. The result is a type like any other, to be hashed and compared; it is never shown.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from codecortex.analysis.types.framework import KEYWORDS, is_value_type
from codecortex.analysis.types.references import place_of
from codecortex.model.code.facts import VISIBLE, Parameter
from codecortex.model.code.types import WORD
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Mapping, Sequence

    from codecortex.analysis.types.meanings import Meaning, Meanings
    from codecortex.analysis.types.views import NameContext
    from codecortex.model.code.facts import Extension, MemberFacts, TypeFacts
    from codecortex.model.code.types import CSharpType, Member, Part

    _Result = TypeVar("_Result")
    _Steps = Generator["_Steps[Any]", Any, _Result]

_WORDS = frozenset({
    "ref", "readonly", "in", "out", "params", "scoped", "this", "delegate", "managed", "unmanaged", "class", "struct",
    "notnull", "default", "new", "allows", "void", "dynamic", "var",
})  # fmt: skip
_TOKEN = compile_later(r"\s+|@?[^\W\d]\w*|::|[^\s\w]|\w+")
_LITERAL = r"""\$*"{3,}.*?"{3,}|\$?@\$?"(?:[^"]|"")*"|\$?"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'"""
_CODE = compile_later(
    rf"(?P<literal>{_LITERAL})|\btypeof\((?P<type>[^()]*(?:\([^()]*\)[^()]*)*)\)"
    r"|(?P<name>(?<![\w.])@?[^\W\d]\w*(?:(?:\.|::)@?[^\W\d]\w*)+)",
    re.DOTALL,
)
_INTERFACE_MEMBERS = frozenset({"method", "property", "indexer", "event", "operator", "conversion"})
_TYPE_NAME = compile_later(r"(?<![!\w.+`])[^\W\d][\w.+`]*")
_NOT_NULL = "System.Runtime.CompilerServices.NullableContextAttribute(1)"
"""What the compiler puts on a type in whose signatures reference types without `?` may not be null."""

_MOST_ALIASES = 8
_Key = TypeVar("_Key")
_NULLABLE = "System.Nullable`1"


class _Named(NamedTuple):
    """A dotted name in the text of a type: its segments without arity, and the type arguments of each segment."""

    segments: tuple[str, ...]
    arguments: tuple[tuple[_Pieces, ...], ...]

    @property
    def spelled(self) -> str:
        """The name for look-up: ``A.B`2``."""
        return ".".join(
            f"{segment}`{len(given)}" if given else segment
            for segment, given in zip(self.segments, self.arguments, strict=True)
        )


_Pieces = tuple["str | _Named", ...]


class _Scope(NamedTuple):
    """Where a text stands: the context of its names, and what type parameters are called there."""

    place: NameContext
    parameters: Mapping[str, str]
    aliases: int = 0  # how many aliases led here


def canonicalize(
    merged: CSharpType,
    meanings: Meanings,
    renamed: Mapping[str, str] | None = None,
    blind: frozenset[str] = frozenset(),
) -> CSharpType:
    """The type with canonical texts; its parts and members stay in their order.

    Args:
        merged: The type as declared.
        meanings: What names mean.
        renamed: FQNs that are written as others, for comparing a type with the one it became.
        blind: Simple names that are written as they are, whatever they mean.
    """
    return _Writer(merged, meanings, renamed or {}, blind).run()


def find_half_known(old: CSharpType, new: CSharpType, olds: Meanings, news: Meanings) -> frozenset[str]:
    """The simple names in two states of a type that mean a known type in one and an unknown one in the other."""
    first, second = _Writer(old, olds, {}, frozenset()), _Writer(new, news, {}, frozenset())
    first.run()
    second.run()
    return frozenset((first.known & second.unknown) | (first.unknown & second.known))


class _Writer:
    """Rewrites one type."""

    def __init__(
        self, merged: CSharpType, meanings: Meanings, renamed: Mapping[str, str], blind: frozenset[str]
    ) -> None:
        self.known: set[str] = set()
        self.unknown: set[str] = set()
        self._blind = blind
        self._merged = merged
        self._meanings = meanings
        self._renamed = renamed
        self._scopes = {id(part): self._open(part) for part in merged.parts}

    def run(self) -> CSharpType:
        """The whole type."""
        merged = self._merged
        parts = tuple(part._replace(facts=self._write_part(part)) for part in merged.parts)
        members = tuple(
            member._replace(facts=self._write_member(member.facts, self._scopes[id(self._part_of(member))]))
            for member in merged.members
        )
        modifiers = tuple(word for word in merged.modifiers if word != "new")
        if any(map(self._is_nullable, merged.parts)) and any(map(_holds_references, members)):
            first, *others = parts
            first = first._replace(facts=first.facts._replace(attributes=(*first.facts.attributes, _NOT_NULL)))
            parts = (first, *others)
        return merged._replace(parts=parts, members=members, modifiers=modifiers)

    def _is_nullable(self, part: Part) -> bool:
        """Whether reference types without `?` may not be null in a part."""
        said = part.facts.nullable
        return said == "enable" if said else self._meanings.is_nullable(self._merged.project)

    def _open(self, part: Part) -> _Scope:
        names = [*part.outer, *map(_own_name, part.facts.type_parameters)]
        return _Scope(place_of(self._merged, part), {name: f"!{number}" for number, name in enumerate(names)})

    def _part_of(self, member: Member) -> Part:
        """The part that declares a member; the first one for members that the compiler adds."""
        same = [part for part in self._merged.parts if part.path == member.path]
        line = member.facts.line
        return next(
            (part for part in same if part.facts.line <= line <= part.facts.end_line), (same or self._merged.parts)[0]
        )

    # -- parts and members

    def _write_part(self, part: Part) -> TypeFacts:
        facts, scope = part.facts, self._scopes[id(part)]
        around = scope._replace(place=scope.place._replace(fqn=self._merged.container))
        bases = (self._write_type(base, around) for base in facts.bases)
        needless = "System.Int32" if facts.kind == "enum" else "System.Object"
        return facts._replace(
            type_parameters=_write_variance(facts.type_parameters),
            type_parameter_attributes=self._write_paired(facts.type_parameter_attributes, scope),
            constraints=self._write_constraints(facts.constraints, scope),
            bases=tuple(base for base in bases if base != needless),
            attributes=self._write_attributes(facts.attributes, scope),
        )

    def _write_member(self, facts: MemberFacts, scope: _Scope) -> MemberFacts:
        extension = facts.extension
        if extension is not None:
            scope, extension = self._write_extension(extension, scope)
        if facts.type_parameters:
            own = {_own_name(name): f"!!{number}" for number, name in enumerate(facts.type_parameters)}
            scope = scope._replace(parameters={**scope.parameters, **own})
        receiver = (self._write_receiver(facts.receiver, scope),) if facts.receiver else ()
        return facts._replace(
            type=self._write_type(facts.type, scope) if facts.type else "",
            modifiers=self._settle_modifiers(facts),
            type_parameters=_write_variance(facts.type_parameters),
            constraints=self._write_constraints(facts.constraints, scope),
            parameters=(*receiver, *(self._write_parameter(each, scope) for each in facts.parameters)),
            explicit_interface=self._write_type(facts.explicit_interface, scope) if facts.explicit_interface else "",
            receiver="",
            attributes=self._write_attributes(facts.attributes, scope),
            type_parameter_attributes=self._write_paired(facts.type_parameter_attributes, scope),
            accessor_attributes=self._write_paired(facts.accessor_attributes, scope),
            extension=extension,
        )

    def _settle_modifiers(self, facts: MemberFacts) -> tuple[str, ...]:
        """Without `new`, and for members of interfaces with the word that the language would add."""
        modifiers = tuple(word for word in facts.modifiers if word != "new")
        inside = self._merged.kind == "interface" and facts.kind in _INTERFACE_MEMBERS
        if not inside or "static" in modifiers or "sealed" in modifiers or facts.accessibility == "private":
            return modifiers
        rest = tuple(word for word in modifiers if word not in ("abstract", "virtual"))
        return (*rest, "virtual" if facts.body else "abstract")

    def _write_extension(self, extension: Extension, scope: _Scope) -> tuple[_Scope, Extension]:
        own = {_own_name(name): f"!e{number}" for number, name in enumerate(extension.type_parameters)}
        scope = scope._replace(parameters={**scope.parameters, **own})
        return scope, extension._replace(
            type_parameters=_write_variance(extension.type_parameters),
            constraints=self._write_constraints(extension.constraints, scope),
            type_parameter_attributes=self._write_paired(extension.type_parameter_attributes, scope),
        )

    def _write_parameter(self, parameter: Parameter, scope: _Scope) -> Parameter:
        attributes = self._write_attributes(parameter.attributes, scope) if parameter.attributes else ()
        return parameter._replace(type=self._write_type(parameter.type, scope), attributes=attributes)

    def _write_receiver(self, text: str, scope: _Scope) -> Parameter:
        """The receiver of an extension block as what it is compiled to: the first parameter of each of its members."""
        attributes, rest = _cut_attributes(text)
        kind, name = _cut_name(rest)
        return Parameter(self._write_type(kind, scope), "this", name, None, self._write_attributes(attributes, scope))

    def _write_constraints(self, clauses: Sequence[str], scope: _Scope) -> tuple[str, ...]:
        out = []
        for clause in clauses:
            name, _, given = clause.partition(" : ")
            pieces = sorted(self._write_type(piece, scope) for piece in _split_commas(given))
            out.append(f"{scope.parameters.get(name.lstrip('@'), name)} : {', '.join(pieces)}")
        return tuple(sorted(out))

    # -- attributes

    def _write_attributes(self, attributes: Iterable[str], scope: _Scope) -> tuple[str, ...]:
        return tuple(self._write_attribute(text, scope) for text in attributes)

    def _write_paired(self, attributes: Iterable[tuple[_Key, str]], scope: _Scope) -> tuple[tuple[_Key, str], ...]:
        return tuple((key, self._write_attribute(text, scope)) for key, text in attributes)

    def _write_attribute(self, text: str, scope: _Scope) -> str:
        head, bracket, arguments = text.partition("(")
        target, colon, name = head.rpartition(": ")
        written = _run(self._write(_parse(name), scope, attribute=True))
        return target + colon + written + bracket + (_CODE.sub(lambda found: self._write_code(found, scope), arguments))

    def _write_code(self, found: re.Match[str], scope: _Scope) -> str:
        """A `typeof` or a dotted name in the arguments of an attribute."""
        if found["literal"] is not None:
            return found[0]
        if found["type"] is not None:
            return f"typeof({self._write_type(found['type'], scope)})"
        segments = tuple(found["name"].replace("::", ".").replace("@", "").split("."))
        head = KEYWORDS.get(segments[0])
        if head is not None:
            return ".".join([head, *segments[1:]])
        alias = self._meanings.find_alias(segments[0], scope.place)
        if alias is not None:
            segments = (*_unqualify(alias[0]).split("."), *segments[1:])
            scope = scope._replace(place=alias[1])
        meaning = self._find(".".join(segments), scope)
        if meaning is None or not meaning.fqn:
            return segments[-1] if segments[-1] in self._blind else found[0]
        return ".".join([self._rename(meaning.fqn), *segments[meaning.used :]])

    # -- types

    def _write_type(self, text: str, scope: _Scope) -> str:
        view = self._meanings.view_of(scope.place)
        settings = tuple(scope.parameters.items()), tuple(self._renamed.items()), self._blind
        key = (text, id(view), scope.place.fqn, *settings)
        known = self._meanings.texts.get(key)
        if known is None:
            before = self.known, self.unknown
            self.known, self.unknown = set(), set()
            written = self._write_pieces(_parse(text), scope)
            known = self._meanings.texts[key] = written, frozenset(self.known), frozenset(self.unknown)
            self.known, self.unknown = before
        self.known |= known[1]
        self.unknown |= known[2]
        return known[0]

    def _write_pieces(self, pieces: _Pieces, scope: _Scope) -> str:
        return _run(self._write(pieces, scope))

    def _write(self, pieces: _Pieces, scope: _Scope, *, attribute: bool = False) -> _Steps[str]:
        out = []
        for piece in pieces:
            if isinstance(piece, _Named):
                given: list[str] = []
                for each in (each for one in piece.arguments for each in one):
                    text = (yield self._write(each, scope)) if each else ""
                    given.append(text)
                out.append(self._write_named(piece, given, scope, attribute=attribute))
            else:
                out.append(piece)
        return "".join(out)

    def _write_named(self, named: _Named, given: Sequence[str], scope: _Scope, *, attribute: bool) -> str:
        head, only = named.segments[0], len(named.segments) == 1
        if only and not named.arguments[0]:
            if head in scope.parameters:
                return scope.parameters[head]
            if head in KEYWORDS:
                return KEYWORDS[head]
        plain = not named.arguments[0] and head not in self._blind
        alias = self._meanings.find_alias(head, scope.place) if plain else None
        if alias is not None and scope.aliases < _MOST_ALIASES:
            self.known.add(head)
            text = ".".join([alias[0], *named.spelled.split(".")[1:]]) if not only else alias[0]
            inner = _Scope(alias[1], {}, scope.aliases + 1)
            return self._write_alias(text, given, inner)
        return self._name(("@" if attribute else "") + named.spelled, given, scope)

    def _write_alias(self, text: str, given: Sequence[str], scope: _Scope) -> str:
        """What an alias stands for; a name after it brings type arguments of its own."""
        if not given:
            return self._write_pieces(_parse(text), scope)
        return self._name(_unqualify(text), given, scope)

    def _name(self, spelled: str, given: Sequence[str], scope: _Scope) -> str:
        meaning = self._find(spelled, scope)
        if meaning is None or not meaning.fqn:
            plain = re.sub(r"`\d+", "", spelled.removeprefix("@").removeprefix("global."))
            if spelled[0] == "@":
                plain = _cut_suffix(plain)
            if _own_word(spelled) in self._blind:
                plain = plain.rpartition(".")[2]
            return plain + (f"<{','.join(given)}>" if given else "")
        if meaning.fqn == _NULLABLE and given and given[0]:
            return f"{given[0]}?"
        missing = sum(map(int, re.findall(r"`(\d+)", meaning.fqn))) - len(given)
        arguments = [*(f"!{number}" for number in range(missing)), *given] if any(given) or not given else list(given)
        return self._rename(meaning.fqn) + (f"<{','.join(arguments)}>" if arguments else "")

    def _find(self, spelled: str, scope: _Scope) -> Meaning | None:
        """What a name means, unless it is to be written as it is."""
        if _own_word(spelled) in self._blind:
            return None
        meaning = self._meanings.find(spelled, scope.place)
        (self.unknown if meaning is None else self.known).add(_own_word(spelled))
        return meaning

    def _rename(self, fqn: str) -> str:
        return self._renamed.get(fqn, fqn)


def _cut_suffix(name: str) -> str:
    """An attribute's name without `Attribute`, unless that is all of it."""
    stem = name.removesuffix("Attribute")
    return stem if stem and not stem.endswith(".") else name


def _own_word(spelled: str) -> str:
    """The last simple name of a name to look up, of an attribute without its suffix."""
    word = spelled.rpartition(".")[2].removeprefix("@").partition("`")[0]
    return _cut_suffix(word) if spelled[0] == "@" else word


def _holds_references(member: Member) -> bool:
    """Whether the signature of a visible member names a type that is not certainly a value type."""
    facts = member.facts
    if facts.accessibility not in VISIBLE or facts.implicit:
        return False
    texts = (facts.type, *(parameter.type for parameter in facts.parameters))
    names = (name for text in texts for name in _TYPE_NAME.findall(text) if name not in _WORDS)
    return not all(map(is_value_type, names))


def _write_variance(parameters: Sequence[str]) -> tuple[str, ...]:
    """Type parameters by position: only their variance is left."""
    return tuple(parameter.rpartition(" ")[0] for parameter in parameters)


def _own_name(parameter: str) -> str:
    """A type parameter without its variance and `@`."""
    return parameter.rpartition(" ")[2].lstrip("@")


def _cut_name(text: str) -> tuple[str, str]:
    """The type and the name of a receiver; the name is empty where it has none."""
    head, space, last = text.rpartition(" ")
    named = space and WORD.fullmatch(last.lstrip("@")) and head.rpartition(" ")[2] not in _WORDS
    return (head, last.lstrip("@")) if named else (text, "")


def _cut_attributes(text: str) -> tuple[list[str], str]:
    """The attribute lists before a receiver, and the rest."""
    out = []
    while text.startswith("["):
        end = _find_close(text)
        out += _split_commas(text[1:end])
        text = text[end + 1 :].lstrip()
    return out, text


def _find_close(text: str) -> int:
    """The position of the bracket that closes the one at the beginning; the end if none does."""
    depth = 0
    for at, sign in enumerate(text):
        depth += (sign in "[(") - (sign in "])")
        if depth == 0:
            return at
    return len(text)


def _unqualify(target: str) -> str:
    return target.replace("::", ".").replace("@", "")


def _split_commas(text: str) -> list[str]:
    """The pieces between commas outside of brackets."""
    pieces, depth = [""], 0
    for sign in text:
        depth += (sign in "<([") - (sign in ">)]")
        if sign == "," and depth == 0:
            pieces.append("")
        else:
            pieces[-1] += sign
    return [piece.strip() for piece in pieces if piece.strip()]


# -- the text of a type


def _run(steps: _Steps[_Result]) -> _Result:
    """The result of steps that yield the steps whose results they go on with: types nest deeper than calls may."""
    running: list[_Steps[Any]] = [steps]
    result: Any = None
    while running:
        try:
            running.append(running[-1].send(result))
            result = None
        except StopIteration as done:
            running.pop()
            result = done.value
    return result  # type: ignore[no-any-return]


@lru_cache(maxsize=65536)
def _parse(text: str) -> _Pieces:
    """The pieces of a type as written: names, and what stands between them without needless spaces."""
    return _run(_Parser(_TOKEN.findall(text)).read_until(""))


class _Parser:
    """Reads names and type arguments from tokens."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._at = 0

    def read_until(self, ends: str) -> _Steps[_Pieces]:
        """The pieces up to one of the signs, outside of brackets."""
        out: list[str | _Named] = []
        depth, spaced = 0, False
        while self._at < len(self._tokens):
            word = self._tokens[self._at]
            if depth == 0 and word in ends and len(word) == 1:
                break
            if word.isspace():
                self._at += 1
                spaced = True
            elif _is_name(word):
                yield from self._read_word(out, spaced=spaced)
                spaced = False
            else:
                depth += (word in "([<") - (word in ")]>")
                out.append(word)
                self._at += 1
                spaced = False
        return tuple(out)

    def _read_word(self, out: list[str | _Named], *, spaced: bool) -> _Steps[None]:
        word = self._tokens[self._at]
        last = out[-1] if out else ""
        after_type = isinstance(last, _Named) or last[-1:] in tuple(">?])*")
        if word in _WORDS:
            self._at += 1
            out.append(f"{word} ")
        elif spaced and after_type:
            self._at += 1
            out.append(f" {word}")  # the name of a tuple's element
        else:
            out.append((yield from self._read_named()))

    def _read_named(self) -> _Steps[_Named]:
        segments: list[str] = []
        arguments: list[tuple[_Pieces, ...]] = []
        while True:
            segments.append(self._tokens[self._at].lstrip("@"))
            self._at += 1
            arguments.append((yield from self._read_arguments()))
            if self._peek() not in (".", "::") or not _is_name(self._peek(1)):
                return _Named(tuple(segments), tuple(arguments))
            self._at += 1

    def _peek(self, ahead: int = 0) -> str:
        at = self._at + ahead
        return self._tokens[at] if at < len(self._tokens) else ""

    def _read_arguments(self) -> _Steps[tuple[_Pieces, ...]]:
        if self._peek() != "<":
            return ()
        found = []
        while self._peek() not in ("", ">"):
            self._at += 1
            found.append((yield self.read_until(",>")))
        self._at += 1
        return tuple(found)


def _is_name(word: str) -> bool:
    return bool(word) and (word[0] == "_" or word[0] == "@" or word[0].isalpha())
