"""Registries of named entries, and import of modules and functions by name.

Modules of this package and of installed packages add entries. An installed package adds entries by an entry point in
the group `surefoot.<kind>`, such as `surefoot.environments`: importing the module adds them, by a decorator such as
`question`, or by `Registry.add`.

Planning imports this module, so it imports nothing heavy.
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
    """Entries of one kind, by name.

    Parameters
    ----------
    kind : kind of the entries, such as "questions"
    entries : initial entries
    packages : packages whose `MODULES` list the modules with further entries. The modules are imported by name, so that
        entries do not depend on each other, and new entries do not invalidate results

    Attributes
    ----------
    modules : module of each added entry, by the name of the entry; its code determines what the entry does
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
        module : dotted name of the module that adds the entry

        Raises
        ------
        HintedError
            if another entry has this name
        """
        if name in self:
            raise HintedError(module, f'"{name}" already exists', "choose another name")
        self[name] = entry
        self.modules[name] = module

    def named(self, name: str) -> Entry:
        """Return an entry by name; modules are imported only if the entry is not registered yet.

        Raises
        ------
        KeyError
            if there is no such entry
        """
        return self[name] if name in self else self.complete()[name]

    def complete(self) -> Self:
        """Import all modules with entries, of this package and of installed packages, and return the registry.

        Entries of `packages` are sorted by name.
        """
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
    """Import a module by its dotted name, or from a user's ``.py`` file, which is executed only once.

    The module of a file is registered in `sys.modules` under its path. Otherwise, other processes could not load the
    compiled functions that numba caches.
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
    """Return the function or class for "module:name" or "module.name", such as the function that draws a chart."""
    module, _, function = name.replace(":", ".").rpartition(".")
    return getattr(module_named(module), function)
