"""How many runs a study needs, and two algorithms compared after every run: figures and sentences of any study."""

from collections.abc import Mapping

import altair as alt
import pandas as pd

from surefoot.figures import origin, theme
from surefoot.figures.curves import curve_chart
from surefoot.figures.names import METRICS, named, shown
from surefoot.figures.selection import numbers_of_analysis
from surefoot.figures.sentences import counted, item, joined
from surefoot.rounding import written
from surefoot.statistics.run_effect_findings import FOUND, NEGLIGIBLE, UNKNOWN, round_finding

Tables = Mapping[str, pd.DataFrame]
_SIZES = alt.X("runs:Q", title="runs of each task", scale=alt.Scale(type="log", nice=False))
_LOOKS = {"betting": "confidence sequence", "percentile": "ordinary interval, looked at after every run"}
_FINDINGS = {
    FOUND: "they do, so intervals that resample the runs of each task are too narrow and whole_runs is right",
    NEGLIGIBLE: "no more than matters",
    UNKNOWN: "there are too few to tell",
}


def widths(tables: Tables, settings: Mapping) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Mean width of an interval by number of runs, with the range of most simulated studies and the pilot's band."""
    numbers = _of(tables, "width")
    titles = shown(numbers["algorithm"], settings)
    data = _banded(numbers).assign(algorithm=numbers["algorithm"], panel=named(METRICS, numbers["metric"]))
    y = alt.Y("value:Q", title="width of the interval")
    chart = curve_chart(data, titles, _SIZES, y, list(dict.fromkeys(data["panel"])), height=220)
    return theme.finish(chart, "Width of intervals by number of runs of each task"), numbers


def chances(tables: Tables, settings: Mapping) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Chance to detect each lift by number of runs, a panel for each metric of each pilot."""
    numbers = _of(tables, "chance")
    titles = {f"{lift:g}": f"lift of {lift:g} %" for lift in sorted(set(numbers["lift_percent"]))}
    names = shown(numbers["algorithm"], settings)
    panel = named(METRICS, numbers["metric"])
    if len(names) > 1:
        panel = panel + ", " + numbers["algorithm"].map(names)
    data = _banded(numbers).assign(algorithm=numbers["lift_percent"].map("{:g}".format), panel=panel)
    y = alt.Y("value:Q", title="chance to detect it", scale=alt.Scale(domain=[0, 1]))
    chart = curve_chart(data, titles, _SIZES, y, list(dict.fromkeys(panel)), height=220)
    return theme.finish(chart, "Chance to detect a lift by number of runs of each task"), numbers


def _banded(numbers):
    """The inner range as the band of a curve, and the pilot's as the paler one around it."""
    names = {"low": "band_low", "high": "band_high", "inner_low": "low", "inner_high": "high"}
    return numbers[["runs", "value", *names]].rename(columns=names)


def _of(tables, quantity):
    numbers = tables["numbers/run_plans"]
    return numbers[numbers["quantity"] == quantity].reset_index(drop=True)


def table_needed(tables: Tables, settings: Mapping) -> tuple[None, pd.DataFrame]:
    """The smallest simulated number of runs with the wanted chance to detect each lift: columns title, metric, lift,
    and as texts runs, fewest and most (by the upper and the lower end of the chance's band), where there is a lift."""
    numbers, enough = _of(tables, "chance"), settings["how_many_runs"]["chance"]
    names, rows = shown(numbers["algorithm"], settings), []
    lifted = numbers[numbers["lift_percent"] > 0]
    for (algorithm, metric, lift), part in lifted.groupby(["algorithm", "metric", "lift_percent"], sort=False):
        runs = (_needed(part, end, enough) for end in ("value", "high", "low"))
        rows.append((names[algorithm], METRICS.get(metric, metric), lift, *runs))
    return None, pd.DataFrame(rows, columns=["title", "metric", "lift", "runs", "fewest", "most"])


def _needed(part, end, enough):
    needed = part.loc[part[end] >= enough, "runs"]
    return f"{needed.min()}" if len(needed) else f"more than {part['runs'].max()}"


def sequential(tables: Tables, settings: Mapping) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """The probability that x beats y as it was known after every round."""
    numbers = numbers_of_analysis(tables, "sequential_comparison")
    if numbers is None:
        return _not_compared()
    x, y = _sides(numbers, settings)
    ordinary = numbers.assign(low=numbers["ordinary_low"], high=numbers["ordinary_high"], algorithm="percentile")
    both = pd.concat([numbers.assign(algorithm="betting"), ordinary.dropna(subset="low")], ignore_index=True)
    position = alt.X("round:Q", title="runs of each algorithm and task", axis=alt.Axis(tickMinStep=1, format="d"))
    value = alt.Y("value:Q", title=f"P({x} > {y})", scale=alt.Scale(domain=[0, 1]))
    columns = ["algorithm", "round", "value", "low", "high"]
    chart = _with_rule(curve_chart(both[columns], _LOOKS, position, value, height=240), 0.5)
    return theme.finish(chart, f"Probability that {x} beats {y} after every run, with two kinds of limits"), numbers


def false_alarms(tables: Tables, settings: Mapping) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """How often a difference was ever found where there is none, by the number of looks."""
    analysis = settings.get("analysis", "false_alarm_rates")
    numbers = numbers_of_analysis(tables, analysis)
    if numbers is None:
        return _not_compared("No larger run is on record." if analysis.startswith(origin.RECORDED) else None)
    reach = 2 * numbers["standard_error"]
    limits = {"low": (numbers["ever"] - reach).clip(lower=0), "high": (numbers["ever"] + reach).clip(upper=1)}
    data = numbers[["round"]].assign(algorithm=numbers["method"], value=numbers["ever"], **limits)
    position = alt.X("round:Q", title="looks, one after every run", axis=alt.Axis(tickMinStep=1, format="d"))
    value = alt.Y("value:Q", title="ever found a difference", scale=alt.Scale(domainMin=0))
    chart = curve_chart(data, _LOOKS, position, value, height=220)
    chart = _with_rule(chart, 1 - settings["confidence"])
    description = "Fraction of experiments without a difference in which one was ever found, by number of looks"
    return origin.finish(chart, description, tables, settings, analysis), numbers


def _with_rule(chart, height):
    rule = alt.Chart(pd.DataFrame({"height": [round(height, 6)]})).mark_rule(color=theme.NEUTRAL, strokeDash=[4, 3])
    return alt.layer(rule.encode(y=alt.Y("height:Q")), chart)


def _sides(looks, settings):
    names = shown([*looks["x"], *looks["y"]], settings)
    return (names[looks[side].iloc[0]] for side in "xy")


def _not_compared(text=None):
    text = text or "No comparison was asked for: the question sequential_comparison compares two algorithms."
    return theme.finish(theme.message(text), text), pd.DataFrame(columns=["note"])


def verdict(tables: Tables, settings: Mapping) -> tuple[None, pd.DataFrame]:
    """Sentences for the page: columns item, text, value."""
    section = settings["how_many_runs"]
    looks, alarms = (numbers_of_analysis(tables, name) for name in ("sequential_comparison", "false_alarm_rates"))
    larger = numbers_of_analysis(tables, "recorded/false_alarm_rates")
    rows = [
        item("width", _width_sentence(tables, settings)),
        item("chance", _chance_sentence(tables, settings)),
        item("pilot", _pilot_sentence(tables, settings)),
        item("caption", _caption(section, settings)),
        item("no_lift", f"{50 * (1 - settings['confidence']):.3g} %"),
        item("compared", "" if looks is None else _decision(looks, settings), None if looks is None else len(looks)),
        item("shared", _shared_sentence(tables, settings)),
        item("independence", "" if looks is None else _independence(looks, section)),
        item("alarms", "" if alarms is None else _alarm_sentence(alarms, settings)),
        item("alarms_recorded", "" if larger is None else _alarm_sentence(larger, settings)),
    ]
    return None, pd.DataFrame(rows)


def _width_sentence(tables, settings):
    numbers = _of(tables, "width")
    first = numbers[(numbers["metric"] == numbers["metric"].iloc[0])]
    first = first[first["algorithm"] == first["algorithm"].iloc[0]].sort_values("runs")
    chosen = first.iloc[sorted({0, len(first) // 2, len(first) - 1})]
    parts = [
        f"{written(row.value, '.3f')} ({written(row.low, '.3f')} to {written(row.high, '.3f')}) with {row.runs}"
        for row in chosen.itertuples()
    ]
    name = shown(first["algorithm"], settings)[first["algorithm"].iloc[0]]
    metric = METRICS.get(first["metric"].iloc[0], first["metric"].iloc[0])
    return (
        f"The interval of the {metric} of {name} would have a width of {joined(parts)} runs of each task, with the "
        "range that the pilot's own uncertainty leaves."
    )


def _chance_sentence(tables, settings):
    _, needed = table_needed(tables, settings)
    if needed.empty:
        return ""
    first = needed[(needed["title"] == needed["title"].iloc[0]) & (needed["metric"] == needed["metric"].iloc[0])]
    parts = [f"{row.runs} ({row.fewest} to {row.most}) for a lift of {row.lift:g} %" for row in first.itertuples()]
    chance = f"{100 * settings['how_many_runs']['chance']:g} %"
    return f"Runs of each task that find a lift with a chance of {chance} or more: {joined(parts)}."


def _pilot_sentence(tables, settings):
    numbers = tables["numbers/run_plans"].drop_duplicates("algorithm")
    names = shown(numbers["algorithm"], settings)
    parts = []
    for row in numbers.itertuples():
        low, high = int(row.pilot_low), int(row.pilot_high)
        runs = counted(low, "run") if low == high else f"{low} to {high} runs"
        parts.append(f"{names[row.algorithm]}, {runs} of each of {counted(int(row.tasks), 'task')}")
    few = " Fewer than ten runs of a task say little about its spread." if numbers["pilot_low"].min() < 10 else ""
    return f"The pilot: {'; '.join(parts)}, on {settings['how_many_runs']['scale']}.{few}"


def _shared_sentence(tables, settings):
    """Whether the pilot's runs do alike on all tasks."""
    numbers = tables["numbers/run_plans"].drop_duplicates("algorithm")
    names, parts = shown(numbers["algorithm"], settings), []
    for row in numbers[numbers["tasks"] > 1].itertuples():
        spread = f"their means vary {row.inflation:.2f} times as much as with independent tasks, at most "
        spread = (spread if row.inflation > 0 else "their means may vary up to ") + f"{row.inflation_high:.2f} times"
        parts.append(f"{names[row.algorithm]}: {_FINDINGS[row.effect]} ({spread}, p = {row.effect_p:.3f})")
    return f"Do runs with the same number do alike on all tasks? {'; '.join(parts)}." if parts else ""


def _independence(looks, section):
    last = looks.iloc[-1]
    inflation = (last["inflation"], last["inflation_low"], last["inflation_high"])
    return round_finding(
        section["tasks_independent"], int(looks["apart"].sum()), len(looks), inflation, int(last["tasks"])
    )


def _caption(section, settings):
    level = f"{100 * settings['confidence']:g} %"
    return (
        f"{section['datasets']:,} simulated studies of each size, {section['replicates']:,} resamples of each; "
        f"percentile intervals at {level}."
    )


def _decision(looks, settings):
    x, y = _sides(looks, settings)
    last, level = looks.iloc[-1], f"{100 * settings['confidence']:g} %"
    waiting = f" Up to {counted(int(last['left_out']), 'further run')} of a task had no partner."
    waiting = waiting if last["left_out"] else ""
    value, low, high = (written(float(last[key]), ".3f") for key in ("value", "low", "high"))
    so_far = f"P({x} > {y}) is {value} ({low} to {high})"
    decided = looks[looks["decided"].astype(bool)]
    if decided.empty:
        return (
            f"Not decided after {counted(len(looks), 'run')} of each task: {so_far}, at {level} for all looks "
            f"together.{waiting}"
        )
    first = decided.iloc[0]
    better = x if first["low"] > 0.5 else y
    return (
        f"Decided after {counted(int(first['round']), 'run')} of each task: {better} is better, and the "
        f"collection could have stopped there. After all {len(looks)}, {so_far}, at {level} for all looks "
        f"together.{waiting}"
    )


def _alarm_sentence(alarms, settings):
    last = alarms[alarms["round"] == alarms["round"].max()].set_index("method")
    names = shown(alarms["algorithm"], settings)
    parts = [
        f"{kind} found one in {100 * last.loc[key, 'ever']:.1f} ± {100 * last.loc[key, 'standard_error']:.1f} %"
        for key, kind in (("percentile", "the ordinary interval"), ("betting", "the confidence sequence"))
    ]
    return (
        f"Of {int(last['experiments'].iloc[0]):,} simulated comparisons of {names[alarms['algorithm'].iloc[0]]} with "
        f"itself, looked at after each of {int(last['round'].iloc[0])} runs, {joined(parts)}, where "
        f"{100 * (1 - settings['confidence']):g} % are allowed (± one Monte Carlo standard error)."
    )
