r"""Intervals of the scores of the game, of means and of distributions, by several methods.

formula : Limits $Z^-_{ijk} \le z_{ijk} \le Z^+_{ijk}$ of all payoffs are propagated to the least $\sum_{j,k} q_{jk}
    Z^-_{ijk}$ and the greatest $\sum_{j,k} q_{jk} Z^+_{ijk}$ of all games that they leave possible: between two
    strategies whose limits overlap, a player moves with any probability from 0 to $\eta$. Or the bootstrap resamples
    the runs and plays the game again.
assumes : Runs are independent of each other. More assumptions are listed with each [interval method](#sec-intervals).
guarantee : Intervals of all scores hold simultaneously at the study's confidence, by the guarantee of the method.
in a paper : We compute {intervals} for the scores of the game, for means and for distributions of single environments.[
    The interval methods are used {variant}.]
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
            description="Methods for the aggregate scores: pbp_matchings, the recommended one, which holds for any "
            "scores and any number of runs; pbp (with pbp_known_bounds for scores that cannot leave known bounds) and "
            "pbp_u_statistic, which hold too and are wider; pbp_t, bootstrap and pbp_max_t, which hold for many runs "
            "at best. And anderson for the means of single environments, dkw for the distributions.",
        ),
    ] = ("pbp_matchings", "pbp", "pbp_t", "bootstrap", "anderson", "dkw")
    variant: Annotated[
        Literal["corrected", "as_published"],
        Field(
            description="as_published repeats the programs behind the published numbers, quirks included; corrected "
            "does what the text says."
        ),
    ] = "corrected"
    replicates: Annotated[
        int | None,
        Field(ge=2, le=LARGEST_COUNT, description="Of the methods that resample; the study's without this key."),
    ] = None
