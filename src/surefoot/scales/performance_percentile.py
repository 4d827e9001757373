"""Performance percentiles (Jordan et al. 2020, section 4)."""

from typing import TYPE_CHECKING, ClassVar, Literal

from surefoot.scales.settings import ScaleSettings

if TYPE_CHECKING:
    import pandas as pd


class Settings(ScaleSettings):
    """The probability that an algorithm does at least as well as another, for each other in each environment."""

    of_pairs: ClassVar[bool] = True
    kind: Literal["performance_percentile"] = "performance_percentile"


def pairs(runs: "pd.DataFrame", settings: Settings) -> "pd.DataFrame":
    """The payoff of every algorithm against every other in every environment."""
    from surefoot.statistics.game.payoff_table import payoff_table

    return payoff_table(runs)
