"""The published numbers beside ours, once for all figures, pages and checks."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from surefoot.papers.jordan2020.comparison import comparison
from surefoot.papers.jordan2020.recorded import record_comparison
from surefoot.result_tables import Tables


def run(tables: Tables, settings: Mapping[str, Any]) -> pd.DataFrame:
    """The comparison of this run."""
    return comparison(tables)


def record(tables: Tables, settings: Mapping[str, Any]) -> pd.DataFrame:
    """The comparison of the large run's record."""
    return record_comparison(tables)
