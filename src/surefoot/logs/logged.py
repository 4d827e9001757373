"""What a tool logs as one score, as the module of its format states it."""

from typing import NamedTuple

RETURN = "return"


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
