"""Modules of a user's: files that a configuration names, imported by their paths."""

import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType
from typing import Any


def named_function(name: str) -> Callable[..., Any]:
    """A function by its name ``module:function``."""
    module, _, function = name.partition(":")
    found: Callable[..., Any] = getattr(imported(module), function)
    return found


def imported(module: str) -> ModuleType:
    """A module by its dotted name, or out of a file whose path ends in ``.py``; a file is run once.

    From then on a file's module is known to Python under its path. Numba needs that: it keeps the compiled functions
    of a module that it cannot find again in a way that no other process can load.
    """
    if not module.endswith(".py") or module in sys.modules:
        return import_module(module)
    specification = spec_from_file_location(module, module)
    if specification is None or specification.loader is None:
        raise ImportError(f"{module} is not a module")
    made = module_from_spec(specification)
    sys.modules[module] = made
    try:
        specification.loader.exec_module(made)
    except BaseException:
        del sys.modules[module]
        raise
    return made
