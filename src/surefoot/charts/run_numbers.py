"""Charts and summary sentences on the number of runs: plans from a pilot study, and comparisons after every run."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.curve_layout import curve_chart, run_numbers_axis
from surefoot.charts.names import METRICS, Titles, named, titles_of, with_titles
from surefoot.charts.sentences import estimate, percent
from surefoot.errors import conjugated, counted
from surefoot.rounding import joined, written
from surefoot.runs.protocol_card import unlike_remark

LOOKS = {"betting": "confidence sequence", "percentile": "ordinary interval, looked at after every run"}


_ENOUGH = 0.8  # power that is enough
_RUNS = "runs per task"


def plan_runs_numbers(table: pd.DataFrame) -> pd.DataFrame:
    """Return the widths of intervals in a result of `plan_runs`."""
    return _of(table, "width")


def plan_runs_chart(table: pd.DataFrame, *, titles: Titles = None) -> alt.TopLevelMixin:
    """Draw the mean width of an interval by number of runs, with 10 % and 90 % quantiles over simulated studies.

    A paler band shows the uncertainty of the pilot.
    """
    numbers = plan_runs_numbers(table)
    labels = titles_of(numbers["algorithm"], titles)
    data = _banded(numbers).assign(algorithm=numbers["algorithm"], panel=named(METRICS, numbers["metric"]))
    y = alt.Y("estimate:Q", title="width of the interval")
    chart = curve_chart(data, labels, run_numbers_axis(numbers["runs"], _RUNS), y, height=220)
    return theme.finish(chart, "Width of intervals by number of runs per task")


def chances_numbers(table: pd.DataFrame) -> pd.DataFrame:
    """Return the powers in a result of `plan_runs`."""
    return _of(table, "chance")


def chances_chart(table: pd.DataFrame, *, titles: Titles = None) -> alt.TopLevelMixin:
    """Draw the power to detect each lift (improvement in percent) by number of runs, one panel per metric and pilot."""
    numbers = chances_numbers(table)
    labels = {f"{lift:g}": f"lift of {lift:g} %" for lift in sorted(set(numbers["lift_percent"]))}
    names = titles_of(numbers["algorithm"], titles)
    panel = named(METRICS, numbers["metric"])
    if len(names) > 1:
        panel = panel + ", " + numbers["algorithm"].map(names)
    data = _banded(numbers).assign(algorithm=numbers["lift_percent"].map("{:g}".format), panel=panel)
    y = alt.Y("estimate:Q", title="power to detect it", scale=alt.Scale(domain=[0, 1]))
    chart = curve_chart(data, labels, run_numbers_axis(numbers["runs"], _RUNS), y, height=220)
    needed = _needed(table, titles).head(1)
    for row in needed.itertuples():
        finding = f"With {row.runs} runs per task, a lift of {row.lift:g} % is detected with {percent(_ENOUGH)} power"
        chart = theme.headline(chart, f"{row.title}, {row.metric}: {finding[:1].lower()}{finding[1:]}")
    return theme.finish(chart, "Power to detect a lift by number of runs per task")


def _banded(numbers: pd.DataFrame) -> pd.DataFrame:
    """Rename columns: `curve_chart` draws the inner range as a band, and the range of the pilot as a paler band."""
    names = {"low": "band_low", "high": "band_high", "inner_low": "low", "inner_high": "high"}
    return numbers[["runs", "estimate", *names]].rename(columns=names)


def _of(numbers: pd.DataFrame, quantity: str) -> pd.DataFrame:
    return numbers[numbers["quantity"] == quantity].reset_index(drop=True)


def needed_table(table: pd.DataFrame, *, titles: Titles = None) -> pd.DataFrame:
    """Tabulate the smallest simulated number of runs that detects each lift (improvement in percent) with 80 % power.

    The columns are title, metric and lift, followed by runs (to within two standard errors of the simulation), fewest
    and most (from the upper and the lower end of the band of the power) as strings. Zero lifts, and pilots whose
    intervals have zero width, are left out.
    """
    return _needed(table, titles)


def _needed(plans: pd.DataFrame, titles: Titles) -> pd.DataFrame:
    numbers = _of(plans, "chance")
    names = titles_of(numbers["algorithm"], titles)
    rows = []
    lifted = numbers[numbers["lift_percent"] > 0]
    widths = _of(plans, "width")
    # If the intervals of the simulated studies have zero width, the pilot does not determine a number of runs.
    silent = set(widths.loc[widths["estimate"] == 0, ["algorithm", "metric"]].itertuples(index=False, name=None))
    for (algorithm, metric, lift), part in lifted.groupby(["algorithm", "metric", "lift_percent"], sort=False):
        if (algorithm, metric) in silent:
            continue
        least, greatest, fewest, most = (_fewest(part, end) for end in ("inner_high", "inner_low", "high", "low"))
        runs = least if least == greatest else f"{least} to {greatest}"
        if least != greatest and greatest.startswith("more than"):
            runs = f"{least.removeprefix('at most ')} or more"
        elif least.startswith("at most"):
            runs = f"at most {greatest}" if least != greatest else least
        rows.append((names[algorithm], METRICS.get(metric, metric), lift, runs, fewest, most))
    return pd.DataFrame(rows, columns=["title", "metric", "lift", "runs", "fewest", "most"])


def _fewest(part: pd.DataFrame, end: str) -> str:
    needed = part.loc[part[end] >= _ENOUGH, "runs"]
    if needed.empty:
        return f"more than {part['runs'].max()}"
    # Fewer runs than the smallest number tried were not simulated.
    return f"{'at most ' if needed.min() == part['runs'].min() else ''}{needed.min()}"


def plan_runs_finding(table: pd.DataFrame, *, titles: Titles = None) -> str:
    """Report the width of the first metric's interval for the first pilot, and the number of runs to detect a lift."""
    widths = _of(table, "width").sort_values("runs", kind="stable")
    first = table[table["quantity"] == "width"].iloc[0]
    widths = widths[(widths["metric"] == first["metric"]) & (widths["algorithm"] == first["algorithm"])]
    name = titles_of([first["algorithm"]], titles)[first["algorithm"]]
    metric = METRICS.get(first["metric"], first["metric"])
    if (widths["estimate"] == 0).any():
        return (
            f"Studies with the pilot's runs of {name} give intervals of the {metric} that have no width, which means "
            "nothing for runs not seen: they differ too little to tell how many are needed."
        )
    shown = widths.iloc[sorted({0, len(widths) // 2, len(widths) - 1})]
    texts = [f"{written(row.estimate, '.3f')} with {row.runs}" for row in shown.itertuples()]
    texts[0] = texts[0].replace(" with", " wide with") + " runs per task"
    text = f"The interval of the {metric} of {name} would be {joined(texts)}."
    lifts = _needed(table, titles)
    lifts = lifts[(lifts["title"] == name) & (lifts["metric"] == metric)]
    if lifts.empty:
        return text
    needed = [f"{row.runs} if they are {row.lift:g} % higher" for row in lifts.itertuples()]
    needed[0] = f"{lifts['runs'].iloc[0]} fresh runs per task if scores are {lifts['lift'].iloc[0]:g} % higher"
    power = f"detecting a higher {metric} with {percent(_ENOUGH)} power takes {joined(needed)}"
    text += f" If the spread of the pilot is the true one, {power}."
    if (lifts["most"] != lifts["runs"]).any():
        text += f" Allowing for the uncertainty of the pilot, it takes at worst {joined(list(lifts['most']))}."
    return text


def pilots_table(
    table: pd.DataFrame,
    *,
    titles: Titles = None,
    protocol: Mapping[str, Any] | None = None,
    scale: str = "",
    confidence_level: float = 0.95,
    n_resamples: int | None = None,
    datasets: int | None = None,
    alarms_recorded: str = "",
) -> pd.DataFrame:
    """Tabulate the numbers in the text of the page, one row per pilot.

    The columns are algorithm, title, tasks, pilot_low and pilot_high (runs per task), effect, effect_p, inflation,
    inflation_high (how strongly the pilot's runs are correlated across tasks); and, equal in all rows, finding, remark
    (on protocols that differ), scale, confidence_level, n_resamples, datasets and recorded (day of the record of false
    alarms, or empty).

    Parameters
    ----------
    table : result of `plan_runs`
    titles : titles of algorithms by name
    protocol : protocol of the scores, if it is stated
    scale : the scale of the scores, in words
    confidence_level, n_resamples, datasets : settings of the simulated studies
    alarms_recorded : day of the record of false alarms, or empty
    """
    columns = ["algorithm", "tasks", "pilot_low", "pilot_high", "effect", "effect_p", "inflation", "inflation_high"]
    return with_titles(table.drop_duplicates("algorithm")[columns], titles).assign(
        finding=plan_runs_finding(table, titles=titles),
        remark=unlike_remark(protocol or {}, titles or {}),
        scale=scale,
        confidence_level=confidence_level,
        n_resamples=n_resamples,
        datasets=datasets,
        recorded=alarms_recorded,
    )


def sequential_comparison_chart(table: pd.DataFrame, *, titles: Titles = None) -> alt.TopLevelMixin:
    """Draw the estimate, after every run, of the probability that one algorithm beats the other."""
    x, y = _sides(table, titles)
    ordinary = table.assign(low=table["ordinary_low"], high=table["ordinary_high"], algorithm="percentile")
    both = pd.concat([table.assign(algorithm="betting"), ordinary.dropna(subset="low")], ignore_index=True)
    value = alt.Y("estimate:Q", title=f"P({x} > {y})", scale=alt.Scale(domain=[0, 1]))
    description = f"Probability that {x} beats {y} after every run, with two kinds of limits"
    return theme.finish(_looks(both, value, "runs of each algorithm and task", 0.5), description)


def _looks(data: pd.DataFrame, y: alt.Y, title: str, height: float) -> alt.LayerChart | alt.FacetChart:
    """Draw curves for both kinds of intervals against the number of looks, and a dashed line at `height`."""
    x = alt.X("round:Q", title=title, axis=alt.Axis(tickMinStep=1, format="d"))
    data = data[["algorithm", "round", "estimate", "low", "high"]]
    return curve_chart(data, LOOKS, x, y, height=230, reference=height)


def _sides(looks: pd.DataFrame, titles: Titles) -> tuple[str, str]:
    x = looks["algorithm"].iloc[0]
    y = looks["baseline"].iloc[0]
    names = titles_of([x, y], titles)
    return names[x], names[y]


def sequential_comparison_finding(table: pd.DataFrame, *, titles: Titles = None, confidence_level: float = 0.95) -> str:
    """Report which algorithm is better and after how many runs this was decided, or that it is still undecided."""
    x, y = _sides(table, titles)
    last = table.iloc[-1]
    level = percent(confidence_level)
    probability = f"P({x} > {y}) is {estimate(last['estimate'], last['low'], last['high'])}"
    decided = table[table["decided"].astype(bool)]
    text = f"Not decided after {counted(len(table), 'run')} per task: {probability}"
    if len(decided):
        first = decided.iloc[0]
        text = f"Decided after {counted(int(first['round']), 'run')} per task: {x if first['low'] > 0.5 else y} is "
        text += f"better. After all {len(table)}, {probability}"
    text += f", at {level} confidence for all looks together."
    if last["left_out"]:
        most = int(last["left_out"])
        text += f" Up to {counted(most, 'run')} of an algorithm on a task {conjugated('are', most)} left out, because "
        text += "each look needs one more run of both algorithms on every task."
    return text


def false_alarm_rates_chart(table: pd.DataFrame, *, confidence_level: float = 0.95) -> alt.TopLevelMixin:
    """Draw how often a nonexistent difference was detected at any look so far, by the number of looks."""
    reach = 2 * table["standard_error"]
    limits = {
        "low": (table["cumulative_rate"] - reach).clip(lower=0),
        "high": (table["cumulative_rate"] + reach).clip(upper=1),
    }
    data = table.assign(algorithm=table["method"], estimate=table["cumulative_rate"], **limits)
    y = alt.Y("estimate:Q", title="ever found a difference", scale=alt.Scale(domainMin=0))
    chart = _looks(data, y, "looks, one after every run", round(1 - confidence_level, 6))
    return theme.finish(
        chart, "Fraction of experiments without a difference in which one was found, by number of looks"
    )


def false_alarm_rates_finding(table: pd.DataFrame, *, titles: Titles = None) -> str:
    """Report how often each kind of interval detects a nonexistent difference."""
    last = table[table["round"] == table["round"].max()].set_index("method")
    ordinary, sequence = (
        f"{100 * last.loc[key, 'cumulative_rate']:.1f} ± {100 * last.loc[key, 'standard_error']:.1f} %"
        for key in ("percentile", "betting")
    )
    (title,) = titles_of(table["algorithm"].iloc[:1], titles).values()
    return (
        f"If {title} is compared with itself after each of {int(last['round'].iloc[0])} runs, the ordinary interval "
        f"finds a difference in {ordinary} of comparisons, and the confidence sequence in {sequence}."
    )
