r"""The optimality gap below each of many targets.

formula : The mean of $\max(\gamma - x, 0) / \gamma$ over all scores $x$, for each target $\gamma$.
assumes : Scores are on one scale, whose 0 is meaningful.
guarantee : None: point values.
in a paper : We report the optimality gap[ of {algorithms}] below [targets of {thresholds}].
not for : Scales with an arbitrary 0, such as min-max.
source : agarwal2021, figure A.26
"""

from typing import ClassVar, Literal

from pydantic import field_validator

from surefoot.errors import HintedError
from surefoot.questions.settings import Algorithms, Grid, QuestionSettings, Thresholds


class Settings(QuestionSettings):
    """The optimality gap below each of many targets."""

    stage: ClassVar[str] = "estimate"
    kind: Literal["gap_curve"] = "gap_curve"
    thresholds: Thresholds
    algorithms: Algorithms | None = None

    @field_validator("thresholds")
    @classmethod
    def _are_positive(cls, thresholds: Grid | tuple[float, ...]) -> Grid | tuple[float, ...]:
        first = thresholds.first if isinstance(thresholds, Grid) else min(thresholds)
        if first <= 0:
            what = f"a gap is a fraction of its target, which cannot be {first:g}"
            raise HintedError("", what, "more than 0, such as 0.1")
        return thresholds
