"""Axes that many charts share: numbers of runs, and steps of training."""

import altair as alt
import pandas as pd

from surefoot.charts.steps import STEP


def run_numbers_axis(numbers: pd.Series, title: str = "number of runs") -> alt.X:
    """Logarithmic, with a tick at each number of runs that was tried; numbers between them say nothing of the curves.

    numbers : the column of the numbers, by its name
    """
    tried = sorted({float(number) for number in numbers})
    return alt.X(f"{numbers.name}:Q", title=title, scale=alt.Scale(type="log", nice=False), axis=alt.Axis(values=tried))


def steps_axis(column: str, title: str = STEP) -> alt.X:
    """Steps in thousands or millions ("200k", "1M"), which leave room for the last one; other units as they are."""
    axis = alt.Axis(format="~s", tickCount=5) if title == STEP else alt.Axis(tickCount=5)
    return alt.X(f"{column}:Q", title=title, axis=axis)
