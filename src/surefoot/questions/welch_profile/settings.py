r"""On how many tasks each method is how close to the best, by Welch's test of published means.

formula : $\rho_m(\tau)$, the fraction of tasks on which $-\log_{10} p < \tau$, where $p$ is the one-sided p-value of
    Welch's test that the best method $b$ there is better than method $m$: $t = (\bar x_b - \bar x_m) / \sqrt{v_b +
    v_m}$ with $v = (s + 10^{-6})^2 / N$ and $(v_b + v_m)^2 / \left( v_b^2 / (N_b - 1) + v_m^2 / (N_m - 1) \right)$
    degrees of freedom. The published notebook's, given beside them, have $N v^2$ in place of each $v^2$ of the
    denominator. For the best method, $-\log_{10} p = 0$.
assumes : Printed means and standard deviations of runs that are independent and nearly normal.
guarantee : Approximate, for each test alone; the best method is chosen by the same numbers, so p-values are no error
    rates.
not for : The size of a difference: with many runs, even a tiny one puts a method far away.
source : recht2018; welch1947; dolan2002
"""

from typing import ClassVar, Literal

from surefoot.questions.settings import (
    QuestionSettings,
    TheAlgorithms,
    Thresholds,
)


class Settings(QuestionSettings):
    """On how many tasks each method is how close to the best, by Welch's test of published means."""

    stage: ClassVar[str] = "estimate"
    needs: ClassVar[str] = "means"
    instead: ClassVar[str] = "rank_profile is of runs"
    kind: Literal["welch_profile"] = "welch_profile"
    algorithms: TheAlgorithms
    thresholds: Thresholds
