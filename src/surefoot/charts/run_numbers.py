"""How many runs it takes: plans from a pilot, comparisons that look after every run, and what their page says."""

from collections.abc import Iterator, Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import origin, theme
from surefoot.charts.curves import curve_chart, run_numbers_axis
from surefoot.charts.names import METRICS, named, shown
from surefoot.charts.origin import record_date
from surefoot.charts.selection import asked, numbers_of_analysis
from surefoot.charts.sentences import counted, item, joined, percent
from surefoot.charts.theme import headline, of_classes
from surefoot.protocol.sentences import REMARK, unlike_remark
from surefoot.result_tables import Tables
from surefoot.rounding import written
from surefoot.statistics.runs.run_effect_findings import FOUND, NEGLIGIBLE, UNKNOWN, round_finding

LOOKS = {"betting": "confidence sequence", "percentile": "ordinary interval, looked at after every run"}


def with_rule(chart: alt.LayerChart | alt.FacetChart, height: float) -> alt.LayerChart | alt.FacetChart:
    """The chart with a dashed line across it at a height of its axis."""
    rule = alt.Chart(pd.DataFrame({"height": [round(height, 6)]})).mark_rule(color=theme.NEUTRAL, strokeDash=[4, 3])
    return alt.layer(rule.encode(y=alt.Y("height:Q")), chart)


def not_compared(text: str | None = None) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """In place of a chart of a comparison that is not asked for."""
    text = text or "No comparison was asked for: the question sequential_comparison compares two algorithms."
    return theme.finish(theme.message(text), text), pd.DataFrame(columns=["note"])


_AT_MOST, _MORE, _OR_MORE = "at most ", "more than ", " or more"


_RUNS = "runs per task"


_FINDINGS = {
    FOUND: "yes, so that intervals that resample the runs of each task are too narrow, and whole runs should be drawn",
    NEGLIGIBLE: "not enough to matter",
    UNKNOWN: "there are too few runs to tell",
}


def run_plans_chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Mean width of an interval by number of runs, with the range of most simulated studies and the pilot's band."""
    numbers = _of(_plans(tables, settings), "width")
    titles = shown(numbers["algorithm"], settings)
    data = _banded(numbers).assign(algorithm=numbers["algorithm"], panel=named(METRICS, numbers["metric"]))
    y = alt.Y("value:Q", title="width of the interval")
    chart = curve_chart(data, titles, run_numbers_axis(numbers["runs"], _RUNS), y, height=220, outlined=True)
    return theme.finish(chart, "Width of intervals by number of runs per task"), numbers


def chances_chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Chance to detect each lift by number of runs, a panel for each metric of each pilot."""
    numbers = _of(_plans(tables, settings), "chance")
    titles = {f"{lift:g}": f"lift of {lift:g} %" for lift in sorted(set(numbers["lift_percent"]))}
    names = shown(numbers["algorithm"], settings)
    panel = named(METRICS, numbers["metric"])
    if len(names) > 1:
        panel = panel + ", " + numbers["algorithm"].map(names)
    data = _banded(numbers).assign(algorithm=numbers["lift_percent"].map("{:g}".format), panel=panel)
    y = alt.Y("value:Q", title="chance to detect it", scale=alt.Scale(domain=[0, 1]))
    chart = curve_chart(data, titles, run_numbers_axis(numbers["runs"], _RUNS), y, height=220, outlined=True)
    told = chance_title(_plans(tables, settings), settings)
    return theme.finish(
        of_classes(headline(chart, told) if told else chart), "Chance to detect a lift by number of runs per task"
    ), numbers


def _banded(numbers: pd.DataFrame) -> pd.DataFrame:
    """The inner range as the band of a curve, and the pilot's, which may lie inside or outside it, as the outlined
    one."""
    names = {"low": "band_low", "high": "band_high", "inner_low": "low", "inner_high": "high"}
    return numbers[["runs", "value", *names]].rename(columns=names)


def _plans(tables: Mapping[str, pd.DataFrame], settings: Mapping[str, Any]) -> pd.DataFrame:
    return tables[f"numbers/{settings.get('analysis', 'run_plans')}"]


def _of(numbers: pd.DataFrame, quantity: str) -> pd.DataFrame:
    return numbers[numbers["quantity"] == quantity].reset_index(drop=True)


def needed_table(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """The smallest simulated number of runs with the wanted chance to detect each lift: columns title, metric, lift,
    and as texts runs (as far as the error of the simulation tells: two standard errors), fewest and most (by the upper
    and the lower end of the chance's band), where there is a lift."""
    return None, _needed(_plans(tables, settings), settings)


def _needed(plans: pd.DataFrame, settings: Mapping[str, Any]) -> pd.DataFrame:
    numbers, enough = _of(plans, "chance"), asked(settings, "run_plans")["chance"]
    names, rows = shown(numbers["algorithm"], settings), []
    lifted = numbers[numbers["lift_percent"] > 0]
    for (algorithm, metric, lift), part in lifted.groupby(["algorithm", "metric", "lift_percent"], sort=False):
        least, greatest, fewest, most = (
            _fewest(part, end, enough) for end in ("inner_high", "inner_low", "high", "low")
        )
        rows.append((names[algorithm], METRICS.get(metric, metric), lift, _between(least, greatest), fewest, most))
    return pd.DataFrame(rows, columns=["title", "metric", "lift", "runs", "fewest", "most"])


def _fewest(part: pd.DataFrame, end: str, enough: float) -> str:
    needed = part.loc[part[end] >= enough, "runs"]
    if needed.empty:
        return f"{_MORE}{part['runs'].max()}"
    # Of fewer runs than the least number that was tried nothing is known.
    return f"{_AT_MOST if needed.min() == part['runs'].min() else ''}{needed.min()}"


def _between(least: str, greatest: str) -> str:
    """One number of runs, or what the error of the simulation leaves open."""
    if least == greatest:
        return least
    if greatest.startswith(_MORE):
        return f"{least.removeprefix(_AT_MOST)}{_OR_MORE}"
    return f"{_AT_MOST}{greatest}" if least.startswith(_AT_MOST) else f"{least} to {greatest}"


def run_plans_finding(plans: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """How wide an interval would be, and how many runs a lift needs, where one is asked about."""
    return " ".join(filter(None, (width_sentence(plans, settings), chance_sentence(plans, settings))))


def width_sentence(plans: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """How wide the interval of the first metric of the first pilot would be with few, some and many runs."""
    numbers = _of(plans, "width")
    first = numbers[(numbers["metric"] == numbers["metric"].iloc[0])]
    first = first[first["algorithm"] == first["algorithm"].iloc[0]].sort_values("runs")
    chosen = first.iloc[sorted({0, len(first) // 2, len(first) - 1})]
    first_row, *others = chosen.itertuples()
    parts = [f"{written(first_row.value, '.3f')} wide with {first_row.runs} runs per task"]
    parts += [f"{written(row.value, '.3f')} with {row.runs}" for row in others]
    name = shown(first["algorithm"], settings)[first["algorithm"].iloc[0]]
    metric = METRICS.get(first["metric"].iloc[0], first["metric"].iloc[0])
    return f"The interval of the {metric} of {name} would be {joined(parts)}."


def chance_sentence(plans: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """How many runs each lift needs; empty where no lift is asked about."""
    lifts = _lifts_of_the_first(plans, settings)
    if not lifts:
        return ""
    chance = f"{100 * asked(settings, 'run_plans')['chance']:g} %"
    first_row, *others = lifts
    needed = [f"scores that are {first_row.lift:g} % higher takes {_spanned(first_row, ' runs per task')}"]
    needed += [f"{row.lift:g} % higher, {_spanned(row)}" for row in others]
    studies = asked(settings, "run_plans")["datasets"]
    return (
        f"By the {first_row.metric}, a chance of {chance} to detect {'; '.join(needed)}. This is judged by "
        f"{studies:,} simulated studies of each size."
    )


def chance_title(plans: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """The same in few words, without what the pilot leaves open; empty where no lift is asked about."""
    lifts = _lifts_of_the_first(plans, settings)
    if not lifts:
        return ""
    first_row, *others = lifts
    parts = [f"{first_row.runs} runs of each task for a lift of {first_row.lift:g} %"]
    parts += [f"{row.runs} for {row.lift:g} %" for row in others]
    chance = 100 * asked(settings, "run_plans")["chance"]
    return f"By the {first_row.metric}, a chance of {chance:g} % takes {joined(parts)}"


def _lifts_of_the_first(plans: pd.DataFrame, settings: Mapping[str, Any]) -> list[Any]:
    """A row for each lift, of the first pilot and the first metric; none where no lift is asked about."""
    needed = _needed(plans, settings)
    if needed.empty:
        return []
    first = needed[(needed["title"] == needed["title"].iloc[0]) & (needed["metric"] == needed["metric"].iloc[0])]
    return list(first.itertuples())


def _spanned(row: Any, unit: str = "") -> str:
    """The number of runs, and in parentheses those at best and at worst where they are others."""
    low, high = (row.runs.removeprefix(_AT_MOST).split(" to ")[end] for end in (0, -1))
    open_ended = row.runs.startswith(_MORE) or row.runs.endswith(_OR_MORE)
    ends = []
    if row.fewest not in (row.runs, low.removesuffix(_OR_MORE)):
        least = row.fewest.removeprefix(_AT_MOST)
        ends.append(f"at best {least if least == row.fewest else f'{least} or fewer'}")
    if row.most not in (row.runs, high) and not open_ended:
        ends.append(f"at worst {row.most}")
    return f"{row.runs}{unit} ({', '.join(ends)})" if ends else f"{row.runs}{unit}"


def pilot_sentence(plans: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Whose runs the plans are made from, and on which scale, which `settings["scale"]` says in words."""
    numbers = plans.drop_duplicates("algorithm")
    names = shown(numbers["algorithm"], settings)
    parts = []
    for row in numbers.itertuples():
        low, high = int(row.pilot_low), int(row.pilot_high)
        runs = counted(low, "run") if low == high else f"{low} to {high} runs"
        parts.append(f"{names[row.algorithm]}, {runs} on each of {counted(int(row.tasks), 'task')}")
    few = " Fewer than ten runs per task say little about its spread." if numbers["pilot_low"].min() < 10 else ""
    return f"The pilot is {'; '.join(parts)}, on {settings['scale']}.{few}"


def shared_sentence(plans: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Whether the pilot's runs do alike on all tasks."""
    numbers = plans.drop_duplicates("algorithm")
    names, parts = shown(numbers["algorithm"], settings), []
    for row in numbers[numbers["tasks"] > 1].itertuples():
        spread = f"their means vary {row.inflation:.2f} times as much as with independent tasks, at most "
        spread = (spread if row.inflation > 0 else "their means may vary up to ") + f"{row.inflation_high:.2f} times"
        parts.append(f"{names[row.algorithm]}: {_FINDINGS[row.effect]} ({spread}, p = {row.effect_p:.3f})")
    return f"Do runs with the same number do similarly well on all tasks? {'; '.join(parts)}." if parts else ""


def run_plans_caption(settings: Mapping[str, Any]) -> str:
    """How much was simulated, how well it tells a chance, and the kind of intervals."""
    chosen = asked(settings, "run_plans")
    replicates = chosen.get("replicates", settings["replicates"])
    level = percent(settings["confidence"])
    points = written(200 * (0.25 / chosen["datasets"]) ** 0.5, ".1f")
    return (
        f"{chosen['datasets']:,} simulated studies of each size, accurate to ±{points} percentage points or better for "
        "a chance (two standard errors); "
        f"{replicates:,} resamples of each; {level} Student's intervals."
    )


def sequential_comparison_chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """The probability that x beats y as it was known after every round."""
    numbers = numbers_of_analysis(tables, settings.get("analysis", "sequential_comparison"))
    if numbers is None:
        return not_compared()
    x, y = _sides(numbers, settings)
    ordinary = numbers.assign(low=numbers["ordinary_low"], high=numbers["ordinary_high"], algorithm="percentile")
    both = pd.concat([numbers.assign(algorithm="betting"), ordinary.dropna(subset="low")], ignore_index=True)
    position = alt.X("round:Q", title="runs of each algorithm and task", axis=alt.Axis(tickMinStep=1, format="d"))
    value = alt.Y("value:Q", title=f"P({x} > {y})", scale=alt.Scale(domain=[0, 1]))
    columns = ["algorithm", "round", "value", "low", "high"]
    chart = with_rule(curve_chart(both[columns], LOOKS, position, value, height=240), 0.5)
    chart = of_classes(chart)
    return theme.finish(chart, f"Probability that {x} beats {y} after every run, with two kinds of limits"), numbers


def _sides(looks: pd.DataFrame, settings: Mapping[str, Any]) -> Iterator[str]:
    names = shown([*looks["x"], *looks["y"]], settings)
    return (names[looks[side].iloc[0]] for side in "xy")


def independence_sentence(looks: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Whether each task of a round counted as an outcome of its own."""
    last = looks.iloc[-1]
    inflation = (last["inflation"], last["inflation_low"], last["inflation_high"])
    return round_finding(
        asked(settings, "sequential_comparison")["tasks_independent"],
        int(looks["apart"].sum()),
        len(looks),
        inflation,
        int(last["tasks"]),
    )


def sequential_comparison_finding(looks: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Which of the two is better and after how many runs that was known, or what is known so far."""
    x, y = _sides(looks, settings)
    last, level = looks.iloc[-1], percent(settings["confidence"])
    waiting = f" Up to {counted(int(last['left_out']), 'run')} per task have no counterpart and are not compared."
    waiting = waiting if last["left_out"] else ""
    value, low, high = (written(float(last[key]), ".3f") for key in ("value", "low", "high"))
    so_far = f"P({x} > {y}) is {value} ({low} to {high})"
    decided = looks[looks["decided"].astype(bool)]
    if decided.empty:
        return (
            f"Not decided after {counted(len(looks), 'run')} per task: {so_far}, at {level} confidence for all looks "
            f"together.{waiting}"
        )
    first = decided.iloc[0]
    better = x if first["low"] > 0.5 else y
    return (
        f"Decided after {counted(int(first['round']), 'run')} per task: {better} is better. After all {len(looks)}, "
        f"{so_far}, at {level} confidence for all looks together.{waiting}"
    )


def false_alarm_rates_chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """How often a difference was ever found where there is none, by the number of looks."""
    analysis = settings.get("analysis", "false_alarm_rates")
    numbers = numbers_of_analysis(tables, analysis)
    if numbers is None:
        return not_compared("There is no record of a larger run." if analysis.startswith(origin.RECORDED) else None)
    reach = 2 * numbers["standard_error"]
    limits = {"low": (numbers["ever"] - reach).clip(lower=0), "high": (numbers["ever"] + reach).clip(upper=1)}
    data = numbers[["round"]].assign(algorithm=numbers["method"], value=numbers["ever"], **limits)
    position = alt.X("round:Q", title="looks, one after every run", axis=alt.Axis(tickMinStep=1, format="d"))
    value = alt.Y("value:Q", title="ever found a difference", scale=alt.Scale(domainMin=0))
    chart = curve_chart(data, LOOKS, position, value, height=220)
    chart = with_rule(chart, 1 - settings["confidence"])
    description = "Fraction of experiments without a difference in which one was ever found, by number of looks"
    chart = of_classes(chart)
    return origin.finish(chart, description, tables, settings, analysis), numbers


def false_alarm_rates_finding(alarms: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """How often a difference was found where there is none, by either kind of interval."""
    last = _last(alarms)
    ordinary, sequence = (
        f"{100 * last.loc[key, 'ever']:.1f} ± {100 * last.loc[key, 'standard_error']:.1f} %"
        for key in ("percentile", "betting")
    )
    name = alarms["algorithm"].iloc[0]
    title = shown(alarms["algorithm"], settings)[name]
    return (
        f"Comparing {title} with itself after each of {int(last['round'].iloc[0])} runs, the ordinary interval finds a "
        f"difference in {ordinary} of comparisons, the confidence sequence in {sequence}."
    )


def false_alarm_rates_caption(alarms: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """What was simulated, and what the errors are."""
    last = _last(alarms)
    name = alarms["algorithm"].iloc[0]
    title = shown(alarms["algorithm"], settings)[name]
    return (
        f"{int(last['experiments'].iloc[0]):,} simulated comparisons of {title} with itself. Bands: two standard "
        f"errors of the simulation (±: one). Dashed: {percent(1 - settings['confidence'])}, what "
        f"{percent(settings['confidence'])} confidence allows."
    )


def _last(alarms: pd.DataFrame) -> pd.DataFrame:
    """The rates after the last look, by method."""
    return alarms[alarms["round"] == alarms["round"].max()].set_index("method")


def verdict(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Sentences for the page: columns item, text, value."""
    plans = tables["numbers/run_plans"]
    looks, alarms = (numbers_of_analysis(tables, name) for name in ("sequential_comparison", "false_alarm_rates"))
    larger = numbers_of_analysis(tables, "recorded/false_alarm_rates")
    remark = unlike_remark(settings.get("protocol", {}), settings["algorithm_titles"])
    rows = [
        item("remark", remark),
        item("mark", REMARK if remark else ""),
        item("width", width_sentence(plans, settings)),
        item("chance", chance_sentence(plans, settings)),
        item("pilot", pilot_sentence(plans, settings)),
        item("caption", run_plans_caption(settings)),
        item("no_lift", f"{50 * (1 - settings['confidence']):.3g} %"),
        item(
            "compared",
            "" if looks is None else sequential_comparison_finding(looks, settings),
            None if looks is None else len(looks),
        ),
        item("shared", shared_sentence(plans, settings)),
        item("independence", "" if looks is None else independence_sentence(looks, settings)),
        item("alarms", "" if alarms is None else false_alarm_rates_finding(alarms, settings)),
        item("alarms_caption", "" if alarms is None else false_alarm_rates_caption(alarms, settings)),
        item("alarms_recorded", "" if larger is None else false_alarm_rates_finding(larger, settings)),
        item("alarms_recorded_caption", "" if larger is None else _recorded_caption(larger, tables, settings)),
    ]
    return None, pd.DataFrame(rows)


def _recorded_caption(alarms: pd.DataFrame, tables: Tables, settings: Mapping[str, Any]) -> str:
    """The same as of this run's alarms, after where they come from: the page's other numbers are of this run."""
    date = record_date(tables, settings.get("names", {}).get("false_alarm_rates", "false_alarm_rates"))
    rounds = int(alarms["round"].max())
    origin = f"From the record of a larger run ({date}; {rounds} runs), not computed in this run."
    return f"{origin} {false_alarm_rates_caption(alarms, settings)}"
