"""The published numbers beside ours, once for all figures, pages and checks."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from surefoot.papers.agarwal2021.comparison import comparison
from surefoot.result_tables import Tables


def run(tables: Tables, settings: Mapping[str, Any]) -> pd.DataFrame:
    """The comparison of this run; of analyses that it has no scores of, that of the record."""
    return comparison(tables)
