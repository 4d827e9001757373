"""What results different tuning procedures report.

formula : Three procedures are repeated with everything drawn anew: the mean of one run of each candidate; runs of the
    candidate with the best mean of a few runs; and the mean of one fresh run of the best so far, over all iterations
    of the tuning.
assumes : Candidates are drawn from the same distribution of hyperparameters.
guarantee : None: it shows what each procedure reports, and how much that varies compared with the error it states.
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
    candidates: Annotated[Count, Field(description="How many draws of hyperparameters one tuning tries.")] = 10
    tuning_runs: Annotated[
        Count, Field(description="Runs of each candidate, whose mean decides which is the best.")
    ] = 3
    reported_runs: Annotated[
        SeveralRuns, Field(description="Further runs of the best candidate, which are reported.")
    ] = 5
    repetitions: Annotated[
        SeveralRuns,
        Field(
            description="How often the tuning is repeated, with other draws of candidates and runs out of those "
            "there are."
        ),
    ] = 1000
