"""How the percentiles of single runs under the weights of the score are shown."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.headline import headline
from surefoot.charts.selection import rounded, table_or_empty, titles, with_titles
from surefoot.charts.sentences import counted
from surefoot.result_tables import Tables
from surefoot.rounding import written

TABLE = "aggregate/run_percentiles"
_COLUMNS = ("algorithm", "mean", "quantile_05", "quantile_25", "quantile_50", "quantile_75", "quantile_95")
NOT_ASKED = "This study does not ask for the percentiles of single runs."


def chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """How the percentiles of each algorithm's runs are distributed: 5 to 95 %, 25 to 75 %, median and mean.

    Columns algorithm, title, mean, and the quantiles.
    """
    description = "Distribution of the performance percentiles of the runs of each algorithm, best mean first"
    numbers = with_titles(table_or_empty(tables, TABLE, _COLUMNS), settings)
    if numbers.empty:
        return theme.finish(theme.message(NOT_ASKED), description), numbers
    numbers = numbers.sort_values("mean", ascending=False, kind="stable", ignore_index=True)
    style = theme.styles(["sarsa"])["sarsa"]
    axis: dict[str, Any] = {"title": "performance percentile of a run", "scale": alt.Scale(domain=[0, 1])}
    base = alt.Chart(rounded(numbers)).encode(
        y=alt.Y("title:N", sort=list(numbers["title"]), title=None),
        tooltip=[
            alt.Tooltip("title:N", title="algorithm"),
            alt.Tooltip("mean:Q", title="mean"),
            *(alt.Tooltip(f"{name}:Q", title=f"{name[-2:]} % of the runs below") for name in _COLUMNS[2:]),
        ],
    )
    chart = alt.layer(
        base.mark_rule(strokeWidth=1.5, color=style.colour).encode(
            x=alt.X("quantile_05:Q", **axis), x2="quantile_95:Q"
        ),
        base.mark_bar(height=9, color=style.colour, opacity=0.45).encode(x="quantile_25:Q", x2="quantile_75:Q"),
        base.mark_tick(thickness=2, size=13, color=theme.INK).encode(x="quantile_50:Q"),
        base.mark_point(filled=True, size=45, opacity=1, color="#d7500f", shape="diamond").encode(x="mean:Q"),
    ).properties(width=theme.WIDTH - 130, height=24 * len(numbers))
    said = finding(tables[TABLE], settings)
    return theme.finish(headline(chart, said), f"{said} {description}."), numbers


def finding(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """How far the runs of the best algorithm lie apart, and how many others are mostly below all of them."""
    names = titles(numbers["algorithm"], settings, "algorithm")
    first = numbers.sort_values("mean", ascending=False, kind="stable").iloc[0]
    below = int((numbers["quantile_95"] < first["quantile_05"]).sum())
    others = counted(len(numbers) - 1, "other algorithm")
    many = f"{below or 'none'} {'has' if below < 2 else 'have'}"
    return (
        f"Half of the runs of {names[first['algorithm']]}, the best, have a percentile between "
        f"{written(first['quantile_25'], '.2f')} and {written(first['quantile_75'], '.2f')}, and one in twenty at most "
        f"{written(first['quantile_05'], '.2f')}. Of {others}, {many} 95 % of the runs below even that."
    )
