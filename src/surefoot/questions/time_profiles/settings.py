r"""How often each method is within a factor of the fastest.

formula : $\rho_m(\tau)$, the fraction of problems on which method $m$ takes less than $\tau$ times the fastest method's
    time.
assumes : Times of one problem are comparable; a missing time is a failure.
guarantee : None: it describes the given problems.
in a paper : We report the fraction of problems on which each method[ among {algorithms}] takes less than [{thresholds}
    times] the time of the fastest.
not for : Ranking methods below the best: removing one moves the curves of the others.
source : dolan2002
"""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from surefoot.questions.settings import Algorithms, QuestionSettings, Thresholds


class Settings(QuestionSettings):
    """How often each method is within a factor of the fastest (Dolan and Moré 2002)."""

    stage: ClassVar[str] = "estimate"
    needs: ClassVar[str] = "times"
    instead: ClassVar[str] = "rank_profile is of scores"
    kind: Literal["time_profiles"] = "time_profiles"
    thresholds: Annotated[
        Thresholds,
        Field(
            examples=["{from: 1.1, to: 8, count: 70}"],
            description="Factors of the fastest method's time, at least 1, as the grid of a curve.",
        ),
    ]
    algorithms: Algorithms | None = None
