"""What success rates say."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from surefoot.charts.names import shown
from surefoot.charts.selection import titles
from surefoot.charts.sentences import percent
from surefoot.rounding import written


def finding(found: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """The highest and the lowest rate, and how much trials of a run are alike."""
    names, places = shown(found["algorithm"], settings), titles(found["environment"], settings, "environment")
    several = found["environment"].nunique() > 1

    def told(row: Any) -> str:
        where = f" in {places[row.environment]}" if several else ""
        return f"{names[row.algorithm]}{where}, {_share(row.rate)} ({_share(row.low)} to {_share(row.high)})"

    ordered = found.sort_values("rate", ascending=False, kind="stable")
    highest, lowest = (told(next(part.itertuples())) for part in (ordered.head(1), ordered.tail(1)))
    alike = found["overdispersion"].median()
    correlated = "" if pd.isna(alike) else f": trials of one run are correlated ({written(alike, '.2f')} in the median)"
    return (
        f"Highest success rate: {highest}; lowest: {lowest}. The intervals ({percent(settings['confidence'])} each) "
        f"treat runs, not single trials, as independent{correlated}."
    )


def _share(rate: float) -> str:
    return f"{written(100.0 * rate, '.1f')} %"
