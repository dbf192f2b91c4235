"""YAML documents that may be hostile: aliases are limited, and a part may not contain itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mondegreen.data.files.lines import Meter
from mondegreen.data.formats.documents import read_bytes
from mondegreen.errors import DataError, MissingExtraError

_MOST_NODES, _GROWTH = 1_000_000, 100  # of a document with its aliases written out


def load_yaml(path: Path, meter: Meter | None = None, *, unread: Sequence[str] = ()) -> Any:
    """Read a YAML document.

    Args:
        path: the file.
        meter: counts what is read.
        unread: tags, such as ``!include``, whose nodes are read as nothing.

    Raises:
        DataError: if it is not YAML.
        MissingExtraError: if PyYAML is not installed.
    """
    try:
        import yaml
    except ImportError:
        raise MissingExtraError.of("yaml", "YAML files") from None
    try:
        loader = yaml.SafeLoader(read_bytes(path, meter))
        loader.yaml_constructors = {**loader.yaml_constructors, **dict.fromkeys(unread, _nothing)}
        try:
            node = loader.get_single_node()
            if node is None:
                return None
            _check_size(node, path)
            return loader.construct_document(node)
        finally:
            loader.dispose()
    except (yaml.YAMLError, RecursionError, UnicodeDecodeError, ValueError) as error:
        place = getattr(error, "problem_mark", None)
        line = f", line {place.line + 1}" if place is not None else ""
        reason = getattr(error, "problem", None) or str(error).splitlines()[0]
        raise DataError(f"{path}{line}: not YAML: {reason}") from None


def _nothing(_loader: object, _node: object) -> None:
    return None


def _check_size(top: Any, path: Path) -> None:
    """Check how much a document holds with all its aliases written out.

    Raises:
        DataError: if that is much more than the file, or if a part contains itself.
    """
    sizes: dict[int, int] = {}
    open_: set[int] = set()
    stack = [(top, False)]
    while stack:
        node, is_done = stack.pop()
        key = id(node)
        inside = _inside(node)
        if is_done:
            open_.discard(key)
            sizes[key] = 1 + sum(sizes[id(one)] for one in inside)
        elif key not in sizes:
            if key in open_:
                raise DataError(f"{path}, line {node.start_mark.line + 1}: a part contains itself")
            open_.add(key)
            stack.append((node, True))
            stack += ((one, False) for one in inside if id(one) not in sizes)
    if sizes[id(top)] > _MOST_NODES and sizes[id(top)] > _GROWTH * len(sizes):
        raise DataError(
            f"{path}: its aliases stand for more than {_GROWTH} times what the file holds; write "
            "the examples out"
        )


def _inside(node: Any) -> list[Any]:
    """Return the parts of a part of a document."""
    value = node.value
    if not isinstance(value, list):
        return []
    return [one for pair in value for one in (pair if isinstance(pair, tuple) else (pair,))]
