"""What results different tuning procedures report.

formula : Three procedures, everything drawn anew each time: the mean of one run of each candidate; the mean of fresh
    runs of the candidate that did best in a few; and the mean, over the iterations of the tuning, of a fresh run of the
    best candidate so far.
assumes : Candidates are drawn from one distribution of hyperparameters.
guarantee : None: it shows what each procedure reports, and how much that varies beside its stated error.
in a paper : We repeat the tuning of hyperparameters [{repetitions} times], each time with [{candidates} candidates],
    the best of which is chosen by the mean of [{tuning_runs} runs of each] and reported by the mean of [{reported_runs}
    further runs], and compare what three procedures of tuning report.
not for : Algorithms tuned in other ways.
source : jordan2020, section 3; dabney2014
"""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from surefoot.configuration.sections import Count, SeveralRuns
from surefoot.questions.settings import QuestionOfRuns


class Settings(QuestionOfRuns):
    """What results different tuning procedures report."""

    stage: ClassVar[str] = "aggregate"
    uses: ClassVar[tuple[str, ...]] = ("seed",)
    takes: ClassVar[str] = "same_hyperparameters"
    kind: Literal["tuning"] = "tuning"
    source: Annotated[str, Field(description="Name of the source of runs of the same hyperparameters.")] = (
        "same_hyperparameters"
    )
    candidates: Annotated[Count, Field(description="How many hyperparameter settings one tuning tries.")] = 10
    tuning_runs: Annotated[
        Count, Field(description="Runs of each candidate, whose mean decides which is the best.")
    ] = 3
    reported_runs: Annotated[
        SeveralRuns, Field(description="Further runs of the best candidate, which are reported.")
    ] = 5
    repetitions: Annotated[
        SeveralRuns,
        Field(
            description="How often the tuning is repeated, each time with other candidates and runs drawn from the "
            "given ones."
        ),
    ] = 1000
