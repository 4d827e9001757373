"""Charts and findings. The probability that one algorithm improves on another, and the ranks of several."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import origin, theme
from surefoot.charts.forms import best_of_many, heat_table, row_chart, with_count
from surefoot.charts.names import SCORES, named, titles_of
from surefoot.charts.sentences import briefly, by_whole_runs, estimate, percent
from surefoot.rounding import joined, written
from surefoot.statistics.runs.run_effects import sharing_sentence


@origin.of_analysis
def pairs_chart(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> origin.Described:
    """Probability that x improves on y, of claimed pairs, with intervals."""
    return _pair_rows(numbers, settings), _described(numbers, settings), numbers


@origin.of_analysis
def improvement_chart(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> origin.Described:
    """Probability of improvement of each pair of algorithms, the better one first: a row a pair with its interval, or
    where there are many a table with a row and a column for each algorithm."""
    titles = titles_of([*numbers["x"], *numbers["y"]], settings)
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
    tooltip = {"row": "better", "column": "other", "value": "probability"}
    tooltip |= {"low": "low", "high": "high", "ties": "share of ties"}
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
    titles = titles_of([*numbers["x"], *numbers["y"]], settings)
    data = numbers[["value", "low", "high"]]
    data = data.assign(title=numbers["x"].map(titles) + " over " + numbers["y"].map(titles))
    data = data.sort_values("value", ascending=False, kind="stable")
    data["colour"] = [theme.LINE if low <= 0.5 else theme.STRONG for low in data["low"]]
    texts = [estimate(row.value, row.low, row.high) for row in data.itertuples()]
    return row_chart(data, list(data["title"]), "probability", reference=0.5, beside={"with interval": texts})


def _described(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    titles, level = titles_of([*numbers["x"], *numbers["y"]], settings), percent(settings["confidence"])
    return f"Probability of improvement of pairs of {joined(list(titles.values()))} with {level} intervals"


def improvement_finding(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Say whose runs beat those of every other algorithm more often than not, which of the intervals exclude one half,
    and whether tasks share runs."""
    text = _probabilities(table, settings)
    if "shared_runs" not in table:  # as in tables that were recorded before
        return text
    method = settings["questions"].get(settings["analysis"], {}).get("method", "placements")
    assumed = "percentile" if method == "percentile" else "student"
    p_values = table.get("shared_runs_p_value", ())
    text = f"{text} {sharing_sentence(table['shared_runs'], int(table['runs'].min()), assumed, p_values=p_values)}"
    pairs = _one_way(table)
    return text.strip() + (by_whole_runs(pairs.iloc[0], "the interval") if len(pairs) == 1 else "")


def _probabilities(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    titles, pairs = titles_of([*table["x"], *table["y"]], settings), _one_way(table)
    unsure = pairs[~(pairs["low"] > 0.5)]
    if len(pairs) == 1:
        row = pairs.iloc[0]
        probability = estimate(row["value"], row["low"], row["high"], ".2f")
        both = f"A run of {titles[row['x']]} beats one of {titles[row['y']]}"
        return f"{both} with probability {probability}. The interval {'includes' if len(unsure) else 'excludes'} 0.5."
    wins = pairs[pairs["value"] > 0.5].groupby("x").size()
    # Percentile intervals have no p-values, and hold separately; so do those that were recorded before.
    together = "p_value" in pairs and pairs["p_value"].notna().any()
    held = f"Together at {percent(settings['confidence'])}" if together else "Each taken alone"
    sure = pairs[pairs["low"] > 0.5]
    text = f"{held}, {len(sure) or 'none'} of the intervals of {len(pairs)} pairs exclude{'s' * (len(sure) < 2)} 0.5"
    fewer = min(sure, unsure, key=len)
    names = [f"{titles[x]} over {titles[y]}" for x, y in zip(fewer["x"], fewer["y"], strict=True)]
    text += f"{': ' if fewer is sure else '; not '}{joined(names)}." if names else "."
    if wins.max() != len(titles) - 1:  # nor of no pair that differs
        return text
    own = pairs.loc[pairs["x"] == wins.idxmax(), "value"]
    least, most = (written(float(end), ".2f") for end in (own.min(), own.max()))
    probability = least if least == most else f"{least} to {most}"
    name = titles[wins.idxmax()]
    if wins.idxmax() in set(unsure["x"]):
        return f"By estimate, a run of {name} beats one of any other with probability {probability}. {text}"
    return f"A run of {name} beats one of any other algorithm with probability {probability}. {text}"


_ROWS = 15
"""So many pairs have a row each."""


@origin.of_analysis
def ranks_chart(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> origin.Described:
    """The probability of each rank of each algorithm, averaged over tasks: a row an algorithm, the best mean rank
    first, and a panel a set of scores."""
    own = numbers[numbers["environment"] == ""]
    mean_ranks = (own["rank"] * own["value"]).groupby(own["algorithm"], sort=False).sum().sort_values(kind="stable")
    drawn = best_of_many(mean_ranks.index)
    titles = titles_of(drawn, settings)
    own = own[own["algorithm"].isin(drawn)]
    cells = own[["value"]].assign(
        row=own["algorithm"].map(titles),
        column=own["rank"].astype(str),
        written=[f"{100 * value:.0f}" if value >= 0.005 else "" for value in own["value"]],
    )
    ranks = [str(rank) for rank in range(1, int(own["rank"].max()) + 1)]
    if own["scores"].nunique() > 1:
        cells["panel"] = named(SCORES, own["scores"])
    tooltip = {"row": "algorithm", "column": "rank", "value": "probability"}
    chart = heat_table(cells, [*titles.values()], ranks, tooltip, heading="% of runs with each rank")
    chart = with_count(chart, len(drawn), len(mean_ranks), "mean rank")
    return chart, f"Distribution of the rank of {', '.join(titles.values())}", numbers


def ranks_finding(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Whose run comes first most often, and whose next: among the given runs, since there is no interval."""
    first = table[(table["environment"] == "") & (table["rank"] == 1)]
    first = first.sort_values("value", ascending=False, kind="stable")
    titles = titles_of(first["algorithm"], settings)
    shares = [percent(float(written(value, ".2f"))) for value in first["value"]]
    names = [titles[name] for name in first["algorithm"]]
    alike = [name for name, share in zip(names, shares, strict=True) if share == shares[0]]
    if len(alike) > 1:
        return f"With one run each, {briefly(alike)} come first about equally often ({shares[0]})."
    second = f", {names[1]} with {shares[1]}" if len(names) > 1 else ""
    return f"With one run each, {names[0]} comes first with probability {shares[0]}{second}."
