"""The registry of what there is by name: entries that modules of this package, and of installed ones, add.

A package whose modules add entries lists them in its `MODULES`; an installed package names its own by an entry point of
the group `surefoot.<kind>`, such as `surefoot.questions`.
"""

from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, Generic, TypeVar

from surefoot.errors import HintedError

Entry = TypeVar("Entry")


class Registry(Generic[Entry]):
    """The entries of one kind.

    Parameters
    ----------
    kind : such as "questions"
    packages : those that list the modules of entries. They are imported by name, so that an entry does not count as
        reaching all others, and a new one makes nothing again
    """

    def __init__(self, kind: str, packages: tuple[str, ...]) -> None:
        self._kind, self._packages = kind, packages
        self._entries: dict[str, Entry] = {}
        self._complete = False

    def add(self, name: str, entry: Entry, module: str) -> None:
        """Add an entry.

        Parameters
        ----------
        module : that adds it

        Raises
        ------
        HintedError
            for a name that another entry has
        """
        if name in self._entries:
            raise HintedError(module, f'"{name}" is there already', "another name")
        self._entries[name] = entry

    def entries(self) -> dict[str, Entry]:
        """All entries by name, sorted."""
        if not self._complete:
            for package in self._packages:
                for module in import_module(package).MODULES:
                    import_module(f"{package}.{module}")
            for point in entry_points(group=f"surefoot.{self._kind}"):
                point.load()
            self._complete = True
        return dict(sorted(self._entries.items()))


def function_named(name: str) -> Any:
    """The function that "module:function" names, such as the one that draws the chart of a question."""
    module, _, function = name.partition(":")
    return getattr(import_module(module), function)
