r"""The success rate of each algorithm in each environment.

formula : The mean of the runs' rates $x_i$. The lower limit is the $\alpha/2$ quantile of $\sum_{i=0}^n W_i x_i$ with
    $x_0 = 0$ and weights $W$ uniformly distributed among those that add up to 1, which is computed exactly; the upper
    limit is the same of the fractions of failures. The overdispersion is the analysis of variance's estimate of the
    correlation of two trials of a run.
assumes : Runs are independent; trials of one run need not be, and rates may have any distribution.
guarantee : With one trial per run at least the stated confidence (Clopper and Pearson). With more, the same is a
    conjecture for any number of runs, to which no counterexample is known. At 95 %, it missed in at most 2.5 % of 400
    experiments in each of 19 simulated designs with 3 to 50 runs, some of which collapse, or have beta-distributed
    rates. For each rate alone.
interval : limits of means of bounded rates
in a paper : We report the success rate of each algorithm in each environment, with {intervals}.
not for : A single run, which cannot show how much runs differ.
source : gaffke2005; learnedmiller2019; clopper1934
"""

from typing import ClassVar, Literal

from surefoot.questions.settings import QuestionOfRuns


class Settings(QuestionOfRuns):
    """The success rate of each algorithm in each environment, of runs with several trials each.

    The interval is of the mean of the runs' rates, of any distribution: trials of one run are not independent.
    """

    stage: ClassVar[str] = "estimate"
    uses: ClassVar[tuple[str, ...]] = ("confidence",)
    takes: ClassVar[str] = "outcomes"
    kind: Literal["success_rates"] = "success_rates"
