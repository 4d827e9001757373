"""What this run simulated at a small scale, beside the record of a larger run."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from surefoot.charts import origin
from surefoot.charts.selection import numbers_of_analysis
from surefoot.result_tables import Tables

SIMULATED = {
    "simulated_subsamples": "expected median and IQM of N runs",
    "simulated_lifts": "observed lifts",
    "simulated_trimmed": "errors of trimmed means",
    "simulated_coverage": "coverage of intervals",
}
_KEYS = ("algorithm", "metric", "method", "size", "lift", "fraction", "resampled", "replacement", "level")
_ERRORS = ("mean_error", "value_error")


def table_record(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """A row for each analysis that the record has at a larger scale.

    Columns title, here and recorded (subsamples of each), compared (how many numbers), difference (the largest), z (the
    largest in Monte Carlo standard errors of the difference; empty where no errors are known).
    """
    rows = []
    for analysis, title in SIMULATED.items():
        larger, own = numbers_of_analysis(tables, f"{origin.RECORDED}{analysis}"), numbers_of_analysis(tables, analysis)
        if larger is not None and own is not None:
            here = settings["questions"][analysis]["datasets"]
            recorded = int(tables["record"].set_index("analysis").loc[analysis, "datasets"])
            rows.append((title, here, recorded, *_compared(own, larger)))
    return None, pd.DataFrame(rows, columns=["title", "here", "recorded", "compared", "difference", "z"])


def _compared(own: pd.DataFrame, larger: pd.DataFrame) -> tuple[int, float, float]:
    """(numbers compared, greatest difference, greatest in standard errors or NaN)."""
    keys = [key for key in _KEYS if key in own and key in larger]
    both = own.merge(larger, on=keys, suffixes=("", "_recorded"), validate="1:1")
    difference = (both["value"] - both["value_recorded"]).abs()
    errors = next((name for name in _ERRORS if name in own), None)
    if errors is None or both.empty:
        return len(both), difference.max(), np.nan
    joint = np.hypot(both[errors], both[f"{errors}_recorded"])
    # A fraction of 0 or 1 has no error of its own.
    return len(both), difference.max(), (difference / joint)[joint > 0].max()
