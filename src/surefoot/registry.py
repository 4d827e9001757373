"""What there is by name: entries that modules of this package and of installed ones add, and modules and functions.

An installed package adds entries by an entry point of the group `surefoot.<kind>`, such as `surefoot.environments`: the
module that it names adds them when it is imported, by a decorator such as `question`, or by `Registry.add`.

Light on purpose: planning imports it.
"""

import sys
from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType
from typing import Any, Self, TypeVar

from surefoot.errors import HintedError

Entry = TypeVar("Entry")


class Registry(dict[str, Entry]):
    """The entries of one kind by name.

    Parameters
    ----------
    kind : such as "questions"
    entries : those that the registry begins with
    packages : those that list the modules of further entries in their `MODULES`. They are imported by name, so that an
        entry does not count as reaching all others, and a new one makes nothing again

    Attributes
    ----------
    modules : the module of each entry that was added, by the name of the entry; its code decides what the entry does
    """

    def __init__(self, kind: str, entries: Mapping[str, Entry] | None = None, packages: tuple[str, ...] = ()) -> None:
        super().__init__(entries or {})
        self._kind, self._packages = kind, packages
        self.modules: dict[str, str] = {}
        self._complete = False

    def add(self, name: str, entry: Entry, module: str) -> None:
        """Add an entry.

        Parameters
        ----------
        module : that adds it, by its dotted name

        Raises
        ------
        HintedError
            for a name that another entry has
        """
        if name in self:
            raise HintedError(module, f'"{name}" is there already', "another name")
        self[name] = entry
        self.modules[name] = module

    def named(self, name: str) -> Entry:
        """The entry of a name; the modules of all others are imported only where it is not there yet.

        Raises
        ------
        KeyError
            where there is none
        """
        return self[name] if name in self else self.complete()[name]

    def complete(self) -> Self:
        """The registry with the entries of all modules, this package's and those of installed ones; those of `packages`
        are sorted by name."""
        if not self._complete:
            for package in self._packages:
                for module in import_module(package).MODULES:
                    import_module(f"{package}.{module}")
            for point in entry_points(group=f"surefoot.{self._kind}"):
                point.load()
            if self._packages:
                entries = sorted(self.items())
                self.clear()
                self.update(entries)
            self._complete = True
        return self


def module_named(name: str) -> ModuleType:
    """A module by its dotted name, or out of a user's file, whose path ends in ``.py``; a file is run once.

    From then on a file's module is known to Python under its path. Numba needs that: it keeps the compiled functions
    of a module that it cannot find again in a way that no other process can load.
    """
    if not name.endswith(".py") or name in sys.modules:
        return import_module(name)
    specification = spec_from_file_location(name, name)
    if specification is None or specification.loader is None:
        raise ImportError(f"{name} is not a module")
    module = module_from_spec(specification)
    sys.modules[name] = module
    try:
        specification.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def function_named(name: str) -> Any:
    """The function or class that "module:name" names, such as the one that draws the chart of a question."""
    module, _, function = name.partition(":")
    return getattr(module_named(module), function)
