"""Check of the paper's claim against the published means. This module imports no charts."""

from collections.abc import Mapping

import pandas as pd

from surefoot.statistics.reproduction.published_comparison import COLUMNS, THEIRS, compare

BASELINE = "lambda_ac"
"""Name of PPO in the published means."""
_SEVERAL = 2


def comparison(published: pd.DataFrame, answers: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Check the claim that several variants that improve on PPO rely more on tuning.

    The public file has no single runs, so it may support the claim but cannot decide it.

    Parameters
    ----------
    published : columns item, published, tolerance
    answers : result of `hyperparameter_sensitivity`, as "sensitivity"
    """
    if "sensitivity" not in answers:
        return pd.DataFrame(columns=list(COLUMNS))
    values = answers["sensitivity"].pivot(index="algorithm", columns="quantity", values="estimate")
    if BASELINE not in values.index:
        return pd.DataFrame(columns=list(COLUMNS))
    better = values[values["tuned"] > values.loc[BASELINE, "tuned"]]
    relying = (better["sensitivity"] > values.loc[BASELINE, "sensitivity"]).sum()
    ours = pd.DataFrame({"item": ["claim/reliance"], "ours": [float(relying >= _SEVERAL)]})
    ours = ours.assign(standard_error=float("nan"), runs=float("nan"), undecided=True, detectable=float("inf"))
    return compare(published, ours).assign(undecided_by=THEIRS)
