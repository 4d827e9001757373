"""Leaderboards of published benchmarks: intervals, and letters that show which algorithms are not separated."""

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.forms import row_chart
from surefoot.charts.theme import headline
from surefoot.rounding import joined

BENCHMARKS = {
    "atari_100k": ("Atari 100k", "human-normalized score"),
    "ale_200m": ("Atari 200M", "human-normalized score"),
    "dm_control_100k": ("DM Control 100k", "return / 1,000"),
    "dm_control_500k": ("DM Control 500k", "return / 1,000"),
    "procgen": ("Procgen", "min-max score"),
}
"""Title of each benchmark, and its scale."""
_WIDTH = 230


def leaderboard_numbers(standings: pd.DataFrame, *, benchmark: str) -> pd.DataFrame:
    """Return the standings of a benchmark, with ranks as text."""
    rows = standings[standings["benchmark"] == benchmark].drop(columns="benchmark").reset_index(drop=True)
    ends = rows[["rank_low", "rank_high"]].itertuples(index=False)
    rows.insert(0, "rank", [f"{low} to {high}" if low < high else f"{low}" for low, high in ends])
    return rows


def leaderboard(standings: pd.DataFrame, *, benchmark: str) -> alt.TopLevelMixin:
    """Draw the IQM of each algorithm of a benchmark with its interval and letters, best first.

    Parameters
    ----------
    standings : the record of all leaderboards (`benchmarks/leaderboards.py`)
    benchmark : name of the benchmark in the record
    """
    title, scale = BENCHMARKS[benchmark]
    rows = leaderboard_numbers(standings, benchmark=benchmark)
    best = rows.loc[rows["tied_with_best"], "algorithm"].tolist()
    names = (rows["algorithm"] + "\u2002" + rows["group_letters"]).tolist()
    data = rows[["low", "high"]].assign(estimate=rows["iqm"], title=names)
    data["colour"] = list(theme.colours(dict(zip(rows["algorithm"], names, strict=True))).values())
    # As wide as a phone; the table below has the ranks.
    chart = row_chart(data, names, f"IQM of the {scale}").properties(width=_WIDTH)
    finding = f"{joined(best)} {'are tied for' if len(best) > 1 else 'has'} the best IQM on {title}"
    description = f"{finding}. Algorithms that share a letter are not separated; bars: 95 % intervals."
    return theme.finish(headline(chart, finding), description)


def leaderboard_tasks(tasks: pd.DataFrame, *, benchmark: str) -> pd.DataFrame:
    """Tabulate the mean of each algorithm in each environment of a benchmark, with letters.

    Returns
    -------
    columns environment, algorithm, mean, group_letters (algorithms that share a letter are not separated in this
    environment; adjusted for all environments)
    """
    return tasks[tasks["benchmark"] == benchmark].drop(columns="benchmark").reset_index(drop=True)
