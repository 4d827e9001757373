r"""Intervals of the scores of the game, of means and of distributions, by several methods.

formula : Limits $Z^-_{ijk} \le z_{ijk} \le Z^+_{ijk}$ of all payoffs are propagated to the least $\sum_{j,k} q_{jk}
    Z^-_{ijk}$ and the greatest $\sum_{j,k} q_{jk} Z^+_{ijk}$ of all games that they leave possible: between two
    strategies whose limits overlap, a player moves with any probability from 0 to $\eta$. Or the bootstrap resamples
    the runs and plays the game again.
assumes : Runs are independent of each other. More assumptions are listed with each [interval method](#sec-intervals).
guarantee : Intervals of all scores hold simultaneously at the study's confidence, by the guarantee of the method.
not for : Scores of other sets of algorithms or environments: an algorithm's score depends on which others are included.
source : jordan2020, section 5 and appendix D
"""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from surefoot.configuration.sections import EACH_ONCE, LARGEST_COUNT, UNIQUE, one_of
from surefoot.questions.settings import BoundedQuestion
from surefoot.statistics.intervals.catalogue import ESTIMATORS


class Settings(BoundedQuestion):
    """Intervals of the scores of the game, of means and of distributions, by several methods."""

    stage: ClassVar[str] = "estimate"
    kind: Literal["game_intervals"] = "game_intervals"
    methods: Annotated[
        tuple[Annotated[str, *one_of(ESTIMATORS)], ...],
        EACH_ONCE,
        Field(
            min_length=1,
            json_schema_extra=UNIQUE,
            description="Methods for the aggregate scores: pbp_matchings, which is recommended and holds for any "
            "scores and any number of runs; pbp (pbp_known_bounds if scores have known bounds) and "
            "pbp_u_statistic, which hold too and are wider; and pbp_t, bootstrap and pbp_max_t, which are "
            "asymptotic. anderson is for the means in single environments, dkw for the distributions.",
        ),
    ] = ("pbp_matchings", "pbp", "pbp_t", "bootstrap", "anderson", "dkw")
    variant: Annotated[
        Literal["corrected", "as_published"],
        Field(
            description="Which program is followed: as_published repeats the one behind the published numbers, quirks "
            "included; corrected does what the text says."
        ),
    ] = "corrected"
    replicates: Annotated[
        int | None,
        Field(
            ge=2,
            le=LARGEST_COUNT,
            description="Bootstrap resamples of the methods that resample; by default the study's number.",
        ),
    ] = None
