"""Folders and files that take the place of others: swapped by rename, locked while written."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from errno import ENAMETOOLONG
from pathlib import Path

from mondegreen.errors import OutputError

try:
    import fcntl
except ImportError:  # not on Windows: there, two writers are not kept apart
    fcntl = None  # type: ignore[assignment]

_AT_FDCWD, _EXCHANGE = -100, 2  # of renameat2 on Linux
_DEVICES = (Path("/dev"), Path("/proc"))
_SQLITE = b"SQLite format 3\0"
_BESIDE_SQLITE = ("-wal", "-shm")
_writing: set[Path] = set()
"""The temporary paths of this process."""
_waiting: ContextVar[dict[Path, Path] | None] = ContextVar("_waiting", default=None)
"""Where the finished outputs of this block lie until all of them get their names."""


def real_target(path: Path) -> Path:
    """Return the path that is written for an output: a symbolic link is followed, not replaced.

    Raises:
        OutputError: if the path is a device such as standard output, or a link in a circle.
    """
    path = path if path.name else path.resolve()
    if not str(path).isascii() and not _is_utf8(path):
        raise OutputError(f"{str(path)!r}: the name is not UTF-8; give another name")
    if any(path.absolute().is_relative_to(folder) for folder in _DEVICES):
        raise OutputError(
            f"{path}: is neither a file nor a folder but a device; give another name, or -"
        )
    try:
        return path.resolve() if path.is_symlink() else path
    except OSError as error:
        if error.errno == ENAMETOOLONG:
            raise OutputError(f"{path}: the name is too long; give another name") from None
        raise OutputError(f"{path}: is a link in a circle; give another name") from None
    except RuntimeError:  # before Python 3.13
        raise OutputError(f"{path}: is a link in a circle; give another name") from None


def _is_utf8(path: Path) -> bool:
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return False
    return True


@contextmanager
def temporary_beside(path: Path) -> Iterator[Path]:
    """Yield a path beside the target, ``.NAME.PID.part``, and remove what is there afterwards.

    What killed processes have left behind for the same target is removed first.

    Raises:
        OutputError: if another thread writes the same target.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    if temporary in _writing:
        raise OutputError(f"{path}: another thread is writing it; wait until it ends")
    _writing.add(temporary)
    try:
        _restore(path)
        _remove_stale(path)
        yield temporary
    finally:
        remove(temporary)
        _writing.discard(temporary)


@contextmanager
def together() -> Iterator[dict[Path, Path]]:
    """Let all outputs that are finished within a block get their names together, at its end.

    The last one gets its name first: so what describes an output is there before the output is,
    and a command that is killed in between can be run again.

    Yields:
        Where each finished output lies until then, by its target.
    """
    waiting: dict[Path, Path] = {}
    token = _waiting.set(waiting)
    try:
        yield waiting
        _place_all(waiting)
    finally:
        _waiting.reset(token)
        for temporary in waiting.values():
            remove(temporary)
            _writing.discard(temporary)


def _place_all(waiting: dict[Path, Path]) -> None:
    """Give outputs their names; an interruption waits until all of them have theirs."""
    interrupted: BaseException | None = None
    for path, temporary in reversed(waiting.items()):
        try:
            _place(temporary, path)
        except (KeyboardInterrupt, SystemExit) as interruption:
            interrupted = interruption
            if temporary.exists():
                _place(temporary, path)
    if interrupted is not None:
        raise interrupted


def put(temporary: Path, path: Path) -> None:
    """Move a finished file or folder to its place, in one step where the system can.

    What was there before is removed; at no moment is there nothing, or a part of something.
    Within a block of :func:`together` it waits for the others.
    """
    flush(temporary)
    waiting = _waiting.get()
    if waiting is None:
        _place(temporary, path)
        return
    done = path.with_name(f".{path.name}.{os.getpid()}.done")
    _writing.add(done)
    waiting[path] = done
    temporary.replace(done)


def _place(temporary: Path, path: Path) -> None:
    _remove_unwritten(path)
    if not (temporary.is_dir() and path.is_dir()):
        temporary.replace(path)
    elif not _exchange(temporary, path):
        aside = path.with_name(f".{path.name}.{os.getpid()}.old")  # see _restore
        path.replace(aside)
        temporary.replace(path)
        remove(aside)
    remove(temporary)  # after an exchange, what was there before
    _remove_job(path)
    remove_stale_lock(path)
    _flush_folder(path.parent)


def _remove_unwritten(path: Path) -> None:
    """Remove what a killed writer of an SQLite file has not moved into it.

    SQLite would add that to whatever file has the name next, and show the old one again.
    """
    for ending in _BESIDE_SQLITE:
        beside = path.with_name(path.name + ending)
        if beside.is_file() and _is_sqlite(path):
            beside.unlink()


def _is_sqlite(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(_SQLITE)) == _SQLITE
    except OSError:
        return False


def _remove_job(path: Path) -> None:
    """Remove what a killed job over shards has left of a target that is now complete."""
    journal = path.with_name(f".{path.name}.journal")
    if not journal.exists():
        return
    with suppress(OutputError), locked(path, "writing it"):  # refused while the job runs
        for found in list(path.parent.iterdir()):
            if found.name.startswith(f".{path.name}.") and found.name.endswith(".begun"):
                remove(found)
        remove(path.with_name(f".{path.name}.begun"))
        remove(journal)


def remove(path: Path) -> None:
    """Remove a file or a folder, if it is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


@contextmanager
def locked(path: Path, doing: str) -> Iterator[None]:
    """Keep other processes and threads from writing the same target.

    Args:
        path: the target; the lock is ``.NAME.lock`` beside it.
        doing: what another process is doing, for the message.

    Raises:
        OutputError: if another process or thread holds the lock.
    """
    if fcntl is None:
        yield
        return
    lock = path.with_name(f".{path.name}.lock")
    try:
        descriptor = _lock(lock)
    except BlockingIOError:
        raise OutputError(f"{path}: another process is {doing}; wait until it ends") from None
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {error.strerror}") from None
    try:
        yield
    finally:
        lock.unlink(missing_ok=True)
        os.close(descriptor)


def remove_stale_lock(path: Path) -> None:
    """Remove the lock of a target whose writer was killed after its last step."""
    if path.with_name(f".{path.name}.lock").exists():
        with suppress(OutputError), locked(path, "writing it"):
            """The lock is removed at the end of the block."""


def _lock(lock: Path) -> int:
    """Return the descriptor of a lock; try again if its holder removes it meanwhile."""
    while True:
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with suppress(FileNotFoundError):
                if lock.stat().st_ino == os.fstat(descriptor).st_ino:
                    return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def _leftovers(path: Path, ending: str) -> Iterator[Path]:
    """Yield the temporary paths of a target that processes left behind which are no more."""
    start, end = f".{path.name}.", f".{ending}"
    for found in list(path.parent.iterdir()) if path.parent.is_dir() else []:
        if found.name.startswith(start) and found.name.endswith(end):
            number = found.name[len(start) : -len(end)]
            if number.isascii() and number.isdigit() and not _alive(int(number)):
                yield found


def _alive(process: int) -> bool:
    if process == os.getpid():
        return False  # what this process writes is never looked for: an earlier one had the number
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True  # somebody else's
    return True


def _remove_stale(path: Path) -> None:
    for ending in ("part", "done", "old"):
        for found in _leftovers(path, ending):
            if found not in _writing:
                remove(found)
    remove(path.with_name(f".{path.name}.{os.getpid()}.part"))


def _restore(path: Path) -> None:
    """Put back the folder that a killed process had moved aside, where there is no exchange."""
    if not path.exists():
        for found in _leftovers(path, "old"):
            found.replace(path)
            return


def _exchange(one: Path, other: Path) -> bool:
    """Exchange two folders in one step; return whether the system can."""
    if not sys.platform.startswith("linux"):
        return False
    import ctypes  # takes a while, and few outputs are folders

    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError):  # an old or another C library
        return False
    paths = os.fsencode(one), os.fsencode(other)
    done: int = rename(_AT_FDCWD, paths[0], _AT_FDCWD, paths[1], _EXCHANGE)
    return done == 0


def flush(path: Path) -> None:
    """Have a file, or all files of a folder, on the disk before a name refers to them."""
    if not path.is_dir():
        _flush_file(path)
        return
    for folder, _, files in os.walk(path):
        for name in files:
            _flush_file(Path(folder, name))
        _flush_folder(Path(folder))


def _flush_file(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _flush_folder(path: Path) -> None:
    if os.name == "posix":  # Windows cannot
        with suppress(OSError):  # some file systems cannot
            _flush_file(path)
