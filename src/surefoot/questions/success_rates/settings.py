r"""The success rate of each algorithm in each environment.

formula : The mean of the runs' rates. The numbers of successes are beta-binomial with the mean $\mu$ and the
    overdispersion $\rho$, the correlation of two trials of a run; the limits are the $\alpha/2$ and $1 - \alpha/2$
    quantiles of posterior distributions of $\mu$, with a uniform prior of $\rho$ and the prior beta(0, 1) of $\mu$ for
    the lower limit, beta(1, 0) for the upper one.
assumes : Runs are independent of each other; trials of one run need not be.
guarantee : With one trial per run, that of Clopper and Pearson's exact limits; else approximate, for each rate alone.
interval : limits of beta-binomial rates
in a paper : We report the success rate of each algorithm in each environment, with {intervals}.
not for : Trials of one run alone, which cannot show how much runs differ.
source : clopper1934; skellam1948
"""

from typing import ClassVar, Literal

from surefoot.questions.settings import QuestionOfRuns


class Settings(QuestionOfRuns):
    """The success rate of each algorithm in each environment, of runs with several trials each.

    The interval is of runs and their beta-binomial numbers of successes: trials of one run are not independent.
    """

    stage: ClassVar[str] = "estimate"
    uses: ClassVar[tuple[str, ...]] = ("confidence",)
    takes: ClassVar[str] = "outcomes"
    kind: Literal["success_rates"] = "success_rates"
