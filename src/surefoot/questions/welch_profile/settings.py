r"""On how many tasks each method is how close to the best, by Welch's test of published means.

formula : $\rho_m(\tau)$, the fraction of tasks on which $-\log_{10} p < \tau$, $p$ the one-sided p-value of Welch's
    test that the best method $b$ there is better than method $m$: $t = (\bar x_b - \bar x_m) / \sqrt{v_b + v_m}$ with
    $v = (s + 10^{-6})^2 / N$ and $(v_b + v_m)^2 / \left( v_b^2 / (N_b - 1) + v_m^2 / (N_m - 1) \right)$ degrees of
    freedom; the notebook's, beside it, have $N v^2$ for each $v^2$ in the denominator. The best method has $-\log_{10}
    p = 0$.
assumes : The published means and standard deviations are of runs that are independent and nearly normal.
guarantee : None beyond that of each test; the best is chosen from the same numbers.
in a paper : On each task we compare each of {algorithms} with the best one by Welch's test of the published means and
    standard deviations, and report the fraction of tasks on which $-\log_{10} p$ is below [thresholds of {thresholds}].
not for : The size of a difference: with many runs, even a tiny difference puts a method far away.
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
