"""The scores of one algorithm on each task, counted in bins.

formula : Counts of the scores of each task in bins of equal width between its lowest and its highest score.
assumes : Nothing.
guarantee : None: it shows the given runs.
in a paper : We count the scores of {algorithms} on each task in [{bins} bins].
not for : Few runs: with ten, the shape is mostly chance.
source : agarwal2021, figure A.14
"""

from typing import ClassVar, Literal

from surefoot.questions.settings import (
    Algorithms,
    Bins,
    QuestionSettings,
)


class Settings(QuestionSettings):
    """The scores of one algorithm on each task, counted in bins."""

    stage: ClassVar[str] = "estimate"
    pools_tasks: ClassVar[bool] = False
    one_algorithm: ClassVar[bool] = True
    kind: Literal["histograms"] = "histograms"
    bins: Bins
    algorithms: Algorithms | None = None
