"""Registry of formats of runs; the decorator `run_format` registers a reader.

Readers are the modules of `surefoot.runs.logs.formats`, and modules of installed packages with an entry point in the
group `surefoot.run_formats`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from surefoot.registry import Registry
from surefoot.runs.logs.logged_curves import Curve, Place, Reading

Reader = Callable[[Place, Reading], Iterator[Curve]]


class Logged(NamedTuple):
    """Meaning of a score in a format; fields are None if neither the files nor the tool's defaults determine them.

    tool : the tool that plays the episodes and logs the score
    logged : "episode" (one episode), "mean" (episodes of an evaluation) or "running_mean" (latest episodes)
    deterministic : True if the policy is deterministic by default
    episodes : default number of episodes that a score averages
    counted : True if the files state the number of episodes
    """

    tool: str | None = None
    logged: str | None = None
    deterministic: bool | None = None
    episodes: int | None = None
    counted: bool = False


class RunFormat(NamedTuple):
    """Format of the logs of a tool.

    description : one sentence with the tool and the kind of file
    recognize : function that returns a `Place` for each run in this format, judged by names and first bytes of files
    read : function that yields the curves of a `Place`, in the order written
    contains : formats whose files may also be in the folders of its runs; such files are not read separately
    beside : formats read together with this one, since they log other kinds of scores of the same runs, or the same
        kind in more detail (which is then preferred)
    fallback : True for a format that is read only if no other format is recognized, since many tools write it, or it
        repeats runs of another format
    steps_by_name : True if steps may be logged under any name (`Reading.step`)
    unit : unit of steps, such as environment steps; "" if it depends on the name of the steps or the metric
    logged : meaning of a score, by metric or by kind, or under "" for all; absent if only the files determine it
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


RUN_FORMATS: Registry[RunFormat] = Registry("run_formats", packages=("surefoot.runs.logs.formats",))


def run_format(
    name: str, description: str, recognize: Callable[[Reading, Sequence[Path]], list[Place]], **options: Any
) -> Callable[[Reader], Reader]:
    """Decorate a function to register it as the reader of a format.

    Parameters
    ----------
    options : the other fields of `RunFormat`

    Raises
    ------
    HintedError
        if another format has this name
    """

    def register(read: Reader) -> Reader:
        RUN_FORMATS.add(name, RunFormat(description, recognize, read, **options), read.__module__)
        return read

    return register
