r"""The success rate of each algorithm in each environment.

formula : The mean of the runs' rates. Numbers of successes are beta-binomial with mean $\mu$ and overdispersion $\rho$,
    the correlation of two trials of a run; the limits are the $\alpha/2$ and $1 - \alpha/2$ posterior quantiles of
    $\mu$, with a uniform prior of $\rho$ and the priors $\mu^{-1}$ for the lower and $(1 - \mu)^{-1}$ for the upper
    limit.
assumes : Runs are independent; trials of one run need not be.
guarantee : With one trial per run at least the stated confidence (Clopper and Pearson), else approximate; for each rate
    alone.
interval : limits of beta-binomial rates
in a paper : We report the success rate of each algorithm in each environment, with {intervals}.
not for : A single run, which cannot show how much runs differ.
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
