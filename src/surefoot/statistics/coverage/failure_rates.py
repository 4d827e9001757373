"""How often intervals fail, as counted in simulated data sets, and what the count says of a promised level."""

import pandas as pd
from scipy.special import betaincinv

from surefoot.errors import HintedError

CONFIDENCE = 0.95
HOLDS, OPEN, FAILS = "holds", "open", "fails"
"""What a count says of the nominal rate: the true rate is below it, may be on either side, is above it."""


def with_failure_rates(counts: pd.DataFrame) -> pd.DataFrame:
    """The table with the failure rates behind its counts, their limits, and what they say of the nominal rate.

    Parameters
    ----------
    counts : columns failures, datasets and nominal, the failure rate that the interval promises not to exceed

    Returns
    -------
    the same with the columns failure_rate, failure_rate_low and failure_rate_high (limits of the true rate at 95 %,
    each exact and wrong in at most 2.5 % of simulations: Clopper and Pearson, Biometrika 26, 1934), and outcome:
    "holds" where the upper limit is at most the nominal rate, "fails" where the lower one exceeds it, "open" between

    Raises
    ------
    ValueError : more failures than data sets, or negative ones
    """
    failures, datasets = counts["failures"].to_numpy(float), counts["datasets"].to_numpy(float)
    wrong = (failures < 0) | (failures > datasets)
    if wrong.any():
        fault = f"{failures[wrong][0]:g} failures in {datasets[wrong][0]:g} data sets"
        raise HintedError("failure rates", fault, f"0 to {datasets[wrong][0]:g}")
    tail = (1.0 - CONFIDENCE) / 2.0
    kept = datasets - failures
    # The beta distribution's parameters must be positive; where they are not, the limit is an end of [0, 1].
    low = betaincinv(failures.clip(min=1.0), kept + 1.0, tail)
    high = betaincinv(failures + 1.0, kept.clip(min=1.0), 1.0 - tail)
    rates = counts.assign(
        failure_rate=failures / datasets,
        failure_rate_low=pd.Series(low, counts.index).where(failures > 0, 0.0),
        failure_rate_high=pd.Series(high, counts.index).where(kept > 0, 1.0),
    )
    outcome = pd.Series(OPEN, counts.index)
    outcome = outcome.mask(rates["failure_rate_high"] <= counts["nominal"], HOLDS)
    return rates.assign(outcome=outcome.mask(rates["failure_rate_low"] > counts["nominal"], FAILS))
