"""Replaces random members by themselves reformatted, by a changed body, and by what is not one member.

    python benchmarks/edit_members.py COUNT SEED REPOSITORY...

Of each repository as many members are drawn. Whatever stands outside of the member has to keep its bytes, and a text
that is not one member has to be refused with its line. What fails is told.
"""

from __future__ import annotations

import random
import re
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from codecortex.editing.drafts import decode_draft
from codecortex.editing.refactoring.declarations import list_declared, measure, name_kind
from codecortex.model.errors import CodecortexError
from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.refactoring.members import NewText, plan_replacement
from codecortex.operations.request import Request
from codecortex.parsing.syntax.read import read_syntax

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codecortex.editing.drafts import Draft
    from codecortex.editing.refactoring.declarations import Extent

_BODY = re.compile(r"\{\s")


class Member(NamedTuple):
    """A member: where it stands, and what its file says."""

    path: str
    extent: Extent
    draft: Draft

    @property
    def text(self) -> str:
        """The declaration with its attributes."""
        return self.draft.shown.encode()[self.extent.start : self.extent.end].decode()

    @property
    def where(self) -> str:
        """`FILE:LINE:COLUMN` of its first character."""
        before = self.draft.shown.encode()[: self.extent.start].decode()
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        return f"{self.path}:{line}:{column}"


def list_members(root: Path, path: str) -> Iterator[Member]:
    """The methods, properties and constructors of a file that stand alone in their lines."""
    draft = decode_draft((root / path).read_bytes())
    if isinstance(draft, str):
        return
    source = draft.shown.encode()
    tree = read_syntax(source, frozenset())
    if b"#if" in source or tree.damaged or tree.source != source:
        return
    for node in list_declared(tree.root):
        if name_kind(node) in ("method", "property", "constructor"):
            extent = measure(node, source)
            if extent.indent is not None:
                yield Member(path, extent, draft)


def list_texts(member: Member) -> Iterator[tuple[str, str, bool]]:
    """What a member is replaced by: the kind of text, the text, whether it is one member."""
    text = member.text
    flat = "\n".join(line.strip() for line in text.split("\n"))
    if '"""' not in text and '@"' not in text and '$"' not in text:
        yield "reformatted", flat, True
    yield "same", text, True
    changed = _BODY.sub("{ /* changed */ ", text, count=1)
    if changed != text:
        yield "changed", changed, True
    yield "two", f"{text}\n\npublic void Added() {{ }}", False
    yield "open", text + "\n}", False
    yield "none", "// nothing", False


def judge(workspace: Workspace, member: Member) -> Iterator[str]:
    """What is wrong with the edits of one member."""
    before = member.draft.encode()
    head = member.draft.shown.encode()[: member.extent.start].decode()
    tail = member.draft.shown.encode()[member.extent.end :].decode()
    for kind, text, is_one in list_texts(member):
        try:
            [file] = plan_replacement(workspace, member.where, NewText(text)).files
        except CodecortexError as problem:
            if is_one:
                yield f"{kind}: refused: {problem}"
            elif not re.match(r"Line \d+ of the text", str(problem)):
                yield f"{kind}: no line: {problem}"
            continue
        if not is_one:
            yield f"{kind}: not refused"
            continue
        after = file.after.encode() if file.after is not None else b""
        fitted = member.draft.fit
        mark = member.draft.form.mark
        first, last = (fitted(each).encode(member.draft.form.encoding) for each in (head, tail))
        is_even = member.draft.raw.count("\r\n") in (0, member.draft.raw.count("\n"))
        if is_even and not (after.startswith(mark + first) and after.endswith(last)):
            yield f"{kind}: bytes outside changed"
        if kind == "same" and after != before:
            yield "same: changed"


def main(count: int, seed: int, folders: list[str]) -> None:
    """Draw members, and tell what fails."""
    failed: Counter[str] = Counter()
    for folder in folders:
        root = Path(folder).resolve()
        with Workspace(Request(root)) as workspace:
            paths = sorted(workspace.tree.sources.sources)
            members = [each for path in paths for each in list_members(root, path)]
            chosen = random.Random(seed).sample(members, count)  # noqa: S311 - repeatable
            for member in chosen:
                for problem in judge(workspace, member):
                    failed[problem.partition(":")[0]] += 1
                    print(f"{member.where} {problem}")
        print(f"{root.name}: {len(chosen)} of {len(members)} members")
    print(f"{sum(failed.values())} failures {dict(failed)}")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
