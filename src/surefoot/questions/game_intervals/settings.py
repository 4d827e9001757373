r"""Intervals of the scores of the game, of means and of distributions, by several methods.

formula : Limits $Z^-_{ijk} \le z_{ijk} \le Z^+_{ijk}$ of all payoffs give the least $\sum_{j,k} q_{jk} Z^-_{ijk}$ and
    the greatest $\sum_{j,k} q_{jk} Z^+_{ijk}$ over all games that they allow: where limits of two payoffs overlap, a
    player moves between their strategies with any probability from 0 to $\eta$. The bootstrap instead resamples the
    runs and plays again.
assumes : Runs are independent; each [interval method](#sec-intervals) adds its own assumptions.
guarantee : That of the interval method, for all scores together.
in a paper : We compute {intervals} for the scores of the game, for means and for distributions of single environments.[
    The interval methods are used {variant}.]
not for : Other sets of algorithms or environments, on which each score depends.
source : jordan2020, section 5 and appendices C and D
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
