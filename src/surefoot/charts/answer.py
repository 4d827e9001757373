"""The answer of a question that has neither a chart nor a table of its own."""

from collections.abc import Mapping
from typing import Any

import pandas as pd


def table(tables: Mapping[str, pd.DataFrame], settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """The numbers as they are, of the table that `settings["answer"]` names."""
    return None, tables[settings["answer"]]
