r"""Scores between the lowest and the highest score of each environment.

formula : $(x - \min_j) / (\max_j - \min_j)$ with the lowest score $\min_j$ and the highest $\max_j$ of any algorithm in
    environment $j$.
assumes : Nothing about the scores.
guarantee : The order of scores within an environment is preserved. Taking the limits from the runs themselves does not
    increase false positives. In 400 simulated data sets each, the IQM separated at least one pair of three equal
    algorithms in 8.2 % on this scale and 7.8 % on a fixed one (2 tasks, 5 runs, 40 % of which fail), in 10.5 and 11.5 %
    (5 tasks), and in 5.5 and 5.2 % (2 tasks, normal scores). Rates above 5 % are due to the IQM, if so many runs fail.
not for : Comparing studies, or adding an algorithm later: one extreme run changes all other scores.
source : Jordan et al. 2020, appendix A; Agarwal et al. 2021, appendix A.6
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Literal

from surefoot.runs.scales.scale_settings import ScoreScale, scale

if TYPE_CHECKING:
    import pandas as pd

    from surefoot.statistics.runs.score_arrays import Ends


@scale
class MinMax(ScoreScale):
    """Scores between the lowest (0) and the highest score (1) of each environment."""

    phrase: ClassVar[str] = "the scale from the lowest to the highest score of each environment"
    remedy: ClassVar[str] = "its scores are all equal; leave it out, or choose another scale."
    kind: Literal["min_max"] = "min_max"

    def described(self) -> str:
        """Describe the scale, and an uncertainty that intervals ignore."""
        unknown = "Other runs would give a different lowest and highest score, which the intervals do not account for"
        return f"{super().described()} {unknown}."

    def ends(self, runs: "pd.DataFrame", tables: Mapping[str, "pd.DataFrame"]) -> "Ends":
        """Return the lowest and the highest score, which become 0 and 1."""
        from surefoot.statistics.runs.score_arrays import least_and_greatest

        return least_and_greatest(runs)
