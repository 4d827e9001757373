r"""How close each method is to the best, and on how many tasks, by Welch's test of published means.

formula : $\rho_m(\tau)$, the fraction of tasks on which $-\log_{10}\, p < \tau$, with the one-sided p-value $p$ of
    Welch's test that the best method $b$ there beats method $m$: $t = (\bar x_b - \bar x_m) / \sqrt{v_b + v_m}$, $v =
    (s + 10^{-6})^2 / N$, with $(v_b + v_m)^2 / \left( v_b^2 / (N_b - 1) + v_m^2 / (N_m - 1) \right)$ degrees of
    freedom; the published notebook's, beside them, have $N v^2$ for each $v^2$ in the denominator. The best method has
    $-\log_{10}\, p = 0$.
assumes : Runs are independent and scores nearly normal.
guarantee : Approximate, for each test alone; as the best method is chosen by the same numbers, p-values are no error
    rates.
in a paper : On each task we compare each of {algorithms} with the best one by Welch's test of the published means and
    standard deviations, and report the fraction of tasks on which $-\log_{10}\, p$ is below
    [thresholds of {thresholds}].
not for : The size of a difference: with many runs, even a tiny one counts as far.
source : recht2018; welch1947; dolan2002
"""

from typing import ClassVar, Literal

from surefoot.questions.settings import (
    QuestionSettings,
    TheAlgorithms,
    Thresholds,
)


class Settings(QuestionSettings):
    """How close each method is to the best, and on how many tasks, by Welch's test of published means."""

    stage: ClassVar[str] = "estimate"
    needs: ClassVar[str] = "means"
    instead: ClassVar[str] = "rank_profile is of runs"
    kind: Literal["welch_profile"] = "welch_profile"
    algorithms: TheAlgorithms
    thresholds: Thresholds
