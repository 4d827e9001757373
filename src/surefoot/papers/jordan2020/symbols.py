"""Table 3: the symbols of the paper, as Markdown with formulas."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from surefoot.result_tables import Tables

SYMBOLS = (
    (r"$\mathcal{A}$, $\mathcal{M}$", r"algorithms and environments of the evaluation"),
    (r"$X_{i,j}$, $T_{i,j}$", r"performance of algorithm $i$ in environment $j$, and the number of its trials"),
    (r"$x_{i,j,t}$", r"the $t$-th of its samples, in ascending order"),
    (r"$\mathcal{D}$", r"all samples"),
    (r"$F_{X_{i,j}}$, $\hat{F}_{X_{i,j}}$", r"distribution function of the performance, and the empirical one"),
    (r"$F^{-}_{X_{i,j}}$, $F^{+}_{X_{i,j}}$", r"limits of it"),
    (
        r"$z_{i,j,k}$",
        r"performance percentile of algorithm $i$ in environment $j$ against algorithm $k$: "
        r"$\mathbf{E}[F_{X_{k,j}}(X_{i,j})]$",
    ),
    (r"$Z^{-}_{i,j,k}$, $Z^{+}_{i,j,k}$", r"limits of it"),
    (r"$y_i$, $Y^{-}_i$, $Y^{+}_i$", r"aggregate score of algorithm $i$ and its limits"),
    (r"$\delta$", r"probability that some limit may fail"),
    (
        r"$s_1$, $s_2$, $s$",
        r"a choice of player $p$ (an algorithm), of player $q$ (an environment and an opponent), and both",
    ),
    (r"$p$, $q$", r"how often each player makes which choice"),
    (r"$u_p(s)$, $u_q(s)$", r"payoffs: $u_p(s) = z_{i,j,k}$ and $u_q(s) = -u_p(s)$"),
    (r"$u^{-}_l(s)$, $u^{+}_l(s)$", r"limits of the payoff of player $l$"),
)


def table_3(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """The symbols of the paper and of this page (Table 3): columns symbol, meaning."""
    return None, pd.DataFrame(SYMBOLS, columns=["symbol", "meaning"])
