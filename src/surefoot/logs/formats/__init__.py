"""The formats of runs: every module beside this one, under its name.

A module has

``DESCRIPTION`` : one sentence: which tool writes it, and what it is
``CONTAINS`` : formats whose files lie in the folders of its runs too, and are left to it
``recognize(root, files)`` : the places that it reads (`surefoot.logs.curves.Place`), told by names and first bytes
``BESIDE`` : formats that log other kinds of scores of the same runs, or the same kind in more detail, which is then
    taken, and are read with it; most leave it out
``FALLBACK`` : true of a format that is read where no other is recognized: any tool may write it, or beside another
    format it records the same runs again
``STEPS_BY_NAME`` : true of a format whose steps may be logged under any name (`Place.step`)
``read(place, root, asked, notes)`` : the curves of a place; `asked` are the names of metrics that are wanted, or None
``logged(kind, metric, environment)`` : what one of its scores is (`surefoot.logs.logged.Logged`); a format of which
    nothing is known beside its files leaves it out

Whoever adds one adds a module.
"""

import functools
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Protocol, cast

from surefoot.logs.curves import Curve, Notes, Place
from surefoot.logs.logged import Logged


class Format(Protocol):
    """What the module of a format has."""

    DESCRIPTION: str
    CONTAINS: tuple[str, ...]

    def recognize(self, root: Path, files: Sequence[Path]) -> list[Place]:
        """The places below the folder that are of this format."""
        ...

    def read(self, place: Place, root: Path, asked: Sequence[str] | None, notes: Notes) -> Iterator[Curve]:
        """The curves of a place."""
        ...


@functools.cache
def formats() -> Mapping[str, Format]:
    """The formats by name."""
    names = sorted(module.name for module in iter_modules(__path__))
    return {name: cast(Format, import_module(f"{__name__}.{name}")) for name in names}


def what_is_logged(format: str, kind: str, metric: str, environment: str) -> Logged:
    """What one score of a format is, as its module states it; nothing of a format that states none."""
    state = getattr(formats().get(format), "logged", None)
    return Logged() if state is None else cast(Logged, state(kind, metric, environment))
