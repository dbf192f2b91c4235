"""Plugins: operators, metrics, formats, models and recognisers from other installed packages.

A package announces a plugin by an entry point, such as::

    [project.entry-points."mondegreen.operators"]
    shout = "my_package.shout:Shout"

A value that no package announces can be named by its place: ``python:my_package.shout:Shout``.
Looking a name up never imports such a place: names come from files and web pages as well. Only
:meth:`Registry.imported` does, for a name that the user has given.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from mondegreen.errors import PluginError, unknown

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

T = TypeVar("T")
PYTHON = "python:"
"""Begins the name of a value that is given by its place in a Python package."""


_REGISTRIES: list[Registry[Any]] = []


@cache
def entry_points_of(group: str) -> dict[str, EntryPoint]:
    """Return the entry points of a group, by name."""
    from importlib.metadata import entry_points

    return {entry.name: entry for entry in entry_points(group=group)}


class Registry(Mapping[str, T], Generic[T]):
    """Values by name: those of this package, then those of plugins. Each loads on first use.

    A place (``python:…``) is known only after :meth:`imported` has imported it.

    Args:
        noun: what the values are, for messages.
        group: the group of entry points, such as ``mondegreen.operators``.
        own: where this package has each value, as ``module:name``.
    """

    def __init__(self, noun: str, group: str, own: Mapping[str, str]) -> None:
        self.noun = noun
        self.group = group
        self.own = dict(own)
        self._loaded: dict[str, T] = {}
        _REGISTRIES.append(self)

    def __getitem__(self, name: str) -> T:
        if name not in self._loaded:
            self._loaded[name] = self._load(name)
        return self._loaded[name]

    def _load(self, name: str) -> T:
        if name in self.own:
            module, _, attribute = self.own[name].partition(":")
            value: T = getattr(import_module(module), attribute)
            return value
        entry = entry_points_of(self.group)[name]
        try:
            loaded: T = entry.load()
        except (Exception, SystemExit) as error:
            raise PluginError(
                f"the {self.noun} {name!r} of the package {_package(entry)} cannot be loaded: "
                f"{one_line(error)}"
            ) from error
        return loaded

    def guests(self) -> Iterator[tuple[str, str]]:
        """Yield the name and the module of each value of another package that is loaded."""
        for name in self._loaded:
            if name.startswith(PYTHON):
                yield name, name.removeprefix(PYTHON).partition(":")[0]
            elif name not in self.own and name in entry_points_of(self.group):
                yield name, entry_points_of(self.group)[name].module

    def __contains__(self, name: object) -> bool:
        """Return whether there is a value with this name; nothing is loaded."""
        known = name in self.own or name in self._loaded
        return known or name in entry_points_of(self.group)

    def __iter__(self) -> Iterator[str]:
        yield from self.own
        yield from (name for name in entry_points_of(self.group) if name not in self.own)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def named(self, name: str) -> T:
        """Return a value by its name, wherever the name comes from.

        Raises:
            PluginError: if there is no such value, with the nearest name; or if the name is a
                place, whose code may not be run because of a name.
        """
        try:
            return self[name]
        except KeyError:
            if name.startswith(PYTHON):
                raise PluginError(
                    f"{name} is code, which is imported only if you name it yourself; here a file "
                    f"names it. Announce the {self.noun} by an entry point, if you trust it"
                ) from None
            raise PluginError(unknown(self.noun, name, self)) from None

    def imported(self, name: str) -> T:
        """Return a value that the user has named; a place (``python:…``) is imported.

        Raises:
            PluginError: if there is no such value, or if it cannot be imported.
        """
        if name.startswith(PYTHON) and name not in self._loaded:
            self._loaded[name] = load_python(name.removeprefix(PYTHON), self.noun)
        return self.named(name)

    def name_of(self, value: Any) -> str:
        """Return the name that finds a value again: its own, or the place that it was loaded from.

        Only a value that was loaded as ``python:package.module:name`` is known by its place.
        """
        places = (name for name, one in self._loaded.items() if one is value)
        return next((name for name in places if name.startswith(PYTHON)), str(value.name))

    def origin(self, name: str) -> str:
        """Return the package that a value comes from; empty for a value of this package."""
        if name in self.own:
            return ""
        if name.startswith(PYTHON):
            return name
        return _package(entry_points_of(self.group)[name])


def _package(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.value


def load_python(place: str, noun: str) -> Any:
    """Import ``package.module:name``; modules of the working directory are found as well.

    Raises:
        PluginError: if it cannot be imported.
    """
    module_name, _, attribute = place.partition(":")
    if not module_name or not attribute:
        raise PluginError(f"python:{place} names no {noun}; write python:package.module:name")
    here = str(Path.cwd())
    if "" not in sys.path and here not in sys.path:
        sys.path.insert(0, here)
    try:
        module = import_module(module_name)
    except (Exception, SystemExit) as error:
        raise PluginError(f"python:{place} cannot be imported: {one_line(error)}") from error
    try:
        return getattr(module, attribute)
    except AttributeError:
        raise PluginError(f"python:{place}: {module_name} has no {attribute!r}") from None


def guest_in(error: BaseException) -> str:
    """Return the plugin in which an error was raised, with its noun; empty if in none."""
    frames = (frame for frame, _ in traceback.walk_tb(error.__traceback__))
    modules = {str(frame.f_globals.get("__name__", "")) for frame in frames}
    for registry in _REGISTRIES:
        for name, module in registry.guests():
            if module in modules:
                return f"the {registry.noun} {name!r}"
    return ""


def one_line(error: BaseException) -> str:
    """Return what went wrong and where, in one line."""
    try:
        message = " ".join(str(error).split())
    except Exception:  # noqa: BLE001 (whatever its class raises)
        message = "its message cannot be shown"
    places = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(places[-1].filename).name}, line {places[-1].lineno})" if places else ""
    return f"{type(error).__name__}: {message}{where}"
