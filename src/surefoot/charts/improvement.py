"""Charts and findings. The probability that one algorithm improves on another, and the ranks of several."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import origin, theme
from surefoot.charts.curves import best_of_many, with_count
from surefoot.charts.forms import heat_table, row_chart
from surefoot.charts.names import SCORES, named, shown
from surefoot.charts.sentences import briefly, joined, percent
from surefoot.rounding import written
from surefoot.statistics.runs.sharing import sharing_sentence


@origin.of_analysis
def pairs_chart(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> origin.Described:
    """Probability that x improves on y, of claimed pairs, with intervals."""
    return _pair_rows(numbers, settings), _described(numbers, settings), numbers


@origin.of_analysis
def improvement_chart(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> origin.Described:
    """Probability of improvement of each pair of algorithms, the better one first: a row a pair with its interval, or
    where there are many a table with a row and a column for each algorithm."""
    titles = shown([*numbers["x"], *numbers["y"]], settings)
    better = _one_way(numbers)
    wins = better.groupby("x")["value"].sum().reindex(list(titles), fill_value=0.0)
    drawn = best_of_many(wins.sort_values(ascending=False, kind="stable").index)
    better = better[better["x"].isin(drawn) & better["y"].isin(drawn)]
    if len(better) <= _ROWS:
        return _pair_rows(better, settings), _described(numbers, settings), numbers
    cells = better[["value", "low", "high", "ties"]].assign(
        row=better["x"].map(titles),
        column=better["y"].map(titles),
        written=better["value"].map("{:.2f}".format).str.removeprefix("0"),
    )
    tooltip = {"row": "better", "column": "other"} | _TOLD
    names = [titles[name] for name in drawn]
    chart = heat_table(cells, names, names, tooltip, heading="is beaten with this probability", strong=(0.5, 1.0))
    return with_count(chart, len(drawn), len(titles), "the mean probability"), _described(numbers, settings), numbers


def _one_way(numbers: pd.DataFrame) -> pd.DataFrame:
    """Each pair once, as x and y the better of the two and the other."""
    turned = {"x": numbers["y"], "y": numbers["x"], "value": 1 - numbers["value"]}
    turned |= {"low": 1 - numbers["high"], "high": 1 - numbers["low"]}
    # A pair that was asked for one way tells the other way too, as ties count half.
    both = pd.concat([numbers, numbers.assign(**turned)], ignore_index=True).drop_duplicates(["x", "y"])
    better = both[(both["value"] > 0.5) | ((both["value"] == 0.5) & (both["x"] < both["y"]))]
    return better.sort_values("value", ascending=False, kind="stable")


def _pair_rows(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> alt.LayerChart | alt.FacetChart:
    titles = shown([*numbers["x"], *numbers["y"]], settings)
    data = numbers[["value", "low", "high", "ties"]]
    data = data.assign(title=numbers["x"].map(titles) + " over " + numbers["y"].map(titles))
    data = data.sort_values("value", ascending=False, kind="stable")
    colours = [theme.LINE if low <= 0.5 else theme.STRONG for low in data["low"]]
    scale = alt.Scale(domain=list(data["title"]), range=colours)
    tooltip = {"title": "pair"} | _TOLD
    chart = row_chart(data, scale.domain, scale, "probability", tooltip, reference=0.5, domain=(0.0, 1.0))
    return theme.of_classes(chart)


def _described(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    titles, level = shown([*numbers["x"], *numbers["y"]], settings), percent(settings["confidence"])
    return f"Probability of improvement of pairs of {joined(list(titles.values()))} with {level} intervals"


def improvement_finding(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Whose runs beat those of every other algorithm more often than not, which of the intervals, each taken alone, lie
    above one half, and whether tasks share runs."""
    found = _found(table, settings)
    if "shared_runs" not in table:  # as in tables that were recorded before
        return found
    method = settings["questions"].get(settings["analysis"], {}).get("method", "placements")
    said = sharing_sentence(
        table["shared_runs"], int(table["runs"].min()), "percentile" if method == "percentile" else "student"
    )
    return f"{found} {said}".strip()


def _found(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    titles = shown([*table["x"], *table["y"]], settings)
    pairs = _one_way(table)
    for x in titles:
        own = pairs[(pairs["x"] == x) & (pairs["value"] > 0.5)]
        if len(own) == len(titles) - 1:
            return _of_winner(own, titles)
    leaves = pairs["low"] > 0.5
    if len(pairs) == 1:
        row, found = pairs.iloc[0], "excludes" if leaves.all() else "includes"
        return f"A run of {titles[row['x']]} beats one of {titles[row['y']]} {_with_interval(row)}. That {found} 0.5."
    told = f"{leaves.sum() or 'None'} of {len(pairs)} pairs {'has' if leaves.sum() < 2 else 'have'} an interval"
    told = f"{told} that excludes 0.5."
    if len(pairs) < len(titles) * (len(titles) - 1) // 2:
        return told
    return f"No algorithm beats every other more often than not. {told}"


def _of_winner(own: pd.DataFrame, titles: Mapping[str, str]) -> str:
    """What the probabilities of one algorithm, all above one half, and their intervals say."""
    name = titles[own["x"].iloc[0]]
    if len(own) == 1:
        row = own.iloc[0]
        sure = "" if row["low"] > 0.5 else " That includes 0.5."
        return f"A run of {name} beats one of {titles[row['y']]} {_with_interval(row)}.{sure}"
    least, most = (written(float(value), ".2f") for value in (own["value"].min(), own["value"].max()))
    span = least if least == most else f"{least} to {most}"
    told = f"A run of {name} beats one of any other algorithm with probability {span}."
    unsure = own.loc[~(own["low"] > 0.5), "y"]
    if unsure.empty:
        return f"{told} Every interval, taken alone, lies above 0.5."
    if len(unsure) == len(own):
        return f"{told} Every interval includes 0.5."
    return f"{told} The interval against {joined([titles[other] for other in unsure])} includes 0.5."


def _with_interval(row: pd.Series) -> str:
    value, low, high = (written(float(row[end]), ".2f") for end in ("value", "low", "high"))
    return f"with probability {value} ({low} to {high})"


_TOLD = {"value": "probability", "low": "low", "high": "high", "ties": "share of ties"}
_ROWS = 15
"""So many pairs have a row each."""


@origin.of_analysis
def ranks_chart(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> origin.Described:
    """The probability of each rank of each algorithm, averaged over tasks: a row an algorithm, the best mean rank
    first, and a panel a set of scores."""
    own = numbers[numbers["environment"] == ""]
    mean_ranks = (own["rank"] * own["value"]).groupby(own["algorithm"], sort=False).sum().sort_values(kind="stable")
    drawn = best_of_many(mean_ranks.index)
    titles = shown(drawn, settings)
    own = own[own["algorithm"].isin(drawn)]
    cells = own[["value"]].assign(
        panel=named(SCORES, own["scores"]),
        row=own["algorithm"].map(titles),
        column=own["rank"].astype(str),
        written=[f"{100 * value:.0f}" if value >= 0.005 else "" for value in own["value"]],
    )
    ranks = [str(rank) for rank in range(1, int(own["rank"].max()) + 1)]
    panels = list(dict.fromkeys(cells["panel"]))
    tooltip = {"row": "algorithm", "column": "rank", "value": "probability"}
    several = panels if len(panels) > 1 else ()
    chart = heat_table(cells, [*titles.values()], ranks, tooltip, heading="% of runs with each rank", panels=several)
    chart = with_count(chart, len(drawn), len(mean_ranks), "mean rank")
    return chart, f"Distribution of the rank of {', '.join(titles.values())}", numbers


def ranks_finding(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Whose run comes first most often, and whose next: among the runs at hand, since there is no interval."""
    first = table[(table["environment"] == "") & (table["rank"] == 1)]
    first = first.sort_values("value", ascending=False, kind="stable")
    titles = shown(first["algorithm"], settings)
    told = [
        (titles[name], percent(float(written(value, ".2f"))))
        for name, value in zip(first["algorithm"], first["value"], strict=True)
    ]
    (best, share), *others = told
    alike = [name for name, other in told if other == share]
    if len(alike) > 1:
        return f"With one run each, {briefly(alike)} come first about equally often ({share})."
    text = f"With one run each, {best} comes first with probability {share}"
    return f"{text}, {others[0][0]} with {others[0][1]}." if others else f"{text}."
