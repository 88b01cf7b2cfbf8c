"""How alike two types are, whatever their names and those of renamed types in their signatures."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from codecortex.model.code.facts import VISIBLE
from codecortex.model.code.types import WORD, structural_modifiers
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Mapping

    from codecortex.model.code.facts import MemberFacts
    from codecortex.model.code.types import CSharpType


ALIKE = 0.85
"""Least similarity of a type and its successor."""


AKIN = 0.5
"""Least similarity if the name alone is nearly enough, and for doubts worth reporting."""


_LITTLE = 0.125
"""The weight of a signature that types have everywhere; others weigh 1."""


_FAMILIES = {"record": "class", "struct": "class", "record struct": "class"}
"""Kinds that may become each other; all others only become their own."""


_EVERYWHERE = compile_later(
    r"constructor \S+(?: \S+)? +!`0\("
    r"(?:| string\??| string\??, \S*Exception\??| SerializationInfo, StreamingContext)\) "
    r"|method public override \S+  (?:ToString|GetHashCode)`0\(\) "
    r"|method public override \S+  Equals`0\( object\??\) "
    r"|method (?:public|protected) (?:\S+ )?\S+  Dispose`0\((?: bool)?\) "
)
"""Matches signatures, from `_write`, that hundreds of types of a repository may have."""


_HUMP = compile_later(r"[A-Z][a-z0-9]*|[a-z0-9]+")


_QUALIFIER = compile_later(r"(?:[^\W\d]\w*\s*(?:\.|::)\s*)+(?=[^\W\d])")


class Sketch(NamedTuple):
    """A type prepared for comparison: signatures of public members; of all members, with base list and kind."""

    public: frozenset[str]
    whole: frozenset[str]

    @property
    def telling(self) -> int:
        """The number of public members that say which type it is."""
        return len(self.public) - sum(map(_is_everywhere, self.public))


def make_sketch(merged: CSharpType, names: Mapping[str, str]) -> Sketch:
    """A type, prepared for comparison; some names in it are replaced."""
    own = {word.rpartition(" ")[2]: f"!{place}" for place, word in enumerate(merged.parts[0].facts.type_parameters)}
    words = {**names, **own, merged.simple_name: "!"}
    public: set[str] = set()
    whole = {merged.kind, *[f":{_mask(base, words)}" for part in merged.parts for base in part.facts.bases]}
    for facts, _ in merged.members:
        if not facts.implicit:
            signature = _write(facts, words)
            whole.add(signature)
            if facts.accessibility in VISIBLE:
                public.add(signature)
    return Sketch(frozenset(public), frozenset(whole))


def _write(facts: MemberFacts, words: Mapping[str, str]) -> str:
    """A member's canonical signature, normalised for renames; its own name is kept."""
    if facts.type_parameters:
        words = {**words, **{word: f"!!{place}" for place, word in enumerate(facts.type_parameters)}}
    name = "!" if facts.kind in ("constructor", "destructor") else facts.name
    parameters = ",".join([f"{p.modifier} {_mask(p.type, words)}" for p in facts.parameters])
    modifiers = " ".join(structural_modifiers(facts.modifiers))
    explicit, receiver = _mask(facts.explicit_interface, words), _mask(facts.receiver, words)
    return (
        f"{facts.kind} {facts.accessibility} {modifiers} {_mask(facts.type, words)} "
        f"{explicit} {name}`{facts.arity}({parameters}) {receiver}"
    )


def _mask(text: str, words: Mapping[str, str]) -> str:
    if "." in text or ":" in text:
        text = _QUALIFIER.sub("", text)
    return WORD.sub(lambda word: words.get(word[0], word[0]), text) if text else text


def measure_sketches(old: Sketch, new: Sketch) -> float:
    """Similarity of the public members; of all members if neither type has public ones."""
    return measure_share(old.public, new.public) if old.public or new.public else measure_share(old.whole, new.whole)


def measure_share(left: frozenset[str], right: frozenset[str]) -> float:
    """The share of the larger set that is in both sets.

    Jaccard's index would count a member with a changed signature twice, as removed and as added: with six of seven
    members unchanged it would be 0.75.
    """
    return (
        1.0 if left == right else weigh_signatures(left & right) / max(weigh_signatures(left), weigh_signatures(right))
    )


def weigh_signatures(signatures: frozenset[str]) -> float:
    """The weight of signatures: those that types have everywhere count little."""
    little = sum(map(_is_everywhere, signatures))
    return len(signatures) - little * (1 - _LITTLE)


@lru_cache(maxsize=65536)
def _is_everywhere(signature: str) -> bool:
    """Whether a signature is one that hundreds of types may have."""
    return _EVERYWHERE.match(signature) is not None


def family_of(merged: CSharpType) -> str:
    """What a type's kind may become."""
    return _FAMILIES.get(merged.kind, merged.kind)


def share_words(old: str, new: str) -> bool:
    """Whether two simple names have a word in common that is not the last one of both."""
    ours, theirs = _HUMP.findall(old), _HUMP.findall(new)
    return bool(set(ours[:-1]) & set(theirs[:-1]))
