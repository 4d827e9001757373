"""Probability that an algorithm does at least as well as another, for each pair and environment.

formula : $z_{ijk}$, the mean over the runs of algorithm $i$ in environment $j$ of the share of algorithm $k$'s runs
    that score at most as much; 1/2 for an algorithm against itself.
assumes : Only the order of scores counts.
guarantee : It does not change under increasing transformations of an environment's scores.
not for : The size of differences; single algorithms, since it compares pairs.
source : Jordan et al. 2020, section 4.1
"""

from typing import TYPE_CHECKING, Literal

from surefoot.runs.scales.scale_settings import PairScale, scale

if TYPE_CHECKING:
    import pandas as pd


@scale
class PerformancePercentile(PairScale):
    """Probability that one algorithm does at least as well as another, for each pair in each environment."""

    kind: Literal["performance_percentile"] = "performance_percentile"

    def pairs(self, runs: "pd.DataFrame") -> "pd.DataFrame":
        """Return the payoff of every algorithm against every other algorithm in every environment."""
        from surefoot.statistics.game.percentile import payoff_table

        return payoff_table(runs)
