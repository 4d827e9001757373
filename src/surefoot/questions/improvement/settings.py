r"""The probability that a run of one algorithm beats one of another, with intervals.

formula : $P(X > Y) = \frac1M \sum_m P_m$, where $P_m$ is the share of pairs of a run of X and one of Y on task $m$ in
    which X scores more, plus half the share of ties. Limits are symmetric on the scale $\log(P / (1 - P))$, by the sum
    over tasks of Brunner and Munzel's variances $s_X^2 / N + s_Y^2 / K$ of placements, with Student's distribution and
    Satterthwaite's degrees of freedom. With a single task, a single run, or where no run differs, they are those of
    [matched runs](#sec-game-pbp_matchings). Where tasks share runs, the variances are of placements summed over whole
    runs.
assumes : Runs are independent, within a task and across tasks. Where runs are [shared by
    tasks](#sec-question-run_effects), whole runs are.
guarantee : By placements, asymptotic: at 95 %, with 2 to 10 tasks and 3 to 20 runs, they missed in at most 8 % of 400
    simulated studies of each kind. By matched runs, at least the stated confidence. The method percentile is narrower.
    At 95 %, it missed in 12 to 26 % of simulated cases with 2 runs of ten tasks, in 6 to 13 % with 5, and in up to 58 %
    on a single task.
interval : intervals of each pair
with method percentile : The intervals are percentile intervals of the stratified bootstrap, too narrow for few runs.
in a paper : We report the probability that a run of one algorithm scores more than a run of another on the same task,
    averaged over tasks[, for {pairs}][, among {algorithms}], with {intervals} (method: {method})[,
    {shared_runs}].[ Scores are rounded
    to {decimals} decimals before they are compared.]
not for : The size of an improvement: an algorithm that is always slightly better has probability 1.
source : agarwal2021, section 4.3 and appendix A.7; mann1947; brunner2000
"""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from surefoot.questions.settings import (
    Algorithms,
    Decimals,
    Pairs,
    QuestionSettings,
    Replicates,
    SharedRuns,
)


class Settings(QuestionSettings):
    """The probability that a run of one algorithm beats one of another, with intervals."""

    stage: ClassVar[str] = "estimate"
    pools_tasks: ClassVar[bool] = False
    several_sets: ClassVar[bool] = True
    kind: Literal["improvement"] = "improvement"
    algorithms: Algorithms | None = None
    pairs: Pairs | None = None
    decimals: Decimals | None = None
    method: Annotated[
        Literal["placements", "percentile"],
        Field(
            description="Of the intervals: placements, Brunner and Munzel's variances, with one task matched runs; "
            "percentile, of the bootstrap, as in the paper, too narrow for few runs."
        ),
    ] = "placements"
    shared_runs: SharedRuns = "auto"
    replicates: Replicates | None = None
