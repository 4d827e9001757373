"""Charts and findings. Learning curves: metrics along the training, differences, single runs, and steps to a score."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import origin, theme
from surefoot.charts.curves import at_step, best_of_many, curve_chart, steps_axis, steps_column, steps_title, with_count
from surefoot.charts.forms import dashed_rule, leaders_of
from surefoot.charts.names import METRICS, colour_order, named, shown
from surefoot.charts.selection import against, titles
from surefoot.charts.sentences import briefly, capitalised, counted, joined, most_places, remarks_of, sharing_of
from surefoot.result_tables import Tables
from surefoot.rounding import column_format, written
from surefoot.statistics.metrics.catalogue import metric as known_metric
from surefoot.statistics.runs.sharing import SHARED


@origin.of_analysis
def sample_efficiency_chart(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> origin.Described:
    """Metrics by steps of training; `settings` may have `axis` (what scores are)."""
    titles = shown(numbers["algorithm"], settings)
    steps = steps_column(numbers)
    unit = steps_title(steps, settings)
    data = numbers[["algorithm", steps, "value", "low", "high"]].assign(panel=named(METRICS, numbers["metric"]))
    y = alt.Y("value:Q", title=settings.get("axis", "score"))
    best = best_of_many(_at_end(numbers, steps)["algorithm"])
    drawn = {name: title for name, title in titles.items() if name in best}
    x, among = steps_axis(steps, unit), colour_order(titles)
    chart = curve_chart(data, drawn, x, y, among=among, leaders=leaders_of(best))
    first = numbers["metric"].iloc[0]
    chart = with_count(chart, len(drawn), len(titles), f"{METRICS.get(first, first)} at the end")
    return chart, f"Scores by {'steps' if unit == 'step' else unit} of training", numbers


def _at_end(numbers: pd.DataFrame, steps: str) -> pd.DataFrame:
    """The rows of the first metric at the last step, the best first."""
    own = numbers[numbers["metric"] == numbers["metric"].iloc[0]]
    last = own[own[steps] == own[steps].max()]
    smaller_is_better = known_metric(own["metric"].iloc[0]).entry.lower_is_better
    return last.sort_values("value", ascending=smaller_is_better, kind="stable")


def sample_efficiency_finding(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Which curve is the highest at the end, since when, and what its band holds."""
    steps = steps_column(table)
    first = table["metric"].iloc[0]
    table = table[table["metric"] == first]
    titles, metric = shown(table["algorithm"], settings), METRICS.get(first, first)
    wide = table.pivot(index=steps, columns="algorithm", values="value").sort_index()
    end = wide.index[-1]
    place = f"At {at_step(end, steps, settings)}"
    last = table[table[steps] == end].sort_values("value", ascending=False, kind="stable")
    simultaneous = _band(settings) == "simultaneous"
    band = "bands of the whole curves" if simultaneous else "bands of single steps"
    form = column_format(last[["value", "low", "high"]].to_numpy().ravel())
    ends = [[written(float(row[key]), form) for key in ("value", "low", "high")] for _, row in last.iterrows()]
    values = [
        f"{titles[name]} {value}" + (f" ({low} to {high})" if drawn else "")
        for name, (value, low, high), drawn in zip(last["algorithm"], ends, last["low"].notna(), strict=True)
    ]
    sentence = f"{place} the {metric} is {joined(values)}" + (f", with {band}" if last["low"].notna().any() else "")
    if len(values) > 1:
        sentence = f"{_since(wide, str(last['algorithm'].iloc[0]), titles, settings)} {sentence}"
    return f"{sentence}.{remarks_of_bands(table, 'student' if simultaneous else 'percentile')}"


def remarks_of_bands(table: pd.DataFrame, method: str = "student") -> str:
    """What is said of bands around curves after a sentence: whether tasks share runs, and other remarks.

    method : "student" of simultaneous bands, which allow for shared runs, else "percentile"
    """
    if "shared_runs" not in table:  # as in tables that were recorded before
        return ""
    others = table[~table["shared_runs"].isin(SHARED) | table["low"].isna()]
    return sharing_of(table, method, "bands") + remarks_of(others)


def _band(settings: Mapping[str, Any]) -> str:
    known: str = settings["questions"].get(settings["analysis"], {}).get("band", "simultaneous")
    return known


def _since(wide: pd.DataFrame, best: str, titles: Mapping[str, str], settings: Mapping[str, Any]) -> str:
    """From which step on a curve is above all others, which says nothing of chance."""
    others = wide.drop(columns=best)
    reached = others.ge(wide[best], axis=0).any(axis=1).to_numpy()
    if reached[-1]:
        return "The highest two curves end equal."
    if not reached.any():
        return f"The curve of {titles[best]} is the highest at every step."
    since = at_step(wide.index[len(reached) - reached[::-1].argmax()], str(wide.index.name), settings)
    return f"The curve of {titles[best]} is the highest from {since} on."


@origin.of_analysis
def curve_differences_chart(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> origin.Described:
    """By how much the algorithm that ends highest is above each other one, by steps of training."""
    titles = shown([*numbers["x"], *numbers["y"]], settings)
    ahead, steps = _ahead(numbers), steps_column(numbers)
    nearest = ahead[ahead[steps] == ahead[steps].max()].sort_values("value", kind="stable")["other"]
    drawn = best_of_many(nearest)
    others = {name: titles[name] for name in drawn}
    metric = METRICS.get(numbers["metric"].iloc[0], numbers["metric"].iloc[0])
    best = titles[ahead["best"].iloc[0]]
    x = steps_axis(steps, steps_title(steps, settings))
    y = alt.Y("value:Q", title=f"{metric} of {best} minus that of others")
    data = ahead.rename(columns={"other": "algorithm"})[["algorithm", steps, "value", "low", "high"]]
    curves = curve_chart(data, others, x, y, among=colour_order(titles), leaders=drawn[:1])
    chart = with_count(alt.layer(dashed_rule(y=alt.datum(0.0)), curves), len(drawn), len(titles) - 1, "closeness")
    return chart, curve_differences_finding(numbers, settings), numbers


def curve_differences_finding(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """From which others the algorithm that ends highest is separated, and from which step on."""
    titles = shown([*table["x"], *table["y"]], settings)
    ahead, steps = _ahead(table), steps_column(table)
    best = titles[ahead["best"].iloc[0]]
    if ahead["low"].isna().all():
        return f"{best} ends highest. No bands show from which others it is separated.{remarks_of_bands(table)}"
    told, sometimes, never = [], [], []
    for name, rows in ahead.groupby("other", sort=False):
        # A band without a width says nothing of other runs.
        above = ((rows["low"] > 0) & (rows["high"] > rows["low"])).to_numpy()
        if above[-1]:
            since = rows[steps].iloc[len(above) - int((~above)[::-1].argmax()) if not above.all() else 0]
            told.append(f"{titles[name]} from {at_step(since, steps, settings)} on")
        elif above.any() or ((rows["high"] < 0) & (rows["high"] > rows["low"])).any():
            sometimes.append(titles[name])
        else:
            never.append(titles[name])
    count = f"{len(told) or 'none'} of {counted(len(told) + len(sometimes) + len(never), 'other')}"
    parts = [f"is better than {joined(told)}"] if told else []
    parts += [f"differs from {joined(sometimes)} at some steps but not at the last"] if sometimes else []
    parts += [f"is not separated from {joined(never)} at any step"] if never else []
    return f"{best} ends highest, separated from {count}. It {'; '.join(parts)}.{remarks_of_bands(table)}"


def _ahead(numbers: pd.DataFrame) -> pd.DataFrame:
    """The differences of the algorithm that ends highest from the others.

    Returns
    -------
    columns best, other, value, low, high, and the steps
    """
    steps = steps_column(numbers)
    last = numbers[numbers[steps] == numbers[steps].max()]
    both = pd.concat([last, last.rename(columns={"x": "y", "y": "x"}).assign(value=-last["value"])])
    best = both.groupby("x", sort=False)["value"].min().idxmax()
    behind = against(numbers, best)
    return behind.assign(best=best, value=-behind["value"], low=-behind["high"], high=-behind["low"])


_RUN = ["algorithm", "environment", "run_name"]


def run_curves_chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """A panel for each environment, with its own axes: the single runs thin and faint, the mean of an algorithm's runs
    strong."""
    everything = tables["aggregate/run_curves"]
    best = _best_first(everything)
    numbers = everything[everything["algorithm"].isin(best)]
    places = titles(numbers["environment"], settings, "environment")
    data = numbers[["algorithm", "step"]].assign(
        value=numbers["score"],
        panel=numbers["environment"].map(places),
        run=numbers["run_name"].astype(str).where(numbers["curve"] == "run", ""),
    )
    drawn = titles(numbers["algorithm"], settings, "algorithm")
    x, y = steps_axis("step"), alt.Y("value:Q", title="score", scale=alt.Scale(zero=False))
    chart = curve_chart(data, drawn, x, y, height=190, independent=("x", "y"), leaders=leaders_of(best))
    chart = with_count(chart, len(best), everything["algorithm"].nunique(), "the mean of the ranks at the end")
    description = f"Learning curves of single runs and their means, of {', '.join(drawn.values())}, in "
    return theme.finish(chart, description + counted(len(places), "environment")), everything


def _best_first(numbers: pd.DataFrame) -> list[str]:
    """The algorithms to draw: those whose mean curves end highest, by the mean of their ranks in the environments."""
    ends = numbers[numbers["curve"] == "mean"].drop_duplicates(["environment", "algorithm"], keep="last")
    ranks = ends.groupby("environment")["score"].rank(ascending=False).groupby(ends["algorithm"], sort=False).mean()
    best = ranks.sort_values(kind="stable").index
    return best_of_many([*best, *numbers["algorithm"]])


def run_curves_finding(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Whose mean is highest at the end in how many environments; then how many runs are drawn if not all are."""
    cells = table.groupby(["algorithm", "environment"], sort=False)
    runs, drawn = int(cells["runs"].first().sum()), len(table[table["curve"] == "run"][_RUN].drop_duplicates())
    names = titles(table["algorithm"], settings, "algorithm")
    few = "" if drawn == runs else f" Drawn: {drawn:,} of the {runs:,} runs, the first of each algorithm."
    ends = _ends_of_means(table[table["curve"] == "mean"])
    if ends.empty:
        return f"Learning curves of {counted(runs, 'run')} of {joined(list(names.values()))}.{few}"
    best = ends[ends["score"] == ends.groupby("environment")["score"].transform("max")]
    told = most_places(best.assign(title=best["algorithm"].map(names)), ends["environment"].nunique())
    return f"Highest mean at the last step that all runs reach: {told}. No interval shows whether this is chance.{few}"


def _ends_of_means(means: pd.DataFrame) -> pd.DataFrame:
    """The means of the algorithms of an environment at the last step that all of them reach; none of an environment
    with a single algorithm.

    means : columns algorithm, environment, step, score
    """
    last = means.groupby(["environment", "algorithm"], sort=False)["step"].transform("max")
    reached = means[means["step"] <= last.groupby(means["environment"]).transform("min")]
    ends = reached.sort_values("step", kind="stable").drop_duplicates(["environment", "algorithm"], keep="last")
    several = ends.groupby("environment")["algorithm"].transform("size") > 1
    return ends[several].sort_index()


_TABLE = "estimate/steps_to_threshold"


_FEW = 20
"""Limits of fewer runs fill the panel, and are left to the table."""


def steps_to_threshold_chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """The share of runs that have reached the score by steps, a panel for each environment."""
    numbers, shares = tables[_TABLE], tables[f"{_TABLE}_curves"]
    named = titles(numbers["algorithm"], settings, "algorithm")
    places = titles(numbers["environment"], settings, "environment")
    best = shares.groupby("algorithm", sort=False)["share"].mean().sort_values(ascending=False, kind="stable").index
    data = shares.rename(columns={"share": "value"}).assign(panel=shares["environment"].map(places))
    if numbers["runs"].min() < _FEW:
        data = data.drop(columns=["low", "high"])
    x = steps_axis("step")
    y = alt.Y("value:Q", title="share of runs that reached the score", scale=alt.Scale(domain=[0, 1]))
    panels = list(places.values())
    look: dict[str, Any] = {"height": 190, "step": True, "independent": ["x"], "leaders": leaders_of(best)}
    chart = curve_chart(data.drop(columns="environment"), named, x, y, panels, **look)
    description = f"Share of runs that reached a score by steps, of {', '.join(named.values())}"
    return theme.finish(chart, description), numbers


def steps_to_threshold_finding(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Which algorithm needed the fewest steps where, and how many runs reached the score."""
    named = titles(table["algorithm"], settings, "algorithm")
    counts = table.groupby("algorithm", sort=False)[["reached", "runs"]].sum()
    reached = [f"{row.reached:,} of {row.runs:,} runs of {named[row.Index]}" for row in counts.itertuples()]
    said = f"It was reached by {joined(reached)}."
    wide = table.pivot(index="environment", columns="algorithm", values="median")
    known = wide.dropna(how="all")
    if known.empty:
        return f"In no environment did half of the runs reach the score. {said}"
    if len(wide) == 1:
        rows = list(table[table["median"].notna()].sort_values("median", kind="stable").itertuples())
        parts = [
            f"half of {'those' if place else 'the runs'} of {named[row.algorithm]}"
            f"{'' if place else ' had reached the score'} by step {row.median:,.0f} ({_limits(row)})"
            for place, row in enumerate(rows)
        ]
        return f"{capitalised(joined(parts))}. {said}"
    soonest = known.eq(known.min(axis=1), axis=0)
    alone = soonest[soonest.sum(axis=1) == 1].sum()
    if alone.max() == 0:
        return f"In no environment does a single algorithm have the lowest median number of steps. {said}"
    which = [named[name] for name in alone[alone == alone.max()].index]
    where = f"in {alone.max()} of {len(wide)} environments{' each' if len(which) > 1 else ''}"
    return f"The median number of steps to the score is lowest for {briefly(which)} {where}. {said}"


def _limits(row: Any) -> str:
    if pd.isna(row.median_high) and row.median_low == 0.0:
        return f"{row.runs} runs leave its limits open"
    if pd.isna(row.median_high):
        return f"{row.median_low:,.0f} or later"
    return f"{row.median_low:,.0f} to {row.median_high:,.0f}"
