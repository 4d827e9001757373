"""Charts and summary sentences for the probability of improvement and for ranks."""

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.forms import best_of_many, heat_table, row_chart, with_count
from surefoot.charts.names import SCORES, Titles, named, titles_of
from surefoot.charts.sentences import briefly, by_whole_runs, estimate, percent
from surefoot.rounding import joined, written
from surefoot.statistics.runs.shared_run_sentences import sharing_sentence


def pairs_chart(table: pd.DataFrame, *, titles: Titles = None, confidence_level: float = 0.95) -> alt.TopLevelMixin:
    """Draw the probability that `algorithm` improves on `baseline`, for each row of the table, with intervals."""
    return theme.finish(_pair_rows(table, titles), _described(table, titles, confidence_level))


def probability_of_improvement_chart(
    table: pd.DataFrame, *, titles: Titles = None, confidence_level: float = 0.95
) -> alt.TopLevelMixin:
    """Draw the probability of improvement of each pair of algorithms, the better one first.

    If there are few pairs, each has a row with its interval. Many pairs are drawn as a table with one row and one
    column per algorithm.
    """
    labels = titles_of([*table["algorithm"], *table["baseline"]], titles)
    better = _one_way(table)
    wins = better.groupby("algorithm")["estimate"].sum().reindex(list(labels), fill_value=0.0)
    drawn = best_of_many(wins.sort_values(ascending=False, kind="stable").index)
    better = better[better["algorithm"].isin(drawn) & better["baseline"].isin(drawn)]
    if len(better) <= _ROWS:
        return theme.finish(_pair_rows(better, titles), _described(table, titles, confidence_level))
    cells = better[["estimate", "low", "high"]].assign(
        row=better["algorithm"].map(labels),
        column=better["baseline"].map(labels),
        written=better["estimate"].map("{:.2f}".format).str.removeprefix("0"),
    )
    names = [labels[name] for name in drawn]
    spoken = "{row} is better than {column}, probability"
    chart = heat_table(cells, names, names, spoken, heading="is beaten with this probability", strong=(0.5, 1.0))
    chart = with_count(chart, len(drawn), len(labels), "the mean probability")
    return theme.finish(chart, _described(table, titles, confidence_level))


def _one_way(numbers: pd.DataFrame) -> pd.DataFrame:
    """Return each pair once, with the better algorithm first."""
    turned = {"algorithm": numbers["baseline"], "baseline": numbers["algorithm"], "estimate": 1 - numbers["estimate"]}
    turned |= {"low": 1 - numbers["high"], "high": 1 - numbers["low"]}
    # Ties count half, so the probability of one direction determines the other.
    both = pd.concat([numbers, numbers.assign(**turned)], ignore_index=True).drop_duplicates(["algorithm", "baseline"])
    better = both[(both["estimate"] > 0.5) | ((both["estimate"] == 0.5) & (both["algorithm"] < both["baseline"]))]
    return better.sort_values("estimate", ascending=False, kind="stable")


def _pair_rows(numbers: pd.DataFrame, titles: Titles) -> alt.LayerChart | alt.FacetChart:
    labels = titles_of([*numbers["algorithm"], *numbers["baseline"]], titles)
    data = numbers[["estimate", "low", "high"]]
    data = data.assign(title=numbers["algorithm"].map(labels) + " over " + numbers["baseline"].map(labels))
    data = data.sort_values("estimate", ascending=False, kind="stable")
    data["colour"] = [theme.LINE if low <= 0.5 else theme.STRONG for low in data["low"]]
    texts = [estimate(row.estimate, row.low, row.high) for row in data.itertuples()]
    return row_chart(data, list(data["title"]), "probability", reference=0.5, beside={"with interval": texts})


def _described(numbers: pd.DataFrame, titles: Titles, confidence_level: float) -> str:
    labels = titles_of([*numbers["algorithm"], *numbers["baseline"]], titles)
    level = percent(confidence_level)
    return f"Probability of improvement of pairs of {joined(list(labels.values()))} with {level} intervals"


def probability_of_improvement_finding(
    table: pd.DataFrame, *, titles: Titles = None, confidence_level: float = 0.95, method: str = "placements"
) -> str:
    """Report which algorithm beats every other more often than not, and which intervals exclude 0.5.

    The finding also states whether tasks share runs.

    Parameters
    ----------
    table : result of `probability_of_improvement`
    titles : titles of algorithms by name
    confidence_level : confidence level of the intervals
    method : method of the intervals
    """
    text = _probabilities(table, titles, confidence_level)
    if "shared_runs" not in table:  # older records
        return text
    assumed = "percentile" if method == "percentile" else "student"
    p_values = table.get("shared_runs_p_value", ())
    text = f"{text} {sharing_sentence(table['shared_runs'], int(table['runs'].min()), assumed, p_values=p_values)}"
    pairs = _one_way(table)
    return text.strip() + (by_whole_runs(pairs.iloc[0], "the interval") if len(pairs) == 1 else "")


def _probabilities(table: pd.DataFrame, titles: Titles, confidence_level: float) -> str:
    labels = titles_of([*table["algorithm"], *table["baseline"]], titles)
    pairs = _one_way(table)
    unsure = pairs[~(pairs["low"] > 0.5)]
    if len(pairs) == 1:
        row = pairs.iloc[0]
        probability = estimate(row["estimate"], row["low"], row["high"], ".2f")
        both = f"A run of {labels[row['algorithm']]} beats a run of {labels[row['baseline']]}"
        return f"{both} with probability {probability}. The interval {'includes' if len(unsure) else 'excludes'} 0.5."
    wins = pairs[pairs["estimate"] > 0.5].groupby("algorithm").size()
    # Percentile intervals and older records have no p-values and are not simultaneous.
    together = "p_value" in pairs and pairs["p_value"].notna().any()
    kind = "simultaneous" if together else "individual"
    sure = pairs[pairs["low"] > 0.5]
    exclude = f"{len(sure) or 'none'} {'excludes' if len(sure) == 1 else 'exclude'} 0.5"
    text = f"Of {len(pairs)} {kind} {percent(confidence_level)} intervals, {exclude}"
    fewer = min(sure, unsure, key=len)
    names = [f"{labels[x]} over {labels[y]}" for x, y in zip(fewer["algorithm"], fewer["baseline"], strict=True)]
    if not names:
        text += "."
    elif fewer is sure:
        text += f": {joined(names)}."
    else:
        text += f", but not {'that' if len(names) == 1 else 'those'} of {joined(names)}."
    if wins.max() != len(labels) - 1:  # or no pair differs
        return text
    values = pairs.loc[pairs["algorithm"] == wins.idxmax(), "estimate"]
    least, most = (written(float(end), ".2f") for end in (values.min(), values.max()))
    probability = f"probability {least}" if least == most else f"probabilities {least} to {most}"
    name = labels[wins.idxmax()]
    estimated = "estimated " if wins.idxmax() in set(unsure["algorithm"]) else ""
    return f"A run of {name} beats each other algorithm's with {estimated}{probability}. {text}"


_ROWS = 15
"""Largest number of pairs that are drawn as rows."""


def rank_probabilities_chart(table: pd.DataFrame, *, titles: Titles = None) -> alt.TopLevelMixin:
    """Draw the probability of each rank, averaged over tasks.

    There is one row per algorithm, with the best mean rank first, and one panel per set of scores.
    """
    overall = table[table["environment"] == ""]
    mean_ranks = (
        (overall["rank"] * overall["estimate"])
        .groupby(overall["algorithm"], sort=False)
        .sum()
        .sort_values(kind="stable")
    )
    drawn = best_of_many(mean_ranks.index)
    labels = titles_of(drawn, titles)
    overall = overall[overall["algorithm"].isin(drawn)]
    cells = overall[["estimate"]].assign(
        row=overall["algorithm"].map(labels),
        column=overall["rank"].astype(str),
        written=[f"{100 * value:.0f}" if value >= 0.005 else "" for value in overall["estimate"]],
    )
    ranks = [str(rank) for rank in range(1, int(overall["rank"].max()) + 1)]
    if overall["scores"].nunique() > 1:
        cells["panel"] = named(SCORES, overall["scores"])
    chart = heat_table(
        cells, [*labels.values()], ranks, "{row}, probability of rank {column}", heading="% of runs with each rank"
    )
    chart = with_count(chart, len(drawn), len(mean_ranks), "mean rank")
    return theme.finish(chart, f"Distribution of the rank of {', '.join(labels.values())}")


def rank_probabilities_finding(table: pd.DataFrame, *, titles: Titles = None) -> str:
    """Report which algorithm is most often the best if one run of each is drawn, and which is next."""
    first = table[(table["environment"] == "") & (table["rank"] == 1)]
    first = first.sort_values("estimate", ascending=False, kind="stable")
    labels = titles_of(first["algorithm"], titles)
    shares = [percent(float(written(value, ".2f"))) for value in first["estimate"]]
    names = [labels[name] for name in first["algorithm"]]
    alike = [name for name, share in zip(names, shares, strict=True) if share == shares[0]]
    if len(alike) > 1:
        return f"With one run each, {briefly(alike)} come first about equally often ({shares[0]})."
    second = f", {names[1]} with {shares[1]}" if len(names) > 1 else ""
    return f"With one run each, {names[0]} comes first with probability {shares[0]}{second}."
