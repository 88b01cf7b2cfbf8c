"""Lists what changed about a type since its note was written, member by member."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.changes.member_diffs import diff_lines, list_differences
from codecortex.analysis.types.outline import name_member, owner_of
from codecortex.analysis.types.signatures import write_member
from codecortex.context.prompts.parts import Affected
from codecortex.model.code.changes import Reason
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.generation.prompts.sources import cut_declarations, cut_member, cut_source
from codecortex.operations.reading.hashes import rules_of

if TYPE_CHECKING:
    from codecortex.analysis.changes.member_diffs import MemberPair
    from codecortex.model.code.types import CSharpType, Member
    from codecortex.model.config import Config
    from codecortex.operations.generation.prompts.sources import SourceText

_OF_HEADER = {
    Reason.BASE_LIST_CHANGED,
    Reason.CONSTRAINTS_CHANGED,
    Reason.MODIFIERS_CHANGED,
    Reason.TYPE_PARAMETERS_CHANGED,
    Reason.ATTRIBUTES_CHANGED,
}
_LONGEST_NAME = 200


class TypePair(NamedTuple):
    """A type before and after a change, with the lines of its files."""

    before: SourceText
    after: SourceText


def list_affected(ends: TypePair, config: Config) -> tuple[Affected, ...]:
    """What changed about a type, one entry per member."""
    old, new = ends.before.found, ends.after.found
    found = list_differences(old.side, new.side, rules_of(config))
    out = [_tell(ends, pair) for pair in found.members]
    if found.docs or _OF_HEADER.intersection(found.reasons):
        lines = _diff(cut_declarations(ends.before), cut_declarations(ends.after))
        out[:0] = [Affected("Changed: the declaration of the type", lines, "diff", visible=True)] if lines else []
    if not out and old.prints != new.prints:
        lines = _diff(_write_whole(ends.before), _write_whole(ends.after))
        out = [Affected("Changed: no single member", lines, "diff", visible=True)] if lines else []
    return tuple(out)


def _tell(ends: TypePair, pair: MemberPair) -> Affected:
    if pair.nested:
        came = "Came" if pair.came else "Went"
        return Affected(f"{came}: the nested type `{pair.nested.replace('`', ' ')}`", "", "", pair.visible)
    old = cut_member(ends.before, pair.before) if pair.before is not None else ""
    new = cut_member(ends.after, pair.after) if pair.after is not None else ""
    if pair.after is None:
        gone = sign_member(ends.before.found.type, pair.before) if pair.before is not None else ""
        return Affected(f"Removed: {call_member(ends.before.found.type, pair.before)}", gone, "csharp", pair.visible)
    name = call_member(ends.after.found.type, pair.after)
    if pair.before is None:
        return Affected(f"Added: {name}", new, "csharp", pair.visible)
    how = "Documentation changed" if pair.docs_only else "Changed"
    return Affected(f"{how}: {name}", _diff(old, new), "diff", pair.visible)


def call_member(merged: CSharpType, member: Member | None) -> str:
    """A member's name and parameter types as inline code, cleaned so that no free text gets into the prompt."""
    if member is None:
        return "a member"
    name = " ".join(name_member(merged, member.facts).replace("`", "'").split())
    return f"`{name[:_LONGEST_NAME]}`"


def sign_member(merged: CSharpType, member: Member) -> str:
    """A member's signature as one line."""
    return " ".join(write_member(member.facts, owner_of(merged)).split())


def _diff(before: str, after: str) -> str:
    return "\n".join(diff_lines(before.split("\n"), after.split("\n")))


def _write_whole(source_text: SourceText) -> str:
    return "\n".join(chunk.text for chunk in cut_source(source_text, "").chunks)
