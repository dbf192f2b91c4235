"""What is read from users' files, kept by content: a file that has changed is read again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import update_wrapper
from pathlib import Path
from threading import Lock
from typing import Generic, TypeVar

from mondegreen.data.files.hashing import hash_of

T = TypeVar("T")
_KEPT = 16  # files of each kind


class ByContent(Generic[T]):
    """A function of a path whose results are kept, identified by the content of the file.

    What is not the path of a file or folder, such as the name of a resource of this package, is
    identified by its name. The empty name stands for the package's own resource.
    """

    def __init__(self, read: Callable[[str], T]) -> None:
        self._read = read
        self._kept: OrderedDict[str, T] = OrderedDict()
        self._lock = Lock()
        update_wrapper(self, read)

    def __call__(self, path: str = "") -> T:
        """Return what the file holds; read it again if its content is new."""
        key = f"sha:{hash_of(Path(path))}" if path and Path(path).exists() else f"name:{path}"
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        value = self._read(path)
        with self._lock:
            self._kept[key] = value
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return value

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._kept.clear()


def by_content(read: Callable[[str], T]) -> ByContent[T]:
    """Keep the results of a function of a path by the content of the file."""
    return ByContent(read)
