"""Interactive charts: how many runs are needed, and how often intervals miss the true value.

Vega evaluates the controls in the page. Without scripts, the chart is a static image with the initial settings.
"""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd
from scipy.special import nctdtr, stdtrit

from surefoot.charts import theme
from surefoot.charts.forms import dashed_rule
from surefoot.charts.leaderboards import BENCHMARKS
from surefoot.charts.trust import METHOD_NAMES
from surefoot.statistics.comparison.fresh_runs import POWER

TASKS = (1, 2, 3, 5, 8, 10, 16, 26, 55)
RUNS = (*range(2, 21), 25, 30, 40, 50, 75, 100)
NONCENTRALITIES = np.arange(0.0, 6.01, 0.2)
"""Noncentralities of `how_many_runs_numbers`. At the last one, the power is 1 to three digits."""
MISSED = "#d7500f"
_OWN = "my pilot"
_MUJOCO = ("MuJoCo-like, share of the best score", 0.25)
"""Assumed spread: a quarter of the best score, about as for runs of PPO, DDPG, SAC and TRPO on Walker2d."""
_UPPER = 0.75
_SHAPES = {
    "normal": "normal scores",
    "skewed": "skewed scores (log-normal)",
    "failures": "one run in five collapses",
    "successes": "successes (0 or 1)",
}


def how_many_runs_numbers() -> pd.DataFrame:
    """Tabulate the power to detect a true difference in the IQM, by tasks, runs and noncentrality.

    The noncentrality is the true difference in units of its standard error. The test is based on Student's 95 %
    interval, with half of the degrees of freedom of two means, as an IQM depends on about half of the scores.

    Returns
    -------
    columns tasks, runs, noncentrality, power
    """
    places = pd.MultiIndex.from_product([TASKS, RUNS, NONCENTRALITIES], names=["tasks", "runs", "noncentrality"])
    grid = places.to_frame(index=False)
    degrees = grid["tasks"] * (grid["runs"] - 1.0)
    quantile = stdtrit(degrees, 0.975)
    return grid.assign(power=1.0 - nctdtr(degrees, grid["noncentrality"], quantile))


def spreads(standings: pd.DataFrame) -> pd.DataFrame:
    """Return the upper quartile, over algorithms, of the spread of runs on each benchmark.

    The spread is the standard error of the IQM times the square root of the number of all runs, which is about the
    standard deviation of a run if tasks are equal. The last row is an assumed spread for MuJoCo-like tasks.

    Returns
    -------
    columns benchmark (its title), spread
    """
    error = (standings["high"] - standings["low"]) / (2.0 * 1.96)
    spread = error * np.sqrt(standings["runs"] * standings["tasks"])
    upper = spread.groupby(standings["benchmark"], sort=False).quantile(_UPPER)
    titles = [BENCHMARKS[name][0] for name in upper.index]
    return pd.DataFrame({"benchmark": [*titles, _MUJOCO[0]], "spread": [*upper.round(2), _MUJOCO[1]]})


def _slider(name: str, value: float, least: float, greatest: float, step: float, label: str) -> alt.Parameter:
    return alt.param(name=name, value=value, bind=alt.binding_range(min=least, max=greatest, step=step, name=label))


def _choice(name: str, options: dict[Any, str], label: str, value: Any = None) -> alt.Parameter:
    chosen = next(iter(options)) if value is None else value
    bind = alt.binding_select(options=list(options), labels=list(options.values()), name=label)
    return alt.param(name=name, value=chosen, bind=bind)


def how_many_runs(standings: pd.DataFrame) -> alt.TopLevelMixin:
    """Draw the power to detect a difference against the number of runs, with controls for everything that affects it.

    If the spread comes from a pilot study, its upper 80 % confidence limit is used (chi-squared, by Wilson and
    Hilferty's approximation).
    """
    grid = how_many_runs_numbers()
    cells = grid.groupby(["tasks", "runs"], sort=False)["power"].apply(lambda part: part.round(4).tolist())
    presets = dict(spreads(standings).itertuples(index=False, name=None))
    step = NONCENTRALITIES[1]
    benchmarks = {name: f"{name} ({spread:g})" for name, spread in presets.items()} | {_OWN: _OWN}
    controls = [
        _choice("benchmark", benchmarks, "spread of"),
        _slider("own", 0.25, 0.01, 1.0, 0.01, "my pilot's spread"),
        _choice("pilot", {runs: f"{runs} runs" for runs in (2, 3, 5, 10, 20)}, "my pilot", 5),
        _choice("tasks", dict(zip(TASKS, map(str, TASKS), strict=True)), "tasks", 26),
        _slider("difference", 0.1, 0.01, 0.5, 0.01, "true difference"),
    ]
    freedom = "(2 / (9 * tasks * (pilot - 1)))"
    limit = f"pow(1 - {freedom} - 0.8416 * sqrt({freedom}), -1.5)"
    derived = [
        alt.param(name="spread", expr=f"benchmark == '{_OWN}' ? own * {limit} : ({presets})[benchmark]"),
    ]
    position = f"min(difference / spread * sqrt(datum.runs * datum.tasks / 2) / {step}, {len(NONCENTRALITIES) - 1})"
    base = (
        alt.Chart(alt.InlineData(values=cells.rename("powers").reset_index().to_dict("records")))
        .transform_filter("datum.tasks == tasks")
        .transform_calculate(place=position, floor="min(floor(datum.place), length(datum.powers) - 2)")
        .transform_calculate(
            power="datum.powers[datum.floor] + (datum.place - datum.floor) * "
            "(datum.powers[datum.floor + 1] - datum.powers[datum.floor])"
        )
        .transform_calculate(tooltip="datum.runs + ' runs of each task: power ' + format(datum.power, '.0%')")
    )
    ticks = alt.Axis(values=[2, 3, 5, 10, 20, 50, 100], format="d")
    x = alt.X("runs:Q", title="runs of each task", scale=alt.Scale(type="log", domain=[2, 100], padding=8), axis=ticks)
    y = alt.Y("power:Q", title="power", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%"))
    curve = base.mark_line(color=theme.STRONG, point=alt.OverlayMarkDef(size=45, color=theme.STRONG)).encode(
        x=x, y=y, **theme.TOOLTIP
    )
    answer = (
        base.transform_calculate(enough=f"datum.power >= {POWER} ? datum.runs : 1000")
        .transform_aggregate(needed="min(enough)")
        .transform_calculate(
            text="[(datum.needed < 1000 ? (datum.needed == 2 ? 'At most 2 runs' : datum.needed + ' runs') : "
            f"'More than {RUNS[-1]} runs') + ' of each task', "
            f"'detect ' + format(difference, '.2f') + ' with {100 * POWER:.0f} % power']"
        )
        .mark_text(align="left", fontSize=theme.TEXT + 2, fontWeight="bold", color=theme.INK)
        .encode(x=alt.value(-40), y=alt.value(-32), text="text:N")
    )
    chart = alt.layer(curve, answer, dashed_rule(y=alt.datum(POWER))).properties(width=theme.WIDTH - 60, height=260)
    description = "Power to detect a difference in the IQM by the number of runs of each task"
    return theme.finish(chart.add_params(*controls, *derived), description)


def watched_intervals(watched: pd.DataFrame) -> alt.TopLevelMixin:
    """Draw two kinds of intervals of the IQM in simulated studies; intervals that miss the truth are orange.

    watched : table from `surefoot.validation.watched_intervals`
    """
    cells = []
    for row in watched.itertuples():
        limits = np.array([part.split() for part in row.intervals.split("; ")], np.float64)
        rate = f"{METHOD_NAMES[row.method]}: {100 * row.failure_rate:.0f} % of {row.datasets:,} studies missed"
        cell = {"tasks": row.tasks, "runs": row.runs, "shape": row.data, "shared": bool(row.shared)}
        cell |= {"below": row.method != "student", "truth": row.truth, "rate": rate}
        cells.append(cell | {"low": limits[:, 0].tolist(), "high": limits[:, 1].tolist()})
    count = len(cells[0]["low"])
    controls = [
        _choice("tasks", {count: str(count) for count in (1, 5, 26)}, "tasks", 5),
        _choice("runs", {count: str(count) for count in (3, 5, 10)}, "runs of each task"),
        _choice("shape", _SHAPES, "scores"),
        _choice("shared", {False: "on its task alone", True: "on all tasks"}, "a run's luck is"),
    ]
    wanted = "datum.tasks == tasks && datum.runs == runs && datum.shape == shape"
    wanted += " && datum.shared == (tasks > 1 && shared)"
    base = alt.Chart(alt.InlineData(values=cells)).transform_filter(wanted)
    studies = base.transform_flatten(["low", "high"]).transform_window(number="row_number()")
    studies = studies.transform_calculate(
        place="datum.number + (datum.below ? 6 : 0)",
        missed="datum.low > datum.truth || datum.high < datum.truth",
        tooltip="(datum.missed ? 'misses: ' : 'holds: ') + format(datum.low, '.2f') + ' to ' + "
        "format(datum.high, '.2f')",
    )
    y = alt.Y("place:Q", axis=None, scale=alt.Scale(domain=[2 * count + 7, -4]))
    x = alt.X("low:Q", title="IQM", scale=alt.Scale(zero=False, nice=True), axis=alt.Axis(tickCount=6))
    colour = alt.condition("datum.missed", alt.value(MISSED), alt.value(theme.LINE))
    bars = studies.mark_rule(strokeWidth=3).encode(x=x, x2="high:Q", y=y, color=colour, **theme.TOOLTIP)
    # Two parts, with a gap for the text above the lower intervals.
    ends = base.transform_calculate(
        place=f"datum.below ? {count + 6} : 0", end=f"datum.below ? {2 * count + 7} : {count + 1}"
    )
    truth = ends.mark_rule(color=theme.INK, strokeDash=[4, 3]).encode(x="truth:Q", y=y, y2="end:Q")
    names = base.transform_calculate(place=f"datum.below ? {count + 4} : -2").mark_text(
        align="left", fontSize=theme.TEXT, fontWeight="bold", color=theme.INK
    )
    names = names.encode(x=alt.value(0), y=y, text="rate:N")
    chart = alt.layer(bars, truth, names).properties(width=theme.WIDTH - 20, height=480).add_params(*controls)
    description = "Intervals of the IQM of simulated studies by two methods, and the truth"
    return theme.finish(chart, description)


def kinds_as_dots_numbers(drawn_kinds: pd.DataFrame, remarks: pd.DataFrame) -> pd.DataFrame:
    """Tabulate the miss rates of both intervals of the IQM, and the remarks, with one row per kind of study.

    The columns are cell, data, runs, tasks, datasets, student, percentile, remarks and shared.
    """
    iqm = drawn_kinds[drawn_kinds["target"] == "iqm"]
    rates = iqm.pivot(index="cell", columns="method", values="failure_rate")
    about = iqm.drop_duplicates("cell").set_index("cell")[["data", "runs", "tasks", "datasets"]]
    noted = remarks[remarks["target"] == "iqm"]
    said = noted["method"] + " (" + noted["datasets"].astype(str) + ")"
    table = about.join(rates[["student", "percentile"]])
    table["remarks"] = said.groupby(noted["cell"]).agg(", ".join)
    table["shared"] = noted.groupby("cell")["shared"].any()
    return table.reset_index()


def kinds_as_dots(drawn_kinds: pd.DataFrame, remarks: pd.DataFrame) -> alt.TopLevelMixin:
    """Draw one dot per kind of study: how often Student's interval and the percentile interval of the IQM miss.

    Parameters
    ----------
    drawn_kinds, remarks : recorded results of `surefoot.validation`, for the same kinds of studies
    """
    table = kinds_as_dots_numbers(drawn_kinds, remarks)
    data = table.assign(
        group=np.where(table["shared"], "tasks share runs", "each task has its own runs"),
        tooltip=[
            f"{row.cell}: {row.data}; {row.runs} runs of {row.tasks} tasks; Student misses {row.student:.0%}, "
            f"percentile {row.percentile:.0%} of {row.datasets}; remarks (data sets): {row.remarks}"
            for row in table.itertuples()
        ],
    )
    # Points with equal rates are drawn side by side.
    turn = data.groupby(["student", "percentile"]).cumcount()
    data["percentile"] += 0.002 * turn
    colours = alt.Scale(domain=["each task has its own runs", "tasks share runs"], range=[theme.STRONG, MISSED])
    share = alt.Axis(format="%", tickCount=6)
    scale = alt.Scale(domainMin=0, nice=True)
    dots = alt.Chart(theme.chart_data(data[["student", "percentile", "group", "tooltip"]]))
    dots = dots.mark_circle(size=42, opacity=0.7, aria=True).encode(
        x=alt.X("percentile:Q", title="percentile bootstrap misses", scale=scale, axis=share),
        y=alt.Y("student:Q", title="Student's interval misses", scale=scale, axis=share),
        color=alt.Color("group:N", scale=colours, legend=alt.Legend(orient="top", title=None)),
        **theme.TOOLTIP,
    )
    lines = [dashed_rule(x=alt.datum(0.05)), dashed_rule(y=alt.datum(0.05))]
    worse = int((table["percentile"] > table["student"]).sum())
    finding = f"Student's interval misses less often than the percentile bootstrap in {worse} of {len(table)} kinds"
    chart = theme.headline(alt.layer(*lines, dots).properties(width=theme.WIDTH - 60, height=300), finding)
    return theme.finish(chart, f"{finding}; a dot per kind")
