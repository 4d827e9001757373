"""How steps of training are called: frames in millions, percents of the steps of each environment, or steps."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

STEP = "step"
"""What they are counted in where it is neither frames nor percents."""


def steps_column(table: pd.DataFrame) -> str:
    """The column of a table of curves that says when along the training a value was taken."""
    return "frames" if "frames" in table else "step"


def steps_title(column: str, settings: Mapping[str, Any]) -> str:
    """What the steps of this column are counted in."""
    if column == "frames":
        return "million frames"
    percents = any(source.get("along") == "percent" for source in settings["sources"].values())
    return "percent of the steps" if percents else STEP


def at_step(value: float, column: str, settings: Mapping[str, Any]) -> str:
    """A step, as a sentence names it after "at" or "from"."""
    unit = steps_title(column, settings)
    return f"step {value:,.0f}" if unit == STEP else f"{value:,.6g} {unit}"
