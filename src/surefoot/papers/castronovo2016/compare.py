"""The published scores beside ours, once for all figures, pages and checks."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from surefoot.papers.castronovo2016.comparison import comparison
from surefoot.papers.castronovo2016.recorded import recorded
from surefoot.result_tables import Tables


def run(tables: Tables, settings: Mapping[str, Any]) -> pd.DataFrame:
    """The comparison of this run."""
    return comparison(tables, settings)


def record(tables: Tables, settings: Mapping[str, Any]) -> pd.DataFrame:
    """The comparison of the large run's record."""
    return recorded(tables)
