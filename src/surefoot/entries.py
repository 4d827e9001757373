"""What the modules of a folder say of methods, metrics, environments and the like, each under its name.

Whoever adds one adds a module to the folder. Light on purpose: planning imports it.
"""

from collections.abc import Iterable
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from surefoot.errors import HintedError


def entries(package: str, path: Iterable[str], called: str) -> dict[str, Any]:
    """The entries by name of the dictionaries that the modules of a package call `called`, in the order of the modules.

    A package that hands over its own `__path__` counts as importing all its modules (`surefoot.build.fingerprint`).

    Parameters
    ----------
    package, path : `__name__` and `__path__` of the package

    Raises
    ------
    HintedError
        where two modules have an entry of the same name
    """
    found: dict[str, Any] = {}
    for module in sorted(module.name for module in iter_modules(path)):
        more = getattr(import_module(f"{package}.{module}"), called, {})
        twice = found.keys() & more.keys()
        if twice:
            raise HintedError(f"{package}.{module}", f'"{min(twice)}" is there already', "another name")
        found |= more
    return found
