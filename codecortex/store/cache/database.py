"""Opens the database of the local cache.

Our own database is used, an empty one gets our tables, a damaged or foreign file is renamed out of the way.
"""

from __future__ import annotations

import re
import sqlite3
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_APPLICATION_ID = int.from_bytes(b"cdcx", "big")
_USER_VERSION = 6
_MODE_AT = 18
_BUSY_SECONDS = 5.0
_KEPT_ASIDE = 2
_MAPPED_BYTES = 1 << 28
"""So much of a database is mapped: rows of megabytes are read in half the time, as no page is asked for by itself."""
_ROOM = 1 << 20
"""Bytes that have to be free before a database is given up for a new one."""
_PRIMARY = 0xFF
# SQLITE_ERROR is the result for a database with our application id but without our tables.
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR}
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_READ_ONLY = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN}
# Measured on 6,000 facts of 34 MB: with rowids, writing takes half and reading a third of the time of WITHOUT ROWID,
# whose rows drag the data through the search tree; the page size makes no difference.
_TABLES = ("facts", "snapshots", "names", "records", "exports", "outputs", "lines", "counters")
_DROP = "".join(f"DROP TABLE IF EXISTS {name};" for name in (*_TABLES, "reads"))  # which older versions had
_SCHEMA = f"""
    {_DROP}
    CREATE TABLE facts(id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, data BLOB NOT NULL, digest INTEGER NOT NULL);
    CREATE TABLE snapshots(name TEXT PRIMARY KEY, data BLOB NOT NULL, digest INTEGER NOT NULL);
    CREATE TABLE names(
        id INTEGER PRIMARY KEY, space TEXT NOT NULL, name NOT NULL, readers BLOB NOT NULL, digest INTEGER NOT NULL,
        UNIQUE (space, name)
    );
    CREATE TABLE records(
        id INTEGER PRIMARY KEY, node INTEGER NOT NULL, mark BLOB NOT NULL, output BLOB NOT NULL, reads BLOB NOT NULL,
        digests BLOB NOT NULL, exports BLOB NOT NULL, exported BLOB NOT NULL, told TEXT NOT NULL,
        created INTEGER NOT NULL, used INTEGER NOT NULL, digest INTEGER NOT NULL
    );
    CREATE INDEX records_of_node ON records(node);
    CREATE TABLE exports(
        name INTEGER NOT NULL, record INTEGER NOT NULL, node INTEGER NOT NULL, digest BLOB NOT NULL,
        PRIMARY KEY (name, record)
    ) WITHOUT ROWID;
    CREATE TABLE outputs(id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, size INTEGER NOT NULL, data BLOB);
    CREATE TABLE lines(
        name TEXT PRIMARY KEY, top BLOB NOT NULL, counter INTEGER NOT NULL, used INTEGER NOT NULL,
        state BLOB NOT NULL, given BLOB NOT NULL, digests TEXT NOT NULL
    );
    CREATE TABLE counters(
        collected INTEGER NOT NULL, next_name INTEGER NOT NULL, next_record INTEGER NOT NULL,
        collected_at INTEGER NOT NULL
    );
    INSERT INTO counters VALUES (abs(random() / 2), 1, 1, 0);
    PRAGMA application_id = {_APPLICATION_ID};
    PRAGMA user_version = {_USER_VERSION};
"""  # noqa: S608 - our own names
_NO_TEXT = "Could not decode to UTF-8"
"""How Python's error begins, which has no code, for a text that nobody wrote as one."""


class _ForeignError(Exception):
    """The file is an intact database of another application."""


class DamagedRowError(sqlite3.DatabaseError):
    """A value that no column of this cache holds."""

    sqlite_errorcode = sqlite3.SQLITE_CORRUPT


def is_damage(problem: sqlite3.Error) -> bool:
    """Whether the error means that the file is damaged."""
    return _code(problem) in _DAMAGED or str(problem).startswith(_NO_TEXT)


def is_harmless(problem: sqlite3.Error) -> bool:
    """Whether the database was locked or is read-only, which needs no warning."""
    return _code(problem) in _BUSY | _READ_ONLY


def _code(problem: sqlite3.Error) -> int:
    code: int = getattr(problem, "sqlite_errorcode", sqlite3.SQLITE_MISUSE)
    return code & _PRIMARY


def open_database(file: Path, warn: Callable[[str], None], *, lasting: bool = False) -> sqlite3.Connection | None:
    """Open a connection in autocommit mode; None if there can be no cache.

    Args:
        file: Path of the database, which may not exist; its folder is created.
        warn: Gets one sentence if a file was renamed or no cache can be opened.
        lasting: Whether it is held open while others may use it.
    """
    with suppress(OSError):  # If this fails, connecting fails too and reports it.
        file.parent.mkdir(parents=True, exist_ok=True)
    before = identify(file)
    try:
        return _connect(str(file), lasting=lasting)
    except _ForeignError:
        label = "foreign"
    except sqlite3.Error as problem:
        if _code(problem) in _READ_ONLY:
            return _open_unwritable(file, problem, warn)
        if not is_damage(problem):
            if not is_harmless(problem):
                warn(f"no local cache: {file}: {problem}")
            return None
        label = "corrupt"
    if not set_aside(file, label, before, warn):
        return None
    try:
        return _connect(str(file), lasting=lasting)
    except (sqlite3.Error, _ForeignError):
        return None


def open_read_only(file: Path, warn: Callable[[str], None]) -> sqlite3.Connection | None:
    """As `open_database`, but nothing is written or renamed; None also if there is none, or one of an older version.

    Args:
        file: Path of the database.
        warn: Gets one sentence if the file is of no use.
    """
    if not file.exists():
        return None
    # With a log it opens without files beside it only as immutable, which is safe while nobody has it open: then none
    # are there.
    suffix = "&immutable=1" if _has_log(file) and not file.with_name(f"{file.name}-wal").exists() else ""
    db = None
    try:
        db = sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro{suffix}", timeout=_BUSY_SECONDS, uri=True)
        if _is_ours(db):
            return db
    except _ForeignError:
        warn(f"{file} is a database of another program")
    except sqlite3.Error as problem:
        warn(f"{file}: {problem}")
    if db is not None:
        db.close()
    return None


def _has_log(file: Path) -> bool:
    """Whether a database is in WAL mode, as the 19th byte of its head says."""
    try:
        with file.open("rb") as opened:
            return opened.read(_MODE_AT + 1)[_MODE_AT:] == b"\2"
    except OSError:
        return False


def _connect(target: str, *, uri: bool = False, lasting: bool = False) -> sqlite3.Connection:
    # Threads may share the connection, one call at a time: a server answers each call in any free thread.
    db = sqlite3.connect(target, timeout=_BUSY_SECONDS, isolation_level=None, uri=uri, check_same_thread=False)
    try:
        if _claim(db) and not lasting:
            # Who makes it fills it, and a log would hold all of that once more. A power cut can only damage it, which
            # the next one to open it notices.
            db.execute("PRAGMA synchronous = OFF")
            return db
        # In WAL mode readers and a writer do not block each other, and NORMAL survives a power cut without a sync per
        # commit. Where the file system does not support WAL, the default journal is used.
        with suppress(sqlite3.OperationalError):
            db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute(f"PRAGMA mmap_size = {_MAPPED_BYTES}")
    except BaseException:
        db.close()
        raise
    return db


def _claim(db: sqlite3.Connection) -> bool:
    """Make the tables if there are none; whether they were made."""
    if _is_ours(db):
        return False
    with db:
        db.execute("BEGIN IMMEDIATE")
        # Another process may have created the tables meanwhile.
        if _is_ours(db):
            return False
        for statement in _SCHEMA.split(";"):
            db.execute(statement)
        return True


def _is_ours(db: sqlite3.Connection) -> bool:
    if db.in_transaction:
        return _has_our_tables(db)
    db.execute("BEGIN")  # all as of one moment: another process may be making the tables
    try:
        return _has_our_tables(db)
    finally:
        db.execute("ROLLBACK")


def _has_our_tables(db: sqlite3.Connection) -> bool:
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if application == _APPLICATION_ID and version <= _USER_VERSION:
        return bool(version == _USER_VERSION)  # an older one is made anew: it only costs time
    (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application or version or tables:
        raise _ForeignError
    return False


def _open_unwritable(file: Path, problem: sqlite3.Error, warn: Callable[[str], None]) -> sqlite3.Connection | None:
    # In a folder without write access, a WAL database opens only as immutable, which is safe only while nobody has it
    # open: then no WAL file is beside it.
    if file.is_file() and not file.with_name(f"{file.name}-wal").exists():
        with suppress(sqlite3.Error, _ForeignError):
            return _connect(f"{file.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
    warn(f"no local cache: {file}: {problem}")
    return None


def identify(file: Path) -> tuple[int, int] | None:
    """Device and inode of the file at a path, or None."""
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def set_aside(file: Path, label: str, judged: tuple[int, int] | None, warn: Callable[[str], None]) -> bool:
    """Rename an unusable database to `<name>.<label>-<n>`, and keep only the last two such files.

    Args:
        file: The database.
        label: What is wrong with it, `corrupt` or `foreign`.
        judged: Its `identify` result when it was found unusable; if it differs now, another process has renamed it.
        warn: Gets the new path, or that the file cannot be renamed.

    Returns:
        Whether a database can be made anew. On a full disk it cannot, and what is there may only seem to be damaged.
    """
    if identify(file) != judged:
        return True
    from shutil import disk_usage

    try:
        if disk_usage(file.parent).free < _ROOM:
            warn("the local cache is not used: the disk is full")
            return False
        numbers = {int(match[1]): path for path in file.parent.iterdir() if (match := _match_aside(file, path))}
        number = max(numbers, default=0) + 1
        for old in sorted(numbers)[: 1 - _KEPT_ASIDE]:
            numbers[old].unlink(missing_ok=True)
        # Its companions are removed first: a new database must never use them.
        for suffix in ("-shm", "-wal", "-journal"):
            file.with_name(file.name + suffix).unlink(missing_ok=True)
        target = file.replace(file.with_name(f"{file.name}.{label}-{number}"))
    except OSError as problem:
        warn(f"the local cache is {label} and cannot be set aside: {problem}")
        return False
    warn(f"the local cache was {label}; it is kept as {target} and built anew")
    return True


def _match_aside(file: Path, path: Path) -> re.Match[str] | None:
    return re.fullmatch(rf"{re.escape(file.name)}\.(?:corrupt|foreign)-([0-9]{{1,9}})", path.name)
