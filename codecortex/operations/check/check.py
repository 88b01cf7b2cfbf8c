"""Checks whether the committed files under `.codecortex` match the tree, as a list of findings."""

from __future__ import annotations

import os
import shlex
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from codecortex import __version__
from codecortex.git.repository import open_repository
from codecortex.git.revisions import find_base, find_own_base
from codecortex.git.worktree.stamps import stamp_files
from codecortex.model.config import SemanticsConfig
from codecortex.model.config_choices import SemanticCheck
from codecortex.model.errors import ConfigError, InvalidFilterError, StoreFormatError, UsageError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.versions import HASH_VERSION, PACK_VERSION, TOKENS_VERSION
from codecortex.operations.check.check_text import describe_findings, write_findings
from codecortex.operations.check.files import Question, judge_files
from codecortex.operations.check.findings import (
    REFRESH,
    Code,
    Finding,
    Level,
    load_findings,
    save_findings,
    sort_findings,
)
from codecortex.operations.notes.files import has_notes
from codecortex.operations.reading.committed_files import open_committed
from codecortex.operations.reading.tree import digest_tree, open_tree
from codecortex.operations.refresh.refresh import refresh
from codecortex.operations.wording import count_noun, leave_plain
from codecortex.store.cache.cache import open_cache
from codecortex.store.committed.text import find_conflict
from codecortex.store.paths import ALIASES, CONFIG, FOLDER, INVESTIGATIONS, PACKS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from codecortex.git.repository import Repository
    from codecortex.operations.check.generated import Generated
    from codecortex.operations.reading.committed_files import DiskFiles, GitFiles
    from codecortex.operations.reading.tree import Tree
    from codecortex.operations.request import Request
    from codecortex.operations.wording import Paint
    from codecortex.store.cache.cache import Cache

CHECK_VERSION = 9
"""Part of the cache key; raised whenever the same state may be judged differently."""


class CheckOptions(NamedTuple):
    """Options of a check.

    Attributes:
        against: Base for comparison: stale notes of types changed since then fail; None for none.
        semantic: Overrides the configuration of which stale notes fail.
        fix: Refresh the generated files first if they are out of date.
    """

    against: str | None = None
    semantic: SemanticCheck | None = None
    fix: bool = False


class CheckResult(NamedTuple):
    """Result of a check.

    Attributes:
        findings: Errors first, then by place.
        fixed: Generated files that were written or removed before the final check.
        base: The commit that the tree was compared with, or None.
    """

    findings: tuple[Finding, ...]
    fixed: tuple[str, ...]
    base: str | None

    def as_json(self) -> dict[str, Any]:
        """The findings and their counts as JSON values."""
        return describe_findings(self.findings) | {"fixed": list(self.fixed), "base": self.base}

    def as_text(self) -> str:
        """The findings, one on a line, and how many there are."""
        return "\n".join(self.write())

    def write(self, paint: Paint = leave_plain) -> list[str]:
        """The lines of the text."""
        fixed = f"fixed: {count_noun(len(self.fixed), 'generated file')} brought up to date"
        return [*([fixed] if self.fixed else []), *write_findings(self.findings, paint)]


def check(request: Request, options: CheckOptions) -> CheckResult:
    """Check the committed files of a tree; only the local cache is written, except with `fix`.

    Raises:
        UsageError: The tree has no `.codecortex`, or `fix` is used with another tree than the work tree.
        GitStateError: Git cannot read the repository, or the base is not in this clone.
        ConfigError: The configuration cannot be read.
    """
    if options.fix and not request.reads_worktree:
        raise UsageError("--fix writes into the work tree and cannot mend another tree.", "Leave out one of the two.")
    repository = open_repository(request.folder)
    result = _check(request, repository, options)
    if not options.fix or not any(_is_safe(finding) for finding in result.findings):
        return result
    try:
        done = refresh(request)
    except StoreFormatError:
        return result  # the file that refresh refuses to overwrite is among the findings
    return _check(request, repository, options)._replace(fixed=tuple(sorted((*done.written, *done.removed))))


def _is_safe(finding: Finding) -> bool:
    """Whether a plain refresh fixes the finding."""
    return finding.command == REFRESH


def _check(request: Request, repository: Repository, options: CheckOptions) -> CheckResult:
    with (
        open_committed(request, repository) as files,
        open_cache(
            repository.shared_dir, warn=request.warn, keeps=request.caches, writes=not request.read_only
        ) as cache,
    ):
        try:
            tree = open_tree(request, repository, cache=cache)
        except ConfigError:
            marker = _find_config_marker(files)
            if marker is None:
                raise
            return CheckResult((marker,), (), None)
        question = _set_question(tree, files, options)
        key = _digest_question(question)
        findings = load_findings(cache, key)
        if findings is None:
            findings = _judge(question, cache)
            # A state with unread sources or failed packs is not cached, so that it is tried again.
            if not any(finding.code in (Code.SOURCE_UNREAD, Code.PACK_FAILED) for finding in findings):
                save_findings(cache, key, findings)
        ignored = files.list_ignored(each.path for each in findings if each.code is Code.FOREIGN_FILE)
    told = (_aim(each, repository, request) for each in findings if each.path not in ignored)
    return CheckResult(tuple(told), (), question.base)


def _set_question(tree: Tree, files: DiskFiles | GitFiles, options: CheckOptions) -> Question:
    """What to check, and against which base: the named one, else the point where the user's own work begins."""
    semantic, head = options.semantic or tree.config.check.semantic, tree.listing.head
    if options.against is not None:
        return Question(tree, files, find_base(tree.repository, options.against, head), semantic)
    if semantic is not SemanticCheck.TOUCHED or head is None or tree.request.rev is not None or not has_notes(tree):
        return Question(tree, files, None, semantic)
    base = find_own_base(tree.repository, head)
    return Question(tree, files, base, SemanticCheck.STRICT if base is None else semantic, own=True)


def _aim(finding: Finding, repository: Repository, request: Request) -> Finding:
    """The finding with a command that works in the requested folder, which need not be the root."""
    for path in (finding.path, finding.artefact, FOLDER):
        ending = f" {shlex.quote(path)}"
        if path and repository.root is not None and finding.command.endswith(ending):
            near = os.path.relpath(repository.root / path, os.path.realpath(request.folder))
            return finding._replace(command=f"{finding.command.removesuffix(ending)} {shlex.quote(near)}")
    return finding


def _digest_question(question: Question) -> bytes:
    """Cache key over everything that the findings depend on."""
    tree, files, base, semantic, own = question
    repository = tree.repository
    known = (
        CHECK_VERSION, __version__, HASH_VERSION, PACK_VERSION, TOKENS_VERSION,
        os.fspath(repository.folder), tree.request.staged,
        digest_tree(tree), [(path, str(problem)) for path, problem in tree.listing.skipped], tree.listing.head,
        files.digest(), base, str(semantic), own, stamp_files(repository.common_dir, ["shallow"]),
        _list_conflicts(tree),
    )  # fmt: skip
    return sha256(b"check\0" + repr(known).encode("utf-8", "surrogatepass")).digest()


def _find_config_marker(files: DiskFiles | GitFiles) -> Finding | None:
    """The finding for a merge marker in the configuration, if there is one."""
    line = find_conflict(files.read([CONFIG]).get(CONFIG, b""))
    return Finding(Code.MERGE_MARKER, Level.ERROR, CONFIG, line, "a merge conflict is left here", "") if line else None


def _judge(question: Question, cache: Cache) -> tuple[Finding, ...]:
    from codecortex.operations.check.generated import judge_generated
    from codecortex.operations.check.notes import judge_notes

    tree, files = question.tree, question.files
    generated = judge_generated(tree, files, cache)
    blobs = generated.blobs
    notes = judge_notes(question, blobs, cache)
    return sort_findings(
        [
            *generated.findings, *judge_files(tree, files, blobs), *notes, *_judge_aliases(question, generated),
            *_judge_filter(question), *_judge_packs(question, blobs), *_judge_answers(question, blobs),
        ]
    )  # fmt: skip


def _judge_filter(question: Question) -> Iterator[Finding]:
    config = question.tree.config
    if config.semantics.types == SemanticsConfig().types:
        return
    from codecortex.operations.packs.types_filter import parse_types_filter

    try:
        parse_types_filter(config, lambda: question.files.read([CONFIG]).get(CONFIG, b""))
    except InvalidFilterError as error:
        line = int(str(error.details["line"]))
        said = error.message.removeprefix(f"{CONFIG}:{line}: ").rstrip(".")
        yield Finding(Code.NOTE_FILTER, Level.ERROR, CONFIG, line, said, "")


def _judge_packs(question: Question, blobs: Mapping[str, str]) -> Iterator[Finding]:
    if question.tree.config.packs or any(path.startswith(f"{PACKS}/") for path in blobs):
        from codecortex.operations.check.generated import mend_command
        from codecortex.operations.check.packs import judge_packs

        yield from judge_packs(question, blobs, mend_command(question.tree.request))


def _judge_answers(question: Question, blobs: Mapping[str, str]) -> Iterator[Finding]:
    if any(path.startswith(f"{INVESTIGATIONS}/") for path in blobs):
        from codecortex.operations.check.investigations import judge_answers

        yield from judge_answers(question, blobs)


def _list_conflicts(tree: Tree) -> list[str]:
    """Paths of investigations that are unmerged, which neither the tree nor its files show."""
    root = tree.repository.root
    if root is None or not (root / INVESTIGATIONS).is_dir():
        return []
    from codecortex.operations.check.investigations import list_conflicts

    return sorted(list_conflicts(tree))


def _judge_aliases(question: Question, generated: Generated) -> Iterator[Finding]:
    from codecortex.operations.check.aliases import judge_aliases
    from codecortex.operations.check.generated import mend_command

    if generated.plan is not None and ALIASES in generated.blobs:
        ids = {row.id for row in generated.plan.snapshot.rows}
        data = question.files.read([ALIASES]).get(ALIASES)
        yield from judge_aliases(data, ids, mend_command(question.tree.request))
