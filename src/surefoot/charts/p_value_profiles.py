"""Charts of profiles of methods by the p-values of a test."""

from collections.abc import Mapping, Sequence

import altair as alt
import pandas as pd

from surefoot.charts.curves import curve_chart
from surefoot.charts.headline import of_classes

_X = "\N{MINUS SIGN}log10(τ)"
_Y = "fraction of games with p-value ≥ τ"


def p_value_profile(
    data: pd.DataFrame,
    panels: Sequence[str],
    titles: Mapping[str, str] | None = None,
    among: Sequence[str] | None = None,
) -> alt.TopLevelMixin:
    """Curves of the fraction of games with a p-value of at least a threshold, one a method.

    Parameters
    ----------
    data : columns method, threshold, fraction, and panel where there are panels
    panels : in order; none for a single chart
    titles : of the methods; their names without it
    among : all methods that have colours, in order, where not all of them are shown
    """
    titles = titles or {name: name for name in data["method"].unique()}
    data = data.assign(algorithm=data["method"], value=data["fraction"])
    columns = ["algorithm", "threshold", "value", *(["panel"] if panels else [])]
    x = alt.X("threshold:Q", title=_X, scale=alt.Scale(nice=False))
    y = alt.Y("value:Q", title=_Y, scale=alt.Scale(domain=[0, 1]))
    return of_classes(curve_chart(data[columns], titles, x, y, panels, height=280, among=among))
