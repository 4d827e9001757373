"""The formats of runs: a reader of a tool's logs is one by the decorator `run_format`.

Readers are the modules of `surefoot.logs.formats`, and those of installed packages with an entry point of the group
`surefoot.run_formats`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from surefoot.logs.curves import Curve, Place, Reading
from surefoot.registry import Registry

Reader = Callable[[Place, Reading], Iterator[Curve]]


class Logged(NamedTuple):
    """What one score of a format is; None where neither the files nor the tool's defaults tell.

    tool : the tool that plays the episodes and logs the score
    logged : "episode" (a single one), "mean" (over those of an evaluation) or "running_mean" (over the last ones)
    deterministic : whether the tool's default is a deterministic policy
    episodes : over how many episodes a score is the mean by the tool's default
    counted : whether the files tell that number
    """

    tool: str | None = None
    logged: str | None = None
    deterministic: bool | None = None
    episodes: int | None = None
    counted: bool = False


class RunFormat(NamedTuple):
    """How a tool lays out its logs.

    description : one sentence: which tool writes it, and what it is
    recognize : the places below a folder that are of the format, told by the names of files and their first bytes
    read : the curves of a place, in the order in which they were written
    contains : formats whose files lie in the folders of its runs too, and are left to it
    beside : formats that log other kinds of scores of the same runs, or the same kind in more detail, which is then
        taken, and are read with it
    fallback : whether it is read only where no other is recognized: any tool may write it, or beside another format it
        records the same runs again
    steps_by_name : whether its steps may be logged under any name (`Reading.step`)
    unit : what its steps count, such as environment steps; "" where that depends on the name of the steps or the metric
    logged : what one of its scores is, by metric, else by kind, else under "" for all; what is left out, only the files
        may tell
    """

    description: str
    recognize: Callable[[Reading, Sequence[Path]], list[Place]]
    read: Reader
    contains: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    fallback: bool = False
    steps_by_name: bool = False
    unit: str = ""
    logged: Mapping[str, Logged] = {}


RUN_FORMATS: Registry[RunFormat] = Registry("run_formats", packages=("surefoot.logs.formats",))


def run_format(
    name: str, description: str, recognize: Callable[[Reading, Sequence[Path]], list[Place]], **options: Any
) -> Callable[[Reader], Reader]:
    """Make a function that reads a place the reader of a format.

    Parameters
    ----------
    options : the other fields of `RunFormat`

    Raises
    ------
    HintedError
        for a name that another format has
    """

    def register(read: Reader) -> Reader:
        RUN_FORMATS.add(name, RunFormat(description, recognize, read, **options), read.__module__)
        return read

    return register
